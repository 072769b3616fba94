"""The compiled walker walks as the one in Python does, and as the one on PyBullet."""

import hashlib
import math
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from citysim import load_city
from citysim.city import City
from citysim.physics import default_engine, make_space, make_walker
from citysim.physics.native import NativeSpace
from citysim.physics.nativewalker import NativeWalker
from citysim.physics.space import Space
from citysim.physics.walker import Walker
from tests.physics.scenes import Scene
from tests.physics.test_walker_random import random_world

needs_bullet = pytest.mark.skipif(default_engine() != "bullet", reason="needs PyBullet")
Array = NDArray[np.float64]


def wishes_of(rng: np.random.Generator, actions: int, substeps: int) -> Array:
    """Actions of a walker: a direction and a walking or running speed each."""
    turn, speed = rng.uniform(0, 2 * math.pi, actions), rng.choice([1.5, 4.5], actions)
    return np.repeat(np.column_stack([speed * np.cos(turn), speed * np.sin(turn)]), substeps, axis=0)


def noisy_spaces(seed: int, *names: str) -> tuple[list[Space], float]:
    """Spaces of the same random world under several engines; corners that float32 holds."""
    ground, walls, half = random_world(seed)
    spaces = [make_space(name) for name in names]
    for space in spaces:
        for scene in (ground, walls):
            points, faces = scene.arrays
            space.add_triangles(points.astype(np.float32).astype(np.float64), faces)
    return spaces, half


def place(walkers: list[Walker], rng: np.random.Generator, half: float, top: float, bottom: float) -> None:
    """Put all walkers on the same random spot with room for them."""
    levels: list[float] = []
    while not levels:
        east, north = rng.uniform(-half, half, 2).tolist()
        levels = walkers[0].levels(east, north, top, bottom)
    for walker in walkers:
        walker.place(east, north, levels[0])


@pytest.mark.parametrize("seed", range(200, 204))
def test_kernel_and_python_walk_alike_among_noisy_walls_and_people(seed: int) -> None:
    (a, b), half = noisy_spaces(seed, "native", "native")
    rng = np.random.default_rng(seed)
    crowd = [(rng.uniform(-half, half, 2), rng.uniform(-0.02, 0.02, 2)) for _ in range(40)]
    bodies = [[space.add_capsule(0.25, 1.7, np.array([*at, 0.0])) for at, _ in crowd] for space in (a, b)]
    compiled, plain = make_walker(a), Walker(b)
    assert isinstance(compiled, NativeWalker)
    for _ in range(4):
        place([plain, compiled], rng, 0.7 * half, 0.9, -0.5)
        jump = int(rng.integers(0, 400))
        for part in np.split(wishes_of(rng, 3, 60), 30):  # people move between the parts
            for k, (at, by) in enumerate(crowd):
                at += by
                for space, ids in zip((a, b), bodies, strict=True):
                    space.move(ids[k], np.array([*at, 0.0]))
            paths = [walker.walk(part, jump) for walker in (compiled, plain)]
            assert np.abs(paths[0] - paths[1]).max() < 1e-7
            jump -= len(part)
            x, y = compiled.state, plain.state
            assert (x.static_touch[:3], x.moving_touch[:3]) == (y.static_touch[:3], y.moving_touch[:3])


def test_parts_of_a_walk_make_the_whole() -> None:
    (space,), half = noisy_spaces(210, "native")
    rng = np.random.default_rng(1)
    whole, parts = make_walker(space), make_walker(space)
    place([whole, parts], rng, 0.7 * half, 0.9, -0.5)
    wishes = wishes_of(rng, 4, 60)
    path = whole.walk(wishes, 50)
    assert np.array_equal(path[:100], parts.walk(wishes[:100], 50))
    kept = parts.state
    assert np.array_equal(path[100:], parts.walk(wishes[100:]))
    parts.state = kept  # restoring continues exactly
    steps = [parts.step(*wish) for wish in wishes[100:].tolist()]
    assert np.array_equal(path[100:, :3], np.array([s[:3] for s in steps]))


