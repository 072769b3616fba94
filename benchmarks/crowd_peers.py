"""The peers of the crowd: the same persons, places, speeds and directions; None where a peer is not installed."""

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.benchmarks.rows import Progress

Array = NDArray[np.float64]
ENOUGH_S = 2.0


def jupedsim_rate(places: Array, speeds: Array, goals: Array, progress: Progress) -> float | None:
    """Agent-steps a second of JuPedSim's collision-free speed model at its default step (0.01 s), routing included.

    places, goals (N, 2) float64 metres and unit vectors, speeds (N,) m/s. All make for one exit per direction of the
    compass, since JuPedSim's persons need a place to go to.
    """
    try:
        import jupedsim as jps
    except ImportError:
        progress("jupedsim is not installed: pip install jupedsim")
        return None
    low, high = places.min() - 40.0, places.max() + 40.0
    square = [(low, low), (high, low), (high, high), (low, high)]
    simulation = jps.Simulation(model=jps.CollisionFreeSpeedModel(), geometry=square)
    width, middle = 5.0, (low + high) / 2.0
    exits = []
    for x, y in ((high - 6.0, middle), (middle, high - 6.0), (low + 1.0, middle), (middle, low + 1.0)):
        stage = simulation.add_exit_stage([(x, y), (x + width, y), (x + width, y + width), (x, y + width)])
        exits.append((stage, simulation.add_journey(jps.JourneyDescription([stage]))))
    quarter = np.round(np.arctan2(goals[:, 1], goals[:, 0]) / (np.pi / 2.0)).astype(int) % 4
    for place, speed, way in zip(places.tolist(), speeds.tolist(), quarter.tolist(), strict=True):
        stage, journey = exits[way]
        simulation.add_agent(
            jps.CollisionFreeSpeedModelAgentParameters(
                position=tuple(place), desired_speed=speed, radius=0.2, journey_id=journey, stage_id=stage
            )
        )
    return _rate(simulation.iterate, lambda: simulation.agent_count())


def pysocialforce_rate(places: Array, speeds: Array, goals: Array, progress: Progress) -> float | None:
    """Agent-steps a second of PySocialForce with its default forces and step; arguments as for `jupedsim_rate`."""
    try:
        import pysocialforce
    except ImportError:
        progress("pysocialforce is not installed: pip install pysocialforce")
        return None
    state = np.hstack([places, goals * speeds[:, None], places + 200.0 * goals])
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
