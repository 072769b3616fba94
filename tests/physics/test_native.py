"""The native space: what the protocol says, and PyBullet's answers."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from citysim import load_city
from citysim.city import Chunk, City
from citysim.errors import InputError
from citysim.physics import default_engine, make_space
from citysim.physics.native import NativeSpace
from citysim.physics.space import Space
from tests.physics.scenes import Scene

needs_bullet = pytest.mark.skipif(default_engine() != "bullet", reason="needs PyBullet")
Array = NDArray[np.float64]


def native(scene: Scene) -> NativeSpace:
    space = NativeSpace()
    space.add_triangles(*scene.arrays)
    return space


def clutter(seed: int, count: int = 300) -> Scene:
    """Quads of all slopes over a floor; corners that float32 holds, so that both engines see the same ones."""
    rng, scene = np.random.default_rng(seed), Scene().floor(10.0)
    for _ in range(count):
        spot = rng.uniform(-6, 6, 3)
        corners = (spot + rng.normal(0, 0.8, (4, 3))).astype(np.float32).tolist()
        scene.quad(*((x, y, z) for x, y, z in corners))
    return scene


def test_rays_hit_both_sides_with_normals_facing_the_origin() -> None:
    space = native(Scene().sheet(2, -1, 2, 1, 0, 2))
    hits = space.cast_rays(np.array([(0, 0, 1), (5, 0, 1), (0, 0, 3.0)]), np.array([(5, 0, 1), (0, 0, 1), (5, 0, 3.0)]))
    assert np.allclose(hits.distance, [2, 3, np.inf])
    assert np.allclose(hits.normal, [(-1, 0, 0), (1, 0, 0), (0, 0, 0)])
    assert hits.body.tolist() == [0, 0, -1]


def test_capsules_move_are_seen_and_go() -> None:
    space = native(Scene().floor())
    body = space.add_capsule(0.25, 1.7, np.array([2.0, 0, 0]))
    other = space.add_capsule(0.25, 1.7, np.array([20.0, 0, 0]))
    seen = [space.revision]
    assert space.is_moving(body)
    assert not space.is_moving(0)
    me = np.array([1.0, 0.0, 0.35])
    found = space.capsule_contacts(me, 0.3, 1.4, 0.5)
    row = found.body.tolist().index(body)
    assert np.isclose(found.distance[row], 1.0 - 0.3 - 0.25)
    assert np.allclose(found.normal[row], (-1, 0, 0))
    down = np.array([(2.0, 0.1, 5.0), (2.0, 0.0, 5.0), (0.0, 0.0, 1.0)])
    hits = space.cast_rays(down, np.array([(2.0, 0.1, -1.0), (2.0, 0.0, -1.0), (4.0, 0.0, 1.0)]))
    assert np.allclose(hits.distance, [5 - 1.45 - np.sqrt(0.25**2 - 0.1**2), 3.3, 1.75])
    assert set(hits.body.tolist()) == {body}
    assert np.allclose(hits.normal[1:], [(0, 0, 1), (-1, 0, 0)])
    space.move(body, np.array([30.0, 0, 0]))
    seen.append(space.revision)
    assert body not in space.capsule_contacts(me, 0.3, 1.4, 0.5).body
    space.remove(body)
    seen.append(space.revision)
    assert space.is_moving(other)
    space.move(other, np.array([1.5, 0.0, 0.0]))
    assert other in space.capsule_contacts(me, 0.3, 1.4, 0.5).body
    assert sorted(set(seen)) == seen
    for missing in (0, body):
        with pytest.raises(InputError, match="id of a moving capsule"):
            space.move(missing, me)
    with pytest.raises(InputError, match="id of a body"):
        space.remove(body)
    with pytest.raises(InputError, match="as high as wide"):
        space.add_capsule(0.5, 0.9, np.zeros(3))
    with pytest.raises(InputError, match="finite"):
        space.add_triangles(np.full((3, 3), np.nan), np.array([(0, 1, 2)], dtype=np.int32))


def test_bodies_are_told_apart_and_removed() -> None:
    space = NativeSpace()
    bodies = [space.add_triangles(*Scene().sheet(k, -1, k, 1, 0, 2).arrays) for k in range(1, 30)]
    ray = np.array([(0.0, 0, 1)]), np.array([(40.0, 0, 1)])
    for number, body in enumerate(bodies):
        hits = space.cast_rays(*ray)
        assert hits.body[0] == body
        assert np.isclose(hits.distance[0], number + 1)
        space.remove(body)
    assert space.cast_rays(*ray).body[0] == -1


def test_chunks_load_around_queries_and_answer_as_if_all_were_there() -> None:
    loaded: list[int] = []
    chunks = []
    for k in range(9):
        east, north = 200.0 * (k % 3 - 1), 200.0 * (k // 3 - 1)
        scene = Scene().quad((-100, -100, 0), (100, -100, 0), (100, 100, 0), (-100, 100, 0)).box(20, 20, 0, 30, 30, 10)
        scene.points = [(x + east, y + north, z) for x, y, z in scene.points]
        chunks.append(scene.chunk((east, north, 0.0)))

    def load(index: int) -> Chunk:
        loaded.append(index)
        return chunks[index]

    city = replace(City.in_memory(chunks), load_chunk=load)
    lazy, eager = NativeSpace(city), NativeSpace(city)
    lazy.capsule_contacts(np.array([-200.0, -200, 0]), 0.3, 1.4, 0.3)
    assert 0 < len(loaded) < 9
    eager.cast_rays(np.array([(-400.0, -400, 400)]), np.array([(400.0, 400, -400)]))
    rng = np.random.default_rng(2)
    for _ in range(100):
        start = rng.uniform(-290, 290, 3) * (1, 1, 0.1)
        end = start + rng.uniform(-30, 30, 3)
        a, b = lazy.cast_rays(start[None], end[None]), eager.cast_rays(start[None], end[None])
        assert a.distance == b.distance
        assert (a.normal == b.normal).all()
        a2, b2 = (s.capsule_contacts(start, 0.3, 1.4, 0.3) for s in (lazy, eager))
        assert (a2.distance == b2.distance).all()
        assert (a2.point == b2.point).all()


@needs_bullet
def test_contacts_equal_those_of_pybullet() -> None:
    scene, rng = clutter(4), np.random.default_rng(5)
    spaces: list[Space] = [make_space("native"), make_space("bullet")]
    for space in spaces:
        space.add_triangles(*scene.arrays)
        space.add_capsule(0.25, 1.7, np.array([1.0, 2.0, 0.0]))
    rows = 0
    for _ in range(400):
        foot = rng.uniform(-6, 6, 3)
        a, b = (space.capsule_contacts(foot, 0.3, 1.4, 0.3) for space in spaces)
        assert len(a.distance) == len(b.distance)
        assert np.abs(np.sort(a.distance) - np.sort(b.distance)).max(initial=0.0) < 1e-3
        rows += len(a.distance)
    assert rows > 800


def rays_in(city: City, count: int, seed: int) -> tuple[Array, Array]:
    """A third of the rays each: down from the sky, level from eyes in the street, in any direction."""
    rng = np.random.default_rng(seed)
    e0, n0, e1, n1 = city.bounds
    starts = np.column_stack([rng.uniform(e0, e1, count), rng.uniform(n0, n1, count), rng.uniform(0, 30, count)])
    ends = starts + rng.normal(0, 20, (count, 3))
    third = count // 3
    starts[:third, 2], ends[:third] = 60.0, starts[:third] * (1, 1, 0) - (0, 0, 10.0)
    turn = rng.uniform(0, 2 * np.pi, third)
    starts[third : 2 * third, 2] = 1.6
    ends[third : 2 * third] = starts[third : 2 * third] + 60 * np.column_stack([np.cos(turn), np.sin(turn), 0 * turn])
    return starts, ends


def compare_rays(count: int, seed: int) -> None:
    city = load_city("mini")
    starts, ends = rays_in(city, count, seed)
    a, b = (make_space(name, city).cast_rays(starts, ends) for name in ("native", "bullet"))
    near = np.isclose(a.distance, b.distance, rtol=0.0, atol=1e-3)
    assert (a.body >= 0).sum() > count / 3
    # PyBullet widens triangles by a hair (its edge tolerance): rays that graze an edge hit it there only. So where the
    # two differ PyBullet's hit is the nearer one, and such rays are rare.
    assert (~near).sum() <= count / 2000
    assert (b.distance[~near] < a.distance[~near]).all()


@needs_bullet
def test_rays_equal_those_of_pybullet() -> None:
    compare_rays(6_000, 1)


@needs_bullet
@pytest.mark.slow
def test_a_hundred_thousand_rays_equal_those_of_pybullet() -> None:
    compare_rays(100_000, 2)


def test_native_is_the_default_without_pybullet() -> None:
    code = (
        "import sys; sys.modules['pybullet'] = None\n"
        "from citysim.world import World; from tests.physics.scenes import Scene\n"
        "world = World(Scene().floor().city())\n"
        "print(type(world._body._space).__name__, abs(world.ground_pose(1, 2).up) < 1e-9)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["NativeSpace", "True"]
