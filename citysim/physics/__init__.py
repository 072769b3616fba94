"""Collision queries and the capsule walker; the only place that knows PyBullet."""

from citysim.city import City
from citysim.errors import UnknownNameError
from citysim.physics.space import Space

ENGINES = ("bullet",)


def make_space(name: str, city: City) -> Space:
    """The collision space of a city under the engine called `name`.

    Raises UnknownNameError for a name outside `ENGINES`, DependencyError where its library is missing.
    """
    if name not in ENGINES:
        raise UnknownNameError.of("a physics engine", name, ENGINES)
    from citysim.physics.bullet import BulletSpace

    return BulletSpace(city)
