"""Lights: which picture each traffic signal shows, from the signals that a crowd heeds."""

import numpy as np
from numpy.typing import NDArray

from citysim.city import City

ALL_RED, WALK, GO, AMBER = range(4)  # the pictures of `citysim.build.props.heads`, in their order
REACH_M = 14.0  # a post belongs to the nearest signalled crossing within this
CLEAR_S, AMBER_S, LAST_S = 5.0, 3.0, 2.0  # all red after people's green; drivers' amber, and all red after it


class Lights:
    """The traffic signals of a city: `states(time)` is what `View.states` wants.

    `phases` (3, 2E) float64 are those of `build_signals` for the city's network: each post shows those of the crossing
    it stands at; posts without one stay all red.
    """

    def __init__(self, city: City, phases: NDArray[np.float64]) -> None:
        posts = [thing for thing in city.objects if thing.category == "traffic_signals"]
        ways = np.flatnonzero(phases[0] > 0.0)
        self._ids: list[int] = []
        self._phases = np.zeros((3, 0))
        if not posts or not len(ways):
            return
        lines = [np.asarray(city.network.edges[way // 2].line, dtype=np.float64) for way in ways.tolist()]
        found = []
        for thing in posts:
            away = [_distance(line, np.array(thing.position)) for line in lines]
            nearest = int(np.argmin(away))
            if away[nearest] <= REACH_M:
                self._ids.append(thing.id)
                found.append(int(ways[nearest]))
        self._phases = phases[:, found]

    def states(self, time_s: float) -> dict[int, int]:
        """Object id -> picture at a time of the crowd's clock, seconds."""
        cycle, green, offset = self._phases
        since = np.mod(time_s + offset, np.maximum(cycle, 1e-9))
        state = np.full(len(self._ids), ALL_RED)
        state[since < green] = WALK
        go = (since >= green + CLEAR_S) & (since < cycle - LAST_S)
        state[go] = np.where(since[go] < (cycle - LAST_S - AMBER_S)[go], GO, AMBER)
        return dict(zip(self._ids, state.tolist(), strict=True))


def _distance(line: NDArray[np.float64], point: NDArray[np.float64]) -> float:
    """Metres from a point to a polyline (K, 3)."""
    a, way = line[:-1], np.diff(line, axis=0)
    share = np.clip(((point - a) * way).sum(axis=1) / np.maximum((way * way).sum(axis=1), 1e-12), 0.0, 1.0)
    return float(np.linalg.norm(a + share[:, None] * way - point, axis=1).min())
