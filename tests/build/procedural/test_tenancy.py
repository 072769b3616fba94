import itertools
import math
from collections import Counter

import pytest

from citysim.build.chance import Chance
from citysim.build.plans import PlacePlan
from citysim.build.procedural.naming import Names
from citysim.build.procedural.sketch import Sketch
from citysim.build.procedural.tenancy import Shopfront, let, open_place
from citysim.build.procedural.tenancy.letting import DOOR_ROOM, units_of
from citysim.build.procedural.tenancy.mixes import MIXES
from citysim.geo.hours import OpeningHours

PRESETS = ("harbour", "akiba", "oldtown", "grid", "garden")


def fronts(count: int = 120) -> list[Shopfront]:
    """Rows of facades 16 m long that look south, with a door in the middle."""
    found = []
    for k in range(count):
        x, y = 20.0 * (k % 20), 60.0 * (k // 20)
        found.append(Shopfront(f"b{k}", (x, y), (x + 16.0, y), f"Mill Street {k + 1}", 5, (x + 8.0, y)))
    return found


def tenants(preset: str, seed: int = 0) -> list[PlacePlan]:
    return let(Sketch(preset), fronts(), Names(preset, Chance(seed, "names")), Chance(seed, "let"), preset)


@pytest.mark.parametrize("preset", PRESETS)
def test_frontages_are_full_of_all_kinds_of_tenants(preset: str) -> None:
    found = tenants(preset)
    assert len({p.category for p in found}) >= 40
    assert len({p.name for p in found}) == len(found)
    assert len({p.id for p in found}) == len(found)
    assert len(found) >= 250
    for place in found:
        assert place.building is not None
        assert place.address == f"Mill Street {int(place.building[1:]) + 1}"
        OpeningHours.parse(place.opening_hours)
        x, y = place.xy
        k = int(place.building[1:])
        assert 20.0 * (k % 20) < x < 20.0 * (k % 20) + 16.0
        assert y == pytest.approx(60.0 * (k // 20) + 2.5)  # inside: the street is on the right of a to b
    ground = [p for p in found if p.level == 0]
    for a, b in itertools.combinations(ground, 2):
        if a.building == b.building:
            assert abs(a.xy[0] - b.xy[0]) >= (float(a.tags["frontage"]) + float(b.tags["frontage"])) / 2 - 1e-3


@pytest.mark.parametrize("preset", ["harbour", "akiba"])
def test_upper_storeys_have_tenants_and_places_have_local_names(preset: str) -> None:
    found = tenants(preset)
    levels = Counter(p.level for p in found)
    assert sum(n for level, n in levels.items() if level > 0) > 100
    assert max(levels) <= 5
    script = "name:zh" if preset == "harbour" else "name:ja"
    assert all(p.tags[script] == p.aliases[0] for p in found)


def test_presets_have_their_own_trades() -> None:
    akiba, old = (Counter(p.category for p in tenants(name)) for name in ("akiba", "oldtown"))
    assert akiba["electronics"] > 3 * old["electronics"]
    assert old["cafe"] / old.total() > akiba["cafe"] / akiba.total()


def test_units_leave_the_door_free() -> None:
    front = fronts(1)[0]
    units = units_of(0, front, MIXES["harbour"], Chance(0))
    assert len(units) == 4
    for unit in units:
        assert abs(unit.middle - 8.0) >= DOOR_ROOM + unit.width / 2 - 1e-9
        assert unit.middle - unit.width / 2 >= 0.0
        assert unit.middle + unit.width / 2 <= 16.0
    assert len(units_of(0, Shopfront("b", (0, 0), (16, 0), "", units=2), MIXES["harbour"], Chance(0))) == 2
    assert units_of(0, Shopfront("b", (0, 0), (2.0, 0), ""), MIXES["harbour"], Chance(0)) == []


def test_same_seed_same_tenants() -> None:
    assert tenants("grid", 5) == tenants("grid", 5)
    assert {p.name for p in tenants("grid", 5)} != {p.name for p in tenants("grid", 6)}


def test_public_places_take_a_given_name() -> None:
    sketch, names = Sketch("grid"), Names("grid", Chance(0))
    made = open_place(sketch, "museum", names, (3.0, 4.0), Chance(1), "b1", "1st Street 5", name="Walnut Museum")
    assert (made.name, made.category, made.tags["tourism"]) == ("Walnut Museum", "museum", "museum")
    assert sketch.places == [made]
    other = open_place(sketch, "library", names, (30.0, 4.0), Chance(2))
    assert other.name.endswith("Library")
    assert math.dist(other.xy, made.xy) < 150.0
