"""The bench of evaluations in small: shares of time, and rates by the times of files."""

import os
from pathlib import Path

import pytest

from citysim.benchmarks.evaluate import many, overhead, running
from tests.towns import grid_town


def test_overhead_is_what_is_left() -> None:
    line = {"wall_s": 10.0, "reset_s": 1.0, "agent_s": 2.0, "world_s": 5.0, "observe_s": 1.5}
    assert overhead([line]) == pytest.approx(100.0 * 0.5 / 7.5)
    assert overhead([line], resets=True) == pytest.approx(100.0 * 1.5 / 6.5)
    assert overhead([]) == 0.0


def test_the_rate_while_running_leaves_the_start_out(tmp_path: Path) -> None:
    (tmp_path / "steps").mkdir()
    for number, ended in enumerate((100.0, 100.0, 101.0, 101.0, 102.0, 102.0)):
        path = tmp_path / "steps" / f"{number}.jsonl"
        path.touch()
        os.utime(path, (ended, ended))
    assert running(tmp_path, 2) == pytest.approx(2.0)


def test_many_instances_have_names_of_their_own() -> None:
    suite = many(grid_town())
    assert len({instance.id for instance in suite.instances}) == len(suite.instances) == 60
