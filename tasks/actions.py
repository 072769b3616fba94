"""The structured actions of a walker: exactly one a turn, with UrbanGround's names, ranges and encodings.

=========  ==================================================================================================
move       walk for `seconds` (0.05 to 2, default 0.5) in `dir` forward, backward, left or right at 1.5 m/s; optional
           `yaw_rate`, `pitch_rate` (within 180 deg/s), `jump` (true or false), `jump_at` (seconds from the start)
sprint     the same at 4.5 m/s
look       turn by `yaw` (within 180 deg, positive to the right) and `pitch` (within 90 deg, positive up)
jump       jump on the spot
terminate  declare the task done
=========  ==================================================================================================

Three encodings are accepted: `{"action": "move", …}`, `{"type": "move", …}` and `{"move": {…}}`. Numbers out of range
are brought into it and unknown keys left out, both with a notice, as UrbanGround does; anything else is refused.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from citysim.city.checks import is_number
from citysim.errors import InputError, UnknownNameError
from citysim.tasks.text import shown

STEP_S = 1.0 / 60.0
WALK_M_S = 1.5
SPRINT_M_S = 4.5
DIRECTIONS: dict[str, tuple[float, float]] = {
    "forward": (1.0, 0.0),
    "backward": (-1.0, 0.0),
    "left": (0.0, 1.0),
    "right": (0.0, -1.0),
}
"""Direction -> (ahead, left) unit vector."""
NAMES = ("move", "sprint", "look", "jump", "terminate")
MIN_S, MAX_S, DEFAULT_S = 0.05, 2.0, 0.5
LOOK_STEPS = 30
"""A look takes half a second whatever its angle: nothing in a city waits for an agent that only turns its head."""
JUMP_STEPS = 60

_KEYS = {
    "move": ("dir", "seconds", "yaw_rate", "pitch_rate", "jump", "jump_at"),
    "sprint": ("dir", "seconds", "yaw_rate", "pitch_rate", "jump", "jump_at"),
    "look": ("yaw", "pitch"),
    "jump": (),
    "terminate": (),
}


@dataclass(frozen=True, slots=True)
class Action:
    """One checked action. Angles in degrees as agents give them: yaw positive to the right, pitch positive up.

    `steps` is its duration in physics steps of 1/60 s. move and sprint use `direction`, `yaw_rate_deg_s`,
    `pitch_rate_deg_s` and `jump_step` (the step at which it jumps, None for no jump); look uses `yaw_deg`, `pitch_deg`.
    """

    name: str
    steps: int = 0
    direction: str = "forward"
    yaw_rate_deg_s: float = 0.0
    pitch_rate_deg_s: float = 0.0
    jump_step: int | None = None
    yaw_deg: float = 0.0
    pitch_deg: float = 0.0

    @property
    def seconds(self) -> float:
        """Duration in simulated seconds."""
        return self.steps * STEP_S

    def to_json(self) -> dict[str, Any]:
        """The action in its first encoding, with the values that were carried out."""
        if self.name in ("move", "sprint"):
            shown: dict[str, Any] = {"action": self.name, "dir": self.direction, "seconds": round(self.seconds, 6)}
            if self.yaw_rate_deg_s:
                shown["yaw_rate"] = self.yaw_rate_deg_s
            if self.pitch_rate_deg_s:
                shown["pitch_rate"] = self.pitch_rate_deg_s
            if self.jump_step is not None:
                shown |= {"jump": True, "jump_at": round(self.jump_step * STEP_S, 6)}
            return shown
        if self.name == "look":
            return {"action": "look", "yaw": self.yaw_deg, "pitch": self.pitch_deg}
        return {"action": self.name}


def parse_action(value: Any) -> tuple[Action, tuple[str, ...]]:
    """Check an action given by an agent; returns it with notices about what was changed.

    Raises InputError saying what was expected and found.
    """
    if isinstance(value, Action):  # checked like any other: whoever can make one can make a wrong one
        value = value.to_json()
    name, given = _unwrap(value)
    if name not in _KEYS:
        raise UnknownNameError.of("an action", name, NAMES)
    notices = [f"{key!r} is no parameter of {name} and was left out" for key in given if key not in _KEYS[name]]

    def number(key: str, low: float, high: float, default: float) -> float:
        raw = given.get(key, default)
        if not is_number(raw):
            raise InputError(f"a finite number for {key!r} of {name}", shown(raw), f"a value from {low:g} to {high:g}")
        kept = min(max(float(raw), low), high)
        if kept != raw:
            notices.append(f"{key} {raw:g} is outside {low:g} to {high:g}: {kept:g} was used")
        return kept

    if name == "look":
        yaw, pitch = number("yaw", -180.0, 180.0, 0.0), number("pitch", -90.0, 90.0, 0.0)
        return Action("look", LOOK_STEPS, yaw_deg=yaw, pitch_deg=pitch), tuple(notices)
    if name in ("jump", "terminate"):
        return Action(name, JUMP_STEPS if name == "jump" else 0), tuple(notices)
    direction = given.get("dir")
    if not isinstance(direction, str) or direction not in DIRECTIONS:
        found = "no 'dir'" if direction is None else shown(direction)
        raise InputError(f"'dir' of {name} among {', '.join(DIRECTIONS)}", found, "'forward'")
    steps = round(number("seconds", MIN_S, MAX_S, DEFAULT_S) / STEP_S)
    jump = given.get("jump", False)
    if not isinstance(jump, bool):
        raise InputError(f"true or false for 'jump' of {name}", shown(jump), "true")
    at = min(round(number("jump_at", 0.0, steps * STEP_S, 0.0) / STEP_S), steps - 1)
    action = Action(
        name,
        steps,
        direction,
        number("yaw_rate", -180.0, 180.0, 0.0),
        number("pitch_rate", -180.0, 180.0, 0.0),
        at if jump else None,
    )
    return action, tuple(notices)


def _unwrap(value: Any) -> tuple[str, dict[str, Any]]:
    """Name and parameters of any of the three encodings."""
    if not isinstance(value, Mapping):
        raise InputError("an action as an object", type(value).__name__, '{"action": "move", "dir": "forward"}')
    for key in ("action", "type"):
        if key in value:
            name = value[key]
            if not isinstance(name, str):
                raise InputError(f"an action's name in {key!r}", shown(name), f"one of {', '.join(NAMES)}")
            return name, {str(k): v for k, v in value.items() if k != key}
    if len(value) == 1:
        name, given = next(iter(value.items()))
        if given is None or isinstance(given, Mapping):
            return str(name), {str(k): v for k, v in (given or {}).items()}
    raise InputError(
        "one action under 'action', 'type' or as the only key",
        shown(sorted(map(str, value))),
        '{"action": "look", "yaw": 30}',
    )
