"""The peers of the crowd: the same persons, places and speeds; None where a peer is not installed."""

import contextlib
import logging
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.benchmarks.rows import Progress

Array = NDArray[np.float64]
ENOUGH_S = 2.0


def jupedsim_rate(places: Array, speeds: Array, ground: Any, dt: float, progress: Progress) -> float | None:
    """Agent-steps a second of JuPedSim's collision-free speed model, its routing and walls included.

    places (N, 2) float64 metres on the polygon `ground`; speeds (N,) m/s; dt the step in seconds. Everyone makes for
    one of the ground's four corners, the one that is furthest away, since JuPedSim's persons need a place to go to.
    """
    try:
        import jupedsim as jps
    except ImportError:
        progress("jupedsim is not installed: pip install jupedsim")
        return None
    simulation = jps.Simulation(model=jps.CollisionFreeSpeedModel(), geometry=ground, dt=dt)
    west, south, east, north = ground.bounds
    exits, corners = [], np.array([(x, y) for x in (west + 0.2, east - 1.2) for y in (south + 0.2, north - 1.2)])
    for x, y in corners.tolist():
        stage = simulation.add_exit_stage([(x, y), (x + 1.0, y), (x + 1.0, y + 1.0), (x, y + 1.0)])
        exits.append((stage, simulation.add_journey(jps.JourneyDescription([stage]))))
    furthest = np.linalg.norm(places[:, None] - corners, axis=2).argmax(axis=1)
    for place, speed, way in zip(places.tolist(), speeds.tolist(), furthest.tolist(), strict=True):
        stage, journey = exits[way]
        parameters = jps.CollisionFreeSpeedModelAgentParameters(
            position=tuple(place), desired_speed=speed, radius=0.2, journey_id=journey, stage_id=stage
        )
        with contextlib.suppress(RuntimeError):  # it refuses persons who touch each other: a few of a thousand
            simulation.add_agent(parameters)
    return _rate(simulation.iterate, lambda: simulation.agent_count())


def pysocialforce_rate(places: Array, speeds: Array, ways: Array, progress: Progress) -> float | None:
    """Agent-steps a second of PySocialForce with its default forces and step, without walls.

    places (N, 2) float64 metres, speeds (N,) m/s, ways (N, 2) in whose direction people go.
    """
    try:
        import pysocialforce
    except ImportError:
        progress("pysocialforce is not installed: pip install pysocialforce")
        return None
    length = np.linalg.norm(ways, axis=1, keepdims=True)
    goals = np.divide(ways, length, out=np.tile([1.0, 0.0], (len(ways), 1)), where=length > 0.1)
    state = np.hstack([places, goals * speeds[:, None], places + 200.0 * goals])
    logging.getLogger("numba").setLevel(logging.WARNING)  # it sets the root logger to DEBUG
    simulator: Any = pysocialforce.Simulator(state)
    return _rate(simulator.step_once, lambda: len(places), most=3)


def _rate(step: Any, count: Any, most: int = 10_000) -> float:
    step()
    best, spent, done = 0.0, 0.0, 0
    while (spent < ENOUGH_S and done < most) or done == 0:
        start, persons = time.thread_time(), count()
        step()
        took = time.thread_time() - start
        best, spent, done = max(best, persons / took), spent + took, done + 1
    return best
