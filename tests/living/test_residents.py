"""Residents: the same person for the same seed and number, with a home and an errand of the city."""

import dataclasses

import pytest

from citysim.city import City, CityObject
from citysim.conditions import Conditions
from citysim.errors import InputError
from citysim.living.scene import PEOPLE_LABELS
from citysim.living.words import ERRANDS
from citysim.pose import Pose
from citysim.world import Command, CrowdSpec, World
from tests.living.streets import START, grid_town


def town() -> City:
    """The grid town with addresses on its houses."""
    houses = [
        CityObject(100 + k, "building", attributes={"address": f"Main Road {k}", "kind": kind, "levels": k + 1})
        for k, kind in enumerate(("apartments", "office", "house", "church"))
    ]
    return dataclasses.replace(grid_town(), objects=tuple(houses))


def test_a_person_stays_the_same_whoever_else_is_there() -> None:
    world = World(town(), physics="native")
    world.reset(START, crowd=CrowdSpec(30, 5))
    few = [world.resident(k) for k in range(30)]
    world.advance(Command(), 300)
    later = [world.resident(k) for k in range(30)]
    same = ("name", "age", "gender", "look", "occupation", "home", "home_building")
    assert [[getattr(r, n) for n in same] for r in few] == [[getattr(r, n) for n in same] for r in later]
    world.reset(START, crowd=CrowdSpec(200, 5))
    more = [world.resident(k) for k in range(24)]  # the last block of a smaller crowd is cut short
    assert [[getattr(r, n) for n in same] for r in more] == [[getattr(r, n) for n in same] for r in few[:24]]
    world.reset(START, crowd=CrowdSpec(30, 6))
    assert [world.resident(k).name for k in range(30)] != [r.name for r in few]
    world.close()


def test_homes_are_where_people_live_and_errands_lead_to_places() -> None:
    world = World(town(), physics="native")
    world.reset(START, crowd=CrowdSpec(150, 7))
    people = [world.resident(k) for k in range(150)]
    assert {p.home for p in people} == {"Main Road 0", "Main Road 2"}
    assert {p.home_building for p in people} == {100, 102}
    assert sum(p.home == "Main Road 2" for p in people) > 90  # three floors against one
    shops = {place.name for place in world.city.places}
    assert {p.destination for p in people} <= shops | {""}
    assert sum(p.destination != "" for p in people) > 30
    assert all((p.destination in p.errand) for p in people)
    assert len({p.name for p in people}) > 100
    for p in people:
        assert p.gender in ("female", "male")
        assert (p.occupation in ("pupil", "child")) == (p.age < 18)
        assert p.to_json()["name"] == p.name
    world.close()


def test_nobody_is_asked_for_who_is_not_there() -> None:
    world = World(grid_town(), physics="native")
    world.reset(START)
    with pytest.raises(InputError, match="one of 0 people"):
        world.resident(0)
    world.have_people(CrowdSpec(3, 1))
    assert world.resident(2).home == ""  # this town has no buildings with an identity
    for person in (-1, 3):
        with pytest.raises(InputError, match="one of 3 people"):
            world.resident(person)
    world.have_people(None)
    assert world.crowd is None
    world.close()


def test_the_walker_has_a_profile_that_goes_on() -> None:
    world = World(grid_town(), physics="native")
    world.reset(START)
    assert world.profile.activity == "standing"
    assert world.profile.fatigue == world.profile.hunger == 0.0
    world.advance(Command(forward=1.5), 60)
    assert world.profile.activity == "walking"
    world.advance(Command(forward=4.5, jump_after_s=0.1), 8)
    assert world.profile.activity == "in the air"
    world.advance(Command(forward=4.5), 120)
    assert world.profile.activity == "running"
    assert world.profile.fatigue > 0.0 < world.profile.hunger
    assert set(world.profile.to_json()) == {
        "name", "gender", "age", "occupation", "hunger", "fatigue", "activity", "balance", "income_today",
        "total_income", "hourly_wage",
    }  # fmt: skip
    world.close()


def test_signals_follow_the_time() -> None:
    from tests.crowd.test_crowd import grid

    network = grid(blocks=2, side=30.0).network
    city = dataclasses.replace(grid_town(), network=network)
    world = World(city, physics="native")
    world.reset(Pose(30, 30, 0))
    lit = [edge.id for edge in network.edges if edge.attributes["FeatureType"] == 30]
    before = world.signals
    assert [signal.edge for signal in before] == lit
    world.advance(Command(), round((before[0].left_s + 0.05) * 60))
    assert world.signals[0].green != before[0].green
    world.close()


@pytest.mark.parametrize("kind", sorted(ERRANDS))
def test_errands_name_the_place(kind: str) -> None:
    assert ERRANDS[kind].format("X").endswith("X")


def test_places_are_open_by_clock_and_date() -> None:
    import datetime as dt

    shop = dataclasses.replace(grid_town().places[0], opening_hours="Mo-Fr 09:00-18:00; Sa 22:00-02:00")
    friday = Conditions(clock_s=12 * 3600.0, date=dt.date(2026, 3, 20))
    assert shop.is_open(friday)
    assert not shop.is_open(dataclasses.replace(friday, clock_s=20 * 3600.0))
    assert shop.is_open(dataclasses.replace(friday, clock_s=(24 + 25) * 3600.0))  # one o'clock in Sunday's night
    assert not shop.is_open(dataclasses.replace(friday, clock_s=(24 + 27) * 3600.0))
    assert dataclasses.replace(shop, opening_hours="").is_open(friday)
    assert dataclasses.replace(shop, opening_hours="sunrise-sunset").is_open(friday)


def test_people_look_as_their_profile_says() -> None:
    from citysim.render.avatar.looks import LOOKS

    for weather in ("sunny", "rainy"):
        world = World(grid_town(), physics="native")
        world.reset(START, Conditions(weather=weather), crowd=CrowdSpec(60, 1 << 61, radius_m=60.0))
        world.advance(Command(), 61)
        bodies = world.bodies()
        assert bodies is not None
        drawn = {int(label) - PEOPLE_LABELS: int(mesh) for label, mesh in zip(bodies.labels, bodies.mesh, strict=True)}
        per_look = (len(bodies.meshes) - 2) // len(LOOKS)
        for number, mesh in drawn.items():
            assert LOOKS[mesh // per_look].name == world.resident(number).look
        company = world._life.company
        assert company is not None
        places = company.positions(61)[:, list(drawn)].T
        assert (bodies.place[:, :3] == places).all()
        world.close()
