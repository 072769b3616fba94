"""Collision queries and the capsule walker; the only place that knows PyBullet."""

from importlib.util import find_spec

from citysim.city import City
from citysim.errors import UnknownNameError
from citysim.physics.config import WalkerConfig
from citysim.physics.space import Space
from citysim.physics.walker import Walker

ENGINES = ("bullet", "native")


def default_engine() -> str:
    """`bullet` where PyBullet is installed, else `native`."""
    return "bullet" if find_spec("pybullet") else "native"


def make_space(name: str, city: City | None = None) -> Space:
    """The collision space of a city, or an empty one, under the engine called `name`.

    Raises UnknownNameError for a name outside `ENGINES`, DependencyError where its library is missing.
    """
    if name not in ENGINES:
        raise UnknownNameError.of("a physics engine", name, ENGINES)
    if name == "native":
        from citysim.physics.native import NativeSpace

        return NativeSpace(city)
    from citysim.physics.bullet import BulletSpace

    return BulletSpace(city)


def make_walker(space: Space, config: WalkerConfig | None = None) -> Walker:
    """The walker for a space: compiled as a whole where the space is."""
    from citysim.physics.native import NativeSpace

    if isinstance(space, NativeSpace):
        from citysim.physics.nativewalker import NativeWalker

        return NativeWalker(space, config)
    return Walker(space, config)
