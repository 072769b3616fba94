"""Far away: towers and hills that end every view, paled by the air between."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from citysim.build.chance import Chance
from citysim.build.draft import CityDraft
from citysim.build.looks import look
from citysim.build.streets.rim import WATER, RimSide
from citysim.build.surroundings.houses import raise_house
from citysim.build.surroundings.manners import Manner

LAND, SHORE = 330.0, 860.0  # metres to the hills beyond land and beyond water
BEFORE = 0.45  # of that distance at which towers begin
APART = 42.0  # metres between two towers
STEP = 60.0  # metres between points of the crest
SLOPE = 1.6  # metres to the crest for a metre of its height
DEPTH = 12.0  # metres below the edge at which hills begin
PALE = 0.42
HAZE = (166, 180, 190, 255)


def distances(sides: list[RimSide]) -> list[float]:
    """How far from each side the hills are."""
    wet = [sum(r.end - r.start for r in s.runs if r.kind == WATER) / s.length for s in sides]
    return [SHORE if share > 0.5 else LAND for share in wet]


def raise_far(draft: CityDraft, sides: list[RimSide], foot: float, manner: Manner, chance: Chance) -> None:
    """Towers beyond each side and a ring of hills around all; `foot` is the lowest height of the edge."""
    reach = distances(sides)
    for k, side in enumerate(sides):
        _skyline(draft, side, reach[k], (reach[k - 1], reach[(k + 1) % 4]), foot, manner, chance.child(f"towers/{k}"))
    _hills(draft, sides, reach, foot - DEPTH, manner, chance.child("hills"))


def _skyline(
    draft: CityDraft, side: RimSide, reach: float, beside: tuple[float, float], foot: float, manner: Manner,
    chance: Chance,
) -> None:  # fmt: skip
    across = reach == SHORE
    start, end = -0.6 * beside[0], side.length + 0.6 * beside[1]
    for k in range(int((end - start) / APART)):
        here = chance.child(k)
        if here.unit("any") > manner.many * 0.8:
            continue
        out = reach * (here.uniform(0.9, 0.98, "out") if across else here.uniform(BEFORE, 0.95, "out"))
        wide, deep = here.uniform(16.0, 30.0, "wide"), here.uniform(16.0, 26.0, "deep")
        at = start + APART * k + (APART - wide - 2.0) * here.unit("at")
        corners = np.array([side.at(s, o) for s, o in (
            (at, out + deep), (at + wide, out + deep), (at + wide, out), (at, out))])  # fmt: skip
        tall = here.uniform(*manner.skyline, "tall") * (0.5 + 0.5 * here.unit("low"))
        raise_house(draft, corners, foot, tall, manner, here, fronts=False, pale=PALE)


def _hills(
    draft: CityDraft, sides: list[RimSide], reach: list[float], foot: float, manner: Manner, chance: Chance
) -> None:
    """Two bands of slope around the world: up to half of the crest, and to the crest."""
    low: list[tuple[float, float]] = []
    out: list[tuple[float, float]] = []
    for k, side in enumerate(sides):
        before, after = reach[k - 1], reach[(k + 1) % 4]
        start, end = -before, side.length + after
        count = round((end - start) / STEP)
        for n in range(count):
            low.append(side.at(start + (end - start) * n / count, reach[k]))
            out.append((side.way[1], -side.way[0]))
    feet, ways = np.array(low), np.array(out)
    total = len(feet)
    ways = (ways + np.roll(ways, 1, axis=0) + np.roll(ways, -1, axis=0)) / 3.0
    crest = _crest(total, manner, chance)
    rings = []
    for share, jitter in ((0.0, 0.0), (0.5, 0.22), (1.0, 0.0)):
        rise = crest * share * np.array([1.0 + jitter * (chance.unit(f"{share}/{k}") - 0.5) for k in range(total)])
        ring = feet + ways * (crest * share * SLOPE)[:, None]
        rings.append(np.column_stack([ring, foot + rise + (DEPTH if share else 0.0)]))
    style = look(draft, "foliage")
    for inner, outer in pairwise(rings):
        points = np.concatenate([inner, outer])
        base = np.arange(total)
        onward = (base + 1) % total
        faces = np.concatenate([np.column_stack([base, base + total, onward + total]),
                                np.column_stack([base, onward + total, onward])])  # fmt: skip
        uvs = np.column_stack([np.tile(np.arange(total) * STEP, 2), points[:, 2]]) / 24.0
        draft.mesh.add(points, faces, uvs, style.material, color=HAZE)


def _crest(total: int, manner: Manner, chance: Chance) -> NDArray[np.float64]:
    """(total,) heights of the crest: waves of several lengths that close around the world."""
    found = np.zeros(total)
    for waves, strength in ((5, 0.55), (11, 0.3), (23, 0.15)):
        grid = np.array([chance.unit(f"{waves}/{k}") for k in range(waves)])
        at = np.arange(total) * waves / total
        low = np.floor(at).astype(np.intp)
        f = at - low
        f = f * f * (3.0 - 2.0 * f)
        found += strength * (grid[low % waves] * (1 - f) + grid[(low + 1) % waves] * f)
    return manner.hills[0] + (manner.hills[1] - manner.hills[0]) * found
