"""Segments against brute force, and independence of everything but the triangles."""

import hashlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from citysim.geometry.bvh import build_bvh
from citysim.geometry.contacts import capsule_contacts
from citysim.geometry.rays import any_hits, closest_hits
from citysim.geometry.scene import TriangleScene
from citysim.geometry.sweep import capsule_sweeps
from tests.geometry.soups import brute_shares, random_soup, scene_of


def segments(count: int, seed: int, spread: float = 9.0) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    rng = np.random.default_rng(seed)
    starts, ends = rng.uniform(-spread, spread, (count, 3)), rng.uniform(-spread, spread, (count, 3))
    third = count // 3
    ends[:third, :2] = starts[:third, :2]  # upright
    ends[third : 2 * third, 2] = starts[third : 2 * third, 2]  # level
    return starts, ends


def test_first_hits_agree_with_brute_force() -> None:
    corners = random_soup(900, 5)
    starts, ends = segments(900, 6)
    hits = closest_hits(scene_of(corners).tables, starts, ends)
    expected = brute_shares(corners.astype(np.float64), starts, ends)
    assert np.isfinite(expected).sum() > 200
    assert (np.isfinite(hits.share) == np.isfinite(expected)).all()
    found = np.isfinite(expected)
    assert np.abs(hits.share[found] - expected[found]).max() < 1e-9
    assert ((ends - starts) * hits.normal).sum(axis=1).max() <= 0.0
    assert np.allclose(np.linalg.norm(hits.normal[found], axis=1), 1.0)
    assert (hits.triangle[~found] == -1).all()


def test_any_hits_are_those_with_a_first_hit() -> None:
    tables = scene_of(random_soup(900, 7)).tables
    starts, ends = segments(2000, 8)
    assert (any_hits(tables, starts, ends) == (closest_hits(tables, starts, ends).triangle >= 0)).all()


def test_no_ray_slips_between_triangles_that_share_vertices() -> None:
    heights = np.random.default_rng(3).normal(0, 0.3, (41, 41)).astype(np.float32)
    grid = np.dstack([*np.meshgrid(np.arange(41.0), np.arange(41.0), indexing="ij"), heights]).astype(np.float32)
    a, b, c, d = grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]
    corners = np.concatenate([np.stack([a, b, c], axis=2).reshape(-1, 9), np.stack([a, c, d], axis=2).reshape(-1, 9)])
    inner = grid[1:-1, 1:-1].reshape(-1, 3).astype(np.float64)
    for lean in ((0.0, 0.0), (0.31, -0.17), (1.1, 0.7)):
        along = np.array((*lean, 5.0))
        assert any_hits(scene_of(corners).tables, inner + along, inner - along).all()


def test_meshes_in_any_order_and_number_give_the_same_answers() -> None:
    corners = random_soup(1200, 9)
    double = np.concatenate([corners, corners[::-1]])  # each triangle twice: ties everywhere
    starts, ends = segments(3000, 10)
    whole = closest_hits(scene_of(double).tables, starts, ends)
    parts = np.array_split(double, 7)
    answers = []
    for order in (parts, parts[::-1]):
        scene = scene_of(*order)
        hits = closest_hits(scene.tables, starts, ends)
        assert np.array_equal(hits.share, whole.share)
        named = hits.triangle[hits.triangle >= 0]
        answers.append((scene.tables.ranks[scene.tables.owners[named]].tolist(), scene.tables.ids[named].tolist()))
        assert np.array_equal(np.abs(hits.normal), np.abs(whole.normal))
    assert answers[0] == answers[1]


def test_removed_meshes_are_not_hit_and_the_rest_stays() -> None:
    soups = [random_soup(300, k) for k in range(5)]
    scene = TriangleScene()
    slots = [scene.add(build_bvh(np.array([k, 0.0, 0.0]), soup)) for k, soup in enumerate(soups)]
    starts, ends = segments(2000, 11)
    scene.remove(slots[1])
    scene.remove(slots[4])
    scene.add(build_bvh(np.array([1.0, 0.0, 0.0]), soups[1]))
    other = TriangleScene()
    for k in (0, 1, 2, 3):
        other.add(build_bvh(np.array([k, 0.0, 0.0]), soups[k]))
    kept, fresh = (closest_hits(s.tables, starts, ends).share for s in (scene, other))
    assert np.array_equal(kept, fresh)
    for slot in (slots[0], slots[2], slots[3], 5):
        scene.remove(slot)
    assert len(scene) == 0
    assert not any_hits(scene.tables, starts, ends).any()


def test_segments_without_length_or_before_and_behind_hit_nothing() -> None:
    scene = scene_of(np.array([[-1, -1, 0, 1, -1, 0, 0, 1, 0]], np.float32))
    starts = np.array([(0, 0, 0), (0, 0, 1), (0, 0, -1), (0, 0, 1.0)])
    ends = np.array([(0, 0, 0), (0, 0, 0.001), (0, 0, -2), (0, 0, -0.001)])
    assert closest_hits(scene.tables, starts, ends).triangle.tolist() == [-1, -1, -1, 0]


def digest() -> str:
    """Hash of the answers of all query kernels on one scene."""
    away = np.array((3000.0, -700.0, 20.0))
    scene = scene_of(*np.array_split(random_soup(4000, 12), 5), origin=(3000.0, -700.0, 20.0))
    starts, ends = segments(4000, 13)
    hits = closest_hits(scene.tables, starts + away, ends + away)
    total = hashlib.sha256(b"".join(array.tobytes() for array in hits))
    for foot in starts[:200]:
        rows, _ = capsule_contacts(scene.tables, foot + away, 0.3, 1.4, 0.4)
        total.update(rows.tobytes())
    for array in capsule_sweeps(scene.tables, starts[:500] + away, ends[:500] - starts[:500], 0.3, 1.4):
        total.update(array.tobytes())
    return total.hexdigest()


def test_threads_change_nothing() -> None:
    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(lambda _: digest(), range(8)))) == 1


@pytest.mark.slow
def test_answers_are_equal_bit_for_bit_on_a_generic_cpu(tmp_path: Path) -> None:
    code = "from tests.geometry.test_rays import digest; print(digest())"
    env = {**os.environ, "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == digest()
