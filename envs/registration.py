"""The ids that `gymnasium.make` knows; called by citysim._gymnasium_hook right after Gymnasium is imported."""

from typing import Any

MAX_EPISODE_STEPS = 2000

ENVS: dict[str, dict[str, Any]] = {
    "CitySim/PointNav-v0": {"sensors": ("rgb", "goal", "velocity")},
    "CitySim/PointNavRGB-v0": {"sensors": "rgb"},
    "CitySim/CrowdNav-v0": {
        "sensors": ("rays", "goal", "velocity"), "crowd": 48, "rewards": {"contact": -1.0},
    },
    "CitySim/ExploreNav-v0": {"sensors": ("rgb", "category", "velocity"), "task": "explore"},
}  # fmt: skip
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
                vector_entry_point="citysim.envs.vector_env:CityVectorEnv",
                max_episode_steps=MAX_EPISODE_STEPS,
                kwargs=dict(kwargs),
            )
