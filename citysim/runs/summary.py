"""Figures over episodes: all together, by type, by level, and by quartile of the initial distance."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from citysim.runs.intervals import mean_intervals, urbanground_intervals
from citysim.tasks.metrics import mean, wilson_interval
from citysim.tasks.urbanground.scores import quarters, urbanground_scores

Line = dict[str, Any]
COLUMNS = ("agent", "episodes", "success", "95 %", "SPL", "PNA", "steps", "sim s", "path m", "bumps", "unscored")


@dataclass(frozen=True)
class RunSummary:
    """The figures of one run: `data` is what stands in summary.json."""

    run: Path
    data: dict[str, Any]

    @property
    def unscored(self) -> int:
        """Episodes that a fault ended: of the simulator, the agent or the model's endpoint."""
        return int(self.data["all"]["unscored"])

    @property
    def successes(self) -> int:
        """Episodes that succeeded."""
        return int(self.data["all"]["successes"])

    def text(self) -> str:
        """The file's text."""
        return json.dumps(self.data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"

    def rows(self) -> list[tuple[str, ...]]:
        """One row for COLUMNS: the whole run."""
        return [figures_row(self.data["agent"], self.data["all"])]

    def group_rows(self) -> list[tuple[str, ...]]:
        """A row each type, level and distance quartile, named in the first column."""
        groups = (("type", "by_type"), ("level", "by_level"), ("start distance", "by_distance"))
        return [figures_row(f"{word} {key}", g) for word, table in groups for key, g in self.data[table].items()]


SHOWN: tuple[tuple[str, int], ...] = (
    ("spl", 3), ("pna", -2), ("steps", 1), ("sim_seconds", 1), ("path_length_m", 0), ("building_collisions", 1),
)  # fmt: skip
"""Means of a row and their decimals; -2 stands for percent."""


def figures_row(name: str, figures: dict[str, Any], intervals: bool = False) -> tuple[str, ...]:
    """One row for COLUMNS; with `intervals` each mean is followed by its 95 % interval."""
    known = figures["intervals"] if intervals else {}
    low, high = figures["success_interval"]
    means = (f"{shown(figures[key], digits)}{between(known.get(key), digits, ' (', ')')}" for key, digits in SHOWN)
    return (
        name, str(figures["n"]), percent(figures["success_rate"]),
        f"{100 * low:.0f}-{100 * high:.0f} %" if figures["n"] else "-", *means, str(figures["unscored"]),
    )  # fmt: skip


def shown(value: float | None, digits: int) -> str:
    """A mean with so many decimals, -2 for percent."""
    return percent(value) if digits == -2 else number(value, digits)


def between(interval: Sequence[float] | None, digits: int, before: str = "", after: str = "") -> str:
    """An interval such as "0.51-0.63" between two texts, "" for none."""
    if interval is None:
        return ""
    low, high = interval
    text = f"{100 * low:.0f}-{100 * high:.0f} %" if digits == -2 else f"{number(low, digits)}-{number(high, digits)}"
    return f"{before}{text}{after}"


def summarise(lines: Sequence[Line], manifest: dict[str, Any]) -> dict[str, Any]:
    """The content of summary.json from episode lines."""
    table = urbanground_scores(lines)
    return {
        "schema": "citysim.summary/1",
        "suite": manifest["suite"]["name"],
        "suite_sha256": manifest["suite"]["sha256"],
        "city": manifest["city"]["name"],
        "city_sha256": manifest["city"]["content_sha256"],
        "agent": manifest["agent"]["name"],
        "privileged": manifest["agent"]["privileged"],
        "physics": manifest["physics"],
        "seed": manifest["seed"],
        "all": figures(lines),
        "by_type": _grouped(lines, lambda line: str(line["type"])),
        "by_level": _grouped(lines, lambda line: str(line["level"])),
        "by_distance": _quartiles(lines),
    } | ({"urbanground": table | {"intervals": urbanground_intervals(lines)}} if table else {})


def figures(lines: Sequence[Line]) -> dict[str, Any]:
    """Means over scored episodes, with 95 % intervals (`intervals`, by name; the success rate's is Wilson's).

    Unscored episodes are only counted.

    Failures count as zeros in success and SPL; PNA leaves out episodes in which no time passed. `pcr` is the share of
    episodes with at least one pedestrian collision.
    """
    scored = [line for line in lines if line["status"] != "unscored"]
    wins = sum(line["status"] == "success" for line in scored)
    low, high = wilson_interval(wins, len(scored))

    def average(key: str) -> float | None:
        return _short(mean(line[key] for line in scored))

    def metric(key: str) -> float | None:
        return _short(mean(line["metrics"].get(key) for line in scored))

    return {
        "n": len(scored),
        "unscored": len(lines) - len(scored),
        "successes": wins,
        "success_rate": _short(wins / len(scored)) if scored else None,
        "success_interval": [round(low, 6), round(high, 6)],
        "spl": metric("spl"),
        "pna": average("pna"),
        "steps": average("steps"),
        "sim_seconds": average("sim_seconds"),
        "path_length_m": average("path_length_m"),
        "building_collisions": average("building_collisions"),
        "pedestrian_collisions": average("pedestrian_collisions"),
        "pcr": _short(mean(float(line["pedestrian_collisions"] > 0) for line in scored)),
        "final_distance_m": average("final_distance_m"),
        "remaining_ratio": metric("remaining_ratio"),
        "oracle_success_rate": metric("oracle_success"),
        "invalid_actions": metric("invalid_actions"),
        "intervals": mean_intervals(scored),
    }


def percent(value: float | None) -> str:
    """A share as whole percents."""
    return "-" if value is None else f"{100 * value:.0f} %"


def number(value: float | None, digits: int) -> str:
    """A number with fixed decimals."""
    return "-" if value is None else f"{value:.{digits}f}"


def _short(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def _grouped(lines: Sequence[Line], key: Callable[[Line], str]) -> dict[str, Any]:
    names = sorted({key(line) for line in lines})
    return {name: figures([line for line in lines if key(line) == name]) for name in names}


def _quartiles(lines: Sequence[Line]) -> dict[str, Any]:
    """Four groups of equal size by initial straight-line distance, as UrbanGround analyses them."""
    if len(lines) < 4:
        return {}
    name = "{:.0f}-{:.0f} m"
    return {name.format(g[0]["start_distance_m"], g[-1]["start_distance_m"]): figures(g) for g in quarters(lines)}
