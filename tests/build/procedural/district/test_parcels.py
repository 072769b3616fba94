"""Blocks and lots: nothing overlaps, everything has a street, no needles."""

import math
from collections import Counter
from itertools import pairwise

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import STRtree

from citysim.build.chance import Chance
from citysim.build.procedural.district.blocks import find_blocks, street_space
from citysim.build.procedural.district.houses import Builder, Placement, Sort, facades, footprint
from citysim.build.procedural.district.numbers import house_numbers
from citysim.build.procedural.district.parcels import Slicing, slice_block, split_area, stations_between
from citysim.build.procedural.sketch import Sketch
from tests.build.procedural.district.test_layout import bent_grid

BOUNDS = (-220.0, -200.0, 220.0, 200.0)


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**40), low=st.floats(5.0, 12.0), depth=st.floats(12.0, 34.0))
def test_lots_tile_their_block_and_have_a_street(seed: int, low: float, depth: float) -> None:
    graph = bent_grid(seed)
    blocks = find_blocks(graph, BOUNDS)
    assert len(blocks) >= 16
    space = street_space(graph)
    for block in blocks:
        assert block.polygon.intersection(space).area < 0.02 * block.polygon.area
        cut = slice_block(block, Slicing((low, 2 * low), depth), Chance(seed, "lots"))
        pieces = [lot.polygon for lot in cut.lots] + list(cut.core)
        total = sum(p.area for p in pieces)
        assert total <= block.polygon.area + 0.1
        assert total > 0.9 * block.polygon.area
        assert shapely.union_all(pieces).area == pytest.approx(total, abs=0.5)
        for lot in cut.lots:
            assert lot.polygon.is_valid
            assert max(front.length for front in lot.fronts) > 2.0
            assert not lot.polygon.buffer(-1.0).is_empty
            assert lot.polygon.exterior.is_ccw
            assert lot.polygon.dwithin(shapely.Point(lot.front.a), 0.01)


def test_through_lots_leave_the_lane_behind_alone() -> None:
    graph = bent_grid(5)
    for block in find_blocks(graph, BOUNDS):
        cut = slice_block(block, Slicing((10.0, 20.0), 80.0, through=True), Chance(1, "x"))
        assert all(not lot.front.edge.street.flush for lot in cut.lots)


@settings(max_examples=40, deadline=None)
@given(start=st.floats(0, 50), length=st.floats(10, 200), low=st.floats(4, 12), corner=st.sampled_from([0.0, 15.0]))
def test_stations_leave_no_slivers(start: float, length: float, low: float, corner: float) -> None:
    how = Slicing((low, 2.2 * low), 20.0, corner)
    found = [start, *stations_between(start, start + length, how, Chance(3, "s")), start + length]
    widths = [b - a for a, b in pairwise(found)]
    assert len(widths) == 1 or min(widths) > 0.4 * low


def test_irregular_land_is_halved_until_it_is_small_enough() -> None:
    block = find_blocks(bent_grid(7), BOUNDS)[6]
    lots = split_area(block.polygon, 900.0, block, Chance(1, "split"))
    assert len(lots) > 3
    assert sum(lot.polygon.area for lot in lots) == pytest.approx(block.polygon.area, rel=0.01)
    assert all(lot.fronts for lot in lots)


def test_house_numbers_rise_and_are_unique() -> None:
    graph = bent_grid(4)
    lots = [
        lot for b in find_blocks(graph, BOUNDS) for lot in slice_block(b, Slicing((8.0, 16.0), 20.0), Chance(1)).lots
    ]
    numbers = house_numbers(graph, lots)
    addresses = Counter((lot.front.edge.name, number) for lot, number in zip(lots, numbers, strict=True))
    assert set(addresses.values()) == {1}
    parity = {(lot.front.edge.name, lot.front.sign, int(n) % 2) for lot, n in zip(lots, numbers, strict=True)}
    assert len(parity) == len({(a, b) for a, b, _ in parity})


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**40), setback=st.floats(0.0, 4.0), depth=st.floats(8.0, 40.0))
def test_buildings_stay_on_their_lots_with_doors_on_their_walls(seed: int, setback: float, depth: float) -> None:
    graph = bent_grid(seed)
    builder = Builder(Sketch("test"))
    for block in find_blocks(graph, BOUNDS)[:8]:
        for k, lot in enumerate(slice_block(block, Slicing((8.0, 16.0), 24.0), Chance(seed)).lots):
            where = Placement(setback, depth)
            shape = footprint(lot, where)
            if shape is None:
                continue
            assert shape.difference(lot.polygon.buffer(0.01)).area < 0.05
            made = builder.raise_on(lot, Sort("grid_brick", "apartments"), str(k), Chance(seed, str(k)), where)
            assert made is not None
            for a, b, line in facades(shape, lot.fronts):
                along = (b[0] - a[0]) * (line.b[0] - line.a[0]) + (b[1] - a[1]) * (line.b[1] - line.a[1])
                assert along / (math.dist(a, b) * line.length) > 0.89
            for door in made.entrances:
                assert made.polygon.boundary.distance(shapely.Point(door.xy)) < 0.01
    shapes = [b.polygon for b in builder.sketch.buildings]
    tree = STRtree(shapes)
    for i, shape in enumerate(shapes):
        assert all(j == i or shape.intersection(shapes[j]).area < 0.02 for j in tree.query(shape).tolist())
