"""Acting a recorded episode again, action by action, and comparing every one with its record."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

from citysim.physics.config import STEP_S
from citysim.tasks.actions import parse_action
from citysim.tasks.episode import Episode
from citysim.tasks.motion import carry_out
from citysim.tasks.record import StepRecord
from citysim.world import Command, Transition, World

COMPARED = (
    "steps", "before", "after", "on_network", "path_m", "building_collisions", "pedestrian_collisions", "terminated",
    "mode", "invalid", "disclosed", "crossed", "rained_s", "sheltered_s", "pedestrians",
)  # fmt: skip
"""Fields that must come out again bit for bit. Notices are left out: they also tell what was wrong with the wording of
an action, and a record keeps the action as it was carried out.
"""

Seen = Callable[[], None]


class Watched:
    """A world whose `advance` stops every few steps to be looked at; whatever the stops, the walk is the same."""

    def __init__(self, world: World, every: int, seen: Seen) -> None:
        self._world, self._every, self._seen = world, every, seen

    def look(self, yaw: float = 0.0, pitch: float = 0.0) -> None:
        """As `World.look`."""
        self._world.look(yaw, pitch)

    def advance(self, command: Command, steps: int) -> Transition:
        """As `World.advance`, in pieces; gives the last one."""
        jump = None if command.jump_after_s is None else round(command.jump_after_s / STEP_S)
        done = self._world.advance(Command(), 0)
        for first in range(0, steps, self._every):
            count = min(self._every, steps - first)
            after = (jump - first) * STEP_S if jump is not None and first <= jump < first + count else None
            moved = Command(command.forward, command.left, command.yaw_rate, command.pitch_rate, after)
            done = self._world.advance(moved, count)
            self._seen()
        return done


def act_again(
    episode: Episode, records: Sequence[StepRecord], *, every: int, seen: Seen
) -> Iterator[tuple[StepRecord, str]]:
    """Take the recorded actions again; gives each one's record and how what happened differs from it ("" for not).

    Before it gives an action, it calls `seen` every so many of its steps, while the world stands where it is then. Ends
    early, and says so, when the episode does.
    """
    world = episode.world
    for record in records:
        if episode.done:
            yield record, f"step {record.index}: the episode had ended already ({episode.stop_reason})"
            return
        start, mode = world.snapshot(), episode.mode
        action = _parsed(record, mode)
        if action is not None:
            carry_out(cast(World, Watched(world, every, seen)), action)
        watched = world.pose
        world.restore(start)
        made = episode.act(record.action, frame=record.frame, said=record.said)
        found = differing(record, made)
        if not found and action is not None and watched != world.pose:
            found = f"step {record.index}: watched in pieces it ends at {watched}, at once at {world.pose}"
        yield record, found


def differing(recorded: StepRecord, made: StepRecord) -> str:
    """The first field of COMPARED that differs, in words; "" when none does."""
    for name in COMPARED:
        before, now = getattr(recorded, name), getattr(made, name)
        if before != now:
            return f"step {recorded.index}: {name} was {before}, is {now}"
    return ""


def _parsed(record: StepRecord, mode: str) -> Any:
    if record.invalid or mode == "answer":
        return None
    return parse_action(record.action, mode)[0]
