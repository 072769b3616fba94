"""Ground: cells of the partition become one mesh, with kerb and quay faces where levels differ."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString, Polygon

from citysim.build.mesh import LATTICE, snap
from citysim.build.streets.kerbs import KERB, Kerbs
from citysim.build.streets.terrain import Terrain

WATER_DEPTH = 1.0  # water lies this far below the ground around it, metres
LOW = ("carriageway", "crossing")
BRIDGE = "/bridge"  # ends the labels of cells that are decks over water
ROUNDING = 0.02  # corners of one place that differ by no more are the same, metres
NEAR_ENOUGH = 0.3  # how far the ground beside a stair's end may be from its height to be brought to it, metres
TERRACE = "/terrace"  # ends, before a number, the labels of cells at the height of a terrace


@dataclass(frozen=True)
class GroundMesh:
    """Triangles of the ground and the faces between levels.

    corners (T, 3, 3) float64, label (T,) index into names; faces (F, 4, 3) quads, lower left, lower right, upper
    right, upper left seen from the lower side, face_owner (F,) the upper side's triangle and face_label (F,) its label;
    rim (R, 2, 3) edges with ground on their left side only. vertex (T, 3) are the numbers of the places in plan at
    which corners lie, shared by neighbours. Cells over water (labels that end in BRIDGE) have no faces towards the
    water: their decks have.
    """

    corners: NDArray[np.float64]
    label: NDArray[np.int64]
    names: tuple[str, ...]
    faces: NDArray[np.float64]
    face_owner: NDArray[np.int64]
    rim: NDArray[np.float64]
    vertex: NDArray[np.int64]

    @property
    def face_label(self) -> NDArray[np.int64]:
        """(F,) label of the ground at the upper side of each face."""
        return self.label[self.face_owner]


def ground_mesh(
    cells: list[tuple[str, Polygon]],
    kerbs: Kerbs,
    terrain: Terrain,
    fixed: Sequence[tuple[LineString, float]],
    terraces: Sequence[float] = (),
) -> GroundMesh:
    """Triangulate the cells and lift them.

    `fixed` are lines (ends of stairs) with the upper height along them, `terraces` the heights of the terraces by
    number.
    """
    names = tuple(sorted({label for label, _ in cells}))
    number = {name: i for i, name in enumerate(names)}
    made = shapely.constrained_delaunay_triangles(np.array([p for _, p in cells], dtype=object))
    triangles, owner = shapely.get_parts(made, return_index=True)
    flat = shapely.get_coordinates(triangles).reshape(-1, 4, 2)[:, :3]
    area = _doubled(flat)
    flat[area < 0] = flat[area < 0][:, ::-1]
    keep = np.abs(area) > 1e-9
    flat, owner = flat[keep], owner[keep]
    label = np.array([number[name] for name, _ in cells], dtype=np.int64)[owner]
    keys = np.round(flat * LATTICE).astype(np.int64)
    unique, where = np.unique(keys.reshape(-1, 2), axis=0, return_inverse=True)
    vertex = where.reshape(-1, 3)
    xy = unique / LATTICE
    upper = _settled(terrain, xy, vertex)
    held = np.zeros(vertex.shape, dtype=bool)
    by_place = np.argsort(vertex, axis=None, kind="stable")
    starts = np.searchsorted(vertex.reshape(-1)[by_place], np.arange(len(xy) + 1))
    near_enough = np.inf if terrain.relief is None else NEAR_ENOUGH
    for i, height in _held(xy, fixed):
        here = by_place[starts[i] : starts[i + 1]]
        here = here[np.abs(upper.reshape(-1)[here] - height) < near_enough]
        upper.reshape(-1)[here] = height
        held.reshape(-1)[here] = True
    lowered = upper - KERB
    upper = np.where(held, upper, upper - KERB * (1.0 - kerbs.rise(xy))[vertex])
    low = np.array([name.split("/")[0] in LOW for name in names])[label]
    z = np.where(low[:, None], lowered, upper)
    for k, level in enumerate(terraces):
        z[np.array([name.endswith(f"{TERRACE}{k}") for name in names])[label]] = level
    wet = np.flatnonzero([name == "water" for name in names])
    if len(wet):
        inside = label == wet[0]
        z[inside] = _water_levels(cells, terrain)[owner[inside]][:, None]
    corners = snap(np.dstack([xy[vertex], z]))
    spanning = np.array([name.endswith(BRIDGE) for name in names])[label]
    faces, face_owner, rim = _faces(vertex, corners, label, np.isin(label, wet), spanning)
    return GroundMesh(corners, label, names, faces, face_owner, rim, vertex)


def _settled(terrain: Terrain, xy: NDArray[np.float64], vertex: NDArray[np.int64]) -> NDArray[np.float64]:
    """(T, 3) heights of the triangles' corners without kerbs; on both sides of a cliff each side has its own."""
    z = terrain.added(xy)[vertex]
    if terrain.relief is None:
        return z
    facet = terrain.relief.facet(xy[vertex].mean(axis=1))
    z += terrain.relief.on(np.repeat(facet, 3), xy[vertex].reshape(-1, 2)).reshape(-1, 3)
    flat = z.reshape(-1)  # corners that differ by rounding alone become one
    order = np.lexsort((flat, vertex.reshape(-1)))
    place, height = vertex.reshape(-1)[order], flat[order]
    fresh = np.concatenate([[True], (place[1:] != place[:-1]) | (np.diff(height) > ROUNDING)])
    group = np.cumsum(fresh) - 1
    flat[order] = (np.bincount(group, height) / np.bincount(group))[group]
    return flat.reshape(-1, 3)


