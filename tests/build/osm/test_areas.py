import random
from itertools import pairwise
from pathlib import Path

import pytest

from citysim.build.osm.rings import join_chains
from tests.build.osm.drawing import HALF, Drawing


def faults(lines: tuple[str, ...]) -> str:
    return "\n".join(lines)


def test_a_ring_open_by_less_than_a_metre_is_closed(tmp_path: Path) -> None:
    drawing = Drawing()
    drawing.way([(0, 0), (20, 0), (20, 10), (0, 10), (0, 0.8)], building="yes")
    source, areas = drawing.areas(tmp_path)
    assert [round(a.polygon.area) for a in areas] == [200]
    assert "open ring closed" in faults(source.faults.lines())


def test_a_ring_open_by_more_is_skipped(tmp_path: Path) -> None:
    drawing = Drawing()
    drawing.way([(0, 0), (20, 0), (20, 10), (0, 10)], building="yes")
    source, areas = drawing.areas(tmp_path)
    assert areas == []
    assert "1 x open ring skipped (first: way/1000)" in source.faults.lines()


def test_a_bow_tie_is_repaired(tmp_path: Path) -> None:
    drawing = Drawing()
    drawing.ring([(0, 0), (20, 10), (20, 0), (0, 10)], building="yes")
    source, areas = drawing.areas(tmp_path)
    assert sum(a.polygon.area for a in areas) == pytest.approx(100.0, abs=0.5)
    assert all(a.polygon.is_valid for a in areas)
    assert [a.id for a in areas] == ["osm:way/1000", "osm:way/1000.1"]
    assert "invalid ring repaired" in faults(source.faults.lines())


def courtyard(drawing: Drawing) -> tuple[list[tuple[str, int, str]], int]:
    a, b, c, d = (drawing.node(x, y) for x, y in ((0, 0), (40, 0), (40, 40), (0, 40)))
    members = [("w", drawing.way([c, d, a]), "outer"), ("w", drawing.way([a, b, c]), "outer")]
    inner = drawing.ring([(10, 10), (30, 10), (30, 30), (10, 30)])
    return [*members, ("w", inner, "inner")], inner


def test_a_multipolygon_of_pieces_keeps_its_court(tmp_path: Path) -> None:
    drawing = Drawing()
    drawing.relation(courtyard(drawing)[0], type="multipolygon", building="yes")
    _, areas = drawing.areas(tmp_path)
    assert [(a.id, round(a.polygon.area), len(a.polygon.interiors)) for a in areas] == [("osm:relation/5000", 1200, 1)]


def test_absent_members_are_tolerated(tmp_path: Path) -> None:
    drawing = Drawing()
    members, _ = courtyard(drawing)
    drawing.relation([*members, ("w", 99999, "inner")], type="multipolygon", building="yes")
    source, areas = drawing.areas(tmp_path)
    assert [round(a.polygon.area) for a in areas] == [1200]
    assert "multipolygon with absent members" in faults(source.faults.lines())


def test_a_multipolygon_without_its_outer_half_is_skipped_with_a_line(tmp_path: Path) -> None:
    drawing = Drawing()
    members, _ = courtyard(drawing)
    drawing.relation([members[0], members[2]], type="multipolygon", building="yes")
    source, areas = drawing.areas(tmp_path)
    assert areas == []
    assert "without a closed outer ring" in faults(source.faults.lines())


def test_a_multipolygon_cut_by_one_side_of_the_extract_is_closed_there(tmp_path: Path) -> None:
    drawing = Drawing()
    drawing.block(-HALF, -HALF, 5, 5, building="yes")
    half = drawing.way([(HALF - 5, -60), (150, -60), (150, 60), (HALF - 5, 60), 999999])
    drawing.relation([("w", half, "outer"), ("w", 99999, "outer")], type="multipolygon", place="square")
    source, areas = drawing.areas(tmp_path)
    assert round(areas[-1].polygon.area) == 45 * 120
    assert "open ring closed" in faults(source.faults.lines())


def test_an_untagged_multipolygon_takes_the_tags_of_its_outer_way(tmp_path: Path) -> None:
    drawing = Drawing()
    outer = drawing.block(0, 0, 40, 40, building="yes", name="Old style")
    inner = drawing.block(10, 10, 10, 10)
    drawing.relation([("w", outer, "outer"), ("w", inner, "inner")], type="multipolygon")
    _, areas = drawing.areas(tmp_path)
    assert [(a.tags["name"], round(a.polygon.area)) for a in areas] == [("Old style", 1500)]


def test_two_outer_rings_are_two_areas_the_larger_first(tmp_path: Path) -> None:
    drawing = Drawing()
    members = [("w", drawing.block(x, 0, w, 10), "outer") for x, w in ((0, 10), (50, 20))]
    drawing.relation(members, type="multipolygon", landuse="grass")
    _, areas = drawing.areas(tmp_path)
    assert [(a.id, round(a.polygon.area)) for a in areas] == [("osm:relation/5000", 200), ("osm:relation/5000.1", 100)]


def test_ways_with_a_node_that_is_absent_still_close(tmp_path: Path) -> None:
    drawing = Drawing()
    ids = [drawing.node(x, y) for x, y in ((0, 0), (20, 0), (20, 10), (0, 10))]
    drawing.way([ids[0], 777777, *ids[1:], ids[0]], building="yes")
    source, areas = drawing.areas(tmp_path)
    assert [round(a.polygon.area) for a in areas] == [200]
    assert "cut by the edge" in faults(source.faults.lines())


def test_a_closed_street_is_no_area(tmp_path: Path) -> None:
    drawing = Drawing()
    drawing.block(0, 0, highway="pedestrian")
    drawing.block(50, 0, highway="pedestrian", area="yes")
    _, areas = drawing.areas(tmp_path)
    assert [a.id for a in areas] == ["osm:way/1001"]


def test_chains_join_in_any_order_and_direction() -> None:
    ring = [*range(12), 0]
    chance = random.Random(4)
    for _ in range(50):
        cuts = [0, *sorted(chance.sample(range(1, 12), 3)), 12]
        chains = [tuple(ring[a : b + 1]) for a, b in pairwise(cuts)]
        chains = [c[::-1] if chance.random() < 0.5 else c for c in chains]
        chance.shuffle(chains)
        rings, rest = join_chains(chains)
        assert rest == []
        assert sorted(rings[0][:-1]) == list(range(12))
        assert rings[0][0] == rings[0][-1]
