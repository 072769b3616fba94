"""Row: one horizontal band of a wall; how a wall's height is divided into storeys."""

import math
from dataclasses import dataclass

from citysim.build.buildings.solid import BELOW, Solid
from citysim.build.buildings.strips import Strip
from citysim.build.buildings.style import Shares, Style
from citysim.build.chance import Chance

NEAR = 13.0  # metres above the street from which storeys are drawn in stacks
LEAST, MOST = 0.82, 1.22  # how far a strip may be stretched, within the 0.8-1.25 that looks right


@dataclass(frozen=True, slots=True)
class Row:
    """Band from z0 to z1 (local metres); `strip` None is blank wall. `storey` counts from the ground, -1 for none.

    `front` are the kinds of bays, with weights, of a ground floor that comes from a page of fronts.
    """

    z0: float
    z1: float
    strip: Strip | None
    storey: int = -1
    front: Shares = ()


def rows_of(solid: Solid, style: Style, shop: bool, chance: Chance, stacked: bool = True) -> list[Row]:
    """The bands of a solid's walls from its bottom to its eaves, without gaps.

    High up storeys come in stacks where the style has some, unless `stacked` is false.
    """
    bands: list[Row] = []
    at = solid.bottom
    if solid.grounded:
        bands += _plinth(at, solid.base, style)
        at = solid.base
    height = solid.eaves - at
    if style.nave is not None and "church" in style.name:
        return bands + _nave(at, height, style.nave)
    if style.embedded and style.fronts:
        return bands + _fronted(at, solid, style, shop, chance, stacked)
    ground = style.shop if shop else style.ground
    front = (style.shops if shop else style.homes) if style.fronts else ()
    if height < 2.6:
        return [*bands, Row(at, solid.eaves, None)] if height > 0.02 else bands
    storey = 0
    if solid.grounded:
        low = _ground_height(height, solid, style, ground)
        if low <= 0.0:
            single = height / style.uppers[0].height
            fits = LEAST <= single <= MOST
            return [*bands, Row(at, solid.eaves, style.uppers[0] if fits else None, 0)]
        bands.append(Row(at, at + low, None if front else ground, 0, front))
        at, storey = at + low, 1
    rest = solid.eaves - at
    nominal = style.uppers[0].height
    count = solid.plan.levels - storey if solid.plan.levels > storey and solid.grounded else 0
    if count <= 0 or not LEAST <= rest / count / nominal <= MOST:
        count = round(rest / nominal)
        if count and not LEAST <= rest / count / nominal <= MOST:
            count = math.floor(rest / nominal / LEAST)
    each = min(rest / count, nominal * MOST) if count else 0.0
    noble = chance.unit("noble") < 0.5
    for k in range(count):
        kind = style.uppers[-1] if k in ((0,) if noble else (0, count - 1)) else style.uppers[0]
        bands.append(Row(at, at + each, kind, storey + k))
        at += each
    if solid.eaves - at > 0.02:
        bands.append(Row(at, solid.eaves, None))
    elif bands:
        last = bands[-1]
        bands[-1] = Row(last.z0, solid.eaves, last.strip, last.storey)
    return bands


def _plinth(bottom: float, base: float, style: Style) -> list[Row]:
    """What shows below the ground floor on a slope: a blank foot, and storeys with windows where there is room."""
    nominal = style.uppers[0].height
    count = max(math.floor((base - bottom - BELOW) / nominal), 0)
    foot = base - count * nominal
    rows = [Row(bottom, foot, None)]
    return rows + [Row(foot + k * nominal, foot + (k + 1) * nominal, style.uppers[0], k - count) for k in range(count)]


def _fronted(at: float, solid: Solid, style: Style, shop: bool, chance: Chance, stacked: bool) -> list[Row]:
    """A ground floor of bays from the style's page, equal storeys, and the blank parapet."""
    bands: list[Row] = []
    top = solid.deck if solid.parapet else solid.eaves
    storey, floor = 0, style.floor
    if solid.grounded:
        low = min(style.ground_height, top - at)
        if low < 2.3:
            return [Row(at, solid.eaves, None)]
        if top - at - low < LEAST * floor:
            low = min(top - at, 1.4 * style.ground_height)
        bands.append(Row(at, at + low, None, 0, style.shops if shop else style.homes or style.shops))
        at, storey = at + low, 1
    count = round((top - at) / floor)
    nominal = style.uppers[0].height
    while count and (top - at) / count > MOST * nominal:
        count += 1
    while count and (top - at) / count < LEAST * nominal:
        count -= 1
    each = min((top - at) / count, MOST * nominal) if count else 0.0
    full = top - at - count * each < 0.02
    turn = chance.integer(0, len(style.uppers), "turn")
    every = chance.integer(3, 6, "every")
    pile = chance.choice(style.stacks, "stack") if style.stacks else ()
    uppers = pile[1:] if len(style.stacks) > 1 else style.uppers  # one of several skins, or storeys mixed at will
    turn = turn % len(uppers)
    k = 0
    while k < count:
        # The main kind of storey, others at the foot, at the head or every few storeys.
        other = k == count - 1 or (count > 4 and k % every == every - 1) or (k == 0 and chance.unit("noble") < 0.5)
        pick = uppers[(turn + 1) % len(uppers)] if other else uppers[turn]
        if stacked and pile and at - solid.base > NEAR and count - k >= pile[0].storeys:
            pick = pile[0]
        z1 = top if full and k + pick.storeys == count else at + pick.storeys * each
        bands.append(Row(at, z1, pick, storey + k))
        at, k = z1, k + pick.storeys
    if solid.eaves - at > 0.02:
        bands.append(Row(at, solid.eaves, None))
    return bands


def _ground_height(height: float, solid: Solid, style: Style, ground: Strip) -> float:
    """Height of the ground floor, 0 when the wall is too low for a ground-floor strip."""
    low, high = LEAST * ground.height, MOST * ground.height
    if height < low:
        return 0.0
    if height <= high:
        return height
    upper = style.uppers[0].height
    best = min(style.ground_height, high)
    if height - best < LEAST * upper:
        return min(high, height)
    count = max(1, solid.plan.levels - 1 if solid.plan.levels > 1 else round((height - best) / upper))
    # Let the ground floor take up what the storeys above would otherwise be stretched by.
    return max(low, min(high, 0.5 * (best + height - count * upper)))


def _nave(at: float, height: float, strip: Strip) -> list[Row]:
    """Blank base, one row of tall windows (more in towers), blank wall above."""
    bands: list[Row] = []
    top = at + height
    base = min(1.8, 0.15 * height)
    if height > base + LEAST * strip.height:
        bands.append(Row(at, at + base, None))
        at += base
        count = max(1, math.floor((top - at) / (strip.height * 1.25)))
        each = min(MOST * strip.height, (top - at) / count)
        for k in range(count):
            bands.append(Row(at, at + each, strip, k))
            at += each
    if top - at > 0.02:
        bands.append(Row(at, top, None))
    return bands
