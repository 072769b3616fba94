"""Seat: what a worker keeps between episodes, whichever executor started it."""

from collections.abc import Callable, Sequence
from typing import Any

from citysim.runs.job import Job
from citysim.runs.player import Player
from citysim.tasks.suite import Instance

Line = dict[str, Any]
Lost = Callable[[Instance, str], Line]

DEAD_TWICE = "expected a living worker process, found it dead twice; try more memory"


def longest_first(instances: Sequence[Instance]) -> list[Instance]:
    """City by city as they come, each one's longest ways first: no worker is left with a long one at the end."""
    cities = {city: place for place, city in enumerate(dict.fromkeys(i.city_sha256 for i in instances))}
    return sorted(instances, key=lambda i: (cities[i.city_sha256], -i.shortest_path_m))


class Seat:
    """Plays for one job in this process; the player is made on first use, so that its errors reach the parent."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self._player: Player | None = None

    def play(self, instance: Instance) -> Line:
        """Play one instance; raises what making the player raises (no such agent, city or renderer)."""
        if self._player is None:
            from citysim.city import open_city

            cities = self.job.cities
            self._player = Player(self.job, lambda sha256: open_city(cities[sha256]))
        return self._player.play(instance)
