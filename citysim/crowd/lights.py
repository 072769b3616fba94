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
        edges, first = np.unique(ways // 2, return_index=True)
        self._ids: list[int] = []
        self._phases = np.zeros((3, 0))
        self._span, self._held = (np.inf, -np.inf), dict[int, int]()
        if not posts or not len(ways):
            return
        import shapely

        tree = shapely.STRtree([shapely.LineString(city.network.edges[e].line[:, :2]) for e in edges.tolist()])
        places = shapely.points([thing.position[:2] for thing in posts])
        found: dict[int, int] = {}
        for post, line in tree.query_nearest(places, max_distance=REACH_M).T.tolist():
            found[post] = min(found.get(post, line), line)
        self._ids = [posts[post].id for post in sorted(found)]
        self._phases = phases[:, ways[first[[found[post] for post in sorted(found)]]]]

    def states(self, time_s: float) -> dict[int, int]:
        """Object id -> picture at a time of the crowd's clock, seconds; the same mapping until a light changes."""
        if not self._span[0] <= time_s < self._span[1]:
            cycle, green, offset = self._phases
            since = np.mod(time_s + offset, cycle)
            ends = np.stack([green, green + CLEAR_S, cycle - LAST_S - AMBER_S, cycle - LAST_S, cycle])
            pictures = np.array([WALK, ALL_RED, GO, AMBER, ALL_RED])
            stage = (since >= ends[:-1]).sum(axis=0)
            self._held = dict(zip(self._ids, pictures[stage].tolist(), strict=True))
            left = np.take_along_axis(ends, stage[None], axis=0)[0] - since
            self._span = time_s, time_s + float(left.min(initial=np.inf))
        return self._held
