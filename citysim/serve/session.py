"""Session: one walker behind UrbanGround's interface, with its task, its map and its counters."""

import dataclasses
import threading
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.errors import InputError
from citysim.living.exposure import intensity
from citysim.living.spec import CrowdSpec
from citysim.physics.walker import WalkerState
from citysim.pose import Pose
from citysim.render.base import View
from citysim.render.overhead import draw_map
from citysim.serve.settings import Settings
from citysim.serve.stages import Stages
from citysim.serve.taskbook import TaskBook
from citysim.serve.whereabouts import anywhere, surface
from citysim.tasks.base import Goal
from citysim.tasks.episode import Limits
from citysim.tasks.maptool import MapTool
from citysim.tasks.parts import lonlat_of
from citysim.tasks.record import rounded
from citysim.tasks.seeds import child_seed
from citysim.tasks.setting import reset_world
from citysim.tasks.suite import Instance
from citysim.world import Command, World

CROWD = CrowdSpec(48, 0, radius_m=40.0)
"""The people whom `enable_pedestrians` brings: a busy street, as in NP."""
START_M = 0.5
"""A teleport this near to the start of a task that nobody has moved in is the client's way of going to it."""
LONGEST_IDLE_S = 60.0
"""In real time, at most so much is caught up with at once."""


