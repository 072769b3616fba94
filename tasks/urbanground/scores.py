"""UrbanGround's figures over episode lines: every one of them can be computed again from a run folder."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeVar

from citysim.tasks.metrics import mean, wilson_interval
from citysim.tasks.urbanground.families import FAMILIES

Line = Mapping[str, Any]
L = TypeVar("L", bound=Line)

ANSWERED = ("VR", "OU", "AEQ")
NAVIGATION = ("SN", "LN", "IN", "CN", "PS", "II", "TW", "MS")
"""The families of the navigation overall."""
QUARTERED = ("SN", "IN")
PROGRESS = 0.1
"""A share of the first distance: coming less much nearer is no progress, going so much away again loses it."""
RADIUS_M = 15.0

FAILURES = ("never_progressed", "progress_lost", "self_terminated", "budget_exhausted", "closure_crossed")


def urbanground_scores(lines: Sequence[Line]) -> dict[str, Any]:
    """All tables of UrbanGround for the scored lines of a run; {} where there are none of its families."""
    scored = [line for line in lines if line["status"] != "unscored" and line["type"] in FAMILIES]
    if not scored:
        return {}
    by_type = {type: [line for line in scored if line["type"] == type] for type in FAMILIES}
    return {
        "accuracy": {type: rate(by_type[type]) for type in ANSWERED if by_type[type]},
        "success": {type: rate(by_type[type]) for type in FAMILIES if type not in ANSWERED and by_type[type]},
        "navigation_overall": navigation_overall(scored),
        "pna": _rounded(pooled_pna(scored)),
        "closures": closure_rates([*by_type["CN"], *by_type["DCR"]]),
        "pcr": _rounded(mean(float(line["pedestrian_collisions"] > 0) for line in by_type["NP"])),
        "schedules": _means(by_type["TW"], SCHEDULE),
        "tours": _means(by_type["MS"], TOUR),
        "quartiles": {type: quartiles(by_type[type]) for type in QUARTERED if len(by_type[type]) >= 4},
        "conditions": conditions(scored),
        "checkpoints": {type: checkpoints(by_type[type]) for type in NAVIGATION[:4] if by_type[type]},
        "failures": {type: failures(by_type[type]) for type in NAVIGATION if by_type[type]},
        "map_use": _rounded(mean(float(line["metrics"]["map_steps"] > 0) for line in scored)),
        "rain_exposure": rain_exposure(scored),
    }


SCHEDULE = (
    "stop_ratio", "on_time_ratio", "all_on_time", "order_violations", "total_lateness_s", "max_lateness_s",
)  # fmt: skip
TOUR = ("stop_ratio", "route_efficiency")


def rate(lines: Sequence[Line]) -> dict[str, Any]:
    """Share of successes with Wilson's 95 % interval; failures and lost answers count as zeros."""
    wins = sum(line["status"] == "success" for line in lines)
    low, high = wilson_interval(wins, len(lines))
    share = wins / len(lines) if lines else None
    return {"n": len(lines), "rate": _rounded(share), "interval": [round(low, 6), round(high, 6)]}


def navigation_overall(lines: Sequence[Line]) -> float | None:
    """Mean of the eight navigation families' rates, weighted by their numbers of instances."""
    chosen = [line for line in lines if line["type"] in NAVIGATION]
    return _rounded(mean(float(line["status"] == "success") for line in chosen))


def pooled_pna(lines: Sequence[Line]) -> float | None:
    """Pedestrian network adherence: seconds of actions that ended on the network over all seconds of actions."""
    timed = [line for line in lines if line["pna"] is not None]
    total = sum(line["sim_seconds"] for line in timed)
    return sum(line["pna"] * line["sim_seconds"] for line in timed) / total if total > 0.0 else None


def closure_rates(lines: Sequence[Line]) -> dict[str, Any]:
    """`spr`, the share of episodes that crossed no closure after its notice and ended nearer than they began, and
    `respected`, the share that crossed none.
    """
    closed = [line for line in lines if "closure_respected" in line["metrics"]]
    return {
        "n": len(closed),
        "spr": _rounded(mean(line["metrics"]["safe_progress"] for line in closed)),
        "respected": _rounded(mean(line["metrics"]["closure_respected"] for line in closed)),
        "disclosed": _rounded(mean(line["metrics"]["closure_disclosed"] for line in closed)),
    }


