"""The walker among people: blocked, pushed a little, counted once a touch, equal however a walk is split."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from citysim.conditions import Conditions
from citysim.errors import InputError
from citysim.living.closures import Closure
from citysim.living.contacts import APART_M, TOUCH_M, PedestrianContact
from citysim.pose import Pose
from citysim.world import Command, CrowdSpec, World
from tests.living.streets import BUSY, ENGINES, START, commands, gaps, grid_town, walk
from tests.physics.scenes import Scene


def recounted(world: World, plan: list[Command], steps: int) -> tuple[list[tuple[int, float]], list[tuple[int, float]]]:
    """(person, time) of contacts as the world logs them, and as the trajectory of both, substep by substep, gives."""
    logged: list[tuple[int, float]] = []
    counted: list[tuple[int, float]] = []
    touching = np.zeros(world.crowd.rows.shape[1] if world.crowd else 0, dtype=bool)
    for command in plan:
        for _ in range(steps):
            done = world.advance(command, 1)
            logged += [(c.person, c.time_s) for c in done.contacts]
            gap = gaps(world)
            begun = (gap <= TOUCH_M) & ~touching
            counted += [(int(i), world.time_s) for i in np.flatnonzero(begun)]
            touching = (touching | begun) & (gap <= APART_M)
    return logged, counted


def agree(first: int, last: int, physics: str) -> int:
    world = World(grid_town(), physics=physics)
    total = 0
    for seed in range(first, last):
        world.reset(START, crowd=CrowdSpec(40, seed, radius_m=25.0))
        logged, counted = recounted(world, commands(seed, 8), 30)
        assert [person for person, _ in logged] == [person for person, _ in counted], seed
        assert [time for _, time in logged] == pytest.approx([time for _, time in counted])
        assert world.pedestrian_collisions == len(logged)
        total += len(logged)
    world.close()
    return total


def test_contacts_in_the_log_are_those_of_the_trajectory() -> None:
    assert agree(0, 20, "native") > 10


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_contacts_of_a_thousand_walks_are_those_of_the_trajectory() -> None:
    assert agree(20, 1020, "native") > 500


def test_contacts_are_the_same_with_the_other_engine() -> None:
    if "bullet" not in available():
        pytest.skip("needs PyBullet")
    assert agree(0, 4, "bullet") > 1


def available() -> list[str]:
    from importlib.util import find_spec

    return [name for name in ENGINES if name == "native" or find_spec("pybullet")]


@pytest.mark.parametrize("physics", available())
def test_people_are_solid(physics: str) -> None:
    world = World(grid_town(), physics=physics)
    nearest = math.inf
    for seed in range(3):
        world.reset(START, crowd=CrowdSpec(40, seed, radius_m=25.0))
        for _ in range(200):
            world.advance(Command(forward=4.5), 1)
            nearest = min(nearest, float(gaps(world).min()))
    assert 0.005 < nearest < TOUCH_M
    world.close()


def test_who_stands_is_not_walked_through() -> None:
    world = World(grid_town(), physics="native")
    world.reset(START, crowd=CrowdSpec(60, 0, radius_m=15.0))
    moved, nearest, contacts = 0.0, math.inf, 0
    for _ in range(1800):
        done = world.advance(Command(), 1)
        moved, contacts = moved + done.distance_m, contacts + len(done.contacts)
        nearest = min(nearest, float(gaps(world).min()))
    assert nearest > 0.0
    assert moved < 0.3
    assert contacts <= 1
    world.close()


def test_who_stands_is_walked_round() -> None:
    """In the middle of a street, and beside it: without room around the walker these four minutes had 28 touches."""
    world = World(grid_town(), physics="native")
    contacts = 0
    for seed, north in ((0, 20.0), (0, 33.0), (1, 33.0), (2, 20.0), (2, 33.0), (3, 20.0)):
        world.reset(Pose(6.0, north, 0.0, 1.57), crowd=CrowdSpec(60, seed, radius_m=15.0))
        contacts += sum(len(world.advance(Command(), 10).contacts) for _ in range(240))
    assert contacts <= 2
    world.close()


def test_a_contact_says_where_how_fast_and_whose() -> None:
    world = World(grid_town(), physics="native")
    found: list[PedestrianContact] = []
    for seed in range(6):
        world.reset(START, crowd=CrowdSpec(40, seed, radius_m=25.0))
        for command in [Command(forward=4.5)] * 8:
            found += world.advance(command, 30).contacts
    assert found
    assert {contact.mover for contact in found} >= {"agent"}
    for contact in found:
        assert 0.0 <= contact.agent_share <= 1.0
        assert 0.0 < contact.speed_m_s < 7.0
        assert abs(contact.place[0] - 6.0) < 6.0
        assert contact.to_json()["mover"] == contact.mover
    world.close()


@pytest.mark.parametrize("physics", available())
@settings(max_examples=8)
@given(
    seed=st.integers(0, 2**40),
    parts=st.lists(st.integers(1, 11), min_size=1, max_size=10),
    before=st.integers(0, 40),
    notice_at_s=st.floats(0.0, 1.5),
    turn=st.floats(-2.0, 2.0),
)
def test_any_split_and_any_restore_give_the_same_bytes(
    physics: str, seed: int, parts: list[int], before: int, notice_at_s: float, turn: float
) -> None:
    world, other = (World(grid_town(), physics=physics, threads=threads) for threads in (1, 2))
    closed = Closure(((0.0, 21.0, 0.0), (12.0, 21.0, 0.0)), "works", "closed", notice_at_s)
    world.reset(START, Conditions(weather="rainy"), crowd=CrowdSpec(40, seed, radius_m=25.0), closures=[closed])
    world.advance(Command(forward=1.5), before)
    kept, command = world.snapshot(), Command(forward=1.5, yaw_rate=turn)
    whole = world.advance(command, sum(parts))
    for again in (world, other):
        end = world.snapshot()
        again.restore(kept)
        done = [again.advance(command, part) for part in parts]
        assert again.snapshot() == end
        assert tuple(contact for d in done for contact in d.contacts) == whole.contacts
        assert tuple(text for d in done for text in d.notices) == whole.notices
        assert {label for d in done for label in d.crossed} == set(whole.crossed)
        assert sum(d.rained_on_s for d in done) == pytest.approx(whole.rained_on_s)
    assert other.step_record()["state_sha256"] == world.step_record()["state_sha256"]
    world.close()
    other.close()


@pytest.mark.parametrize("physics", available())
def test_snapshots_in_the_middle_of_everything_are_exact(physics: str) -> None:
    world, other = World(grid_town(), physics=physics), World(grid_town(), physics=physics, threads=2)
    world.reset(START, crowd=BUSY)
    walk(world, commands(2, 5), 7)
    kept = world.snapshot()
    walk(world, commands(3, 4), 13)
    end = world.snapshot()
    other.reset(START)
    for again in (world, other):
        again.restore(kept)
        assert again.snapshot() == kept
        walk(again, commands(3, 4), 13)
        assert again.snapshot() == end
    world.close()
    other.close()


def test_threads_change_nothing() -> None:
    records = []
    for threads in (1, 2):
        world = World(grid_town(), physics="native", threads=threads)
        world.reset(START, crowd=CrowdSpec(1500, 4))
        world.advance(Command(forward=1.5), 60)
        records.append(world.step_record())
        world.close()
    assert records[0] == records[1]


def test_people_stay_around_a_walker_who_goes_away() -> None:
    world = World(grid_town(), physics="native")
    world.reset(START, crowd=BUSY)
    for _ in range(24):
        world.advance(Command(forward=4.5), 60)
    crowd, pose = world.crowd, world.pose
    assert crowd is not None
    assert pose.north > 100.0
    away = np.hypot(*(crowd.positions[crowd.active, :2] - (pose.east, pose.north)).T)
    assert crowd.active.sum() > 30
    assert away.max() < 1.2 * 25.0 + 2.0
    world.close()


def test_more_people_do_not_move_the_others_nor_the_walker_alone() -> None:
    world = World(grid_town(), physics="native")
    world.reset(START)
    alone = world.advance(Command(forward=1.5, yaw_rate=0.1), 300)
    world.reset(START, crowd=CrowdSpec(0, 1))
    assert (world.advance(Command(forward=1.5, yaw_rate=0.1), 300).path == alone.path).all()
    world.close()


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"population": -1}, "population from 0"),
        ({"population": 10**9}, "population from 0"),
        ({"population": 2.5}, "whole number"),
        ({"population": 3, "seed": "x"}, "whole number"),
        ({"population": 3, "keep": 0}, "keep=1"),
        ({"population": 3, "radius_m": 1.0}, "radius of 5 m"),
        ({"population": 3, "radius_m": math.nan}, "radius of 5 m"),
    ],
)
def test_absurd_crowds_are_refused_in_one_sentence(given: dict[str, object], expected: str) -> None:
    with pytest.raises(InputError, match=expected) as caught:
        CrowdSpec(**{"seed": 0, **given})  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


def test_people_need_a_network() -> None:
    world = World(Scene().floor(20).city(), physics="native")
    with pytest.raises(InputError, match="pedestrian network"):
        world.reset(Pose(0, 0, 0), crowd=CrowdSpec(3, 0))
    world.reset(Pose(0, 0, 0), crowd=CrowdSpec(0, 0))
    assert world.bodies() is None
    world.close()
