"""The crowd's benchmark: its rows, with and without peers."""

import numpy as np
import pytest

from citysim.benchmarks import crowd, crowd_peers


def test_rows_of_the_contract_with_and_without_peers(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[tuple[int, ...], ...]] = []

    def peer(places: np.ndarray, speeds: np.ndarray, goals: np.ndarray, progress: object) -> float:
        seen.append((places.shape, speeds.shape, goals.shape))
        return 1e5

    monkeypatch.setattr(crowd, "jupedsim_rate", peer)
    monkeypatch.setattr(crowd, "pysocialforce_rate", lambda *_: None)
    monkeypatch.setattr(crowd, "ENOUGH_S", 0.02)
    monkeypatch.setattr(crowd, "MANY", 4000)
    rows = list(crowd.rows(lambda line: None))
    assert [(r.name, r.peer) for r in rows] == [
        ("agents_1000", "jupedsim"),
        ("agents_1000", "pysocialforce"),
        ("agents_100000", "agents_1000"),
    ]
    assert seen == [((1000, 2), (1000,), (1000, 2))]
    assert rows[0].ratio == pytest.approx(rows[0].value / 0.1)
    assert rows[1].ratio is None


def test_absent_peers_say_how_to_have_them(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setitem(__import__("sys").modules, "jupedsim", None)
    monkeypatch.setitem(__import__("sys").modules, "pysocialforce", None)
    places, goals = np.zeros((1, 2)), np.ones((1, 2))
    assert crowd_peers.jupedsim_rate(places, np.ones(1), goals, said.append) is None
    assert crowd_peers.pysocialforce_rate(places, np.ones(1), goals, said.append) is None
    assert all("pip install" in line for line in said)
    assert len(said) == 2
