"""Roofs: how high the flat top of a building is under something that stands on it."""

import numpy as np
from numpy.typing import NDArray

from citysim.build.draft import CityDraft
from citysim.build.mesh import FINEST
from citysim.build.plans import Xy

EVEN = 0.25  # metres that a roof may vary under one thing
SUNK = 0.06  # metres that feet go into it
REACHES = (0.0, 2.5, 5.0)  # metres aside where room is looked for
AROUND = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0), (1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0))


def roof_spot(
    draft: CityDraft, building: int, xy: Xy, footprint: tuple[float, float, float, float]
) -> tuple[float, float, float] | None:
    """The place on a building's roof nearest to `xy` where a footprint finds it flat, of a few tried; None for none."""
    for reach in REACHES:
        for dx, dy in AROUND if reach else ((0.0, 0.0),):
            at = (xy[0] + reach * dx, xy[1] + reach * dy)
            z = roof_height(draft, building, at, footprint)
            if z is not None:
                return (*at, z)
    return None


def roof_height(draft: CityDraft, building: int, xy: Xy, footprint: tuple[float, float, float, float]) -> float | None:
    """Height of a building's roof at the middle and corners of a footprint around `xy`; None where it is not flat."""
    parts = [p for p in draft.mesh.parts if p.label == building and p.detail in FINEST]
    if not parts:
        return None
    corners = np.concatenate([p.positions[p.triangles] for p in parts])
    x0, y0, x1, y1 = footprint
    found = []
    for dx, dy in ((0.0, 0.0), (x0, y0), (x1, y0), (x1, y1), (x0, y1)):
        top = _top(corners, (xy[0] + 0.9 * dx, xy[1] + 0.9 * dy))
        if top is None:
            return None
        found.append(top)
    return min(found) - SUNK if max(found) - min(found) < EVEN else None


def _top(corners: NDArray[np.float64], xy: Xy) -> float | None:
    """The highest of (N, 3, 3) triangles over a point."""
    flat = corners[:, :, :2]
    near = (flat.min(axis=1) <= xy).all(axis=1) & (flat.max(axis=1) >= xy).all(axis=1)
    a, b, c = (corners[near, k] for k in range(3))
    d = (b[:, 1] - c[:, 1]) * (a[:, 0] - c[:, 0]) + (c[:, 0] - b[:, 0]) * (a[:, 1] - c[:, 1])
    with np.errstate(divide="ignore", invalid="ignore"):
        u = ((b[:, 1] - c[:, 1]) * (xy[0] - c[:, 0]) + (c[:, 0] - b[:, 0]) * (xy[1] - c[:, 1])) / d
        v = ((c[:, 1] - a[:, 1]) * (xy[0] - c[:, 0]) + (a[:, 0] - c[:, 0]) * (xy[1] - c[:, 1])) / d
        z = u * a[:, 2] + v * b[:, 2] + (1.0 - u - v) * c[:, 2]
        inside = (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1.0 + 1e-9) & (np.abs(d) > 1e-9)
    return float(z[inside].max()) if inside.any() else None
