"""Actions as tools of a chat request, in the words of citysim.tasks.actions."""

from collections.abc import Mapping
from typing import Any

from citysim.tasks.actions import DIRECTIONS, MAP_NAMES, STREET_NAMES

REASON = {"type": "string", "description": "In one or two sentences: what you see, and why you do this."}


def number(low: float, high: float, about: str) -> dict[str, Any]:
    """The JSON schema of a number in a range."""
    return {"type": "number", "minimum": low, "maximum": high, "description": about}


_WALK = {
    "dir": {"type": "string", "enum": list(DIRECTIONS)},
    "seconds": number(0.05, 2.0, "how long"),
    "yaw_rate": number(-180.0, 180.0, "degrees a second to the right while walking"),
}
PARAMETERS: Mapping[str, tuple[str, Mapping[str, Any], tuple[str, ...]]] = {
    "move": ("Walk at 1.5 m/s.", _WALK, ("dir", "seconds")),
    "sprint": ("Run at 4.5 m/s.", _WALK, ("dir", "seconds")),
    "look": (
        "Turn on the spot.",
        {"yaw": number(-180.0, 180.0, "degrees to the right"), "pitch": number(-90.0, 90.0, "degrees up")},
        ("yaw",),
    ),
    "jump": ("Jump on the spot.", {}, ()),
    "open_map": ("Look at the map instead of the street.", {}, ()),
    "map_select": (
        "Ask what stands at a point of the map.",
        {"x": number(0.0, 1.0, "from the left edge"), "y": number(0.0, 1.0, "from the upper edge")},
        ("x", "y"),
    ),
    "map_pan": (
        "Move the map.",
        {"east": number(-2000.0, 2000.0, "metres"), "north": number(-2000.0, 2000.0, "metres")},
        ("east", "north"),
    ),
    "map_zoom": (
        "Zoom the map.",
        {"factor": number(0.25, 4.0, "what the map covers is multiplied by it; below 1 is closer")},
        ("factor",),
    ),
    "map_orbit": (
        "Turn and tilt the map.",
        {"yaw": number(-180.0, 180.0, "degrees"), "pitch": number(-90.0, 90.0, "degrees")},
        ("yaw",),
    ),
    "close_map": ("Look at the street again.", {}, ()),
    "terminate": ("Declare the task done; a question's answer is asked for afterwards.", {}, ()),
    "answer": ("Answer the question.", {"answer": {"type": "string", "enum": list("ABCD")}}, ("answer",)),
}
"""Name -> what it does, its parameters as JSON schemas, and which of them must be there."""


def names_in(mode: str) -> tuple[str, ...]:
    """The actions that can be taken in an observation's mode."""
    if mode == "answer":
        return ("answer",)
    return (*(MAP_NAMES if mode == "map" else STREET_NAMES), "terminate")


def tools_in(mode: str) -> list[dict[str, Any]]:
    """The `tools` of a chat request in that mode."""
    return [_tool(name) for name in names_in(mode)]


def listed(names: tuple[str, ...]) -> str:
    """Actions with their parameters as lines of text, for models without tools."""
    lines = []
    for name in names:
        about, parameters, _ = PARAMETERS[name]
        given = "; ".join(f"{key} {_range(schema)}" for key, schema in parameters.items())
        lines.append(f"- {name}: {about}" + (f" Parameters: {given}." if given else ""))
    return "\n".join(lines)


def _range(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return "one of " + ", ".join(schema["enum"])
    return f"{schema['minimum']:g} to {schema['maximum']:g} ({schema['description']})"


def _tool(name: str) -> dict[str, Any]:
    about, parameters, required = PARAMETERS[name]
    schema = {
        "type": "object",
        "properties": {"reason": REASON, **parameters},
        "required": ["reason", *required],
    }
    return {"type": "function", "function": {"name": name, "description": about, "parameters": schema}}