def test_threads_walk_the_same_steps() -> None:
    city, wishes = load_city("mini"), wishes_of(np.random.default_rng(3), 6, 120)

    def run(_: int) -> bytes:
        walker = make_walker(NativeSpace(city))
        walker.place(0.0, 0.0, walker.levels(0.0, 0.0, 30.0, -5.0)[0])
        return walker.walk(wishes).tobytes()

    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(run, range(8)))) == 1


def digest() -> str:
    """Hash of walks among noisy walls."""
    (space,), half = noisy_spaces(220, "native")
    walker, rng, total = make_walker(space), np.random.default_rng(4), hashlib.sha256()
    for _ in range(20):
        place([walker], rng, 0.7 * half, 0.9, -0.5)
        total.update(walker.walk(wishes_of(rng, 4, 90), int(rng.integers(0, 400))).tobytes())
    return total.hexdigest()


@pytest.mark.slow
def test_walks_are_equal_bit_for_bit_on_a_generic_cpu(tmp_path: Path) -> None:
    code = "from tests.physics.test_native_walker import digest; print(digest())"
    env = {**os.environ, "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == digest()


def test_a_dense_floor_is_not_lost() -> None:
    scene = Scene().terrain(np.zeros((121, 121)), 0.05)  # 3,000 triangles under a step
    space = make_space("native")
    space.add_triangles(*scene.arrays)
    walker = make_walker(space)
    walker.place(-2.0, 0.0, 0.0)
    path = walker.walk(np.tile((1.5, 0.0), (120, 1)))
    assert np.allclose(path[-1], (1.0, 0.0, 0.0, 1.0), atol=1e-6)


def test_walking_over_chunks_that_load_on_the_way() -> None:
    chunks = []
    for k in range(8):
        quad = Scene().quad((-50, -50, 0), (50, -50, 0), (50, 50, 0), (-50, 50, 0))
        quad.points = [(x + 100.0 * k, y, z) for x, y, z in quad.points]
        chunks.append(quad.chunk((100.0 * k, 0.0, 0.0)))
    space = NativeSpace(City.in_memory(chunks))
    walker = make_walker(space)
    walker.place(0.0, 0.0, 0.0)
    walker.walk(np.zeros((1, 2)))
    assert len(space.scene) < 4
    path = walker.walk(np.tile((8.0, 0.0), (5400, 1)))
    assert np.isclose(path[-1, 0], 720.0)
    assert (path[:, 3] == 1.0).all()


def compare_walks(walks: int, seed: int, city: City | None) -> tuple[int, float]:
    """How many walks end over 5 cm from PyBullet's, and the greatest distance."""
    if city is None:
        spaces, half = noisy_spaces(seed, "native", "bullet")
    else:
        spaces, half = [make_space(name, city) for name in ("native", "bullet")], 85.0
    walkers, rng = [make_walker(space) for space in spaces], np.random.default_rng(seed)
    apart = []
    for _ in range(walks):
        place(walkers, rng, 0.7 * half, *((0.9, -0.5) if city is None else (40.0, -10.0)))
        wishes, jump = wishes_of(rng, 4, 90), int(rng.integers(0, 720))
        ends = [walker.walk(wishes, jump)[-1] for walker in walkers]
        apart.append(float(np.linalg.norm(ends[0][:3] - ends[1][:3])))
    for space in spaces:
        space.close()
    return sum(distance > 0.05 for distance in apart), max(apart)


@needs_bullet
@pytest.mark.parametrize("scene", ["mini", "noisy"])
def test_walks_end_where_those_on_pybullet_end(scene: str) -> None:
    far, most = compare_walks(12, 300, load_city("mini") if scene == "mini" else None)
    assert far == 0, most


@needs_bullet
@pytest.mark.slow
def test_a_thousand_walks_end_where_those_on_pybullet_end() -> None:
    counts = [compare_walks(500, 400, load_city("mini"))[0], *(compare_walks(25, s, None)[0] for s in range(500, 520))]
    assert sum(counts) <= 2  # a start or a corner where two ways out are equally short
