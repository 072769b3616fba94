from collections import Counter

import pytest
import shapely

from citysim.build.procedural import plan_mini
from citysim.build.procedural.dressing import dress
from citysim.build.procedural.dressing.manners import MANNERS
from citysim.build.props.catalogue import MAKERS
from citysim.build.props.landmarks import LANDMARKS


def test_every_kind_of_every_manner_can_be_made() -> None:
    for manner in MANNERS.values():
        kinds = (*manner.ground, *manner.roofs, *manner.square, *manner.stops, *(manner.vehicles or {}))
        assert all(kind in MAKERS or kind in LANDMARKS for kind in kinds)
    for name, manner in MANNERS.items():
        assert name == "mini" or len(manner.ground) + len(manner.roofs) >= 11


def test_mini_is_dressed_the_same_each_time() -> None:
    plan = plan_mini(2)
    once, twice = dress(plan), dress(plan)
    assert once == twice
    assert once.props != plan.props
    kinds = Counter(p.kind for p in once.props)
    assert kinds["cafe_table"] + kinds["parasol_table"] >= 3
    assert kinds["swing"] >= 1
    assert kinds["taxi"] + kinds["van"] + kinds["car"] == Counter(p.kind for p in plan.props)["car"]
    ids = [p.id for p in once.props]
    assert len(set(ids)) == len(ids)


def test_what_stands_outside_stands_before_its_shop() -> None:
    plan = dress(plan_mini(0))
    shapes = {b.id: b.polygon for b in plan.buildings}
    homes = {p.id: p.building for p in plan.places}
    count = 0
    for prop in plan.props:
        place = prop.id.rsplit("/", 1)[0]
        if place in homes and prop.kind in ("a_board", "goods_stand", "crates", "cafe_table"):
            count += 1
            away = shapes[homes[place] or ""].distance(shapely.Point(prop.xy))
            assert 0.3 < away < 2.0
    assert count > 8


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_landmarks_have_names_of_their_own_and_room(seed: int) -> None:
    plan = dress(plan_mini(seed))
    marks = [p for p in plan.props if p.kind in LANDMARKS]
    assert marks
    names = {w.name for w in plan.ways} | {p.name for p in plan.places}
    for mark in marks:
        assert mark.name
        assert mark.name not in names
        for building in plan.buildings:
            assert building.polygon.distance(shapely.Point(mark.xy)) > 3.0


def test_cities_that_are_no_preset_stay_as_they_are() -> None:
    import dataclasses

    plan = dataclasses.replace(plan_mini(0), generator={"kind": "osm"})
    assert dress(plan) is plan
