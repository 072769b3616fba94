"""World: commands, the clock, counting, snapshots, finding the ground."""

import math
from collections.abc import Iterator

import numpy as np
import pytest

from citysim.city import City
from citysim.conditions import Conditions
from citysim.errors import InputError, SimulationFault, UnknownNameError
from citysim.geo.network import NetworkEdge
from citysim.pose import Pose
from citysim.world import STEP_S, Command, World
from tests.physics.scenes import Scene


def scene() -> Scene:
    """A floor with a building in the east, a footbridge in the west and stairs in the north."""
    return Scene().floor(40).box(8, -9, 0, 16, 9, 12).box(-12, -20, 4.7, -8, 20, 5.0)


@pytest.fixture
def world() -> Iterator[World]:
    world = World(scene().city())
    yield world
    world.close()
    world.close()


def test_a_command_moves_relative_to_the_view(world: World) -> None:
    world.reset(Pose.from_heading(0, -20, 0, heading_deg=90))
    assert world.advance(Command(forward=1.5), 60).after.position == pytest.approx((1.5, -20, 0))
    assert world.advance(Command(left=1.0), 60).after.position == pytest.approx((1.5, -19, 0))
    world.look(yaw=math.pi / 2)  # to the left: north
    assert world.pose.heading_deg == pytest.approx(0.0)
    assert world.advance(Command(forward=-1.0), 60).after.position == pytest.approx((1.5, -20, 0))


def test_yaw_and_pitch_rates_turn(world: World) -> None:
    world.reset(Pose(0, 0, 0, yaw=0.0, pitch=0.0))
    world.advance(Command(yaw_rate=math.pi / 2, pitch_rate=0.2), 60)
    assert world.pose.yaw == pytest.approx(math.pi / 2)
    assert world.pose.pitch == pytest.approx(0.2)
    world.advance(Command(pitch_rate=-3.0), 120)
    assert world.pose.pitch == pytest.approx(math.radians(-89))
    world.look(pitch=9.0)
    assert world.pose.pitch == pytest.approx(math.radians(89))


def test_a_full_circle_comes_home(world: World) -> None:
    world.reset(Pose(0, 0, 0))
    done = world.advance(Command(forward=1.0, yaw_rate=2 * math.pi / 10), 600)
    assert done.after.position == pytest.approx((0, 0, 0), abs=1e-6)
    assert done.distance_m == pytest.approx(10.0)


def test_the_path_is_sampled_with_both_ends(world: World) -> None:
    world.reset(Pose(0, 0, 0))
    done = world.advance(Command(forward=1.5), 50)
    assert done.path.shape == (10, 3)
    assert (done.path[0] == done.before.position).all()
    assert (done.path[-1] == done.after.position).all()
    assert np.diff(done.path[:, 0]).max() <= 1.5 * 0.1 + 1e-9
    assert world.advance(Command(), 0).path.shape == (1, 3)


def test_time_and_the_clock_go_on(world: World) -> None:
    world.reset(Pose(0, 0, 0), Conditions(clock_s=86395.0, weather="fog"))
    world.advance(Command(), 600)
    assert world.time_s == pytest.approx(10.0)
    assert world.conditions.time == "00:00:05"
    assert world.conditions.weather == "fog"
    world.reset(Pose(0, 0, 0))
    assert world.time_s == 0.0


def test_collisions_distance_and_path_length_add_up(world: World) -> None:
    world.reset(Pose(4, 0, 0))
    first = world.advance(Command(forward=1.5), 240)
    assert first.building_collisions == 1
    assert first.pedestrian_collisions == 0
    assert first.distance_m == pytest.approx(8 - 0.31 - 4)
    again = world.advance(Command(forward=1.5), 60)
    assert again.building_collisions == 0
    assert world.building_collisions == 1
    back = world.advance(Command(forward=-1.5), 60)
    assert world.path_length_m == pytest.approx(first.distance_m + again.distance_m + back.distance_m)
    assert world.pedestrian_collisions == 0


def test_a_jump_at_a_time_within_the_action(world: World) -> None:
    world.reset(Pose(0, 0, 0))
    done = world.advance(Command(jump_after_s=0.5), 120)
    heights = done.path[:, 2]
    assert heights[:6].max() == 0.0
    assert heights.max() > 0.45
    for late in (2.0, 2.5):
        with pytest.raises(InputError, match="jump"):
            world.advance(Command(jump_after_s=late), 120)


def test_the_eye_is_a_metre_sixty_up(world: World) -> None:
    world.reset(Pose(1, 2, 0, yaw=0.3))
    camera = world.camera((320, 200), 70.0)
    assert camera.pose == world.eye_pose
    assert camera.pose.position == pytest.approx((1, 2, 1.6))
    assert camera.size == (320, 200)
    assert camera.fov_deg == 70.0


