"""Movement: persons on the plane of their levels, each with a wished direction; the model without a city."""

import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from citysim.crowd import cells, steering
from citysim.crowd.gliding import glide
from citysim.crowd.rows import HOT_COLUMNS, empty_state, roomy
from citysim.crowd.walls import Walls
from citysim.crowd.weidmann import speed_table
from citysim.errors import InputError

SPARSE_CELL_M, DENSE_CELL_M = 3.0, 1.5
LONGEST_STEP_S = 0.1
FEWEST_PER_THREAD = 500
NOBODY = np.empty((0, HOT_COLUMNS))


class Movement:
    """The arrays of up to `persons` persons and the step that moves them; rows as in `rows`.

    `state` (STATE_ROWS, N) float64, `active` (N,) uint8 and `groups` (N,) int32 (-1 alone) may be written between
    steps (with CLEAR 0 for whoever is put elsewhere). Persons who are not active are neither seen nor moved. `keep` is
    1 where people keep right, -1 left.
    """

    def __init__(self, persons: int, walls: Walls, *, keep: int = 1, dense: bool = False, threads: int = 1) -> None:
        self.walls, self.keep, self.threads = walls, float(keep), threads
        self.cell = DENSE_CELL_M if dense else SPARSE_CELL_M
        self.state = empty_state(persons)
        self.active = np.zeros(persons, dtype=np.uint8)
        self.groups = np.full(persons, -1, dtype=np.int32)
        self._table = speed_table()
        self._pool: ThreadPoolExecutor | None = None
        self._buckets = np.zeros(0, dtype=np.uint32)
        self._make_room(0)

    def step(self, dt: float, bodies: NDArray[np.float64] | None = None) -> None:
        """Move everyone by `dt` seconds: all computed from the state at its start, then all applied.

        `bodies` (A, 8) float64 are seen but not moved: x, y, velocity, heading vector, radius, foot height.
        Raises InputError for a step outside (0, 0.1] s.
        """
        check_step(dt)
        self.decide(dt, NOBODY if bodies is None else np.ascontiguousarray(bodies, dtype=np.float64))
        glide(0, self.state.shape[1], dt, self.state, self.active)

    def decide(self, dt: float, bodies: NDArray[np.float64], rounds: int = 1) -> None:
        """Decide how everyone moves for the next `dt` seconds; nobody moves yet.

        Who meets nobody decides for `rounds` times as long, and is left out so often (HOLD).
        """
        self._make_room(len(bodies))
        count = cells.fill(
            self.state, self.groups, self.active, bodies, self.cell, self._starts, self._buckets, self._order,
            self._hot, self._mates,
        )  # fmt: skip
        if self.threads == 1:
            self._move(0, count, dt, rounds)
        else:
            self.share(count, lambda first, last: self._move(first, last, dt, rounds))

    def share(self, count: int, work: Callable[[int, int], None]) -> None:
        """Do `work` on the ranges of 0 to `count`, in all threads where it is worth it."""
        parts = min(self.threads, count // FEWEST_PER_THREAD)
        if parts <= 1:
            work(0, count)
            return
        ends = [count * k // (4 * parts) for k in range(4 * parts + 1)]
        pool = self._threads()
        for task in [pool.submit(work, a, b) for a, b in itertools.pairwise(ends)]:
            task.result()

    def _move(self, first: int, last: int, dt: float, rounds: int) -> None:
        steering.move(
            first, last, self.state, self._starts, self._order, self._hot, self._mates, *self.walls, self._table,
            self.cell, self.keep, dt, rounds,
        )  # fmt: skip

    def _make_room(self, bodies: int) -> None:
        """Work arrays for all persons and some bodies; what they held before is of no use."""
        rows = self.state.shape[1] + bodies
        if len(self._buckets) >= rows > 0:
            return
        self._starts = np.zeros(cells.buckets_for(rows) + cells.GHOSTS + 1, dtype=np.uint32)
        self._buckets = np.zeros(rows, dtype=np.uint32)
        self._order = np.zeros(2 * rows + 2, dtype=np.uint32)
        self._mates = np.zeros(2 * rows + 2, dtype=np.int32)
        self._hot = roomy((2 * rows + 2) * HOT_COLUMNS)

    def _threads(self) -> ThreadPoolExecutor:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads)
        return self._pool


def check_step(dt: float) -> None:
    """Raise InputError for a step outside (0, 0.1] s."""
    if not 0.0 < dt <= LONGEST_STEP_S:
        raise InputError(f"a step of at most {LONGEST_STEP_S} s", f"{dt}", "several shorter steps")
