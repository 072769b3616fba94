"""What moves in the picture: people within sight, and the barriers of closures."""

from functools import cache

import numpy as np

from citysim.conditions import Conditions
from citysim.living.exposure import intensity
from citysim.living.life import Life
from citysim.pose import Pose
from citysim.render.atmosphere import Atmosphere
from citysim.render.base import Bodies
from citysim.render.bodies import joined

PEOPLE_LABELS = 1 << 30
"""Label of person 0 in label pictures; the number of a person is added. Ids of objects stay below."""
CLOSURE_LABELS = (1 << 30) + (1 << 28)
"""Label of the first closure's barriers; the place of a closure in `World.closures` is added."""

SIGHT_M = 250.0  # further away people are specks


def sight_distance_m(conditions: Conditions) -> float:
    """Metres one sees at the ground: where contrast has fallen to 2 % (H. Koschmieder, 1924); inf in clear air.

    Fog and rain hide what is further away.
    """
    return _sight(conditions.weather)


@cache
def _sight(weather: str) -> float:
    density = Atmosphere.of(Conditions(weather=weather)).fog_density  # at every hour
    return 3.912 / density if density > 0.0 else float("inf")


def bodies_of(life: Life, step: int, eye: Pose, conditions: Conditions) -> Bodies | None:
    """All that a view from an eye may show besides the city itself; None for nothing."""
    parts = [part for part in (_people(life, step, eye, conditions), _barriers(life)) if part is not None]
    return joined(parts) if len(parts) > 1 else parts[0] if parts else None


def _people(life: Life, step: int, eye: Pose, conditions: Conditions) -> Bodies | None:
    from citysim.crowd.people import AGE
    from citysim.render.avatar import people_bodies

    company = life.company
    if company is None:
        return None
    crowd, places = company.crowd, company.positions(step)
    reach = min(SIGHT_M, sight_distance_m(conditions))
    seen = np.flatnonzero(crowd.active & ((places[0] - eye.east) ** 2 + (places[1] - eye.north) ** 2 < reach * reach))
    if not len(seen):
        return None
    velocities = crowd.velocities[seen]
    return people_bodies(
        np.ascontiguousarray(places[:, seen].T), crowd.headings[seen], np.hypot(velocities[:, 0], velocities[:, 1]),
        company.phases(step)[seen], seen, crowd.people.reals[AGE, seen],
        raining=intensity(conditions.weather) > 0.0, label_base=PEOPLE_LABELS,
    )  # fmt: skip


def _barriers(life: Life) -> Bodies | None:
    from citysim.render.avatar import barrier_bodies

    if not life.enforced:
        return None
    return barrier_bodies([closure.line for closure in life.enforced], CLOSURE_LABELS)
