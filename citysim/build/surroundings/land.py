"""Land and sea beyond the edge: the ground goes on as it is there, as far as it is seen between houses."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from citysim.build.draft import CityDraft
from citysim.build.looks import look
from citysim.build.streets.rim import BUILT, GREEN, ROAD, WALK, WATER, RimSide
from citysim.build.surroundings.plots import REACH

PLAIN = 335.0  # metres to the hills beyond land
SEA = 900.0  # metres to which water goes on
STEP = 12.0  # metres along the edge between heights
LOOKS = {ROAD: "asphalt", WALK: "paving", BUILT: "asphalt_light", GREEN: "grass", WATER: "water"}
LOW = 0.02  # metres by which ground beyond lies lower, so that it never meets what is built at the edge
Heights = Callable[[NDArray[np.float64]], NDArray[np.float64]]


def lay_land(draft: CityDraft, side: RimSide, heights: Heights, corner: bool, foot: float, plain: str) -> None:
    """Ground beyond one side and, with `corner` where it is land, beyond the corner at its end.

    `heights` (N,) -> (N,) are those of the ground at metres along the side. Further out the look `plain` goes on, down
    to the height `foot`.
    """
    edges: list[tuple[float, float, str]] = []
    for run in side.runs:
        count = max(round((run.end - run.start) / (300.0 if run.kind == WATER else STEP)), 1)
        marks = np.linspace(run.start, run.end, count + 1).tolist()
        edges += [(a, b, run.kind) for a, b in pairwise(marks)]
    levels: list[tuple[float, float]] = []
    for a, b, kind in edges:
        inset = min(0.3, (b - a) / 4)
        z = heights(np.array([a + inset, b - inset])) - LOW
        level = (float(z.min()), float(z.min())) if kind == WATER else (float(z[0]), float(z[1]))
        if levels and edges[len(levels) - 1][2] != WATER and kind != WATER:
            level = (levels[-1][1], level[1])  # no crack between neighbours on land
        levels.append(level)
        _ground(draft, side, (a, b), level, kind)
        if kind != WATER:
            _plain(draft, side, (a, b), (a, b), level, foot, plain)
    for (one, two), ((_, x, left), (_, _, right)) in zip(pairwise(levels), pairwise(edges), strict=True):
        if (left == WATER) != (right == WATER):
            _quay(draft, side, x, (min(one[1], two[0]), max(one[1], two[0])), left == WATER)
    end, (last, kind) = side.length, (levels[-1][1], edges[-1][2])
    if corner:
        _ground(draft, side, (end, end + REACH), (last, last), BUILT if kind in (ROAD, WALK) else kind)
        _plain(draft, side, (end, end + REACH), (end, end + PLAIN), (last, last), foot, plain)
        # beyond the corner's other edge, which is the next side's
        p, q, r, t = (side.at(s, o) for s, o in ((end + REACH, 0.0), (end + REACH, REACH), (end + PLAIN, PLAIN),
                                                 (end + PLAIN, 0.0)))  # fmt: skip
        style = look(draft, plain)
        points = np.array([(*p, last), (*q, last), (*r, foot), (*t, foot)])
        draft.mesh.add(points, [(0, 1, 2), (0, 2, 3)], points[:, :2] / style.metres, style.material)
    elif kind == WATER:
        _ground(draft, side, (end, end + SEA), (last, last), WATER)


def _ground(draft: CityDraft, side: RimSide, span: tuple[float, float], z: tuple[float, float], kind: str) -> None:
    style = look(draft, LOOKS[kind])
    reach = SEA if kind == WATER else REACH
    outs = [0.0, SEA / 2, SEA] if kind == WATER else [0.0, reach]
    for near, far in pairwise(outs):
        points = np.array([(*side.at(s, o), h) for s, o, h in (
            (span[0], far, z[0]), (span[1], far, z[1]), (span[1], near, z[1]), (span[0], near, z[0]))])  # fmt: skip
        draft.mesh.add(points, [(0, 1, 2), (0, 2, 3)], points[:, :2] / style.metres, style.material)


def _plain(
    draft: CityDraft, side: RimSide, near: tuple[float, float], far: tuple[float, float], z: tuple[float, float],
    foot: float, name: str,
) -> None:  # fmt: skip
    """What lies between the ground that goes on and the hills."""
    style = look(draft, name)
    points = np.array([(*side.at(far[0], PLAIN), foot), (*side.at(far[1], PLAIN), foot),
                       (*side.at(near[1], REACH), z[1]), (*side.at(near[0], REACH), z[0])])  # fmt: skip
    draft.mesh.add(points, [(0, 1, 2), (0, 2, 3)], points[:, :2] / style.metres, style.material)


def _quay(draft: CityDraft, side: RimSide, at: float, z: tuple[float, float], water_first: bool) -> None:
    """The wall between land and water, seen from the water."""
    style = look(draft, "concrete")
    a, b = side.at(at, 0.0), side.at(at, REACH)
    if not water_first:
        a, b = b, a
    draft.mesh.quad([(*a, z[0]), (*b, z[0]), (*b, z[1]), (*a, z[1])], style.material,
                    uv=(0.0, 0.0, REACH / style.metres[0], (z[1] - z[0]) / style.metres[1]))  # fmt: skip
