"""Walls, sheets, corners and ceilings."""

import math

import numpy as np
import pytest

from citysim.errors import InputError
from citysim.physics import make_walker
from citysim.physics.config import WalkerConfig
from citysim.physics.walker import WalkerState
from tests.physics.scenes import Scene, crossings
from tests.physics.walks import walk


@pytest.mark.parametrize("speed", [1.5, 4.5, 60.0])
def test_a_wall_stops_at_arm_of_its_surface_and_counts_once(speed: float) -> None:
    done = walk(Scene().floor().box(3, -5, 0, 4, 5, 3).walker(), 4.0, speed)
    assert done.end[:3] == pytest.approx((3 - 0.31, 0.0, 0.0), abs=1e-6)
    assert done.end.static_touch.total == 1
    assert done.reversals == 0


@pytest.mark.parametrize("yaw", [5.0, 30.0, 60.0, 85.0])
def test_a_wall_is_slid_along(yaw: float) -> None:
    done = walk(Scene().floor(200).box(2, -150, 0, 3, 150, 3).walker(), 20.0, 1.5, yaw)
    assert done.end.east <= 3 - 0.31
    assert done.end.north == pytest.approx(30.0 * math.sin(math.radians(yaw)), abs=1e-6)
    assert done.reversals == 0
    assert done.end.static_touch.total == (1 if yaw < 80.0 else 0)  # grazing it is no bump


def test_a_tessellated_wall_is_as_smooth_as_a_plain_one() -> None:
    scene = Scene().floor(60)
    for k in range(-100, 100):
        for j in range(8):
            scene.sheet(2, k * 0.25, 2, (k + 1) * 0.25, j * 0.375, (j + 1) * 0.375)
    done = walk(scene.invert().walker(), 10.0, 1.5, 45.0)
    assert done.end.north > 0.98 * 15.0 * math.sin(math.radians(45))
    assert done.reversals == 0
    assert done.end.static_touch.total == 1


@pytest.mark.parametrize("thickness", [0.0, 0.02])
@pytest.mark.parametrize("speed", [1.5, 4.5, 30.0])
def test_thin_sheets_hold(speed: float, thickness: float) -> None:
    for k in range(10):
        turn = math.radians(37 * k + 5)
        out, along = np.array([math.cos(turn), math.sin(turn)]), np.array([-math.sin(turn), math.cos(turn)])
        sheets = Scene()
        for shift in {0.0, thickness}:
            a, b = ((2.4 + shift) * out + side * along for side in (-3.0, 3.0))
            sheets.sheet(a[0], a[1], b[0], b[1], 0.0, 1.1)
        walker = Scene().floor().join(sheets).walker()
        done = walk(walker, 0.6 + 2.4 / speed, speed, math.degrees(turn))
        chest = done.at_height(0.8)
        assert crossings(chest[:-1], chest[1:], *sheets.arrays) == 0
        assert np.dot(done.points[-1, :2], out) == pytest.approx(2.4 - 0.31, abs=0.01)


@pytest.mark.parametrize("angle", [20.0, 30.0, 60.0, 90.0])
@pytest.mark.parametrize("yaw", [-8.0, 0.0, 3.0])
def test_a_corner_holds_without_jitter(angle: float, yaw: float) -> None:
    half = 8 * math.tan(math.radians(angle / 2))
    scene = Scene().floor().sheet(8, 0, 0, half, 0, 3).sheet(8, 0, 0, -half, 0, 3)
    done = walk(scene.walker(), 12.0, 1.5, yaw)
    assert done.end.east == pytest.approx(8 - 0.31 / math.sin(math.radians(angle / 2)), abs=0.01)
    assert done.reversals == 0
    assert np.ptp(done.points[-120:], axis=0).max() < 1e-3
    assert done.end.static_touch.total == 1


@pytest.mark.parametrize("offset", [0.0, 0.15, 0.29])
def test_the_end_of_a_wall_is_rounded_or_holds(offset: float) -> None:
    done = walk(Scene().floor().sheet(3, offset, 8, offset, 0, 3).walker(), 8.0)
    chest = done.at_height(0.8)
    assert crossings(chest[:-1], chest[1:], *Scene().sheet(3, offset, 8, offset, 0, 3).arrays) == 0
    if offset > 0.1:
        assert done.end.east > 9.0


