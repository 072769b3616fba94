"""Shaping: the terrain that stairs ask for: as level as it can be while every stair gets its rise.

The heights minimise sum(w * (dz - target)^2) over the edges of a square grid: targets are zero except along stairs, and
the weights say who gives way first: ground below buildings, then lawns, then paving, then carriageways and walking
lines. Where lines beside a stair would become too steep the stair is lowered and the heights are solved again.
"""

from dataclasses import replace

import numpy as np
import shapely
from numpy.typing import NDArray
from scipy.sparse import coo_matrix, csc_matrix
from scipy.sparse.linalg import splu
from shapely.geometry import LineString, Point

from citysim.build.plans import Xy
from citysim.build.streets.flights import RISER, RISER_MOST, Flight
from citysim.build.streets.planar import area_of, grown
from citysim.build.streets.roads import Roads
from citysim.build.streets.site import Site
from citysim.build.streets.terrain import Terrain

STEP = 2.0  # grid spacing, metres
REACH = 90.0  # how far a stair shapes the ground, metres
STAIR, LANDING, WALKED, ROAD, GREEN, FLANK, BELOW = 400.0, 60.0, 6.0, 4.0, 0.4, 0.03, 0.05
STEEP = 0.16  # slope of a walking line that lowers the stairs around it
ROUNDS = 4


def shaped(
    site: Site, roads: Roads, walked: list[LineString], flights: list[Flight], base: Terrain
) -> tuple[Terrain, list[Flight], list[Flight]]:
    """The terrain, the flights with their heights, and the flights that found no rise.

    What the stairs ask for is added to `base`, whose grid has the spacing STEP.
    """
    if not flights:
        return base, [], []
    field = _Field(site, roads, walked, flights, base)
    goals = np.array([f.risers * RISER for f in flights])
    for _ in range(ROUNDS):
        terrain = field.solve(goals)
        scale = _easing(terrain, walked, flights)
        if (scale > 0.99).all():
            break
        goals = goals * scale
    return terrain, *risen_flights(flights, terrain)


def risen_flights(flights: list[Flight], terrain: Terrain) -> tuple[list[Flight], list[Flight]]:
    """The flights with the heights that the terrain has at their ends, and those that find no rise there."""
    kept, lost = [], []
    for flight in flights:
        low, high = np.round(terrain.height([flight.foot, flight.head]) * 1024) / 1024
        risers = max(round((high - low) / RISER), 1)
        if (high - low) / risers > RISER_MOST:
            risers += 1
        if high - low < 0.2 or flight.length / risers < 0.24:
            lost.append(flight)
        else:
            kept.append(replace(flight, low=float(low), high=float(high), risers=risers))
    return kept, lost


