"""The suite `starter`: twenty point goals for any city with a pedestrian network."""

import numpy as np
from numpy.typing import NDArray

from citysim.city import City
from citysim.errors import InputError
from citysim.tasks.sampling import GoalSampler
from citysim.tasks.seeds import child_rng, child_seed
from citysim.tasks.suite import Instance, Suite

COUNT = 20
MIN_M, MAX_M = 60.0, 280.0
VERSION = "1"


def starter(city: City, seed: int = 0) -> Suite:
    """Twenty walks of 60 to 280 m, spread over the city and over their lengths, to places where the city has some.

    The k-th instance is drawn from its own twentieth of a shuffled scale of lengths, and its start keeps away from the
    earlier ones as far as the city allows. The same city and seed give the same suite. Raises InputError for a city
    that is too small.
    """
    sampler = GoalSampler(city)
    width = (MAX_M - MIN_M) / COUNT
    shuffled = child_rng(seed, "starter", "lengths").permutation(COUNT)
    e0, n0, e1, n1 = city.bounds
    apart = 0.6 * float(np.sqrt(max((e1 - e0) * (n1 - n0), 1.0) / COUNT))
    instances: list[Instance] = []
    used: set[str] = set()
    starts: list[NDArray[np.float64]] = []
    for k in range(COUNT):
        rng = child_rng(seed, "starter", k)
        low = MIN_M + width * int(shuffled[k])
        goal = None
        # First the wished length far from other starts, then less far, then any length, then places used before.
        for band, distance, avoid in (
            ((low, low + width), apart, used),
            ((low, low + width), apart / 3.0, used),
            ((MIN_M, MAX_M), apart / 3.0, used),
            ((MIN_M, MAX_M), 1.0, set()),
        ):
            goal = sampler.draw(rng, *band, used=frozenset(avoid), apart_from=starts, apart_m=distance)
            if goal is not None:
                break
        if goal is None:
            raise InputError(
                f"a city with {COUNT} walks of {MIN_M:g} to {MAX_M:g} m", f"{k} in '{city.name}'", "a larger city"
            )
        starts.append(goal.start.position)
        used.add(goal.name)
        number = child_seed(seed, "starter", k, "episode")
        made = Instance.of(goal, city, id=f"starter-{k + 1:03d}", type="point_goal", level="L2", seed=number)
        instances.append(made)
    return Suite("starter", VERSION, tuple(instances))
