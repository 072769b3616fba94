"""Several stops: in order and in time (a schedule), or in any order (a tour)."""

import math
from dataclasses import dataclass

from citysim.tasks.base import Facts, Goal, Verdict
from citysim.tasks.distances import distance_m
from citysim.tasks.globe import path_m, spanning_tree_m

GRACE_S = 60.0
"""Being so late is still on time (UrbanGround)."""


@dataclass(frozen=True, slots=True)
class Visits:
    """What was visited: stop numbers in order of arrival, seconds after the start of each, stops entered too early."""

    order: tuple[int, ...]
    times_s: tuple[float, ...]
    early: tuple[int, ...]


class Schedule:
    """Visit `goal.stops` in order; success is all of them without entering a later one's circle first.

    Punctuality is measured beside it, as in UrbanGround: a stop is on time up to 60 s after its deadline, by the city's
    clock in whole seconds.
    """

    def judge(self, facts: Facts, goal: Goal) -> Verdict:
        """`distance_m` is the distance to the next stop, or to the last one when all are reached."""
        visits, count = visits_in_order(facts, goal), len(goal.stops)
        reached = len(visits.order)
        lateness, timed, on_time = [], 0, 0
        for number, stop in enumerate(goal.stops):
            if stop.deadline_s is None:
                continue
            timed += 1
            if number < reached:
                late = math.floor(facts.clock_s + visits.times_s[number]) - stop.deadline_s
                on_time += late <= GRACE_S
                lateness.append(late if late > GRACE_S else 0.0)
        done = reached == count
        success = done and not visits.early
        metrics = {
            "stops_reached": float(reached),
            "stop_ratio": reached / count,
            "order_violations": float(len(visits.early)),
            "timed_stops": float(timed),
            "on_time_stops": float(on_time),
            "late_stops": float(len(lateness) - on_time),
            "total_lateness_s": math.fsum(lateness),
            "max_lateness_s": max(lateness, default=0.0),
            "all_on_time": float(timed > 0 and on_time == timed),
        }
        if timed:
            metrics["on_time_ratio"] = on_time / timed
        distance = distance_m(facts, goal.stops[min(reached, count - 1)])
        reason = "terminated" if facts.terminated else "completed" if done and facts.actions else ""
        return Verdict(bool(reason), success, reason, distance, metrics)


class Tour:
    """Visit `goal.stops` in any order; a visit is being within `goal.radius_m` after an action or at the start."""

    def judge(self, facts: Facts, goal: Goal) -> Verdict:
        """`distance_m` is the distance to the first stop not visited in the order of the list, or to the last one."""
        visits, count = visits_in_any_order(facts, goal), len(goal.stops)
        seen = len(visits.order)
        done = seen == count
        left = next((stop for k, stop in enumerate(goal.stops) if k not in visits.order), goal.stops[-1])
        walked = path_m(facts.lonlats)
        metrics = {"stops_reached": float(seen), "stop_ratio": seen / count}
        if walked > 0.0 and goal.start_lonlat is not None:
            places = [goal.start_lonlat, *(goal.stops[k].lonlat for k in sorted(visits.order))]
            metrics["route_efficiency"] = min(1.0, spanning_tree_m(places) / walked)
        reason = "terminated" if facts.terminated else "completed" if done and facts.actions else ""
        return Verdict(bool(reason), done, reason, distance_m(facts, left), metrics)


def visits_in_order(facts: Facts, goal: Goal) -> Visits:
    """Stops reached one after the other; several may be reached at once. The start counts too."""
    order: list[int] = []
    times: list[float] = []
    early: list[int] = []
    for at, time in enumerate(facts.times_s):
        while len(order) < len(goal.stops) and distance_m(facts, goal.stops[len(order)], at) <= goal.radius_m:
            order.append(len(order))
            times.append(time)
        for number in range(len(order) + 1, len(goal.stops)):
            if number not in early and distance_m(facts, goal.stops[number], at) <= goal.radius_m:
                early.append(number)
    return Visits(tuple(order), tuple(times), tuple(early))


def visits_in_any_order(facts: Facts, goal: Goal) -> Visits:
    """Stops within reach after any action or at the start, each once."""
    order: list[int] = []
    times: list[float] = []
    for at, time in enumerate(facts.times_s):
        for number, stop in enumerate(goal.stops):
            if number not in order and distance_m(facts, stop, at) <= goal.radius_m:
                order.append(number)
                times.append(time)
    return Visits(tuple(order), tuple(times), ())
