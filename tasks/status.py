"""The status line that UrbanGround gives each turn: what a watch and a shopping list would tell."""

from citysim.tasks.base import Facts, Goal
from citysim.tasks.urbanground.visiting import visits_in_any_order, visits_in_order


def status_line(facts: Facts, goal: Goal) -> str:
    """How far a schedule (stops with times) or a tour is done; "" for goals without stops."""
    if not goal.stops:
        return ""
    if any(stop.deadline_s is not None for stop in goal.stops):
        reached = len(visits_in_order(facts, goal).order)
        now = clock(facts.clock_s + facts.elapsed_s)
        if reached == len(goal.stops):
            return f"{now}, all {reached} stops reached"
        stop = goal.stops[reached]
        due = "" if stop.deadline_s is None else f" by {clock(stop.deadline_s)}"
        return f"{now}, {reached} of {len(goal.stops)} stops reached, next {stop.name}{due}"
    seen = visits_in_any_order(facts, goal).order
    left = [stop.name for k, stop in enumerate(goal.stops) if k not in seen]
    return f"{len(seen)} of {len(goal.stops)} visited" + (f", left: {'; '.join(left)}" if left else "")


def clock(seconds: float) -> str:
    """HH:MM of seconds since midnight."""
    minutes = int(seconds) // 60 % 1440
    return f"{minutes // 60:02d}:{minutes % 60:02d}"
