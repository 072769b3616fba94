"""IN: a walk told as a sequence of turns, crossings, stairs and landmarks, all of them the route's own."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.tasks.base import Goal
from citysim.tasks.sampling import length_until_near
from citysim.tasks.urbanground.making.draft import Draft
from citysim.tasks.urbanground.making.figures import turns, walk_figures
from citysim.tasks.urbanground.making.going import goal_within
from citysim.tasks.urbanground.making.scout import Scout

WALK_M = (90.0, 330.0)
EVENTS = (2, 7)
CORNER_M = 12.0

WAYS = {
    2: "go over the footbridge",
    4: "go through the subway",
    8: "take the escalator",
    10: "take the lift",
    11: "follow the ramp",
    12: "take the stairs",
    30: "cross {street} at the traffic lights",
    31: "cross {street} at the zebra crossing",
    32: "cross {street}",
    33: "cross {street}",
}


class Event(NamedTuple):
    """Something to do `at` so many metres along the walk."""

    at: float
    text: str


def instructed_goal(scout: Scout, rng: np.random.Generator) -> Draft | None:
    """A walk of 90 to 330 m with two to seven things to be told."""
    draft = goal_within(scout, rng, *WALK_M)
    if draft is None:
        return None
    goal = draft.goal
    route = scout.route(goal.start.position, goal.position)
    if route is None:
        return None
    told = events(scout, route.points)
    if not EVENTS[0] <= len(told) <= EVENTS[1]:
        return None
    text = " ".join([_beginning(scout, goal, route.points), *(_sentence(e, told, k) for k, e in enumerate(told))])
    made = Goal(
        goal.start, goal.position, f"{text} {_end(goal, route.points)}", name=goal.name,
        shortest_path_m=round(length_until_near(route.points, goal.position, goal.radius_m), 3),
    )  # fmt: skip
    return Draft(made, draft.key, figures=walk_figures(route.points) | {"instructions": float(len(told))})


def events(scout: Scout, points: NDArray[np.float64]) -> list[Event]:
    """Turns and special ways of a walk (N, 3) in order; a corner that a crossing follows at once is told with it."""
    found = [_turn(scout, points, corner, turn) for corner, turn in turns(points)]
    found += _special(scout, points)
    return sorted(found)


def _turn(scout: Scout, points: NDArray[np.float64], corner: NDArray[np.float64], turn: float) -> Event:
    at = _along(points, corner)
    side = "right" if turn > 0.0 else "left"
    sharp = "turn sharp" if abs(turn) > 120.0 else "bear" if abs(turn) < 50.0 else "turn"
    street = _street(scout, _point(points, at + 6.0))
    before = _street(scout, _point(points, at - 6.0))
    into = f" into {street}" if street and street != before else ""
    near = min(scout.places, key=lambda p: (math.dist(p.entrance, corner), p.id))
    mark = f" at {near.name}" if math.dist(near.entrance, corner) < CORNER_M else ""
    return Event(at, f"{sharp} {side}{into}{mark}")


def _special(scout: Scout, points: NDArray[np.float64]) -> list[Event]:
    """Where the walk goes over edges that are no plain footways."""
    found: list[Event] = []
    sizes = np.linalg.norm(np.diff(points, axis=0), axis=1)
    at, last = 0.0, ("", 0.0)
    for a, b, size in zip(points, points[1:], sizes, strict=False):
        snap = scout.city.network.snap(0.5 * (a + b), max_distance_m=1.5)
        kind = scout.city.network.edges[snap.edge].attributes.get("FeatureType") if snap is not None else None
        text = WAYS.get(int(kind or 0), "")
        if text and snap is not None:
            rise = float(b[2] - a[2])
            text = text.format(street=_crossed(scout, 0.5 * (a + b)) or "the road")
            if kind in (8, 10, 11, 12) and abs(rise) > 0.3:
                text += " up" if rise > 0.0 else " down"
            if last[0] != text or at - last[1] > 8.0:
                found.append(Event(at, text))
            last = (text, at + float(size))
        at += float(size)
    return found


def _crossed(scout: Scout, point: NDArray[np.float64]) -> str:
    """The name of the street that a crossing leads over: its own object's, where the city knows it."""
    best = ""
    nearest = 14.0
    for thing in scout.streets:
        e0, n0, _, e1, n1, _ = thing.bounds
        inside = e0 - 1.0 <= point[0] <= e1 + 1.0 and n0 - 1.0 <= point[1] <= n1 + 1.0
        away = math.hypot(point[0] - 0.5 * (e0 + e1), point[1] - 0.5 * (n0 + n1))
        if inside and away < nearest:
            best, nearest = thing.name, away
    return best


def _street(scout: Scout, point: NDArray[np.float64]) -> str:
    snap = scout.city.network.snap(point, max_distance_m=3.0)
    return scout.city.network.edges[snap.edge].name if snap is not None else ""


def _beginning(scout: Scout, goal: Goal, points: NDArray[np.float64]) -> str:
    ahead = _point(points, 8.0)
    off = math.degrees(math.atan2(ahead[1] - goal.start.north, ahead[0] - goal.start.east) - goal.start.yaw)
    off = (off + 180.0) % 360.0 - 180.0
    street = _street(scout, _point(points, 4.0))
    along = f" along {street}" if street else ""
    if abs(off) < 50.0:
        return f"Walk straight ahead{along}."
    if abs(off) > 130.0:
        return f"Turn round and walk{along}."
    return f"Turn to the {'left' if off > 0.0 else 'right'} and walk{along}."


def _sentence(event: Event, told: list[Event], k: int) -> str:
    gap = event.at - (told[k - 1].at if k else 0.0)
    after = f"After about {max(round(gap, -1), 10.0):.0f} m " if gap >= 15.0 else "Then "
    return f"{after}{event.text}."


def _end(goal: Goal, points: NDArray[np.float64]) -> str:
    before, last = _point(points, _length(points) - 8.0), np.array(goal.position)
    ahead = np.array(points[-1]) - before
    off = ahead[0] * (last[1] - before[1]) - ahead[1] * (last[0] - before[0])
    side = "" if abs(off) < 4.0 else f" on your {'left' if off > 0.0 else 'right'}"
    return f"Stop at {goal.name}{side}."


def _length(points: NDArray[np.float64]) -> float:
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())


def _point(points: NDArray[np.float64], at: float) -> NDArray[np.float64]:
    ends = np.r_[0.0, np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))]
    return np.array([np.interp(at, ends, points[:, k]) for k in range(3)])


def _along(points: NDArray[np.float64], corner: NDArray[np.float64]) -> float:
    """Arc length of the walk's point that is nearest to a corner."""
    ends = np.r_[0.0, np.cumsum(np.linalg.norm(np.diff(points, axis=0), axis=1))]
    return float(ends[int(np.argmin(np.linalg.norm(points - corner, axis=1)))])
