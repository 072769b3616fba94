"""Boxes on a wall, many at once: what is fixed to facades is made of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from citysim.build.buildings.batch import Batch, Rgba
from citysim.build.buildings.paint.kit import Cell
from citysim.build.buildings.segments import Segment
from citysim.build.mesh import Detail

METRES = 4.0
# corners of each face as columns (u, z, out), 0 the lower and 1 the upper value, as `Batch.quad` wants them
FACES: dict[str, tuple[tuple[int, int, int], ...]] = {
    "f": ((0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)),
    "l": ((0, 0, 0), (0, 0, 1), (0, 1, 1), (0, 1, 0)),
    "r": ((1, 0, 1), (1, 0, 0), (1, 1, 0), (1, 1, 1)),
    "t": ((0, 1, 1), (1, 1, 1), (1, 1, 0), (0, 1, 0)),
    "d": ((0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1)),
    "b": ((1, 0, 0), (0, 0, 0), (0, 1, 0), (1, 1, 0)),
}
ACROSS = {"f": 0, "l": 2, "r": 2, "t": 0, "d": 0, "b": 0}  # which axis runs along the texture's u


@dataclass(frozen=True, slots=True)
class Paint:
    """What boxes are covered with: `cell` is the picture of the front face, without it metres count."""

    material: str
    color: Rgba
    detail: Detail = Detail.FINE
    cell: Cell | None = None


def boxes(batch: Batch, segment: Segment, spans: ArrayLike, paint: Paint, faces: str = "flrtd") -> None:
    """Add boxes given as rows (u0, u1, z0, z1, out0, out1): metres along, heights, metres in front of the wall.

    `faces`: f front, l left, r right, t top, d underside, b back.
    """
    rows = np.asarray(spans, dtype=np.float64).reshape(-1, 6)
    if not len(rows):
        return
    values = rows.reshape(-1, 3, 2)[:, (0, 1, 2), :]  # (N, axis u z out, low high)
    for face in faces:
        index = np.array(FACES[face])
        uzo = np.stack([values[:, axis, index[:, axis]] for axis in range(3)], axis=2)  # (N, 4, 3)
        if face == "f" and paint.cell is not None:
            left, top, right, bottom = paint.cell
            uv = np.broadcast_to(
                np.array([(left, bottom), (right, bottom), (right, top), (left, top)]), (len(rows), 4, 2)
            )
        else:
            level = face in "td"
            along = uzo[:, :, ACROSS[face]] / METRES
            up = -(uzo[:, :, 2] if level else uzo[:, :, 1]) / METRES
            uv = np.stack([along, up], axis=2)
        batch.quads(placed(segment, uzo), uv, paint.material, paint.color, paint.detail)


def placed(segment: Segment, uzo: NDArray[np.float64]) -> NDArray[np.float64]:
    """(..., 3) of (u, z, out) as local east, north, up."""
    length = segment.length
    (ax, ay), (bx, by), (nx, ny) = segment.a, segment.b, segment.normal
    u, z, out = uzo[..., 0], uzo[..., 1], uzo[..., 2]
    x = ax + (bx - ax) / length * u + nx * out
    y = ay + (by - ay) / length * u + ny * out
    return np.stack([x, y, z], axis=-1)


def sheets(
    batch: Batch,
    segment: Segment,
    corners: Sequence[Sequence[tuple[float, float, float]]],
    paint: Paint,
    metres: float = METRES,
    both: bool = False,
) -> None:
    """Add free quads given by four (u, z, out) each; `both` also from behind. Texture by metres or `paint.cell`."""
    uzo = np.asarray(corners, dtype=np.float64).reshape(-1, 4, 3)
    if not len(uzo):
        return
    if paint.cell is not None:
        left, top, right, bottom = paint.cell
        uv = np.broadcast_to(np.array([(left, bottom), (right, bottom), (right, top), (left, top)]), (len(uzo), 4, 2))
    else:
        wide = np.linalg.norm(uzo[:, 1] - uzo[:, 0], axis=1) / metres
        high = np.linalg.norm(uzo[:, 3] - uzo[:, 0], axis=1) / metres
        zero = np.zeros(len(uzo))
        uv = np.stack([zero, high, wide, high, wide, zero, zero, zero], axis=1).reshape(-1, 4, 2)
    points = placed(segment, uzo)
    batch.quads(points, uv, paint.material, paint.color, paint.detail)
    if both:
        turn = [1, 0, 3, 2]
        batch.quads(points[:, turn], uv[:, turn], paint.material, paint.color, paint.detail)
