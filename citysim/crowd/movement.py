"""Movement: persons on the plane of their levels, each with a wished direction; the model without a city."""

import itertools
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from citysim.crowd import cells, steering
from citysim.crowd.rows import HOT_COLUMNS, OUT_ROWS, STATE_ROWS
from citysim.crowd.walls import Walls
from citysim.crowd.weidmann import speed_table
from citysim.errors import InputError

SPARSE_CELL_M, DENSE_CELL_M = 3.0, 1.5
LONGEST_STEP_S = 0.1
FEWEST_PER_THREAD = 500


class Movement:
    """The arrays of up to `persons` persons and the step that moves them; rows as in `rows`.

    `state` (STATE_ROWS, N) float64, `active` (N,) uint8 and `groups` (N,) int32 (-1 alone) may be written between
    steps. Persons who are not active are neither seen nor moved. `keep` is 1 where people keep right, -1 left.
    """

    def __init__(self, persons: int, walls: Walls, *, keep: int = 1, dense: bool = False, threads: int = 1) -> None:
        self.walls, self.keep, self.threads = walls, float(keep), threads
        self.cell = DENSE_CELL_M if dense else SPARSE_CELL_M
        self.state = np.zeros((STATE_ROWS, persons))
        self.active = np.zeros(persons, dtype=np.uint8)
        self.groups = np.full(persons, -1, dtype=np.int32)
        self._out = np.zeros((OUT_ROWS, persons))
        self._table = speed_table()
        self._pool: ThreadPoolExecutor | None = None
        self._order = np.zeros(0, dtype=np.int32)
        self._make_room(0)

    def step(self, dt: float, bodies: NDArray[np.float64] | None = None) -> None:
        """Move everyone by `dt` seconds: all computed from the state at its start, then all applied.

        `bodies` (A, 8) float64 are seen but not moved: x, y, velocity, heading vector, radius, foot height.
        Raises InputError for a step outside (0, 0.1] s.
        """
        if not 0.0 < dt <= LONGEST_STEP_S:
            raise InputError(f"a step of at most {LONGEST_STEP_S} s", f"{dt}", "several shorter steps")
        seen = np.ascontiguousarray(bodies, dtype=np.float64) if bodies is not None else np.empty((0, HOT_COLUMNS))
        self._make_room(len(seen))
        count = cells.fill(
            self.state, self.groups, self.active, seen, self.cell, self._starts, self._order, self._hot, self._mates
        )
        parts = min(self.threads, count // FEWEST_PER_THREAD)
        if parts > 1:
            ends = [count * k // (4 * parts) for k in range(4 * parts + 1)]
            pool = self._threads()
            for task in [pool.submit(self._move, a, b, dt) for a, b in itertools.pairwise(ends)]:
                task.result()
        else:
            self._move(0, count, dt)
        steering.apply(self._order, count, self._out, self.state)

    def _move(self, first: int, last: int, dt: float) -> None:
        steering.move(
            first, last, self.state, self._starts, self._order, self._hot, self._mates, *self.walls, self._table,
            self.cell, self.keep, dt, self._out,
        )  # fmt: skip

    def _make_room(self, bodies: int) -> None:
        """Work arrays for all persons and some bodies; what they held before is of no use."""
        rows = self.state.shape[1] + bodies
        if len(self._order) >= rows > 0:
            return
        self._starts = np.zeros(cells.buckets_for(rows) + 1, dtype=np.int32)
        self._order, self._mates = np.zeros((2, rows), dtype=np.int32)
        self._hot = np.zeros((rows, HOT_COLUMNS))

    def _threads(self) -> ThreadPoolExecutor:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads)
        return self._pool
