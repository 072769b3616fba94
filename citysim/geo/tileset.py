"""3D Tiles 1.0 and 1.1 tilesets, explicit and implicit, as a flat list of tiles."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.errors import CitySimError, FormatError, StorageError
from citysim.geo import uris
from citysim.geo.implicit import explicit_tile, implicit_tiling
from citysim.geo.store import TileSource, fetch
from citysim.geo.tilejson import (
    content_reference,
    contents_of,
    error_of,
    external_uri,
    is_content,
    is_external,
    list_of,
    matrix_of,
    parse_document,
    parse_object,
    refine_of,
    up_axis_of,
)

__all__ = [
    "MAX_EXTERNAL_DEPTH", "MAX_TILES", "TileNode", "Tileset", "content_reference", "contents_of", "is_external",
    "matrix_of", "parse_document", "read_tileset",
]  # fmt: skip

MAX_TILES = 2_000_000
MAX_EXTERNAL_DEPTH = 24
MAX_DOCUMENTS = 200_000


@dataclass(slots=True)
class TileNode:
    """One tile as its tileset states it.

    `uris` are its contents (external tilesets have become children), `matrix` (4, 4) float64 takes tile coordinates
    to those of the whole tileset, `up_axis` is the up axis of its glTF content, `document` the URI of its tileset.
    `request_volume`, in tile coordinates like `volume`, is where a viewer must be for the tile to be wanted, None for
    anywhere.
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
    request_volume: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Tileset:
    """A whole tileset: tiles with parents before children, its documents, and what it names but its source lacks.

    `faults` are URIs of what could not be read, each once with the reason; those in `missing` among them.
    """

    tiles: tuple[TileNode, ...]
    documents: tuple[str, ...]
    missing: tuple[str, ...]
    faults: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class _Task:
    tile: Any
    parent: int
    matrix: NDArray[np.float64]
    refine: str
    up_axis: str
    chain: tuple[str, ...]  # documents from the top one to this tile's own
    schema: dict[str, Any] = field(default_factory=dict)  # of the document's metadata


def read_tileset(source: TileSource, uri: str, *, allow_missing: bool = False) -> Tileset:
    """Read a tileset and every external tileset it names; implicit tiles become explicit ones.

    Raises StorageError for a document that cannot be had and FormatError for broken JSON, broken subtrees, cycles or
    unknown required extensions; with `allow_missing` only for the top document itself: whatever else is wrong is
    listed in `faults`, and its siblings are read.
    """
    return _Reader(source, uri, allow_missing).run()


