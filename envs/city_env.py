"""CityEnv: the one Gymnasium environment; a city, a world, a renderer and a task put together."""

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from citysim.city import City
from citysim.envs.places import Places
from citysim.envs.rollout import Rollout
from citysim.envs.settings import Settings
from citysim.envs.settings import checked_size as checked_size
from citysim.errors import InputError
from citysim.render.base import Renderer
from citysim.tasks.base import Goal
from citysim.world import World


class CityEnv(gymnasium.Env[Any, Any]):
    """Walk a city towards a goal.

    city          a City, a package folder or a preset name; `cities` several, of which each episode draws one
    split         "train" or "test": presets of `city` or `cities` with seeds of that half (`citysim.envs.splits`),
                  `city_seeds` of them each; `kept_cities` stay in memory
    task          chooses goals and judges: a Task, "explore" (find a place of a category), "point" or None for a point
                  goal as far away as `difficulty` says: "easy" 50 to 80 m of walking, "medium" 60 to 120, "hard" 120
                  to 280
    sensors       names of sensors for a flat Dict observation, or one name for a bare Box (`citysim.envs.sensors`)
    image_size    (width, height) of pictures; fov_deg is their vertical angle of view
    rays          how many rays of `ray_range_m` metres the sensor `rays` has at each of `ray_heights_m` above the foot
    action        "discrete" (see DiscreteActions for the table) or "continuous" (see ContinuousActions)
    renderer      "raster" or "gl"; physics "bullet" or "native", None for PyBullet where it is installed
    control_hz    actions a simulated second; physics runs at 60 Hz, so it must divide 60
    rewards       RewardWeights, or some of them by name; `info["reward_terms"]` lists the terms. `progress` is measured
                  "straight" as the task does, or "walking" along the network
    time, weather one, or several of which each episode draws one
    crowd         people on the street, seen and bumped into, as a CrowdSpec or a number of people within 40 m; their
                  seed is drawn anew in every episode
    closures      lines that are closed in every episode

    `terminated` when the task is done; `truncated` when the walker fell out of the city (a fault of the city, named
    in `info["fault"]`) or by the time limit of the registered id. `info["cost"]` counts new touches of people in the
    step. `reset(options={"goal": …, "conditions": …})` sets what to do and when instead of drawing it; `crowd` and
    `closures` are options as well, and an option's crowd keeps its own seed. Not to be subclassed: tasks and sensors
    are what varies.
    Raises InputError for arguments out of range, UnknownNameError for names, DependencyError for a missing engine.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 10}  # noqa: RUF012 - as Gymnasium has it

    def __init__(self, city: City | str | Path = "mini", *, render_mode: str | None = None, **settings: Any) -> None:
        self.settings = settings_of(city, render_mode, settings)
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "render_fps": int(self.settings.control_hz)}
        self._places = Places(self.settings.renderer, kept=self.settings.kept_cities)
        self._rollout = Rollout(self.settings, self._places)
        self.action_space = self._rollout.actions.space
        self.observation_space = self._rollout.observation_space
        self._open = True

    @property
    def world(self) -> World:
        """The world inside, for wrappers and experts that may look."""
        return self._rollout.world

    @property
    def renderer(self) -> Renderer:
        """What draws the running episode's city."""
        return self._rollout.place.renderer

    @property
    def city(self) -> City:
        """The city of the running episode."""
        return self._rollout.place.city

    @property
    def goal(self) -> Goal:
        """What the running episode asks for; raises InputError before the first reset."""
        return self._rollout.goal

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start an episode; the same seed gives the same bytes."""
        self._check_open()
        super().reset(seed=seed)
        rollout = self._rollout
        rollout.begin(self.np_random, options)
        rollout.draw()
        return rollout.observe(), rollout.info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Hold an action for one control step; raises InputError after `close` and for actions outside the space."""
        self._check_open()
        rollout = self._rollout
        rollout.act(action)
        rollout.draw()
        return rollout.observe(), rollout.reward, rollout.terminated, rollout.truncated, rollout.info()

    def render(self) -> NDArray[np.uint8] | None:
        """The first-person view as a fresh (H, W, 3) uint8 array; None without a render mode."""
        self._check_open()
        if self.render_mode is None:
            return None
        _ = self.goal
        self._rollout.draw(look=True)
        assert self._rollout.frame is not None
        return self._rollout.frame.rgb.copy()

    def close(self) -> None:
        """Free worlds and renderers; calling it twice is fine."""
        if self._open:
            self._open = False
            self._rollout.close()
            self._places.close()

    def _check_open(self) -> None:
        if not self._open:
            raise InputError("an open environment", "one that was closed", "gymnasium.make again")


def settings_of(city: City | str | Path, render_mode: str | None, settings: dict[str, Any]) -> Settings:
    """Settings from an environment's arguments; raises InputError for arguments that there are none of."""
    if render_mode not in (None, "rgb_array"):
        raise InputError("render_mode None or 'rgb_array'", repr(render_mode), "render_mode='rgb_array'")
    unknown = sorted(settings.keys() - set(Settings.names()))
    if unknown:
        raise InputError(
            f"arguments among {', '.join(Settings.names())}", ", ".join(unknown), "help(citysim.envs.CityEnv)"
        )
    return Settings(city=city, **settings)