class Session:
    """A world and what one client did with it. Every method is called with `lock` held.

    Time passes only while an action is carried out, or also between them in real time.
    """

    def __init__(self, name: str, book: TaskBook, stages: Stages, settings: Settings) -> None:
        self.name, self.book, self.settings = name, book, settings
        self.lock = threading.RLock()
        self.heard = time.monotonic()
        self._stages = stages
        self._world: World | None = None
        self.instance: Instance | None = None
        self.map: MapTool | None = None
        self._moved = False
        self._base: dict[str, float] = {}
        self._ran = time.monotonic()

    @property
    def world(self) -> World:
        """The world; a free walk begins where there is none."""
        if self._world is None:
            self.leave()
        assert self._world is not None
        return self._world

    def enter(self, instance: Instance) -> None:
        """Stand at a task's start with nothing left of what was before: first person, level, its own conditions."""
        world = self._stand_in(instance.city_sha256)
        goal = instance.to_goal()
        reset_world(world, goal, instance.conditions_in(world.city), instance.seed)
        self._begin(instance, goal)

    def leave(self) -> None:
        """No task: a free walk where one is, without people and closures, or in the suite's first city."""
        if self._world is None:
            world = self._stand_in(next(iter(self.book.cities)))
            world.reset(anywhere(world))
        else:
            self._world.reset(self._world.pose, self._world.conditions)
        self._begin(None, Goal(self._made().pose, (0.0, 0.0, 0.0), stated=False))

    def act(self, steps: int, command: Command) -> Any:
        """Advance the world; from now on nobody is at the start any more."""
        self._moved = True
        return self.world.advance(command, steps)

    def place(self, pose: Pose) -> None:
        """Put the walker elsewhere: first person, level, at rest; conditions, people and counters stay."""
        world, start = self.world, self.instance.start if self.instance is not None else None
        self._fresh_map()
        if start is not None and not self._moved and _apart(start, pose) < START_M:
            return
        kept = world.snapshot()
        walker = WalkerState(
            pose.east, pose.north, pose.up, static_touch=kept.walker.static_touch, moving_touch=kept.walker.moving_touch
        )
        world.restore(kept._replace(walker=walker, yaw=pose.yaw, pitch=0.0, support_up=pose.up))
        self._moved = True

    def level(self) -> None:
        """Look straight ahead."""
        self.world.look(0.0, -self.world.pose.pitch)

    def have_people(self, wanted: bool) -> None:
        """People on the street, or none; those who are there stay."""
        if not wanted:
            self.world.have_people(None)
        elif self.world.crowd is None:
            seed = self.instance.seed if self.instance is not None else 0
            self.world.have_people(dataclasses.replace(CROWD, seed=child_seed(seed, "crowd")))

    def set_conditions(self, **changes: Any) -> None:
        """Other weather, another clock."""
        self.world.conditions = dataclasses.replace(self.world.conditions, **changes)

    def keep_up(self) -> None:
        """In real time: let the city's time pass that passed since the last call."""
        now = time.monotonic()
        if self.settings.real_time and self._world is not None:
            steps = int(min(now - self._ran, LONGEST_IDLE_S) * 60.0)
            if steps:
                self._world.advance(Command(), steps)
        self._ran = now

    def last_for(self, seconds: float, since: float) -> None:
        """In real time: wait until an action of so many seconds that began at `since` has taken that long."""
        if self.settings.real_time:
            time.sleep(max(0.0, since + seconds - time.monotonic()))
            self._ran = time.monotonic()

    def picture(self, size: tuple[int, int] | None = None) -> NDArray[np.uint8]:
        """(H, W, 3) uint8: what the walker sees, or the open map."""
        world, chosen = self.world, size if size is not None else self.settings.image_size
        renderer = self._stages.renderer(world.city.content_sha256)
        tool = self.map
        if tool is not None and tool.view is not None:
            lines = [closure.line for closure in world.closures]
            view = tool.view.resized(chosen, 1)
            scale = tool.view.metres_px * tool.size[1] / chosen[1]
            view = dataclasses.replace(view, metres_px=scale)
            return draw_map(renderer, world.city, view, marker=world.pose, points=tool.points, closures=lines).rgb
        camera = world.camera(chosen, Limits().fov_deg)
        seen = View(camera, world.conditions, bodies=world.bodies(), states=world.states())
        return renderer.render(seen).rgb

    @property
    def mode(self) -> str:
        """What is looked at."""
        return self.map.mode if self.map is not None else "first_person"

    def state(self) -> dict[str, Any]:
        """All fields of UrbanGround's state, finite and rounded."""
        world = self.world
        conditions, pose = world.conditions, rounded(world.pose)
        foot = (pose.east, pose.north, pose.up)
        lon, lat, alt = lonlat_of(world.city.frame, foot)
        if self.instance is not None and not self._moved:
            lon, lat, _ = self.instance.start_lonlat
        exposure, counts = world.exposure, self._counts()
        since = {key: value - self._base.get(key, 0.0) for key, value in counts.items()}
        people = 0 if world.crowd is None else int(world.crowd.active.sum())
        return {
            "mode": self.mode,
            "lat": lat,
            "lon": lon,
            "alt": alt,
            "yaw": round(pose.heading_deg, 6) % 360.0,
            "pitch": round(float(np.degrees(pose.pitch)), 6) + 0.0,
            "surface": surface(world.city, foot),
            "on_sidewalk": world.city.network.on_network(foot),
            "time": conditions.time,
            "weather": conditions.weather,
            "weather_label": conditions.weather.replace("_", " ").capitalize(),
            "pedestrians_active": world.crowd is not None,
            "pedestrian_count": people,
            "is_raining": intensity(conditions.weather) > 0.0,
            "rain_intensity": intensity(conditions.weather),
            "being_rained_on": exposure.being_rained_on,
            "has_overhead_shelter": exposure.has_overhead_shelter,
            "rain_hits": int(since["rain_hits"]),
            "rain_exposure_seconds": round(since["rain_exposure_seconds"], 6),
            "pedestrian_collisions": int(since["pedestrian_collisions"]),
            "building_collisions": int(since["building_collisions"]),
            "stats_tracked_seconds": round(since["stats_tracked_seconds"], 6),
            "tiles_progress": 1.0,
            "tiles_settled": True,
            "idle": True,
        }

    def reset_stats(self) -> None:
        """Count from zero."""
        self._base = self._counts()

    def close(self) -> None:
        """Free the world."""
        world, self._world = self._world, None
        if world is not None:
            world.close()

    def _counts(self) -> dict[str, float]:
        world = self.world
        exposure = world.exposure
        return {
            "rain_hits": exposure.rain_hits,
            "rain_exposure_seconds": exposure.rain_exposure_s,
            "pedestrian_collisions": world.pedestrian_collisions,
            "building_collisions": world.building_collisions,
            "stats_tracked_seconds": world.time_s,
        }

    def _stand_in(self, sha256: str) -> World:
        """The world of a city; that of another city is freed."""
        if self._world is None or self._world.city.content_sha256 != sha256:
            self.close()
            self._world = World(self.book.cities[sha256], physics=self.settings.physics)
        return self._world

    def _made(self) -> World:
        if self._world is None:
            raise InputError("a world", "none", "entering a task")
        return self._world

    def _begin(self, instance: Instance | None, goal: Goal) -> None:
        self.instance, self._goal = instance, goal
        self._moved = instance is None
        self._fresh_map()
        self.level()
        self.reset_stats()
        self._ran = time.monotonic()

    def _fresh_map(self) -> None:
        city = self._made().city
        renderer = self._stages.renderer(city.content_sha256)
        self.map = MapTool(city, renderer, self.settings.image_size, self._goal)


def _apart(a: Pose, b: Pose) -> float:
    return float(np.hypot(a.east - b.east, a.north - b.north))