class _Reader:
    def __init__(self, source: TileSource, uri: str, allow_missing: bool) -> None:
        self.source, self.uri, self.allow_missing = source, uri, allow_missing
        self.tiles: list[TileNode] = []
        self.documents = [uri]
        self.missing: list[str] = []
        self.faults: dict[str, str] = {}

    def run(self) -> Tileset:
        document = parse_document(fetch(self.source, self.uri), self.uri)
        axis = up_axis_of(document, self.uri, "Y")
        schema = self._schema(document, self.uri)
        stack = [_Task(document["root"], -1, np.eye(4), "REPLACE", axis, (self.uri,), schema)]
        while stack:
            task = stack.pop()
            try:
                below = self._add(task)
            except CitySimError as error:
                if not self.allow_missing or task.parent < 0:
                    raise
                self._fault(task.chain[-1], error)
                continue
            stack.extend(reversed(below))
        return Tileset(
            tuple(self.tiles), tuple(dict.fromkeys(self.documents)), tuple(self.missing), tuple(self.faults.items())
        )

    def _add(self, task: _Task) -> list[_Task]:
        """Make the node of a tile; gives what lies below it."""
        here = task.chain[-1]
        if not isinstance(task.tile, dict):
            shown = f"{task.tile!r:.40} in '{here}'"
            raise FormatError("tiles that are JSON objects", shown, "exporting the tileset again")
        tile = task.tile
        if implicit_tiling(tile) is not None:
            lost: dict[str, CitySimError] | None = {} if self.allow_missing else None
            tile = explicit_tile(tile, here, lambda uri: fetch(self.source, uri), task.schema, lost)
            for uri, error in (lost or {}).items():
                self._fault(uri, error)
        node, externals = self._node(tile, task)
        if len(self.tiles) >= MAX_TILES:
            raise FormatError(f"at most {MAX_TILES} tiles", f"more in '{self.uri}'", "a smaller part of the tileset")
        below: list[_Task] = []
        for external, data in externals:
            try:
                below.append(self._external(external, data, len(self.tiles), node, task))
            except CitySimError as error:
                if not self.allow_missing:
                    raise
                self._fault(external, error)
        for child in list_of(tile.get("children"), "children", here):
            below.append(_Task(child, len(self.tiles), node.matrix, node.refine, task.up_axis, task.chain, task.schema))
        if task.parent >= 0:
            self.tiles[task.parent].children.append(len(self.tiles))
        self.tiles.append(node)
        return below

    def _external(self, uri: str, data: bytes, parent: int, node: TileNode, task: _Task) -> _Task:
        if uri in task.chain or len(task.chain) >= MAX_EXTERNAL_DEPTH:
            raise FormatError("external tilesets without cycles", f"'{uri}' below itself", "removing the link")
        if len(self.documents) >= MAX_DOCUMENTS:
            raise FormatError(f"at most {MAX_DOCUMENTS} external tilesets", f"more in '{self.uri}'", "a part of it")
        inner = parse_document(data, uri)
        self.documents.append(uri)
        axis = up_axis_of(inner, uri, task.up_axis)
        schema = self._schema(inner, uri)
        return _Task(inner["root"], parent, node.matrix, node.refine, axis, (*task.chain, uri), schema)

    def _node(self, tile: dict[str, Any], task: _Task) -> tuple[TileNode, list[tuple[str, bytes]]]:
        here = task.chain[-1]
        volume = tile.get("boundingVolume")
        if not isinstance(volume, dict):
            raise FormatError("a boundingVolume on every tile", f"none in '{here}'", "exporting the tileset again")
        contents: list[str] = []
        externals: list[tuple[str, bytes]] = []
        for content in contents_of(tile):
            reference = content_reference(content)
            if reference is None:
                continue
            uri = reference
            try:
                uri = uris.join(here, reference)
                uri = external_uri(uri)
                data = None if is_content(uri) else fetch(self.source, uri)
            except CitySimError as error:
                if not self.allow_missing:
                    raise
                self._fault(uri, error)
                continue
            if data is not None and is_external(uri, data):
                externals.append((uri, data))
            else:
                contents.append(uri)
        wanted = tile.get("viewerRequestVolume")
        node = TileNode(
            uris=tuple(contents),
            parent=task.parent,
            children=[],
            refine=refine_of(tile.get("refine"), task.refine, here),
            geometric_error=error_of(tile.get("geometricError"), here),
            volume=volume,
            matrix=task.matrix @ matrix_of(tile.get("transform"), here),
            up_axis=task.up_axis,
            document=here,
            request_volume=wanted if isinstance(wanted, dict) else None,
        )
        return node, externals

    def _schema(self, document: dict[str, Any], uri: str) -> dict[str, Any]:
        """The metadata schema of a document, {} without; only an implicit tiling ever needs it."""
        found, reference = document.get("schema"), document.get("schemaUri")
        if isinstance(found, dict) or not isinstance(reference, str):
            return found if isinstance(found, dict) else {}
        try:
            return parse_object(fetch(self.source, uris.join(uri, reference)), reference)
        except CitySimError as error:
            self._fault(reference, error)
            return {}

    def _fault(self, uri: str, error: CitySimError) -> None:
        if isinstance(error, StorageError):
            self.missing.append(uri)
        self.faults.setdefault(uri, f"expected {error.expected}, found {error.found}")
