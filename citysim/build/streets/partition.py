"""Partition: the bounds cut into cells of one use each, which share every vertex with their neighbours."""

import itertools
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from citysim.build.streets.kerbs import Kerbs
from citysim.build.streets.planar import GRID, area_of, common, grown, key_of, lines, minus, on_lattice, strip
from citysim.build.streets.roads import FLUSH_KINDS, Roads
from citysim.build.streets.site import Site
from citysim.build.streets.terrain import Terrain
from citysim.build.streets.walks import Walk

KERB_STONE = 0.3  # width of the kerb strip, metres
PAVEMENT_REACH = 8.0  # how far from a kerb unlabelled ground is pavement, metres
BLOCK = 50.0  # cells are cut along a grid of this spacing, metres: borders of tiles are on it
GREEN = ("park", "grass", "garden", "scrub", "cemetery", "sand", "playground", "pitch")
AREA_ORDER = [
    "playground",
    "pitch",
    "parking",
    "platform",
    "square",
    "construction",
    "sand",
    "garden",
    "cemetery",
    "scrub",
    "grass",
    "park",
    "rail",
    "paved",
]
STONES = {"sett": "sett", "cobblestone": "sett", "unhewn_cobblestone": "sett", "paving_stones": "paving_stones"}
OUTSIDE = "outside"
GUIDE = 0.3  # width of a line of tactile paving, metres
CROSSINGS = (30, 31, 32, 33)


@dataclass(frozen=True)
class Layer:
    """One use and the ground it claims; earlier layers win."""

    label: str
    area: BaseGeometry


def layers(
    site: Site, roads: Roads, pieces: list[Walk], openings: BaseGeometry, decks: BaseGeometry,
    paved: Sequence[BaseGeometry] = (),
) -> list[Layer]:  # fmt: skip
    """Who claims which ground, the strongest claim first. `openings` are left without ground, `decks` span water,
    `paved` is trodden although no line lies there.
    """
    bands = [strip(w.line, max(w.width, 2.5)) for w in pieces if w.feature in CROSSINGS]
    crossing = common(area_of(bands), roads.low)
    trodden = [grown(w.line, max(w.width, 1.8) / 2) for w in pieces if w.feature not in (5, *CROSSINGS)]
    trodden += paved
    kerb = grown(roads.low, KERB_STONE)
    water = area_of(a.polygon for a in site.plan.areas if a.kind == "water")
    if not water.is_empty:
        dry = shapely.union_all([decks, *trodden, grown(roads.low, 2.0), roads.flush])
        water = area_of([grown(grown(minus(water, dry), -0.4), 0.4)])
    green = area_of(a.polygon for a in site.plan.areas if a.kind in GREEN)
    paths = common(area_of(trodden), green)
    found = [
        Layer(OUTSIDE, area_of([openings, site.solid])),
        Layer("crossing", crossing),
        *_surfaced("carriageway", roads, roads.low, False),
        Layer("carriageway", roads.low),
        Layer("kerb", kerb),
        Layer("passage", site.passages),
        Layer("water", water),
        *_surfaced("lane", roads, roads.flush, True),
        Layer("lane", roads.flush),
        Layer("path", paths),
        Layer("pavement/tactile", area_of(strip(w.line, GUIDE) for w in pieces if _guides(w))),
    ]
    for kind in AREA_ORDER:
        by_look: dict[str, list[Polygon]] = defaultdict(list)
        for area in site.plan.areas:
            if area.kind == kind:
                by_look[f"{kind}/{area.tags.get('surface', '')}".rstrip("/")].append(area.polygon)
        found += [Layer(label, area_of(by_look[label])) for label in sorted(by_look)]
    found.append(Layer("pavement", grown(roads.low, PAVEMENT_REACH)))
    found.append(Layer("pavement", area_of(trodden)))
    found.append(Layer("court", site.bounds))
    return [Layer(x.label, common(x.area, site.bounds)) for x in found if not x.area.is_empty]


def _guides(walk: Walk) -> bool:
    """Whether a line of tactile paving runs along a pavement's line."""
    way = walk.way
    return way is not None and way.kind == "sidewalk" and way.tags.get("tactile_paving") == "yes"


def _surfaced(label: str, roads: Roads, area: BaseGeometry, flush: bool) -> list[Layer]:
    """What of carriageways or flush lanes has stones instead of asphalt, by surface."""
    by_surface: dict[str, list[BaseGeometry]] = defaultdict(list)
    for way, line in roads.ways:
        if way.surface in STONES and (way.kind in FLUSH_KINDS) == flush:
            by_surface[STONES[way.surface]].append(grown(line, max(way.width, 2.5) / 2 + 0.6))
    return [Layer(f"{label}/{name}", common(area_of(by_surface[name]), area)) for name in sorted(by_surface)]


