"""UrbanGround's tables from lines written by hand."""

from typing import Any

import pytest

from citysim.tasks.urbanground.scores import (
    checkpoints,
    closure_rates,
    failure_class,
    navigation_overall,
    pooled_pna,
    quartiles,
    urbanground_scores,
)


def line(type: str, success: bool = False, **changes: Any) -> dict[str, Any]:
    metrics = {"map_steps": 0.0, "rained_s": 0.0, "sheltered_s": 0.0} | changes.pop("metrics", {})
    return {
        "id": f"{type}-{id(changes)}", "type": type, "status": "success" if success else "failure",
        "stop_reason": "arrived" if success else "budget", "pna": 1.0, "sim_seconds": 10.0, "pedestrian_collisions": 0,
        "start_distance_m": 100.0, "final_distance_m": 50.0, "min_distance_m": 40.0,
        "conditions": {"time": "14:00", "weather": "sunny"}, "metrics": metrics, **changes,
    }  # fmt: skip


def test_the_overall_is_weighted_by_instances() -> None:
    lines = [line("SN", True), line("SN", True), line("SN", True), line("MS"), line("VR", True), line("NP", True)]
    assert navigation_overall(lines) == 0.75, "questions and level 5 are not part of it"


def test_pna_is_weighted_by_time() -> None:
    assert pooled_pna([line("SN", pna=1.0, sim_seconds=30.0), line("SN", pna=0.5, sim_seconds=10.0)]) == 0.875
    assert pooled_pna([line("SN", pna=None)]) is None


def test_closures() -> None:
    kept = {"closure_disclosed": 1.0, "closure_respected": 1.0, "safe_progress": 1.0}
    idle = kept | {"safe_progress": 0.0}
    broken = {"closure_disclosed": 1.0, "closure_respected": 0.0, "safe_progress": 0.0}
    rates = closure_rates([line("DCR", metrics=m) for m in (kept, idle, broken, broken)])
    assert (rates["spr"], rates["respected"], rates["n"]) == (0.25, 0.5, 4)


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"stop_reason": "closure_crossed"}, "closure_crossed"),
        ({"stop_reason": "terminated", "min_distance_m": 99.0}, "self_terminated"),
        ({"min_distance_m": 90.1, "final_distance_m": 95.0}, "never_progressed"),
        ({"min_distance_m": 40.0, "final_distance_m": 55.1}, "progress_lost"),
        ({"min_distance_m": 40.0, "final_distance_m": 54.9}, "budget_exhausted"),
    ],
)
def test_failures_fall_into_one_class(changes: dict[str, Any], name: str) -> None:
    assert failure_class(line("LN", **changes)) == name


def test_checkpoints_score_the_same_actions_twice() -> None:
    lines = [line("LN", final_distance_m=120.0, min_distance_m=10.0), line("LN", True, final_distance_m=5.0,
             min_distance_m=5.0), line("LN", final_distance_m=20.0, min_distance_m=14.0,
             metrics={"closure_respected": 0.0})]  # fmt: skip
    found = checkpoints(lines)
    assert found["final"] == {"closer": 0.666667, "remaining": 0.483333, "sr": 0.333333}
    assert found["oracle"] == {"closer": 1.0, "remaining": 0.096667, "sr": 0.666667}


def test_quartiles_by_distance() -> None:
    lines = [line("SN", k < 2, start_distance_m=float(10 * k), id=f"SN-{k}") for k in range(8)]
    assert [(q["from_m"], q["to_m"], q["rate"]) for q in quartiles(lines)] == [
        (0.0, 10.0, 1.0), (20.0, 30.0, 0.0), (40.0, 50.0, 0.0), (60.0, 70.0, 0.0),
    ]  # fmt: skip


def test_the_whole_table() -> None:
    wet = {"time": "14:00", "weather": "rainy"}
    lines = [
        line("VR", True), line("NP", pedestrian_collisions=2), line("NP"), line("PS", status="unscored"),
        line("SN", conditions=wet, metrics={"map_steps": 3.0, "rained_s": 4.0, "sheltered_s": 6.0}),
        line("TW", True, metrics={"stop_ratio": 1.0, "on_time_ratio": 0.5}),
    ]  # fmt: skip
    table = urbanground_scores(lines)
    assert table["pcr"] == 0.5
    assert table["accuracy"]["VR"]["rate"] == 1.0
    assert "PS" not in table["success"], "what failed through a fault of ours is not counted"
    assert table["rain_exposure"] == {"n": 1, "rained_s": 4.0, "sheltered_s": 6.0, "share": 0.4}
    assert table["conditions"]["walks"]["14:00 rainy"]["n"] == 1
    assert table["map_use"] == 0.2
    assert table["schedules"]["on_time_ratio"] == 0.5
    assert urbanground_scores([line("point_goal")]) == {}
