"""Gymnasium environments; importing `citysim` (or this) is enough for `gymnasium.make` to know the ids."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from citysim.envs.city_env import CityEnv as CityEnv

__all__ = ["CityEnv"]


def __getattr__(name: str) -> Any:
    """Import the environment class, and Gymnasium with it, when it is first asked for."""
    if name == "CityEnv":
        from citysim.envs.city_env import CityEnv

        return CityEnv
    raise AttributeError(f"module 'citysim.envs' has no attribute {name!r}")
