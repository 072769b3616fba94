"""Floors, stairs, kerbs and slopes."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.physics.scenes import Scene
from tests.physics.walks import walk

RUN = 0.30


def test_a_floor_is_walked_at_the_commanded_speed() -> None:
    done = walk(Scene().floor().walker(), 2.0, 1.5, 30.0)
    assert done.end[:3] == pytest.approx((3.0 * math.cos(math.pi / 6), 1.5, 0.0), abs=1e-6)
    assert done.airborne == 0
    assert done.end.static_touch.total == 0


@pytest.mark.parametrize("speed", [1.5, 4.5])
@pytest.mark.parametrize("riser", [0.12, 0.15, 0.17, 0.20])
def test_stairs_both_ways(riser: float, speed: float) -> None:
    scene, top = Scene().floor().stairs(12, riser, RUN), 12 * riser
    up = walk(scene.walker(), 7.5 / speed, speed)
    assert up.end.up == pytest.approx(top, abs=1e-6)
    assert up.end.east == pytest.approx(7.5, abs=0.1)  # not slowed down
    assert up.rises.min() > -1e-6
    down = walk(scene.walker(7.5, 0.0, top), 7.5 / speed, speed, 180.0)
    assert down.end.up == pytest.approx(0.0, abs=1e-6)
    assert down.rises.max() < 1e-6
    assert up.airborne == down.airborne == 0


def test_a_spiral_stair_is_climbed_and_descended() -> None:
    walker = Scene().floor().spiral(16, 0.17).walker(1.7, -0.4)
    for direction, height in ((1.0, 16 * 0.17), (-1.0, 0.0)):
        states = [walker.state]
        turned = math.atan2(-0.4, 1.7) if direction > 0 else math.radians(310)
        for _ in range(60 * 12):
            s = states[-1]
            angle = math.atan2(s.north, s.east)
            turned += (angle - turned + math.pi) % (2 * math.pi) - math.pi
            if direction * (turned - math.radians(312 if direction > 0 else -25)) > 0:
                break
            pull = 0.8 * (1.7 - math.hypot(s.east, s.north))
            tangent = (-math.sin(angle) * direction, math.cos(angle) * direction)
            states.append(
                walker.step(1.2 * tangent[0] + pull * math.cos(angle), 1.2 * tangent[1] + pull * math.sin(angle))
            )
        assert states[-1].up == pytest.approx(height, abs=1e-6)
        assert all(s.grounded for s in states)


@pytest.mark.parametrize("speed", [1.5, 4.5])
@pytest.mark.parametrize("height", [0.05, 0.12, 0.20, 0.30, 0.34])
def test_kerbs_up_to_the_step_height_are_climbed(height: float, speed: float) -> None:
    done = walk(Scene().floor().box(2, -3, 0, 6, 3, height).walker(), 4.0 / speed, speed)
    assert done.end.up == pytest.approx(height, abs=1e-6)
    assert done.end.static_touch.total == 0


@pytest.mark.parametrize("speed", [1.5, 4.5])
@pytest.mark.parametrize("height", [0.36, 0.40, 0.60])
def test_higher_kerbs_are_refused_and_counted(height: float, speed: float) -> None:
    done = walk(Scene().floor().box(2, -3, 0, 6, 3, height).walker(), 4.0, speed)
    assert done.end.up == pytest.approx(0.0, abs=1e-6)
    assert done.end.east < 2.0
    assert done.end.static_touch.total == 1


def test_a_bevelled_kerb_is_climbed() -> None:
    scene = Scene().floor().quad((2, -3, 0), (2.07, -3, 0.12), (2.07, 3, 0.12), (2, 3, 0))
    scene.quad((2.07, -3, 0.12), (6, -3, 0.12), (6, 3, 0.12), (2.07, 3, 0.12))
    done = walk(scene.walker(), 2.0)
    assert done.end[:3] == pytest.approx((3.0, 0.0, 0.12), abs=1e-6)
    assert done.airborne == 0


@pytest.mark.parametrize("speed", [1.5, 4.5])
@pytest.mark.parametrize("slope", [3, 15, 30, 45, 48])
def test_slopes_within_the_limit_both_ways(slope: float, speed: float) -> None:
    scene, top = Scene().floor().ramp(slope), 4 * math.tan(math.radians(slope))
    up = walk(scene.walker(), 8.0 / speed, speed)
    assert up.end.up == pytest.approx(top, abs=1e-6)
    down = walk(scene.walker(8.0, 0.0, top), 8.0 / speed, speed, 180.0)
    assert down.end.up == pytest.approx(0.0, abs=1e-6)
    assert up.airborne == down.airborne == 0
    assert np.all(up.rises > -1e-6)
    assert np.all(down.rises < 1e-6)


@pytest.mark.parametrize("yaw", [0.0, 25.0, -40.0])
@pytest.mark.parametrize("speed", [1.5, 4.5])
@pytest.mark.parametrize("slope", [53, 55, 60, 65, 75, 85])
def test_steeper_slopes_are_refused(slope: float, speed: float, yaw: float) -> None:
    done = walk(Scene().floor().ramp(slope, width=40.0).walker(), 5.0, speed, yaw)
    assert done.points[:, 2].max() < 0.05
    assert done.end.east < 2.1


@pytest.mark.parametrize("slope", [55, 65])
def test_steep_ground_is_slid_down(slope: float) -> None:
    top = 4 * math.tan(math.radians(slope))
    walker = Scene().floor().ramp(slope).walker(4.0, 0.0, top / 2 + 0.3)
    done = walk(walker, 4.0, 0.0)
    assert done.end.up == pytest.approx(0.0, abs=1e-6)
    assert done.end.east < 2.1
    assert done.end.grounded


def test_a_pit_between_steep_slopes_holds_and_lets_jump() -> None:
    scene = (
        Scene().quad((-3, -5, 6), (0, -5, 0), (0, 5, 0), (-3, 5, 6)).quad((0, -5, 0), (3, -5, 6), (3, 5, 6), (0, 5, 0))
    )
    done = walk(scene.walker(0.2, 0.0, 2.0), 4.0, 0.0)
    assert done.end.grounded
    assert done.points[-60:, :].std(axis=0).max() < 1e-6


def test_decals_and_z_fighting_layers_do_not_matter() -> None:
    scene = Scene().floor().box(1, -1, 0.0, 2, 1, 0.006).floor(5.0, 0.0).floor(3.0, 1e-6)
    for k in range(8):
        scene.quad((2.5 + k, -2, 0.006), (3 + k, -2, 0.006), (3 + k, 2, 0.006), (2.5 + k, 2, 0.006))
    done = walk(scene.invert().walker(), 6.0)
    assert done.end[:2] == pytest.approx((9.0, 0.0), abs=1e-6)
    assert done.airborne == 0
    assert abs(done.rises).max() < 0.0061


@pytest.mark.parametrize("yaw", [0.0, 90.0, 45.0, 10.0])
def test_cracks_between_tiles_are_not_felt(yaw: float) -> None:
    scene, size, crack = Scene(), 2.0, 0.018
    for i in range(-6, 6):
        for j in range(-6, 6):
            e, n = i * size, j * size
            scene.quad(
                (e + crack / 2, n + crack / 2, 0), (e + size - crack / 2, n + crack / 2, 0),
                (e + size - crack / 2, n + size - crack / 2, 0), (e + crack / 2, n + size - crack / 2, 0),
            )  # fmt: skip
    done = walk(scene.walker(-5.0 * math.cos(math.radians(yaw)), -5.0 * math.sin(math.radians(yaw))), 6.0, 1.5, yaw)
    assert done.airborne == 0
    assert abs(done.rises).max() < 1e-6


@pytest.mark.parametrize("width", [0.2, 0.3, 0.4])
def test_narrow_gaps_are_crossed(width: float) -> None:
    scene = Scene().box(-3, -3, -5, 2, 3, 0).box(2 + width, -3, -5, 8, 3, 0)
    for speed in (1.5, 4.5):
        done = walk(scene.walker(), 6.0 / speed, speed)
        assert done.end.up == pytest.approx(0.0, abs=1e-6)
        assert done.end.east > 5.0
        assert done.airborne == 0


def test_a_wide_gap_is_fallen_into() -> None:
    scene = Scene().box(-3, -3, -5, 2, 3, 0).box(3.2, -3, -5, 8, 3, 0).floor(20.0, -2.0)
    done = walk(scene.walker(), 4.0)
    assert done.end.up == pytest.approx(-2.0, abs=1e-6)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([0.25, 0.5, 1.0]), st.sampled_from([0.01, 0.04, 0.08]))
def test_noisy_ground_carries(seed: int, cell: float, noise: float) -> None:
    """Heights drawn at random: some facets are steeper than the limit, yet the whole is ground."""
    rng = np.random.default_rng(seed)
    heights = rng.normal(0.0, noise, (61, 61))
    holes = Scene().terrain(heights, cell).invert()
    walker = holes.walker(0.0, 0.0, 0.5)
    yaw, reach = float(rng.uniform(0, 360)), 25 * cell
    done = walk(walker, reach / 1.5, 1.5, yaw)
    ground = np.abs(heights).max()
    assert np.abs(done.points[60:, 2]).max() <= ground + 0.05
    assert math.hypot(done.end.east, done.end.north) > 0.8 * reach
