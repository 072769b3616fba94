"""Implicit tiling: a quadtree or octree written as templates, made explicit."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from citysim.errors import CitySimError, FormatError
from citysim.geo import uris
from citysim.geo.subdivision import subdivided
from citysim.geo.subtree import Json, Subtree
from citysim.geo.tilejson import content_reference, contents_of, error_of

MAX_TILES = 500_000
MAX_LEVELS = 32
_ARITY = {"QUADTREE": 4, "OCTREE": 8}
_OLD = "3DTILES_implicit_tiling"

Coordinates = tuple[int, int, int, int]  # level, x, y, z
_Lost = dict[str, CitySimError] | None


def implicit_tiling(tile: Json) -> Json | None:
    """The implicit tiling of a tile, of 1.1 or of the extension before it; None for an explicit tile."""
    found = tile.get("implicitTiling")
    if found is None:
        extensions = tile.get("extensions")
        found = extensions.get(_OLD) if isinstance(extensions, dict) else None
    return found if found is None or isinstance(found, dict) else {}


def explicit_tile(tile: Json, document: str, read: Callable[[str], bytes], schema: Json, lost: _Lost = None) -> Json:
    """The tile that an implicit one stands for, as JSON with `children` and URIs relative to its document.

    `document` is the URI of the tileset, `read` gives the bytes of a URI and is asked for every subtree and its
    buffers once. The root keeps what it says beside its tiling. Subtrees that cannot be had raise StorageError, or are
    listed in `lost` and left out when that is given. Raises FormatError for broken tilings and broken subtrees.
    """
    return _Tree(tile, document, read, schema, lost).root()


@dataclass(slots=True)
class _Node:
    json: Json
    at: Coordinates


class _Tree:
    """One implicit tileset while it is made explicit."""

    def __init__(
        self,
        tile: Json,
        document: str,
        read: Callable[[str], bytes],
        schema: Json,
        lost: dict[str, CitySimError] | None,
    ) -> None:
        self.tile, self.document, self.read, self.schema, self.lost = tile, document, read, schema, lost
        tiling = implicit_tiling(tile) or {}
        self.arity = _ARITY.get(str(tiling.get("subdivisionScheme")).upper(), 0)
        self.levels = self._level(tiling.get("subtreeLevels"), "subtreeLevels")
        last = tiling.get("maximumLevel")  # the name of before 1.1
        declared = last + 1 if isinstance(last, int) else None
        self.available = self._level(tiling.get("availableLevels", declared), "availableLevels")
        subtrees = tiling.get("subtrees")
        self.template = content_reference(subtrees) if isinstance(subtrees, dict) else None
        if not self.arity or self.template is None:
            raise self._broken("no subdivisionScheme or no URI of subtrees")
        if not isinstance(tile.get("boundingVolume"), dict):
            raise self._broken("no boundingVolume")
        self.contents = [content for content in contents_of(tile) if content_reference(content)]
        self.error = error_of(tile.get("geometricError"), document)
        self.count = 0

    def root(self) -> Json:
        """The whole tree."""
        kept = {k: v for k, v in self.tile.items() if k not in ("implicitTiling", "content", "contents", "extensions")}
        extensions = {k: v for k, v in _dict(self.tile.get("extensions")).items() if not k.startswith("3DTILES_")}
        top: Json = {**kept, "children": []} | ({"extensions": extensions} if extensions else {})
        pending = [_Node(top, (0, 0, 0, 0))]
        while pending:
            pending.extend(self._grow(pending.pop()))
        return top

    def _grow(self, root: _Node) -> Iterator[_Node]:
        """Fill in the tiles of the subtree at a node; gives the roots of the subtrees below."""
        assert self.template is not None
        uri = uris.join(self.document, _filled(self.template, root.at, self.arity))
        try:
            subtree = Subtree(self.read(uri), uri, self.levels, self.arity, self.read)
        except CitySimError as error:
            if self.lost is None:
                raise
            self.lost[uri] = error
            return
        if self.count + int(subtree.tiles.sum()) > MAX_TILES:  # before any of them takes memory
            raise self._too_many()
        rows = subtree.metadata(self.schema)
        level = [(root, 0)] if len(subtree.tiles) and subtree.tiles[0] else []
        start = 0  # of this level's bits
        for depth in range(self.levels):
            following = []
            for node, morton in level:
                self._describe(node, subtree, start + morton, rows.get(start + morton, {}))
                if node.at[0] + 1 >= self.available:
                    continue
                for number in range(self.arity):
                    place = morton * self.arity + number
                    if depth + 1 == self.levels:
                        if subtree.children[place]:
                            yield self._child(node, number)
                    elif subtree.tiles[start + self.arity**depth + place]:
                        following.append((self._child(node, number), place))
            start += self.arity**depth
            level = following

    def _child(self, parent: _Node, number: int) -> _Node:
        self.count += 1
        if self.count > MAX_TILES:
            raise self._too_many()
        level, x, y, z = parent.at
        at = (level + 1, 2 * x + (number & 1), 2 * y + (number >> 1 & 1), 2 * z + (number >> 2))
        child: Json = {
            "boundingVolume": subdivided(self.tile["boundingVolume"], at, self.arity == 8),
            "geometricError": self.error / 2 ** at[0],
            "children": [],
        }
        parent.json["children"].append(child)
        return _Node(child, at)

    def _describe(self, node: _Node, subtree: Subtree, place: int, row: Json) -> None:
        """Contents of a tile, and what its metadata say instead of what follows from its place."""
        present = [
            {**content, "uri": _filled(str(content_reference(content)), node.at, self.arity)}
            for content, bits in zip(self.contents, subtree.contents, strict=False)
            if bits[place]
        ]
        for content in present:
            content.pop("url", None)
            content.pop("boundingVolume", None)
        if present:
            node.json["contents"] = present
        for meaning, kind in (("BOX", "box"), ("REGION", "region"), ("SPHERE", "sphere")):
            if f"TILE_BOUNDING_{meaning}" in row:
                node.json["boundingVolume"] = {kind: row[f"TILE_BOUNDING_{meaning}"]}
        region = node.json["boundingVolume"].get("region")
        if isinstance(region, list) and len(region) == 6:
            heights = [row.get("TILE_MINIMUM_HEIGHT", region[4]), row.get("TILE_MAXIMUM_HEIGHT", region[5])]
            node.json["boundingVolume"] = {"region": [*region[:4], *heights]}
        if "TILE_GEOMETRIC_ERROR" in row:
            node.json["geometricError"] = row["TILE_GEOMETRIC_ERROR"]
        if "TILE_REFINE" in row and row["TILE_REFINE"] in (0, 1, "ADD", "REPLACE"):
            node.json["refine"] = {0: "ADD", 1: "REPLACE"}.get(row["TILE_REFINE"], row["TILE_REFINE"])

    def _level(self, value: Any, name: str) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 < value <= MAX_LEVELS:
            raise self._broken(f"{name} {value!r:.20}")
        return value

    def _too_many(self) -> FormatError:
        return FormatError(f"at most {MAX_TILES} implicit tiles", f"more in '{self.document}'", "a smaller part of it")

    def _broken(self, what: str) -> FormatError:
        return FormatError("an implicit tiling", f"'{self.document}' with {what}", "exporting the tileset again")


def _filled(template: str, at: Coordinates, arity: int) -> str:
    """A template with level, x, y (and z) put in."""
    names = ("level", "x", "y", "z")[: 4 if arity == 8 else 3]
    for name, value in zip(names, at, strict=False):
        template = template.replace("{" + name + "}", str(value))
    return template


def _dict(value: Any) -> Json:
    return value if isinstance(value, dict) else {}
