from pathlib import Path

import pytest
from shapely.geometry import Point

from citysim.build.osm import plan_from_osm
from citysim.build.plans import CityPlan, PropPlan
from tests.build.osm.drawing import Drawing


def standing(plan: CityPlan) -> dict[str, PropPlan]:
    return {p.id.removeprefix("osm:"): p for p in plan.props}


def test_things_on_a_road_axis_go_to_the_kerb(tmp_path: Path) -> None:
    drawing = Drawing()
    right = drawing.node(0, 0, highway="traffic_signals")
    left = drawing.node(20, 0, highway="traffic_signals", traffic_signals__direction="backward")
    drawing.way([(-50, 0), right, left, (50, 0)], highway="residential")  # 7.5 m wide
    tree = drawing.node(10, 2.0, natural="tree")
    post = drawing.node(-20, 0.5, barrier="bollard")
    plan = plan_from_osm(drawing.town(tmp_path))
    prop = standing(plan)
    assert prop[f"node/{right}"].xy == pytest.approx((0.0, -(3.75 + 0.6)), abs=0.02)
    assert prop[f"node/{left}"].xy == pytest.approx((20.0, 3.75 + 0.6), abs=0.02)
    assert prop[f"node/{tree}"].xy == pytest.approx((10.0, 3.75 + 0.6), abs=0.02)
    assert prop[f"node/{post}"].xy == pytest.approx((-20.0, 0.5), abs=0.02)
    assert any(line.startswith("3 x furniture moved") for line in plan.warnings)


def test_things_in_walls_step_out_and_things_indoors_stay_out(tmp_path: Path) -> None:
    drawing = Drawing()
    house = drawing.block(0, 0, building="yes", height="9")
    corner = drawing.node(10, 0.3, amenity="post_box")
    on_wall = drawing.node(5, 0.0, amenity="waste_basket")
    inside = drawing.node(10, 6, amenity="vending_machine")
    upstairs = drawing.node(40, 40, amenity="bench", level="1")
    plan = plan_from_osm(drawing.town(tmp_path))
    prop = standing(plan)
    shape = next(b.polygon for b in plan.buildings if b.id == f"osm:way/{house}")
    for node in (corner, on_wall):
        assert shape.distance(Point(prop[f"node/{node}"].xy)) >= 0.25
    assert f"node/{inside}" not in prop
    assert f"node/{upstairs}" not in prop


def test_kinds(tmp_path: Path) -> None:
    drawing = Drawing()
    wanted = {
        drawing.node(0, 0, amenity="vending_machine", vending="parking_tickets"): "parking_meter",
        drawing.node(0, 5, amenity="vending_machine", vending="sweets"): "vending_machine",
        drawing.node(0, 10, highway="bus_stop", shelter="yes"): "bus_shelter",
        drawing.node(0, 15, highway="bus_stop", shelter="no"): "bus_stop",
        drawing.node(0, 20, historic="memorial", memorial="bust", name="Poet"): "statue",
        drawing.node(0, 30, tourism="artwork", artwork_type="fountain"): "fountain",
        drawing.node(0, 40, advertising="column", direction="90", height="3.2"): "advertising_column",
    }
    silent = [drawing.node(0, 25, historic="memorial", memorial="plaque"), drawing.node(0, 35, artwork_type="mural")]
    prop = standing(plan_from_osm(drawing.town(tmp_path)))
    assert {node: prop[f"node/{node}"].kind for node in wanted} == wanted
    assert not any(f"node/{node}" in prop for node in silent)
    column = prop[f"node/{max(wanted)}"]
    assert (column.heading_deg, column.height) == (90.0, 3.2)


def test_rows_of_trees_and_bollards(tmp_path: Path) -> None:
    drawing = Drawing()
    drawing.way([(0, 0), (40, 0)], natural="tree_row")
    drawing.way([(0, 20), (6, 20)], barrier="bollard")
    kinds = [p.kind for p in plan_from_osm(drawing.town(tmp_path)).props]
    assert (kinds.count("tree"), kinds.count("bollard")) == (6, 5)


def test_a_kiosk_stands_for_a_small_shop_in_the_open_but_not_in_the_way(tmp_path: Path) -> None:
    drawing = Drawing()
    free = drawing.node(0, 50, shop="kiosk", name="Free")
    blocking = drawing.node(0, 1, shop="kiosk", name="Blocking")
    drawing.way([(-20, 0), (20, 0)], highway="footway")
    prop = standing(plan_from_osm(drawing.town(tmp_path)))
    assert prop[f"node/{free}/kiosk"].name == "Free"
    assert f"node/{blocking}/kiosk" not in prop


def test_barriers_open_at_gates_and_where_ways_cross(tmp_path: Path) -> None:
    drawing = Drawing()
    gate = drawing.node(10, 0, barrier="gate")
    locked = drawing.node(20, 0, barrier="gate", access="no")
    drawing.way([(0, 0), gate, locked, (40, 0)], barrier="fence", height="1,5")
    drawing.way([(30, -10), (30, 10)], highway="footway", width="2")
    drawing.way([(0, 30), (10, 30)], barrier="kerb")
    drawing.way([(0, 40), (10, 40)], barrier="retaining_wall")
    plan = plan_from_osm(drawing.town(tmp_path))
    fences = [b for b in plan.barriers if b.kind == "fence"]
    assert [b.height for b in fences] == [1.5, 1.5, 1.5]
    everything = fences[0].line.union(fences[1].line).union(fences[2].line)
    assert everything.distance(Point(10, 0)) == pytest.approx(0.8, abs=0.02)
    assert everything.distance(Point(20, 0)) < 0.02
    assert everything.distance(Point(30, 0)) == pytest.approx(1.3, abs=0.02)
    assert {b.kind for b in plan.barriers} == {"fence", "retaining_wall"}
