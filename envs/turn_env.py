"""TurnEnv: a benchmark suite as a Gymnasium environment, one structured action a turn."""

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from citysim.catalog import load_city
from citysim.city import City
from citysim.envs.city_env import checked_size
from citysim.envs.turn_actions import encoding_of, turn_space
from citysim.errors import InputError, SimulationFault
from citysim.render import make_renderer
from citysim.render.base import Renderer
from citysim.tasks.episode import Episode, Limits, Observation
from citysim.tasks.playing import episode_of
from citysim.tasks.suite import Instance
from citysim.tasks.suites import load_suite, needs_city
from citysim.world import World

MODES = ("first_person", "map", "answer")


class TurnEnv(gymnasium.Env[Any, Any]):
    """Play instances of a suite turn by turn, with UrbanGround's actions, budget and observations.

    suite        a suite's name or a .jsonl file of `citysim suite build`; instance fixes one by id, else each reset
                 draws one by its seed
    city         a City, folder or name instead of the one that an instance names; needed for suites drawn for a city
    image_size   (width, height) of `rgb`, the street or the open map; fov_deg the street's vertical angle of view
    actions      the budget

    An action is a member of the space (see `turn_space`) or any JSON encoding of citysim.tasks.actions; a refused one
    costs a turn and is explained in `info["notices"]`. The observation is a Dict of `rgb`, `heading_deg`, `pitch_deg`,
    `mode` (0 street, 1 map, 2 only the answer is left) and `turns_left`; `info` has the texts that a person would read
    (instruction, options, notices, status, time, weather). The reward is 1 for success at the end, else 0; `terminated`
    when the episode is judged, `truncated` when the budget is used up or the city failed.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 1}  # noqa: RUF012 - as Gymnasium has it

    def __init__(
        self,
        suite: str = "urbanground",
        *,
        instance: str | None = None,
        city: City | str | None = None,
        image_size: tuple[int, int] = (320, 240),
        fov_deg: float = 60.0,
        actions: int = 100,
        renderer: str = "raster",
        physics: str | None = None,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise InputError("render_mode None or 'rgb_array'", repr(render_mode), "render_mode='rgb_array'")
        self.render_mode = render_mode
        self._limits = Limits(actions, checked_size(image_size), fov_deg)
        place = load_city(city) if city is not None else load_city("mini") if needs_city(suite) else None
        self.suite = load_suite(suite, place)
        self._instances = self.suite.select(instance)
        self._given, self._renderer_name, self._physics = place, renderer, physics
        self._world: World | None = None
        self._renderer: Renderer | None = None
        self._episode: Episode | None = None
        self._seen: Observation | None = None
        self._open = True
        width, height = self._limits.image_size
        self.action_space = turn_space()
        self.observation_space = spaces.Dict(
            {
                "rgb": spaces.Box(0, 255, (height, width, 3), np.uint8),
                "heading_deg": spaces.Box(0.0, 360.0, (1,), np.float32),
                "pitch_deg": spaces.Box(-90.0, 90.0, (1,), np.float32),
                "mode": spaces.Discrete(len(MODES)),
                "turns_left": spaces.Box(0, actions, (1,), np.int32),
            }
        )

    @property
    def episode(self) -> Episode:
        """The running episode, with its records and facts; raises InputError before the first reset."""
        if self._episode is None:
            raise InputError("an episode under way", "none", "env.reset()")
        return self._episode

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start an episode; `options={"instance": id}` chooses it. The same seed gives the same bytes."""
        self._check_open()
        super().reset(seed=seed)
        given = dict(options or {})
        wanted = given.pop("instance", None)
        if given or not isinstance(wanted, str | None):
            raise InputError("options={'instance': id}", f"{options!r:.80}", "env.reset(seed=0)")
        chosen = self.suite.select(wanted) if wanted is not None else self._instances
        instance = chosen[int(self.np_random.integers(len(chosen)))]
        world = self._enter(instance)
        self._episode = episode_of(world, self._renderer, instance, limits=self._limits)
        observation = self._observe()
        return observation, self._info() | {"instance": instance.id, "type": instance.type}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take one action, or give the answer; raises InputError after the end and after `close`."""
        self._check_open()
        episode = self.episode
        fault = ""
        try:
            episode.act(encoding_of(action, episode.mode))
        except SimulationFault as error:
            fault = str(error)
        verdict = episode.verdict
        ended = bool(verdict.done)
        success = bool(verdict.success and episode.done)
        observation = self._observe()
        info = self._info() | ({"fault": fault} if fault else {})
        return observation, float(success), ended, bool(fault or (episode.done and not ended)), info

    def render(self) -> NDArray[np.uint8] | None:
        """What the agent sees, (H, W, 3) uint8; None without a render mode."""
        self._check_open()
        if self.render_mode is None or self._seen is None or self._seen.rgb is None:
            return None
        return self._seen.rgb.copy()

    def close(self) -> None:
        """Free world and renderer; calling it twice is fine."""
        self._open = False
        self._leave()

    def _enter(self, instance: Instance) -> World:
        """The world of an instance's city; the one of another city is freed first."""
        if self._world is None or self._world.city.content_sha256 != instance.city_sha256:
            self._leave()
            city = self._given if self._given is not None else load_city(instance.city)
            self.suite.check_city(city, [instance])
            self._world = World(city, physics=self._physics)
            self._renderer = make_renderer(self._renderer_name, city)
        return self._world

    def _leave(self) -> None:
        world, renderer, self._world, self._renderer = self._world, self._renderer, None, None
        if world is not None:
            world.close()
        if renderer is not None:
            renderer.close()

    def _observe(self) -> dict[str, Any]:
        seen = self._seen = self.episode.observe()
        return {
            "rgb": seen.rgb,
            "heading_deg": np.array([seen.heading_deg], np.float32),
            "pitch_deg": np.array([seen.pitch_deg], np.float32),
            "mode": np.int64(MODES.index(seen.mode)),
            "turns_left": np.array([max(seen.steps_left, 0)], np.int32),
        }

    def _info(self) -> dict[str, Any]:
        episode = self.episode
        seen = self._seen if self._seen is not None else episode.observe()
        verdict = episode.verdict
        return {
            "instruction": episode.goal.instruction,
            "options": seen.options,
            "notices": seen.notices,
            "status": seen.status,
            "time": seen.time,
            "weather": seen.weather,
            "success": bool(verdict.success),
            "reason": episode.stop_reason,
        }

    def _check_open(self) -> None:
        if not self._open:
            raise InputError("an open environment", "one that was closed", "gymnasium.make again")
