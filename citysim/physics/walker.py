"""Walker: an upright capsule that walks, slides along walls, climbs steps, jumps and falls."""

import math
from typing import NamedTuple

import numpy as np

from citysim.errors import InputError
from citysim.physics.config import STEP_S, WalkerConfig
from citysim.physics.ground import GroundProbe, Support
from citysim.physics.movers import NOBODY, MoverBodies, Movers
from citysim.physics.slide import Line, nearest_step
from citysim.physics.space import Array, Space
from citysim.physics.touch import Touch

_REACH_M = 0.25  # how far contacts are asked for: long enough that a free walker asks only now and then
_NEAR_M = 0.10  # beside a surface this near every substep asks anyway, so no further than it needs
_BUMP_LOSS = 0.10  # share of the wished step whose loss begins a bump: a wall met at more than 18 deg
_PUSH_LOSS = 0.02  # share whose loss keeps it going
_MAX_SHOVE_M = 0.06  # a rise or a fall may push the capsule aside this far, more means it does not fit
_STEEP_LIFT_M = 0.02  # steep ground lifting the foot less than this is mere roughness
_SLIDE_SPEED = 3.0  # downward speed on ground too steep to stand on


class Plane(NamedTuple):
    """One contact: gap to it, its normal and its body."""

    gap: float
    east: float
    north: float
    up: float
    body: int


class WalkerState(NamedTuple):
    """Everything about a walker that changes; restoring it continues the walk exactly."""

    east: float
    north: float
    up: float
    vertical_speed: float = 0.0
    grounded: bool = True
    static_touch: Touch = Touch()
    moving_touch: Touch = Touch()


