"""The public client's way through every family, over real HTTP; its figures against ours."""

import dataclasses
import json
import math
from pathlib import Path
from typing import Any

import pytest

from citysim.runs.evaluate import evaluate
from citysim.runs.folder import RunFolder
from citysim.runs.score import score
from citysim.serve.settings import Settings
from citysim.tasks.parts import Zone, lonlat_of
from citysim.tasks.suite import Instance, Suite
from citysim.tasks.urbanground.conditions import CONDITIONS, under
from citysim.tasks.urbanground.exporting import public_ids, task_file
from citysim.tasks.urbanground.families import FAMILIES
from tests.serve.client import Client
from tests.serve.conftest import Ground, serving
from tests.serve.metrics import metrics_of, scores_of
from tests.serve.scripted import PLAYED, Scripted

Json = dict[str, Any]


def simulated(state: Json) -> float:
    """The clock that makes the client's durations ours: seconds of the simulation."""
    return float(state["stats_tracked_seconds"])


def same(theirs: Any, ours: Any) -> bool:
    return bool(abs(float(theirs) - float(ours)) <= 1e-9)


# What both define: the client's name, and ours from an episode's line, with the client's rounding.
ALWAYS: dict[str, Any] = {
    "steps_completed": lambda line: line["steps"],
    "elapsed_action_seconds": lambda line: round(line["sim_seconds"], 3),
    "sidewalk_time_ratio": lambda line: round(line["pna"] or 0.0, 4),
}
GOING: dict[str, Any] = {
    "distance_to_destination_meters": lambda line: round(line["final_distance_m"], 3),
    "remaining_distance_meters": lambda line: round(line["final_distance_m"], 3),
    "original_distance_meters": lambda line: round(line["start_distance_m"], 3),
    "remaining_distance_ratio": lambda line: round(line["metrics"]["remaining_ratio"], 6),
    "reached_destination": lambda line: line["status"] == "success",
}
CLOSED: dict[str, Any] = {"closure_violated": lambda line: not line["metrics"]["closure_respected"]}
BOTH: dict[str, dict[str, Any]] = {
    "VR": {"answer_correct": lambda line: line["metrics"]["answer_correct"]},
    "PS": {"placesearch_found": lambda line: line["status"] == "success"},
    "CN": GOING | CLOSED,
    "DCR": GOING | CLOSED | {"closure_disclosed": lambda line: line["metrics"]["closure_disclosed"]},
    "TW": {
        "reached_destination": lambda line: line["status"] == "success",
        "distance_to_destination_meters": lambda line: round(line["final_distance_m"], 3),
        "schedule_stop_arrival_ratio": lambda line: round(line["metrics"]["stop_ratio"], 4),
        "schedule_order_violation_count": lambda line: line["metrics"]["order_violations"],
        "schedule_timed_stop_count": lambda line: line["metrics"]["timed_stops"],
        "schedule_on_time_stop_count": lambda line: line["metrics"]["on_time_stops"],
        "schedule_on_time_ratio": lambda line: round(line["metrics"]["on_time_ratio"], 4),
        "schedule_late_stop_count": lambda line: line["metrics"]["late_stops"],
        "schedule_total_lateness_seconds": lambda line: round(line["metrics"]["total_lateness_s"], 1),
        "schedule_max_lateness_seconds": lambda line: round(line["metrics"]["max_lateness_s"], 1),
        "schedule_all_on_time": lambda line: line["metrics"]["all_on_time"],
    },
    "MS": {
        "reached_destination": lambda line: line["status"] == "success",
        "multipoint_completion_ratio": lambda line: round(line["metrics"]["stop_ratio"], 4),
        "multipoint_route_efficiency": lambda line: round(line["metrics"]["route_efficiency"], 4),
    },
    "NP": GOING
    | {
        "pedestrian_collision_count": lambda line: line["pedestrian_collisions"],
        "pedestrian_count_mean": lambda line: round(line["metrics"]["pedestrians"], 2),
    },
}
for _type in ("OU", "AEQ"):
    BOTH[_type] = BOTH["VR"]
