from pathlib import Path

import pytest
from shapely.geometry import Point

from citysim.build.osm import plan_from_osm
from citysim.build.plans import AreaPlan, CityPlan
from tests.build.osm.drawing import HALF, Drawing


def areas(plan: CityPlan, kind: str) -> list[AreaPlan]:
    return [a for a in plan.areas if a.kind == kind]


def test_areas_get_their_kind_and_are_cut_at_the_bounds(tmp_path: Path) -> None:
    drawing = Drawing()
    drawing.block(0, 0, 40, 40, leisure="park", name="Park")
    drawing.block(HALF - 10, 60, 40, 20, landuse="grass")
    drawing.block(60, 0, 20, 20, highway="pedestrian", area="yes", place="square", name="Tori")
    drawing.block(60, 30, 20, 20, amenity="parking", parking="underground")
    drawing.block(60, 60, 20, 20, highway="pedestrian", area="yes", layer="-2", tunnel="yes")
    drawing.block(90, 0, 5, 20, railway="platform")
    drawing.block(100, 0, 20, 20, natural="water", building="yes", height="4")
    drawing.block(100, 60, 20, 20, landuse="lanes")
    plan = plan_from_osm(drawing.town(tmp_path))
    assert [(a.kind, a.name) for a in plan.areas] == [
        ("park", "Park"), ("grass", ""), ("square", "Tori"), ("platform", ""),
    ]  # fmt: skip
    assert areas(plan, "grass")[0].polygon.area == pytest.approx(200, abs=2)
    assert any("left to its ways" in line for line in plan.warnings)


def test_tracks_become_ballast_without_the_platforms(tmp_path: Path) -> None:
    drawing = Drawing()
    for y in (0, 5, 14):
        drawing.way([(-80, y), (80, y)], railway="rail")
    drawing.block(-40, 8, 60, 8, railway="platform")
    drawing.way([(-80, 40), (80, 40)], railway="rail", tunnel="yes")
    plan = plan_from_osm(drawing.town(tmp_path))
    rails = areas(plan, "rail")
    platform = areas(plan, "platform")[0].polygon
    assert any(a.polygon.contains(Point(0, 2.5)) for a in rails)  # between two tracks
    assert not any(a.polygon.contains(Point(0, 40)) for a in rails)
    assert all(a.polygon.intersection(platform).area < 0.5 for a in rails)


@pytest.mark.parametrize("north_is_water", [True, False])
def test_the_sea_lies_to_the_right_of_the_coast(tmp_path: Path, north_is_water: bool) -> None:
    drawing = Drawing()
    line: list[tuple[float, float] | int] = [(-HALF - 20, 80), (0, 90), (HALF + 20, 80)]
    drawing.way(line[::-1] if north_is_water else line, natural="coastline")
    drawing.block(50, 70 if not north_is_water else 95, 10, 10, man_made="pier", area="yes")
    plan = plan_from_osm(drawing.town(tmp_path))
    sea = areas(plan, "water")
    assert len(sea) == 1
    assert sea[0].polygon.contains(Point(0, 150)) == north_is_water
    assert sea[0].polygon.contains(Point(0, 0)) != north_is_water
    assert not sea[0].polygon.contains(Point(55, 100 if north_is_water else 75))  # the pier


def test_an_island_is_dry_and_the_rest_is_sea(tmp_path: Path) -> None:
    drawing = Drawing()
    # land on the left: an island is drawn anticlockwise
    drawing.ring([(-190, -190), (190, -190), (190, 190), (-190, 190)], natural="coastline")
    plan = plan_from_osm(drawing.town(tmp_path))
    sea = areas(plan, "water")
    assert sum(a.polygon.area for a in sea) == pytest.approx(4 * HALF**2 - 380**2, rel=0.02)
    assert not any(a.polygon.contains(Point(0, 0)) for a in sea)


def test_a_coast_cut_by_the_extract_is_drawn_on_to_the_border(tmp_path: Path) -> None:
    drawing = Drawing()
    drawing.way([900001, (-HALF + 15, 80), (HALF - 15, 80), 900002], natural="coastline")
    plan = plan_from_osm(drawing.town(tmp_path))
    assert sum(a.polygon.area for a in areas(plan, "water")) == pytest.approx(2 * HALF * (HALF + 80), rel=0.01)


def test_a_construction_site_that_streets_run_through_is_left_out(tmp_path: Path) -> None:
    drawing = Drawing()
    drawing.block(0, 0, 60, 60, landuse="construction")
    drawing.way([(0, 20), (60, 20)], highway="footway")
    drawing.way([(0, 40), (60, 40)], highway="residential")
    drawing.block(80, 0, 60, 60, landuse="construction")
    drawing.way([(80, 20), (90, 20)], highway="footway")
    plan = plan_from_osm(drawing.town(tmp_path))
    assert [a.id for a in areas(plan, "construction")] == ["osm:way/1003"]
    assert any("open streets left out" in line for line in plan.warnings)
