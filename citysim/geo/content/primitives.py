"""Triangles of one glTF primitive as arrays, before any placement."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.geo.content import extensions
from citysim.geo.content.accessors import normalized, read_accessor
from citysim.geo.content.document import Document, Json, extension_of
from citysim.geo.content.surfaces import Mapping, Surface, surface_of

_TRIANGLES, _STRIP, _FAN = 4, 5, 6


class Primitive(NamedTuple):
    """positions (V, 3) float64 in the mesh's own axes; triangles (T, 3) int64, indices not yet checked; uvs (V, 2)
    float64 in glTF's convention; colors (V, 4) uint8; features (V,) int64, -1 where there are none; its surface.
    """

    positions: NDArray[np.float64]
    triangles: NDArray[np.int64]
    uvs: NDArray[np.float64]
    colors: NDArray[np.uint8]
    features: NDArray[np.int64]
    surface: Surface


def read_primitive(document: Document, primitive: Any) -> Primitive | None:
    """Decode one primitive; None when it has no triangles. Raises FormatError for broken arrays."""
    if not isinstance(primitive, dict) or not isinstance(primitive.get("attributes"), dict):
        raise document.broken("a primitive without attributes")
    mode = primitive.get("mode", _TRIANGLES)
    if mode not in (_TRIANGLES, _STRIP, _FAN):
        return None
    arrays = _arrays(document, primitive)
    positions = arrays.get("POSITION")
    if positions is None or positions.shape[1] != 3:
        return None
    count = len(positions)
    indices = arrays.get("indices")
    order = np.arange(count) if indices is None else indices.reshape(-1).astype(np.int64)
    surface, mapping = surface_of(document, primitive.get("material"))
    return Primitive(
        positions.astype(np.float64),
        faces_of(order, mode),
        _uvs(arrays.get(f"TEXCOORD_{mapping.uv_set}"), count, mapping),
        _colors(arrays.get("COLOR_0"), count),
        _features(arrays, primitive, count),
        surface,
    )


def faces_of(order: NDArray[np.int64], mode: int) -> NDArray[np.int64]:
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
            break
    found = dict(packed)
    for name, index in primitive["attributes"].items():
        if name not in found and name.startswith(("POSITION", "TEXCOORD_", "COLOR_0", "_FEATURE_ID_", "_BATCHID")):
            found[name] = read_accessor(document, index)
    if "indices" not in found and primitive.get("indices") is not None:
        found["indices"] = read_accessor(document, primitive["indices"])
    return found


def _uvs(values: NDArray[Any] | None, count: int, mapping: Mapping) -> NDArray[np.float64]:
    if values is None or values.shape != (count, 2):
        return np.zeros((count, 2))
    uvs = values.astype(np.float64)
    uvs[~np.isfinite(uvs).all(axis=1)] = 0.0
    if mapping == Mapping(mapping.uv_set):
        return uvs
    u, v = uvs[:, 0] * mapping.scale[0], uvs[:, 1] * mapping.scale[1]
    cos, sin = np.cos(mapping.rotation), np.sin(mapping.rotation)
    return np.stack([cos * u + sin * v + mapping.offset[0], cos * v - sin * u + mapping.offset[1]], axis=1)


def _colors(values: NDArray[Any] | None, count: int) -> NDArray[np.uint8]:
    colors = np.full((count, 4), 255, np.uint8)
    if values is None or len(values) != count or values.shape[1] < 3:
        return colors
    fractions = np.nan_to_num(normalized(values).astype(np.float64), nan=1.0)
    colors[:, : values.shape[1]] = np.round(np.clip(fractions, 0.0, 1.0) * 255.0).astype(np.uint8)
    return colors


def _features(arrays: extensions.Arrays, primitive: Json, count: int) -> NDArray[np.int64]:
    """Feature ids by EXT_mesh_features (its first attribute set) or by b3dm's _BATCHID."""
    none = np.full(count, -1, np.int64)
    sets = (extension_of(primitive, "EXT_mesh_features") or {}).get("featureIds")
    values = arrays.get("_BATCHID")
    for entry in sets if isinstance(sets, list) else []:
        if isinstance(entry, dict) and isinstance(entry.get("attribute"), int):
            values = arrays.get(f"_FEATURE_ID_{entry['attribute']}", values)
            break
    if values is None or len(values) != count:
        return none
    numbers = np.nan_to_num(values[:, 0].astype(np.float64), nan=-1.0)
    return np.where((numbers >= 0) & (numbers < 2**31), np.round(numbers), -1).astype(np.int64)
