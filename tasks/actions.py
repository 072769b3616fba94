"""The structured actions of a walker: exactly one a turn, with UrbanGround's names, ranges and encodings.

==========  =================================================================================================
move        walk for `seconds` (0.05 to 2, default 0.5) in `dir` forward, backward, left or right at 1.5 m/s; optional
            `yaw_rate`, `pitch_rate` (within 180 deg/s), `jump` (true or false), `jump_at` (seconds from the start)
sprint      the same at 4.5 m/s
look        turn by `yaw` (within 180 deg, positive to the right) and `pitch` (within 90 deg, positive up)
jump        jump on the spot
open_map    look at the map instead of the street
map_select  ask what stands at `x`, `y` of the map (0 to 1, from its upper left corner)
map_pan     move the map by `east`, `north` (within 2000 m)
map_zoom    multiply what the map covers by `factor` (0.25 to 4, below 1 is closer)
map_orbit   turn the map by `yaw` (within 180 deg) and tilt it by `pitch` (within 90 deg)
close_map   look at the street again
terminate   declare the task done
==========  =================================================================================================

The map's actions are taken while it is open, the others while it is closed, `terminate` at any time. Three encodings
are accepted: `{"action": "move", …}`, `{"type": "move", …}` and `{"move": {…}}`. Numbers out of range are brought into
it and unknown keys left out, both with a notice, as UrbanGround does; anything else is refused.
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
STREET_NAMES = ("move", "sprint", "look", "jump", "open_map")
MAP_NAMES = ("map_select", "map_pan", "map_zoom", "map_orbit", "close_map")
NAMES = (*STREET_NAMES, *MAP_NAMES, "terminate")
MIN_S, MAX_S, DEFAULT_S = 0.05, 2.0, 0.5
LOOK_STEPS = 30
"""A look takes half a second whatever its angle, and so does an action on the map: nothing in a city waits for it."""
JUMP_STEPS = 60

_KEYS = {
    "move": ("dir", "seconds", "yaw_rate", "pitch_rate", "jump", "jump_at"),
    "sprint": ("dir", "seconds", "yaw_rate", "pitch_rate", "jump", "jump_at"),
    "look": ("yaw", "pitch"),
    "jump": (),
    "open_map": (),
    "map_select": ("x", "y"),
    "map_pan": ("east", "north"),
    "map_zoom": ("factor",),
    "map_orbit": ("yaw", "pitch"),
    "close_map": (),
    "terminate": (),
}


@dataclass(frozen=True, slots=True)
class Action:
    """One checked action. Angles in degrees as agents give them: yaw positive to the right, pitch positive up.

    `steps` is its duration in physics steps of 1/60 s. move and sprint use `direction`, `yaw_rate_deg_s`,
    `pitch_rate_deg_s` and `jump_step` (the step at which it jumps, None for no jump); look and map_orbit use `yaw_deg`
    and `pitch_deg`, map_select `x` and `y`, map_pan `east_m` and `north_m`, map_zoom `factor`.
    """

    name: str
    steps: int = 0
    direction: str = "forward"
    yaw_rate_deg_s: float = 0.0
    pitch_rate_deg_s: float = 0.0
    jump_step: int | None = None
    yaw_deg: float = 0.0
    pitch_deg: float = 0.0
    x: float = 0.5
    y: float = 0.5
    east_m: float = 0.0
    north_m: float = 0.0
    factor: float = 1.0

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
        values = {
            "look": {"yaw": self.yaw_deg, "pitch": self.pitch_deg},
            "map_orbit": {"yaw": self.yaw_deg, "pitch": self.pitch_deg},
            "map_select": {"x": self.x, "y": self.y},
            "map_pan": {"east": self.east_m, "north": self.north_m},
            "map_zoom": {"factor": self.factor},
        }
        return {"action": self.name, **values.get(self.name, {})}


def parse_action(value: Any, mode: str | None = None) -> tuple[Action, tuple[str, ...]]:
    """Check an action given by an agent; returns it with notices about what was changed.

    `mode` is "first_person" or "map": the other's actions are refused (None accepts all). Raises InputError saying what
    was expected and found.
    """
    if isinstance(value, Action):  # checked like any other: whoever can make one can make a wrong one
        value = value.to_json()
    name, given = _unwrap(value)
    if name not in _KEYS:
        raise UnknownNameError.of("an action", name, NAMES)
    if mode == "map" and name in STREET_NAMES:
        raise InputError(f"an action of the open map ({', '.join(MAP_NAMES)})", f"'{name}'", "close_map first")
    if mode == "first_person" and name in MAP_NAMES:
        raise InputError(f"an action of the street ({', '.join(STREET_NAMES)})", f"'{name}'", "open_map first")
    notices = [f"{key!r} is no parameter of {name} and was left out" for key in given if key not in _KEYS[name]]

    def number(key: str, low: float, high: float, default: float) -> float:
        raw = given.get(key, default)
        if not is_number(raw):
            raise InputError(f"a finite number for {key!r} of {name}", shown(raw), f"a value from {low:g} to {high:g}")
        kept = min(max(float(raw), low), high)
        if kept != raw:
            notices.append(f"{key} {raw:g} is outside {low:g} to {high:g}: {kept:g} was used")
        return kept

    if name in ("look", "map_orbit"):
        yaw, pitch = number("yaw", -180.0, 180.0, 0.0), number("pitch", -90.0, 90.0, 0.0)
        return Action(name, LOOK_STEPS, yaw_deg=yaw, pitch_deg=pitch), tuple(notices)
    if name == "map_select":
        x, y = number("x", 0.0, 1.0, 0.5), number("y", 0.0, 1.0, 0.5)
        return Action(name, LOOK_STEPS, x=x, y=y), tuple(notices)
    if name == "map_pan":
        east, north = number("east", -2000.0, 2000.0, 0.0), number("north", -2000.0, 2000.0, 0.0)
        return Action(name, LOOK_STEPS, east_m=east, north_m=north), tuple(notices)
    if name == "map_zoom":
        return Action(name, LOOK_STEPS, factor=number("factor", 0.25, 4.0, 1.0)), tuple(notices)
    if name not in ("move", "sprint"):
        steps = {"jump": JUMP_STEPS, "terminate": 0}.get(name, LOOK_STEPS)
        return Action(name, steps), tuple(notices)
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