def _held(xy: NDArray[np.float64], fixed: Sequence[tuple[LineString, float]]) -> list[tuple[int, float]]:
    """(vertex, height) of all vertices on lines of given height."""
    if not fixed:
        return []
    tree = shapely.STRtree(shapely.points(xy))
    return [
        (int(i), height)
        for line, height in fixed
        for i in sorted(tree.query(line, predicate="dwithin", distance=0.002).tolist())
    ]


def _water_levels(cells: list[tuple[str, Polygon]], terrain: Terrain) -> NDArray[np.float64]:
    """One level for each connected sheet of water, indexed like the cells."""
    levels = np.zeros(len(cells))
    wet = [i for i, (label, _) in enumerate(cells) if label == "water"]
    sheets = shapely.get_parts(shapely.union_all([cells[i][1] for i in wet]))
    tree = shapely.STRtree(sheets)
    around = [float(terrain.height(shapely.get_coordinates(s)).min()) - WATER_DEPTH for s in sheets]
    for i in wet:
        hits = tree.query(cells[i][1].representative_point(), predicate="intersects")
        levels[i] = around[int(hits[0])] if len(hits) else -WATER_DEPTH
    return levels


def _doubled(flat: NDArray[np.float64]) -> NDArray[np.float64]:
    u, v = flat[:, 1] - flat[:, 0], flat[:, 2] - flat[:, 0]
    product: NDArray[np.float64] = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    return product


def _faces(
    vertex: NDArray[np.int64],
    corners: NDArray[np.float64],
    label: NDArray[np.int64],
    water: NDArray[np.bool_],
    spanning: NDArray[np.bool_],
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
    """Vertical quads between neighbours of different height, and edges without a neighbour."""
    count = len(vertex)
    a, b = vertex.reshape(-1), np.roll(vertex, -1, axis=1).reshape(-1)
    triangle = np.repeat(np.arange(count), 3)
    start = corners.reshape(-1, 3)
    end = np.roll(corners, -1, axis=1).reshape(-1, 3)
    low, high = np.minimum(a, b), np.maximum(a, b)
    order = np.lexsort((low, high))
    same = (low[order][1:] == low[order][:-1]) & (high[order][1:] == high[order][:-1])
    first = order[:-1][same]
    second = order[1:][same]
    lonely = np.ones(len(order), dtype=bool)
    lonely[first] = lonely[second] = False
    # seen along `first` (start -> end) its own ground is on the left, the neighbour runs the other way
    z0, z1 = start[first, 2], end[first, 2]
    n0, n1 = end[second, 2], start[second, 2]
    above = (n0 + n1) > (z0 + z1)
    step = np.maximum(np.abs(n0 - z0), np.abs(n1 - z1)) > 1e-6
    quads, owners = [], []
    swap = ((n0 - z0) * (n1 - z1) < -1e-7) & step
    if swap.any():  # each side is the higher one along a part of the edge
        i, j = first[swap], second[swap]
        d0, d1 = (n0 - z0)[swap], (n1 - z1)[swap]
        cut = start[i] + (end[i] - start[i]) * (d0 / (d0 - d1))[:, None]
        own = (d0 > 0)[:, None, None]
        near = np.where(own, _quad(cut, start[i], end[j], cut), _quad(end[j], cut, cut, start[i]))
        far = np.where(own, _quad(cut, start[j], end[i], cut), _quad(end[i], cut, cut, start[j]))
        quads += [near, far]
        owners += [triangle[np.where(d0 > 0, j, i)], triangle[np.where(d0 > 0, i, j)]]
    step &= ~swap
    for mask, lower, upper in ((step & above, first, second), (step & ~above, second, first)):
        lo, up = lower[mask], upper[mask]
        solid = ~(water[triangle[lo]] & spanning[triangle[up]])
        lo, up = lo[solid], up[solid]
        # whoever stands on the lower side and looks at the face has the `end` of the lower edge at the left hand
        quads.append(np.stack([end[lo], start[lo], end[up], start[up]], axis=1))
        owners.append(triangle[up])
    rim = np.stack([start[lonely], end[lonely]], axis=1)
    return np.concatenate(quads), np.concatenate(owners), rim


def _quad(*corners: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.stack(corners, axis=1)
