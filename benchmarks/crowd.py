"""Crowds: a thousand persons beside JuPedSim and PySocialForce, a hundred thousand at the same density."""

import time
from collections.abc import Callable, Iterator

import numpy as np

from citysim.benchmarks.crowd_peers import jupedsim_rate, pysocialforce_rate
from citysim.benchmarks.rows import Progress, Row
from citysim.crowd.hashing import normals, stream, units
from citysim.crowd.movement import Movement
from citysim.crowd.rows import EX, EY, GOAL_X, GOAL_Y, RADIUS, SPEED, X, Y
from citysim.crowd.walls import build_walls
from citysim.crowd.weidmann import FREE_SPEED, FREE_SPEED_SPREAD

DENSITY = 0.04  # persons/m^2 of the whole area: a busy city
STEP_S = 1.0 / 60.0
ENOUGH_S = 1.0
MANY = 100_000
UNIT = "M agent-steps/s"


def rows(progress: Progress) -> Iterator[Row]:
    """Every row of `citysim bench crowd`; rates are of one thread, in million agent-steps a second."""
    crowd = plain(1_000)
    ours = best_rate(lambda: crowd.step(STEP_S), 1_000)
    places, speeds, goals = (
        crowd.state[[X, Y]].T.copy(),
        crowd.state[SPEED].copy(),
        crowd.state[[GOAL_X, GOAL_Y]].T.copy(),
    )
    for peer, measure in (("jupedsim", jupedsim_rate), ("pysocialforce", pysocialforce_rate)):
        progress(f"{peer} with the same 1,000 persons ...")
        theirs = measure(places, speeds, goals, progress)
        yield Row("agents_1000", ours / 1e6, UNIT, peer, None if theirs is None else theirs / 1e6)
    progress("100,000 persons at the same density ...")
    many = plain(MANY)
    rate = best_rate(lambda: many.step(STEP_S), MANY)
    yield Row("agents_100000", rate / 1e6, UNIT, "agents_1000", ours / 1e6)


def plain(count: int) -> Movement:
    """Persons with all directions on a square of DENSITY, walls around it, after half a second."""
    side, ids = float(np.sqrt(count / DENSITY)), np.arange(count)
    walls = build_walls([[0, 0, side, 0], [side, 0, side, side], [side, side, 0, side], [0, side, 0, 0]])
    crowd = Movement(count, walls)
    across = int(np.ceil(np.sqrt(count)))
    pitch, state = (side - 2.0) / across, crowd.state
    state[X] = 1.0 + (ids % across + 0.2 + 0.6 * units(stream(1, "x"), ids)) * pitch
    state[Y] = 1.0 + (ids // across + 0.2 + 0.6 * units(stream(1, "y"), ids)) * pitch
    angle = 2.0 * np.pi * units(stream(1, "angle"), ids)
    state[GOAL_X], state[GOAL_Y] = np.cos(angle), np.sin(angle)
    state[EX], state[EY], state[RADIUS] = state[GOAL_X], state[GOAL_Y], 0.2
    state[SPEED] = np.clip(FREE_SPEED + FREE_SPEED_SPREAD * normals(stream(1, "speed"), ids), 0.6, 2.0)
    crowd.active[:] = 1
    for _ in range(30):
        crowd.step(STEP_S)
    return crowd


def best_rate(step: Callable[[], object], count: int) -> float:
    """Agent-steps a second of processor time in the best of several batches."""
    step()
    best, spent = np.inf, 0.0
    batch = max(1, 20_000 // count)
    while spent < ENOUGH_S:
        start = time.thread_time()
        for _ in range(batch):
            step()
        took = time.thread_time() - start
        best, spent = min(best, took / batch), spent + took
    return float(count / best)
