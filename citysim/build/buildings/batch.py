"""Batch: gathers the triangles of one building so that each look becomes a single mesh part."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.build.mesh import Detail, MeshBuilder

Xyz = tuple[float, float, float]
Uv = tuple[float, float]
Rgba = tuple[int, int, int, int]


class _Pile:
    """Growing vertex and face lists of one (material, detail), and whole arrays of them."""

    def __init__(self) -> None:
        self.points: list[Xyz] = []
        self.uvs: list[Uv] = []
        self.colors: list[Rgba] = []
        self.faces: list[tuple[int, int, int]] = []
        self.chunks: list[tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]] = []

    def merged(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
        """points, faces, uvs, colors of everything, what came one by one first."""
        parts = list(self.chunks)
        if self.points:
            alone = (np.array(self.points), np.array(self.faces), np.array(self.uvs), np.array(self.colors, np.uint8))
            parts.insert(0, alone)
        sizes = np.cumsum([0, *(len(p[0]) for p in parts)])
        faces = [p[1] + start for p, start in zip(parts, sizes, strict=False)]
        return (
            np.concatenate([p[0] for p in parts]),
            np.concatenate(faces),
            np.concatenate([p[2] for p in parts]),
            np.concatenate([p[3] for p in parts]),
        )


class Batch:
    """Triangles of one object; `flush` hands them to the city's mesh."""

    def __init__(self, mesh: MeshBuilder, label: int) -> None:
        self.mesh, self.label = mesh, label
        self._piles: dict[tuple[str, Detail], _Pile] = {}

    def add(
        self,
        points: Sequence[Xyz],
        faces: Sequence[tuple[int, int, int]],
        uvs: Sequence[Uv],
        material: str,
        color: Rgba,
        detail: Detail = Detail.ALL,
    ) -> None:
        """Add triangles, counter-clockwise from outside; uvs in texture units."""
        pile = self._piles.setdefault((material, detail), _Pile())
        first = len(pile.points)
        pile.points.extend(points)
        pile.uvs.extend(uvs)
        pile.colors.extend([color] * len(points))
        pile.faces.extend((a + first, b + first, c + first) for a, b, c in faces)

    def quad(
        self,
        corners: Sequence[Xyz],
        uvs: Sequence[Uv],
        material: str,
        color: Rgba,
        detail: Detail = Detail.ALL,
    ) -> None:
        """Add a quad: lower left, lower right, upper right, upper left as seen from outside."""
        self.add(corners, [(0, 1, 2), (0, 2, 3)], uvs, material, color, detail)

    def quads(
        self,
        corners: NDArray[np.float64],
        uvs: NDArray[np.float64],
        material: str,
        color: Rgba,
        detail: Detail = Detail.ALL,
    ) -> None:
        """Add many quads: corners (N, 4, 3) in the order of `quad`, uvs (N, 4, 2)."""
        count = len(corners)
        if not count:
            return
        faces = (np.arange(count) * 4)[:, None, None] + np.array([(0, 1, 2), (0, 2, 3)])[None]
        tint = np.broadcast_to(np.array(color, np.uint8), (4 * count, 4))
        pile = self._piles.setdefault((material, detail), _Pile())
        pile.chunks.append((corners.reshape(-1, 3), faces.reshape(-1, 3), uvs.reshape(-1, 2), tint))

    def flush(self) -> None:
        """Move everything into the mesh, in a stable order."""
        for (material, detail), pile in sorted(self._piles.items()):
            points, faces, uvs, colors = pile.merged()
            self.mesh.add(points, faces, uvs, material, self.label, detail, colors)
        self._piles.clear()
