from pathlib import Path

import pytest

from citysim.build.osm import plan_from_osm
from citysim.build.plans import BuildingPlan, CityPlan
from tests.build.osm.drawing import Drawing


def built(plan: CityPlan) -> dict[str, BuildingPlan]:
    return {b.id.removeprefix("osm:way/"): b for b in plan.buildings}


def test_height_comes_before_levels_and_levels_before_the_type(tmp_path: Path) -> None:
    drawing = Drawing()
    drawing.block(0, 0, building="yes", height="12,5 m", building__levels="9")
    drawing.block(40, 0, building="yes", building__levels="3.5")
    drawing.block(80, 0, building="kiosk")
    drawing.block(0, 40, building="house", roof__shape="flat")
    drawing.block(40, 40, building="church", roof__shape="flat")
    house = built(plan_from_osm(drawing.town(tmp_path)))
    assert house["1000"].height == 12.5
    assert (house["1001"].levels, house["1001"].height) == (4, 13.6)
    assert (house["1002"].levels, house["1002"].height) == (1, 4.0)
    assert (house["1003"].levels, house["1003"].height) == (2, 7.2)
    assert house["1004"].height == 14.0


def test_untagged_buildings_take_the_median_of_their_neighbours(tmp_path: Path) -> None:
    drawing = Drawing()
    for x, levels in ((0, "5"), (30, "6"), (60, "9")):
        drawing.block(x, 0, building="yes", building__levels=levels)
    drawing.block(30, 30, building="apartments")
    drawing.block(30, 60, 4, 4, building="yes")
    house = built(plan_from_osm(drawing.town(tmp_path)))
    assert house["1003"].levels == 6
    assert house["1004"].levels == 1  # a shed, whatever stands around


def test_twins_are_dropped_and_nested_buildings_become_parts(tmp_path: Path) -> None:
    drawing = Drawing()
    drawing.block(0, 0, 40, 40, building="cathedral", height="20", roof__shape="flat")
    drawing.block(0.2, 0, 40, 40, building="yes", height="20", name="Twin", note="has more tags")
    drawing.block(10, 10, 10, 10, building="church", min_height="18", roof__height="5", roof__shape="dome")
    plan = plan_from_osm(drawing.town(tmp_path))
    house = built(plan)
    assert "1000" not in house
    dome = house["1002"]
    assert dome.parent == "osm:way/1001"
    assert (dome.min_height, dome.height, dome.roof, dome.roof_height) == (20.0, 25.0, "dome", 5.0)
    assert any("mapped twice" in line for line in plan.warnings)
    assert any("made its part" in line for line in plan.warnings)
    # what carries the dome is drawn too
    assert any(b.parent == "osm:way/1001" and b.polygon.contains(dome.polygon) for b in plan.buildings if b != dome)


@pytest.mark.parametrize(
    ("key", "value"), [("layer", "-1"), ("location", "underground"), ("level", "-2"), ("tunnel", "yes")]
)
def test_underground_buildings_do_not_sprout(tmp_path: Path, key: str, value: str) -> None:
    drawing = Drawing()
    drawing.ring([(0, 0), (20, 0), (20, 12), (0, 12)], **{"building": "yes", key: value})
    plan = plan_from_osm(drawing.town(tmp_path))
    assert "1000" not in built(plan)
    assert any("underground building skipped" in line for line in plan.warnings)


def test_parts_stand_for_their_outline_and_the_rest_becomes_a_part(tmp_path: Path) -> None:
    drawing = Drawing()
    drawing.block(
        0, 0, 40, 20, building="office", building__levels="2", name="House", addr__street="A", addr__housenumber="1"
    )
    drawing.block(0, 0, 20, 20, building__part="yes", building__levels="8", building__colour="red")
    plan = plan_from_osm(drawing.town(tmp_path))
    house = built(plan)
    part, rest = house["1001"], house["1000/rest.0"]
    assert (part.parent, part.levels, part.color, part.kind) == ("osm:way/1000", 8, "#ff0000", "office")
    assert (rest.parent, rest.levels, round(rest.polygon.area), rest.name) == ("osm:way/1000", 2, 400, "")
    assert house["1000"].address == "A 1"