for _type in ("SN", "LN", "IN", "II"):
    BOTH[_type] = GOING
RAINED: dict[str, Any] = {"rain_exposure_counter_seconds": lambda line: round(line["metrics"]["rained_s"], 3)}


def file_of(ground: Ground, id: str) -> Json:
    task: Json = json.loads((ground.folder / "task" / f"{id}.json").read_text())
    return task


def expert(ground: Ground, instance: Instance) -> list[Any]:
    return [dict(action) for action in ground.proofs[instance.source or instance.id].actions]


def played_again(ground: Ground, instances: list[Instance], actions: list[list[Any]], out: Path) -> list[Json]:
    """Lines of a run of ours with these actions, scored from its records."""
    lines = {}
    for number, (instance, taken) in enumerate(zip(instances, actions, strict=True)):
        PLAYED.clear()
        PLAYED[instance.instruction] = taken
        suite = Suite("again", "1", (instance,))
        run = out / str(number)
        agent = "tests.serve.scripted:replayer"
        evaluate(suite, ground.city, agent, out=run, physics="native", image_size=(64, 48), pictures=False)
        score(run)
        (line,) = RunFolder(run).episodes()
        assert line["status"] != "unscored", line
        lines[instance.id] = line
    return [lines[instance.id] for instance in instances]


def differences(metrics: Json, line: Json, table: Json) -> dict[str, tuple[Any, Any]]:
    pairs = {key: (metrics[key], ours(line)) for key, ours in (ALWAYS | table).items()}
    return {key: pair for key, pair in pairs.items() if not same(*pair)}


def test_every_family_finishes_and_its_figures_are_ours(ground: Ground, url: str, tmp_path: Path) -> None:
    ids, instances, reports = public_ids(ground.suite), list[Instance](), list[Json]()
    taken: list[list[Any]] = []
    first = {instance.type: instance for instance in reversed(ground.suite.instances)}
    assert set(first) == set(FAMILIES)
    with Client(url, simulated) as client:
        for instance in first.values():
            model = Scripted(instance, list(ground.proofs[instance.id].actions))
            reports.append(client.play(file_of(ground, ids[instance.id]), model, video=instance.type == "SN"))
            instances.append(instance)
            taken.append(model.taken)
    metrics = [metrics_of(report) for report in reports]
    lines = played_again(ground, instances, taken, tmp_path)
    wrong = {i.id: differences(m, n, BOTH[i.type]) for i, m, n in zip(instances, metrics, lines, strict=True)}
    assert not {id: found for id, found in wrong.items() if found}
    scores = scores_of(metrics)
    assert scores["accuracy"] == scores["navigation_arrival_rate"] == scores["success_rate"] == 1.0
    assert all(line["status"] == "success" for line in lines)


def test_an_agent_that_only_walks_on_fails_alike(ground: Ground, url: str, tmp_path: Path) -> None:
    """Failures agree too: into walls, across closures, past stops, with wrong answers and refused actions."""
    ids = public_ids(ground.suite)
    actions = [
        {"action": "map_pan", "east": 5},
        {"action": "sprint", "dir": "forward", "seconds": 2, "yaw_rate": 20},
        {"action": "open_map"},
        {"action": "map_zoom", "factor": 0.5},
        {"action": "close_map"},
        {"action": "sprint", "dir": "left", "seconds": 1.3, "jump": True, "jump_at": 0.7},
        {"action": "look", "yaw": -40, "pitch": 10},
        {"action": "jump"},
        *[{"action": "sprint", "dir": "forward", "seconds": 2}] * 5,
    ]
    first = {instance.type: instance for instance in reversed(ground.suite.instances)}
    instances, metrics, taken = [first[t] for t in ("AEQ", "SN", "CN", "TW", "MS", "NP", "PS")], list[Json](), []
    with Client(url, simulated, steps=14) as client:
        for instance in instances:
            model = Scripted(instance, actions)
            metrics.append(metrics_of(client.play(file_of(ground, ids[instance.id]), model)))
            taken.append(model.taken)
    lines = played_again(ground, instances, taken, tmp_path)
    wrong = {i.id: differences(m, n, BOTH[i.type]) for i, m, n in zip(instances, metrics, lines, strict=True)}
    assert not {id: found for id, found in wrong.items() if found}


