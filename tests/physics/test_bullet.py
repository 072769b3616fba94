"""The PyBullet space against formulas and brute force."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from citysim.city import Chunk, City
from citysim.errors import DependencyError, InputError, UnknownNameError
from citysim.physics import default_engine, make_space
from citysim.physics.bullet import PIECE_TRIANGLES, BulletSpace
from tests.physics.scenes import Scene

pytestmark = pytest.mark.skipif(default_engine() != "bullet", reason="needs PyBullet")


def grid_mesh(count: int) -> Scene:
    return Scene().terrain(np.zeros((count + 1, count + 1)), 0.5)


def test_rays_hit_both_sides_with_normals_facing_the_origin() -> None:
    space = Scene().sheet(2, -1, 2, 1, 0, 2).space()
    hits = space.cast_rays(np.array([(0, 0, 1), (5, 0, 1), (0, 0, 3.0)]), np.array([(5, 0, 1), (0, 0, 1), (5, 0, 3.0)]))
    assert np.allclose(hits.distance[:2], [2, 3])
    assert hits.distance[2] == np.inf
    assert np.allclose(hits.normal, [(-1, 0, 0), (1, 0, 0), (0, 0, 0)])
    assert hits.body.tolist() == [0, 0, -1]


def test_rays_agree_with_brute_force() -> None:
    rng = np.random.default_rng(4)
    scene = Scene()
    for _ in range(60):
        p, q, r, s = (tuple(rng.uniform(-3, 3, 3).tolist()) for _ in range(4))
        scene.quad(p, q, r, s)
    points, faces = scene.arrays
    starts, ends = rng.uniform(-4, 4, (400, 3)), rng.uniform(-4, 4, (400, 3))
    hits = scene.space().cast_rays(starts, ends)
    a, b, c = points[faces[:, 0]], points[faces[:, 1]], points[faces[:, 2]]
    wrong = 0
    for row, distance in enumerate(hits.distance):
        start, d = starts[row], ends[row] - starts[row]
        matrix = np.stack([b - a, c - a, np.tile(-d, (len(a), 1))], axis=2)
        u, v, t = np.linalg.solve(matrix, (start - a)[..., None])[..., 0].T
        inside = (u >= 0) & (v >= 0) & (u + v <= 1) & (t >= 0) & (t <= 1)
        expected = t[inside].min() * np.linalg.norm(d) if inside.any() else np.inf
        wrong += not (distance == expected or abs(distance - expected) < 1e-9)
    assert wrong <= 2  # Bullet widens triangles by a hair's breadth: grazes of an edge may differ


@pytest.mark.parametrize("side", [1.0, -1.0])
@pytest.mark.parametrize("gap", [0.2, 0.05, 0.0, -0.1, -0.25])
def test_contacts_are_exact_on_either_side_of_a_sheet(side: float, gap: float) -> None:
    space = Scene().sheet(0, -5, 0, 5, -1, 3).space()
    found = space.capsule_contacts(np.array([side * (0.3 + gap), -1.0, 0.0]), 0.3, 1.4, 0.3)
    assert len(found.distance) == 2  # one a triangle
    assert np.allclose(found.distance, gap, atol=1e-9)
    assert np.allclose(found.normal, (side, 0, 0), atol=1e-9)
    assert np.allclose(found.point[:, 0], 0.0, atol=1e-9)


def test_contacts_reach_no_further_than_asked() -> None:
    space = Scene().sheet(0, -5, 0, 5, -1, 3).space()
    assert len(space.capsule_contacts(np.array([0.599, 0, 0]), 0.3, 1.4, 0.3).distance) == 2
    assert len(space.capsule_contacts(np.array([0.601, 0, 0]), 0.3, 1.4, 0.3).distance) == 0


def test_big_meshes_are_split_and_stay_whole() -> None:
    scene = grid_mesh(300)  # 180,000 triangles: more than one PyBullet shape takes
    assert len(scene.faces) > 5 * PIECE_TRIANGLES
    space = scene.space()
    rng = np.random.default_rng(0)
    starts = np.concatenate([rng.uniform(-74, 74, (20_000, 2)), np.ones((20_000, 1))], axis=1)  # two ray batches
    hits = space.cast_rays(starts, starts - (0, 0, 2))
    assert np.allclose(hits.distance, 1.0)
    assert set(hits.body.tolist()) == {0}
    space.remove(0)
    assert np.isinf(space.cast_rays(starts[:10], starts[:10] - (0, 0, 2)).distance).all()


def test_moving_capsules_move_and_go() -> None:
    space = Scene().floor().space()
    body = space.add_capsule(0.25, 1.7, np.array([2.0, 0, 0]))
    seen = [space.revision]
    assert space.is_moving(body)
    assert not space.is_moving(0)
    me = np.array([1.0, 0.0, 0.35])
    found = space.capsule_contacts(me, 0.3, 1.4, 0.5)
    near = found.body == body
    assert np.allclose(found.distance[near].min(), 1.0 - 0.3 - 0.25, atol=1e-6)
    space.move(body, np.array([30.0, 0, 0]))
    seen.append(space.revision)
    assert body not in space.capsule_contacts(me, 0.3, 1.4, 0.5).body
    space.move(body, np.array([1.7, 0, 0]))
    assert body in space.capsule_contacts(me, 0.3, 1.4, 0.5).body
    space.remove(body)
    seen.append(space.revision)
    assert body not in space.capsule_contacts(me, 0.3, 1.4, 0.5).body
    assert sorted(set(seen)) == seen
    with pytest.raises(InputError, match="moving capsule"):
        space.move(0, me)
    with pytest.raises(InputError, match="body in this space"):
        space.remove(body)


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
    lazy, eager = BulletSpace(city), BulletSpace(city)
    lazy.capsule_contacts(np.array([-200.0, -200, 0]), 0.3, 1.4, 0.3)
    assert 0 < len(loaded) < 9
    eager.cast_rays(np.array([(-400.0, -400, 400)]), np.array([(400.0, 400, -400)]))
    rng = np.random.default_rng(2)
    for _ in range(200):
        start = rng.uniform(-290, 290, 3) * (1, 1, 0.1)
        end = start + rng.uniform(-30, 30, 3)
        a, b = lazy.cast_rays(start[None], end[None]), eager.cast_rays(start[None], end[None])
        assert a.distance == b.distance
        assert (a.normal == b.normal).all()
        a2, b2 = (s.capsule_contacts(start, 0.3, 1.4, 0.3) for s in (lazy, eager))
        assert (a2.distance == b2.distance).all()
        assert (a2.point == b2.point).all()
    assert len(loaded) <= 18  # each space loads a chunk once


def test_spaces_do_not_share_an_engine() -> None:
    a, b = Scene().floor().space(), BulletSpace()
    down = np.array([(0, 0, 1.0)]), np.array([(0, 0, -1.0)])
    assert np.isinf(b.cast_rays(*down).distance).all()
    b.close()
    b.close()
    assert np.allclose(a.cast_rays(*down).distance, 1.0)


def test_degenerate_triangles_and_empty_meshes_are_left_out() -> None:
    space = BulletSpace()
    space.add_triangles(np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int32))
    points = np.array([(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 2, 0.0)])
    body = space.add_triangles(points, np.array([(0, 1, 2), (1, 1, 3), (0, 2, 3)], dtype=np.int32))
    hits = space.cast_rays(np.array([(0.5, 0.5, 1.0)]), np.array([(0.5, 0.5, -1.0)]))
    assert hits.body[0] == body
    with pytest.raises(InputError, match="finite"):
        space.add_triangles(np.full((3, 3), np.nan), np.array([(0, 1, 2)], dtype=np.int32))


def test_pybullet_prints_nothing() -> None:
    code = "from citysim.physics.bullet import BulletSpace; BulletSpace().close()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout == b""
    assert done.stderr == b""


def test_unknown_engine_and_missing_library(monkeypatch: pytest.MonkeyPatch) -> None:
    city = Scene().floor().city()
    with pytest.raises(UnknownNameError, match="bullet"):
        make_space("havok", city)
    monkeypatch.setitem(sys.modules, "pybullet", None)
    with pytest.raises(DependencyError, match=r"citysim\[bullet\]"):
        make_space("bullet", city)
