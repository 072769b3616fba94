"""Crowds: full steps of people in a town, with routes, signals and walls, beside JuPedSim and PySocialForce.

A step is one of 1/60 s; people decide 20 times a second. The row `..._deciding` takes steps of 0.05 s, so that people
decide in each. JuPedSim walks at the same step, although it is made for shorter ones (0.01 s): its cost a step does not
depend on that. It is measured twice: in an open square as large as all streets together, which suits it best (no way to
find, hardly a wall), and, as `jupedsim_town`, from the same places in the same town.
"""

import time
from collections.abc import Callable, Iterator

import numpy as np

from citysim.benchmarks.crowd_peers import jupedsim_rate, pysocialforce_rate
from citysim.benchmarks.crowd_town import blocks_for, crowd_in_town, ground, in_the_open, town
from citysim.benchmarks.rows import Progress, Row
from citysim.crowd.crowd import Crowd
from citysim.crowd.people import PACE

STEP_S, DECIDING_S = 1.0 / 60.0, 0.05
ENOUGH_S = 1.5
PERSONS, MANY, FEW = 1_000, 100_000, 64
AROUND_M = 40.0
UNIT = "M agent-steps/s"


def rows(progress: Progress) -> Iterator[Row]:
    """Every row of `citysim bench crowd`; all of one thread and of processor time."""
    progress(f"{PERSONS:,} persons in a town ...")
    crowd = crowd_in_town(PERSONS)
    places, ways = crowd.positions[:, :2].copy(), crowd.velocities.copy()
    speeds = crowd.people.reals[PACE].copy()
    ours = best_rate(lambda: crowd.step(STEP_S), PERSONS)
    deciding = best_rate(lambda: crowd.step(DECIDING_S), PERSONS)
    out = crowd.active.copy()
    progress("jupedsim with the same persons ...")
    streets = ground(blocks_for(PERSONS))
    spread, square = in_the_open(PERSONS, streets.area)
    theirs = jupedsim_rate(spread, speeds, square, STEP_S, progress)
    there = jupedsim_rate(places[out], speeds[out], streets, STEP_S, progress)
    progress("pysocialforce with the same persons ...")
    slow = pysocialforce_rate(places[out], speeds[out], ways[out], progress)
    yield Row("agents_1000", ours / 1e6, UNIT, "jupedsim", None if theirs is None else theirs / 1e6)
    yield Row("agents_1000", ours / 1e6, UNIT, "jupedsim_town", None if there is None else there / 1e6)
    yield Row("agents_1000", ours / 1e6, UNIT, "pysocialforce", None if slow is None else slow / 1e6)
    yield Row("agents_1000_deciding", deciding / 1e6, UNIT, "jupedsim", None if theirs is None else theirs / 1e6)
    progress(f"{FEW} persons around one who walks ...")
    yield Row("agents_64", 1e6 * FEW / _around(DECIDING_S), "us/step")
    yield Row("agents_64_60hz", 1e6 * FEW / _around(STEP_S), "us/step")
    progress(f"{MANY:,} persons at the same density ...")
    many = crowd_in_town(MANY, 2.0)
    rate = best_rate(lambda: many.step(STEP_S), MANY)
    yield Row("agents_100000", rate / 1e6, UNIT, "agents_1000", ours / 1e6)


def _around(dt: float) -> float:
    """Agent-steps a second of a small crowd around somebody who walks down a street."""
    crowd = Crowd(town(blocks_for(PERSONS)), population=FEW, seed=2, around=(200.0, 200.0), radius_m=AROUND_M)
    agent = np.array([200.0, 200.0, 0.0, 0.8, 0.0, 0.3])

    def step() -> None:
        agent[0] = 160.0 + (agent[0] - 160.0 + 0.8 * dt) % 80.0
        crowd.step(dt, agent)

    for _ in range(200):
        step()
    return best_rate(step, FEW)


def best_rate(step: Callable[[], object], count: int) -> float:
    """Agent-steps a second of processor time in the best of several batches of some tens of steps."""
    step()
    best, spent, batch = np.inf, 0.0, max(6, 60_000 // count)
    while spent < ENOUGH_S:
        start = time.thread_time()
        for _ in range(batch):
            step()
        took = time.thread_time() - start
        best, spent = min(best, took / batch), spent + took
    return float(count / best)
