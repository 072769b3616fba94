"""Kerbs: 0.12 m of face between carriageway and pavement, lowered to nothing wherever a walk crosses it."""

from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray
from scipy.spatial import cKDTree
from shapely.geometry import LineString, Point

from citysim.build.streets.planar import ROUND
from citysim.build.streets.roads import FLUSH_KINDS, Roads
from citysim.build.streets.walks import Walk

KERB = 0.12  # height of a kerb, metres
FLARE = 1.2  # length of the ramp beside and behind a lowered kerb, metres
RISEN = 0.92  # share of a flare at which it is at full height: its outline's chords run inside the circle


@dataclass(frozen=True)
class Kerbs:
    """Where kerbs are lowered: circles, flat inside their radius and rising over FLARE outside."""

    centers: NDArray[np.float64]  # (N, 2)
    radii: NDArray[np.float64]  # (N,)

    @classmethod
    def of(cls, roads: Roads, pieces: list[Walk]) -> "Kerbs":
        """Find where walks and flush lanes meet kerbs."""
        kerb = shapely.boundary(roads.low)
        shapely.prepare(kerb)
        spots: list[tuple[float, float, float]] = []
        for piece in pieces:
            radius = max(piece.width / 2, 1.2) + 0.3 if piece.feature in (30, 31, 32, 33) else 1.3
            spots += _meetings(kerb, piece.line, min(radius, 3.3))
        for way, line in roads.ways:
            if way.kind in FLUSH_KINDS:
                spots += _meetings(kerb, line, max(way.width, 2.5) / 2 + 0.5)
        table = np.array(sorted(set(spots)), dtype=np.float64).reshape(-1, 3)
        return cls(table[:, :2].copy(), table[:, 2].copy())

    def rise(self, xy: ArrayLike) -> NDArray[np.float64]:
        """(N, 2) -> (N,) in [0, 1]: 0 where the kerb is level with the road, 1 where it stands at full height."""
        points = np.asarray(xy, dtype=np.float64).reshape(-1, 2)
        rise = np.ones(len(points))
        if len(self.centers) and len(points):
            tree = cKDTree(points)
            for center, radius in zip(self.centers, self.radii, strict=True):
                near = np.array(tree.query_ball_point(center, radius + FLARE), dtype=np.int64)
                if len(near):
                    away = np.hypot(points[near, 0] - center[0], points[near, 1] - center[1])
                    rise[near] = np.minimum(rise[near], np.clip((away - radius) / (FLARE * RISEN), 0.0, 1.0))
        return rise

    def outlines(self) -> list[LineString]:
        """The circles between which the rise is linear."""
        made = []
        for center, radius in zip(self.centers, self.radii, strict=True):
            for r in (radius, radius + FLARE):
                made.append(shapely.boundary(shapely.buffer(Point(center), r, quad_segs=ROUND)))
        return made


def _meetings(kerb: shapely.Geometry, line: LineString, radius: float) -> list[tuple[float, float, float]]:
    if not kerb.intersects(line):
        return []
    found = shapely.get_coordinates(shapely.intersection(line, kerb))
    return [(round(float(x), 3), round(float(y), 3), radius) for x, y in found]
