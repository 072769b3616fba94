"""Scenes of the movement model without a city: a ring of corridor, two streams, a door, a crossing."""

import numpy as np
from numpy.typing import NDArray

from citysim.crowd.hashing import normals, stream, units
from citysim.crowd.movement import Movement
from citysim.crowd.rows import EX, EY, GOAL_X, GOAL_Y, RADIUS, SPEED, VX, VY, X, Y, Z
from citysim.crowd.walls import build_walls
from citysim.crowd.weidmann import FREE_SPEED, FREE_SPEED_SPREAD

Array = NDArray[np.float64]


def filled(movement: Movement, x: Array, y: Array, goal_x: Array | float, goal_y: Array | float, seed: int) -> Movement:
    """Put everyone somewhere, at rest, with free speeds as Weidmann gives them."""
    s, count = movement.state, len(x)
    s[X], s[Y], s[GOAL_X], s[GOAL_Y] = x, y, goal_x, goal_y
    s[EX], s[EY] = goal_x, goal_y
    s[RADIUS] = 0.2
    speeds = FREE_SPEED + FREE_SPEED_SPREAD * normals(stream(seed, "speed"), np.arange(count))
    s[SPEED] = np.clip(speeds, 0.6, 2.0)
    movement.active[:] = 1
    return movement


def spots(count: int, low: Array, high: Array, seed: int) -> tuple[Array, Array]:
    """Places on a jittered grid in a rectangle, in a random order."""
    width, height = high - low
    across = max(1, int(np.ceil(np.sqrt(count * height / width))))
    along = int(np.ceil(count / across))
    cells = np.argsort(units(stream(seed, "cells"), np.arange(across * along)), kind="stable")[:count]
    jitter = [0.6 * (units(stream(seed, name), np.arange(count)) - 0.5) for name in ("x", "y")]
    x = low[0] + (cells // across + 0.5 + jitter[0]) * width / along
    y = low[1] + (cells % across + 0.5 + jitter[1]) * height / across
    return np.clip(x, low[0] + 0.21, high[0] - 0.21), np.clip(y, low[1] + 0.21, high[1] - 0.21)


class Ring:
    """A corridor of `length` by `width` metres whose ends are joined; `opposite` of all walk the other way."""

    def __init__(self, count: int, length: float, width: float, seed: int, opposite: float = 0.0) -> None:
        walls = build_walls([[-9.0, 0.0, length + 9.0, 0.0], [-9.0, width, length + 9.0, width]])
        x, y = spots(count, np.array([0.0, 0.0]), np.array([length, width]), seed)
        way = np.where(np.arange(count) < opposite * count, -1.0, 1.0)
        self.length, self.width, self.way = length, width, way
        self.movement = filled(Movement(count, walls, dense=count / (length * width) > 0.8), x, y, way, 0.0, seed)

    def step(self, dt: float) -> None:
        """One step; who is within 3 m of an end is seen from the other end too."""
        s = self.movement.state
        rows = np.column_stack([s[X], s[Y], s[VX], s[VY], s[EX], s[EY], s[RADIUS], s[Z]])
        first, last = rows[s[X] < 3.0], rows[s[X] > self.length - 3.0]
        first[:, 0] += self.length
        last[:, 0] -= self.length
        self.movement.step(dt, np.concatenate([first, last]))
        s[X] %= self.length  # walls are the same all along, so that CLEAR stays true

    def speed(self) -> float:
        """Mean speed in the direction wished for."""
        return float((self.movement.state[VX] * self.way).mean())

    def lane_order(self) -> float:
        """1 when every strip of 0.5 m has one direction only, 0 when all are mixed."""
        strip = (self.movement.state[Y] / 0.5).astype(int)
        terms = [abs(self.way[strip == k].mean()) ** 2 * (strip == k).sum() for k in np.unique(strip)]
        return float(sum(terms) / len(strip))


class Door:
    """`count` persons in a room of 8 m by 12 m with one door in its wall at x = 0, `width` metres wide."""

    def __init__(self, count: int, width: float, seed: int) -> None:
        half = width / 2.0
        room: list[list[float]] = [
            [-12, -4, 0, -4],
            [-12, 4, 0, 4],
            [-12, -4, -12, 4],
            [0, -4, 0, -half],
            [0, half, 0, 4],
        ]
        x, y = spots(count, np.array([-11.5, -3.8]), np.array([-2.0, 3.8]), seed)
        self.half, self.times = half, np.full(count, np.inf)
        self.movement = filled(Movement(count, build_walls(room), dense=True), x, y, 1.0, 0.0, seed)
        self.time = 0.0

    def step(self, dt: float) -> None:
        """One step towards the nearest point of the opening, then on; who is 3 m behind it is gone."""
        s = self.movement.state
        inside = s[X] < 0.05
        aim = np.clip(s[Y], -self.half + 0.3, self.half - 0.3) if self.half > 0.3 else np.zeros(len(s[Y]))
        dx, dy = np.where(inside, 0.1 - s[X], 1.0), np.where(inside, aim - s[Y], 0.0)
        length = np.sqrt(dx * dx + dy * dy)
        s[GOAL_X], s[GOAL_Y] = dx / length, dy / length
        self.movement.step(dt)
        self.time += dt
        self.times[(s[X] >= 0.0) & np.isinf(self.times)] = self.time
        self.movement.active[s[X] > 3.0] = 0

    def flow(self) -> float:
        """Persons per second and metre of door between the 20th and 80th percent to leave."""
        out, count = np.sort(self.times), len(self.times)
        a, b = count // 5, 4 * count // 5
        return float((b - a) / (out[b] - out[a]) / (2.0 * self.half))


def overlap(movement: Movement) -> float:
    """The deepest overlap of two discs, metres."""
    s = movement.state[:, movement.active == 1]
    dx, dy = s[X][:, None] - s[X], s[Y][:, None] - s[Y]
    gap = np.sqrt(dx * dx + dy * dy) - s[RADIUS][:, None] - s[RADIUS] + 9.0 * np.eye(len(dx))
    return float(max(-gap.min(), 0.0))
