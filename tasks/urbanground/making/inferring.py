"""II: a need told without naming the kind of place; the places that satisfy it must be inferred and found."""

import numpy as np

from citysim.tasks.base import Goal
from citysim.tasks.sampling import length_until_near
from citysim.tasks.urbanground.making.draft import Draft
from citysim.tasks.urbanground.making.figures import walk_figures
from citysim.tasks.urbanground.making.intents import INTENTS
from citysim.tasks.urbanground.making.scout import Scout, rounded_point

NEAREST_M = (45.0, 260.0)
NEXT_M = 60.0
"""The second nearest place is so much further that the nearest one is clearly what is meant in the exported task."""
CLEAR_M = 25.0


def inferred_goal(scout: Scout, rng: np.random.Generator) -> Draft | None:
    """A need whose nearest satisfying place is 45 to 260 m of walking away, clearly nearer than the next one."""
    start = scout.stand(rng)
    if start is None:
        return None
    names = sorted(INTENTS)
    name = names[int(rng.integers(len(names)))]
    kinds, phrases = INTENTS[name]
    phrase = phrases[int(rng.integers(len(phrases)))]
    found = [place for place in scout.places if place.category in kinds]
    if not found or any(np.hypot(*(np.array(p.entrance) - start.position)[:2]) < CLEAR_M for p in found):
        return None
    field = [(scout.city.network.walk_distance(start.position, p.entrance), p.id, p) for p in found]
    ranked = sorted(field)
    length, _, nearest = ranked[0]
    if not NEAREST_M[0] <= length <= NEAREST_M[1] or (len(ranked) > 1 and ranked[1][0] < length + NEXT_M):
        return None
    route = scout.route(start.position, nearest.entrance)
    if route is None:
        return None
    at = rounded_point(nearest.entrance)
    goal = Goal(
        start,
        at,
        f"{phrase} Walk to the nearest place where you get that; you have arrived within 15 m of its door.",
        name=nearest.name,
        shortest_path_m=round(length_until_near(route.points, at, 15.0), 3),
        stated=False,
        targets=tuple(scout.stop(place) for place in found),
    )
    key = f"{name} {phrases.index(phrase)} {nearest.id}"
    return Draft(goal, key, figures=walk_figures(route.points))
