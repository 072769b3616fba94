"""World: one walker in one city, with a clock; the small state that changes and can be put back exactly."""

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.city import City
from citysim.city.carriers import Carriers
from citysim.city.lifts import Lifts
from citysim.conditions import Conditions
from citysim.errors import InputError, SimulationFault
from citysim.physics import default_engine, make_space, make_walker
from citysim.physics.config import STEP_S, WalkerConfig
from citysim.physics.walker import WalkerState
from citysim.pose import Pose, wrap_angle, yaw_from_heading
from citysim.render.base import Camera

__all__ = ["STEP_S", "Command", "Snapshot", "Transition", "World"]

MAX_PITCH = math.radians(89.0)
SAMPLE_STEPS = 6  # foot path at 10 Hz
FALL_M = 3.0
BELOW_M = 50.0
HINT_M = 3.0


@dataclass(frozen=True, slots=True)
class Command:
    """What the walker tries to do: metres a second ahead and to its left, radians a second, seconds from now.

    `yaw_rate` is positive to the left, `pitch_rate` positive upwards. `jump_after_s` is rounded to a step.
    """

    forward: float = 0.0
    left: float = 0.0
    yaw_rate: float = 0.0
    pitch_rate: float = 0.0
    jump_after_s: float | None = None

    def __post_init__(self) -> None:
        values = (self.forward, self.left, self.yaw_rate, self.pitch_rate, self.jump_after_s or 0.0)
        if not all(map(math.isfinite, values)):
            raise InputError("finite command values", str(values), "numbers without NaN or infinity")
        if self.jump_after_s is not None and self.jump_after_s < 0.0:
            raise InputError("a jump now or later", f"jump_after_s={self.jump_after_s}", "jump_after_s=0")


@dataclass(frozen=True, slots=True)
class Transition:
    """What happened during one `advance`.

    path                   (K, 3) float64 foot points, local metres, at 10 Hz with both ends
    distance_m             horizontal metres walked
    building_collisions    new touches of the city's surfaces, pedestrian_collisions of moving bodies
    fell                   whether a free fall of more than 3 m ended
    """

    before: Pose
    after: Pose
    path: NDArray[np.float64]
    distance_m: float
    building_collisions: int
    pedestrian_collisions: int
    fell: bool


class Snapshot(NamedTuple):
    """A world's whole state; `World.restore` continues from it exactly, in any world of the same city."""

    walker: WalkerState
    yaw: float
    pitch: float
    steps: int
    conditions: Conditions  # at the start of the episode
    path_length_m: float
    support_up: float


