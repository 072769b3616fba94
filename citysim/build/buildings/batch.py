"""Batch: gathers the triangles of one building so that each look becomes a single mesh part."""

from collections.abc import Sequence

from citysim.build.mesh import Detail, MeshBuilder

Xyz = tuple[float, float, float]
Uv = tuple[float, float]
Rgba = tuple[int, int, int, int]


class _Pile:
    """Growing vertex and face lists of one (material, detail)."""

    def __init__(self) -> None:
        self.points: list[Xyz] = []
        self.uvs: list[Uv] = []
        self.colors: list[Rgba] = []
        self.faces: list[tuple[int, int, int]] = []


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

    def flush(self) -> None:
        """Move everything into the mesh, in a stable order."""
        for (material, detail), pile in sorted(self._piles.items()):
            self.mesh.add(pile.points, pile.faces, pile.uvs, material, self.label, detail, pile.colors)
        self._piles.clear()
