"""Setting the scene of an episode: the world put as the goal wants it, and what the city did during an action."""

from typing import Any

from citysim.conditions import Conditions
from citysim.errors import InputError, SimulationFault
from citysim.pose import Pose
from citysim.tasks.base import Goal
from citysim.world import Transition, World


def reset_world(world: World, goal: Goal, conditions: Conditions | None, seed: int) -> None:
    """Stand at the goal's start among its passers and closures; raises SimulationFault without room to stand."""
    world.reset(_standing(world, goal.start), conditions)


def city_facts(world: World, done: Transition | None) -> dict[str, Any]:
    """Those fields of a StepRecord that tell what the city did while an action was carried out."""
    return {}


def _standing(world: World, start: Pose) -> Pose:
    """The start with its foot on the ground; a start without room for a walker is our fault, not the agent's."""
    try:
        return world.ground_pose(start.east, start.north, start.heading_deg, up_hint=start.up)
    except InputError as error:
        raise SimulationFault(error.expected, error.found, "making the suite anew or citysim city validate") from None
