"""What moves in the picture: people within sight, and the barriers of closures."""

from functools import cache
from typing import Any

import numpy as np

from citysim.conditions import Conditions
from citysim.crowd.people import AGE
from citysim.living.company import Company
from citysim.living.exposure import intensity
from citysim.living.life import Life
from citysim.living.residents import looks_seed
from citysim.pose import Pose
from citysim.render.atmosphere import Atmosphere
from citysim.render.base import Bodies
from citysim.render.bodies import joined

PEOPLE_LABELS = 1 << 30
"""Label of person 0 in label pictures; the number of a person is added. Ids of objects stay below."""
CLOSURE_LABELS = (1 << 30) + (1 << 28)
"""Label of the first closure's barriers; the place of a closure in `World.closures` is added."""

SIGHT_M = 250.0  # further away people are specks
ROOFED_M, UMBRELLA_M = 60.0, 2.4  # how far away one sees whether an umbrella is open; its top


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
    from citysim.render.avatar.skeleton import GAIT_M, KEYS

    company, reach = life.company, min(SIGHT_M, sight_distance_m(conditions))
    sight = None if company is None else company.sight(step, eye.east, eye.north, reach)
    if company is None or sight is None:
        return None
    seen, raining = sight.seen, intensity(conditions.weather) > 0.0
    looks = _looks(company, raining)
    mesh = looks.mesh[seen]
    if raining:
        mesh = np.where(_roofed(life, sight.place[:, :3], eye), _looks(company, False).mesh[seen], mesh)
    return Bodies(
        looks.meshes, mesh, sight.place, sight.phase * KEYS, looks.labels[seen], looks.colors[seen],
        looks.scale[seen], looks.coarser, sight.stride / GAIT_M, sight.feet,
    )  # fmt: skip


def _roofed(life: Life, places: Any, eye: Pose) -> Any:
    """(N,) who of (N, 3) people has a roof over an umbrella: there it is closed. Who is far away keeps his open."""
    near = np.hypot(places[:, 0] - eye.east, places[:, 1] - eye.north) < ROOFED_M
    found = np.zeros(len(near), dtype=bool)
    found[near] = life.sky.roofed(places[near] + np.array([0.0, 0.0, UMBRELLA_M]))
    return found


def _looks(company: Company, raining: bool) -> Bodies:
    """Everyone as `people_bodies` draws them; where they are and how they go is not of use."""
    from citysim.render.avatar import people_bodies

    if raining not in company.figures:
        ages = company.crowd.people.reals[AGE]
        ids, zeros = np.arange(len(ages)), np.zeros(len(ages))
        company.figures[raining] = people_bodies(
            np.zeros((len(ages), 3)), zeros, zeros, zeros, ids, ages, raining=raining, label_base=PEOPLE_LABELS,
            seed=looks_seed(company.made[0].seed),
        )  # fmt: skip
    return company.figures[raining]


def _barriers(life: Life) -> Bodies | None:
    """Barriers along the closures that were told, and a notice to each side of them, on the ground as it is built."""
    from citysim.render.avatar import barrier_bodies, board_bodies, notice_places

    told = life.enforced
    if not told:
        return None
    if life.barriers is None or life.barriers[0] != told:
        lines, ground, free = [closure.line for closure in told], life.sky.ground, life.sky.free
        parts = [barrier_bodies(lines, CLOSURE_LABELS, ground, free)]
        for k, line in enumerate(lines):
            for place in notice_places(line, ground, free):
                parts.append(board_bodies(place[None], CLOSURE_LABELS + k))
        life.barriers = told, joined(parts)
    return life.barriers[1]
