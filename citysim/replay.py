"""Recording what is done to a world, and doing it again: equal to the last bit, or an error that names the step."""

import dataclasses
import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from citysim.conditions import Conditions
from citysim.errors import FormatError, SimulationFault
from citysim.living.closures import Closure
from citysim.living.motion import Command, Transition
from citysim.living.spec import CrowdSpec
from citysim.pose import Pose
from citysim.world import World

FORMAT = "citysim-recording-1"


class Recorder:
    """Passes calls on to a world and writes them down with what came of them; `recording` is plain JSON data."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.recording: dict[str, Any] = {}

    def reset(
        self,
        pose: Pose,
        conditions: Conditions | None = None,
        *,
        crowd: CrowdSpec | None = None,
        closures: Sequence[Closure] = (),
    ) -> None:
        """`World.reset`; begins the recording anew."""
        self.world.reset(pose, conditions, crowd=crowd, closures=closures)
        self.recording = {
            "format": FORMAT,
            "city": self.world.city.name,
            "content_sha256": self.world.city.content_sha256,
            "physics": self.world.physics,
            "pose": [pose.east, pose.north, pose.up, pose.yaw, pose.pitch],
            "conditions": dataclasses.asdict(self.world.conditions) | {"date": self.world.conditions.date.isoformat()},
            "crowd": None if crowd is None else dataclasses.asdict(crowd),
            "closures": [dataclasses.asdict(closure) for closure in closures],
            "start": self.world.step_record(),
            "steps": [],
        }

    def look(self, yaw: float = 0.0, pitch: float = 0.0) -> None:
        """`World.look`."""
        self.world.look(yaw, pitch)
        self.recording["steps"].append({"look": [yaw, pitch], "record": self.world.step_record()})

    def advance(self, command: Command, steps: int) -> Transition:
        """`World.advance`."""
        done = self.world.advance(command, steps)
        line = {"command": dataclasses.asdict(command), "steps": steps, "record": self.world.step_record()}
        self.recording["steps"].append(line)
        return done


def replay(recording: Mapping[str, Any], world: World) -> None:
    """Do again in a world what a `Recorder` wrote down.

    Raises FormatError for what is no recording or one of another city or physics, SimulationFault at the first step
    whose record is not equal.
    """
    try:
        if recording["format"] != FORMAT:
            raise FormatError(FORMAT, f"{recording['format']!r}", "recording the episode again")
        made = (recording["content_sha256"], recording["physics"])
        start = Pose(*recording["pose"])
        given = dict(recording["conditions"])
        conditions = Conditions(**given | {"date": dt.date.fromisoformat(given["date"])})
        crowd = None if recording["crowd"] is None else CrowdSpec(**recording["crowd"])
        closures = [Closure(**closure) for closure in recording["closures"]]
        steps, first = recording["steps"], recording["start"]
        orders = [line["look"] if "look" in line else (Command(**line["command"]), line["steps"]) for line in steps]
        records = [line["record"] for line in steps]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError("a recording", f"{type(error).__name__}: {error}", "recording the episode again") from None
    if made != (world.city.content_sha256, world.physics):
        raise FormatError(f"city {made[0][:12]} with physics {made[1]}", f"{world.city.name}, {world.physics}", "those")
    world.reset(start, conditions, crowd=crowd, closures=closures)
    _compare(0, first, world.step_record())
    for number, (order, record) in enumerate(zip(orders, records, strict=True), 1):
        if isinstance(order, tuple):
            world.advance(*order)
        else:
            world.look(*order)
        _compare(number, record, world.step_record())


def _compare(number: int, expected: Any, found: Any) -> None:
    if found != expected:
        keys = [key for key in expected if found.get(key) != expected[key]]
        raise SimulationFault(
            f"step {number} as recorded", f"another {', '.join(keys)}", "the version that recorded it"
        )
