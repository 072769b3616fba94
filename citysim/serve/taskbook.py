"""TaskBook: the tasks that a server knows, by their public ids and by ours."""

from collections.abc import Sequence
from typing import Any

from citysim.city import City
from citysim.errors import UnknownNameError
from citysim.tasks.suite import Instance, Suite
from citysim.tasks.text import shown
from citysim.tasks.urbanground.exporting import PREFIXES, public_ids, task_file


class TaskBook:
    """Instances of one suite, each with its city."""

    def __init__(self, suite: Suite, cities: Sequence[City]) -> None:
        """Raises InputError where a city is missing or differs from what the suite was made for."""
        self.suite = suite
        self.cities = {city.content_sha256: city for city in cities}
        for instance in suite.instances:
            if instance.city_sha256 not in self.cities:
                found = next((c for c in cities if c.name == instance.city), cities[0])
                suite.check_city(found, [instance])
        self.ids = public_ids(suite)
        own = {instance.id: instance for instance in suite.instances}
        self._known = own | {self.ids[id]: instance for id, instance in own.items()}

    def find(self, id: str) -> Instance:
        """The instance of an id, the client's or ours, with or without the prefix of a variant.

        Raises UnknownNameError.
        """
        prefix, _, rest = id.partition("-")
        for name in (id, rest) if prefix in PREFIXES else (id,):
            if name in self._known:
                return self._known[name]
        raise UnknownNameError(f"the id of one of {len(self.ids)} tasks", shown(id[:80]), "an id of the exported files")

    def told(self, instance: Instance) -> dict[str, Any]:
        """What `GET /task` tells of the active task; searches and questions have no end points."""
        id = self.ids[instance.id]
        file = task_file(instance, id)
        places = [(stop.name, stop.lonlat) for stop in instance.stops]
        if not places and instance.stated and instance.question is None and instance.type != "PS":
            places = [(instance.goal_name, instance.goal_lonlat)]
        return {
            "active": True,
            "id": id,
            "type": file["type"],
            "type_name": instance.type,
            "end_points": [{"label": label, "lat": at[1], "lon": at[0]} for label, at in places],
            "restricted_zones": len(instance.zones),
        }
