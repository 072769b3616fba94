"""Values kept within a budget, and the questions about the tile tree."""

import numpy as np
import pytest

from citysim.city import Tile
from citysim.city.recent import Recent
from citysim.city.tree import covered_below, finest_tiles


def test_the_least_recently_used_goes_first() -> None:
    made: list[str] = []
    recent = Recent[bytes](len, budget=10, entries=99)

    def get(key: str, size: int = 4) -> None:
        recent.get(key, lambda: made.append(key) or bytes(size))  # type: ignore[func-returns-value]

    for key in ("a", "b", "a", "c", "a", "b"):
        get(key)
    assert made == ["a", "b", "c", "b"]
    assert recent.held == 8
    get("huge", 50)
    assert (len(recent), recent.held) == (1, 50)
    get("a")
    assert recent.held == 4


def test_the_number_of_entries_is_bounded_too() -> None:
    recent = Recent[bytes](len, budget=1000, entries=3)
    for number in range(50):
        recent.get(number, lambda: b"x")
    assert (len(recent), recent.held) == (3, 3)


def test_a_failure_leaves_nothing_behind() -> None:
    recent = Recent[bytes](len, budget=10, entries=3)
    with pytest.raises(ZeroDivisionError):
        recent.get("a", lambda: bytes(1 // 0))
    assert recent.get("a", lambda: b"xy") == b"xy"


def test_the_finest_level_of_random_trees() -> None:
    rng = np.random.default_rng(3)
    for _ in range(50):
        parents = [-1] + [int(rng.integers(0, i)) for i in range(1, 60)]
        children: list[list[int]] = [[] for _ in parents]
        for index, parent in enumerate(parents[1:], 1):
            children[parent].append(index)
        tiles = [
            Tile(
                i, "", p, tuple(children[i]), rng.choice(["ADD", "REPLACE"]), 1.0, np.zeros(3), 1.0, rng.random() < 0.5
            )
            for i, p in enumerate(parents)
        ]

        def covers(index: int, tiles: list[Tile] = tiles) -> bool:
            return tiles[index].has_content or any(covers(c) for c in tiles[index].children)

        below = [any(covers(c) for c in t.children) for t in tiles]
        assert covered_below(tiles).tolist() == below
        expected = [t.index for t in tiles if t.has_content and not (t.refine == "REPLACE" and below[t.index])]
        assert list(finest_tiles(tiles)) == expected


def test_a_chain_of_ten_thousand_tiles_has_a_finest_level() -> None:
    tiles = [
        Tile(i, "", i - 1, (i + 1,) if i < 9999 else (), "REPLACE", 1.0, np.zeros(3), 1.0, True) for i in range(10_000)
    ]
    assert finest_tiles(tiles) == (9999,)
