"""Scout: one city looked over by the makers of instances."""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from citysim.city import City, CityObject, Place
from citysim.conditions import Conditions
from citysim.errors import InputError
from citysim.geo.routing import Route
from citysim.physics import make_space
from citysim.pose import Pose
from citysim.render.base import Camera, Frame, Renderer, View
from citysim.snapshot import conditions_at
from citysim.tasks.parts import Point, Stop, lonlat_of
from citysim.tasks.sampling import GoalSampler
from citysim.world import World

SIZE = (640, 480)
"""Pictures that evidence is measured in, (width, height); `citysim eval --size 640x480` shows the same."""
FOV_DEG = 60.0
LANDMARKS = frozenset({
    "ferris_wheel", "clock_tower", "gate", "lighthouse", "harbour_crane", "pagoda", "church", "tower", "fountain",
    "observation_tower", "column", "radio_mast", "water_tower", "sculpture", "big_screen", "park", "square",
})  # fmt: skip


class Scout:
    """A city with what makers ask of it: places on its network, walks, ground to stand on, and labelled pictures."""

    size, fov_deg = SIZE, FOV_DEG

    def __init__(self, city: City, renderer: Renderer, physics: str = "native") -> None:
        self.city, self.renderer = city, renderer
        self.sampler = GoalSampler(city)
        self.world = World(city, physics=physics)
        self.space = make_space("native", city)
        self.noon = conditions_at(city, time="14:00", weather="overcast")  # labels need no shadows

    @cached_property
    def objects(self) -> dict[int, CityObject]:
        """Objects by id."""
        return {thing.id: thing for thing in self.city.objects}

    @cached_property
    def sign_kinds(self) -> dict[int, str]:
        """Boards that carry a place's name -> the place's category."""
        kinds = {place.name: place.category for place in self.places}
        return {
            thing.id: kinds[thing.name]
            for thing in self.city.objects
            if thing.category == "shop_sign" and thing.name in kinds and thing.attributes.get("kind") == "fascia"
        }

    @cached_property
    def named(self) -> tuple[tuple[str, Point, int], ...]:
        """(name, point, object id) of what a map shows by name: places, and named things that are no signs."""
        counted = Counter(place.name for place in self.places)
        found = [(p.name, rounded_point(p.entrance), p.building or 0) for p in self.places if counted[p.name] == 1]
        marks = [thing for thing in self.city.objects if thing.name and thing.category in LANDMARKS]
        return (*found, *((thing.name, rounded_point(thing.position), thing.id) for thing in marks))

    @cached_property
    def streets(self) -> tuple[CityObject, ...]:
        """Streets with names."""
        return tuple(thing for thing in self.city.objects if thing.category == "street" and thing.name)

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """Places whose doors are on the network's main part."""
        return tuple(target.place for target in self.sampler.targets if target.place is not None)

    def stand(self, rng: np.random.Generator) -> Pose | None:
        """A pose on a footway with a heading along it, as episodes start; None where nobody can stand."""
        point, _, yaw = self.sampler.point(rng)
        turned = yaw + np.pi * int(rng.integers(2))
        heading_deg = Pose(0.0, 0.0, 0.0, turned).heading_deg
        east, north, up = (round(float(v), 3) for v in point)
        return self.ground(east, north, up, round(heading_deg, 1) % 360.0)

    def ground(self, east: float, north: float, up: float, heading_deg: float) -> Pose | None:
        """A pose on the ground at a place, rounded as instances are; None where nobody can stand."""
        try:
            pose = self.world.ground_pose(east, north, heading_deg, up_hint=up)
        except InputError:
            return None
        return Pose.from_heading(round(pose.east, 3), round(pose.north, 3), round(pose.up, 3), heading_deg)

    def route(self, start: ArrayLike, goal: ArrayLike) -> Route | None:
        """The shortest walk, None where there is none."""
        try:
            return self.city.network.route(start, goal)
        except InputError:
            return None

    def free_m(self, start: ArrayLike, end: ArrayLike) -> float:
        """Metres from one point (3,) towards another until something solid is in the way, their distance at most."""
        a, b = np.asarray(start, dtype=np.float64), np.asarray(end, dtype=np.float64)
        hit = float(self.space.cast_rays(a[None], b[None]).distance[0])
        return min(hit, float(np.linalg.norm(b - a)))

    def see(self, pose: Pose, conditions: Conditions | None = None) -> Frame:
        """What somebody standing at a foot pose sees, with depth and labels."""
        self.world.reset(pose, conditions)
        camera: Camera = self.world.camera(self.size, self.fov_deg)
        return self.renderer.render(View(camera, conditions or self.noon, depth=True, labels=True))

    def stop(self, place: Place, deadline_s: float | None = None) -> Stop:
        """A place as a stop at its door."""
        at = rounded_point(place.entrance)
        return Stop(place.name, at, lonlat_of(self.city.frame, at), deadline_s)

    def close(self) -> None:
        """Free world, space and renderer."""
        self.world.close()
        self.space.close()
        self.renderer.close()


def rounded_point(point: Sequence[float] | NDArray[np.float64]) -> Point:
    """A point to the millimetre."""
    east, north, up = (round(float(v), 3) for v in point)
    return east, north, up
