"""Body: the walker's body among the surfaces of a city, what carries it, and where it can stand."""

import math

import numpy as np
from numpy.typing import NDArray

from citysim.city import City
from citysim.city.carriers import Carriers
from citysim.city.lifts import Lifts
from citysim.errors import InputError
from citysim.living.exposure import Sky
from citysim.physics import make_space, make_walker
from citysim.physics.config import STEP_S, WalkerConfig
from citysim.physics.movers import Movers
from citysim.physics.native import NativeSpace
from citysim.physics.walker import Walker
from citysim.pose import Pose, yaw_from_heading

Array = NDArray[np.float64]
BELOW_M = 50.0
HINT_M = 3.0
FAR_M = 64.0


class Body:
    """A walker in a collision space of the city under the engine called `physics`.

    Walls nobody sees stand on the city's bounds, so that no one walks off its edge.
    """

    def __init__(self, city: City, physics: str, config: WalkerConfig) -> None:
        self._city = city
        finest = [city.tiles[index] for index in city.finest]
        lowest = min((float(t.center[2]) - t.radius for t in finest), default=0.0)
        self._low, self._high = lowest, max((float(t.center[2]) + t.radius for t in finest), default=0.0)
        self._space = make_space(physics, city)
        self._space.add_triangles(*_fence(city, lowest - 2.0 * BELOW_M, self._high + 2.0 * BELOW_M))
        self.walker: Walker = make_walker(self._space, config)
        self.sky = Sky(city, self._high, self._space if isinstance(self._space, NativeSpace) else None)
        self._carriers, self._lifts = Carriers.of(city.objects), Lifts.of(city.objects)
        self._still = not len(self._carriers.table) and not len(self._lifts.table)
        self._free = (0.0, 0.0, 0.0)  # east, north, and how far around there is nothing that carries

    @property
    def bottom(self) -> float:
        """A height, local metres, below which one has fallen out of the city."""
        return self._low - BELOW_M

    def walk(self, now: int, wishes: Array, jump_at: int, movers: Movers) -> Array:
        """(N, 4) what `Walker.walk` gives, on moving surfaces with their speed added, in moving lifts with theirs.

        `now` is how many substeps of the episode went before.
        """
        if self._still:
            return self.walker.walk(wishes, jump_at, movers)
        east, north, _ = self.walker.foot
        reach = 1.0 + STEP_S * float(np.abs(wishes).sum())
        if math.hypot(east - self._free[0], north - self._free[1]) + reach < self._free[2]:
            return self.walker.walk(wishes, jump_at, movers)
        rising, slides = self._lifts.near(east, north, reach), self._carriers.near(east, north, reach)
        if not rising and not slides:
            far = reach
            while (
                far < FAR_M
                and not self._lifts.near(east, north, 2 * far)
                and not self._carriers.near(east, north, 2 * far)
            ):
                far *= 2
            self._free = (east, north, far)
            return self.walker.walk(wishes, jump_at, movers)
        path = np.empty((len(wishes), 4))
        for step, wish in enumerate(wishes):
            state = self.walker.state
            place = (state.east, state.north, state.up)
            floor = self._lifts.carried(*place, (now + step) * STEP_S, STEP_S) if rising else None
            if floor is not None and state.grounded:  # its doors are closed: whoever is inside stands
                self.walker.state = state._replace(up=floor, vertical_speed=0.0)
                path[step] = (state.east, state.north, floor, 1.0)
                continue
            carried = self._carriers.velocity(*place) if state.grounded else (0.0, 0.0)
            ahead = Movers(movers.rows, movers.first + step)
            path[step] = self.walker.walk((wish + carried)[None], 0 if step == jump_at else -1, ahead)[0]
        return path

    def ground_pose(self, east: float, north: float, heading_deg: float, up_hint: float | None) -> Pose:
        """`World.ground_pose`."""
        if not all(map(math.isfinite, (east, north, heading_deg, up_hint or 0.0))):
            raise InputError("a finite place", f"east {east}, north {north}, {heading_deg} deg", "a point on a street")
        self.check_inside(east, north)
        levels = self.walker.levels(east, north, self._high + 1.0, self._low - 1.0)
        hint = up_hint
        if hint is None and levels:
            snaps = [(self._city.network.snap((east, north, up), max_distance_m=12.0), up) for up in levels]
            gaps = [(abs(float(snap.point[2]) - up), up) for snap, up in snaps if snap is not None]
            hint = min(gaps)[1] if gaps else levels[0]
        near = [up for up in levels if hint is not None and abs(up - hint) <= HINT_M]
        if not near:
            raise InputError(
                "walkable ground with room for a person" + ("" if up_hint is None else f" near height {up_hint:g} m"),
                f"none at east {east:g}, north {north:g} of '{self._city.name}'",
                "a point on a street",
            )
        up = min(near, key=lambda up: (abs(up - (hint or 0.0)), up))
        return Pose(east, north, up, yaw_from_heading(heading_deg))

    def check_inside(self, east: float, north: float) -> None:
        """Raises InputError for a place outside the city's bounds."""
        e0, n0, e1, n1 = self._city.bounds
        if not (e0 <= east <= e1 and n0 <= north <= n1):
            raise InputError(
                f"a place inside east {e0:g} to {e1:g}, north {n0:g} to {n1:g}",
                f"east {east:g}, north {north:g}",
                "citysim city info",
            )

    def close(self) -> None:
        """Free the physics engine; calling it twice is fine."""
        self._space.close()


def _fence(city: City, low: float, high: float) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    e0, n0, e1, n1 = city.bounds
    corners = [(e0, n0), (e1, n0), (e1, n1), (e0, n1)]
    points = np.array([(e, n, up) for up in (low, high) for e, n in corners])
    faces = [face for k in range(4) for face in ((k, (k + 1) % 4, (k + 1) % 4 + 4), (k, (k + 1) % 4 + 4, k + 4))]
    return points, np.array(faces, dtype=np.int32)
