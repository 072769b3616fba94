"""The height offset between a network and the surfaces it runs on, found by letting its points vote."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from citysim.city.tiles import TileStore
from citysim.city.tree import finest_tiles
from citysim.geo.network import PedestrianNetwork
from citysim.geometry.vertical import crossings

Array = NDArray[np.float64]

MOST_POINTS = 400
REACH_M = 60.0  # offsets looked at
BIN_M = 0.5
AGREE_M = 1.0
UPWARDS = 0.5  # cosine: steeper surfaces carry nobody
LEAST_POINTS = 8
LEAST_SHARE = 0.3
INDOOR = 2
ON_GROUND = frozenset({1, 6, 23, 24, 26, 30, 31, 32, 33})  # FeatureType: footways, paths, crossings
OFF_GROUND = frozenset({4, 10})  # subways and lifts: no surface to be seen


@dataclass(frozen=True, slots=True)
class HeightOffset:
    """`metres` to add to a network's heights; how many of `points` agree to AGREE_M, and their median deviation."""

    metres: float
    points: int
    agreeing: int
    deviation_m: float

    @property
    def found(self) -> bool:
        """Whether enough points agree to believe it."""
        return self.agreeing >= max(LEAST_POINTS, LEAST_SHARE * self.points)

    def note(self) -> str:
        """The sentence for city.json."""
        if not self.found:
            least = max(LEAST_POINTS, math.ceil(LEAST_SHARE * self.points))
            agree = f"{self.agreeing} of {self.points} points of the network agree, {least} would do"
            return f"could not be estimated: {agree}; 0 m was used"
        return (
            f"estimated: {self.agreeing} of {self.points} points of the network lie within {AGREE_M:g} m of a surface "
            f"of the tiles with it, half of them within {self.deviation_m:.2f} m"
        )


def estimate_offset(store: TileStore, network: PedestrianNetwork) -> HeightOffset:
    """What to add to the heights of a network so that its points lie on the tiles' surfaces.

    Every sampled point votes for the difference to each surface above and below it; roofs and bridges scatter, the
    ground agrees. The median of the votes near the winner is the answer, to the centimetre.
    """
    points = sample_points(network)
    rows: list[tuple[int, float]] = [
        (number, float(gap)) for number, gaps in enumerate(surface_gaps(store, points)) for gap in gaps
    ]
    if not rows:
        return HeightOffset(0.0, len(points), 0, 0.0)
    owners = np.array([owner for owner, _ in rows])
    gaps = np.array([gap for _, gap in rows])
    count = int(2 * REACH_M / BIN_M)
    bins = np.clip(((gaps + REACH_M) / BIN_M).astype(np.int64), 0, count - 1)
    votes = np.zeros(count)
    np.add.at(votes, np.unique(np.stack([owners, bins]), axis=1)[1], 1.0)  # one vote a point and bin
    smooth = np.convolve(votes, (0.5, 1.0, 0.5), mode="same")
    middles = (np.arange(count) + 0.5) * BIN_M - REACH_M
    best = float(middles[np.lexsort((np.abs(middles), -smooth))[0]])
    for _ in range(3):
        near = np.array([_nearest(gaps[owners == owner], best) for owner in np.unique(owners)])
        near = near[np.abs(near - best) <= AGREE_M]
        if not len(near):
            break
        best = float(np.median(near))
    deviation = float(np.median(np.abs(near - best))) if len(near) else 0.0
    offset = HeightOffset(round(best, 2) + 0.0, len(points), len(near), round(deviation, 2))
    return offset if offset.found else HeightOffset(0.0, len(points), len(near), round(deviation, 2))


def sample_points(network: PedestrianNetwork) -> Array:
    """(N, 3) up to MOST_POINTS vertices and midpoints of ways outdoors, preferably on the ground, evenly chosen."""
    outdoors = [e for e in network.edges if e.attributes.get("Location") != INDOOR]
    outdoors = [e for e in outdoors if e.attributes.get("FeatureType") not in OFF_GROUND]
    ground = [e for e in outdoors if e.attributes.get("FeatureType") in ON_GROUND]
    chosen = ground if len(ground) >= LEAST_POINTS else outdoors
    if not chosen:
        return np.zeros((0, 3))
    points = np.concatenate([np.concatenate([e.line, (e.line[1:] + e.line[:-1]) / 2.0]) for e in chosen])
    points = np.unique(points, axis=0)
    if len(points) > MOST_POINTS:
        points = points[np.linspace(0, len(points) - 1, MOST_POINTS).round().astype(np.int64)]
    return points


def surface_gaps(store: TileStore, points: Array) -> list[Array]:
    """For each of (N, 3) points the heights of the upward surfaces above and below it, less its own, within reach."""
    gaps: list[list[Array]] = [[] for _ in points]
    for index in finest_tiles(store.tiles):
        tile = store.tiles[index]
        near = np.flatnonzero(np.hypot(*(points[:, :2] - tile.center[:2]).T) <= tile.radius)
        if not len(near):
            continue
        chunk = store.decode(index)
        for number in near.tolist():
            east, north = (points[number, :2] - chunk.origin[:2]).tolist()
            heights, ups = crossings(chunk.positions, chunk.triangles, east, north)
            found = heights[ups > UPWARDS] + chunk.origin[2] - points[number, 2]
            gaps[number].append(found[np.abs(found) < REACH_M])
    return [np.concatenate(found) if found else np.zeros(0) for found in gaps]


def _nearest(values: Array, target: float) -> float:
    return float(values[np.abs(values - target).argmin()])
