"""Facts and metrics of an episode from its step records: the same sums while it runs and when it is scored again."""

import math
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from citysim.pose import Pose
from citysim.tasks.answers import parse_answer
from citysim.tasks.base import Facts, Goal, Verdict
from citysim.tasks.distances import distances_m
from citysim.tasks.metrics import network_adherence, spl
from citysim.tasks.record import DIGITS, StepRecord


def facts_of(start: Pose, records: Sequence[StepRecord], goal: Goal | None = None, clock_s: float = 0.0) -> Facts:
    """What a task may look at after these records; `goal` gives the start's place on the globe."""
    steps = list(accumulate((r.steps for r in records), initial=0))
    answered = next((r for r in records if r.mode == "answer"), None)
    told = [zone.label for zone in goal.zones if zone.notice_at_s <= 0.0] if goal is not None else []
    begin = goal.start_lonlat if goal is not None else None
    return Facts(
        pose=records[-1].after if records else start,
        path=(start, *(r.after for r in records)),
        path_length_m=math.fsum(r.path_m for r in records),
        elapsed_s=steps[-1] / 60.0,
        actions=sum(r.mode != "answer" for r in records),
        terminated=any(r.terminated for r in records),
        building_collisions=sum(r.building_collisions for r in records),
        pedestrian_collisions=sum(r.pedestrian_collisions for r in records),
        lonlats=() if begin is None else (begin[:2], *(r.lonlat for r in records)),
        times_s=[count / 60.0 for count in steps],
        clock_s=clock_s,
        answer="" if answered is None else parse_answer(answered.action),
        crossed=[label for r in records for label in r.crossed],
        disclosed=[*told, *(label for r in records for label in r.disclosed)],
    )


def episode_metrics(
    start: Pose, goal: Goal, verdict: Verdict, records: Sequence[StepRecord], clock_s: float = 0.0
) -> dict[str, Any]:
    """The measured part of an episode's line: keys, units and rounding of the run folder."""
    facts = facts_of(start, records, goal, clock_s)
    distances = distances_m(facts, goal)
    pna = network_adherence((r.duration_s, r.on_network) for r in records)
    walked = round(facts.path_length_m, DIGITS)
    return {
        "steps": facts.actions,
        "sim_seconds": round(facts.elapsed_s, DIGITS),
        "path_length_m": walked,
        "shortest_path_m": goal.shortest_path_m,
        "start_distance_m": round(distances[0], DIGITS),
        "final_distance_m": round(distances[-1], DIGITS),
        "min_distance_m": round(min(distances), DIGITS),
        "pna": None if pna is None else round(pna, DIGITS),
        "pedestrian_collisions": facts.pedestrian_collisions,
        "building_collisions": facts.building_collisions,
        "metrics": {
            "success": float(verdict.success),
            "spl": round(spl(verdict.success, goal.shortest_path_m, walked), DIGITS),
            "remaining_ratio": round(distances[-1] / distances[0], DIGITS) if distances[0] > 0 else 0.0,
            "oracle_success": float(min(distances) <= goal.radius_m),
            "invalid_actions": float(sum(bool(r.invalid) for r in records)),
            "map_steps": float(sum(r.mode == "map" for r in records)),
            "rained_s": round(math.fsum(r.rained_s for r in records), DIGITS),
            "sheltered_s": round(math.fsum(r.sheltered_s for r in records), DIGITS),
            "pedestrians": round(math.fsum(r.pedestrians for r in records) / len(records), DIGITS) if records else 0.0,
            **{name: round(value, DIGITS) for name, value in sorted(verdict.metrics.items())},
        },
    }
