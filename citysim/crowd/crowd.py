"""Crowd: the people of a city, walking its network."""

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.city import City
from citysim.crowd.follow import follow
from citysim.crowd.gliding import glide
from citysim.crowd.hashing import stream
from citysim.crowd.movement import LONGEST_STEP_S, NOBODY, Movement, check_step
from citysim.crowd.people import AGE, FIRST_PHASE, PARTY, SIZE, People, build_people
from citysim.crowd.placing import leave, place
from citysim.crowd.rows import FX, FY, HOLD, HOT_X, HOT_Y, HOT_Z, LEGS, PHASE, VX, VY, X, Z
from citysim.crowd.signals import phases_of
from citysim.crowd.streets import Streets
from citysim.crowd.touching import Contact, contact, touches
from citysim.crowd.walls import build_walls
from citysim.errors import InputError
from citysim.gait import sizes

Array = NDArray[np.float64]
MOST_PEOPLE = 200_000
EVERYWHERE = np.array([0.0, 0.0, 0.0, 0.0, np.inf])
RING = 0.7  # of the radius: who comes into a local crowd appears no nearer to its middle
LEFT_BEHIND = 1.2  # radii from the middle, where a local crowd loses people
RECENTRED_M = 8.0
CLEAR_M = 2.5  # nobody appears nearer to the agent
DECIDE_S = 0.05
PLACINGS_HZ = 4


class CrowdSnapshot(NamedTuple):
    """A crowd's whole state: `Crowd.restore` goes on from it exactly."""

    time: float
    hour: float
    closed: NDArray[np.bool_]
    state: Array
    active: NDArray[np.uint8]
    people: People
    middle: tuple[float, float] | None = None
    held: tuple[float, int] = (0.0, 0)


