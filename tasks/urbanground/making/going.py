"""SN and LN: going to a stated place, near by or far away."""

import numpy as np

from citysim.tasks.base import Goal
from citysim.tasks.parts import lonlat_of
from citysim.tasks.sampling import Target, length_until_near
from citysim.tasks.urbanground.making.draft import Draft
from citysim.tasks.urbanground.making.figures import walk_figures
from citysim.tasks.urbanground.making.scout import Scout, rounded_point

SHORT_M = (40.0, 150.0)
LONG_M = (300.0, 600.0)
LEAST_STRAIGHT_M = 30.0
"""No goal is nearer than twice the radius of arrival as the crow flies."""


def short_goal(scout: Scout, rng: np.random.Generator) -> Draft | None:
    """A place 40 to 150 m of walking away."""
    return goal_within(scout, rng, *SHORT_M)


def long_goal(scout: Scout, rng: np.random.Generator) -> Draft | None:
    """A place 300 to 600 m of walking away."""
    return goal_within(scout, rng, *LONG_M)


def goal_within(scout: Scout, rng: np.random.Generator, low_m: float, high_m: float) -> Draft | None:
    """A stated place whose walk has a length drawn evenly between two limits (10 % either way)."""
    start = scout.stand(rng)
    if start is None:
        return None
    wanted = float(rng.uniform(low_m, high_m))
    field = scout.city.network.distance_field(start.position)
    near = [
        target
        for target in scout.sampler.targets
        if np.hypot(target.position[0] - start.east, target.position[1] - start.north) >= LEAST_STRAIGHT_M
        and max(low_m, 0.9 * wanted) <= field.at(target.snap.point) <= min(high_m, 1.1 * wanted)
    ]
    if not near:
        return None
    target = near[int(rng.integers(len(near)))]
    place = target.place
    route = scout.route(start.position, target.position)
    if place is None or route is None or not low_m <= route.length_m <= high_m:
        return None
    at = rounded_point(target.position)
    goal = Goal(
        start,
        at,
        stated_instruction(scout, start.heading_deg, (start.east, start.north, start.up), target),
        name=place.name,
        shortest_path_m=round(length_until_near(route.points, at, 15.0), 3),
    )
    return Draft(goal, f"{place.id} from {start.east:.0f},{start.north:.0f}", figures=walk_figures(route.points))


def stated_instruction(scout: Scout, heading_deg: float, start: tuple[float, float, float], target: Target) -> str:
    """UrbanGround states start and goal: names and addresses, and both as coordinates to 1e-6 degrees."""
    place = target.place
    if place is None:
        raise ValueError("a bare point has no name to state")
    a, b = lonlat_of(scout.city.frame, start), lonlat_of(scout.city.frame, target.position)
    where = f" at {place.address}" if place.address else ""
    kind = place.category.replace("_", " ")
    return (
        f"Walk to {place.name} ({kind}){where}. You start at latitude {a[1]:.6f}, longitude {a[0]:.6f}, facing"
        f" {heading_deg:.0f} degrees; the destination is at latitude {b[1]:.6f}, longitude {b[0]:.6f}. You have arrived"
        " within 15 m of it."
    )
