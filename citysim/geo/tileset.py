"""Explicit 3D Tiles 1.0 and 1.1 tilesets as a flat list of tiles."""

import json
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.errors import FormatError, StorageError
from citysim.geo import uris
from citysim.geo.store import TileSource, fetch

MAX_TILES = 2_000_000
MAX_EXTERNAL_DEPTH = 24
UP_AXES = ("X", "Y", "Z")
REQUIRED_KNOWN = frozenset(
    {"3DTILES_content_gltf", "3DTILES_multiple_contents", "3DTILES_metadata", "3DTILES_batch_table_hierarchy"}
)
_CONTENT_KINDS = frozenset({"b3dm", "glb", "gltf", "cmpt", "i3dm", "pnts", "vctr", "geom"})


@dataclass(slots=True)
class TileNode:
    """One tile as its tileset states it.

    `uris` are its contents (external tilesets have become children), `matrix` (4, 4) float64 takes tile coordinates
    to those of the whole tileset, `up_axis` is the up axis of its glTF content, `document` the URI of its tileset.
    """

    uris: tuple[str, ...]
    parent: int
    children: list[int]
    refine: str
    geometric_error: float
    volume: dict[str, Any]
    matrix: NDArray[np.float64]
    up_axis: str
    document: str


@dataclass(frozen=True, slots=True)
class Tileset:
    """A whole tileset: tiles with parents before children, its documents, and what it names but its source lacks."""

    tiles: tuple[TileNode, ...]
    documents: tuple[str, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Task:
    tile: Any
    parent: int
    matrix: NDArray[np.float64]
    refine: str
    up_axis: str
    chain: tuple[str, ...]  # documents from the top one to this tile's own


def read_tileset(source: TileSource, uri: str, *, allow_missing: bool = False) -> Tileset:
    """Read a tileset and every external tileset it names.

    Raises StorageError for a document that cannot be had (external ones are listed in `missing` instead when
    `allow_missing`) and FormatError for broken JSON, cycles, implicit tiling or unknown required extensions.
    """
    tiles: list[TileNode] = []
    documents = [uri]
    lost: list[str] = []
    document = parse_document(fetch(source, uri), uri)
    stack = [_Task(document["root"], -1, np.eye(4), "REPLACE", _up_axis(document, uri, "Y"), (uri,))]
    while stack:
        task = stack.pop()
        here = task.chain[-1]
        node, externals = _tile(task, source, allow_missing, lost)
        if len(tiles) >= MAX_TILES:
            raise FormatError(f"at most {MAX_TILES} tiles", f"more in '{uri}'", "a smaller part of the tileset")
        index = len(tiles)
        tiles.append(node)
        if task.parent >= 0:
            tiles[task.parent].children.append(index)
        below: list[_Task] = []
        for external, data in externals:
            if external in task.chain or len(task.chain) >= MAX_EXTERNAL_DEPTH:
                raise FormatError("external tilesets without cycles", f"'{external}' below itself", "removing the link")
            inner = parse_document(data, external)
            documents.append(external)
            axis = _up_axis(inner, external, task.up_axis)
            below.append(_Task(inner["root"], index, node.matrix, node.refine, axis, (*task.chain, external)))
        for child in _list(task.tile.get("children"), "children", here):
            below.append(_Task(child, index, node.matrix, node.refine, task.up_axis, task.chain))
        stack.extend(reversed(below))
    return Tileset(tuple(tiles), tuple(dict.fromkeys(documents)), tuple(lost))


def parse_document(data: bytes, uri: str) -> dict[str, Any]:
    """The JSON object of a tileset, checked for its outline; raises FormatError."""
    try:
        document = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        detail = str(error).replace("\n", " ")[:80]
        raise FormatError("a tileset in JSON", f"'{uri}' ({detail})", "exporting the tileset again") from None
    if not isinstance(document, dict) or not isinstance(document.get("root"), dict):
        raise FormatError("a tileset with a root tile", f"'{uri}' without one", "the tileset's top tileset.json")
    required = document.get("extensionsRequired")
    unknown = sorted({str(n) for n in _list(required, "extensionsRequired", uri)} - REQUIRED_KNOWN)
    if unknown:
        raise FormatError(
            "a tileset that needs no unknown extension", f"{', '.join(unknown)} in '{uri}'", "exporting without it"
        )
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


def is_external(uri: str, data: bytes | None) -> bool:
    """Whether a content is another tileset: by its extension, else by its first bytes."""
    kind = uris.extension(uri)
    if kind == "json" or kind in _CONTENT_KINDS:
        return kind == "json"
    head = (data or b"").lstrip()[:1]
    return head == b"{" and b'"root"' in (data or b"") and b'"geometricError"' in (data or b"")


def _tile(
    task: _Task, source: TileSource, allow_missing: bool, lost: list[str]
) -> tuple[TileNode, list[tuple[str, bytes]]]:
    tile, here = task.tile, task.chain[-1]
    if not isinstance(tile, dict):
        raise FormatError("tiles that are JSON objects", f"{tile!r:.40} in '{here}'", "exporting the tileset again")
    extensions = tile.get("extensions")
    if "implicitTiling" in tile or (isinstance(extensions, dict) and "3DTILES_implicit_tiling" in extensions):
        raise FormatError("an explicit tileset", f"implicit tiling in '{here}'", "exporting with explicit tiles")
    volume = tile.get("boundingVolume")
    if not isinstance(volume, dict):
        raise FormatError("a boundingVolume on every tile", f"none in '{here}'", "exporting the tileset again")
    contents: list[str] = []
    externals: list[tuple[str, bytes]] = []
    for content in contents_of(tile):
        reference = content_reference(content)
        if reference is None:
            continue
        uri = uris.join(here, reference)
        try:
            known = uris.extension(uri) in _CONTENT_KINDS
            data = None if known else fetch(source, uri)
        except StorageError:
            if not allow_missing:
                raise
            lost.append(uri)
            continue
        if data is not None and is_external(uri, data):
            externals.append((uri, data))
        else:
            contents.append(uri)
    node = TileNode(
        uris=tuple(contents),
        parent=task.parent,
        children=[],
        refine=_refine(tile.get("refine"), task.refine, here),
        geometric_error=_error(tile.get("geometricError"), here),
        volume=volume,
        matrix=task.matrix @ matrix_of(tile.get("transform"), here),
        up_axis=task.up_axis,
        document=here,
    )
    return node, externals


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


def _up_axis(document: dict[str, Any], uri: str, inherited: str) -> str:
    """Of glTF contents; external tilesets that do not say follow the one that names them, as real exporters mean it."""
    asset = document.get("asset")
    axis = str(asset.get("gltfUpAxis", inherited)).upper() if isinstance(asset, dict) else inherited
    if axis not in UP_AXES:
        raise FormatError("gltfUpAxis X, Y or Z", f"{axis!r} in '{uri}'", "exporting the tileset again")
    return axis


def _refine(value: Any, inherited: str, where: str) -> str:
    if value is None:
        return inherited
    if str(value).upper() not in ("ADD", "REPLACE"):
        raise FormatError("refine ADD or REPLACE", f"{value!r:.40} in '{where}'", "exporting the tileset again")
    return str(value).upper()


def _error(value: Any, where: str) -> float:
    if value is None:
        return 0.0
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 <= value < 1e30:
        raise FormatError("a geometricError of 0 or more", f"{value!r:.40} in '{where}'", "exporting the tileset again")
    return float(value)


def _list(value: Any, name: str, where: str) -> list[Any]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise FormatError(f"{name} as a list", f"{value!r:.40} in '{where}'", "exporting the tileset again")
    return value
