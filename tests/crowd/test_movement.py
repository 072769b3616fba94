"""The movement model against published figures, on corridors, doors and seeds that served for no tuning."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from citysim.benchmarks.crowd_scenes import Door, Ring, filled, overlap
from citysim.crowd.hashing import stream, units
from citysim.crowd.movement import Movement
from citysim.crowd.rows import DENSITY, GOAL_X, GOAL_Y, X, Y, Z
from citysim.crowd.walls import build_walls
from citysim.crowd.weidmann import FREE_SPEED, speed_share
from citysim.errors import InputError


@pytest.mark.parametrize("density", [1.0, 2.0, 3.0])
def test_speed_falls_with_density_as_weidmann_measured(density: float) -> None:
    ring, speeds, deepest = Ring(int(density * 150), 30.0, 5.0, seed=11), [], 0.0
    for step in range(400):
        ring.step(0.05)
        if step >= 200:
            speeds.append(ring.speed())
            deepest = max(deepest, overlap(ring.movement)) if step % 10 == 0 else deepest
    assert np.mean(speeds) == pytest.approx(FREE_SPEED * speed_share(density), abs=0.17)
    assert deepest < 0.12


@pytest.mark.parametrize("width", [1.0, 1.5, 2.0])
def test_doors_let_through_what_was_counted_at_real_ones(width: float) -> None:
    door, deepest = Door(120, width, seed=21), 0.0
    while door.time < 200.0 and np.isinf(door.times).any():
        door.step(0.1)
        deepest = max(deepest, overlap(door.movement))
    assert np.isfinite(door.times).all()
    assert 1.2 <= door.flow() <= 2.0
    assert deepest < 0.22


@pytest.mark.parametrize("width", [2.5, 6.0])
def test_counter_flow_forms_lanes_and_does_not_lock(width: float) -> None:
    ring, speeds = Ring(int(1.5 * 24 * width), 24.0, width, seed=31, opposite=0.5), []
    mixed = ring.lane_order()
    for step in range(1000):
        ring.step(0.05)
        if step >= 700:
            speeds.append(ring.speed())
    assert ring.lane_order() > max(0.7, mixed)
    assert np.mean(speeds) > 0.3


def test_two_streams_cross() -> None:
    count = 160
    ids = np.arange(count)
    x, y = (-9.0 + 18.0 * units(stream(5, name), ids) for name in "xy")
    east = ids % 2 == 0
    x, y = np.where(east, x - 10.0, 0.2 * x), np.where(east, 0.2 * y, y - 10.0)
    movement = filled(
        Movement(count, build_walls([])), x, y, np.where(east, 1.0, 0.0), np.where(east, 0.0, 1.0), seed=5
    )
    for _ in range(1200):
        movement.step(0.05)
    progress = np.where(east, movement.state[X] - x, movement.state[Y] - y)
    assert progress.min() > 25.0
    assert (progress / 60.0).mean() > 0.8


def test_people_on_a_bridge_do_not_meet_those_below() -> None:
    def pair(height: float) -> float:
        movement = filled(
            Movement(2, build_walls([])), np.array([0.0, 6.0]), np.zeros(2), np.array([1.0, -1.0]), 0.0, 1
        )
        movement.state[Z, 1] = height
        for _ in range(100):
            movement.step(0.05)
        return float(abs(movement.state[Y]).max())

    assert pair(5.0) == 0.0
    assert pair(0.5) > 0.2


def test_a_body_in_the_way_is_walked_around_and_not_moved() -> None:
    movement = filled(Movement(1, build_walls([])), np.zeros(1), np.zeros(1), 1.0, 0.0, 3)
    body, nearest = np.array([[5.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.3, 0.0]]), 9.0
    for _ in range(160):
        movement.step(0.05, body)
        nearest = min(nearest, float(np.hypot(movement.state[X, 0] - 5.0, movement.state[Y, 0])))
    assert movement.state[X, 0] > 7.0
    assert nearest > 0.45


def test_nobody_passes_a_wall_however_hard_the_crowd_pushes() -> None:
    box: list[list[float]] = [[0, 0, 6, 0], [6, 0, 6, 4], [6, 4, 0, 4], [0, 4, 0, 0], [3, 0, 3, 3.4]]
    ids = np.arange(60)
    x, y = 0.3 + 2.4 * units(stream(9, "x"), ids), 0.3 + 3.4 * units(stream(9, "y"), ids)
    movement = filled(Movement(60, build_walls(box), dense=True), x, y, 1.0, 0.0, 9)
    s = movement.state
    for step in range(600):
        before = s[[X, Y]].copy()
        angle = units(stream(9, "turn"), ids, step // 40) * 8.0
        s[GOAL_X], s[GOAL_Y] = np.where(angle < 4, 1.0, -1.0), 0.0
        movement.step(0.1)
        assert s[X].min() > 0.0
        assert s[X].max() < 6.0
        assert s[Y].min() > 0.0
        assert s[Y].max() < 4.0
        through = (np.minimum(before[0], s[X]) < 3.0) & (np.maximum(before[0], s[X]) > 3.0)
        share = (3.0 - before[0]) / np.where(through, s[X] - before[0], 1.0)
        assert (~through | (before[1] + share * (s[Y] - before[1]) > 3.4)).all()


def test_a_wall_of_one_side_holds_from_its_right_and_lets_others_in() -> None:
    wall = build_walls([[0.0, -5.0, 0.0, 5.0, -1.0, 1.0, 1.0]])  # northwards: its right is the east

    def reached(x: float, height: float, way: float) -> float:
        movement = filled(Movement(1, wall), np.array([x]), np.zeros(1), way, 0.0, 1)
        movement.state[Z] = height
        for _ in range(80):
            movement.step(0.1)
        return float(movement.state[X, 0])

    assert reached(3.0, 0.0, -1.0) == pytest.approx(0.2, abs=0.02)
    assert reached(3.0, 3.0, -1.0) < -3.0
    assert reached(-3.0, 0.0, 1.0) > 3.0


def test_the_search_finds_what_comparing_all_pairs_finds() -> None:
    ids = np.arange(300)
    for dense, extent in ((False, 40.0), (True, 12.0)):
        x, y = extent * (units(stream(2, "x"), ids) - 0.5), extent * (units(stream(2, "y"), ids) - 0.5)
        movement = filled(Movement(300, build_walls([]), dense=dense), x, y, 1.0, 0.0, 2)
        movement.step(0.05)
        dx, dy = x - x[:, None], y - y[:, None]
        square = dx * dx + dy * dy
        ahead = (dx >= 0.0) & ~np.eye(300, dtype=bool) & ((dx > 0.0) | (dy == 0.0))
        kernel = np.where(ahead, np.maximum(1.0 - square / 2.25, 0.0) ** 2, 0.0)
        np.testing.assert_allclose(movement.state[DENSITY], kernel.sum(axis=1) * 6.0 / (np.pi * 2.25), atol=1e-9)


def state_after(threads: int) -> bytes:
    """Bytes of a busy state: a ring of two streams after forty steps."""
    ring = Ring(2400, 80.0, 20.0, seed=41, opposite=0.4)
    ring.movement.threads = threads
    for _ in range(40):
        ring.step(0.1)
    return ring.movement.state.tobytes()


def test_threads_change_no_byte() -> None:
    assert state_after(1) == state_after(2) == state_after(3)


def test_a_plain_processor_gives_the_same_bytes(tmp_path: Path) -> None:
    code = "from tests.crowd import test_movement as t; print(t.hashlib.sha256(t.state_after(1)).hexdigest())"
    env = {**os.environ, "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": str(tmp_path)}
    root = Path(__file__).parents[2]
    other = subprocess.run([sys.executable, "-c", code], env=env, cwd=root, capture_output=True, text=True, check=True)
    assert other.stdout.strip() == hashlib.sha256(state_after(1)).hexdigest()


def test_wrong_input_is_refused() -> None:
    movement = Movement(1, build_walls([]))
    with pytest.raises(InputError, match="step"):
        movement.step(0.5)
    with pytest.raises(InputError, match="wall"):
        build_walls([[0.0, 0.0, 1.0]])
    with pytest.raises(InputError, match="wall"):
        build_walls([[0.0, 0.0, 1.0, float("nan")]])


def test_nobody_at_all_is_a_crowd_too() -> None:
    Movement(0, build_walls([])).step(0.1)
