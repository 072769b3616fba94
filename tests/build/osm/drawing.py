"""Tiny OpenStreetMap files drawn in metres."""

from pathlib import Path

import osmium

from citysim.build.osm.areas import OsmArea, assemble_areas
from citysim.build.osm.extract import read_extract
from citysim.build.osm.localmap import LocalMap, local_map
from citysim.geo.frames import LocalFrame

FRAME = LocalFrame(24.94, 60.17)
HALF = 200.0  # metres: the header's box is this far from the origin on each side


class Drawing:
    """Collects nodes, ways and relations in metres round 24.94, 60.17 and writes them as one file."""

    def __init__(self) -> None:
        self.nodes: dict[int, tuple[float, float, dict[str, str]]] = {}
        self.ways: list[tuple[int, list[int], dict[str, str]]] = []
        self.relations: list[tuple[int, list[tuple[str, int, str]], dict[str, str]]] = []

    def node(self, x: float, y: float, **tags: str) -> int:
        number = len(self.nodes) + 1
        self.nodes[number] = (x, y, _colons(tags))
        return number

    def way(self, points: list[tuple[float, float] | int], **tags: str) -> int:
        refs = [p if isinstance(p, int) else self.node(*p) for p in points]
        number = 1000 + len(self.ways)
        self.ways.append((number, refs, _colons(tags)))
        return number

    def ring(self, points: list[tuple[float, float]], **tags: str) -> int:
        refs: list[tuple[float, float] | int] = [self.node(*p) for p in points]
        return self.way([*refs, refs[0]], **tags)

    def block(self, x: float, y: float, w: float = 20.0, h: float = 12.0, **tags: str) -> int:
        """A closed rectangle with its south-west corner at (x, y)."""
        return self.ring([(x, y), (x + w, y), (x + w, y + h), (x, y + h)], **tags)

    def relation(self, members: list[tuple[str, int, str]], **tags: str) -> int:
        number = 5000 + len(self.relations)
        self.relations.append((number, members, _colons(tags)))
        return number

    def write(self, folder: Path, name: str = "drawn.osm.pbf", *, box: bool = True) -> Path:
        header = osmium.io.Header()
        if box:
            west, south = FRAME.to_geodetic([-HALF, -HALF, 0.0])[:2]
            east, north = FRAME.to_geodetic([HALF, HALF, 0.0])[:2]
            header.add_box(osmium.osm.Box(west, south, east, north))
        path = folder / name
        with osmium.SimpleWriter(str(path), header=header, overwrite=True) as out:
            for number, (x, y, tags) in self.nodes.items():
                lon, lat, _ = FRAME.to_geodetic([x, y, 0.0])
                out.add_node(osmium.osm.mutable.Node(id=number, location=(float(lon), float(lat)), tags=tags))
            for number, refs, tags in self.ways:
                out.add_way(osmium.osm.mutable.Way(id=number, nodes=refs, tags=tags))
            for number, members, tags in self.relations:
                out.add_relation(osmium.osm.mutable.Relation(id=number, members=members, tags=tags))
        return path

    def town(self, folder: Path) -> Path:
        """Written with one footway and one building far out, so that a plan can be made of it."""
        self.way([(-150.0, -150.0), (-100.0, -150.0)], highway="footway")
        self.block(-190.0, -190.0, building="yes", height="7.5")
        return self.write(folder)

    def map(self, folder: Path) -> LocalMap:
        return local_map(read_extract(self.write(folder)))

    def areas(self, folder: Path) -> tuple[LocalMap, list[OsmArea]]:
        source = self.map(folder)
        return source, assemble_areas(source)


def _colons(tags: dict[str, str]) -> dict[str, str]:
    """Keyword arguments as tags: `addr__street` means "addr:street"."""
    return {key.replace("__", ":"): value for key, value in tags.items()}
