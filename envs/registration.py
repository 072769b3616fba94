"""The ids that `gymnasium.make` knows; called by citysim._gymnasium_hook right after Gymnasium is imported."""

from typing import Any

MAX_EPISODE_STEPS = 2000

ENVS: dict[str, dict[str, Any]] = {
    "CitySim/PointNav-v0": {"sensors": ("rgb", "goal", "velocity")},
    "CitySim/PointNavRGB-v0": {"sensors": "rgb"},
}
"""Id -> keyword arguments of CityEnv that define it."""
TURN_ENVS: dict[str, dict[str, Any]] = {"CitySim/UrbanGround-v0": {}}
"""Id -> keyword arguments of TurnEnv; an episode ends by its own budget."""


def register_all() -> None:
    """Register every id once, by entry-point strings, so that nothing heavy is imported here."""
    from gymnasium.envs.registration import register, registry

    for name, kwargs in TURN_ENVS.items():
        if name not in registry:
            register(id=name, entry_point="citysim.envs.turn_env:TurnEnv", kwargs=dict(kwargs))
    for name, kwargs in ENVS.items():
        if name not in registry:
            register(
                id=name,
                entry_point="citysim.envs.city_env:CityEnv",
                max_episode_steps=MAX_EPISODE_STEPS,
                kwargs=dict(kwargs),
            )
