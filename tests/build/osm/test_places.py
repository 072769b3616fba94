from pathlib import Path

from citysim.build.osm import plan_from_osm
from citysim.build.osm.places import category_of
from citysim.build.plans import CityPlan, PlacePlan
from tests.build.osm.drawing import Drawing


def named(plan: CityPlan) -> dict[str, PlacePlan]:
    return {p.name: p for p in plan.places}


def test_a_shop_knows_its_building_door_address_and_other_names(tmp_path: Path) -> None:
    drawing = Drawing()
    drawing.block(0, 0, building="yes", height="9", addr__street="Katu", addr__housenumber="3")
    door = drawing.node(5, 0, entrance="shop")
    drawing.node(
        5, 3, shop="books;gift", name="Kirja  Kauppa", name__en="Book Shop", name__sv="Bokhandel", level="0",
        opening_hours="Mo-Fr 09:00-19:00",
    )  # fmt: skip
    drawing.node(15, 6, amenity="restaurant", name="Upstairs", level="2", addr__street="Toinen", addr__housenumber="4")
    drawing.node(60, 60, amenity="cafe", name="Outdoors")
    drawing.node(10, 5, shop="kiosk")
    drawing.node(500, 0, shop="kiosk", name="Outside")
    plan = plan_from_osm(drawing.town(tmp_path))
    place = named(plan)
    book = place["Kirja Kauppa"]
    assert (book.category, book.building, book.entrance) == ("books", "osm:way/1000", f"osm:node/{door}")
    assert (book.address, book.opening_hours) == ("Katu 3", "Mo-Fr 09:00-19:00")
    assert book.aliases == ("Book Shop", "Bokhandel")
    assert (place["Upstairs"].level, place["Upstairs"].address) == (2, "Toinen 4")
    assert place["Outdoors"].building is None
    assert len(plan.places) == 3


def test_a_building_that_is_a_place_is_its_own_building(tmp_path: Path) -> None:
    drawing = Drawing()
    drawing.block(0, 0, building="hotel", tourism="hotel", name="Grand", height="20")
    drawing.node(8, 6, tourism="hotel", name="grand")
    drawing.block(40, 0, building="church", name="Chapel", height="20")
    plan = plan_from_osm(drawing.town(tmp_path))
    assert [(p.name, p.category, p.building) for p in plan.places] == [
        ("grand", "hotel", "osm:way/1000"),
        ("Chapel", "church", "osm:way/1001"),
    ]
    assert any("kept once" in line for line in plan.warnings)


def test_a_part_of_a_building_points_at_the_outline(tmp_path: Path) -> None:
    drawing = Drawing()
    drawing.block(0, 0, 40, 40, building="yes", height="20")
    drawing.block(10, 10, 10, 10, building="yes", amenity="theatre", name="Inner", height="25")
    plan = plan_from_osm(drawing.town(tmp_path))
    assert named(plan)["Inner"].building == "osm:way/1000"


def test_categories() -> None:
    assert category_of({"shop": "yes"}) == "shop"
    assert category_of({"shop": "no", "amenity": "bank"}) == "bank"
    assert category_of({"tourism": "artwork"}) == ""
    assert category_of({"leisure": "park"}) == ""
    assert category_of({"railway": "station", "station": "subway"}) == "subway_station"
    assert category_of({"building": "yes"}) == ""
    assert category_of({"office": "Digital Consultancy"}) == "digital_consultancy"
