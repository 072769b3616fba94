"""NativeWalker: the walker's rules compiled into one kernel over a native space."""

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from citysim.physics.config import WalkerConfig
from citysim.physics.movers import NOBODY, Movers
from citysim.physics.native import NativeSpace
from citysim.physics.touch import Touch
from citysim.physics.walker import Walker, WalkerState

if TYPE_CHECKING:
    from citysim.physics.nativelocal import Near

_ROOM = 256  # triangles gathered at first; grows where there are more
_PEOPLE = 64


class NativeWalker(Walker):
    """Walks as `Walker` does, to the last bits, many times faster."""

    def __init__(self, space: NativeSpace, config: WalkerConfig | None = None) -> None:
        super().__init__(space, config)
        self._native = space
        self._near: Near | None = None
        self._arguments: tuple[Any, ...] = ()
        self._seen: tuple[int, ...] = ()  # which tables and revisions `_arguments` were made for
        self._tables: Any = None
        self._window = np.zeros(4)
        self._people = np.zeros((_PEOPLE, 11))
        self._vector = _to_vector(self._state)
        self._stale = False  # whether `_vector` is newer than `_state`

    @property
    def state(self) -> WalkerState:
        """The present state; assign it to restore an earlier one."""
        if self._stale:
            self._state, self._stale = _from_vector(self._vector.tolist()), False
        return self._state

    @state.setter
    def state(self, state: WalkerState) -> None:
        self._check(state)
        self._state, self._vector, self._stale = state, _to_vector(state), False

    @property
    def foot(self) -> tuple[float, float, float]:
        """The foot point, local metres."""
        east, north, up = self._vector[:3].tolist()
        return east, north, up

    def walk(self, wishes: NDArray[np.float64], jump_at: int = -1, movers: Movers = NOBODY) -> NDArray[np.float64]:
        """Move for one substep at each of (N, 2) wished velocities; see `Walker.walk`."""
        from citysim.physics.nativestep import DONE, MORE_ROOM, walk_substeps

        wishes = np.ascontiguousarray(wishes, np.float64).reshape(-1, 2)
        path = np.empty((len(wishes), 4))
        state = self._vector.copy()
        done, reason = 0, -1
        while reason != DONE:
            arguments = self._current(movers)
            done, reason = walk_substeps(*arguments, state, self._window, wishes, jump_at, done, path)
            if reason == MORE_ROOM:
                self._grow()
            elif reason != DONE:
                reach = 8.0 + float(np.abs(wishes[done]).max())
                x, y = float(state[0]), float(state[1])
                self._native.load(x - reach, y - reach, x + reach, y + reach)
                self._window[:] = self._native.window
        self._vector, self._stale = state, True
        return path

    def step(self, east_speed: float, north_speed: float, *, jump: bool = False) -> WalkerState:
        """Move for one substep at a wished horizontal velocity (m/s, local axes) and return the new state."""
        self.walk(np.array(((east_speed, north_speed),)), 0 if jump else -1)
        return self.state

    def _current(self, movers: Movers) -> tuple[Any, ...]:
        """Arguments of the kernel that agree with the space as it is now, with the movers in their arrays."""
        from citysim.physics.nativelocal import FIRST, PEOPLE

        space = self._native
        standing, count = len(space.capsules), len(movers.rows)
        if standing + count > len(self._people):
            self._people, self._seen = np.zeros((2 * (standing + count), 11)), ()
        arguments = self._arguments_for(standing)
        assert self._near is not None
        desk = self._near.desk
        if count or desk[PEOPLE] > standing:
            if count:
                rows = self._people[standing : standing + count]
                rows[:, 3:5], rows[:, 5:8], rows[:, 8:] = movers.rows[:, 3:5], movers.rows[:, :3], movers.rows[:, 5:]
            desk[PEOPLE], desk[FIRST] = standing + count, movers.first
        return arguments

    def _arguments_for(self, standing: int) -> tuple[Any, ...]:
        from citysim.physics.nativelocal import BOX, PEOPLE, STANDING, VALID

        space = self._native
        tables = space.scene.tables
        seen = (id(tables), space.revision, space.static_revision)
        if seen == self._seen:
            return self._arguments
        near = self._near if self._near is not None else self._surroundings(_ROOM)
        if len(near.planes) <= len(near.feet) + len(self._people):
            near = near._replace(planes=_planes(len(near.feet), len(self._people)))
            near.desk[VALID] = 0.0
        self._people[:standing, :5] = space.capsules[:, :5]
        near.desk[PEOPLE] = near.desk[STANDING] = standing
        if not self._seen or seen[1] != self._seen[1]:
            near.desk[VALID] = 0.0
        if not self._seen or seen[2] != self._seen[2]:
            near.desk[BOX : BOX + 3] = math.inf
        self._near = near._replace(people=self._people)
        self._tables = tables  # keeps the id taken
        self._window[:] = space.window
        self._arguments, self._seen = (*tables, *self._near), seen
        return self._arguments

    def _grow(self) -> None:
        """Make room for all the triangles that were found."""
        from citysim.physics.nativelocal import NEEDED

        assert self._near is not None
        self._near, self._seen = self._surroundings(2 * int(self._near.desk[NEEDED])), ()

    def _surroundings(self, room: int) -> "Near":
        from citysim.physics.nativelocal import BOX, DESK, PEOPLE, RADIUS, RIM, SOLE, STORE, Near

        c = self.config
        sole, rim, ahead = self._ground.rays
        desk = np.zeros(DESK)
        desk[BOX : BOX + 3] = math.inf
        desk[SOLE], desk[RIM] = len(sole), len(rim)
        walkable = math.cos(math.radians(c.slope_deg))
        desk[RADIUS:PEOPLE] = (
            c.radius, c.height, c.step_height, walkable, c.gravity, c.jump_speed, c.max_fall_speed, c.skin,
        )  # fmt: skip
        rays = np.concatenate([sole, rim, np.column_stack([ahead, np.zeros((len(ahead), 2))])])
        feet = np.empty(room, np.int32)
        return Near(np.empty((room, STORE)), feet, _planes(room, len(self._people)), self._people, rays, desk)


def _planes(room: int, people: int) -> NDArray[np.float64]:
    return np.empty((room + people + 1, 8))


def _to_vector(state: WalkerState) -> NDArray[np.float64]:
    """The state as the kernel has it, not resting."""
    east, north, up, speed, grounded, static, moving = state
    return np.array((east, north, up, speed, grounded, 0.0, *static, *moving), np.float64)


def _from_vector(values: list[float]) -> WalkerState:
    east, north, up, speed, grounded = values[:5]
    static, moving = (Touch(int(v[0]), bool(v[1]), int(v[2]), *v[3:]) for v in (values[6:13], values[13:]))
    return WalkerState(east, north, up, speed, bool(grounded), static, moving)
