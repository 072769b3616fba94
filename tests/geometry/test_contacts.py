"""Contacts of upright capsules against sampled distances and hand-made overlaps."""

import numpy as np
import pytest

from citysim.geometry.contacts import capsule_contacts
from tests.geometry.soups import point_distances, random_soup, scene_of


def test_distances_agree_with_a_finely_sampled_axis() -> None:
    rng = np.random.default_rng(0)
    far = 0
    for corners in random_soup(300, 1, spread=0.6):
        foot = rng.uniform(-1.5, 1.5, 3)
        rows, _ = capsule_contacts(scene_of(corners[None]).tables, foot, 0.05, 1.2, 50.0)
        up = np.linspace(foot[2] + 0.05, foot[2] + 1.15, 800)
        axis = np.column_stack([np.full(800, foot[0]), np.full(800, foot[1]), up])
        sampled = point_distances(axis, corners.reshape(3, 3).astype(np.float64)).min() - 0.05
        distance, normal, point = rows[0, 0], rows[0, 1:4], rows[0, 4:7]
        assert abs(np.linalg.norm(normal) - 1.0) < 1e-12
        assert point_distances(point[None], corners.reshape(3, 3).astype(np.float64))[0] < 1e-6
        if distance > -0.045:
            far += 1
            assert abs(distance - sampled) < 1e-3
            assert point_distances((point + (distance + 0.05) * normal)[None], np.array(
                [axis[0], axis[-1], axis[0] + (1e-9, 0, 0)]))[0] < 1e-6  # fmt: skip
        else:
            assert sampled < -0.045
    assert far > 200


def test_only_what_is_within_reach_is_named() -> None:
    soup = random_soup(3000, 2)
    tables = scene_of(soup).tables
    foot = np.array([0.3, -0.4, -0.5])
    everything, rows = capsule_contacts(tables, foot, 0.3, 1.4, 60.0)
    assert sorted(rows.tolist()) == list(range(3000))
    within, _ = capsule_contacts(tables, foot, 0.3, 1.4, 0.4)
    assert 3 < len(within) == (everything[:, 0] <= 0.4).sum()


@pytest.mark.parametrize(
    ("corners", "depth", "normal"),
    [
        (((0.1, -9, -9), (0.1, 9, -9), (0.1, 0, 30)), 0.2, (-1, 0, 0)),  # a wall before the axis
        (((0.1, -9, 1.1), (0.1, 9, 1.1), (-40, 0, 1.1)), 0.3 + 0.1, (1, 0, 0)),  # a slab through it: over its edge
        (((-9, -9, 0.4), (9, -9, 0.4), (0, 9, 0.4)), 0.3 + 0.1, (0, 0, 1)),  # a floor just above the lower end
        (((-9, -9, 1.6), (9, -9, 1.6), (0, 9, 1.6)), 0.3 + 0.1, (0, 0, -1)),  # a ceiling
    ],
)
def test_overlaps_are_parted_by_the_shortest_way(
    corners: tuple[tuple[float, float, float], ...], depth: float, normal: tuple[float, float, float]
) -> None:
    scene = scene_of(np.array(corners, np.float32).reshape(1, 9))
    rows, _ = capsule_contacts(scene.tables, np.zeros(3), 0.3, 2.0, 0.1)
    assert np.isclose(rows[0, 0], -depth, atol=1e-6)
    assert np.allclose(rows[0, 1:4], normal, atol=1e-6)