def test_a_part_that_starts_above_nothing_gets_the_outline_as_its_base(tmp_path: Path) -> None:
    drawing = Drawing()
    drawing.block(0, 0, 40, 20, building="yes", building__levels="2")
    drawing.block(10, 0, 20, 20, building__part="yes", building__min_level="2", building__levels="5")
    house = built(plan_from_osm(drawing.town(tmp_path)))
    base = house["1000/base.way-1001.0"]
    assert base.height == house["1001"].min_height == pytest.approx(7.2)
    assert base.polygon.equals_exact(house["1001"].polygon.normalize(), 0.01) or base.polygon.area == pytest.approx(
        400, abs=1
    )
    assert house["1001"].height == pytest.approx(16.8)


def test_a_part_below_its_own_start_is_raised(tmp_path: Path) -> None:
    drawing = Drawing()
    drawing.block(0, 0, building="yes", height="10", min_height="12")
    plan = plan_from_osm(drawing.town(tmp_path))
    assert built(plan)["1000"].height > 12.0
    assert any("below its start" in line for line in plan.warnings)


def test_a_part_without_an_outline_is_built_alone(tmp_path: Path) -> None:
    drawing = Drawing()
    drawing.block(0, 0, building__part="yes", height="9")
    assert built(plan_from_osm(drawing.town(tmp_path)))["1000"].parent is None


def test_roofs(tmp_path: Path) -> None:
    drawing = Drawing()
    drawing.block(0, 0, 20, 10, building="yes", height="10", roof__shape="gabled")
    drawing.block(30, 0, building="yes", height="10", roof__shape="9.0")
    drawing.block(60, 0, building="house")
    drawing.block(0, 30, building="apartments", start_date="before 1878", height="20")
    drawing.block(30, 30, building="yes", height="20", roof__shape="skillion", roof__direction="NE", roof__height="2")
    drawing.block(60, 30, building="roof", layer="1")
    plan = plan_from_osm(drawing.town(tmp_path))
    house = built(plan)
    assert (house["1000"].roof, house["1000"].roof_height) == ("gabled", 3.5)
    assert house["1001"].roof == "flat"
    assert any("unknown roof:shape" in line for line in plan.warnings)
    assert house["1002"].roof == "gabled"
    assert house["1003"].roof == "gabled"
    assert (house["1004"].roof_heading_deg, house["1004"].roof_height) == (45.0, 2.0)
    assert house["1005"].min_height > 2.4


def test_centroids_decide_at_the_border(tmp_path: Path) -> None:
    drawing = Drawing()
    drawing.block(190, 0, 30, 10, building="yes", height="9")  # centroid at 205
    drawing.block(184, 40, 30, 10, building="yes", height="9")  # centroid at 199
    house = built(plan_from_osm(drawing.town(tmp_path)))
    assert "1000" not in house
    assert house["1001"].polygon.area == pytest.approx(300, abs=1)


def test_doors_are_given_to_the_outline_they_lie_on(tmp_path: Path) -> None:
    drawing = Drawing()
    corners = [drawing.node(x, y) for x, y in ((0, 0), (20, 0), (20, 12), (0, 12))]
    door = drawing.node(10, 0, entrance="main", addr__housenumber="7", addr__street="Katu", addr__unit="B")
    drawing.way([corners[0], door, *corners[1:], corners[0]], building="yes", height="9")
    drawing.way([door, (10, -20)], highway="footway")
    near = drawing.node(4, -0.8, building="entrance")
    drawing.node(50, 50, entrance="yes")
    plan = plan_from_osm(drawing.town(tmp_path))
    house = built(plan)["1000"]
    assert [(d.id, d.kind, d.number, d.node) for d in house.entrances] == [
        (f"osm:node/{door}", "main", "7 B", door),
        (f"osm:node/{near}", "yes", "", None),
    ]
    assert house.address == "Katu 7"
    assert any("entrance on no outline" in line for line in plan.warnings)
