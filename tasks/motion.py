"""Carrying out an action: an Action becomes a command to the world's walker."""

import math

from citysim.tasks.actions import DIRECTIONS, SPRINT_M_S, STEP_S, WALK_M_S, Action
from citysim.world import Command, Transition, World


def carry_out(world: World, action: Action) -> Transition:
    """Move the world's walker as the action says, for `action.steps` steps; `terminate` takes none.

    A look turns at once and then stands: its half second is what looking round costs.
    """
    if action.name == "look":
        world.look(-math.radians(action.yaw_deg), math.radians(action.pitch_deg))
    return world.advance(command_of(action), action.steps)


def command_of(action: Action) -> Command:
    """The walker's command during an action; headings turn clockwise, yaw the other way."""
    if action.name == "jump":
        return Command(jump_after_s=0.0)
    if action.name not in ("move", "sprint"):
        return Command()
    speed = SPRINT_M_S if action.name == "sprint" else WALK_M_S
    ahead, left = DIRECTIONS[action.direction]
    return Command(
        ahead * speed,
        left * speed,
        -math.radians(action.yaw_rate_deg_s),
        math.radians(action.pitch_rate_deg_s),
        None if action.jump_step is None else action.jump_step * STEP_S,
    )
