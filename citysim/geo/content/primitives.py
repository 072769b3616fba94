"""Triangles or points of one glTF primitive as arrays, before any placement."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.errors import CitySimError
from citysim.geo.content import extensions
from citysim.geo.content.accessors import TYPES, normalized, read_accessor
from citysim.geo.content.document import Document, Json, extension_of, is_natural
from citysim.geo.content.featureids import feature_ids, has_feature_texture, texture_features
from citysim.geo.content.surfaces import Mapping, Surface, surface_of

_POINTS, _TRIANGLES, _STRIP, _FAN = 0, 4, 5, 6
_USED = ("POSITION", "TEXCOORD_", "COLOR_0", "_FEATURE_ID_", "_BATCHID")


class Primitive(NamedTuple):
    """positions (V, 3) float32 or float64 in the mesh's own axes; triangles (T, 3) uint32, indices not yet checked,
    None for points; uvs (V, 2) float32 or float64 in glTF's convention; colors (V, 4) uint8; features (V,) int64, -1
    where there are none; its surface. Arrays are as small as what was stored allows: fresh memory is what costs most.
    """

    positions: NDArray[Any]
    triangles: NDArray[np.uint32] | None
    uvs: NDArray[Any]
    colors: NDArray[np.uint8]
    features: NDArray[np.int64]
    surface: Surface


@np.errstate(over="ignore", invalid="ignore", divide="ignore")  # what is no number is dropped where it is placed
def read_primitive(document: Document, primitive: Any) -> Primitive | None:
    """Decode one primitive; None when it has neither triangles nor points. Raises FormatError for broken arrays."""
    if not isinstance(primitive, dict) or not isinstance(primitive.get("attributes"), dict):
        raise document.broken("a primitive without attributes")
    mode = primitive.get("mode", _TRIANGLES)
    if mode not in (_POINTS, _TRIANGLES, _STRIP, _FAN):
        document.notices.add("left out lines")
        return None
    arrays = _arrays(document, primitive)
    positions = arrays.get("POSITION")
    if positions is None or positions.shape[1] != 3:
        return None
    count = len(positions)
    indices = arrays.get("indices")
    order = np.arange(count, dtype=np.uint32) if indices is None else indices.reshape(-1)
    surface, mapping = surface_of(document, primitive.get("material"))
    made = Primitive(
        _owned(positions, np.float32 if positions.dtype == np.float32 else np.float64),
        None if mode == _POINTS else _owned(faces_of(order, mode), np.uint32),
        _uvs(arrays.get(f"TEXCOORD_{mapping.uv_set}"), count, mapping),
        _colors(arrays.get("COLOR_0"), count),
        feature_ids(document, primitive, arrays, count),
        surface,
    )
    return _with_feature_texture(document, primitive, arrays, made)


def _owned(values: NDArray[Any], dtype: Any) -> NDArray[Any]:
    """The values as the compiled loops want them: writable, packed and of one type."""
    return np.require(values, dtype, ("C", "A", "W"))


def faces_of(order: NDArray[Any], mode: int) -> NDArray[Any]:
    """(T, 3) triangles of an index list in mode 4 (triangles), 5 (strip) or 6 (fan), glTF 2.0 3.7.2.1."""
    if mode == _TRIANGLES:
        return order[: len(order) // 3 * 3].reshape(-1, 3)
    steps = np.arange(max(len(order) - 2, 0))
    if mode == _STRIP:
        odd = steps % 2
        return np.stack([order[steps], order[steps + 1 + odd], order[steps + 2 - odd]], axis=1)
    return np.stack([order[steps + 1], order[steps + 2], np.broadcast_to(order[:1], steps.shape)], axis=1)


def _arrays(document: Document, primitive: Json) -> extensions.Arrays:
    """Every attribute that is used, and the indices; a compressed primitive's own arrays take precedence."""
    packed: extensions.Arrays = {}
    for name in sorted(extensions.PRIMITIVES):
        settings = extension_of(primitive, name)
        if settings is not None:
            packed = extensions.PRIMITIVES[name](settings, bytes(document.view(settings.get("bufferView"))[0]))
            packed = {key: _as_declared(document, primitive, key, values) for key, values in packed.items()}
            break
    found = dict(packed)
    for name, index in primitive["attributes"].items():
        if name in found or not name.startswith(_USED):
            continue
        try:
            found[name] = read_accessor(document, index)
        except CitySimError as error:
            if name == "POSITION" or not name.startswith("_"):
                raise
            document.notices.add(f"features without their numbers: {error.found}")
    if "indices" not in found and primitive.get("indices") is not None:
        found["indices"] = read_accessor(document, primitive["indices"])
    return found


def _as_declared(document: Document, primitive: Json, name: str, values: NDArray[Any]) -> NDArray[Any]:
    """A compressed attribute's integers as fractions of the accessor's type where that says so.

    Nothing else of the accessor is believed.
    """
    index = primitive["attributes"].get(name)
    if values.dtype.kind == "f" or index is None:
        return values
    accessor = document.item("accessors", index)
    if accessor.get("normalized") is not True:
        return values
    kind = accessor.get("componentType")
    return normalized(values.astype(TYPES[kind]) if is_natural(kind) and kind in TYPES else values)


def _uvs(values: NDArray[Any] | None, count: int, mapping: Mapping) -> NDArray[Any]:
    if values is None or values.shape != (count, 2):
        return np.broadcast_to(np.zeros(2, np.float32), (count, 2))
    plain = mapping == Mapping(mapping.uv_set)
    uvs = values if plain and values.dtype == np.float32 else values.astype(np.float64)
    if not np.isfinite(uvs).all():
        uvs = np.where(np.isfinite(uvs).all(axis=1, keepdims=True), uvs, uvs.dtype.type(0))
    if plain:
        return uvs
    u, v = uvs[:, 0] * mapping.scale[0], uvs[:, 1] * mapping.scale[1]
    cos, sin = np.cos(mapping.rotation), np.sin(mapping.rotation)
    return np.stack([cos * u + sin * v + mapping.offset[0], cos * v - sin * u + mapping.offset[1]], axis=1)


def _colors(values: NDArray[Any] | None, count: int) -> NDArray[np.uint8]:
    if values is None or len(values) != count or values.shape[1] < 3:
        return np.broadcast_to(np.full(4, 255, np.uint8), (count, 4))
    colors = np.full((count, 4), 255, np.uint8)
    fractions = np.nan_to_num(normalized(values).astype(np.float64), nan=1.0)
    colors[:, : values.shape[1]] = np.round(np.clip(fractions, 0.0, 1.0) * 255.0).astype(np.uint8)
    return colors


def _with_feature_texture(document: Document, primitive: Json, arrays: extensions.Arrays, made: Primitive) -> Primitive:
    """The primitive with corners of its own for every triangle where a texture tells features apart."""
    triangles = made.triangles
    if triangles is None or not has_feature_texture(document, primitive):
        return made
    sound = triangles[((triangles >= 0) & (triangles < len(made.positions))).all(axis=1)]
    features = texture_features(document, primitive, arrays, sound)
    if features is None:
        return made
    corners = sound.reshape(-1)
    return Primitive(
        made.positions[corners],
        np.arange(len(corners), dtype=np.uint32).reshape(-1, 3),
        made.uvs[corners],
        made.colors[corners],
        np.repeat(features, 3),
        made.surface,
    )