def test_snapshots_continue_exactly_here_and_elsewhere(world: World) -> None:
    world.reset(Pose(3, 0, 0, yaw=0.1), Conditions(clock_s=1000.0))
    world.advance(Command(forward=4.5, yaw_rate=0.3, jump_after_s=1.3), 90)
    assert not world.grounded
    saved = world.snapshot()
    plan = [Command(1.5, 0.2, -0.4), Command(jump_after_s=0.2), Command(-4.5, 0.0, 1.0, 0.1)]
    first = [world.advance(command, 77) for command in plan]
    end = world.snapshot()
    other = World(scene().city())
    for again in (world, other):
        again.restore(saved)
        repeated = [again.advance(command, 77) for command in plan]
        assert again.snapshot() == end
        assert all((a.path == b.path).all() and a.after == b.after for a, b in zip(first, repeated, strict=True))
    other.close()


def test_one_long_advance_equals_many_short_ones(world: World) -> None:
    world.reset(Pose(0, 0, 0))
    saved = world.snapshot()
    world.advance(Command(4.5, 0.3, 0.2), 240)
    whole = world.snapshot()
    world.restore(saved)
    for _ in range(80):
        world.advance(Command(4.5, 0.3, 0.2), 3)
    parts = world.snapshot()
    assert parts.walker[:4] == pytest.approx(whole.walker[:4], abs=1e-9)
    assert parts.steps == whole.steps


def test_the_ground_is_found_by_level(world: World) -> None:
    assert world.ground_pose(0, 0, heading_deg=180).position == pytest.approx((0, 0, 0))
    assert world.ground_pose(0, 0, heading_deg=180).heading_deg == pytest.approx(180)
    assert world.ground_pose(-10, 0).up == pytest.approx(0.0)
    assert world.ground_pose(-10, 0, up_hint=5.3).up == pytest.approx(5.0)
    assert world.ground_pose(12, 0, up_hint=12).up == pytest.approx(12.0)
    with pytest.raises(InputError, match="near height 9 m"):
        world.ground_pose(-10, 0, up_hint=9.0)


def test_the_network_decides_between_levels() -> None:
    line = NetworkEdge(1, np.array([(-10.0, -15.0, 5.0), (-10.0, 15.0, 5.0)]))
    world = World(scene().city(line))
    assert world.ground_pose(-10, 0).up == pytest.approx(5.0)
    world.close()


@pytest.mark.parametrize(
    ("east", "north", "hint"),
    [(7.9, 0.0, None), (12.0, 0.0, 6.0), (50.0, 0.0, None), (math.nan, 0.0, None)],
    ids=["in a wall", "amid a building", "outside", "nowhere"],
)
def test_places_where_nobody_can_stand_are_refused(world: World, east: float, north: float, hint: float | None) -> None:
    with pytest.raises(InputError, match="expected"):
        world.ground_pose(east, north, up_hint=hint)


def test_the_edge_of_the_city_is_closed(world: World) -> None:
    world.reset(Pose(35, 30, 0))
    world.advance(Command(forward=4.5), 240)
    assert world.pose.east == pytest.approx(40 - 0.31, abs=1e-6)
    with pytest.raises(InputError, match="inside"):
        world.reset(Pose(41, 0, 0))
    with pytest.raises(InputError, match="finite"):
        world.reset(Pose(math.inf, 0, 0))


def test_a_hole_in_the_ground_is_a_fault_of_the_city() -> None:
    island = Scene().box(-5, -5, -1, 5, 5, 0)
    far = Scene().quad((19, 19, 0), (20, 19, 0), (20, 20, 0), (19, 20, 0))
    world = World(island.join(far).city())
    world.reset(Pose(0, 0, 0))
    with pytest.raises(SimulationFault, match="ground under the walker"):
        world.advance(Command(forward=1.5), 60 * 60)
    world.close()


def test_a_long_fall_is_reported_once(world: World) -> None:
    world.reset(Pose(-10, 0, 5.0))
    assert not world.advance(Command(), 30).fell
    done = [world.advance(Command(forward=1.5), 60).fell for _ in range(6)]
    assert done.count(True) == 1
    assert world.pose.up == pytest.approx(0.0, abs=1e-9)


def test_bad_commands_and_engines() -> None:
    with pytest.raises(InputError, match="finite"):
        Command(forward=math.nan)
    with pytest.raises(InputError, match="now or later"):
        Command(jump_after_s=-STEP_S)
    city: City = Scene().floor().city()
    with pytest.raises(UnknownNameError, match="physics engine"):
        World(city, physics="newton")
    world = World(city)
    with pytest.raises(InputError, match="steps"):
        world.advance(Command(), -1)
    with pytest.raises(InputError, match="finite turn"):
        world.look(math.nan)
    world.close()
