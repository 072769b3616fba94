"""Distant ground: what the coarsest level shows in place of the cells of the partition and their kerbs."""

from collections.abc import Sequence

import numpy as np
import shapely
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from citysim.build.facets import Facets
from citysim.build.mesh import LATTICE
from citysim.build.streets.ground import GroundMesh
from citysim.build.tiler import CELL_M

LEDGE = 0.4  # metres: lower steps are not seen from afar
TRIFLE = 0.1  # corners whose loss changes an outline by less than the square of this (m2) go everywhere
ROUGH = 2.0  # the same between uses of the ground, away from borders of tiles and from buildings
BENT, PATCH = 0.8, 12.0  # metres


def distant_ground(
    mesh: GroundMesh, looks: Sequence[str], labels: NDArray[np.int64]
) -> list[tuple[str, int, NDArray[np.float64]]]:
    """The ground in few triangles: (look, object id, corners (T, 3, 3)) of each piece.

    `looks` (N,) are those of `mesh.names`, `labels` (T,) object ids. Ground of one look, object and tile is one piece;
    its outline keeps fewer corners, on the side of the next tile and of buildings nearly all. Steps up to `LEDGE` are
    levelled at their upper edge; along higher ones pieces stay apart, and the faces between them are needed. Where a
    piece would be more than `BENT` off the slopes it stands for, it is several of at most `PATCH`.
    """
    if not len(mesh.corners):
        return []
    kinds = sorted(set(looks))
    look = np.array([kinds.index(name) for name in looks])[mesh.label]
    thrice = np.round(mesh.corners[:, :, :2] * LATTICE).astype(np.int64).sum(axis=1)
    tile = thrice // int(3 * CELL_M * LATTICE)
    keys = np.column_stack([tile, look, labels, _connected(mesh), np.zeros_like(tile)])
    rows, corners, owner, group = _pieces(mesh, keys)
    middle = mesh.corners.mean(axis=1)
    at, weights = Facets(corners).locate(middle[:, :2])
    off = np.where(at >= 0, np.abs((corners[at, :, 2] * weights).sum(axis=1) - middle[:, 2]), 0.0)
    worst = np.zeros(len(rows))
    np.maximum.at(worst, group, off)
    bent = worst[group] > BENT
    if bent.any():
        keys[bent, 5:] = 1 + thrice[bent] // int(3 * PATCH * LATTICE)
        rows, corners, owner, _ = _pieces(mesh, keys)
    whole, piece = np.unique(rows[:, 2:4], axis=0, return_inverse=True)
    piece = piece.reshape(-1)[owner]
    return [(kinds[kind], ident, corners[piece == number]) for number, (kind, ident) in enumerate(whole.tolist())]


def _pieces(
    mesh: GroundMesh, keys: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    """Simplified pieces of the triangles with equal keys (column, row of the tile first): the keys of the pieces, their
    triangles (T, 3, 3), the piece of each of these and the piece of each triangle of the mesh.
    """
    rows, group = np.unique(keys, axis=0, return_inverse=True)
    group = group.reshape(-1)
    order = np.argsort(group, kind="stable")
    flat = shapely.polygons(mesh.corners[order, :, :2])
    starts = np.flatnonzero(np.r_[True, np.diff(group[order]) != 0])
    ends = [*starts[1:].tolist(), len(order)]
    pieces = np.array(
        [shapely.coverage_union_all(flat[a:b]) for a, b in zip(starts.tolist(), ends, strict=True)], dtype=object
    )
    pieces = shapely.coverage_simplify(pieces, TRIFLE)
    _, of_tile = np.unique(rows[:, :2], axis=0, return_inverse=True)
    of_tile = of_tile.reshape(-1)
    for number in range(int(of_tile.max()) + 1):
        inside = of_tile == number
        pieces[inside] = shapely.coverage_simplify(pieces[inside], ROUGH, simplify_boundary=False)
    triangles, owner = shapely.get_parts(shapely.constrained_delaunay_triangles(pieces), return_index=True)
    corners = _lifted(mesh, group, shapely.get_coordinates(triangles).reshape(-1, 4, 2)[:, :3], owner)
    return rows, corners, owner, group


def _connected(mesh: GroundMesh) -> NDArray[np.int64]:
    """(T,) numbers of the parts that hang together without a step above `LEDGE`."""
    a, b = mesh.vertex.reshape(-1), np.roll(mesh.vertex, -1, axis=1).reshape(-1)
    z0, z1 = mesh.corners[:, :, 2].reshape(-1), np.roll(mesh.corners[:, :, 2], -1, axis=1).reshape(-1)
    triangle = np.repeat(np.arange(len(mesh.vertex)), 3)
    low, high = np.minimum(a, b), np.maximum(a, b)
    at_low, at_high = np.where(a < b, z0, z1), np.where(a < b, z1, z0)
    order = np.lexsort((low, high))
    one, two = order[:-1], order[1:]
    same = (low[one] == low[two]) & (high[one] == high[two])
    same &= np.maximum(np.abs(at_low[one] - at_low[two]), np.abs(at_high[one] - at_high[two])) <= LEDGE
    links = coo_matrix((np.ones(int(same.sum())), (triangle[one[same]], triangle[two[same]])), (len(mesh.vertex),) * 2)
    parts: NDArray[np.int64] = connected_components(links, directed=False)[1].astype(np.int64)
    return parts


def _lifted(
    mesh: GroundMesh, group: NDArray[np.int64], flat: NDArray[np.float64], owner: NDArray[np.int64]
) -> NDArray[np.float64]:
    """(T, 3, 3) triangles in plan, counter-clockwise, at the ground's heights; `owner` (T,) are their pieces."""
    place, z = mesh.vertex.reshape(-1), mesh.corners[:, :, 2].reshape(-1)
    order = np.lexsort((z, place))
    fresh = np.r_[True, (np.diff(place[order]) != 0) | (np.diff(z[order]) > LEDGE)]
    step = np.empty(len(z), dtype=np.int64)
    step[order] = np.cumsum(fresh) - 1
    top = np.maximum.reduceat(z[order], np.flatnonzero(fresh))[step]
    count = int(place.max()) + 1
    address = np.repeat(group, 3) * count + place
    order = np.lexsort((top, address))
    last = np.flatnonzero(np.r_[np.diff(address[order]) != 0, True])
    known, heights = address[order][last], top[order][last]
    xy = np.zeros((count, 2))
    xy[place] = mesh.corners[:, :, :2].reshape(-1, 2)
    asked = owner[:, None] * count + _places(xy, flat)
    u, v = flat[:, 1] - flat[:, 0], flat[:, 2] - flat[:, 0]
    made = np.dstack([flat, heights[np.searchsorted(known, asked)]])
    turned = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0] < 0.0
    made[turned] = made[turned][:, ::-1]
    return made


def _places(xy: NDArray[np.float64], flat: NDArray[np.float64]) -> NDArray[np.int64]:
    """(T, 3) the numbers of places (N, 2) at which corners (T, 3, 2) lie."""
    codes = np.round(np.concatenate([xy, flat.reshape(-1, 2)]) * LATTICE).astype(np.int64)
    one = codes[:, 0] * (1 << 31) + codes[:, 1]
    order = np.argsort(one[: len(xy)], kind="stable")
    found = order[np.searchsorted(one[: len(xy)][order], one[len(xy) :])]
    return found.reshape(-1, 3)
