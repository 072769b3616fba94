"""All triangles of a city's finest level with their labels, and what a plumb line through them meets."""

from functools import cached_property
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from citysim.build.procedural import PRESETS
from citysim.city import City, CityObject
from citysim.physics import make_space

Array = NDArray[np.float64]
CELL = 4.0  # metres
ALL_CITIES = [
    pytest.param(name, marks=[] if name == "mini" else [pytest.mark.slow, pytest.mark.timeout(1800)])
    for name in sorted(PRESETS, key=lambda name: (name != "mini", name))
]


class Solid:
    """`corners` (T, 3, 3) metres, `labels` (T,), `material` (T,) of every triangle that is drawn near."""

    def __init__(self, city: City) -> None:
        self.city = city
        corners, labels, materials = [], [], []
        for index in city.finest:
            chunk = city.chunk(index)
            corners.append(chunk.positions[chunk.triangles].astype(np.float64) + chunk.origin)
            labels.append(chunk.labels)
            materials.append(np.asarray(chunk.materials))
        self.corners: Array = np.concatenate(corners)
        self.labels: NDArray[np.int64] = np.concatenate(labels).astype(np.int64)
        self.material: NDArray[np.int64] = np.concatenate(materials).astype(np.int64)
        self.objects: dict[int, CityObject] = {thing.id: thing for thing in city.objects}

    @cached_property
    def normals(self) -> Array:
        """(T, 3) unit normals."""
        n = np.cross(self.corners[:, 1] - self.corners[:, 0], self.corners[:, 2] - self.corners[:, 0])
        return np.asarray(n / np.maximum(np.linalg.norm(n, axis=1), 1e-12)[:, None])

    @cached_property
    def space(self) -> Any:
        """The collision space of the city."""
        return make_space("native", self.city)

    @cached_property
    def _of_label(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        order = np.argsort(self.labels, kind="stable")
        return order, self.labels[order]

    def of(self, label: int) -> NDArray[np.int64]:
        """Numbers of the triangles with a label."""
        order, names = self._of_label
        a, b = np.searchsorted(names, [label, label + 1])
        return order[a:b]

    @cached_property
    def _grid(self) -> tuple[dict[tuple[int, int], tuple[int, int]], NDArray[np.int64]]:
        low = np.floor(self.corners[:, :, :2].min(axis=1) / CELL).astype(np.int64)
        high = np.floor(self.corners[:, :, :2].max(axis=1) / CELL).astype(np.int64)
        span = high - low + 1
        count = span[:, 0] * span[:, 1]
        owner = np.repeat(np.arange(len(count)), count)
        step = np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count)
        i, j = low[owner, 0] + step // span[owner, 1], low[owner, 1] + step % span[owner, 1]
        order = np.lexsort((owner, j, i))
        i, j, owner = i[order], j[order], owner[order]
        starts = np.flatnonzero(np.r_[True, (np.diff(i) != 0) | (np.diff(j) != 0)])
        ends = np.r_[starts[1:], len(i)]
        cells = {(int(i[s]), int(j[s])): (int(s), int(e)) for s, e in zip(starts, ends, strict=True)}
        return cells, owner

    def plumb(self, east: float, north: float) -> tuple[Array, Array, NDArray[np.int64]]:
        """(heights, up components of normals, triangle numbers) of all that a vertical line meets, by height."""
        cells, owner = self._grid
        found = cells.get((int(east // CELL), int(north // CELL)))
        if found is None:
            return np.zeros(0), np.zeros(0), np.zeros(0, np.int64)
        near = owner[found[0] : found[1]]
        xy = self.corners[near, :, :2] - (east, north)
        a, b, c = xy[:, 0], xy[:, 1], xy[:, 2]
        wa = b[:, 0] * c[:, 1] - b[:, 1] * c[:, 0]
        wb = c[:, 0] * a[:, 1] - c[:, 1] * a[:, 0]
        wc = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
        area = wa + wb + wc
        inside = ((wa >= 0) & (wb >= 0) & (wc >= 0)) | ((wa <= 0) & (wb <= 0) & (wc <= 0))
        inside &= np.abs(area) > 1e-9
        near, z = near[inside], self.corners[near[inside], :, 2]
        heights = (wa[inside] * z[:, 0] + wb[inside] * z[:, 1] + wc[inside] * z[:, 2]) / area[inside]
        order = np.argsort(heights, kind="stable")
        return heights[order], self.normals[near[order], 2], near[order]
