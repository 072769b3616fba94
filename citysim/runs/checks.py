"""What the JSON files of a run folder must hold for those who read them; the first thing amiss is named."""

from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from citysim.city.checks import are, is_number, is_text, is_whole
from citysim.errors import FormatError

Check = Callable[[Any], bool]
STATUSES = ("success", "failure", "unscored")


def _maybe(check: Check) -> Check:
    return lambda value: value is None or check(value)


def _is_count(value: Any) -> bool:
    return is_whole(value) and value >= 0


def _is_id(value: Any) -> bool:
    """Ids name files, so that they must not lead elsewhere."""
    return is_text(value) and PurePosixPath(value).name == value and "\x00" not in value


def _is_metrics(value: Any) -> bool:
    return isinstance(value, dict) and all(map(is_text, value)) and all(map(is_number, value.values()))


def _is_line(value: Any) -> bool:
    return are(lambda point: are(is_number, point, 2), value)


_SCHEMA_OF_LINE: dict[str, tuple[Check, str]] = {
    "id": (_is_id, "an id"),
    **dict.fromkeys(("suite", "type", "level", "agent", "stop_reason"), (is_text, "a text")),
    "status": (lambda value: value in STATUSES, "success, failure or unscored"),
    "seed": (is_whole, "a whole number"),
    **dict.fromkeys(("steps", "building_collisions", "pedestrian_collisions"), (_is_count, "a count")),
    **dict.fromkeys(
        ("sim_seconds", "path_length_m", "shortest_path_m", "start_distance_m", "final_distance_m", "min_distance_m"),
        (is_number, "a number"),
    ),
    "pna": (_maybe(is_number), "a number or null"),
    "metrics": (_is_metrics, "numbers by name"),
}
_SCHEMA_OF_MANIFEST: dict[str, tuple[Check, str]] = {
    **dict.fromkeys(
        ("citysim", "python", "platform", "renderer", "physics", "executor", "started", "suite.name", "suite.version",
         "suite.sha256", "city.name", "city.title", "city.content_sha256", "city.attribution", "city.licence",
         "agent.spec", "agent.name"),
        (is_text, "a text"),
    ),
    "git_commit": (_maybe(is_text), "a text or null"),
    **dict.fromkeys(("seed", "workers", "limits.actions"), (is_whole, "a whole number")),
    "limits": (lambda value: isinstance(value, dict), "limits by name"),
    "agent.privileged": (lambda value: are(is_text, value), "a list of texts"),
}  # fmt: skip


def check_line(value: Any, path: Path) -> dict[str, Any]:
    """A line of episodes.jsonl; raises FormatError naming the file and the key."""
    return _checked(value, path, "a line", _SCHEMA_OF_LINE, "removing it and citysim eval --resume")


def check_manifest(value: Any, path: Path) -> dict[str, Any]:
    """A manifest; raises FormatError naming the file and the key."""
    return _checked(value, path, "a manifest", _SCHEMA_OF_MANIFEST, "running citysim eval anew with another --out")


def check_map(value: Any, path: Path) -> dict[str, Any]:
    """A map.json: bounds with an extent, lines of the network, routes by instance; raises FormatError."""
    checks: dict[str, tuple[Check, str]] = {
        "bounds": (lambda b: are(is_number, b, 4) and b[0] < b[2] and b[1] < b[3], "west, south, east and north"),
        "network": (lambda lines: are(_is_line, lines), "lines of points"),
        "routes": (lambda r: isinstance(r, dict) and all(map(_is_line, r.values())), "lines by instance"),
    }
    return _checked(value, path, "a map", checks, "removing it")


def is_timing(value: Any) -> bool:
    """Whether a value is a line of timings.jsonl."""
    return (
        isinstance(value, dict) and _is_id(value.get("id")) and all(is_number(v) for k, v in value.items() if k != "id")
    )


def _checked(value: Any, path: Path, what: str, schema: Mapping[str, tuple[Check, str]], advice: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise FormatError(f"{what} as a JSON object in '{path}'", f"{value!r:.60}", advice)
    for key, (check, word) in schema.items():
        found: Any = value
        for part in key.split("."):
            found = found.get(part) if isinstance(found, dict) else None
        if not check(found):
            raise FormatError(f"{word} under '{key}' of {what} in '{path}'", f"{found!r:.60}", advice)
    return value
