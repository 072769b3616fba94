"""People: who they are, drawn person by person so that one more moves nobody else, and where they are on their way."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.crowd.hashing import normals, stream, units

BLOCK = 6
PARTIES = ((1, 1, 1, 1, 1, 1), (2, 1, 1, 1, 1), (2, 1, 2, 1), (3, 1, 1, 1), (2, 2, 2), (4, 2))
PARTY_SHARES = (0.30, 0.55, 0.72, 0.84, 0.95, 1.0)  # cumulative

AGES = (5.0, 10.0, 20.0, 40.0, 60.0, 70.0, 85.0)
PACES = (0.85, 1.15, 1.60, 1.46, 1.30, 1.08, 0.75)
"""Free speed by age, m/s: the fall after Weidmann (1993), read off his curve to about 0.1 m/s."""

AGE_QUANTILES = (5.0, 14.0, 22.0, 29.0, 36.0, 43.0, 50.0, 57.0, 65.0, 73.0, 88.0)
SPREAD = 0.12
SLOWEST, FASTEST = 0.6, 2.0


# Rows of `People.ints`
TASTE, PARTY, SIZE, WAY, SEGMENT, GOAL, TRIP = range(7)
# Rows of `People.reals`; BACK has three
AGE, PACE, BODY, LATERAL, STOP, UNTIL, FIRST_PHASE, BACK = range(8)


class People(NamedTuple):
    """Everyone's profile and place on the network.

    ints   (7, N) int32: TASTE, see `ways`; PARTY number of the first of those who walk together and SIZE how many they
           are; WAY, SEGMENT where on the network; GOAL number of the destination; TRIP how many were made
    reals  (10, N) float64: AGE years; PACE free speed, m/s; BODY radius; LATERAL -1 (left edge) to 1 of the way; STOP
           metres before a red crossing; UNTIL seconds when who is indoors comes out; FIRST_PHASE of the
           gait; BACK point before the segment
    touched (N,) uint8 by the agent

    As in the state, a person's values lie side by side.
    """

    ints: NDArray[np.int32]
    reals: NDArray[np.float64]
    touched: NDArray[np.uint8]

    def copies(self) -> "People":
        """The same in arrays of their own."""
        return People(self.ints.copy(), self.reals.copy(), self.touched.copy())

    def take(self, other: "People") -> None:
        """Become equal to others of the same number."""
        self.ints[:], self.reals[:], self.touched[:] = other.ints, other.reals, other.touched


def build_people(count: int, seed: int) -> People:
    """So many people of a seed; the first of them are the same for every count."""
    ids = np.arange(count)

    def draw(name: str) -> NDArray[np.float64]:
        return units(stream(seed, name), ids)

    age = np.interp(draw("age"), np.linspace(0.0, 1.0, len(AGE_QUANTILES)), AGE_QUANTILES)
    pace = np.interp(age, AGES, PACES) * (1.0 + SPREAD * normals(stream(seed, "pace"), ids))
    pace = np.clip(pace, SLOWEST, FASTEST)
    party, size = _parties(count, seed)
    for step in range(1, max(map(max, PARTIES))):  # all walk as fast as the slowest
        mate = np.minimum(party + step, max(count - 1, 0))
        pace = np.where(step < size, np.minimum(pace, pace[mate]), pace)
    pace = pace[party]
    taste = np.where(draw("habit") < 0.5, 0, 1)
    taste = np.where(draw("lift") < 0.25, 3, taste)
    taste = np.where((age > 70.0) | (draw("wheels") < 0.05), 2, taste)
    lateral = 2.0 * draw("lateral") - 1.0
    people = People(np.zeros((count, 8), np.int32).T[:7], np.zeros((count, BACK + 3)).T, np.zeros(count, np.uint8))
    people.ints[TASTE], people.ints[PARTY], people.ints[SIZE] = taste[party], party, size
    people.reals[AGE], people.reals[PACE], people.reals[BODY] = age, pace, np.where(age < 13.0, 0.16, 0.2)
    people.reals[LATERAL], people.reals[STOP], people.reals[FIRST_PHASE] = (
        lateral,
        0.5 + 1.5 * draw("stop"),
        draw("phase"),
    )
    return people


def _parties(count: int, seed: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """First member and size of each person's party: blocks of six persons are split by a pattern each."""
    blocks = -(-count // BLOCK)
    kinds = np.searchsorted(PARTY_SHARES, units(stream(seed, "parties"), np.arange(blocks)), side="right")
    first = np.array([[sum(p[:k]) for k, n in enumerate(p) for _ in range(n)] for p in PARTIES], dtype=np.int64)
    sizes = np.array([[n for n in p for _ in range(n)] for p in PARTIES], dtype=np.int64)
    party = (np.arange(blocks)[:, None] * BLOCK + first[kinds]).ravel()[:count]
    size = np.minimum(sizes[kinds].ravel()[:count], count - party)  # the last block may be cut short
    return party.astype(np.int32), size.astype(np.int32)
