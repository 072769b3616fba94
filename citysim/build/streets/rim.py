"""Rim: the edge of the world: what lies along it, and what no walker can pass there."""

from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString

from citysim.build.draft import CityDraft
from citysim.build.looks import look
from citysim.build.mesh import Detail
from citysim.build.streets.barriers import beside, spaced
from citysim.build.streets.planar import lines, on_lattice
from citysim.build.streets.site import Site
from citysim.build.streets.solids import ribbon, sheet
from citysim.build.streets.surface import GroundSurface

HEIGHT = 1.6  # of what closes the world, metres
INSET = 0.25
THICK = 0.1  # half of its thickness
PROBE = 0.6  # metres inside the edge where the ground is asked what it is
STEP = 0.5  # metres between probes
LEAST = 2.0  # metres: shorter runs become part of their neighbours
SKIRT = 4.0  # depth of the side of the world below its edge, metres
BLOCKS = 0.75  # height of the blocks that close a street, metres
BOOM = 0.3  # height of a boom on water, metres
ROAD, WALK, GREEN, WATER, BUILT = "road", "walk", "green", "water", "built"
KINDS = {
    "carriageway": ROAD, "crossing": ROAD, "lane": ROAD, "pavement": WALK, "square": WALK, "water": WATER,
    "park": GREEN, "grass": GREEN, "garden": GREEN, "scrub": GREEN, "pitch": GREEN, "sand": GREEN,
    "cemetery": GREEN, "playground": GREEN,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of one side of the rim: metres along it, counter-clockwise, and what the ground is there."""

    start: float
    end: float
    kind: str  # ROAD, WALK, GREEN, WATER or BUILT


@dataclass(frozen=True)
class RimSide:
    """One straight side of the world, walked counter-clockwise: outside is on the right."""

    origin: tuple[float, float]
    way: tuple[float, float]  # unit vector along it
    length: float
    runs: tuple[Run, ...]

    def at(self, along: float, out: float) -> tuple[float, float]:
        """The place `along` metres from the side's start and `out` metres outside."""
        (x, y), (u, v) = self.origin, self.way
        return x + u * along + v * out, y + v * along - u * out

    def points(self, along: NDArray[np.float64], out: float) -> NDArray[np.float64]:
        """(N,) -> (N, 2) places `out` metres outside."""
        (x, y), (u, v) = self.origin, self.way
        return np.column_stack([x + u * along + v * out, y + v * along - u * out])


def rim_sides(bounds: tuple[float, float, float, float], ground: GroundSurface) -> list[RimSide]:
    """The four sides of the world from the south on, counter-clockwise, and what lies along them."""
    e0, n0, e1, n1 = bounds
    sides = []
    for origin, way, length in (
        ((e0, n0), (1.0, 0.0), e1 - e0),
        ((e1, n0), (0.0, 1.0), n1 - n0),
        ((e1, n1), (-1.0, 0.0), e1 - e0),
        ((e0, n1), (0.0, -1.0), n1 - n0),
    ):
        bare = RimSide(origin, way, length, ())
        count = max(round((length - 2 * PROBE) / STEP), 1)
        along = PROBE + (length - 2 * PROBE) * (np.arange(count) + 0.5) / count
        kinds = [KINDS.get(name, BUILT) for name in ground.region(bare.points(along, -PROBE))]
        sides.append(RimSide(origin, way, length, _runs(kinds, length)))
    return sides


def _runs(kinds: list[str], length: float) -> tuple[Run, ...]:
    """Probes in order become runs that cover the whole side; short ones go to the run before."""
    step = length / len(kinds)
    found: list[Run] = []
    for k, kind in enumerate(kinds):
        if found and found[-1].kind == kind:
            found[-1] = Run(found[-1].start, (k + 1) * step, kind)
        else:
            if len(found) > 1 and found[-1].end - found[-1].start < LEAST:
                short = found.pop()
                found[-1] = Run(found[-1].start, short.end, found[-1].kind)
                if found[-1].kind == kind:
                    found[-1] = Run(found[-1].start, (k + 1) * step, kind)
                    continue
            found.append(Run(k * step, (k + 1) * step, kind))
    return tuple(found)


def build_rim(draft: CityDraft, site: Site, ground: GroundSurface) -> None:
    """Close the world with what no walker can pass, and a side below its edge.

    Streets end at blocks and a fence through which one sees on, parks at a hedge, water at a boom (whose upper part
    is not seen), everything else at a wall.
    """
    e0, n0, e1, n1 = site.plan.bounds
    solid = shapely.buffer(site.solid, -0.05)  # ends lie just inside walls
    for side in rim_sides(site.plan.bounds, ground):
        for run in side.runs:
            a, b = max(run.start, INSET + THICK), min(run.end, side.length - INSET)  # corners are the side before's
            if b - a > 0.05:
                line = LineString([side.at(a, -INSET), side.at(b, -INSET)])
                for piece in lines(shapely.difference(line, solid), 0.3):
                    _close(draft, ground, piece, run.kind)
    outer = LineString(on_lattice(site.bounds).exterior.coords)
    points = spaced(outer, 10.0)
    base = ground.height(np.clip(points, (e0 + 0.01, n0 + 0.01), (e1 - 0.01, n1 - 0.01)))
    turn = bool(shapely.is_ccw(outer))
    sheet(draft, points, base - SKIRT, base, "concrete", 0, Detail.ALL, two_sided=False, flip=not turn)
    look(draft, "concrete")


def _close(draft: CityDraft, ground: GroundSurface, line: LineString, kind: str) -> None:
    """What stands at the edge along one stretch."""
    points = spaced(line, 5.0)
    base = ground.height(points)
    left, right = beside(points, THICK)
    if kind in (ROAD, WALK):
        ribbon(draft, right, left, base - 0.5, base + BLOCKS, "road_block", detail=Detail.MIDDLE)
        sheet(draft, points, base + BLOCKS, base + HEIGHT, "fence", detail=Detail.MIDDLE)
    elif kind == WATER:
        ribbon(draft, right, left, base - 0.5, base + BOOM, "boom", detail=Detail.MIDDLE)
        sheet(draft, points, base + BOOM, base + HEIGHT, "clear", detail=Detail.MIDDLE)
    else:
        name = "hedge" if kind == GREEN else "concrete"
        ribbon(draft, right, left, base - 0.5, base + HEIGHT, name, detail=Detail.MIDDLE)
    points = spaced(line, 20.0)
    base = ground.height(points)
    if kind != WATER:
        name = {GREEN: "hedge", BUILT: "concrete"}.get(kind, "road_block")
        high = HEIGHT if kind in (GREEN, BUILT) else BLOCKS
        sheet(draft, points, base - 0.5, base + high, name, 0, Detail.FAR)
