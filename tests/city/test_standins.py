"""Where a finest tile is missing, the right part of a coarser one stands in."""

from typing import Any

import numpy as np
import pytest

from citysim.city import Chunk
from citysim.city.standins import cut_out, find_stand_ins
from citysim.geo.tileset import TileNode
from citysim.geo.volumes import bounding_sphere


def node(parent: int, refine: str = "REPLACE", *uris: str) -> TileNode:
    return TileNode(uris, parent, [], refine, 1.0, {"sphere": [0, 0, 0, 1]}, np.eye(4), "Y", "t.json")


@pytest.mark.parametrize(
    ("nodes", "present", "expected"),
    [
        ([node(-1, "REPLACE", "a"), node(0, "REPLACE", "b"), node(0, "REPLACE", "c")], [1, 0, 1], {1: 0}),
        ([node(-1, "ADD", "a"), node(0, "ADD", "b")], [1, 0], {}),  # the parent stays in sight anyway
        ([node(-1, "REPLACE", "a"), node(0), node(1, "REPLACE", "b")], [1, 0, 0], {2: 0}),
        ([node(-1, "REPLACE", "a"), node(0, "REPLACE", "b"), node(1, "REPLACE", "c")], [1, 0, 1], {}),  # finer is there
        ([node(-1, "REPLACE", "a"), node(0, "REPLACE", "b"), node(1, "REPLACE", "c")], [1, 0, 0], {1: 0, 2: 0}),
        ([node(-1), node(0, "REPLACE", "b")], [0, 0], {}),
        ([node(-1, "REPLACE", "a"), node(0)], [1, 0], {}),  # empty on purpose
    ],
)
def test_who_stands_in_for_whom(nodes: list[TileNode], present: list[int], expected: dict[int, int]) -> None:
    assert find_stand_ins(nodes, [bool(p) for p in present]) == expected


def grid() -> Chunk:
    """10 x 10 squares of 1 m from the origin, at east 1000."""
    e, n = (a.ravel().astype(np.float32) for a in np.meshgrid(np.arange(11), np.arange(11)))
    i = (np.arange(10)[:, None] * 11 + np.arange(10)).ravel()
    faces = np.concatenate([np.stack([i, i + 1, i + 12], 1), np.stack([i, i + 12, i + 11], 1)]).astype(np.int32)
    points = np.stack([e, n, np.zeros_like(e)], axis=1)
    labels = np.arange(200, dtype=np.int32)
    uvs, colors = points[:, :2].copy(), np.full((121, 4), 255, np.uint8)
    return Chunk(np.array([1000.0, 0.0, 0.0]), points, uvs, colors, faces, labels % 3, labels)


@pytest.mark.parametrize("turn", [0.0, 30.0])
def test_every_triangle_that_reaches_into_the_box_and_few_others(turn: float) -> None:
    chunk = grid()
    a = np.radians(turn)
    axes = np.array([[np.cos(a), np.sin(a), 0], [-np.sin(a), np.cos(a), 0], [0, 0, 1]]) * 2.2
    volume: dict[str, Any] = {"box": [5.3, 4.9, 0.0, *axes.ravel().tolist()]}
    matrix = np.eye(4)
    matrix[0, 3] = 1000.0
    cut = cut_out(chunk, volume, matrix, bounding_sphere(volume, matrix, np.eye(4)))
    middles = chunk.positions[chunk.triangles].mean(axis=1).astype(np.float64)
    inside = (np.abs((middles - (5.3, 4.9, 0.0)) @ np.linalg.inv(axes)) <= 1.0).all(axis=1)
    assert set(chunk.labels[inside]) <= set(cut.labels.tolist())
    assert len(cut.triangles) < inside.sum() + 40
    assert (cut.positions[cut.triangles] == chunk.positions[chunk.triangles[cut.labels]]).all()
    assert (cut.uvs[cut.triangles] == chunk.uvs[chunk.triangles[cut.labels]]).all()
    assert (cut.materials == cut.labels % 3).all()


def test_other_volumes_go_by_their_sphere_and_nothing_may_be_left() -> None:
    volume = {"sphere": [0, 0, 50, 3]}
    cut = cut_out(grid(), volume, np.eye(4), bounding_sphere(volume, np.eye(4), np.eye(4)))
    assert len(cut.triangles) == len(cut.positions) == 0
