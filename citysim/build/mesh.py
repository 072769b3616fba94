"""MeshBuilder: collects triangles from all builders before they are cut into tiles."""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import ArrayLike, NDArray

from citysim.errors import InputError

LATTICE = 1024.0  # positions are multiples of 1/1024 m: exact in float32 within 16 km, equal on every machine


class Detail(IntEnum):
    """In which of the three levels a triangle is drawn. Physics uses the finest level: ALL, FINE and MIDDLE."""

    ALL = 0  # every level: ground, walls, roofs
    FINE = 1  # only near: furniture, relief, doors
    COARSE = 2  # middle and far: a simple stand-in for FINE triangles
    MIDDLE = 3  # near and middle: canopies, balconies, what stands on roofs
    FAR = 4  # only far: a simple stand-in for MIDDLE triangles
    BETWEEN = 5  # only in the middle: stands in for FINE triangles, and FAR triangles for it


FINEST = (Detail.ALL, Detail.FINE, Detail.MIDDLE)  # what belongs to the levels, the finest first
LEVELS = (
    FINEST,
    (Detail.ALL, Detail.MIDDLE, Detail.COARSE, Detail.BETWEEN),
    (Detail.ALL, Detail.COARSE, Detail.FAR),
)


@dataclass(frozen=True, slots=True)
class Part:
    """One batch of triangles of one material and label; see MeshBuilder.add."""

    positions: NDArray[np.float64]
    triangles: NDArray[np.int32]
    uvs: NDArray[np.float64]
    colors: NDArray[np.uint8]
    material: str
    label: int
    detail: Detail


def snap(points: ArrayLike) -> NDArray[np.float64]:
    """The nearest points of the 1/1024 m lattice."""
    return np.round(np.asarray(points, dtype=np.float64) * LATTICE) / LATTICE


class MeshBuilder:
    """An append-only list of parts."""

    def __init__(self) -> None:
        self.parts: list[Part] = []

    def add(
        self,
        positions: ArrayLike,
        triangles: ArrayLike,
        uvs: ArrayLike | None,
        material: str,
        label: int = 0,
        detail: Detail = Detail.ALL,
        color: ArrayLike = (255, 255, 255, 255),
    ) -> None:
        """Add triangles.

        positions (V, 3) local metres, snapped to the lattice here; triangles (T, 3) counter-clockwise from outside;
        uvs (V, 2) in texture units (metres divided by the texture's size), None for zeros; `material` a name in
        CityDraft.materials; `label` an object id; color (4,) or (V, 4) uint8. Triangles that collapse are dropped.
        """
        points = snap(positions).reshape(-1, 3)
        faces = np.asarray(triangles, dtype=np.int32).reshape(-1, 3)
        if not np.isfinite(points).all():
            raise InputError(
                "finite positions", f"NaN or infinity in a part of {material!r}", "checking the builder's input"
            )
        a = points[faces[:, 0]]
        (ux, uy, uz), (vx, vy, vz) = (points[faces[:, 1]] - a).T, (points[faces[:, 2]] - a).T
        x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx  # far quicker than np.cross for few triangles
        solid = x * x + y * y + z * z > 1e-14
        if not solid.all():
            faces = faces[solid]
        if not len(faces):
            return
        coordinates = np.zeros((len(points), 2)) if uvs is None else np.asarray(uvs, dtype=np.float64).reshape(-1, 2)
        tint = np.empty((len(points), 4), dtype=np.uint8)
        tint[:] = color
        self.parts.append(Part(points, faces, coordinates, tint, material, int(label), detail))

    def quad(
        self,
        corners: ArrayLike,
        material: str,
        label: int = 0,
        detail: Detail = Detail.ALL,
        uv: tuple[float, float, float, float] = (0.0, 0.0, 1.0, 1.0),
        color: ArrayLike = (255, 255, 255, 255),
    ) -> None:
        """Add a quad by (4, 3) corners: lower left, lower right, upper right, upper left as seen from outside.

        `uv` is (left, top, right, bottom) in texture units, glTF's v pointing down.
        """
        left, top, right, bottom = uv
        uvs = [(left, bottom), (right, bottom), (right, top), (left, top)]
        self.add(corners, [(0, 1, 2), (0, 2, 3)], uvs, material, label, detail, color)

    @property
    def triangle_count(self) -> int:
        """Triangles in the finest level."""
        return sum(len(p.triangles) for p in self.parts if p.detail in FINEST)
