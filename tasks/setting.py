"""Setting the scene of an episode: the world put as the goal wants it, and what the city did during an action."""

from collections.abc import Sequence
from typing import Any

from citysim.conditions import Conditions
from citysim.errors import InputError, SimulationFault
from citysim.living.closures import Closure
from citysim.living.spec import CrowdSpec
from citysim.pose import Pose
from citysim.tasks.base import Goal
from citysim.tasks.parts import Zone
from citysim.tasks.record import DIGITS
from citysim.tasks.seeds import child_seed
from citysim.world import Transition, World


def reset_world(world: World, goal: Goal, conditions: Conditions | None, seed: int) -> None:
    """Stand at the goal's start among its passers and closures; raises SimulationFault without room to stand."""
    passers = goal.passers
    crowd = None
    if passers is not None:
        crowd = CrowdSpec(passers.population, child_seed(seed, "crowd"), radius_m=passers.radius_m)
    world.reset(_standing(world, goal.start), conditions, crowd=crowd, closures=closures_of(goal.zones))


def closures_of(zones: Sequence[Zone]) -> tuple[Closure, ...]:
    """Closures of the world as a goal's zones ask for."""
    return tuple(Closure(zone.vertices, zone.label, zone.notice, zone.notice_at_s) for zone in zones)


def city_facts(world: World, done: Transition | None, known: Sequence[str]) -> dict[str, Any]:
    """Those fields of a StepRecord that tell what the city did during an action; `known` are closures told before."""
    people = 0 if world.crowd is None else int(world.crowd.active.sum())
    if done is None:
        return {"pedestrians": people}
    return {
        "disclosed": tuple(c.label for c in world.closures if c.label not in known),
        "crossed": done.crossed,
        "rained_s": round(done.rained_on_s, DIGITS),
        "sheltered_s": round(done.sheltered_s, DIGITS),
        "pedestrians": people,
    }


def _standing(world: World, start: Pose) -> Pose:
    """The start with its foot on the ground; a start without room for a walker is our fault, not the agent's."""
    try:
        return world.ground_pose(start.east, start.north, start.heading_deg, up_hint=start.up)
    except InputError as error:
        raise SimulationFault(error.expected, error.found, "making the suite anew or citysim city validate") from None
