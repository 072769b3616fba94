"""Outlines of blocks."""

import shapely
from shapely.geometry import Polygon

from citysim.build.procedural.district.blocks import _tidy

# a block of `oldtown`, seed 1, 350 m: at a bend of a street, where a lane joins, its outline has edges of centimetres
BESIDE_A_BEND = (
    (73.305, 41.298), (73.251, 41.45), (72.921, 41.333), (20.821, 87.656), (39.18, 120.274), (85.604, 96.516),
    (113.522, 42.214), (74.928, 41.749), (74.928, 41.733),
)  # fmt: skip


def test_no_block_grows_a_spike_into_the_street() -> None:
    """Mitres of edges of centimetres would reach four metres into the street."""
    block = Polygon(BESIDE_A_BEND)
    made = _tidy(block)
    assert made is not None
    assert shapely.hausdorff_distance(made, block) < 1.0
    assert shapely.difference(made, block).area < 0.1
    assert shapely.difference(block, made).area < 2.0


def test_a_plain_block_keeps_its_shape() -> None:
    block = Polygon([(-50.0, 5.25), (50.0, 5.25), (50.0, 40.0), (-50.0, 40.0)])
    made = _tidy(block)
    assert made is not None
    assert made.equals(block)
