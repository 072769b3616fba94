"""The structured actions of UrbanGround as a Gymnasium space, beside their JSON encodings."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces

from citysim.tasks.actions import DIRECTIONS, MAX_S, MIN_S, NAMES
from citysim.tasks.parts import LETTERS

_SIGNED = {"yaw_rate": 180.0, "pitch_rate": 180.0, "yaw": 180.0, "pitch": 90.0, "east": 2000.0, "north": 2000.0}
"""Number -> what 1 stands for; these are in [-1, 1]."""
_SHARES = {"seconds": (MIN_S, MAX_S), "jump_at": (0.0, MAX_S), "x": (0.0, 1.0), "y": (0.0, 1.0), "factor": (-2.0, 2.0)}
"""Number -> what 0 and 1 stand for; these are in [0, 1]. `factor` is a power of two."""
_PARAMETERS = {
    "move": ("seconds", "yaw_rate", "pitch_rate"),
    "sprint": ("seconds", "yaw_rate", "pitch_rate"),
    "look": ("yaw", "pitch"),
    "map_select": ("x", "y"),
    "map_pan": ("east", "north"),
    "map_zoom": ("factor",),
    "map_orbit": ("yaw", "pitch"),
}


def turn_space() -> spaces.Dict:
    """`action` counts citysim.tasks.actions.NAMES, `dir` forward, backward, left, right, `answer` A to D.

    The numbers are those of the JSON encodings brought to [-1, 1] (turns, moves of the map) or [0, 1] (seconds, places
    on the map, the zoom's logarithm), float32 of shape (1,), as Gymnasium recommends; what an action does not use is
    ignored.
    """
    boxes: dict[str, spaces.Space[Any]] = {name: spaces.Box(-1.0, 1.0, (1,), np.float32) for name in _SIGNED}
    boxes |= {name: spaces.Box(0.0, 1.0, (1,), np.float32) for name in _SHARES}
    counts = {
        "action": spaces.Discrete(len(NAMES)),
        "dir": spaces.Discrete(len(DIRECTIONS)),
        "jump": spaces.Discrete(2),
        "answer": spaces.Discrete(len(LETTERS)),
    }
    return spaces.Dict({**boxes, **counts})


def encoding_of(action: Any, mode: str) -> Any:
    """The JSON encoding of a member of the space; anything else is given back as it is, to be judged by the episode."""
    if not isinstance(action, Mapping) or not isinstance(action.get("action"), int | np.integer):
        return action
    if mode == "answer":
        return {"answer": LETTERS[int(action["answer"])]}
    name = NAMES[int(action["action"])]
    encoded: dict[str, Any] = {"action": name}
    for key in _PARAMETERS.get(name, ()):
        encoded[key] = _number(key, action)
    if name in ("move", "sprint"):
        encoded["dir"] = tuple(DIRECTIONS)[int(action["dir"])]
        if action.get("jump"):
            encoded |= {"jump": True, "jump_at": min(_number("jump_at", action), encoded["seconds"])}
    return encoded


def _number(key: str, action: Mapping[str, Any]) -> float:
    """A parameter in the unit of its JSON encoding; NaN stays NaN, for the episode to refuse."""
    value = float(np.asarray(action[key]).reshape(-1)[0])
    if key in _SIGNED:
        return max(-1.0, min(1.0, value)) * _SIGNED[key] if value == value else value
    low, high = _SHARES[key]
    scaled = low + max(0.0, min(1.0, value)) * (high - low) if value == value else value
    return 2.0**scaled if key == "factor" else scaled
