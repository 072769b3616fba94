from pathlib import Path

import pytest

from citysim.build.osm import plan_from_osm
from citysim.build.osm.widths import tagged_width, way_width
from tests.build.osm.drawing import HALF, Drawing


@pytest.mark.parametrize(
    ("tags", "kind", "width"),
    [
        ({"width:lanes": "3.5|3.5|2.5", "width": "8", "lanes": "2"}, "primary", 9.5),
        ({"width": "7", "lanes": "4"}, "primary", 7.0),
        ({"width": "64", "lanes": "3"}, "secondary", 9.75),
        ({"est_width": "5,5"}, "residential", 5.5),
        ({}, "tertiary", 6.0),
        ({}, "residential", 7.5),
        ({"service": "alley"}, "service", 3.0),
        ({}, "footway", 2.5),
        ({"width": "0.2"}, "path", 1.5),
    ],
)
def test_widths_follow_the_recipe(tags: dict[str, str], kind: str, width: float) -> None:
    assert way_width({"highway": kind, **tags}, kind, False) == pytest.approx(width)


def test_a_width_of_more_than_forty_metres_is_refused() -> None:
    assert tagged_width({"width": "64"}) is None
    assert tagged_width({"width": "40"}) == 40.0


def test_kinds_layers_and_stairs(tmp_path: Path) -> None:
    drawing = Drawing()
    drawing.way([(0, 0), (10, 0)], highway="steps", step_count="12", incline="down", name="A", name__sv="B")
    drawing.way([(0, 5), (10, 5)], highway="steps", conveying="backward")
    drawing.way([(0, 10), (10, 10)], highway="footway", bridge="yes", incline="-10%")
    drawing.way([(0, 15), (10, 15)], highway="footway", tunnel="yes")
    drawing.way([(0, 20), (10, 20)], highway="footway", tunnel="building_passage", covered="yes")
    drawing.way([(0, 25), (10, 25)], highway="corridor", level="-2")
    drawing.way([(0, 30), (10, 30)], highway="primary_link", oneway="-1", surface="asphalt;paved")
    drawing.way([(0, 35), (10, 35)], highway="path", path="sidewalk")
    drawing.way([(0, 40), (10, 40)], railway="tram")
    drawing.way([(0, 45), (10, 45)], highway="proposed")
    plan = plan_from_osm(drawing.town(tmp_path))
    way = {w.id.removeprefix("osm:way/"): w for w in plan.ways}
    steps = way["1000"]
    assert (steps.kind, steps.steps, steps.incline, steps.name, steps.tags["name:sv"]) == ("steps", 12, -1, "A", "B")
    assert (way["1001"].kind, way["1001"].conveying) == ("escalator", -1)
    assert (way["1002"].bridge, way["1002"].layer, way["1002"].incline) == (True, 1, -1)
    assert (way["1003"].tunnel, way["1003"].layer, way["1003"].passage) == (True, -1, False)
    assert (way["1004"].tunnel, way["1004"].layer, way["1004"].passage, way["1004"].covered) == (False, 0, True, True)
    assert (way["1005"].kind, way["1005"].indoor, way["1005"].layer) == ("corridor", True, -2)
    assert (way["1006"].kind, way["1006"].oneway, way["1006"].lanes, way["1006"].surface) == (
        "primary",
        -1,
        1,
        "asphalt",
    )
    assert not way["1006"].foot
    assert way["1007"].kind == "sidewalk"
    assert (way["1008"].kind, way["1008"].foot) == ("tram", False)
    assert "1009" not in way
    assert any("highway=proposed" in line for line in plan.warnings)


def test_crossing_kinds_come_from_tags_or_from_the_node(tmp_path: Path) -> None:
    drawing = Drawing()
    signal = drawing.node(0, 0, highway="crossing", crossing="traffic_signals")
    zebra = drawing.node(30, 0, highway="crossing", crossing="uncontrolled")
    plain = drawing.node(60, 0, crossing="unmarked")
    drawing.node(90, 50, highway="crossing")
    drawing.way([(-30, 0), signal, zebra, plain, (90, 0)], highway="secondary")
    for node, x in ((signal, 0), (zebra, 30), (plain, 60)):
        drawing.way([(x, -8), node, (x, 8)], highway="footway", footway="crossing")
    rail = drawing.node(0, 40, railway="crossing", highway="crossing")
    drawing.way([(-30, 40), rail, (30, 40)], railway="tram")
    plan = plan_from_osm(drawing.town(tmp_path))
    assert [(c.node, c.kind) for c in plan.crossings] == [
        (signal, "signals"),
        (zebra, "zebra"),
        (plain, "unmarked"),
        (rail, "rail"),
    ]
    assert [w.crossing for w in plan.ways if w.kind == "crossing"] == ["signals", "zebra", "unmarked"]
    assert any("on no carriageway" in line for line in plan.warnings)


