"""Skirts: strips that hang behind the open borders of a tile, so that no sky shows between levels of detail."""

import numpy as np
from numpy.typing import NDArray

from citysim.city import Chunk, City

OF_ERROR = 1.5  # how deep a skirt is: so many times the error of the level above,
OF_RADIUS = 0.04  # and no more than this share of the tile's own size, so that it comes out nowhere else


class Skirting:
    """Gives a city's chunks their skirts where its levels of detail do not meet (`City.seams`)."""

    def __init__(self, city: City) -> None:
        self._city = city
        self._depths = [skirt_depth(city, tile) for tile in range(len(city.tiles))] if city.seams else []

    def chunk(self, tile: int) -> Chunk:
        """A tile's chunk as it is drawn; raises what City.chunk raises."""
        chunk = self._city.chunk(tile)
        return with_skirt(chunk, self._depths[tile]) if self._depths and self._depths[tile] > 0.0 else chunk


def skirt_depth(city: City, tile: int) -> float:
    """Metres that a tile's skirt is deep; 0 for a tile that no other level stands in for."""
    node = city.tiles[tile]
    error = node.geometric_error
    if node.parent >= 0 and city.tiles[node.parent].refine == "REPLACE":
        error = max(error, city.tiles[node.parent].geometric_error)
    return min(OF_ERROR * error, OF_RADIUS * node.radius) if np.isfinite(error) else OF_RADIUS * node.radius


def with_skirt(chunk: Chunk, depth: float) -> Chunk:
    """The chunk with a strip, seen from both sides, behind each edge that only one of its triangles has.

    It goes `depth` metres against the surface's normal, with material, label, colours and texture of its edge: where
    neighbours are off by less, one of the two skirts closes the gap between them.
    """
    points = np.ascontiguousarray(chunk.positions).view(np.dtype((np.void, 12))).reshape(-1)
    _, weld = np.unique(points, return_inverse=True)
    weld = weld.reshape(-1)
    sound = ((chunk.triangles >= 0) & (chunk.triangles < len(points))).all(axis=1)
    kept = np.flatnonzero(sound)
    corners = chunk.triangles[kept].astype(np.int64)
    sides = np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]])
    owner = np.tile(kept, 3)
    ends = np.sort(weld[sides], axis=1)
    _, first, times = np.unique(
        ends[:, 0] * np.int64(len(points) + 1) + ends[:, 1], return_index=True, return_counts=True
    )
    free = np.sort(first[(times == 1)])
    free = free[ends[free, 0] != ends[free, 1]]
    if not len(free):
        return chunk
    sides, owner = sides[free], owner[free]
    inward = _behind(chunk, corners, weld)
    count = len(chunk.positions)
    used, place = np.unique(sides, return_inverse=True)
    place = place.reshape(-1, 2) + count
    lower = chunk.positions[used] + (inward[weld[used]] * depth).astype(np.float32)
    a, b, c, d = sides[:, 0], sides[:, 1], place[:, 1], place[:, 0]
    faces = np.concatenate([np.stack(f, axis=1) for f in ((b, a, d), (b, d, c), (a, b, d), (b, c, d))])
    four = np.tile(owner, 4)
    return Chunk(
        origin=chunk.origin,
        positions=np.concatenate([chunk.positions, lower]),
        uvs=np.concatenate([chunk.uvs, chunk.uvs[used]]),
        colors=np.concatenate([chunk.colors, chunk.colors[used]]),
        triangles=np.concatenate([chunk.triangles, faces.astype(np.int32)]),
        materials=np.concatenate([chunk.materials, chunk.materials[four]]),
        labels=np.concatenate([chunk.labels, chunk.labels[four]]),
    )


def _behind(chunk: Chunk, corners: NDArray[np.int64], weld: NDArray[np.int64]) -> NDArray[np.float64]:
    """(welded vertices, 3) unit vectors against the mean normal of the triangles around each vertex."""
    p = chunk.positions.astype(np.float64)[corners]
    normal = np.nan_to_num(np.cross(p[:, 1] - p[:, 0], p[:, 2] - p[:, 0]), nan=0.0, posinf=0.0, neginf=0.0)
    found = np.zeros((int(weld.max()) + 1, 3))
    for k in range(3):
        np.add.at(found, weld[corners[:, k]], -normal)
    length = np.linalg.norm(found, axis=1, keepdims=True)
    return np.where(length > 1e-12, found / np.maximum(length, 1e-12), (0.0, 0.0, -1.0))
