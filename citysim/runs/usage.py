"""usage.jsonl: what a model cost, by episode; only runs of agents that count have it."""

from collections.abc import Mapping
from typing import Any

from citysim.runs.folder import RunFolder, jsonl
from citysim.storage import write_atomic

CLOCKS = ("wall_s", "reset_s", "agent_s", "world_s", "observe_s")
"""Seconds that every timing has."""


def write_usage(folder: RunFolder, timings: Mapping[str, Mapping[str, Any]]) -> None:
    """Write the counters that timings hold beside the clocks; no file where none does."""
    lines = []
    for id in sorted(timings):
        counted = {name: value for name, value in timings[id].items() if name != "id" and name not in CLOCKS}
        if counted:
            lines.append({"id": id, **counted})
    if lines:
        write_atomic(folder.path / "usage.jsonl", jsonl(lines))


def total_usage(lines: list[Mapping[str, Any]]) -> dict[str, float]:
    """Sums over episodes by name."""
    names = dict.fromkeys(name for line in lines for name in line if name != "id")
    return {name: round(sum(line.get(name, 0) for line in lines), 6) for name in names}