def cells(
    site: Site, stack: list[Layer], kerbs: Kerbs, terrain: Terrain, marks: list[tuple[str, BaseGeometry]]
) -> list[tuple[str, Polygon]]:
    """(label, polygon) of every cell with ground; labels as in `layers`, cells sorted by label and place.

    The labels of dry cells in one of the areas `marks` end in its suffix.
    """
    edges = [
        line
        for area in [*(layer.area for layer in stack), *(mark for _, mark in marks)]
        for line in lines(shapely.boundary(area))
    ]
    low = next((x.area for x in stack if x.label == "carriageway"), shapely.Polygon())
    for ring in kerbs.outlines():
        edges += lines(shapely.difference(ring, low))
    edges += grid_lines(site, terrain)
    merged = shapely.unary_union([on_lattice(shapely.intersection(e, site.bounds)) for e in edges], grid_size=GRID)
    found = [p for p in shapely.get_parts(shapely.polygonize(shapely.get_parts(merged))) if p.area > 0]
    inside = shapely.get_coordinates(shapely.point_on_surface(found))
    labels = np.full(len(found), "", dtype=object)
    for layer in stack:
        shapely.prepare(layer.area)
        todo = np.flatnonzero(labels == "")
        labels[todo[shapely.contains_xy(layer.area, inside[todo, 0], inside[todo, 1])]] = layer.label
    labels[labels == ""] = "court"
    absorbed = _absorb_slivers(found, labels)
    dry = (labels != OUTSIDE) & (labels != "water")
    for suffix, mark in marks:
        labels[dry & shapely.contains_xy(mark, inside[:, 0], inside[:, 1])] += suffix
    planes = terrain.relief.plane(inside) if terrain.relief is not None else np.zeros(len(found), dtype=np.int64)
    for sliver, host in absorbed:  # a hair of another terrace along a wall would stand up before it as a kerb
        planes[sliver] = planes[host]
    groups: dict[tuple[str, int, int, int], list[Polygon]] = defaultdict(list)
    for polygon, label, point, plane in zip(found, labels, inside, planes.tolist(), strict=True):
        if label != OUTSIDE:
            groups[(label, int(point[0] // BLOCK), int(point[1] // BLOCK), plane)].append(polygon)
    made = []
    for key in sorted(groups):
        label = key[0]
        union = shapely.coverage_union_all(groups[key])
        parts = [p for p in shapely.get_parts(union) if isinstance(p, Polygon)]
        made += [(label, p) for p in sorted(parts, key=lambda p: (*p.bounds, p.area))]
    return made


def grid_lines(site: Site, terrain: Terrain) -> list[LineString]:
    """The block grid, with finer meshes where the terrain is not flat, and the edges of its relief."""
    e0, n0, e1, n1 = site.plan.bounds
    made = [LineString([(x, n0), (x, n1)]) for x in np.arange(np.ceil(e0 / BLOCK) * BLOCK, e1, BLOCK)]
    made += [LineString([(e0, y), (e1, y)]) for y in np.arange(np.ceil(n0 / BLOCK) * BLOCK, n1, BLOCK)]
    for size, least in ((12.0, 0.03), (6.0, 0.25)):
        edges: set[tuple[float, float, float, float]] = set()
        for i in range(int(e0 // size), int(e1 // size) + 1):
            for j in range(int(n0 // size), int(n1 // size) + 1):
                x, y = i * size, j * size
                if terrain.range(x, y, size) > least:
                    edges |= {(x, y, x + size, y), (x, y + size, x + size, y + size)}
                    edges |= {(x, y, x, y + size), (x + size, y, x + size, y + size)}
        made += [LineString([(a, b), (c, d)]) for a, b, c, d in sorted(edges)]
    return made if terrain.relief is None else made + terrain.relief.creases


def _absorb_slivers(found: list[Polygon], labels: NDArray[np.object_]) -> list[tuple[int, int]]:
    """Give cells too thin to stand on the label of the neighbour they share the longest edge with.

    Returns (sliver, cell of that label it shares the longest edge with) of all that were given one.
    """
    absorbed: list[tuple[int, int]] = []
    area, around = shapely.area(found), shapely.length(found)
    thin = np.flatnonzero((area < 0.01) | (area / around < 0.02))
    if not len(thin):
        return absorbed
    slivers = {int(i) for i in thin}
    sides: dict[tuple[tuple[int, int], tuple[int, int]], list[int]] = defaultdict(list)
    tree = shapely.STRtree(found)
    wanted = {int(j) for i in thin for j in tree.query(found[i])}
    for i in sorted(wanted):
        for ring in (found[i].exterior, *found[i].interiors):
            keys = [key_of(c) for c in ring.coords]
            for a, b in itertools.pairwise(keys):
                sides[(min(a, b), max(a, b))].append(i)
    for i in sorted(slivers):
        if labels[i] == OUTSIDE:
            continue
        shared: dict[str, float] = defaultdict(float)
        cell: dict[int, float] = defaultdict(float)
        keys = [key_of(c) for c in found[i].exterior.coords]
        for a, b in itertools.pairwise(keys):
            for j in sides[(min(a, b), max(a, b))]:
                if j != i and j not in slivers and labels[j] != OUTSIDE:
                    shared[labels[j]] += float(np.hypot(a[0] - b[0], a[1] - b[1]))
                    cell[j] += float(np.hypot(a[0] - b[0], a[1] - b[1]))
        if shared:
            label = min(shared, key=lambda k: (-shared[k], k))
            labels[i] = label
            absorbed.append((i, min((j for j in cell if labels[j] == label), key=lambda j: (-cell[j], j))))
    return absorbed
