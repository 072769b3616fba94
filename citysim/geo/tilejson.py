"""The JSON of tilesets: its objects checked and read under their present and their old names."""

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.errors import FormatError
from citysim.geo import uris
from citysim.geo.archive import ARCHIVES

UP_AXES = ("X", "Y", "Z")
REQUIRED_KNOWN = frozenset(
    {
        "3DTILES_batch_table_hierarchy",
        "3DTILES_bounding_volume_S2",
        "3DTILES_content_gltf",
        "3DTILES_draco_point_compression",
        "3DTILES_implicit_tiling",
        "3DTILES_metadata",
        "3DTILES_multiple_contents",
        "MAXAR_content_3tz",
        "MAXAR_content_geojson",
        "MAXAR_extent",
        "MAXAR_grid",
        "VRICON_class",
        "VRICON_grid",
    }
)
_CONTENT_KINDS = frozenset({"b3dm", "glb", "gltf", "cmpt", "i3dm", "pnts", "vctr", "geom", "geojson"})


def parse_document(data: bytes, uri: str) -> dict[str, Any]:
    """The JSON object of a tileset, checked for its outline; raises FormatError."""
    document = parse_object(data, uri)
    if not isinstance(document.get("root"), dict):
        raise FormatError("a tileset with a root tile", f"'{uri}' without one", "the tileset's top tileset.json")
    required = document.get("extensionsRequired")
    unknown = sorted({str(n) for n in list_of(required, "extensionsRequired", uri)} - REQUIRED_KNOWN)
    if unknown:
        raise FormatError(
            "a tileset that needs no unknown extension", f"{', '.join(unknown)} in '{uri}'", "exporting without it"
        )
    return document


def parse_object(data: bytes, uri: str) -> dict[str, Any]:
    """The JSON object in the bytes of `uri`; raises FormatError."""
    try:
        document = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        detail = str(error).replace("\n", " ")[:80]
        raise FormatError("a tileset in JSON", f"'{uri}' ({detail})", "exporting the tileset again") from None
    if not isinstance(document, dict):
        raise FormatError("a tileset with a root tile", f"'{uri}' without one", "the tileset's top tileset.json")
    return document


def contents_of(tile: dict[str, Any]) -> list[dict[str, Any]]:
    """Every content object of a tile: `content`, `contents` and the 1.0 extension for several."""
    found = [tile.get("content")]
    extensions = tile.get("extensions")
    several = extensions.get("3DTILES_multiple_contents") if isinstance(extensions, dict) else None
    for group in (tile.get("contents"), several):
        listed = (group.get("contents") or group.get("content")) if isinstance(group, dict) else group
        found += listed if isinstance(listed, list) else []
    return [content for content in found if isinstance(content, dict)]


def content_reference(content: dict[str, Any]) -> str | None:
    """The reference of a content object under its present (`uri`) or its old name (`url`)."""
    for name in ("uri", "url"):
        value = content.get(name)
        if isinstance(value, str) and value.strip("\x00 "):
            return value
    return None


def is_content(uri: str) -> bool:
    """Whether the extension of a URI says that it is no other tileset, so that its bytes need not be looked at."""
    return uris.extension(uri) in _CONTENT_KINDS


def is_external(uri: str, data: bytes | None) -> bool:
    """Whether a content is another tileset: by its extension, else by its first bytes."""
    kind = uris.extension(uri)
    if kind in _CONTENT_KINDS:
        return False
    held = (data or b"").lstrip(b"\xef\xbb\xbf \t\r\n")
    if kind == "json":  # whatever is in it: unless that is a glTF or a map
        return b'"root"' in held or not any(name in held for name in (b'"meshes"', b'"nodes"', b'"features"'))
    return held[:1] == b"{" and b'"root"' in held and b'"geometricError"' in held


def external_uri(uri: str) -> str:
    """The URI of the top document of an external tileset: inside the archive when it is one."""
    return f"{uri}/tileset.json" if uris.extension(uri) in ARCHIVES else uri


def matrix_of(values: Any, where: str) -> NDArray[np.float64]:
    """(4, 4) float64 of 16 column-major numbers, the unit matrix for None; raises FormatError."""
    if values is None:
        return np.eye(4)
    try:
        matrix = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        matrix = np.empty(0)
    if matrix.shape != (16,) or not np.isfinite(matrix).all() or np.abs(matrix).max() > 1e12:
        raise FormatError("a transform of 16 finite numbers", f"{values!r:.60} in '{where}'", "exporting again")
    return matrix.reshape(4, 4).T.copy()


def up_axis_of(document: dict[str, Any], uri: str, inherited: str) -> str:
    """Of glTF contents; external tilesets that do not say follow the one that names them, as real exporters mean it."""
    asset = document.get("asset")
    axis = str(asset.get("gltfUpAxis", inherited)).upper() if isinstance(asset, dict) else inherited
    if axis not in UP_AXES:
        raise FormatError("gltfUpAxis X, Y or Z", f"{axis!r} in '{uri}'", "exporting the tileset again")
    return axis


def refine_of(value: Any, inherited: str, where: str) -> str:
    """ADD or REPLACE in whatever case, the parent's where a tile does not say; raises FormatError."""
    if value is None:
        return inherited
    if str(value).upper() not in ("ADD", "REPLACE"):
        raise FormatError("refine ADD or REPLACE", f"{value!r:.40} in '{where}'", "exporting the tileset again")
    return str(value).upper()


def error_of(value: Any, where: str) -> float:
    """A geometricError in metres, 0 where there is none; raises FormatError."""
    if value is None:
        return 0.0
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 <= value < 1e30:
        raise FormatError("a geometricError of 0 or more", f"{value!r:.40} in '{where}'", "exporting the tileset again")
    return float(value)


def list_of(value: Any, name: str, where: str) -> list[Any]:
    """A JSON list, [] where there is none; raises FormatError."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise FormatError(f"{name} as a list", f"{value!r:.40} in '{where}'", "exporting the tileset again")
    return value
