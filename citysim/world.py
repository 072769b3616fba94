"""World: one walker in one living city; the small state that changes and can be put back exactly."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.city import City
from citysim.conditions import Conditions
from citysim.crowd.crowd import Crowd
from citysim.errors import InputError, SimulationFault
from citysim.living.body import Body
from citysim.living.capsules import NO_CAPSULES, capsules_of
from citysim.living.closures import Closure
from citysim.living.exposure import Exposure
from citysim.living.kept import Kept
from citysim.living.life import Life
from citysim.living.lights import SignalState
from citysim.living.motion import Command, Transition
from citysim.living.profile import Profile, profile_of
from citysim.living.records import digest_of, step_record
from citysim.living.residents import Resident
from citysim.living.scene import bodies_of, sight_distance_m
from citysim.living.spec import CrowdSpec
from citysim.physics import default_engine
from citysim.physics.config import STEP_S, WalkerConfig
from citysim.physics.movers import NOBODY, Movers
from citysim.physics.native import NativeSpace
from citysim.physics.walker import WalkerState
from citysim.pose import Pose, wrap_angle
from citysim.render.base import Bodies, Camera

__all__ = ["STEP_S", "Closure", "Command", "CrowdSpec", "Snapshot", "Transition", "World"]

MAX_PITCH = math.radians(89.0)
SAMPLE_STEPS = 6  # foot path at 10 Hz
FALL_M = 3.0


class Snapshot(NamedTuple):
    """A world's whole state; `World.restore` continues from it exactly, in any world of the same city."""

    walker: WalkerState
    yaw: float
    pitch: float
    steps: int
    conditions: Conditions  # when they were last set
    path_length_m: float
    support_up: float
    set_at: int = 0  # the step after which conditions were last set
    life: Kept | None = None