def test_ways_are_cut_at_the_border_and_joined_there(tmp_path: Path) -> None:
    drawing = Drawing()
    inside, outside = drawing.node(0, 0), drawing.node(0, HALF + 300)
    drawing.way([inside, outside], highway="footway", step_count="10")
    drawing.way([outside, inside], highway="cycleway")
    drawing.way([(-HALF - 50, 20), (HALF + 50, 20)], highway="residential")
    plan = plan_from_osm(drawing.town(tmp_path))
    way = {w.id: w for w in plan.ways}
    first, second, through = (way[f"osm:way/{n}"] for n in (1000, 1001, 1002))
    assert plan.line(first).length == pytest.approx(HALF, abs=0.2)
    assert first.nodes[-1] == second.nodes[0] < 0
    assert plan.line(through).length == pytest.approx(2 * HALF, abs=0.3)
    for node in plan.nodes.values():
        assert plan.bounds[0] <= node[0] <= plan.bounds[2]
        assert plan.bounds[1] <= node[1] <= plan.bounds[3]


def test_absent_nodes_cut_a_way(tmp_path: Path) -> None:
    drawing = Drawing()
    drawing.way([(0, 0), (10, 0), 888888, (50, 0), (60, 0)], highway="footway")
    plan = plan_from_osm(drawing.town(tmp_path))
    lengths = {w.id: plan.line(w).length for w in plan.ways}
    assert lengths["osm:way/1000"] == pytest.approx(10, abs=0.01)
    assert lengths["osm:way/1000.1"] == pytest.approx(10, abs=0.01)


def test_repeated_nodes_leave_no_zero_edges(tmp_path: Path) -> None:
    drawing = Drawing()
    a = drawing.node(0, 0)
    drawing.way([a, a, (0.0001, 0.0), (10, 0)], highway="footway")
    plan = plan_from_osm(drawing.town(tmp_path))
    way = next(w for w in plan.ways if w.id == "osm:way/1000")
    assert len(way.nodes) == 2


def test_carriageways_shrink_to_the_room_between_facades_and_pavements(tmp_path: Path) -> None:
    drawing = Drawing()
    drawing.way([(-40, 0), (40, 0)], highway="residential")  # 7.5 by default
    for y in (-4.6 - 12, 4.6):
        drawing.block(-40, y, 80, 12, building="yes", height="9")
    drawing.way([(-40, 60), (40, 60)], highway="secondary", lanes="4")  # 13 by default
    drawing.way([(-40, 66.4), (40, 66.4)], highway="footway", footway="sidewalk")
    plan = plan_from_osm(drawing.town(tmp_path))
    width = {w.id: w.width for w in plan.ways}
    assert width["osm:way/1000"] == pytest.approx(2 * (4.6 - 1.5), abs=0.05)
    assert width["osm:way/1003"] == pytest.approx(2 * (6.4 - 1.0), abs=0.05)


def test_fitting_never_goes_below_two_and_a_half_metres_a_lane(tmp_path: Path) -> None:
    drawing = Drawing()
    drawing.way([(-40, 0), (40, 0)], highway="residential")
    for y in (-2.0 - 12, 2.0):
        drawing.block(-40, y, 80, 12, building="yes", height="9")
    plan = plan_from_osm(drawing.town(tmp_path))
    assert next(w.width for w in plan.ways if w.id == "osm:way/1000") == 5.0


def square(drawing: Drawing, **tags: str) -> list[int]:
    corners = [drawing.node(x, y) for x, y in ((0, 0), (40, 0), (40, 40), (0, 40))]
    drawing.way([*corners, corners[0]], highway="pedestrian", area="yes", **tags)
    for corner, (x, y) in zip(corners, ((-20, -20), (60, -20), (60, 60), (-20, 60)), strict=True):
        drawing.way([corner, (x, y)], highway="footway")
    return corners


def test_ways_that_end_at_a_square_are_joined_through_it(tmp_path: Path) -> None:
    drawing = Drawing()
    corners = square(drawing, name="Square")
    plan = plan_from_osm(drawing.town(tmp_path))
    links = [w for w in plan.ways if "citysim:link" in w.tags]
    assert {n for w in links for n in w.nodes} == set(corners)
    assert all(w.kind == "pedestrian" and w.name == "Square" for w in links)


def test_links_go_round_a_building_on_the_square(tmp_path: Path) -> None:
    drawing = Drawing()
    corners = square(drawing)
    drawing.block(10, 10, 20, 20, building="yes", height="5")
    plan = plan_from_osm(drawing.town(tmp_path))
    house = next(b for b in plan.buildings if b.id == "osm:way/1005")
    links = [w for w in plan.ways if "citysim:link" in w.tags]
    assert len({n for w in links for n in w.nodes} & set(corners)) == 4
    assert not any(plan.line(w).crosses(house.polygon.buffer(-0.5)) for w in links)


def test_links_do_not_cross_a_fence(tmp_path: Path) -> None:
    drawing = Drawing()
    square(drawing)
    drawing.way([(20, -1), (20, 41)], barrier="fence")
    plan = plan_from_osm(drawing.town(tmp_path))
    links = [plan.line(w) for w in plan.ways if "citysim:link" in w.tags]
    middle = [line for line in links if min(p[0] for p in line.coords) < 20 < max(p[0] for p in line.coords)]
    assert all(line.length == pytest.approx(40, abs=0.1) for line in middle)  # only along the outline
