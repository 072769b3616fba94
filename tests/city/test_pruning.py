"""The cache of decoded cities: within a budget, least recently used first, never what is in use."""

import json
import math
import os
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

from citysim.city import open_city
from citysim.city.pruning import budget_bytes, prune
from citysim.cli.app import app
from citysim.errors import InputError
from tests.towns import write_town


def entry(root: Path, kind: str, name: str, size: int, hours_ago: float) -> Path:
    folder = root / kind / name
    folder.mkdir(parents=True)
    (folder / "0.npy").write_bytes(b"x" * size)
    used = time.time() - 3600.0 * hours_ago
    os.utime(folder, (used, used))
    return folder


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CITYSIM_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CITYSIM_CACHE_GB", raising=False)
    return tmp_path / "cache"


def test_what_was_used_longest_ago_goes_until_the_rest_fits(cache: Path) -> None:
    oldest = entry(cache, "chunks", "a", 400, 9.0)
    older = entry(cache, "texels", "b", 400, 5.0)
    newer = entry(cache, "chunks", "c", 400, 3.0)
    other = entry(cache, "cities", "built", 4000, 99.0)
    assert prune(2000.0) == 0
    assert prune(900.0) == 400
    assert [oldest.exists(), older.exists(), newer.exists(), other.exists()] == [False, True, True, True]
    assert prune(0.0) == 800
    assert other.exists()
    assert [path.name for path in cache.iterdir() if path.name.startswith(".gone")] == []


def test_what_is_in_use_stays_even_above_the_budget(cache: Path) -> None:
    used = entry(cache, "chunks", "a", 400, 0.5)
    assert prune(0.0) == 0
    assert used.exists()


def test_opening_a_new_city_makes_room(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_town(tmp_path / "town")
    old = entry(cache, "chunks", "old", 5_000, 9.0)
    open_city(tmp_path / "town").chunk(0)
    assert old.exists()  # within 20 GB
    monkeypatch.setenv("CITYSIM_CACHE_GB", "0")
    city = open_city(tmp_path / "town")  # here already: nobody looks
    assert old.exists()
    mine = [path for path in (cache / "chunks").iterdir() if path != old]
    assert len(mine) == 1
    before = city.chunk(0).positions.copy()
    os.utime(mine[0], (0, 0))
    prune(0.0)
    assert not old.exists()
    assert not mine[0].exists()
    assert (city.chunk(0).positions == before).all()  # made again, or still mapped
    old = entry(cache, "chunks", "old", 5_000, 9.0)
    for path in (cache / "chunks").iterdir():
        if path != old:
            os.rename(path, tmp_path / path.name)
    open_city(tmp_path / "town")
    assert not old.exists()


@pytest.mark.parametrize(("text", "expected"), [("", 20e9), ("1.5", 1.5e9), ("0", 0.0), ("none", math.inf)])
def test_the_budget_is_told_in_gigabytes(monkeypatch: pytest.MonkeyPatch, text: str, expected: float) -> None:
    monkeypatch.setenv("CITYSIM_CACHE_GB", text)
    assert budget_bytes() == expected


@pytest.mark.parametrize("text", ["much", "-1", "nan", "inf"])
def test_other_budgets_are_refused(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("CITYSIM_CACHE_GB", text)
    with pytest.raises(InputError, match="CITYSIM_CACHE_GB"):
        budget_bytes()


def test_doctor_shows_and_prunes(cache: Path) -> None:
    gone = [
        entry(cache, "chunks", "a" * 32 + "-4", 400, 9.0),
        entry(cache, "chunks", "b" * 32 + "-1", 400, 0.0),
        entry(cache, "crowd-0", "x", 50, 0.0).parent,
    ]
    kept = entry(cache, "cities", "mini", 70, 99.0)
    shown = json.loads(CliRunner().invoke(app, ["doctor", "--json"]).stdout)
    assert shown["cache"]["chunks"] == 800
    assert shown["cache_budget_bytes"] == 20e9
    pruned = json.loads(CliRunner().invoke(app, ["doctor", "--prune", "--json"]).stdout)
    assert pruned["freed_bytes"] == 850
    assert not any(path.exists() for path in gone)
    assert kept.exists()
