"""Plots: which ground beyond the edge carries houses, which trees, so that streets seem to go on."""

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from citysim.build.chance import Chance
from citysim.build.draft import CityDraft
from citysim.build.streets.rim import GREEN, ROAD, WALK, WATER, RimSide, Run
from citysim.build.surroundings.houses import raise_house
from citysim.build.surroundings.manners import Manner
from citysim.build.surroundings.pictures import TREELINE, TREES, register

REACH = 130.0  # metres to which ground and streets go on
CLOSED = 104.0  # metres after which a house closes a street
PAVED = 3.6  # metres between a carriageway and the houses along it
BESIDE = (2.0, 9.0)  # by which that house is wider than the street with its pavements, on either side
AWAY = 2.5  # metres from the edge to the first houses
DEEP = (16.0, 24.0)  # depths of plots
GAP = 0.25  # metres between houses
THIN = 9.0  # metres: narrower ground between two streets carries nothing
Height = Callable[[float], float]


def build_plots(draft: CityDraft, side: RimSide, height: Height, corner: bool, manner: Manner, chance: Chance) -> None:
    """Houses and trees beyond one side, and (`corner`) beyond the corner at its end.

    `height` is that of the ground at metres along the side.
    """
    roads = [r for r in side.runs if r.kind == ROAD]
    for k, road in enumerate(_together(roads)):
        if road.end - road.start < 60.0:
            _close(draft, side, road, height, manner, chance.child(f"end/{k}"))
    marks = [(-REACH, -REACH), *((r.start, r.end) for r in roads), (side.length + REACH, side.length + REACH)]
    for k, ((_, a), (b, _)) in enumerate(pairwise(marks)):
        low = max(a + PAVED, 0.0) if a >= 0.0 else 0.0
        high = min(b - PAVED, side.length + (CLOSED if corner else 0.0))
        if high - low > THIN:
            _block(draft, side, (low, high), height, manner, chance.child(f"block/{k}"))


def _together(roads: list[Run]) -> list[Run]:
    """Roads so near each other that one house closes both."""
    found: list[Run] = []
    for road in roads:
        if found and road.start - found[-1].end < 2 * (PAVED + BESIDE[1]):
            found[-1] = Run(found[-1].start, road.end, ROAD)
        else:
            found.append(road)
    return found


def _block(
    draft: CityDraft, side: RimSide, span: tuple[float, float], height: Height, manner: Manner, chance: Chance
) -> None:
    """Rows of houses between two streets: along the edge and along both streets; some towers in between."""
    out, row = AWAY, 0
    while out + DEEP[1] < CLOSED:
        here = chance.child(row)
        deep = here.uniform(*DEEP, "deep")
        at, k = span[0], 0
        while at < span[1] - 1.0:
            lot = here.child(k)
            wide = lot.uniform(*manner.wide, "wide")
            end = span[1] if span[1] - at - wide < manner.wide[0] * 0.7 else at + wide
            kind = _kind(side.runs, (at + end) / 2)
            outer = at == span[0] or end == span[1]
            if kind == GREEN or (kind != WATER and lot.unit("green") < manner.greens):
                if row in (0, 2) or (row and lot.unit("more") < 0.3):
                    trees(draft, side, (at, end), out + 2.0 + 6.0 * lot.unit("off"), height)
            elif kind != WATER and (row == 0 or outer or lot.unit("behind") < 0.3):
                tall = manner.houses if row == 0 or outer else manner.towers
                z = height((at + end) / 2)
                corners = np.array(
                    [
                        side.at(s, o)
                        for s, o in (
                            (at + GAP, out + deep - GAP),
                            (end - GAP, out + deep - GAP),
                            (end - GAP, out),
                            (at + GAP, out),
                        )
                    ]
                )
                raise_house(draft, corners, z, lot.uniform(*tall, "tall"), manner, lot)
            at, k = end, k + 1
        out += deep + (0.5 if row % 2 == 0 else 7.0)
        row += 1


def _close(draft: CityDraft, side: RimSide, road: Run, height: Height, manner: Manner, chance: Chance) -> None:
    """A house across the end of a street that goes on."""
    out = CLOSED + chance.uniform(0.0, 8.0, "out")
    a, b = road.start - PAVED - chance.uniform(*BESIDE, "a"), road.end + PAVED + chance.uniform(*BESIDE, "b")
    corners = np.array([side.at(s, o) for s, o in ((a, out + 16.0), (b, out + 16.0), (b, out), (a, out))])
    low, high = manner.houses
    raise_house(draft, corners, height((a + b) / 2), chance.uniform((low + high) / 2, high, "tall"), manner, chance)


def trees(draft: CityDraft, side: RimSide, span: tuple[float, float], out: float, height: Height) -> None:
    """A row of trees parallel to the edge."""
    a, b = side.at(span[0], out), side.at(span[1], out)
    z = min(height(span[0]), height(span[1])) - 0.3
    shift = (span[0] * 0.37 + out * 0.11) % 1.0
    tall = TREES[1] * (1.0 + 0.25 * shift)
    draft.mesh.quad([(*a, z), (*b, z), (*b, z + tall), (*a, z + tall)], register(draft, TREELINE),
                    uv=(shift, 0.0, shift + (span[1] - span[0]) / TREES[0], 1.0))  # fmt: skip


def _kind(runs: tuple[Run, ...], at: float) -> str:
    found = next((r for r in runs if r.start <= at <= r.end), runs[-1])
    return "built" if found.kind == WALK else found.kind
