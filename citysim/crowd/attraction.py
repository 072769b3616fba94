"""Where people come from and go to: nodes of the network near places, weighted by what is there and by the hour."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.city import City
from citysim.errors import FormatError
from citysim.geo.hours import OpeningHours
from citysim.geo.network import PedestrianNetwork

MOST = 64
SNAP_M = 30.0
THROUGH = 0.35  # share of those who only pass through, from one end of the network to another

# weight of a place, and its share of that at 0, 3, 6, ... 21 o'clock; own estimates, not measured
_FOOD = (3.0, (0.2, 0.0, 0.2, 0.5, 1.0, 0.5, 1.0, 0.7))
_STATION = (12.0, (0.1, 0.0, 0.6, 1.0, 0.6, 0.7, 1.0, 0.5))
_PARK = (4.0, (0.0, 0.0, 0.4, 0.6, 0.7, 0.9, 0.7, 0.2))
_SHOP = (2.0, (0.05, 0.0, 0.1, 0.5, 0.9, 1.0, 1.0, 0.4))
_WORK = (2.0, (0.0, 0.0, 0.4, 1.0, 0.6, 0.6, 0.7, 0.1))
_KINDS = {
    **dict.fromkeys(("restaurant", "fast_food", "cafe", "bar", "pub", "seafood", "food_court", "bakery"), _FOOD),
    **dict.fromkeys(("station", "subway_entrance", "bus_station", "ferry_terminal", "bus_stop", "tram_stop"), _STATION),
    **dict.fromkeys(("park", "garden", "playground", "viewpoint", "attraction", "museum", "temple"), _PARK),
    **dict.fromkeys(("office", "school", "university", "hospital", "bank", "townhall", "government"), _WORK),
}


def place_weight(category: str, hour: float) -> float:
    """Relative number of people to or from a place of a category at an hour of the day, from 0 to 24."""
    weight, shares = _KINDS.get(category, _SHOP)
    return weight * float(np.interp(hour % 24.0, np.arange(0.0, 25.0, 3.0), (*shares, shares[0])))


class Attraction:
    """Destinations of a city: `goals` (G,) node numbers, and their weights at any hour."""

    def __init__(self, city: City) -> None:
        network = city.network
        ends = _ends(network)
        found: dict[int, list[Any]] = {}
        for place in city.places:
            snap = network.snap(place.entrance, SNAP_M)
            if snap is not None:
                node = network.walk.tail[snap.edge]
                if snap.offset > network.walk.length[snap.edge] / 2.0:
                    node = network.walk.head[snap.edge]
                found.setdefault(node, []).append(place)
        totals = {node: sum(place_weight(p.category, 15.0) for p in places) for node, places in found.items()}
        busiest = sorted(totals, key=lambda node: (-totals[node], node))[: MOST * 3 // 4]
        picked = [*busiest, *ends[: MOST - len(busiest)]] or list(range(min(len(network.walk.places), MOST)))
        self.goals: NDArray[np.int32] = np.array(sorted(set(picked)), dtype=np.int32)
        self._through = set(ends)
        self._known: dict[tuple[float, int], NDArray[np.float64]] = {}
        self._places = [[(p.category, _hours(p.opening_hours)) for p in found.get(int(g), ())] for g in self.goals]

    def weights(self, hour: float, day: int = 0) -> NDArray[np.float64]:
        """(G,) weights at an hour (0 to 24) of a day of the week (0 Monday); what is closed draws nobody."""
        if (hour, day) not in self._known:
            if len(self._known) >= MOST:
                self._known.clear()
            self._known[hour, day] = self._weigh(hour, day)
        return self._known[hour, day].copy()

    def _weigh(self, hour: float, day: int) -> NDArray[np.float64]:
        drawn = np.zeros(len(self.goals))
        for k, places in enumerate(self._places):
            for category, hours in places:
                if hours is None or hours.is_open(day, hour * 60.0):
                    drawn[k] += place_weight(category, hour)
        through = np.array([int(g) in self._through for g in self.goals], dtype=np.float64)
        total = float(drawn.sum())
        if through.any():
            through *= (THROUGH / (1.0 - THROUGH) * total if total > 0.0 else 1.0) / float(through.sum())
        weights = drawn + through
        return weights if float(weights.sum()) > 0.0 else np.ones(len(self.goals))


def _ends(network: PedestrianNetwork) -> list[int]:
    """Dead ends of the network's largest part, in order of number, spread over all of them when there are many."""
    degree: dict[int, int] = {}
    for edge in network.components[0] if network.components else ():
        for node in (network.walk.tail[edge], network.walk.head[edge]):
            degree[node] = degree.get(node, 0) + 1
    ends = sorted(node for node, count in degree.items() if count == 1)
    return ends[:: max(1, len(ends) // (MOST // 4))]


def _hours(text: str) -> OpeningHours | None:
    try:
        return OpeningHours.parse(text) if text else None
    except FormatError:
        return None
