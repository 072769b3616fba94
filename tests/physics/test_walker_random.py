"""Random walks among random walls: none goes through, none falls, none shakes."""

import math

import numpy as np
import pytest

from citysim.physics import make_walker
from tests.physics.scenes import Scene, crossings, empty_space
from tests.physics.walks import Walk

WALKS_A_WORLD = 26


def random_world(seed: int) -> tuple[Scene, Scene, float]:
    """Noisy ground, and walls of every kind: sheets, slabs from 2 cm, bulging scans, half of them inside out."""
    rng = np.random.default_rng(seed)
    cell = float(rng.choice([0.25, 0.5]))
    ground = Scene().terrain(rng.normal(0.0, rng.choice([0.0, 0.02, 0.05]), (61, 61)), cell)
    half, walls = 30 * cell, Scene()
    for _ in range(24):
        a = rng.uniform(-0.8 * half, 0.8 * half, 2)
        turn, length = rng.uniform(0, 2 * math.pi), rng.uniform(1.0, 5.0)
        b = a + length * np.array([math.cos(turn), math.sin(turn)])
        kind = rng.integers(3)
        if kind == 0:
            walls.sheet(a[0], a[1], b[0], b[1], -1.0, 3.0)
        elif kind == 1:
            width, depth = rng.uniform(0.02, 2.0, 2)
            walls.box(a[0], a[1], -1.0, a[0] + width, a[1] + depth, rng.uniform(1.0, 4.0))
        else:
            count = int(length / 0.3) + 2
            across = np.array([-(b - a)[1], (b - a)[0]]) / length
            bulge = rng.normal(0.0, 0.04, (count, 7))
            foot = a + (b - a) * np.linspace(0, 1, count)[:, None]
            spots = foot[:, None] + across * bulge[..., None]
            for i in range(count - 1):
                for j in range(6):
                    at = [(float(spots[p, q, 0]), float(spots[p, q, 1]), q * 0.5 - 0.5)
                          for p, q in ((i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1))]  # fmt: skip
                    walls.quad(at[0], at[1], at[2], at[3])
    return ground, walls.invert() if seed % 2 else walls, half


def random_walks(seed: int, walks: int) -> None:
    ground, walls, half = random_world(seed)
    space, rng = empty_space(), np.random.default_rng(seed + 10_000)
    space.add_triangles(*ground.arrays)
    space.add_triangles(*walls.arrays)
    walker = make_walker(space)
    reversals = air_reversals = substeps = 0
    for _ in range(walks):
        levels: list[float] = []
        while not levels:
            east, north = rng.uniform(-0.7 * half, 0.7 * half, 2).tolist()
            levels = walker.levels(east, north, 0.9, -0.5)
        walker.place(east, north, levels[0])
        states = [walker.state]
        for _ in range(4):
            action = len(states)
            turn, speed = rng.uniform(0, 2 * math.pi), float(rng.choice([1.5, 4.5]))
            jump = int(rng.integers(0, 240))
            for k in range(90):
                s = walker.step(speed * math.cos(turn), speed * math.sin(turn), jump=k == jump)
                states.append(s)
                if max(abs(s.east), abs(s.north)) > half - 0.5:
                    break
            if len(states) - action > 2:
                reversals += Walk(states[action:]).reversals
                air_reversals += Walk(states[action:]).air_reversals
        done = Walk(states)
        chest = done.at_height(0.9)
        assert crossings(chest[:-1], chest[1:], *walls.arrays) == 0
        assert done.points[:, 2].min() > -0.5
        substeps += len(states)
    space.close()
    assert reversals <= substeps / 1000
    assert air_reversals <= substeps / 250


@pytest.mark.parametrize("seed", range(8))
def test_random_walks(seed: int) -> None:
    random_walks(seed, WALKS_A_WORLD)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 140))
def test_a_thousand_random_walks(seed: int) -> None:
    random_walks(seed, WALKS_A_WORLD)