def test_a_doorway_of_seventy_centimetres_is_passed() -> None:
    scene = Scene().floor().box(3, -5, 0, 3.3, -0.35, 3).box(3, 0.35, 0, 3.3, 5, 3).box(3, -0.35, 2.0, 3.3, 0.35, 3)
    done = walk(scene.walker(0.0, 0.02), 4.0)
    assert done.end.east == pytest.approx(6.0, abs=0.05)


@pytest.mark.parametrize("speed", [1.5, 4.5])
@pytest.mark.parametrize(("height", "passes"), [(1.6, False), (1.7, False), (1.8, True), (1.9, True)])
def test_ceilings(height: float, passes: bool, speed: float) -> None:
    done = walk(Scene().floor().box(2, -3, height, 4, 3, height + 0.3).walker(), 6.0 / speed, speed)
    assert (done.end.east > 5.0) == passes
    assert done.end.up == pytest.approx(0.0, abs=1e-6)
    assert (done.end.static_touch.total == 0) == passes


def test_a_kerb_under_a_low_ceiling() -> None:
    passes = Scene().floor().box(2, -3, 0, 6, 3, 0.12).box(1, -3, 2.0, 6, 3, 2.2)
    assert walk(passes.walker(), 3.0).end.up == pytest.approx(0.12)
    blocks = Scene().floor().box(2, -3, 0, 6, 3, 0.12).box(1, -3, 1.82, 6, 3, 2.2)
    held = walk(blocks.walker(), 3.0)
    assert held.end.up < 1.82 - 1.75
    assert held.end.east < 2.0


def test_a_noisy_wall_does_not_catch_or_shake() -> None:
    rng = np.random.default_rng(5)
    bulge = 2.0 + rng.normal(0.0, 0.04, (161, 9))
    scene = Scene().floor(60)
    for i in range(160):
        for j in range(8):
            corners = [
                (2 + bulge[a, b], (a - 80) * 0.25, b * 0.375)
                for a, b in ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1))
            ]
            scene.quad(*corners)
    walker = scene.walker(0.0, -15.0)
    done = walk(walker, 18.0, 1.5, 70.0)
    assert done.end.north > 5.0
    assert done.reversals <= 5


def test_overlap_at_the_start_is_left_and_never_deepened() -> None:
    scene = Scene().floor().box(3, -5, 0, 4, 5, 3)
    done = walk(scene.walker(2.85, 0.0), 2.0, 1.5, 0.0)
    assert done.end.east <= 2.85
    away = walk(scene.walker(2.85, 0.0), 2.0, 1.5, 180.0)
    assert away.end.east < 0.0


def test_bumps_begin_again_after_letting_go() -> None:
    walker = Scene().floor().box(3, -5, 0, 4, 5, 3).walker()
    assert walk(walker, 3.0).end.static_touch.total == 1
    assert walk(walker, 0.2, 0.0).end.static_touch.total == 1
    assert walk(walker, 1.0).end.static_touch.total == 1
    assert walk(walker, 0.3, 0.0).end.static_touch.total == 1
    assert walk(walker, 1.0).end.static_touch.total == 2
    assert walk(walker, 0.1, 1.5, 180.0).end.static_touch.total == 2
    assert walk(walker, 1.0).end.static_touch.total == 3


def test_a_moving_capsule_is_met_counted_apart_and_can_leave() -> None:
    scene = Scene().floor()
    space = scene.space()
    walker = make_walker(space)
    other = space.add_capsule(0.25, 1.7, np.array([3.0, 0.05, 0.0]))
    done = walk(walker, 0.8, 4.5)
    chest = done.points[:, :2] - (3.0, 0.05)
    assert np.hypot(chest[:, 0], chest[:, 1]).min() > 0.55
    assert done.end.moving_touch.total == 1
    assert done.end.static_touch.total == 0
    space.remove(other)
    assert walk(walker, 2.0).end.east > 4.0
    space.add_capsule(0.25, 1.7, np.array([walker.state.east, 0.3, 0.0]))
    standing = walk(walker, 1.0, 0.0)
    assert standing.end.north < walker.state.north + 1e-9
    assert math.hypot(0.0, standing.end.north - 0.3) > 0.5


def test_configurations_that_cannot_be() -> None:
    for bad in ({"radius": 0.0}, {"height": 0.8}, {"slope_deg": 95.0}, {"gravity": math.nan}):
        with pytest.raises(InputError, match="expected"):
            WalkerConfig(**bad)


def test_states_must_be_finite() -> None:
    walker = Scene().floor().walker()
    with pytest.raises(InputError, match="finite"):
        walker.state = WalkerState(math.nan, 0.0, 0.0)
