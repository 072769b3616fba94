"""People in a picture that nobody walks in: a crowd that has walked for a while around a place."""

from citysim.city import City
from citysim.conditions import Conditions
from citysim.living.company import TICK
from citysim.living.exposure import Sky
from citysim.living.life import Life
from citysim.living.scene import bodies_of
from citysim.living.spec import CrowdSpec
from citysim.physics.config import WalkerConfig
from citysim.pose import Pose
from citysim.render.base import Bodies

RADIUS_M = 80.0
BEFORE_S = 20  # until then people still stand as they were put


def people_around(city: City, eye: Pose, foot_up: float, conditions: Conditions, population: int, seed: int) -> Bodies:
    """So many people within 80 m of an eye, as they walk and wait at that hour.

    `foot_up` is the ground's height below the eye, where nobody stands. Raises InputError for a population that is
    negative or above 200,000, or a city without pedestrian network.
    """
    life = Life(city, Sky(city, 0.0, None), WalkerConfig(), 1)
    foot = (eye.east, eye.north, foot_up)
    life.start(foot, conditions, CrowdSpec(population, seed, radius_m=RADIUS_M), ())
    for step in range(0, 60 * BEFORE_S, TICK):
        life.begin(step, foot, conditions, 0)
    found = bodies_of(life, 60 * BEFORE_S, eye, conditions)
    assert found is not None
    return found
