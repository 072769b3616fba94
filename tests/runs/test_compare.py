"""Runs side by side: paired statistics against values worked out by hand or by scipy, and rankings at other radii."""

import dataclasses
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats

from citysim.errors import InputError
from citysim.runs.compare import PAIR_COLUMNS, compare
from citysim.runs.folder import RunFolder, jsonl
from citysim.runs.paired import bootstrap_interval, holm, mcnemar_p, pair
from citysim.runs.stability import FACTORS, arrives, kendall_tau, nearest_m
from citysim.tasks.parts import Stop


def test_mcnemar_is_the_exact_binomial_test() -> None:
    for one, two in ((0, 0), (1, 0), (3, 9), (10, 10), (40, 61)):
        expected = scipy.stats.binomtest(one, one + two, 0.5).pvalue if one + two else 1.0
        assert mcnemar_p(one, two) == pytest.approx(expected)


def test_bootstrap_is_seeded_and_near_the_normal_interval() -> None:
    values = np.random.default_rng(1).normal(3.0, 2.0, 400).tolist()
    low, high = bootstrap_interval(values) or (0.0, 0.0)
    assert (low, high) == bootstrap_interval(values)
    half = 1.96 * np.std(values) / 20.0
    assert low == pytest.approx(np.mean(values) - half, abs=0.03)
    assert high == pytest.approx(np.mean(values) + half, abs=0.03)
    assert bootstrap_interval([]) is None
    assert bootstrap_interval([2.0]) == (2.0, 2.0)


def test_holm_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]) == []


def test_a_pair_counts_what_one_alone_solved() -> None:
    made = pair(("a", "b"), ([True] * 6 + [False] * 4, [True] * 3 + [False] * 6 + [True]))
    assert (made.n, made.only_first, made.only_second) == (10, 3, 1)
    assert made.difference == pytest.approx(0.2)
    assert made.p == pytest.approx(0.625)
    assert made.interval[0] < 0.2 < made.interval[1]
    assert made.spl_difference is None


def test_kendall_tau_agrees_with_scipy() -> None:
    rng = np.random.default_rng(4)
    for _ in range(20):
        a, b = rng.integers(0, 4, 6).tolist(), rng.integers(0, 4, 6).tolist()
        expected = scipy.stats.kendalltau(a, b).statistic if len(set(a)) > 1 and len(set(b)) > 1 else None
        assert kendall_tau(a, b) == (None if expected is None else pytest.approx(expected, abs=1e-6))


def test_other_radii_are_judged_by_distance(mixed_run: Path) -> None:
    folder = RunFolder(mixed_run)
    line = next(line for line in folder.episodes() if line["status"] == "success")
    instance = folder.instances()[line["id"]]
    missed: dict[str, Any] = {**line, "status": "failure"}
    assert [arrives(line, instance, 12.0, f) for f in FACTORS] == [False, True, True, True]
    assert [arrives(missed, instance, 20.0, f) for f in FACTORS] == [False, False, False, True]
    assert not arrives({**missed, "metrics": {"closure_respected": 0.0}}, instance, 1.0, 1.5)
    assert nearest_m(folder, line, instance) == line["min_distance_m"]
    at_goal = dataclasses.replace(instance, targets=(Stop("there", instance.goal, instance.goal_lonlat),))
    assert nearest_m(folder, line, at_goal) == pytest.approx(line["min_distance_m"], abs=1e-5)


def test_runs_in_some_of_the_cities_are_compared_on_what_they_share(mixed_run: Path, tmp_path: Path) -> None:
    folder = RunFolder(Path(shutil.copytree(mixed_run, tmp_path / "both")))
    manifest, (here,) = folder.manifest(), folder.manifest()["cities"]
    there = {**here, "name": "quay", "content_sha256": "a" * 64}
    manifest |= {"cities": [here, there], "city": {**here, "name": "grid, quay", "content_sha256": "b" * 64}}
    folder.write_manifest(manifest)
    folder.episodes_path.write_text(jsonl(folder.episodes()[2:]))
    assert compare([mixed_run, folder.path]).ids == tuple(f"starter-{k:03d}" for k in range(3, 9))
    manifest["cities"][0]["content_sha256"] = "c" * 64
    folder.write_manifest(manifest)
    with pytest.raises(InputError, match=r"the same city, found grid \(.* and grid \(cccccccccccc\) in '.*both'"):
        compare([mixed_run, folder.path])


def test_people_and_privileged_agents_have_rows_of_their_own(mixed_run: Path, tmp_path: Path) -> None:
    wanted = {"human:ann": False, "model": False}
    runs = [mixed_run]
    for name, wins in wanted.items():
        folder = RunFolder(Path(shutil.copytree(mixed_run, tmp_path / name.replace(":", "-"))))
        manifest = folder.manifest()
        manifest["agent"] |= {"name": name, "privileged": []}
        folder.write_manifest(manifest)
        lines = [line | {"status": "success" if wins else "failure", "agent": name} for line in folder.episodes()]
        folder.episodes_path.write_text(jsonl(lines))
        runs.append(folder.path)
    compared = compare(runs)
    assert [run["kind"] for run in compared.runs] == ["privileged", "human", "model"]
    assert [row[0] for row in compared.rows()] == ["model", "human:ann", "greedy *"]
    assert len(compared.pairs) == 3
    assert all(len(row) == len(PAIR_COLUMNS) for row in compared.pair_rows())
    greedy_wins = compared.runs[0]["figures"]["successes"]
    assert compared.pairs[0]["only_first"] == greedy_wins > 0
    header, rows = compared.stability_rows()
    assert len(header) == 5
    assert [row[0] for row in rows] == ["0.75x", "1x", "1.25x", "1.5x"]
    assert compared.stability[1]["tau"] == 1.0
    assert str(tmp_path) not in json.dumps(compared.to_json()), "no paths of this machine"