class Crowd:
    """Up to `population` people on the streets of a city at an hour (0 to 24) of a day of the week (0 Monday).

    They start anywhere on their ways, walk to destinations that draw people at that hour, stay there and come out
    again. Equal arguments and steps give equal bytes on every machine and for any number of `threads`; one person more
    changes no draw of another. `keep` is 1 where people keep right, -1 left. In the arrays, row i is person i.
    With a `radius_m` they all are within so many metres of `around` (east, north), later of the agent: who is left
    behind goes indoors, and comes out again on streets at the edge of the circle. `streets` of the city save the time
    to make them.

    Raises InputError for a population that is negative or above 200,000, an hour outside a day, or a city without
    pedestrian network where people are to walk.
    """

    def __init__(
        self, city: City, *, population: int, seed: int, hour: float = 14.0, keep: int = 1, threads: int = 1,
        streets: Streets | None = None, around: tuple[float, float] | None = None, radius_m: float | None = None,
        day: int = 0,
    ) -> None:  # fmt: skip
        if not 0 <= population <= MOST_PEOPLE:
            raise InputError(f"a population from 0 to {MOST_PEOPLE}", str(population), "population=1000")
        if not 0.0 <= hour <= 24.0:
            raise InputError("an hour of the day from 0 to 24", str(hour), "hour=14")
        if population and not city.network.edges:
            raise InputError("a city with a pedestrian network", f"none in '{city.name}'", "population=0")
        if radius_m is not None and not (around is not None and 5.0 <= radius_m < np.inf):
            raise InputError("a radius of 5 m or more around a place", f"{radius_m} m around {around}", "radius_m=60")
        network = city.network
        self.city, self.time, self._start_hour, self._day = city, 0.0, hour, day
        self.contacts: tuple[Contact, ...] = ()
        self._streets = streets if streets is not None else Streets.of(city)
        self._ways, self.signals = self._streets.ways, phases_of(*self._streets.signals, seed)
        self._attraction, self._edges = self._streets.attraction, self._streets.edges
        self._key = stream(seed, "trips")
        self.people = build_people(population, seed)
        walls = self._streets.walls if population else build_walls([])
        self._movement = Movement(population, walls, keep=keep, threads=threads)
        self._movement.state[PHASE] = self.people.reals[FIRST_PHASE]
        self._movement.state[LEGS] = 1.0 / sizes(self.people.reals[AGE], np.arange(population))
        together = self.people.ints[SIZE] > 1
        self._movement.groups[together] = self.people.ints[PARTY, together]
        heads = 1 << max(7, int(2 * population).bit_length())
        self._heads, self._nexts = np.empty(heads, np.int32), np.empty(population, np.int32)
        self._found = np.empty(population, np.int64)
        self._closed = np.zeros(len(network.edges), dtype=np.bool_)
        self._held, self._left = 0.0, 0
        self._replan()
        self._radius, self._middle = radius_m, around if radius_m is not None else None
        self._centre()
        self._hour_drawn = -1
        start = np.nan if around is None else float(around[0]), np.nan if around is None else float(around[1])
        self._let_out(True, np.array([*start, np.nan, CLEAR_M, np.inf if radius_m is None else radius_m]))

    @property
    def hour(self) -> float:
        """Hour of the day, 0 to 24."""
        return (self._start_hour + self.time / 3600.0) % 24.0

    @hour.setter
    def hour(self, hour: float) -> None:
        self._start_hour = hour - self.time / 3600.0

    @property
    def active(self) -> NDArray[np.bool_]:
        """(N,) whether each person is on the street; the others are indoors and have no place."""
        return self._movement.active.view(np.bool_)

    @property
    def rows(self) -> Array:
        """(STATE_ROWS, N) float64 everyone's state as `citysim.crowd.rows` lists it; a view, to be read only."""
        return self._movement.state

    @property
    def positions(self) -> Array:
        """(N, 3) float64 foot points, local metres."""
        return np.ascontiguousarray(self._movement.state[X : Z + 1].T)

    @property
    def velocities(self) -> Array:
        """(N, 2) float64 horizontal velocities, m/s."""
        return np.ascontiguousarray(self._movement.state[VX : VY + 1].T)

    @property
    def headings(self) -> Array:
        """(N,) float64 yaws in radians, anticlockwise from east, for showing: made with the machine's own atan2."""
        return np.arctan2(self._movement.state[FY], self._movement.state[FX])

    @property
    def gait_phase(self) -> Array:
        """(N,) float64 in [0, 1): where in a double step each person is."""
        return self._movement.state[PHASE].copy()

    def close(self, edges: Iterable[int]) -> None:
        """Close these network edges (ids) and open all others; everyone's way is found anew.

        Who is on a closed edge walks off it; who has no way left waits. Raises InputError for an unknown id.
        """
        closed = np.zeros(len(self._closed), dtype=np.bool_)
        for edge in edges:
            if edge not in self._edges:
                raise InputError("ids of network edges", str(edge), "the ids of network.geojson")
            closed[self._edges[edge]] = True
        if (closed != self._closed).any():
            self._closed = closed
            self._replan()

    def step(self, dt: float, agent: Array | None = None, pace: float = 1.0) -> tuple[Contact, ...]:
        """Let `dt` seconds (at most 0.1) pass; gives the new contacts with the agent, also kept in `contacts`.

        agent  (6,) float64: foot point, horizontal velocity, radius; seen and avoided, never moved
        pace   share of everyone's free speed: below 1 in rain
        """
        check_step(dt)
        body = NOBODY
        if agent is not None:
            x, y, z, vx, vy, radius = np.asarray(agent, dtype=np.float64).tolist()
            speed = math.sqrt(vx * vx + vy * vy)
            ux, uy = (vx / speed, vy / speed) if speed > 0.05 else (0.0, 0.0)
            body = np.array([[x, y, vx, vy, ux, uy, radius, z]])
        move, people = self._movement, self.people
        if self._left == 0 or dt != self._held:
            if dt != self._held:
                move.state[HOLD] = 0.0
            self._held, self._left = dt, max(1, round(DECIDE_S / dt))
            self._decide(dt * self._left, body, pace)
        self._left -= 1
        glide(0, len(move.active), dt, move.state, move.active)
        self.time += dt
        self.contacts = ()
        if len(body):
            count = touches(move.state, move.active, body[0], people.touched, self._found)
            if count:
                self.contacts = tuple(contact(int(i), self.time, move.state, body[0]) for i in self._found[:count])
        return self.contacts

    def _decide(self, span: float, body: Array, pace: float) -> None:
        """Let everyone decide how to go on for `span` seconds; now and then, let people come and go."""
        move, people, ways = self._movement, self.people, self._ways
        if int(self.time * PLACINGS_HZ) != int((self.time - span) * PLACINGS_HZ):
            window = EVERYWHERE
            if len(body):
                window = np.array([body[0, HOT_X], body[0, HOT_Y], body[0, HOT_Z], CLEAR_M, np.inf])
                if self._middle is not None and self._radius is not None:
                    self._follow_agent(float(body[0, HOT_X]), float(body[0, HOT_Y]))
                    window[3:] = RING * self._radius, self._radius
            self._let_out(self._middle is not None, window)
        move.share(
            len(move.active), lambda first, last: follow(
                first, last, span, self.time, pace, self._key, move.state, move.active, people.ints, people.reals,
                ways.legs, ways.leg, ways.ends, ways.paces, self.signals, self._table, self._attraction.goals,
            )
        )  # fmt: skip
        move.decide(span, body, 2 if 2.0 * span <= LONGEST_STEP_S else 1)

    def snapshot(self) -> CrowdSnapshot:
        """The whole state, copied."""
        people = self.people.copies()
        state, active = self._movement.state.copy(), self._movement.active.copy()
        closed, held = self._closed.copy(), (self._held, self._left)
        return CrowdSnapshot(self.time, self._start_hour, closed, state, active, people, self._middle, held)

    def restore(self, snapshot: CrowdSnapshot) -> None:
        """Go back to a state of this crowd, or of one made with the same arguments."""
        self.time, self._start_hour, self.contacts = snapshot.time, snapshot.hour, ()
        self._hour_drawn = -1
        if (snapshot.closed != self._closed).any():
            self._closed = snapshot.closed.copy()
            self._replan()
        if snapshot.middle != self._middle:
            self._middle = snapshot.middle
            self._centre()
        self._movement.state[:], self._movement.active[:] = snapshot.state, snapshot.active
        self.people.take(snapshot.people)
        self._held, self._left = snapshot.held

    def _replan(self) -> None:
        self._table = self._streets.table(self._closed)

    def _centre(self) -> None:
        """Where people may come out: on all streets, or on those in the circle."""
        spread = self._streets.spread
        if self._middle is not None and self._radius is not None:
            spread = self._streets.spread_near(*self._middle, self._radius)
        self._spread = np.cumsum(spread)

    def _follow_agent(self, east: float, north: float) -> None:
        """Take the circle along; who is left behind goes indoors."""
        assert self._middle is not None
        assert self._radius is not None
        dx, dy = east - self._middle[0], north - self._middle[1]
        if dx * dx + dy * dy > RECENTRED_M * RECENTRED_M:
            self._middle = (east, north)
            self._centre()
        move, people = self._movement, self.people
        leave(self.time, east, north, LEFT_BEHIND * self._radius, move.state, move.active, people.ints, people.reals)

    def _let_out(self, everywhere: bool, window: Array) -> None:
        move = self._movement
        if not len(move.active) or not len(self._spread) or self._spread[-1] <= 0.0:
            return
        if int(self.hour) != self._hour_drawn:
            self._hour_drawn = int(self.hour)
            self._weights = np.cumsum(self._attraction.weights(self._hour_drawn + 0.5, self._day))
        ways, people = self._ways, self.people
        place(
            self.time, self._key, everywhere, window, move.state, move.active, people.ints, people.reals, ways.legs,
            ways.leg, ways.ends, ways.passing, ways.into, self._table, self._attraction.goals, self._weights,
            self._spread, self._heads, self._nexts,
        )  # fmt: skip
