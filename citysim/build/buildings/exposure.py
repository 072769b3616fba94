"""Which pieces of a solid's walls can be seen: everything a neighbour or a passage does not hide."""

import itertools
from dataclasses import dataclass

import numpy as np
from shapely import STRtree
from shapely.geometry import LineString
from shapely.geometry.base import BaseGeometry

from citysim.build.buildings.outline import Run, runs
from citysim.build.buildings.solid import Solid
from citysim.build.plans import Xy

NEAR = 0.05  # metres: a neighbour this close shares the wall
SHORT = 0.08  # metres: shorter changes along a wall are noise of unshared nodes

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Panel:
    """A visible rectangle of a run: from s0 to s1 along it (metres), from z0 to z1 (local z).

    `above` tells that a neighbour of another building hides what is below: a fire wall.
    """

    run: Run
    s0: float
    s1: float
    z0: float
    z1: float
    above: bool = False


class Exposure:
    """Answers for all solids of a city at once."""

    def __init__(self, solids: list[Solid]) -> None:
        self.solids = solids
        self._areas: list[BaseGeometry] = []
        self._spans: list[tuple[float, float, int]] = []
        for k, solid in enumerate(solids):
            for area, z0, z1 in solid.blocks():
                self._areas.append(area)
                self._spans.append((z0, z1, k))
        self._tree = STRtree(self._areas)
        order = sorted(range(len(solids)), key=lambda k: (-solids[k].top, k))
        self._rank = {k: place for place, k in enumerate(order)}

    def panels(self, index: int) -> list[Panel]:
        """The visible panels of one solid, in the order of its runs."""
        solid = self.solids[index]
        found: list[Panel] = []
        for run in runs(solid.polygon):
            cells = [c for i in range(len(run.points) - 1) for c in self._edge(index, solid, run, i)]
            for s0, s1, free, hidden in _joined(cells):
                for z0, z1 in free:
                    found.append(Panel(run, s0, s1, z0, z1, above=z0 in hidden))
        return found

    def open_air(self, xy: Xy, z: float) -> bool:
        """Whether a point is outside every solid."""
        from shapely.geometry import Point

        for k in self._tree.query(Point(xy), predicate="within").tolist():
            z0, z1, _ = self._spans[k]
            if z0 <= z < z1:
                return False
        return True

    def _edge(
        self, index: int, solid: Solid, run: Run, i: int
    ) -> list[tuple[float, float, tuple[Interval, ...], frozenset[float]]]:
        a, b = run.points[i], run.points[i + 1]
        start, length = run.marks[i], run.marks[i + 1] - run.marks[i]
        ux, uy = (b[0] - a[0]) / length, (b[1] - a[1]) / length
        outer = _shifted(a, b, (uy * NEAR, -ux * NEAR))
        inner = _shifted(a, b, (-uy * NEAR, ux * NEAR))
        covers: list[tuple[float, float, float, float, bool]] = []
        for k in sorted(self._tree.query(outer, predicate="dwithin", distance=3.0 * NEAR).tolist()):
            z0, z1, owner = self._spans[k]
            if owner == index or z1 <= solid.bottom or z0 >= solid.eaves:
                continue
            alien = self.solids[owner].outline.id != solid.outline.id
            # Where two walls stand in one plane and face the same way, the taller solid draws it.
            lines = (outer, inner) if self._rank[owner] < self._rank[index] else (outer,)
            for line in lines:
                covers += [(t0, t1, z0, z1, alien) for t0, t1 in _along(line, self._areas[k], a, ux, uy, length)]
        for void in solid.voids:
            spans = _along(inner, void.polygon, a, ux, uy, length)
            covers += [(t0, t1, solid.bottom, void.ceiling, False) for t0, t1 in spans]
        cuts = sorted({0.0, length, *(c[0] for c in covers), *(c[1] for c in covers)})
        cells = []
        for t0, t1 in itertools.pairwise(cuts):
            middle = 0.5 * (t0 + t1)
            over = [c for c in covers if c[0] <= middle <= c[1]]
            free = _free(solid.bottom, solid.eaves, [(c[2], c[3]) for c in over])
            hidden = frozenset(c[3] for c in over if c[4])
            cells.append((start + t0, start + t1, free, hidden))
        return cells


def _shifted(a: Xy, b: Xy, by: Xy) -> LineString:
    return LineString([(a[0] + by[0], a[1] + by[1]), (b[0] + by[0], b[1] + by[1])])


def _along(line: LineString, area: BaseGeometry, a: Xy, ux: float, uy: float, length: float) -> list[Interval]:
    """Intervals (metres from `a`) in which a line lies inside an area; tiny gaps and tiny pieces are rounded off."""
    shared = line.intersection(area)
    found: list[Interval] = []
    for piece in getattr(shared, "geoms", [shared]):
        if piece.is_empty or piece.geom_type != "LineString":
            continue
        along = [(x - a[0]) * ux + (y - a[1]) * uy for x, y in piece.coords]
        found.append((min(along), max(along)))
    found.sort()
    joined: list[Interval] = []
    for t0, t1 in found:
        if joined and t0 - joined[-1][1] < SHORT:
            joined[-1] = (joined[-1][0], max(t1, joined[-1][1]))
        else:
            joined.append((t0, t1))
    rounded = [(0.0 if t0 < SHORT else t0, length if length - t1 < SHORT else t1) for t0, t1 in joined]
    return [(t0, t1) for t0, t1 in rounded if t1 - t0 >= min(SHORT, 0.5 * length)]


def _free(z0: float, z1: float, taken: list[Interval]) -> tuple[Interval, ...]:
    """What is left of [z0, z1], pieces lower than 5 cm dropped."""
    left, at = [], z0
    for low, high in sorted(taken):
        if low - at > 0.05:
            left.append((at, min(low, z1)))
        at = max(at, high)
    if z1 - at > 0.05:
        left.append((at, z1))
    return tuple(p for p in left if p[1] - p[0] > 0.05)


def _joined(
    cells: list[tuple[float, float, tuple[Interval, ...], frozenset[float]]],
) -> list[tuple[float, float, tuple[Interval, ...], frozenset[float]]]:
    """Neighbouring cells with the same heights become one."""
    found: list[tuple[float, float, tuple[Interval, ...], frozenset[float]]] = []
    for s0, s1, free, hidden in cells:
        if s1 - s0 < 1e-6:
            continue
        if found and found[-1][2:] == (free, hidden) and np.isclose(found[-1][1], s0, atol=1e-6):
            found[-1] = (found[-1][0], s1, free, hidden)
        else:
            found.append((s0, s1, free, hidden))
    return found
