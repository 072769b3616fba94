"""Solids: small bodies that streets are furnished with: walls along lines, sheets, boxes."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from citysim.build.draft import CityDraft
from citysim.build.looks import look
from citysim.build.mesh import Detail


def ribbon(
    draft: CityDraft,
    outer: NDArray[np.float64],
    inner: NDArray[np.float64],
    foot: NDArray[np.float64],
    top: NDArray[np.float64],
    name: str,
    label: int = 0,
    flip: bool = False,
    detail: Detail = Detail.ALL,
    closed: bool = True,
    bottom: bool = False,
) -> None:
    """A wall between two parallel lines (K, 2) from `foot` to `top` (K,): both sides, the top and (closed) its ends.

    With `bottom` its lower side too, for what does not stand on anything.

    `outer` lies to the right of the walking direction; with `flip` to the left.
    """
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(outer, axis=0).T))])
    sheet(draft, outer, foot, top, name, label, detail, along, two_sided=False, flip=flip)
    sheet(draft, inner, foot, top, name, label, detail, along, two_sided=False, flip=not flip)
    style = look(draft, name)
    count = len(outer)
    points = np.concatenate([np.column_stack([outer, top]), np.column_stack([inner, top])])
    width = float(np.hypot(*(outer[0] - inner[0])))
    uvs = np.column_stack([np.tile(along, 2) / style.metres[0], np.repeat([0.0, width / style.metres[1]], count)])
    base = np.arange(count - 1)
    quads = np.column_stack([base, base + 1, base + 1 + count, base + count])
    _quads(draft, points, quads, uvs, style.material, label, detail, flip)
    if bottom:
        under = np.concatenate([np.column_stack([outer, foot]), np.column_stack([inner, foot])])
        _quads(draft, under, quads, uvs, style.material, label, detail, not flip)
    if closed:
        for end, turn in ((0, flip), (count - 1, not flip)):
            corners = [
                (*outer[end], foot[end]),
                (*outer[end], top[end]),
                (*inner[end], top[end]),
                (*inner[end], foot[end]),
            ]
            rise = float(top[end] - foot[end]) / style.metres[1]
            uvs = np.array([(0, 0), (0, -rise), (width / style.metres[0], -rise), (width / style.metres[0], 0)])
            _quads(draft, np.array(corners), np.array([[0, 1, 2, 3]]), uvs, style.material, label, detail, turn)


def sheet(
    draft: CityDraft,
    line: NDArray[np.float64],
    foot: NDArray[np.float64],
    top: NDArray[np.float64],
    name: str,
    label: int = 0,
    detail: Detail = Detail.ALL,
    along: NDArray[np.float64] | None = None,
    two_sided: bool = True,
    flip: bool = False,
) -> None:
    """A standing surface over a line (K, 2), seen from its right side (left with `flip`), or from both."""
    style = look(draft, name)
    if along is None:
        along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    count = len(line)
    points = np.concatenate([np.column_stack([line, foot]), np.column_stack([line, top])])
    u = np.tile(along, 2) / style.metres[0]
    fit = style.metres[1]
    uvs = np.column_stack([u, np.concatenate([1.0 - np.zeros(count), 1.0 - (top - foot) / fit])])
    base = np.arange(count - 1)
    quads = np.column_stack([base, base + 1, base + 1 + count, base + count])
    _quads(draft, points, quads, uvs, style.material, label, detail, flip)
    if two_sided:
        _quads(draft, points, quads, uvs, style.material, label, detail, not flip)


def box(
    draft: CityDraft, low: ArrayLike, high: ArrayLike, name: str, label: int = 0, detail: Detail = Detail.ALL
) -> None:
    """An upright box between two opposite corners (3,), with a bottom."""
    (x0, y0, z0), (x1, y1, z1) = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
    style = look(draft, name)
    ring = np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)])
    sheet(draft, ring, np.full(5, z0), np.full(5, z1), name, label, detail, two_sided=False)
    for z, turn in ((z1, False), (z0, True)):
        points = np.column_stack([ring[:4], np.full(4, z)])
        _quads(
            draft, points, np.array([[0, 1, 2, 3]]), points[:, :2] / style.metres, style.material, label, detail, turn
        )


def _quads(
    draft: CityDraft,
    points: NDArray[np.float64],
    quads: NDArray[np.int64],
    uvs: NDArray[np.float64],
    material: str,
    label: int,
    detail: Detail,
    flip: bool,
) -> None:
    triangles = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    draft.mesh.add(points, triangles[:, ::-1] if flip else triangles, uvs, material, label, detail)
