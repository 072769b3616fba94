"""Cuts a draft's triangles into a grid of cells with up to three levels of detail."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.build.gltf import MeshPart
from citysim.build.mesh import LATTICE, LEVELS, Part

CELL_M = 150
NAMES = ("fine", "middle", "coarse")
ERRORS_M = (0.0, 0.6, 2.0)  # what is left out: door frames and sills; balconies and furniture
SMALLEST_M = (0.0, 0.3, 1.2)  # things with a smaller extent are left out of a level
UV_STEPS = 16384.0  # texture coordinates are multiples of this fraction: the last bits of libm do not reach the files


@dataclass(frozen=True, slots=True)
class Level:
    """What a cell shows at one distance, and how far (metres) that is off what really stands there."""

    name: str  # fine, middle, coarse
    error: float
    parts: list[MeshPart]


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of the grid; `origin` is its middle in local metres, `levels` the finest first, no two alike."""

    column: int
    row: int
    origin: tuple[float, float, float]
    levels: list[Level]


@dataclass(frozen=True, slots=True)
class Soup:
    """All triangles of a draft in flat arrays; `material` indexes `names`."""

    positions: NDArray[np.float64]  # (V, 3)
    uvs: NDArray[np.float64]
    colors: NDArray[np.uint8]
    labels: NDArray[np.int32]  # (V,)
    triangles: NDArray[np.int64]  # (T, 3)
    material: NDArray[np.int32]  # (T,)
    detail: NDArray[np.int8]  # (T,)
    names: list[str]


def soup_of(parts: list[Part]) -> Soup:
    """Concatenate parts in their order."""
    names = list(dict.fromkeys(part.material for part in parts))
    number = {name: index for index, name in enumerate(names)}
    vertices = np.array([len(part.positions) for part in parts], dtype=np.int64)
    faces = np.array([len(part.triangles) for part in parts], dtype=np.int64)
    triangles = _stack([part.triangles for part in parts], 3, np.int64)
    triangles += np.repeat(np.cumsum(vertices) - vertices, faces)[:, None]
    return Soup(
        positions=_stack([part.positions for part in parts], 3, np.float64),
        uvs=_stack([part.uvs for part in parts], 2, np.float64),
        colors=_stack([part.colors for part in parts], 4, np.uint8),
        labels=np.repeat(np.array([part.label for part in parts], np.int32), vertices),
        triangles=triangles,
        material=np.repeat(np.array([number[part.material] for part in parts], np.int32), faces),
        detail=np.repeat(np.array([part.detail for part in parts], np.int8), faces),
        names=names,
    )


def cut(soup: Soup, bounds: tuple[float, float, float, float] | None = None) -> list[Cell]:
    """Cells ordered by row and column; a triangle goes whole to the cell of its centroid.

    What lies beyond `bounds` (e0, n0, e1, n1), a picture to look at, goes to no more than eight cells around them.

    All levels are made of the same triangles, left out or replaced as a whole, so that neighbouring cells meet without
    a crack whatever their levels are.
    """
    if not len(soup.triangles):
        return []
    lattice = np.round(soup.positions[:, :2] * LATTICE).astype(np.int64)
    # in whole lattice steps, so that no rounding decides to which cell a triangle goes
    thrice = lattice[soup.triangles].sum(axis=1)
    cells = thrice // int(3 * CELL_M * LATTICE)
    if bounds is not None:
        _gather(cells, thrice, bounds)
    order = np.lexsort((soup.material, cells[:, 0], cells[:, 1]))
    grid = cells[order]
    starts = np.flatnonzero(np.r_[True, (np.diff(grid, axis=0) != 0).any(axis=1)])
    shown = _levels(soup)
    found = []
    for start, end in zip(starts, [*starts[1:], len(order)], strict=True):
        chosen = order[start:end]
        column, row = (int(v) for v in grid[start])
        origin = ((column + 0.5) * CELL_M, (row + 0.5) * CELL_M, 0.0)
        picks = [chosen[level[chosen]] for level in shown]
        if not len(picks[0]):  # stand-ins for things of other cells: with nothing to replace them they would stay
            continue
        levels = [Level(NAMES[0], ERRORS_M[0], parts_of(soup, picks[0], origin))]
        for k in (1, 2):
            if len(picks[k]) and not np.array_equal(picks[k], picks[k - 1]):
                levels.append(Level(NAMES[k], ERRORS_M[k], parts_of(soup, picks[k], origin)))
        found.append(Cell(column, row, origin, levels))
    return found


