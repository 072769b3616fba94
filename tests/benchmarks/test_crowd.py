"""The crowd's benchmark: its rows, with and without peers."""

from typing import Any

import numpy as np
import pytest
import shapely

from citysim.benchmarks import crowd, crowd_peers


def test_rows_of_the_contract_with_and_without_peers(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, float]] = []

    def peer(places: np.ndarray, speeds: np.ndarray, ground: Any, dt: float, progress: object) -> float:
        assert shapely.contains_xy(ground, places[:, 0], places[:, 1]).all()
        seen.append((len(speeds), dt))
        return 1e5

    monkeypatch.setattr(crowd, "jupedsim_rate", peer)
    monkeypatch.setattr(crowd, "pysocialforce_rate", lambda *_: None)
    monkeypatch.setattr(crowd, "ENOUGH_S", 0.02)
    monkeypatch.setattr(crowd, "MANY", 4000)
    rows = list(crowd.rows(lambda line: None))
    assert [(r.name, r.peer) for r in rows] == [
        ("agents_1000", "jupedsim"),
        ("agents_1000", "jupedsim_town"),
        ("agents_1000", "pysocialforce"),
        ("agents_1000_deciding", "jupedsim"),
        ("agents_64", None),
        ("agents_64_60hz", None),
        ("agents_100000", "agents_1000"),
    ]
    assert seen[0][0] == 1000
    assert 950 < seen[1][0] <= 1000
    assert {dt for _, dt in seen} == {1.0 / 60.0}
    assert rows[0].ratio == pytest.approx(rows[0].value / 0.1)
    assert rows[2].ratio is None


def test_absent_peers_say_how_to_have_them(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setitem(__import__("sys").modules, "jupedsim", None)
    monkeypatch.setitem(__import__("sys").modules, "pysocialforce", None)
    places, goals = np.zeros((1, 2)), np.ones((1, 2))
    assert crowd_peers.jupedsim_rate(places, np.ones(1), shapely.box(0, 0, 1, 1), 0.05, said.append) is None
    assert crowd_peers.pysocialforce_rate(places, np.ones(1), goals, said.append) is None
    assert all("pip install" in line for line in said)
    assert len(said) == 2