class _Field:
    """The grid, its weights, and the solve for given rises."""

    def __init__(
        self, site: Site, roads: Roads, walked: list[LineString], flights: list[Flight], terrain: Terrain
    ) -> None:
        self.terrain, self.flights = terrain, flights
        rows, columns = terrain.z.shape
        x = terrain.west + np.arange(columns) * STEP
        y = terrain.south + np.arange(rows) * STEP
        number = np.arange(rows * columns).reshape(rows, columns)
        gx, gy = np.meshgrid(x, y)
        near = shapely.union_all([shapely.buffer(LineString([f.foot, f.head]), REACH, quad_segs=4) for f in flights])
        shapely.prepare(near)
        active = shapely.contains_xy(near, gx, gy)
        self.a = np.concatenate([number[:, :-1].ravel(), number[:-1].ravel()])
        self.b = np.concatenate([number[:, 1:].ravel(), number[1:].ravel()])
        live = active.ravel()[self.a] | active.ravel()[self.b]
        self.a, self.b = self.a[live], self.b[live]
        self.active = active.ravel()
        px, py = gx.ravel(), gy.ravel()
        self.mx, self.my = (px[self.a] + px[self.b]) / 2, (py[self.a] + py[self.b]) / 2
        self.dx, self.dy = px[self.b] - px[self.a], py[self.b] - py[self.a]
        self.weight = self._weights(site, roads, walked)
        self.owner = np.full(len(self.a), -1)
        self._stairs()
        self._factor()

    def _inside(self, area: shapely.Geometry) -> NDArray[np.bool_]:
        shapely.prepare(area)
        inside: NDArray[np.bool_] = shapely.contains_xy(area, self.mx, self.my)
        return inside

    def _weights(self, site: Site, roads: Roads, walked: list[LineString]) -> NDArray[np.float64]:
        weight = np.ones(len(self.a))
        green = ("park", "grass", "garden", "scrub", "cemetery")
        weight[self._inside(area_of(a.polygon for a in site.plan.areas if a.kind in green))] = GREEN
        weight[self._inside(grown(site.solid, -0.5))] = BELOW
        weight[self._inside(roads.low)] = ROAD
        if walked:
            weight[self._inside(shapely.union_all([shapely.buffer(line, 1.6, quad_segs=2) for line in walked]))] = (
                WALKED
            )
        return weight

    def _near(self, point: Xy, reach: float) -> NDArray[np.int64]:
        return np.flatnonzero((np.abs(self.mx - point[0]) < reach) & (np.abs(self.my - point[1]) < reach))

    def _stairs(self) -> None:
        self.slope = np.zeros(len(self.a))
        for flight in self.flights:
            for end in (flight.foot, flight.head):
                reach = flight.width / 2 + 1.5
                near = self._near(end, reach)
                away = np.hypot(self.mx[near] - end[0], self.my[near] - end[1])
                self.weight[near[away < reach]] = LANDING
        for k, flight in enumerate(self.flights):
            u = flight.along
            near = self._near(flight.foot, flight.length + flight.width + 4 * STEP)
            mx, my = self.mx[near] - flight.foot[0], self.my[near] - flight.foot[1]
            s, side = mx * u[0] + my * u[1], np.abs(my * u[0] - mx * u[1])
            spare = max(2 * STEP - flight.length, 0.0) / 2
            between = (s > -spare) & (s < flight.length + spare)
            half = max(flight.width / 2, STEP)
            beside = between & (side > half) & (side < half + 1.2 * STEP) & (self.owner[near] < 0)
            self.weight[near[beside]] = FLANK
            on = near[between & (side <= half)]
            self.weight[on], self.owner[on] = STAIR, k
            self.slope[on] = (self.dx[on] * u[0] + self.dy[on] * u[1]) / (flight.length + 2 * spare)

    def _factor(self) -> None:
        self.index = np.cumsum(self.active) - 1
        count = int(self.active.sum())
        rows, columns, values = [], [], []
        for i, j in ((self.a, self.b), (self.b, self.a)):
            mine = self.active[i]
            both = mine & self.active[j]
            rows += [self.index[i[mine]], self.index[i[both]]]
            columns += [self.index[i[mine]], self.index[j[both]]]
            values += [self.weight[mine], -self.weight[both]]
        entries = (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns)))
        system = csc_matrix(coo_matrix(entries, (count, count)))
        self.solver = splu(system, permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True})

    def solve(self, rises: NDArray[np.float64]) -> Terrain:
        """The terrain for the wanted rise of every flight, metres."""
        target = np.where(self.owner >= 0, self.slope * rises[self.owner], 0.0)
        right = np.zeros(int(self.active.sum()))
        for i, sign in ((self.a, -1.0), (self.b, 1.0)):
            mine = self.active[i]
            np.add.at(right, self.index[i[mine]], sign * self.weight[mine] * target[mine])
        z = np.zeros(self.terrain.z.size)
        z[self.active] = self.solver.solve(right)
        z = np.round(z * 1024) / 1024  # the solver's last digits must not reach the mesh
        return replace(self.terrain, z=self.terrain.z + z.reshape(self.terrain.z.shape))


def _easing(terrain: Terrain, walked: list[LineString], flights: list[Flight]) -> NDArray[np.float64]:
    """How much of its rise each flight keeps so that walking lines around it become less steep."""
    ends = [Point((f.foot[0] + f.head[0]) / 2, (f.foot[1] + f.head[1]) / 2) for f in flights]
    reach = [max(f.length, f.width) / 2 + 15.0 for f in flights]
    scale = np.ones(len(flights))
    outlines = [grown(f.outline, 1.0) for f in flights]
    tree = shapely.STRtree(ends)
    for line in walked:
        near = [int(k) for k in tree.query(line, predicate="dwithin", distance=40.0)]
        near = [k for k in near if line.distance(ends[k]) < reach[k]]
        if not near:
            continue
        count = max(int(line.length / STEP), 1)
        points = shapely.get_coordinates(shapely.line_interpolate_point(line, np.linspace(0, line.length, count + 1)))
        slope = np.abs(np.diff(terrain.height(points))) / max(line.length / count, 0.5)
        middle = (points[1:] + points[:-1]) / 2
        for k in near:
            away = np.hypot(middle[:, 0] - ends[k].x, middle[:, 1] - ends[k].y) < reach[k]
            away &= ~shapely.contains_xy(outlines[k], middle[:, 0], middle[:, 1])
            worst = float(slope[away].max()) if away.any() else 0.0
            if worst > STEEP:
                scale[k] = min(scale[k], max(STEEP / worst, 0.5))
    return scale