def _gather(cells: NDArray[np.int64], thrice: NDArray[np.int64], bounds: tuple[float, float, float, float]) -> None:
    """Put what lies more than half a metre beyond the bounds into cells around them: one a side, one a corner."""
    first = [int((bounds[k] + 0.5) // CELL_M) for k in range(2)]
    last = [int((bounds[k + 2] - 0.5) // CELL_M) for k in range(2)]
    low = thrice < np.array([int(3 * (bounds[k] - 0.5) * LATTICE) for k in range(2)])
    high = thrice > np.array([int(3 * (bounds[k + 2] + 0.5) * LATTICE) for k in range(2)])
    out = (low | high).any(axis=1)
    for k in range(2):
        middle = (first[k] + last[k]) // 2
        cells[out, k] = np.where(low[out, k], first[k] - 1, np.where(high[out, k], last[k] + 1, middle))


def _levels(soup: Soup) -> list[NDArray[np.bool_]]:
    """Which triangles each level shows, by what they were made for and by the extent of the thing they belong to."""
    labels = soup.labels[soup.triangles[:, 0]]
    extent = np.full(int(labels.max(initial=0)) + 1, np.inf)
    for label, (e0, n0, u0, e1, n1, u1) in label_bounds(soup).items():
        extent[label] = max(e1 - e0, n1 - n0, u1 - u0)
    size = extent[labels]
    return [np.isin(soup.detail, kinds) & (size >= least) for kinds, least in zip(LEVELS, SMALLEST_M, strict=True)]


def parts_of(soup: Soup, chosen: NDArray[np.int64], origin: tuple[float, float, float]) -> list[MeshPart]:
    """The chosen triangles, one part a material in the order of first use, unused vertices left out."""
    parts = []
    rank = np.argsort(soup.material[chosen], kind="stable")
    chosen = chosen[rank]
    starts = np.flatnonzero(np.r_[True, np.diff(soup.material[chosen]) != 0][: len(chosen)])
    for start, end in zip(starts, [*starts[1:], len(chosen)], strict=True):
        faces = soup.triangles[chosen[start:end]]
        material = soup.material[chosen[start]]
        used, renumbered = np.unique(faces.reshape(-1), return_inverse=True)
        parts.append(
            MeshPart(
                material=soup.names[int(material)],
                positions=(soup.positions[used] - np.array(origin)).astype(np.float32),
                uvs=(np.round(soup.uvs[used] * UV_STEPS) / UV_STEPS + 0.0).astype(np.float32),
                colors=soup.colors[used],
                labels=soup.labels[used],
                triangles=renumbered.reshape(-1, 3).astype(np.int32),
            )
        )
    return parts


def label_bounds(soup: Soup) -> dict[int, tuple[float, float, float, float, float, float]]:
    """Bounds (min e, n, u, max e, n, u) of everything with a label, by label."""
    corners = soup.triangles.reshape(-1)
    labels = soup.labels[corners]
    order = np.argsort(labels, kind="stable")
    points = soup.positions[corners[order]]
    if not len(points):
        return {}
    starts = np.flatnonzero(np.r_[True, np.diff(labels[order]) != 0])
    low, high = np.minimum.reduceat(points, starts), np.maximum.reduceat(points, starts)
    names = labels[order][starts].tolist()
    return {name: (*a, *b) for name, a, b in zip(names, low.tolist(), high.tolist(), strict=True) if name > 0}


def _stack(arrays: list[NDArray[Any]], width: int, dtype: type) -> NDArray[Any]:
    return np.concatenate(arrays).astype(dtype) if arrays else np.zeros((0, width), dtype)
