from pathlib import Path

import pytest

from citysim.build.osm import plan_from_osm
from citysim.build.osm.extract import read_extract
from citysim.errors import CitySimError, FormatError, InputError, StorageError
from tests.build.osm.drawing import FRAME, Drawing


def small() -> Drawing:
    drawing = Drawing()
    drawing.block(0, 0, building="yes", height="10")
    drawing.way([(-50, -5), (50, -5)], highway="footway")
    return drawing


def box(x0: float, y0: float, x1: float, y1: float) -> tuple[float, float, float, float]:
    west, south = FRAME.to_geodetic([x0, y0, 0.0])[:2]
    east, north = FRAME.to_geodetic([x1, y1, 0.0])[:2]
    return float(west), float(south), float(east), float(north)


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"no file .*none\.osm\.pbf"):
        plan_from_osm(tmp_path / "none.osm.pbf")


def test_a_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="folder"):
        plan_from_osm(tmp_path)


def test_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "empty.osm.pbf"
    path.touch()
    with pytest.raises(FormatError, match="empty file"):
        plan_from_osm(path)


@pytest.mark.parametrize("share", [0.05, 0.5, 0.9, 0.99])
def test_truncated_file(tmp_path: Path, share: float) -> None:
    drawing = small()
    for k in range(400):
        drawing.node(k * 0.1, 3.0, natural="tree", note=f"tree number {k}")
    whole = drawing.write(tmp_path).read_bytes()
    path = tmp_path / "cut.osm.pbf"
    path.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(FormatError, match="whole OpenStreetMap file"):
        plan_from_osm(path)


@pytest.mark.parametrize("name", ["photo.osm.pbf", "photo.osm"])
def test_something_else_under_the_right_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20)
    with pytest.raises(FormatError, match="expected a whole OpenStreetMap file"):
        plan_from_osm(path)


def test_wrong_suffix(tmp_path: Path) -> None:
    path = tmp_path / "city.txt"
    path.write_text("hello")
    with pytest.raises(FormatError, match=r"\.osm\.pbf"):
        plan_from_osm(path)


@pytest.mark.parametrize(
    "bbox", [(25.0, 60.0, 24.0, 61.0), (24.0, 61.0, 25.0, 60.0), (float("nan"), 0.0, 1.0, 1.0), (0.0, -91.0, 1.0, 1.0)]
)
def test_malformed_bbox(tmp_path: Path, bbox: tuple[float, float, float, float]) -> None:
    with pytest.raises(InputError, match="west,south,east,north"):
        plan_from_osm(small().write(tmp_path), bbox=bbox)


@pytest.mark.parametrize("with_header", [True, False])
def test_bbox_outside_the_data_names_the_data(tmp_path: Path, with_header: bool) -> None:
    with pytest.raises(InputError, match=r"24\.93.*60\.1") as caught:
        plan_from_osm(small().write(tmp_path, box=with_header), bbox=(10.0, 50.0, 11.0, 51.0))
    assert "10,50,11,51" in caught.value.found


def test_no_buildings_and_nothing_to_walk_on(tmp_path: Path) -> None:
    bare = Drawing()
    bare.way([(0, 0), (10, 0)], highway="footway")
    with pytest.raises(FormatError, match="expected buildings"):
        plan_from_osm(bare.write(tmp_path))
    still = Drawing()
    still.block(0, 0, building="yes")
    with pytest.raises(FormatError, match="walk on"):
        plan_from_osm(still.write(tmp_path))


def test_a_file_without_nodes(tmp_path: Path) -> None:
    with pytest.raises(CitySimError, match="nodes"):
        plan_from_osm(Drawing().write(tmp_path, box=False))


def test_xml_and_pbf_say_the_same(tmp_path: Path) -> None:
    pbf = read_extract(small().write(tmp_path))
    xml = read_extract(small().write(tmp_path, "drawn.osm"))
    assert (pbf.locations, pbf.way_refs, pbf.way_tags) == (xml.locations, xml.way_refs, xml.way_tags)
    assert pbf.box == pytest.approx(xml.box, abs=1e-7)


def test_a_box_keeps_what_reaches_into_it_whole(tmp_path: Path) -> None:
    drawing = small()
    far = drawing.way([(0, 30), (0, 3000)], highway="footway")
    lost = drawing.way([(2000, 2000), (2100, 2000)], highway="footway")
    extract = read_extract(drawing.write(tmp_path), box(-20, -20, 30, 30))
    assert far in extract.way_refs
    assert lost not in extract.way_refs
    assert all(ref in extract.locations for ref in extract.way_refs[far])


def test_the_bounds_are_the_common_part_of_box_and_data(tmp_path: Path) -> None:
    plan = plan_from_osm(small().write(tmp_path), bbox=box(-60, -60, 1000, 60))
    e0, n0, e1, n1 = plan.bounds
    assert e1 - e0 == pytest.approx(260.0, abs=0.3)
    assert n1 - n0 == pytest.approx(120.0, abs=0.3)
    assert e0 == pytest.approx(-e1, abs=0.1)
