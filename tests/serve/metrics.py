"""The public client's figures, written from their description alone: nothing of citysim is used here."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from tests.serve.client import CONDITIONS, MAP_ACTIONS, RADIUS, Json
from tests.serve.globe import haversine, path_length, real, spanning_tree

QA = (7, 8, 9)


def metrics_of(report: Json) -> Json:
    """All metrics of a finished task."""
    kind, prefix = report["kind"], report["prefix"]
    found = _common(report)
    if kind in QA:
        found |= _answers(report)
    elif kind == 3:
        found |= {"answer_correct": report["found"], "placesearch_found": report["found"]}
    else:
        found |= _navigation(report)
    if prefix == "PL":
        found |= _people(report)
    if prefix in ("RQ", "RN"):
        found |= _rain(report)
    if prefix in CONDITIONS:
        weather, clock = CONDITIONS[prefix]
        after = report["baseline"]
        applied = after.get("weather") == weather and (clock is None or bool(after.get("time")))
        found |= {"condition_weather": weather, "condition_applied": applied}
    return found


def destination(report: Json) -> Any:
    """What distances are measured to."""
    task, kind = report["task"], report["kind"]
    if kind == 5:
        return task["schedule"][-1]["target"]
    if kind == 13:
        targets = task["multiRouteTargets"]
        return next((t["point"] for k, t in enumerate(targets) if k not in report["visited"]), targets[-1]["point"])
    return task.get("endPoint")


def states(report: Json) -> list[Json]:
    """The initial state and that after each step."""
    return [s for s in (report["initial"], *(step["after"] for step in report["steps"])) if "lat" in s and "lon" in s]


def _common(report: Json) -> Json:
    steps, placed = report["steps"], states(report)
    total = sum(step["seconds"] for step in steps)
    on = sum(step["seconds"] for step in steps if step["after"].get("on_sidewalk"))
    found: Json = {
        "steps_completed": len(steps),
        "elapsed_action_seconds": round(total, 3),
        "sidewalk_seconds": round(on, 3),
        "sidewalk_time_ratio": round(on / total, 4) if total else 0,
        "sidewalk_state_ratio": round(sum(bool(s.get("on_sidewalk")) for s in placed) / len(placed), 4),
        "path_length_meters": round(path_length(placed), 3),
        "displacement_meters": round(haversine(report["initial"], report["final"]), 3),
        "map_step_count": sum(step["after"].get("mode") == "map" for step in steps),
        "distance_to_destination_meters": None,
        "reached_destination": None,
    }
    found["first_person_step_count"] = len(steps) - found["map_step_count"]
    goal = destination(report)
    if real(goal):
        away = haversine(report["final"], goal)
        found |= {"distance_to_destination_meters": round(away, 3), "reached_destination": away <= RADIUS}
    return found


def _answers(report: Json) -> Json:
    letter = "ABCD"[report["task"]["qaAnswerIndex"]]
    found: Json = {"answer": report["answer"], "correct_answer": letter, "answer_correct": report["answer"] == letter}
    if report["kind"] == 8:
        first = report["initial"]["yaw"]
        turns = [abs((s["after"]["yaw"] - first + 180.0) % 360.0 - 180.0) for s in report["steps"]]
        found["maximum_yaw_deviation_degrees"] = round(max(turns, default=0.0), 3)
    return found


def _navigation(report: Json) -> Json:
    goal, task, kind = destination(report), report["task"], report["kind"]
    left = haversine(report["final"], goal)
    used = sum(step["action"]["action"] in MAP_ACTIONS for step in report["steps"])
    found: Json = {"navigate_call_count": 0, "map_usage_step_count": used, "remaining_distance_meters": round(left, 3)}
    if kind == 13:
        return found | _tour(report)
    first = haversine(report["start"], goal)
    found["original_distance_meters"] = round(first, 3)
    found["remaining_distance_ratio"] = round(left / first, 6) if first else float(left > RADIUS)
    if kind == 5:
        return found | _schedule(report)
    found["closure_violated"] = report["violation"] is not None
    found["closure_checked_step_count"] = sum(step["checked"] for step in report["steps"])
    found["closure_edge_count"] = sum(len(zone["vertices"]) - 1 for zone in task.get("restrictedZones", []))
    found["reached_destination"] = left <= RADIUS and not found["closure_violated"]
    if report["type"] == "DynamicClosureNav":
        found |= {"closure_disclosed": report["disclosed_at"] is not None}
    return found


def _tour(report: Json) -> Json:
    targets = [target["point"] for target in report["task"]["multiRouteTargets"]]
    visited, length = report["visited"], path_length(states(report))
    tree = spanning_tree([report["start"], *(targets[k] for k in visited)])
    done = len(visited) == len(targets)
    return {
        "multipoint_completion_ratio": round(len(visited) / len(targets), 4),
        "multipoint_optimal_lower_bound_meters": round(spanning_tree([report["start"], *targets]), 3),
        "multipoint_route_efficiency": round(min(1.0, tree / length), 4) if length else None,
        "multipoint_visit_order": sorted(visited, key=lambda k: (visited[k], k)),
        "multipoint_all_completed": done,
        "reached_destination": done,
    }


def _schedule(report: Json) -> Json:
    stops, reached, deadlines = report["task"]["schedule"], report["visited"], report["deadlines"]
    timed = [k for k in range(len(stops)) if deadlines[k] is not None]
    late, on_time = [], 0
    for k in timed:
        if k in reached and reached[k] is not None:
            over = 60.0 * (reached[k] - deadlines[k])
            on_time += over <= 60.0 + 1e-6
            late.append(over if over > 60.0 + 1e-6 else 0.0)
    completed = len(reached) == len(stops)
    in_order = completed and not report["violations"]
    return {
        "schedule_stop_arrival_ratio": round(len(reached) / len(stops), 4),
        "schedule_completed": completed,
        "schedule_order_violation_count": len(report["violations"]),
        "schedule_completed_in_order": in_order,
        "reached_destination": in_order,
        "schedule_timed_stop_count": len(timed),
        "schedule_on_time_stop_count": on_time,
        "schedule_on_time_ratio": round(on_time / len(timed), 4) if timed else None,
        "schedule_late_stop_count": sum(k in reached for k in timed) - on_time,
        "schedule_total_lateness_seconds": round(sum(late), 1),
        "schedule_max_lateness_seconds": round(max(late, default=0.0), 1),
        "schedule_all_on_time": bool(timed) and on_time == len(timed),
    }


def _people(report: Json) -> Json:
    counts = [step["after"]["pedestrian_count"] for step in report["steps"]]
    readings = [report["baseline"], *(step["after"] for step in report["steps"])]
    hits = [state["pedestrian_collisions"] for state in readings]
    return {
        "pedestrian_collision_count": hits[-1] - hits[0],
        "pedestrian_collided": hits[-1] > hits[0],
        "pedestrian_collision_step_count": sum(b > a for a, b in pairwise(hits)),
        "pedestrian_count_mean": round(sum(counts) / len(counts), 2) if counts else None,
        "pedestrians_active": report["baseline"].get("pedestrians_active", True),
    }


def _rain(report: Json) -> Json:
    steps = report["steps"]
    total = sum(step["seconds"] for step in steps)
    wet = sum(step["seconds"] for step in steps if step["after"].get("being_rained_on"))
    last = steps[-1]["after"] if steps else report["baseline"]
    counter = last["rain_exposure_seconds"] - report["baseline"]["rain_exposure_seconds"]
    return {
        "rain_exposure_seconds": round(wet, 3),
        "rain_exposure_time_ratio": round(wet / total, 4) if total else 0,
        "rain_exposure_counter_seconds": round(counter, 3),
        "rain_weather_active": report["baseline"].get("is_raining", True),
    }


def scores_of(metrics: Sequence[Json | None]) -> Json:
    """Accuracy, arrival and success over tasks; None stands for one that failed."""
    answers = [m for m in metrics if m is not None and "answer_correct" in m]
    walks = [m for m in metrics if m is not None and "answer_correct" not in m]
    right, arrived = sum(bool(m["answer_correct"]) for m in answers), sum(bool(m["reached_destination"]) for m in walks)
    ratios = [m["remaining_distance_ratio"] for m in walks if "remaining_distance_ratio" in m]
    return {
        "accuracy": round(right / len(answers), 6) if answers else None,
        "navigation_arrival_rate": round(arrived / len(walks), 6) if walks else None,
        "success_rate": round((right + arrived) / len(metrics), 6) if metrics else None,
        "navigation_mean_remaining_distance_ratio": round(sum(ratios) / len(ratios), 6) if ratios else None,
    }