class World:
    """A walker among the surfaces of a city.

    Time passes in steps of `STEP_S`; the clock of `conditions` goes with it. Walls nobody sees stand on the city's
    bounds, so that no one walks off its edge. Escalators and lifts carry who stands on them. Nothing here is random.
    `physics` is "bullet" or "native"; without a choice it is PyBullet where that is installed.
    """

    def __init__(self, city: City, *, physics: str | None = None, config: WalkerConfig | None = None) -> None:
        self.city = city
        self._config = config if config is not None else WalkerConfig()
        finest = [city.tiles[index] for index in city.finest]
        self._lowest = min((float(t.center[2]) - t.radius for t in finest), default=0.0)
        self._highest = max((float(t.center[2]) + t.radius for t in finest), default=0.0)
        self._space = make_space(physics if physics is not None else default_engine(), city)
        self._space.add_triangles(*_fence(city, self._lowest - 2.0 * BELOW_M, self._highest + 2.0 * BELOW_M))
        self._walker = make_walker(self._space, self._config)
        self._carriers = Carriers.of(city.objects)
        self._lifts = Lifts.of(city.objects)
        self._yaw = self._pitch = self._path_length = self._support_up = 0.0
        self._steps = 0
        self._conditions = Conditions()

    def reset(self, pose: Pose, conditions: Conditions | None = None) -> None:
        """Put the walker's foot at a pose, at rest, with all counters and the clock's run at zero.

        Raises InputError for a pose that is not finite or outside the city.
        """
        values = (pose.east, pose.north, pose.up, pose.yaw, pose.pitch)
        if not all(map(math.isfinite, values)):
            raise InputError("a finite start pose", str(values), "numbers without NaN or infinity")
        self._check_inside(pose.east, pose.north)
        walker = WalkerState(pose.east, pose.north, pose.up)
        pitch = min(max(pose.pitch, -MAX_PITCH), MAX_PITCH)
        chosen = conditions if conditions is not None else Conditions()
        self.restore(Snapshot(walker, wrap_angle(pose.yaw), pitch, 0, chosen, 0.0, pose.up))

    def advance(self, command: Command, steps: int) -> Transition:
        """Carry out a command for a number of steps.

        Raises InputError for a negative number of steps or a jump after the last of them, SimulationFault when the
        walker has fallen out of the city.
        """
        jump_at = -1 if command.jump_after_s is None else round(command.jump_after_s / STEP_S)
        if steps < 0 or jump_at >= max(steps, 1):
            raise InputError(
                "zero or more steps, and a jump before the last",
                f"{steps} steps, jump_after_s={command.jump_after_s}",
                f"a jump within {steps * STEP_S:g} s",
            )
        before, start = self.pose, self._walker.state
        wishes = np.empty((steps, 2))
        for step in range(steps):
            self._yaw += command.yaw_rate * STEP_S
            self._pitch = min(max(self._pitch + command.pitch_rate * STEP_S, -MAX_PITCH), MAX_PITCH)
            sin, cos = math.sin(self._yaw), math.cos(self._yaw)
            wishes[step] = (command.forward * cos - command.left * sin, command.forward * sin + command.left * cos)
        path = [before.position]
        walked, fell = 0.0, False
        east, north = start.east, start.north
        for step, (x, y, up, grounded) in enumerate(self._walked(wishes, jump_at).tolist()):
            walked += math.hypot(x - east, y - north)
            east, north = x, y
            if grounded:
                fell = fell or self._support_up - up > FALL_M
                self._support_up = up
            elif up < self._lowest - BELOW_M:
                raise SimulationFault(
                    "ground under the walker",
                    f"none at east {east:.1f}, north {north:.1f} of '{self.city.name}'",
                    "citysim city validate",
                )
            if step + 1 == steps or (step + 1) % SAMPLE_STEPS == 0:
                path.append(np.array((x, y, up)))
        self._yaw = wrap_angle(self._yaw)
        self._steps += steps
        self._path_length += walked
        end = self._walker.state
        return Transition(
            before,
            self.pose,
            np.stack(path),
            walked,
            end.static_touch.total - start.static_touch.total,
            end.moving_touch.total - start.moving_touch.total,
            fell,
        )

    def _walked(self, wishes: NDArray[np.float64], jump_at: int) -> NDArray[np.float64]:
        """(N, 4) what `Walker.walk` gives, on moving surfaces with their speed added, in moving lifts with theirs."""
        start = self._walker.state
        reach = 1.0 + STEP_S * float(np.abs(wishes).sum())
        rising = self._lifts.near(start.east, start.north, reach)
        if not rising and not self._carriers.near(start.east, start.north, reach):
            return self._walker.walk(wishes, jump_at)
        path = np.empty((len(wishes), 4))
        for step, wish in enumerate(wishes):
            state = self._walker.state
            place = (state.east, state.north, state.up)
            floor = self._lifts.carried(*place, (self._steps + step) * STEP_S, STEP_S) if rising else None
            if floor is not None and state.grounded:  # its doors are closed: whoever is inside stands
                self._walker.state = state._replace(up=floor, vertical_speed=0.0)
                path[step] = (state.east, state.north, floor, 1.0)
                continue
            carried = self._carriers.velocity(*place) if state.grounded else (0.0, 0.0)
            path[step] = self._walker.walk((wish + carried)[None], 0 if step == jump_at else -1)[0]
        return path

    def look(self, yaw: float = 0.0, pitch: float = 0.0) -> None:
        """Turn at once by a yaw (positive to the left) and a pitch (positive up), radians; pitch stops at 89 deg."""
        if not (math.isfinite(yaw) and math.isfinite(pitch)):
            raise InputError("a finite turn", f"yaw {yaw}, pitch {pitch}", "numbers without NaN or infinity")
        self._yaw = wrap_angle(self._yaw + yaw)
        self._pitch = min(max(self._pitch + pitch, -MAX_PITCH), MAX_PITCH)

    @property
    def pose(self) -> Pose:
        """Foot point and view direction."""
        state = self._walker.state
        return Pose(state.east, state.north, state.up, wrap_angle(self._yaw), self._pitch)

    @property
    def eye_pose(self) -> Pose:
        """The same with the eye's height as `up`."""
        pose = self.pose
        return replace(pose, up=pose.up + self._config.eye_height)

    def camera(self, size: tuple[int, int] = (640, 480), fov_deg: float = 60.0) -> Camera:
        """What the walker sees, as a camera: `size` is (width, height), `fov_deg` vertical."""
        return Camera(self.eye_pose, size, fov_deg)

    @property
    def time_s(self) -> float:
        """Simulated seconds since the reset."""
        return self._steps * STEP_S

    @property
    def conditions(self) -> Conditions:
        """Clock and weather now."""
        return replace(self._conditions, clock_s=self._conditions.clock_s + self.time_s)

    @property
    def path_length_m(self) -> float:
        """Horizontal metres walked since the reset."""
        return self._path_length

    @property
    def building_collisions(self) -> int:
        """Touches of the city's surfaces since the reset."""
        return self._walker.state.static_touch.total

    @property
    def pedestrian_collisions(self) -> int:
        """Touches of moving bodies since the reset."""
        return self._walker.state.moving_touch.total

    @property
    def grounded(self) -> bool:
        """Whether the walker stands on something."""
        return self._walker.state.grounded

    def snapshot(self) -> Snapshot:
        """The whole state."""
        return Snapshot(
            self._walker.state,
            self._yaw,
            self._pitch,
            self._steps,
            self._conditions,
            self._path_length,
            self._support_up,
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Continue from an earlier state, exactly."""
        self._walker.state = snapshot.walker
        self._yaw, self._pitch, self._steps = snapshot.yaw, snapshot.pitch, snapshot.steps
        self._conditions = snapshot.conditions
        self._path_length, self._support_up = snapshot.path_length_m, snapshot.support_up

    def ground_pose(self, east: float, north: float, heading_deg: float = 0.0, up_hint: float | None = None) -> Pose:
        """A pose standing on the ground at a point.

        Of the walkable surfaces with room for the walker, the one nearest to `up_hint` (within 3 m) is taken; without
        a hint the one nearest to the pedestrian network, else the lowest.
        Raises InputError where there is none or the walker does not fit.
        """
        if not all(map(math.isfinite, (east, north, heading_deg, up_hint or 0.0))):
            raise InputError("a finite place", f"east {east}, north {north}, {heading_deg} deg", "a point on a street")
        self._check_inside(east, north)
        levels = self._walker.levels(east, north, self._highest + 1.0, self._lowest - 1.0)
        hint = up_hint
        if hint is None and levels:
            snaps = [(self.city.network.snap((east, north, up), max_distance_m=12.0), up) for up in levels]
            gaps = [(abs(float(snap.point[2]) - up), up) for snap, up in snaps if snap is not None]
            hint = min(gaps)[1] if gaps else levels[0]
        near = [up for up in levels if hint is not None and abs(up - hint) <= HINT_M]
        if not near:
            raise InputError(
                "walkable ground with room for a person" + ("" if up_hint is None else f" near height {up_hint:g} m"),
                f"none at east {east:g}, north {north:g} of '{self.city.name}'",
                "a point on a street",
            )
        up = min(near, key=lambda up: (abs(up - (hint or 0.0)), up))
        return Pose(east, north, up, yaw_from_heading(heading_deg))

    def close(self) -> None:
        """Free the physics engine; calling it twice is fine."""
        self._space.close()

    def _check_inside(self, east: float, north: float) -> None:
        e0, n0, e1, n1 = self.city.bounds
        if not (e0 <= east <= e1 and n0 <= north <= n1):
            raise InputError(
                f"a place inside east {e0:g} to {e1:g}, north {n0:g} to {n1:g}",
                f"east {east:g}, north {north:g}",
                "citysim city info",
            )


def _fence(city: City, low: float, high: float) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    e0, n0, e1, n1 = city.bounds
    corners = [(e0, n0), (e1, n0), (e1, n1), (e0, n1)]
    points = np.array([(e, n, up) for up in (low, high) for e, n in corners])
    faces = [face for k in range(4) for face in ((k, (k + 1) % 4, (k + 1) % 4 + 4), (k, (k + 1) % 4 + 4, k + 4))]
    return points, np.array(faces, dtype=np.int32)