def quarters(lines: Sequence[L]) -> list[list[L]]:
    """Four groups of equal size by straight distance at the start, near ones first."""
    ranked = sorted(lines, key=lambda line: (line["start_distance_m"], line["id"]))
    bounds = [round(len(ranked) * k / 4) for k in range(5)]
    return [ranked[a:b] for a, b in pairwise(bounds)]


def quartiles(lines: Sequence[Line]) -> list[dict[str, Any]]:
    """The rate of each of the `quarters` that is not empty."""
    groups = [group for group in quarters(lines) if group]
    return [{"from_m": g[0]["start_distance_m"], "to_m": g[-1]["start_distance_m"], **rate(g)} for g in groups]


def conditions(lines: Sequence[Line]) -> dict[str, Any]:
    """Rates by hour and weather, of answers and of the rest apart; TW has hours of its own and is left out."""
    found: dict[str, Any] = {}
    for kind, wanted in (("answers", True), ("walks", False)):
        chosen = [line for line in lines if (line["type"] in ANSWERED) is wanted and line["type"] != "TW"]
        found[kind] = _grouped(chosen, lambda line: f"{line['conditions']['time']} {line['conditions']['weather']}")
    return found


def checkpoints(lines: Sequence[Line]) -> dict[str, Any]:
    """The same actions scored at the end and at the pose nearest to the goal ("oracle"), as UrbanGround re-scores.

    `closer` is the share of episodes nearer than at the start, `remaining` the mean share of the distance that is left,
    `sr` the success rate there (a closure that was crossed stays a failure).
    """
    started = [line for line in lines if line["start_distance_m"] > 0.0]

    def at(key: str) -> dict[str, Any]:
        def safe(line: Line) -> bool:
            return bool(line["metrics"].get("closure_respected", 1.0) > 0.0)

        return {
            "closer": _rounded(mean(float(line[key] < line["start_distance_m"]) for line in started)),
            "remaining": _rounded(mean(line[key] / line["start_distance_m"] for line in started)),
            "sr": _rounded(mean(float(line[key] <= RADIUS_M and safe(line)) for line in started)),
        }

    return {"n": len(started), "final": at("final_distance_m"), "oracle": at("min_distance_m")}


def failures(lines: Sequence[Line]) -> dict[str, int]:
    """How many failed episodes belong to each class of FAILURES, by `failure_class`."""
    counts = Counter(failure_class(line) for line in lines if line["status"] == "failure")
    return {name: counts[name] for name in FAILURES}


def failure_class(line: Line) -> str:
    """Why an episode failed, by the first rule that holds.

    closure_crossed    it ended at a closure
    self_terminated    the agent declared itself done outside the radius
    never_progressed   it never came a tenth of the first distance nearer
    progress_lost      it ended further from the goal than it had been, by a tenth of the first distance and 15 m
    budget_exhausted   it was still getting on
    """
    start, nearest, last = line["start_distance_m"], line["min_distance_m"], line["final_distance_m"]
    if line["stop_reason"] == "closure_crossed":
        return "closure_crossed"
    if line["stop_reason"] == "terminated":
        return "self_terminated"
    if nearest > (1.0 - PROGRESS) * start:
        return "never_progressed"
    if last > nearest + max(RADIUS_M, PROGRESS * start):
        return "progress_lost"
    return "budget_exhausted"


def rain_exposure(lines: Sequence[Line]) -> dict[str, Any]:
    """Mean seconds in the rain and under shelter of episodes in rain, and the share of time in it."""
    wet = in_rain(lines)
    return {
        "n": len(wet),
        "rained_s": _rounded(mean(line["metrics"]["rained_s"] for line in wet)),
        "sheltered_s": _rounded(mean(line["metrics"]["sheltered_s"] for line in wet)),
        "share": _rounded(mean(rain_shares(wet))),
    }


def in_rain(lines: Sequence[Line]) -> list[Line]:
    """The episodes in rain."""
    return [line for line in lines if line["conditions"]["weather"] in ("rainy", "thunderstorm")]


def rain_shares(wet: Sequence[Line]) -> list[float]:
    """The share of the time in the rain of each episode that took any."""
    return [line["metrics"]["rained_s"] / line["sim_seconds"] for line in wet if line["sim_seconds"] > 0.0]


def _means(lines: Sequence[Line], names: Sequence[str]) -> dict[str, Any]:
    return {"n": len(lines), **{n: _rounded(mean(line["metrics"].get(n) for line in lines)) for n in names}}


def _grouped(lines: Sequence[Line], key: Callable[[Line], str]) -> dict[str, Any]:
    return {name: rate([line for line in lines if key(line) == name]) for name in sorted({key(li) for li in lines})}


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
