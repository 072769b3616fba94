"""95 % intervals of everything that a table shows: Wilson's for shares of episodes, bootstrap ones for means."""

from collections.abc import Mapping, Sequence
from typing import Any

from citysim.runs.paired import bootstrap_interval, ratio_interval
from citysim.tasks.metrics import wilson_interval
from citysim.tasks.urbanground.scores import NAVIGATION, RADIUS_M, SCHEDULE, TOUR, in_rain, rain_shares

Line = Mapping[str, Any]
Interval = tuple[float, float] | None
OF_LINES = (
    "pna", "steps", "sim_seconds", "path_length_m", "building_collisions", "pedestrian_collisions", "final_distance_m",
)  # fmt: skip
OF_METRICS = ("spl", "remaining_ratio", "invalid_actions")
CHECKED = NAVIGATION[:4]


def mean_intervals(scored: Sequence[Line]) -> dict[str, Interval]:
    """Intervals of `citysim.runs.summary.figures`, by the same names; None where there is no value."""
    found = {key: bootstrap_interval([line[key] for line in scored if line[key] is not None]) for key in OF_LINES}
    found |= {key: bootstrap_interval(_metric(scored, key)) for key in OF_METRICS}
    found["pcr"] = share_interval([line["pedestrian_collisions"] > 0 for line in scored])
    found["oracle_success_rate"] = share_interval([value > 0.0 for value in _metric(scored, "oracle_success")])
    return found


def share_interval(told: Sequence[bool]) -> Interval:
    """Wilson's interval of a share, None of nothing."""
    if not told:
        return None
    low, high = wilson_interval(sum(told), len(told))
    return round(low, 6), round(high, 6)


def urbanground_intervals(lines: Sequence[Line]) -> dict[str, Interval]:
    """Intervals of the single figures of `urbanground_scores`, named as in `citysim.runs.report_tables`."""
    scored = [line for line in lines if line["status"] != "unscored"]
    closed = [line for line in scored if line["type"] in ("CN", "DCR") and "closure_respected" in line["metrics"]]
    timed = [line for line in scored if line["pna"] is not None]
    found: dict[str, Interval] = {
        "navigation overall": share_interval([_won(line) for line in scored if line["type"] in NAVIGATION]),
        "PNA": ratio_interval(
            [line["pna"] * line["sim_seconds"] for line in timed], [line["sim_seconds"] for line in timed]
        ),
        "PCR": share_interval([line["pedestrian_collisions"] > 0 for line in scored if line["type"] == "NP"]),
        "SPR": bootstrap_interval(_metric(closed, "safe_progress")),
        "closures respected": share_interval([value > 0.0 for value in _metric(closed, "closure_respected")]),
        "closures disclosed": share_interval([value > 0.0 for value in _metric(closed, "closure_disclosed")]),
        "map used": share_interval([line["metrics"].get("map_steps", 0.0) > 0 for line in scored]),
        "in the rain": bootstrap_interval(rain_shares(in_rain(scored))),
    }
    # also those of the checkpoints below, by family, "final" or "oracle", and figure
    for type, names in (("TW", SCHEDULE), ("MS", TOUR)):
        own = [line for line in scored if line["type"] == type]
        found |= {f"{type} {name}": bootstrap_interval(_metric(own, name)) for name in names}
    for type in CHECKED:
        own = [line for line in scored if line["type"] == type and line["start_distance_m"] > 0.0]
        for word, key in (("final", "final_distance_m"), ("oracle", "min_distance_m")):
            found[f"{type} {word} closer"] = share_interval([line[key] < line["start_distance_m"] for line in own])
            left = [line[key] / line["start_distance_m"] for line in own]
            found[f"{type} {word} remaining"] = bootstrap_interval(left)
            safe = [line["metrics"].get("closure_respected", 1.0) > 0.0 for line in own]
            near = [line[key] <= RADIUS_M and whole for line, whole in zip(own, safe, strict=True)]
            found[f"{type} {word} sr"] = share_interval(near)
    return {name: interval for name, interval in found.items() if interval is not None}


def _metric(lines: Sequence[Line], key: str) -> list[float]:
    return [line["metrics"][key] for line in lines if line["metrics"].get(key) is not None]


def _won(line: Line) -> bool:
    return bool(line["status"] == "success")
