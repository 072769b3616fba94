"""Spans: bridges over water that lie in the ground's own surface, and how the ground rises towards them.

Every bridge without stairs whose way lies over water is a span. Bridges side by side share one deck. The deck is part
of the partition of the ground (its cells are labelled ".../bridge"): what is below it is added by build_spans.
"""

from dataclasses import dataclass, replace

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString, Polygon
from shapely.geometry.base import BaseGeometry

from citysim.build.plans import WayPlan
from citysim.build.streets.planar import area_of, common, grown, minus, polygons, strip, unit
from citysim.build.streets.site import Site, is_drive
from citysim.build.streets.terrain import Terrain

ROAD_MARGIN = 2.5  # deck beside a carriageway, metres
FOOT_MARGIN = 0.6  # deck beside a walking line's width, metres
BESIDE = 6.0  # bridges with less between them share a deck, metres
CROWN = 1.5  # how much a deck rises above the ground around it at most, metres
GRADE = 0.05  # steepest slope of that rise
APPROACH = 20.0  # length of ground that rises before a deck, metres
FADE = 20.0  # width of ground that rises beside an approach, metres


@dataclass(frozen=True)
class Deck:
    """One deck: its area over water, the straight middle line from bank to bank and what it carries."""

    over: Polygon
    axis: LineString
    half: float  # how far the deck reaches to either side of the axis, metres
    way: WayPlan
    name: str

    @property
    def crown(self) -> float:
        """Rise of the ground at the middle of the deck, metres."""
        return min(CROWN, GRADE * (self.axis.length + 2 * APPROACH) / np.pi)

    def rise(self, xy: NDArray[np.float64]) -> NDArray[np.float64]:
        """(N, 2) -> (N,) how much the ground rises for this deck, metres."""
        a = np.array(self.axis.coords[0])
        u = unit(self.axis.coords[0], self.axis.coords[-1])
        s = (xy - a) @ u - self.axis.length / 2
        reach = self.axis.length / 2 + APPROACH
        along = np.cos(np.clip(s / reach, -1.0, 1.0) * np.pi / 2) ** 2
        off = np.abs((xy - a) @ np.array([-u[1], u[0]])) - self.half
        t = np.clip(1.0 - off / FADE, 0.0, 1.0)
        risen: NDArray[np.float64] = self.crown * along * t * t * (3 - 2 * t)
        return risen


def find_decks(site: Site) -> list[Deck]:
    """All decks over water, from west to east."""
    water = minus(area_of(a.polygon for a in site.plan.areas if a.kind == "water"), site.solid)
    ways = [w for w in site.plan.ways if w.bridge and not w.tunnel and (is_drive(w) or w.id in site.grounded)]
    lines = [site.line(w) for w in ways]
    if water.is_empty or not ways:
        return []
    bands = [
        strip(line, w.width + 2 * (ROAD_MARGIN if is_drive(w) and w.kind != "tram" else FOOT_MARGIN))
        for w, line in zip(ways, lines, strict=True)
    ]
    mapped = [a for a in site.plan.areas if a.kind == "bridge_deck" and any(a.polygon.intersects(x) for x in lines)]
    whole = grown(grown(area_of([*bands, *[a.polygon for a in mapped]]), BESIDE / 2), -BESIDE / 2)
    made = []
    for over in polygons(common(common(whole, water), site.bounds), 4.0):
        carried = [(shapely.intersection(line, over).length, i) for i, line in enumerate(lines)]
        length, first = max(carried, key=lambda x: (x[0] > 1.0 and is_drive(ways[x[1]]), x[0], -x[1]))
        if length < 1.0:
            continue
        axis, half = _middle(over, lines[first])
        near = [a.name for a in mapped if a.polygon.intersects(over) and a.name]
        named = near + [ways[i].name for share, i in carried if share > 1.0 and ways[i].name]
        made.append(Deck(over, axis, half, ways[first], named[0] if named else ""))
    return made


def _middle(over: Polygon, line: LineString) -> tuple[LineString, float]:
    """The line through the middle of an area along the direction in which a way passes it, and half the width."""
    part = shapely.intersection(line, over)
    ends = shapely.get_coordinates(part)
    u = unit(ends[0], ends[-1])
    v = np.array([-u[1], u[0]])
    points = shapely.get_coordinates(over)
    s, t = points @ u, points @ v
    middle = (t.min() + t.max()) / 2
    return LineString([u * s.min() + v * middle, u * s.max() + v * middle]), float(t.max() - t.min()) / 2


def risen(terrain: Terrain, decks: list[Deck]) -> Terrain:
    """The terrain with the rise of all decks; where approaches meet the higher counts."""
    if not decks:
        return terrain
    rows, columns = terrain.z.shape
    gx, gy = np.meshgrid(
        terrain.west + np.arange(columns) * terrain.step, terrain.south + np.arange(rows) * terrain.step
    )
    xy = np.column_stack([gx.ravel(), gy.ravel()])
    rise = np.max([deck.rise(xy) for deck in decks], axis=0)
    return replace(terrain, z=terrain.z + np.round(rise * 1024).reshape(rows, columns) / 1024)


def piers(deck: Deck, spacing: float) -> list[LineString]:
    """Lines across a deck over the water, evenly spaced, where walls hold it."""
    count = int(deck.axis.length // spacing)
    u = unit(deck.axis.coords[0], deck.axis.coords[-1])
    v = np.array([-u[1], u[0]]) * (deck.half + 1.0)
    found = []
    inner = grown(deck.over, -0.8)
    for k in range(1, count + 1):
        at = np.array(deck.axis.interpolate(deck.axis.length * k / (count + 1)).coords[0])
        part = shapely.intersection(LineString([at - v, at + v]), inner)
        found += [p for p in shapely.get_parts(part) if p.geom_type == "LineString" and p.length > 0.8]
    return found


def spanned(decks: list[Deck]) -> BaseGeometry:
    """The area of all decks."""
    return area_of(d.over for d in decks)
