"""Budget: how many triangles a city may have at its finest level, and what is left out where there are more."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from citysim.build.draft import CityDraft
from citysim.build.mesh import Detail, Part

MOST = 500_000  # triangles of a city of `AREA` or less; larger ones may have more in proportion
AREA = 600.0 * 600.0  # square metres
LEAST_HEIGHT = 3.0  # metres above a building's foot: relief below is beside those who walk
AWAY = 8.0  # metres from a wall to those who look at it
EYES = 1.6  # metres
TOP = 0.5  # cosine between a triangle's normal and the vertical from which it is the top of something
RELIEF = ("plain/", "kit/")  # materials of what is fixed to closed walls; what else is fine may close an opening
SAME = 0.002  # metres between heights that are one


def keep_within(draft: CityDraft, most: int = MOST) -> int:
    """Leave out the least visible relief of buildings until the finest level has at most `most` triangles a 600 m
    square; returns how many triangles went. Nothing changes within the budget.

    Only triangles of the finest level alone go, of mouldings, sills, shutters and air conditioners from 3 m above a
    building's foot: first tops, which nobody in the street sees, then by the solid angle at which the street sees
    them, the smallest first. Both halves of a rectangle go together. When all of them are not enough, a line in
    `draft.warnings` says so.
    """
    e0, n0, e1, n1 = draft.plan.bounds
    limit = int(most * max(1.0, (e1 - e0) * (n1 - n0) / AREA))
    over = draft.mesh.triangle_count - limit
    if over <= 0:
        return 0
    feet = {thing.id: thing.bounds[2] for thing in draft.objects if thing.category == "building"}
    roofs: dict[int, set[float]] = {}
    for part in draft.mesh.parts:
        if part.detail == Detail.COARSE and part.label in feet:
            roofs.setdefault(part.label, set()).update(np.unique(part.positions[:, 2]).tolist())
    rows = [
        (number, _seen(part, feet[part.label], np.array(sorted(roofs.get(part.label, ())))))
        for number, part in enumerate(draft.mesh.parts)
        if part.detail == Detail.FINE and part.label in feet and part.material.startswith(RELIEF)
    ]
    seen = np.concatenate([np.zeros(0), *(row for _, row in rows)])
    free = np.sort(seen[np.isfinite(seen)])
    if len(free) < over:
        draft.warnings.append(f"{limit + over - len(free)} triangles, more than the budget of {limit}")
    upto = float(free[min(over, len(free)) - 1]) if len(free) else -1.0
    parts, gone = draft.mesh.parts, 0
    for number, row in rows:
        stays = row > upto
        gone += int(np.count_nonzero(~stays))
        parts[number] = replace(parts[number], triangles=parts[number].triangles[stays])
    parts[:] = [part for part in parts if len(part.triangles)]
    draft.warnings.append(f"{gone} triangles of relief left out, of {limit + over}: the budget is {limit}")
    return gone


def _seen(part: Part, foot: float, roofs: NDArray[np.float64]) -> NDArray[np.float64]:
    """(T,) how large triangles look from the street, in square metres at 1 m; infinite for those that must stay.

    `roofs` are the heights of simple stand-ins: what reaches up to one is the inside of a parapet, say.
    """
    a, b, c = (part.positions[part.triangles[:, k]] for k in range(3))
    (ux, uy, uz), (vx, vy, vz) = (b - a).T, (c - a).T
    x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    size = np.sqrt(x * x + y * y + z * z)
    corners = np.stack([a[:, 2], b[:, 2], c[:, 2]])
    low, high = corners.min(axis=0) - foot, corners.max(axis=0) - foot
    # rounded, and by extremes that both halves of a rectangle share: they must come out alike
    rise = np.round((low + high) / 2.0 - EYES, 2)
    area = np.where(z > TOP * size, 0.0, np.round(size / 2.0, 4))
    stays = (np.abs(corners.max(axis=0)[:, None] - roofs) < SAME).any(axis=1)
    return np.where((low >= LEAST_HEIGHT) & ~stays, area / (AWAY * AWAY + rise * rise), np.inf)