class Walker:
    """Moves in substeps of 1/60 s by plane constraints.

    The capsule is lifted by the step height, so that low things pass under it; rays find the ground for its foot
    (`GroundProbe`). Each contact's plane separates the capsule from one triangle, so a step on the allowed side of all
    planes touches nothing, however thin or wrongly wound the triangles are; moves longer than half a radius are
    divided. Cached contacts and the resting shortcut change the cost of a step, never its result.
    """

    def __init__(self, space: Space, config: WalkerConfig | None = None) -> None:
        self._space = space
        self.config = config if config is not None else WalkerConfig()
        self._ground = GroundProbe(space, self.config)
        self._movers = MoverBodies(space)
        self._body_height = self.config.height - self.config.step_height
        self._longest = 0.5 * self.config.radius
        self._state = WalkerState(0.0, 0.0, 0.0)
        self._resting = False
        self._known = _Known(math.inf, math.inf, math.inf, 0.0, 0.0, -1, [])

    @property
    def state(self) -> WalkerState:
        """The present state; assign it to restore an earlier one."""
        return self._state

    @state.setter
    def state(self, state: WalkerState) -> None:
        self._check(state)
        self._state = state
        self._resting = False

    @staticmethod
    def _check(state: WalkerState) -> None:
        if not all(map(math.isfinite, state[:4])):
            raise InputError("a finite walker position and speed", str(state[:4]), "numbers without NaN or infinity")

    @property
    def foot(self) -> tuple[float, float, float]:
        """The foot point, local metres."""
        return self._state.east, self._state.north, self._state.up

    def place(self, east: float, north: float, up: float) -> None:
        """Put the foot at a point, at rest; touches are counted anew."""
        self.state = WalkerState(east, north, up)

    def fits(self, east: float, north: float, up: float) -> bool:
        """Whether the lifted capsule overlaps nothing that stands still when its foot stands at a point."""
        self._movers.clear()
        return not self._contacts(east, north, up, 0.0)

    def levels(self, east: float, north: float, top: float, bottom: float) -> list[float]:
        """Foot heights, ascending, at which the walker could stand over a point between two heights."""
        self._movers.clear()
        standing: list[float] = []
        for surface in self._ground.surfaces(east, north, top, bottom):
            up = self._ground.feel(east, north, surface, self.config.step_height).walkable
            if math.isfinite(up) and self.fits(east, north, up) and (not standing or up > standing[-1] + 1e-3):
                standing.append(up)
        return standing

    def step(self, east_speed: float, north_speed: float, *, jump: bool = False) -> WalkerState:
        """Move for one substep at a wished horizontal velocity (m/s, local axes) and return the new state."""
        s = self._state
        if (
            self._resting
            and not jump
            and east_speed == north_speed == 0.0
            and self._known.revision == self._space.revision
        ):
            self._state = s._replace(
                static_touch=s.static_touch.released(s.east, s.north),
                moving_touch=s.moving_touch.released(s.east, s.north),
            )
            return self._state
        speed, grounded, fall = s.vertical_speed, s.grounded, 0.0
        if jump and grounded:
            speed, grounded = self.config.jump_speed, False
        if not grounded:
            after = max(speed - self.config.gravity * STEP_S, -self.config.max_fall_speed)
            fall, speed = 0.5 * (speed + after) * STEP_S, after
        move_east, move_north = east_speed * STEP_S, north_speed * STEP_S
        parts = max(1, math.ceil(max(math.hypot(move_east, move_north), abs(fall)) / self._longest))
        touching = s.static_touch.active or s.moving_touch.active
        motion = _Motion(s.east, s.north, s.up, speed, grounded, _PUSH_LOSS if touching else _BUMP_LOSS)
        for _ in range(parts):
            if motion.grounded:
                self._walk(motion, move_east / parts, move_north / parts)
            else:
                self._fly(motion, move_east / parts, move_north / parts, fall / parts)
        place = (motion.east, motion.north)
        static, moving = motion.static_push, motion.moving_push
        self._resting = motion.grounded and (*place, motion.up) == (s.east, s.north, s.up)
        self._state = WalkerState(
            *place,
            motion.up,
            motion.speed,
            motion.grounded,
            s.static_touch.pushed(*place, static) if static else s.static_touch.released(*place),
            s.moving_touch.pushed(*place, moving) if moving else s.moving_touch.released(*place),
        )
        return self._state

    def walk(self, wishes: Array, jump_at: int = -1, movers: Movers = NOBODY) -> Array:
        """Move for one substep at each of (N, 2) wished velocities, jumping in substep `jump_at`, among `movers`.

        In each substep the movers go on first. They stay until the next call, which says who is there then.
        Returns (N, 4): the foot point after each, and 1 where the walker then stands on something, else 0.
        """
        path = np.empty((len(wishes), 4))
        for row, (east, north) in enumerate(wishes.tolist()):
            self._movers.place(movers, row + 1)
            path[row] = (*self.step(east, north, jump=row == jump_at)[:3], self._state.grounded)
        return path

    def _walk(self, motion: "_Motion", move_east: float, move_north: float) -> None:
        """Slide along the walls, then follow the ground up or down."""
        x, y, z = motion.east, motion.north, motion.up
        planes = self._contacts(x, y, z, math.hypot(move_east, move_north) + self.config.skin)
        step = self._slide(planes, move_east, move_north, 0.0) or (0.0, 0.0)
        self._note_push(motion, planes, (move_east, move_north), step)
        support = self._ground.feel(x + step[0], y + step[1], z, self.config.step_height)
        if (
            self._too_steep(support, z, step)
            and support.steep > self._ground.feel(x, y, z, self.config.step_height).steep
            and not self._ground.levels_off(x, y, z, support.steep_normal)
        ):
            uphill: Line = (support.steep_normal[0], support.steep_normal[1], 0.0)
            step = self._slide(planes, move_east, move_north, 0.0, uphill) or (0.0, 0.0)
            support = self._ground.feel(x + step[0], y + step[1], z, self.config.step_height)
            if self._too_steep(support, z, step):
                step = (0.0, 0.0)
                support = self._ground.feel(x, y, z, self.config.step_height)
        height = support.walkable
        steep = step != (0.0, 0.0) and support.steep > max(height, z - _STEEP_LIFT_M)
        if steep and self._ground.levels_off(x, y, z, support.steep_normal):  # a bevel on the way up to a step
            height = support.steep
        if height == -math.inf:
            motion.east, motion.north = x + step[0], y + step[1]
            motion.grounded, motion.speed = False, 0.0
            return
        fitted = self._fit(motion, step, height - z)
        if fitted is not None:
            motion.east, motion.north, motion.up = x + fitted[0], y + fitted[1], height
        elif height < z:  # something below the body holds it up
            motion.east, motion.north = x + step[0], y + step[1]

    def _fly(self, motion: "_Motion", move_east: float, move_north: float, rise: float) -> None:
        """Rise or fall; land on walkable ground, slide off steep ground."""
        x, y, z = motion.east, motion.north, motion.up
        skin = self.config.skin
        planes = self._contacts(x, y, z, math.hypot(move_east, move_north) + abs(rise) + skin)
        for plane in planes:
            if rise > 0.0 and plane.up < -0.7:
                free = max(0.0, plane.gap - skin) / -plane.up
                if free < rise:
                    rise, motion.speed = free, 0.0
        step = self._slide(planes, move_east, move_north, rise)
        if step is None:  # wedged: hold on to what there is
            motion.grounded, motion.speed = True, 0.0
            return
        self._note_push(motion, planes, (move_east, move_north), step)
        if rise > 0.0:
            motion.east, motion.north, motion.up = x + step[0], y + step[1], z + rise
            return
        support = self._ground.feel(x + step[0], y + step[1], z, -rise)
        if support.walkable >= z + rise:
            fitted = self._fit(motion, step, support.walkable - z)
            if fitted is not None:
                motion.east, motion.north, motion.up = x + fitted[0], y + fitted[1], support.walkable
                motion.grounded, motion.speed = True, 0.0
                return
        elif support.steep > z + rise:
            nx, ny, nz = support.steep_normal
            aside = step[0] * nx + step[1] * ny + (support.steep - z - rise) * nz
            downhill = self._slide(planes, move_east, move_north, rise, (nx, ny, aside))
            if downhill is None or math.hypot(*downhill) < 1e-3:
                motion.grounded, motion.speed = True, 0.0
                return
            step, motion.speed = downhill, max(motion.speed, -_SLIDE_SPEED)
        motion.east, motion.north, motion.up = x + step[0], y + step[1], z + rise

    def _too_steep(self, support: Support, z: float, step: tuple[float, float]) -> bool:
        """Whether a step would climb ground beyond the slope limit."""
        lifted = support.steep > max(support.walkable, z) + _STEEP_LIFT_M
        return lifted and step[0] * support.steep_normal[0] + step[1] * support.steep_normal[1] < -1e-9

    def _fit(self, motion: "_Motion", step: tuple[float, float], rise: float) -> tuple[float, float] | None:
        """The horizontal step, pushed aside where needed, that allows a rise or a drop; None when nothing does."""
        if abs(rise) < 1e-9:
            return step
        reach = math.hypot(*step) + abs(rise) + self.config.skin
        planes = self._contacts(motion.east, motion.north, motion.up, reach)
        return self._slide(planes, step[0], step[1], rise)

    def _slide(
        self, planes: list[Plane], east: float, north: float, rise: float, *more: Line
    ) -> tuple[float, float] | None:
        """The allowed horizontal step nearest to the wished one, for a given vertical displacement."""
        if not planes and not more:
            return east, north
        skin = self.config.skin
        lines: list[Line] = [(p.east, p.north, skin - p.gap - rise * p.up) for p in planes]
        lines.extend(more)
        found = nearest_step(east, north, lines)
        limit = math.hypot(east, north) + _MAX_SHOVE_M
        if found is not None and math.hypot(*found) <= limit:
            return found
        # No room to keep the full gap everywhere: at least come no closer to what is already too near.
        lines = [(p.east, p.north, min(0.0, skin - p.gap) - rise * p.up) for p in planes]
        lines.extend(more)
        found = nearest_step(east, north, lines)
        return found if found is not None and math.hypot(*found) <= limit else None

    def _note_push(
        self, motion: "_Motion", planes: list[Plane], wish: tuple[float, float], step: tuple[float, float]
    ) -> None:
        """Remember what stands in the way of the wished step, if it costs enough of it."""
        wished = wish[0] * wish[0] + wish[1] * wish[1]
        if not planes or wished < 1e-12:
            return
        if wish[0] * step[0] + wish[1] * step[1] > (1.0 - motion.bump_loss) * wished:
            return
        worst: dict[bool, float] = {False: -1e-9, True: -1e-9}
        for plane in planes:
            over = wish[0] * plane.east + wish[1] * plane.north + plane.gap - self.config.skin
            flat = math.hypot(plane.east, plane.north)
            moving = self._space.is_moving(plane.body)
            if over < worst[moving] and flat > 0.1:
                worst[moving] = over
                away = (plane.east / flat, plane.north / flat)
                if moving:
                    motion.moving_push = away
                else:
                    motion.static_push = away

    def _contacts(self, east: float, north: float, up: float, reach: float) -> list[Plane]:
        """Planes of all surfaces within `reach` of the lifted capsule over a foot point."""
        known, revision = self._known, self._space.revision
        moved = math.sqrt((east - known.east) ** 2 + (north - known.north) ** 2 + (up - known.up) ** 2)
        # Moving by `moved` brings nothing nearer than by `moved`: short of the nearest known surface all is free.
        if known.revision == revision and moved + reach < known.nearest - 1e-6:
            return []
        if not (moved == 0.0 and reach <= known.reach and known.revision == revision):
            beside = bool(known.planes) and known.nearest < _NEAR_M
            asked = reach if beside else max(reach, _REACH_M)
            foot = np.array((east, north, up + self.config.step_height))
            found = self._space.capsule_contacts(foot, self.config.radius, self._body_height, asked)
            rows = zip(found.distance.tolist(), found.normal.tolist(), found.body.tolist(), strict=True)
            planes = [Plane(gap, n[0], n[1], n[2], body) for gap, n, body in rows]
            nearest = min((plane.gap for plane in planes), default=asked)
            known = self._known = _Known(east, north, up, asked, nearest, revision, planes)
        return [plane for plane in known.planes if plane.gap <= reach]


class _Known(NamedTuple):
    """The planes last asked for: around which foot point, within what reach, in which revision of the space."""

    east: float
    north: float
    up: float
    reach: float
    nearest: float
    revision: int
    planes: list[Plane]


class _Motion:
    """A substep under way."""

    __slots__ = ("bump_loss", "east", "grounded", "moving_push", "north", "speed", "static_push", "up")

    def __init__(self, east: float, north: float, up: float, speed: float, grounded: bool, bump_loss: float) -> None:
        self.east, self.north, self.up = east, north, up
        self.speed, self.grounded, self.bump_loss = speed, grounded, bump_loss
        self.static_push: tuple[float, float] | None = None
        self.moving_push: tuple[float, float] | None = None
