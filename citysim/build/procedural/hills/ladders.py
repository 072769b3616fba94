"""Ladders: streets of stairs up the hill: flights between landings, and the corridor they lie in."""

import itertools
import math
from dataclasses import dataclass

from citysim.build.adding import plain_sum
from citysim.build.plans import Xy
from citysim.build.procedural.district.axis import Axis
from citysim.build.procedural.hills.corridor import Corridor
from citysim.build.procedural.sketch import Sketch

RISER, TREAD = 0.15, 0.31  # metres
FLIGHT = 13  # risers between landings at most
LANDING, LONG = 1.9, 7.0  # lengths of landings, the middle one's
HALF, MOVING_HALF = 2.75, 4.6  # half widths of corridors, without and with escalators, metres
MOVING_ASIDE = 2.35  # how far a stair beside escalators lies left of the axis, metres
MOVING: tuple[tuple[float, int], ...] = ((-1.05, 1), (-3.15, -1))  # places of the escalators, and which way they go
MOVING_WIDTH = 1.6
TURN = 1.3  # metres before a flight at which lines to its neighbours branch off
STAIR_MARGIN = 0.3  # between a stair and the corridor's edge, metres
ENTRY = 1.6  # level ground before the first flight and after the last, at least, metres


@dataclass(frozen=True)
class Ladder:
    """A corridor and the stretches of its axis that are stairs, from foot to head, metres along it."""

    column: int
    corridor: Corridor
    flights: tuple[tuple[float, float], ...]
    moving: bool
    name: str

    @property
    def axis(self) -> Axis:
        """Its middle line."""
        return self.corridor.axis


def plan_ladder(
    column: int, foot: Xy, head: Xy, low: float, high: float, before: float, after: float, moving: bool, name: str
) -> Ladder | None:
    """A ladder from a street's axis to the next one's; `before` and `after` are those streets' half widths, metres.

    None where the rise has no room.
    """
    axis = Axis.through([foot, head])
    half = MOVING_HALF if moving else HALF
    rise = high - low
    risers = max(round(rise / RISER), 2)
    per = 40 if moving else FLIGHT
    count = max(math.ceil(risers / per), 2)
    share = [risers // count + (1 if k < risers % count else 0) for k in range(count)]
    runs = [_run(n, moving) for n in share]
    gaps = [LONG if k == (count - 1) // 2 else LANDING for k in range(count - 1)]
    start, end = before + ENTRY, axis.length - after - ENTRY
    spare = (end - start) - plain_sum(runs) - plain_sum(gaps)
    if spare < 0.0:
        gaps = [min(g, 2.4) for g in gaps]
        spare = (end - start) - plain_sum(runs) - plain_sum(gaps)
        if spare < 0.0:
            return None
    middle = min(spare * 0.4, 6.0)
    gaps[(count - 1) // 2] += middle
    at = start + (spare - middle) / 2
    stops = [(0.0, low)]
    flights = []
    z, done = low, 0
    for k, (run, n) in enumerate(zip(runs, share, strict=True)):
        done += n
        upper = high if k == count - 1 else round((low + rise * done / risers) * 1024) / 1024
        a, b = round(at * 1024) / 1024, round((at + run) * 1024) / 1024
        stops += [(a, z), (b, upper)]
        flights.append((a, b))
        z = upper
        at += run + (gaps[k] if k < count - 1 else 0.0)
    stops.append((axis.length, high))
    return Ladder(column, Corridor(axis, half, tuple(stops)), tuple(flights), moving, name)


def _run(risers: int, moving: bool) -> float:
    """Length of a flight, its landings within included."""
    if moving:
        rolling = risers * RISER / math.tan(math.radians(30.0)) + 4.2
        return max(rolling, (risers - 1) * 0.30 + 1.2 * (risers // 14) + 0.2)
    return (risers - 1) * TREAD + 0.15


def middle_of(ladder: Ladder) -> tuple[Xy, float]:
    """The middle of the long landing and its height, metres."""
    k = (len(ladder.flights) - 1) // 2
    end = ladder.flights[k][1]
    return ladder.axis.at((end + ladder.flights[k + 1][0]) / 2), ladder.corridor.level(end)


def draw_ladder(sketch: Sketch, ladder: Ladder, foot: Xy, head: Xy) -> None:
    """Add the stairs and landings to a sketch, joined to the pavements' lines at `foot` and `head`."""
    axis, half = ladder.axis, ladder.corridor.half
    aside = MOVING_ASIDE if ladder.moving else 0.0
    width = 2 * (half - aside) - 2 * STAIR_MARGIN
    end, landing = foot, 0.0
    for k, (a, b) in enumerate(ladder.flights):
        low, high = axis.at(a, aside), axis.at(b, aside)
        path = [end]
        if k == _long(ladder) + 1:
            path.append(axis.at((landing + a) / 2))
        if ladder.moving:
            path.append(axis.at(a - TURN, aside))
        _walk(sketch, ladder, [*path, low])
        count = max(round((ladder.corridor.level(b) - ladder.corridor.level(a)) / RISER), 1)
        tags = {"highway": "steps", "step_count": str(count), "incline": "up", "name": ladder.name}
        sketch.way("steps", [low, high], width, name=ladder.name, steps=count, incline=1, surface="concrete", tags=tags)
        end, landing = high, b
        if ladder.moving:
            end = _escalators(sketch, ladder, a, b, high)
    _walk(sketch, ladder, [end, head])


def light_ladder(sketch: Sketch, ladder: Ladder) -> None:
    """Lamps at its foot, on every other landing and at its head, at the side of the corridor."""
    aside = ladder.corridor.half - 0.45
    stops = [ladder.flights[0][0] - 1.0, ladder.flights[-1][1] + 1.0]
    stops += [(b + a) / 2 for (_, b), (a, _) in list(itertools.pairwise(ladder.flights))[::2]]
    for k, s in enumerate(sorted(stops)):
        sketch.prop("street_lamp", *ladder.axis.at(s, aside if k % 2 else -aside), height=4.5)


def _long(ladder: Ladder) -> int:
    return (len(ladder.flights) - 1) // 2


def _walk(sketch: Sketch, ladder: Ladder, path: list[Xy]) -> None:
    if math.dist(path[0], path[-1]) > 0.02:
        sketch.way("footway", path, 2.5, name=ladder.name, surface="paving_stones",
                   tags={"highway": "footway", "name": ladder.name})  # fmt: skip


def _escalators(sketch: Sketch, ladder: Ladder, a: float, b: float, high: Xy) -> Xy:
    """The pair beside a stair, up and down, with the lines that lead to their ends; returns where the way goes on."""
    axis = ladder.axis
    below, above = axis.at(a - TURN, MOVING_ASIDE), axis.at(b + TURN, MOVING_ASIDE)
    _walk(sketch, ladder, [high, above])
    tags = {"highway": "steps", "conveying": "yes", "incline": "up"}
    for line, start in ((a - TURN, below), (b + TURN, above)):
        _walk(sketch, ladder, [start, *(axis.at(line, side) for side, _ in MOVING)])
    for side, sense in MOVING:
        foot, head = axis.at(a, side), axis.at(b, side)
        _walk(sketch, ladder, [axis.at(a - TURN, side), foot])
        _walk(sketch, ladder, [head, axis.at(b + TURN, side)])
        sketch.way("escalator", [foot, head], MOVING_WIDTH, name=ladder.name, incline=1, conveying=sense, covered=True,
                   tags=tags)  # fmt: skip
    return above
