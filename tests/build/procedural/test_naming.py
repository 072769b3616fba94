import itertools
import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from citysim.build.chance import Chance
from citysim.build.procedural.naming import Names, street_local
from citysim.build.procedural.naming.characters import CHINESE, JAPANESE, MOST
from citysim.build.procedural.naming.similar import distance, is_brand, skeleton
from citysim.build.procedural.naming.styles import STYLES
from citysim.build.procedural.tenancy.trades import BUSINESSES, BY_CATEGORY
from citysim.errors import UnknownNameError
from citysim.fonts.faces import coverage

STREETS = ("Road", "Street", "Lane", "Steps", "Square", "Park", "Avenue", "Path", "Bridge", "Station")


def places(style: str, count: int, seed: int = 0) -> tuple[Names, list[tuple[str, tuple[float, float]]]]:
    """Names of `count` places on a lattice over 600 m x 600 m."""
    names, draws = Names(style, Chance(seed, style)), Chance(seed, "xy")
    found = []
    for k in range(count):
        xy = (draws.uniform(0.0, 600.0, f"x{k}"), draws.uniform(0.0, 600.0, f"y{k}"))
        word = draws.choice(BUSINESSES, f"trade{k}").words[0]
        local = {"name:zh": word.chinese, "name:ja": word.japanese}.get(names.style.script, "")
        found.append((names.place(word.english, xy, local), xy))
    return names, found


@pytest.mark.parametrize("style", sorted(STYLES))
def test_six_hundred_names_are_unique_unlike_and_readable(style: str) -> None:
    _, found = places(style, 600)
    assert len({skeleton(name) for name, _ in found}) == 600  # O and 0, I and 1, S and 5 make no difference
    for name, _ in found:
        assert 8 <= len(name) <= 20
        assert all(c.isascii() and (c.isalnum() or c == " ") for c in name)
        assert not is_brand(name)
    for (a, p), (b, q) in itertools.combinations(found, 2):
        assert math.dist(p, q) > 150.0 or distance(a, b) >= 4, (a, b)
    words = Counter(word for name, _ in found for word in name.split()[:-1])
    assert max(words.values()) <= 0.03 * 600 + 1, words.most_common(3)


@pytest.mark.parametrize(("style", "face"), [("harbour", "han"), ("akiba", "kana")])
def test_local_names_are_short_and_drawable(style: str, face: str) -> None:
    names, found = places(style, 300)
    locals_ = [names.local(name) for name, _ in found]
    assert all(2 <= len(text) <= 9 for text in locals_)
    if style == "harbour":
        assert all(2 <= len(text) <= 5 for text in locals_)
    assert all(ord(c) in coverage(face) for text in locals_ for c in text)
    for kind in STREETS:
        street = names.street(kind)
        assert names.tags(street)["name"] == street
        assert all(ord(c) in coverage(face) for c in names.local(street))


def test_characters_are_a_fixed_list_that_the_faces_have() -> None:
    assert len(set(CHINESE) | set(JAPANESE)) <= MOST
    assert all(ord(c) in coverage("han") for c in CHINESE)
    assert all(ord(c) in coverage("kana") for c in JAPANESE)


@given(style=st.sampled_from(sorted(STYLES)), seed=st.integers(0, 10**6))
def test_streets_are_unique_and_repeat_with_the_seed(style: str, seed: int) -> None:
    def drawn() -> list[str]:
        names = Names(style, Chance(seed, "streets"))
        return [names.street(kind) for kind in STREETS * 3] + [names.house() for _ in range(5)]

    found = drawn()
    assert len(set(found)) == len(found)
    assert found == drawn()
    assert all(distance(a, b) >= 4 for a, b in itertools.combinations(found[:30], 2))


def test_numbered_and_lettered_streets() -> None:
    names = Names("grid", Chance(0))
    assert [names.numbered(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 22)] == [
        "1st Street", "2nd Street", "3rd Street", "4th Street", "11th Street", "12th Street", "13th Street",
        "21st Street", "22nd Street",
    ]  # fmt: skip
    assert [names.lettered(n) for n in range(3)] == ["Avenue A", "Avenue B", "Avenue C"]


def test_claimed_names_are_kept_off() -> None:
    names = Names("oldtown", Chance(3))
    first = names.place("Bakery", (0.0, 0.0))
    again = Names("oldtown", Chance(3))
    again.claim(first, (10.0, 0.0))
    assert distance(again.place("Bakery", (0.0, 0.0)), first) >= 4


@given(a=st.text("abcde", max_size=8), b=st.text("abcde", max_size=8), most=st.integers(0, 5))
def test_distance_is_levenshtein(a: str, b: str, most: int) -> None:
    rows = [[i + j if i * j == 0 else 0 for j in range(len(b) + 1)] for i in range(len(a) + 1)]
    for i, j in itertools.product(range(1, len(a) + 1), range(1, len(b) + 1)):
        rows[i][j] = min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]))
    exact = rows[-1][-1]
    assert distance(a, b) == exact
    assert min(distance(a, b, most), most + 1) == min(exact, most + 1)


def test_brands_and_styles() -> None:
    assert is_brand("Golden Apple Books")
    assert not is_brand("Pineapple Books")
    with pytest.raises(UnknownNameError, match="harbour"):
        Names("harbor", Chance(0))


def test_there_are_enough_trades() -> None:
    assert len(BY_CATEGORY) >= 70
    assert len({b.category for b in BUSINESSES if "g" in b.floors}) >= 40
    assert len({b.category for b in BUSINESSES}) == len(BUSINESSES)


@pytest.mark.parametrize(("style", "script"), [("harbour", "name:zh"), ("akiba", "name:ja"), ("grid", "")])
def test_streets_of_a_plan_get_their_local_names(style: str, script: str) -> None:
    names = Names(style, Chance(4, "streets"))
    assert names.style.script == script
    for kind in ("Road", "Street", "Lane") if style != "akiba" else ("Dori", "Lane", "Station"):
        street = names.street(kind)
        local = street_local(street, style, Chance(1))
        assert local == street_local(street, style, Chance(1))
        assert bool(local) == bool(script)
        if script:
            assert local[-1] == names.local(street)[-1]
            assert 2 <= len(local) <= 6
    assert street_local("Nowhere In Particular", style, Chance(1)) == ""
