"""TW and MS: several named places, by the clock in order, or in any order."""

import math

import numpy as np

from citysim.city import Place
from citysim.errors import FormatError
from citysim.geo.hours import OpeningHours
from citysim.pose import Pose
from citysim.tasks.base import Goal
from citysim.tasks.parts import Stop
from citysim.tasks.status import clock
from citysim.tasks.suite import DAY
from citysim.tasks.tours import shortest_tour
from citysim.tasks.urbanground.making.draft import Draft
from citysim.tasks.urbanground.making.figures import walk_figures
from citysim.tasks.urbanground.making.scout import Scout

LEG_M = (50.0, 190.0)
WHOLE_M = 500.0
APART_M = 40.0
"""Stops lie so far from each other and from the start that no circle of arrival touches another."""
EASY_M_S = 1.0
"""Deadlines leave time for an easy walk with stops to look at the map."""
MONDAY = 0
ERRANDS = (
    "meet a friend", "pick up an order", "deliver a letter", "drop off a parcel", "collect a key", "leave a message",
)  # fmt: skip


def schedule(scout: Scout, rng: np.random.Generator) -> Draft | None:
    """Three or four appointments in order, each with its time by the city's clock, at places that are open then."""
    drawn = _stops(scout, rng, 3 + int(rng.integers(2)))
    if drawn is None:
        return None
    start, places, walks = drawn
    now = 60.0 * (9 * 60 + 5 * int(rng.integers(0, 96)))  # 09:00 to 16:55
    stops, told = [], []
    for number, place in enumerate(places, start=1):
        due = now + 60.0 * math.ceil((sum(walks[:number]) / EASY_M_S + 60.0 * number) / 60.0)
        if not _open(place, due):
            return None
        stops.append(scout.stop(place, due))
        errand = ERRANDS[int(rng.integers(len(ERRANDS)))]
        told.append(f"by {clock(due)} {errand} at {place.name} ({place.address})")
    text = f"It is {clock(now)}. Keep these appointments in this order, each by its time: {'; then '.join(told)}."
    return _draft(scout, start, stops, text, "|".join(place.id for place in places), clock(now))


def tour(scout: Scout, rng: np.random.Generator) -> Draft | None:
    """Three or four places to be visited in any order."""
    drawn = _stops(scout, rng, 3 + int(rng.integers(2)))
    if drawn is None:
        return None
    start, places, _ = drawn
    shuffled = [places[int(k)] for k in rng.permutation(len(places))]
    names = "; ".join(f"{place.name} ({place.address})" for place in shuffled)
    text = f"Visit all of these places, in whatever order is shortest, coming within 15 m of each: {names}."
    return _draft(scout, start, [scout.stop(p) for p in shuffled], text, "|".join(sorted(p.id for p in places)))


def _stops(scout: Scout, rng: np.random.Generator, count: int) -> tuple[Pose, list[Place], list[float]] | None:
    """A start, places each 50 to 190 m of walking after the one before, and these lengths."""
    start = scout.stand(rng)
    if start is None:
        return None
    here, chosen, walks = start.position, list[Place](), list[float]()
    for _ in range(count):
        field = scout.city.network.distance_field(here)
        taken = [start.position, *(np.array(place.entrance) for place in chosen)]
        near = [
            place
            for place in scout.places
            if place.address
            and LEG_M[0] <= field.at(place.entrance) <= LEG_M[1]
            and min(float(np.hypot(*(np.array(place.entrance) - other)[:2])) for other in taken) >= APART_M
        ]
        if not near:
            return None
        place = near[int(rng.integers(len(near)))]
        route = scout.route(here, place.entrance)
        if route is None:
            return None
        chosen.append(place)
        walks.append(route.length_m)
        here = np.array(place.entrance)
    if sum(walks) > WHOLE_M or len({place.name for place in chosen}) < count:
        return None
    return start, chosen, walks


def _draft(scout: Scout, start: Pose, stops: list[Stop], text: str, key: str, time: str = DAY["time"]) -> Draft | None:
    """The draft of a way over all stops, as they are listed where they have times, else in the shortest order."""
    order = stops if stops[0].deadline_s is not None else shortest_tour(scout.city.network, start.position, stops)
    points, here = [start.position[None]], start.position
    for stop in order:
        route = scout.route(here, stop.position)
        if route is None:
            return None
        points.append(route.points)
        here = np.array(stop.position)
    figures = walk_figures(np.concatenate(points)) | {"stops": float(len(stops))}
    last = order[-1]
    goal = Goal(start, last.position, text, name=last.name, shortest_path_m=figures["length_m"], stops=tuple(stops))
    return Draft(goal, key, conditions={**DAY, "time": time}, figures=figures)


def _open(place: Place, due: float) -> bool:
    """Whether a place is open on a Monday from ten minutes before a time until then."""
    if not place.opening_hours:
        return True
    try:
        hours = OpeningHours.parse(place.opening_hours)
    except FormatError:
        return False
    return hours.is_open(MONDAY, due / 60.0 - 10.0) and hours.is_open(MONDAY, due / 60.0)
