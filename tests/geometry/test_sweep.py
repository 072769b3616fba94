"""Capsule sweeps: free up to the touch, touching there, and exact on planes, edges and corners."""

import math

import numpy as np
import pytest

from citysim.geometry.contacts import capsule_contacts
from citysim.geometry.sweep import capsule_sweeps
from tests.geometry.soups import random_soup, scene_of

RADIUS, HEIGHT = 0.3, 1.4


def test_sweeps_are_free_up_to_the_first_touch_and_touch_there() -> None:
    tables = scene_of(random_soup(500, 21, size=0.7, spread=6.0)).tables
    rng = np.random.default_rng(22)
    feet, moves = rng.uniform(-6, 6, (300, 3)), rng.normal(0, 1.5, (300, 3))
    clear = [len(capsule_contacts(tables, foot, RADIUS, HEIGHT, 1e-6)[0]) == 0 for foot in feet]
    feet, moves = feet[clear], moves[clear]
    answer = capsule_sweeps(tables, feet, moves, RADIUS, HEIGHT)
    stopped = np.isfinite(answer.share)
    assert 40 < stopped.sum() < len(feet) - 20
    for foot, move, share, triangle, normal in zip(feet, moves, *answer, strict=True):
        end = min(share, 1.0)
        for part in np.linspace(0.0, 1.0, 40) * end:
            gaps = capsule_contacts(tables, foot + part * move, RADIUS, HEIGHT, 0.01)[0][:, 0]
            assert gaps.min(initial=1.0) > -1e-8
        if math.isfinite(share):
            rows, found = capsule_contacts(tables, foot + share * move, RADIUS, HEIGHT, 1e-6)
            assert triangle in found
            assert np.allclose(rows[found.tolist().index(triangle), 1:4], normal, atol=1e-6)
            assert normal @ move < 0.0


@pytest.mark.parametrize(
    ("corners", "move", "free", "normal"),
    [
        (((5, -9, -9), (5, 9, -9), (5, 0, 30)), (10, 0, 0), 4.7, (-1, 0, 0)),  # a wall
        (((-9, -9, -2), (9, -9, -2), (0, 9, -2)), (0, 0, -8), 2.0, (0, 0, 1)),  # a floor
        (((5, 0.18, -9), (5, 0.18, 9), (9, 0.18, 0)), (10, 0, 0), 4.76, (-0.8, -0.6, 0)),  # an upright edge
        (((5, 0, 1.34), (9, -1, 9), (9, 1, 9)), (10, 0, 0), 4.82, (-0.6, 0, -0.8)),  # a corner over the shoulder
    ],
)
def test_planes_edges_and_corners_stop_where_formulas_say(
    corners: tuple[tuple[float, float, float], ...],
    move: tuple[float, float, float],
    free: float,
    normal: tuple[float, float, float],
) -> None:
    tables = scene_of(np.array(corners, np.float32).reshape(1, 9)).tables
    answer = capsule_sweeps(tables, np.zeros((1, 3)), np.array([move]), RADIUS, HEIGHT)
    assert np.isclose(answer.share[0] * np.linalg.norm(move), free, atol=1e-6)
    assert np.allclose(answer.normal[0], normal, atol=1e-6)
    short = capsule_sweeps(tables, np.zeros((1, 3)), np.array([move]) * 0.1, RADIUS, HEIGHT)
    assert short.triangle[0] == -1
    assert np.isinf(short.share[0])


def test_an_overlap_may_be_left_but_not_deepened() -> None:
    tables = scene_of(np.array([[0.2, -9, -9, 0.2, 9, -9, 0.2, 0, 30]], np.float32)).tables
    moves = np.array([(1.0, 0, 0), (-1.0, 0, 0), (0, 1.0, 0)])
    assert capsule_sweeps(tables, np.zeros((3, 3)), moves, RADIUS, HEIGHT).share.tolist() == [0.0, math.inf, math.inf]


def test_more_triangles_than_expected_are_all_heard() -> None:
    soup = random_soup(4000, 23, spread=0.5)
    soup[:, 0::3] += 5.0
    answer = capsule_sweeps(scene_of(soup).tables, np.zeros((2, 3)), np.array([(9.0, 0, 0), (-9.0, 0, 0)]), 0.3, 1.4)
    assert 0.1 < answer.share[0] < 0.6
    assert np.isinf(answer.share[1])
