"""Feet stay where they were put down, whoever turns, and nobody's are far from the body."""

import numpy as np

from citysim.benchmarks.film_track import Track, runs, stances
from citysim.crowd.rows import FX, FY, X, empty_state
from citysim.living.footing import DOES, LOOSE_M, NOW, PLANTED, STEPS, empty_feet, set_feet
from citysim.render.base import Bodies
from citysim.world import Command, CrowdSpec, World
from tests.living.streets import START, grid_town


def slides(pictures: list[Bodies], *, shifted: bool) -> np.ndarray:
    track = Track(15, (START.east, START.north, 0.0))
    for bodies in pictures:
        track.add(bodies)
    found = []
    for rows in track.people().values():
        if not shifted:
            rows[:, 8:] = 0.0
        found += [slide for run in runs(rows) for slide in stances(run)]
    return np.array(found)


def test_planted_feet_stay_on_their_spot() -> None:
    world = World(grid_town(), physics="native")
    world.reset(START, crowd=CrowdSpec(80, 3, radius_m=25.0))
    pictures = []
    for _ in range(15 * 20):
        world.advance(Command(), 4)
        bodies = world.bodies()
        assert bodies is not None
        assert bodies.feet is not None
        assert np.linalg.norm(bodies.feet, axis=2).max() < 1.2
        pictures.append(bodies)
    kept, loose = slides(pictures, shifted=True), slides(pictures, shifted=False)
    assert len(kept) > 200
    assert np.percentile(loose, 99) > 0.08  # without footing people skate round corners
    assert np.percentile(kept, 99) < 0.03
    assert kept.max() < 0.12
    world.close()


def test_who_turns_where_he_stands_steps_with_one_foot_at_a_time() -> None:
    state, feet = empty_state(1), empty_feet(1)
    active, was_out, before = np.ones(1, np.uint8), np.zeros(1, np.uint8), np.zeros((3, 1))
    steps = 0
    for tick in range(60):
        yaw = min(0.1 * tick, np.pi)
        state[FX], state[FY] = np.cos(yaw), np.sin(yaw)
        set_feet(0.05, state, active, was_out, before, 0.5, feet)
        was_out[:] = 1
        stepping = feet[0, :, DOES] == STEPS
        assert stepping.sum() < 2
        steps += int(stepping.any())
        assert (feet[0, :, NOW + 2] >= 0.0).all()
    assert steps > 5
    assert (feet[0, :, DOES] == PLANTED).all()
    assert np.hypot(feet[0, :, NOW], feet[0, :, NOW + 1]).max() <= LOOSE_M


def test_who_comes_out_stands_as_the_gait_says() -> None:
    state, feet = empty_state(2), empty_feet(2)
    state[FX], state[X] = 1.0, 5.0
    feet[:] = 0.3
    was_out = np.array([0, 1], np.uint8)
    set_feet(0.05, state, np.ones(2, np.uint8), was_out, np.zeros((3, 2)), 0.5, feet)  # the second has jumped
    assert (feet[:, :, : NOW + 6] == 0.0).all()  # now and a tick ago
