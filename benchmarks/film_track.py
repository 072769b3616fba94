"""What is in a film, as numbers: feet that slide, bodies that jerk or spin, people who go through walls, queues."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.gait import STANCE
from citysim.geometry.rays import any_hits
from citysim.physics.native import NativeSpace
from citysim.render.avatar.looks import SHOES
from citysim.render.avatar.people import figures
from citysim.render.avatar.skeleton import GAITS, KEYS
from citysim.render.bodies import Bodies

Array = NDArray[np.float64]

FLAT = (0.13, STANCE - 0.03)  # of a foot's own phase: its toes are on the ground
LIFTED_M = 0.01  # a foot that is so high makes a step of its own, which is no slide
REACH_M = 30.0  # of the camera: whom one sees feet of
BREAST_M = 1.1
STANDS_M_S = 0.15
KEPT_M = 1.0  # who is elsewhere from one picture to the next has gone in and come out


class Measures(NamedTuple):
    """Figures of a film.

    stances: how many steps were looked at; slides in mm of a planted foot from where it stood on average, the median,
    the 99th percentile and the worst; turns in degrees a second, the 99.9th percentile and the fastest; jolts in mm, by
    how much a body is beside the middle of where it was before and after, 99.9th percentile and worst; ways looked at
    and those that met a wall; the most people who stood at once.
    """

    stances: int
    slide_mm: tuple[float, float, float]
    turn_deg_s: tuple[float, float]
    jolt_mm: tuple[float, float]
    ways: int
    through: int
    most_standing: int


class Track:
    """Takes the bodies of one picture after the other, `rate` a second, seen from `eye`."""

    def __init__(self, rate: int, eye: tuple[float, float, float]) -> None:
        self._rate, self._eye = rate, np.array(eye)
        self._pictures: list[tuple[NDArray[np.int32], Array]] = []

    def add(self, bodies: Bodies | None) -> None:
        """The next picture."""
        if bodies is None or bodies.gait is None:
            self._pictures.append((np.zeros(0, np.int32), np.zeros((0, 13))))
            return
        near = np.hypot(*(bodies.place[:, :2] - self._eye[:2]).T) < REACH_M
        near &= bodies.mesh < len(bodies.meshes) - 2  # not barriers and boards
        feet = np.zeros((len(bodies), 6)) if bodies.feet is None else bodies.feet.reshape(-1, 6)
        rows = np.column_stack([bodies.place, bodies.phase, bodies.gait, bodies.scale, feet])[near]
        self._pictures.append((bodies.labels[near].copy(), rows))

    def people(self) -> dict[int, Array]:
        """Each label's (K, 14) rows: number of the picture, then place, phase, gait, size and shifts of feet."""
        count = [len(rows) for _, rows in self._pictures]
        labels = np.concatenate([labels for labels, _ in self._pictures])
        rows = np.column_stack([np.repeat(np.arange(len(count)), count), np.vstack([r for _, r in self._pictures])])
        return {int(label): rows[labels == label] for label in np.unique(labels)}

    def measures(self, space: NativeSpace) -> Measures:
        """Everything at once."""
        slides: list[float] = []
        turns, jolts, standing = [], [], np.zeros(len(self._pictures), dtype=int)
        ways: list[Array] = []
        for rows in self.people().values():
            for run in runs(rows):
                place = run[:, 1:4]
                slides += stances(run)
                step = np.diff(place, axis=0)
                turn = (np.diff(run[:, 4]) + np.pi) % (2.0 * np.pi) - np.pi
                turns.append(np.abs(np.degrees(turn)) * self._rate)
                jolts.append(np.linalg.norm(np.diff(step, axis=0)[:, :2], axis=1) * 500.0)
                still = np.linalg.norm(step[:, :2], axis=1) * self._rate < STANDS_M_S
                standing[run[1:, 0].astype(int)[still]] += 1
                ways.append(np.hstack([place[:-1], place[1:]]))
        turned, jolted, gone = np.concatenate(turns), np.concatenate(jolts), np.vstack(ways)
        low, high = gone[:, :2].min(axis=0), gone[:, :2].max(axis=0)
        space.load(float(low[0]), float(low[1]), float(high[0]), float(high[1]))
        up = np.array([0.0, 0.0, BREAST_M])
        through = any_hits(space.scene.tables, gone[:, :3] + up, gone[:, 3:] + up)
        mm = 1000.0 * np.array(slides) if slides else np.zeros(1)
        return Measures(
            len(slides),
            (float(np.median(mm)), float(np.percentile(mm, 99)), float(mm.max())),
            (float(np.percentile(turned, 99.9)), float(turned.max())),
            (float(np.percentile(jolted, 99.9)), float(jolted.max())),
            len(gone), int(through.sum()), int(standing.max()),
        )  # fmt: skip


def runs(rows: Array) -> list[Array]:
    """The pieces of someone's rows in which the picture is always the next one and nobody was elsewhere."""
    far = np.linalg.norm(np.diff(rows[:, 1:4], axis=0), axis=1) > KEPT_M
    cuts = np.flatnonzero((np.diff(rows[:, 0]) != 1) | far) + 1
    return [piece for piece in np.split(rows, cuts) if len(piece) > 2]


def stances(run: Array) -> list[float]:
    """Metres by which the toes of a planted foot were, at most, away from their middle, for each step of a walker."""
    toes, found = toe_places(run), []
    for foot in (0, 1):
        own = run[:, 5] / KEYS + 0.5 * foot
        down = (own % 1.0 > FLAT[0]) & (own % 1.0 < FLAT[1]) & (run[:, 6] > 1.0)
        down &= run[:, 10 + 3 * foot] < LIFTED_M
        edges = np.flatnonzero(np.diff(np.concatenate([[0], down.astype(int), [0]])))
        for first, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
            if end - first > 2:
                spot = toes[first:end, foot, :2]
                found.append(float(np.linalg.norm(spot - spot.mean(axis=0), axis=1).max()))
    return found


def toe_places(run: Array) -> Array:
    """(K, 2, 3) where the toes of both feet are drawn, in local metres."""
    mesh = figures()[0][0]
    shoes = np.flatnonzero(mesh.parts == SHOES)
    half = len(shoes) // 2  # a sole's corners come first: heel, toes, toes, heel
    corners = np.array([shoes[1:3], shoes[half + 1 : half + 3]])
    keys = mesh.frames[:, corners].mean(axis=2).astype(np.float64).reshape(GAITS, KEYS, 2, 3)
    whole = np.floor(run[:, 5]).astype(int)
    part = (run[:, 5] - whole)[:, None, None]
    steady = np.clip(run[:, 6], 0.0, GAITS - 1.0)
    cycle = steady.astype(int)
    low, high = (
        (1.0 - part) * keys[c, whole % KEYS] + part * keys[c, (whole + 1) % KEYS]
        for c in (cycle, np.minimum(cycle + 1, GAITS - 1))
    )
    shape = (low + (high - low) * (steady - cycle)[:, None, None]) * run[:, 7, None, None]
    c, s = np.cos(run[:, 4])[:, None], np.sin(run[:, 4])[:, None]
    x, y = shape[..., 0] * c - shape[..., 1] * s, shape[..., 0] * s + shape[..., 1] * c
    return np.stack([x, y, shape[..., 2]], axis=2) + run[:, None, 1:4] + run[:, 8:14].reshape(-1, 2, 3)