@pytest.mark.parametrize(("condition", "prefix"), [("rain", "RN"), ("night", "NTN"), ("overcast", "OCN")])
def test_variants_that_the_client_makes_itself(
    ground: Ground, url: str, tmp_path: Path, condition: str, prefix: str
) -> None:
    source = next(instance for instance in ground.suite.instances if instance.type == "SN")
    id = public_ids(ground.suite)[source.id]
    task = file_of(ground, id) | {"id": f"{prefix}-{id}", "sourceTaskId": id}
    varied = next(i for i in under(ground.suite, condition).instances if i.source == source.id)
    model = Scripted(varied, expert(ground, varied))
    with Client(url, simulated) as client:
        report = client.play(task, model)
    metrics = metrics_of(report)
    (line,) = played_again(ground, [varied], [model.taken], tmp_path)
    assert not differences(metrics, line, GOING | (RAINED if condition == "rain" else {}))
    time, weather = CONDITIONS[condition]
    assert report["baseline"]["weather"] == weather
    assert report["baseline"]["time"] == f"{time}:00"
    assert metrics["rain_weather_active" if condition == "rain" else "condition_applied"]


def test_people_and_closures_of_the_client_are_those_of_ours(ground: Ground, url: str, tmp_path: Path) -> None:
    """PL is entered as its LN source and gets its people by `enable_pedestrians`."""
    people = next(instance for instance in ground.suite.instances if instance.type == "NP")
    ids = public_ids(ground.suite)
    source = file_of(ground, ids[people.source])
    task = source | {"id": f"PL-{source['id']}", "sourceTaskId": source["id"]}
    model = Scripted(people, list(ground.proofs[people.id].actions))
    with Client(url, simulated) as client:
        metrics = metrics_of(client.play(task, model))
    (line,) = played_again(ground, [people], [model.taken], tmp_path)
    assert not differences(metrics, line, BOTH["NP"])
    assert metrics["pedestrian_count_mean"] > 10.0


def test_a_closure_that_was_told_of_is_crossed_in_both(ground: Ground, tmp_path: Path) -> None:
    closed = next(instance for instance in ground.suite.instances if instance.type == "CN")
    closed = dataclasses.replace(closed, zones=(_before(closed, ground),))
    suite = Suite(ground.suite.name, ground.suite.version, (closed,))
    settings = Settings(admin=True, physics="native", image_size=(64, 48))
    model = Scripted(closed, [{"action": "sprint", "dir": "forward", "seconds": 2}] * 4)
    task = task_file(closed, public_ids(suite)[closed.id])
    with serving(suite, [ground.city], settings) as address, Client(address, simulated, steps=4) as client:
        report = client.play(task, model)
    metrics = metrics_of(report)
    (ours,) = played_again(ground, [closed], [model.taken], tmp_path)
    assert not differences(metrics, ours, BOTH["CN"])
    assert metrics["closure_violated"]
    assert ours["stop_reason"] == "closure_crossed"
    assert report["violation"]["crossed_edges"] == [{"label": "line", "edge_index": 0}]


def _before(instance: Instance, ground: Ground) -> Zone:
    """A closure 2 m before the start, square to where one looks."""
    start = instance.start
    cos, sin = math.cos(start.yaw), math.sin(start.yaw)
    east, north = start.east + 2.0 * cos, start.north + 2.0 * sin
    ends = tuple((east - side * sin, north + side * cos, start.up) for side in (-6.0, 6.0))
    return Zone("line", ends, tuple(lonlat_of(ground.city.frame, end) for end in ends), "Notice: closed.")