class World:
    """A walker among the surfaces, people and closures of a city.

    Time passes in steps of `STEP_S`; the clock of `conditions` goes with it. Walls nobody sees stand on the city's
    bounds, so that no one walks off its edge. Escalators and lifts carry who stands on them. Nothing is random but
    what a `CrowdSpec` seeds. `physics` is "bullet" or "native"; without a choice it is PyBullet where that is
    installed. `threads` share the work of crowds of a thousand and more; results do not depend on it.
    """

    def __init__(
        self, city: City, *, physics: str | None = None, config: WalkerConfig | None = None, threads: int = 1
    ) -> None:
        self.city = city
        self.physics = physics if physics is not None else default_engine()
        self._config = config if config is not None else WalkerConfig()
        self._body = Body(city, self.physics, self._config)
        self._walker = self._body.walker
        self._yaw = self._pitch = self._path_length = self._support_up = 0.0
        self._steps = self._set_at = 0
        self._conditions = Conditions()
        self._life = Life(city, self._body.sky, self._config, threads)
        self._last: Transition | None = None
        self._bystanders = NO_CAPSULES
        self._posed: tuple[WalkerState | None, float, float, Pose] = (None, 0.0, 0.0, Pose(0.0, 0.0, 0.0))
        self._timed = (self._conditions, 0, self._conditions)

    def reset(
        self,
        pose: Pose,
        conditions: Conditions | None = None,
        *,
        crowd: CrowdSpec | None = None,
        closures: Sequence[Closure] = (),
    ) -> None:
        """Put the walker's foot at a pose, at rest, with all counters and the clock's run at zero.

        Raises InputError for a pose that is not finite or outside the city, people in a city without pedestrian
        network, and closures of the same label.
        """
        values = (pose.east, pose.north, pose.up, pose.yaw, pose.pitch)
        if not all(map(math.isfinite, values)):
            raise InputError("a finite start pose", str(values), "numbers without NaN or infinity")
        self._body.check_inside(pose.east, pose.north)
        self._bystanders = NO_CAPSULES
        walker = WalkerState(pose.east, pose.north, pose.up)
        pitch = min(max(pose.pitch, -MAX_PITCH), MAX_PITCH)
        chosen = conditions if conditions is not None else Conditions()
        self._life.start((pose.east, pose.north, pose.up), chosen, crowd, closures)
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
        rows = self._lived(self._turned(command, steps), jump_at)
        path = [(before.east, before.north, before.up)]
        walked, fell = 0.0, False
        east, north = start.east, start.north
        for step, (x, y, up, grounded) in enumerate(rows.tolist()):
            metres = math.hypot(x - east, y - north)
            walked += metres
            self._path_length += metres
            east, north = x, y
            if grounded:
                fell = fell or self._support_up - up > FALL_M
                self._support_up = up
            elif up < self._body.bottom:
                raise SimulationFault(
                    "ground under the walker",
                    f"none at east {east:.1f}, north {north:.1f} of '{self.city.name}'",
                    "citysim city validate",
                )
            if step + 1 == steps or (step + 1) % SAMPLE_STEPS == 0:
                path.append((x, y, up))
        wet, dry = self._life.rain(self._steps, rows, self._conditions)
        self._steps += steps
        end, happened = self._walker.state, self._life.take()
        moving = end.moving_touch.total - start.moving_touch.total
        self._last = Transition(
            before,
            self.pose,
            np.array(path),
            walked,
            end.static_touch.total - start.static_touch.total,
            moving if self._life.company is None else len(happened.contacts),
            fell,
            tuple(happened.contacts),
            tuple(happened.notices),
            tuple(dict.fromkeys(happened.crossed)),
            wet,
            dry,
            tuple(happened.disclosed),
            steps * STEP_S,
        )
        return self._last

    def _turned(self, command: Command, steps: int) -> NDArray[np.float64]:
        """(N, 2) wished velocities while the view turns."""
        wishes: list[tuple[float, float]] = []
        yaw, pitch, forward, left = self._yaw, self._pitch, command.forward, command.left
        turn, tilt = float(command.yaw_rate) * STEP_S, float(command.pitch_rate) * STEP_S
        for _ in range(steps):
            if turn:  # wrapped in every step, so that any split of a command gives the same
                yaw = wrap_angle(yaw + turn)
            if tilt:
                pitch = min(max(pitch + tilt, -MAX_PITCH), MAX_PITCH)
            sin, cos = math.sin(yaw), math.cos(yaw)
            wishes.append((forward * cos - left * sin, forward * sin + left * cos))
        self._yaw, self._pitch = yaw, pitch
        return np.array(wishes, dtype=np.float64).reshape(-1, 2)

    def _lived(self, wishes: NDArray[np.float64], jump_at: int) -> NDArray[np.float64]:
        """(N, 4) what `Walker.walk` gives, among people who walk as well."""
        life, others = self._life, NOBODY
        if len(self._bystanders):
            others = Movers(np.hstack([self._bystanders, np.zeros((len(self._bystanders), 3))]), 0)
        if not life.watches:
            return self._body.walk(self._steps, wishes, jump_at, others)
        rows, done = np.empty((len(wishes), 4)), 0
        while done < len(wishes):
            now, foot = self._steps + done, self._walker.foot
            end = min(done + life.until(now), len(wishes))
            movers = life.begin(now, foot, self._conditions, self._set_at)
            if len(others.rows):
                movers = Movers(np.vstack([movers.rows, others.rows]), movers.first)
            jump = jump_at - done if done <= jump_at < end else -1
            rows[done:end] = self._body.walk(now, wishes[done:end], jump, movers)
            life.end(now, foot, rows[done:end])
            done = end
        return rows

    def look(self, yaw: float = 0.0, pitch: float = 0.0) -> None:
        """Turn at once by a yaw (positive to the left) and a pitch (positive up), radians; pitch stops at 89 deg."""
        if not (math.isfinite(yaw) and math.isfinite(pitch)):
            raise InputError("a finite turn", f"yaw {yaw}, pitch {pitch}", "numbers without NaN or infinity")
        self._yaw = wrap_angle(self._yaw + yaw)
        self._pitch = min(max(self._pitch + pitch, -MAX_PITCH), MAX_PITCH)

    @property
    def pose(self) -> Pose:
        """Foot point and view direction."""
        state, yaw, pitch = self._walker.state, self._yaw, self._pitch
        if self._posed[0] is not state or self._posed[1:3] != (yaw, pitch):  # asked for many times a step
            self._posed = (state, yaw, pitch, Pose(state.east, state.north, state.up, wrap_angle(yaw), pitch))
        return self._posed[3]

    @property
    def eye_pose(self) -> Pose:
        """The same with the eye's height as `up`."""
        pose = self.pose
        return Pose(pose.east, pose.north, pose.up + self._config.eye_height, pose.yaw, pose.pitch)

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
        kept, steps = self._conditions, self._steps - self._set_at
        if self._timed[0] is not kept or self._timed[1] != steps:
            self._timed = (kept, steps, kept.after(steps * STEP_S))
        return self._timed[2]

    @conditions.setter
    def conditions(self, conditions: Conditions) -> None:
        self._conditions, self._set_at = conditions, self._steps

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
        return self._walker.state.moving_touch.total if self._life.company is None else self._life.contacts

    @property
    def grounded(self) -> bool:
        """Whether the walker stands on something."""
        return self._walker.state.grounded

    @property
    def crowd(self) -> Crowd | None:
        """The people of the episode, to be read; None where there are none."""
        return self._life.company.crowd if self._life.company is not None else None

    @property
    def closures(self) -> tuple[Closure, ...]:
        """The closures whose notice was given: they stand in the street and may not be crossed."""
        return self._life.enforced

    @property
    def notices(self) -> tuple[str, ...]:
        """Texts of all notices given since the start."""
        return self._life.notices

    @property
    def crossed(self) -> tuple[str, ...]:
        """Labels of the closures crossed since the start."""
        return self._life.crossed

    @property
    def exposure(self) -> Exposure:
        """The walker and the rain, now and since the start."""
        return self._life.exposure(self._walker.state[:3], self._conditions)

    @property
    def surfaces(self) -> NativeSpace:
        """The city's triangles as citysim's own queries see them, whatever engine walks; people are not in it."""
        return self._body.sky.space

    @property
    def capsules(self) -> NDArray[np.float64]:
        """(N, 5) float64 foot point, radius and height of all people on the street now, and of the bystanders."""
        people = capsules_of(self._life, self._steps)
        return np.vstack([people, self._bystanders]) if len(self._bystanders) else people

    @property
    def bystanders(self) -> NDArray[np.float64]:
        """(C, 5) float64 foot point, radius and height of other walkers, who stand while this one moves.

        Whoever steps several walkers sets them before each turn; a reset takes them away, and they are in no snapshot.
        """
        return self._bystanders

    @bystanders.setter
    def bystanders(self, capsules: NDArray[np.float64]) -> None:
        self._bystanders = np.asarray(capsules, dtype=np.float64).reshape(-1, 5)

    def bodies(self) -> Bodies | None:
        """The people within sight and the barriers of closures, for `View`; None where there are none."""
        return bodies_of(self._life, self._steps, self.eye_pose, self.conditions)

    def states(self) -> dict[int, int]:
        """Which of its pictures each traffic signal shows now, for `View`."""
        return self._life.shown(self.time_s)

    def resident(self, person: int) -> Resident:
        """Who a person of the crowd is, and what for it is on its way; raises InputError for a number that none has."""
        return self._life.resident(person)

    @property
    def profile(self) -> Profile:
        """Who the walker is and how it is."""
        speed = self._last.distance_m / max(self._last.duration_s, STEP_S) if self._last is not None else 0.0
        return profile_of(self.time_s, self._path_length, speed, self.grounded)

    @property
    def signals(self) -> tuple[SignalState, ...]:
        """The signals at crossings, in the network's order."""
        return self._life.signals(self.time_s)

    @property
    def sight_distance_m(self) -> float:
        """Metres one sees at the ground; inf in clear air."""
        return sight_distance_m(self.conditions)

    def have_people(self, crowd: CrowdSpec | None) -> None:
        """Have these people from now on instead of those who are there; contacts go on being counted.

        Raises InputError for people in a city without pedestrian network.
        """
        self._life.people(crowd, self._walker.state[:3], self.conditions)

    def step_record(self) -> dict[str, Any]:
        """Where all are now and what the last `advance` met, as plain data, with a digest of the whole state.

        step, time, weather; pose: east, north, up, yaw, pitch (radians), exact; people within 100 m: number, east,
        north, up, yaw, rounded; contacts, notices, crossed; state_sha256.
        """
        return step_record(
            self._life, self._steps, self.pose, self.conditions, self._last, digest_of(tuple(self.snapshot()))
        )

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
            self._set_at,
            self._life.keep(),
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Continue from an earlier state, exactly."""
        self._walker.state = snapshot.walker
        self._yaw, self._pitch, self._steps = snapshot.yaw, snapshot.pitch, snapshot.steps
        self._conditions, self._set_at = snapshot.conditions, snapshot.set_at
        self._path_length, self._support_up = snapshot.path_length_m, snapshot.support_up
        self._last = None
        if snapshot.life is not None:
            self._life.restore(snapshot.life)

    def ground_pose(self, east: float, north: float, heading_deg: float = 0.0, up_hint: float | None = None) -> Pose:
        """A pose standing on the ground at a point.

        Of the walkable surfaces with room for the walker, the one nearest to `up_hint` (within 3 m) is taken; without
        a hint the one nearest to the pedestrian network, else the lowest.
        Raises InputError where there is none or the walker does not fit.
        """
        return self._body.ground_pose(east, north, heading_deg, up_hint)

    def close(self) -> None:
        """Free the physics engine; calling it twice is fine."""
        self._body.close()
