"""Whether a ranking of runs hangs on the radius of arrival: the same records scored with smaller and larger ones."""

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from citysim.runs.folder import RunFolder
from citysim.tasks.distances import distances_m
from citysim.tasks.facts import facts_of
from citysim.tasks.suite import Instance

FACTORS = (0.75, 1.0, 1.25, 1.5)
"""Multiples of the radius, as in the threshold study of the benchmark we follow."""

Line = Mapping[str, Any]


def kendall_tau(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Kendall's tau-b of two rankings of the same things; None where one of them has ties only."""
    agree = first_only = second_only = 0
    for i, j in combinations(range(len(first)), 2):
        a = (first[i] > first[j]) - (first[i] < first[j])
        b = (second[i] > second[j]) - (second[i] < second[j])
        agree += a * b
        first_only += a != 0
        second_only += b != 0
    if not first_only or not second_only:
        return None
    return round(agree / math.sqrt(first_only * second_only), 6)


def nearest_m(folder: RunFolder, line: Line, instance: Instance) -> float:
    """The least distance to what counts as arrival, at the start or after any action, from the episode's records."""
    if not instance.targets:
        return float(line["min_distance_m"])
    records, goal = folder.steps(line["id"]), instance.to_goal()
    facts = facts_of(records[0].before if records else instance.start, records, goal, instance.clock_s)
    return min(min(distances_m(facts, target)) for target in goal.targets)


def arrives(line: Line, instance: Instance, nearest: float, factor: float) -> bool:
    """Whether the episode would count with the radius times `factor`.

    Answers, tours and schedules have no single radius and keep their outcome; so does the rule that a closure must not
    be crossed. An episode ended at the real radius, so that smaller ones judge what was walked until then.
    """
    won = bool(line["status"] == "success")
    if factor == 1.0 or instance.question is not None or instance.stops:
        return won
    if line["metrics"].get("closure_respected", 1.0) == 0.0:
        return False
    return (won or factor > 1.0) and nearest <= factor * instance.radius_m


def stability(
    folders: Sequence[RunFolder], tables: Sequence[Mapping[str, Line]], ids: Sequence[str]
) -> list[dict[str, Any]]:
    """One entry a factor: success rates in the order of the runs, and Kendall's tau against the real radius."""
    instances = [folder.instances() for folder in folders]
    near = [
        {id: nearest_m(folder, table[id], known[id]) for id in ids}
        for folder, table, known in zip(folders, tables, instances, strict=True)
    ]

    def rates(factor: float) -> list[float]:
        return [
            round(sum(arrives(table[id], known[id], least[id], factor) for id in ids) / len(ids), 6)
            for table, known, least in zip(tables, instances, near, strict=True)
        ]

    real = rates(1.0)
    found = {factor: rates(factor) for factor in FACTORS}
    return [{"factor": f, "success_rates": found[f], "tau": kendall_tau(real, found[f])} for f in FACTORS]
