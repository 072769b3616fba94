"""Cuts a draft's triangles into a grid of cells with two levels of detail."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.build.gltf import MeshPart
from citysim.build.mesh import LATTICE, Detail, Part

CELL_M = 150
UV_STEPS = 16384.0  # texture coordinates are multiples of this fraction: the last bits of libm do not reach the files


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of the grid; `origin` is its middle in local metres, `coarse` None where both levels are the same."""

    column: int
    row: int
    origin: tuple[float, float, float]
    fine: list[MeshPart]
    coarse: list[MeshPart] | None


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


def cut(soup: Soup) -> list[Cell]:
    """Cells ordered by row and column; a triangle goes whole to the cell of its centroid."""
    if not len(soup.triangles):
        return []
    lattice = np.round(soup.positions[:, :2] * LATTICE).astype(np.int64)
    # in whole lattice steps, so that no rounding decides to which cell a triangle goes
    cells = lattice[soup.triangles].sum(axis=1) // int(3 * CELL_M * LATTICE)
    order = np.lexsort((cells[:, 0], cells[:, 1]))
    grid = cells[order]
    starts = np.flatnonzero(np.r_[True, (np.diff(grid, axis=0) != 0).any(axis=1)])
    found = []
    for start, end in zip(starts, [*starts[1:], len(order)], strict=True):
        chosen = order[start:end]
        column, row = (int(v) for v in grid[start])
        origin = ((column + 0.5) * CELL_M, (row + 0.5) * CELL_M, 0.0)
        detail = soup.detail[chosen]
        fine = parts_of(soup, chosen[detail != Detail.COARSE], origin)
        if not fine:  # stand-ins for things of other cells: with nothing to replace them they would stay in view
            continue
        levels = bool((detail != Detail.ALL).any())
        coarse = parts_of(soup, chosen[detail != Detail.FINE], origin) if levels else None
        found.append(Cell(column, row, origin, fine, coarse))
    return found


def parts_of(soup: Soup, chosen: NDArray[np.int64], origin: tuple[float, float, float]) -> list[MeshPart]:
    """The chosen triangles, one part a material in the order of first use, unused vertices left out."""
    parts = []
    for material in np.unique(soup.material[chosen]):
        faces = soup.triangles[chosen[soup.material[chosen] == material]]
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
