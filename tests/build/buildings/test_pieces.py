"""The small decisions: bays, storeys, runs, tints, plates, styles."""

from functools import cache
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import Point, Polygon, box

from citysim.build.buildings import materials
from citysim.build.buildings.exposure import Exposure
from citysim.build.buildings.fronts import FRONTS
from citysim.build.buildings.outline import runs
from citysim.build.buildings.paint.facades import PAINTERS
from citysim.build.buildings.paint.surfaces import MAKERS
from citysim.build.buildings.pieces import fit
from citysim.build.buildings.plates import CHARACTERS, cell, drawable
from citysim.build.buildings.segments import segments_of
from citysim.build.buildings.solid import Solid
from citysim.build.buildings.storeys import LEAST, MOST, rows_of
from citysim.build.buildings.styles import STYLES, choose_style
from citysim.build.buildings.tint import linear, over, parse
from citysim.build.chance import Chance
from citysim.build.draft import ROOM, STEADY
from tests.build.buildings.street import house


@given(length=st.floats(0.05, 200.0), bay=st.sampled_from((1.6, 2.667, 3.2, 4.0)))
def test_bays_are_whole_centred_and_hardly_stretched(length: float, bay: float) -> None:
    bays = fit(5.0, 5.0 + length, bay)
    assert bays.start >= 5.0 - 1e-9
    assert bays.stop <= 5.0 + length + 1e-9
    assert bays.start - 5.0 == pytest.approx(5.0 + length - bays.stop, abs=1e-6)
    if bays.count:
        assert 0.88 - 1e-9 <= bays.width / bay <= 1.12 + 1e-9
        assert bays.start - 5.0 < bay / 2 + 1e-9
    else:
        assert length < bay


@given(
    height=st.floats(0.4, 120.0),
    levels=st.integers(0, 40),
    style=st.sampled_from(sorted(STYLES)),
    shop=st.booleans(),
    raised=st.booleans(),
)
def test_storeys_fill_the_wall_without_gaps_or_stretch(
    height: float, levels: int, style: str, shop: bool, raised: bool
) -> None:
    plan = house("a", box(0, 0, 10, 10), height, levels=levels)
    bottom = 20.0 if raised else 9.5
    solid = Solid(plan, plan, plan.polygon, 10.0, bottom, max(bottom, 10.0) + height, 10.0 + height, "flat")
    rows = rows_of(solid, STYLES[style], shop, Chance(1))
    assert rows[0].z0 == bottom
    assert rows[-1].z1 == pytest.approx(solid.eaves, abs=0.021)
    for below, above in pairwise(rows):
        assert below.z1 == above.z0
    for row in rows:
        if row.strip is not None:
            assert LEAST - 0.02 <= (row.z1 - row.z0) / row.strip.height <= MOST + 0.02


def test_known_levels_give_that_many_storeys() -> None:
    plan = house("a", box(0, 0, 10, 10), 20.0, levels=6)
    solid = Solid(plan, plan, plan.polygon, 0.0, -0.5, 20.0, 20.0, "flat")
    rows = rows_of(solid, STYLES["classical"], False, Chance(1))
    assert max(r.storey for r in rows) == 5


def test_runs_join_gentle_bends_and_split_at_corners() -> None:
    shape = Polygon([(0, 0), (10, 0), (20, 1), (20, 10), (0, 10)])
    found = runs(shape)
    assert [len(r.points) for r in found] == [3, 2, 2, 2]
    for run in found:
        middle = run.length / 2
        assert shape.contains(Point(run.at(middle, -0.1)))
        assert not shape.contains(Point(run.at(middle, 0.1)))
    assert found[0].mitred(0.0, 0.5) == pytest.approx((-0.5, -0.5))


def test_circles_are_one_run_and_holes_face_inwards() -> None:
    ring = Point(0, 0).buffer(10).difference(Point(0, 0).buffer(5))
    outer, inner = runs(ring)
    assert outer.exterior
    assert not inner.exterior
    assert Point(inner.at(1.0, 0.1)).distance(Point(0, 0)) < 5.0
    assert Point(outer.at(1.0, 0.1)).distance(Point(0, 0)) > 9.9


def test_segments_are_straight() -> None:
    plan = house("a", Polygon([(0, 0), (10, 0), (20, 1), (20, 10), (0, 10)]))
    solid = Solid(plan, plan, plan.polygon, 0.0, -0.5, 15.0, 15.0, "flat")
    pieces = [s for p in Exposure([solid]).panels(0) for s in segments_of(p)]
    assert sorted(round(s.length, 2) for s in pieces) == [9.0, 10.0, 10.0, 10.05, 20.0]


def test_exposure_sees_gaps_between_neighbours() -> None:
    plans = [house(n, p) for n, p in (("a", box(0, 0, 10, 10)), ("b", box(10, 0, 20, 4)), ("c", box(10.3, 4, 20, 10)))]
    solids = [Solid(p, p, p.polygon, 0.0, -0.5, h, h, "flat") for p, h in zip(plans, (15.0, 9.0, 15.0), strict=True)]
    exposure = Exposure(solids)
    east = [p for p in exposure.panels(0) if p.run.points[0] == (10.0, 0.0)]
    assert [(round(p.s0, 2), round(p.s1, 2), p.z0, p.above) for p in east] == [(0, 4, 9.0, True), (4, 10, -0.5, False)]
    assert exposure.open_air((10.15, 7.0), 1.0)
    assert not exposure.open_air((15.0, 2.0), 1.0)
    assert exposure.open_air((15.0, 2.0), 9.5)


@pytest.mark.parametrize(
    ("text", "rgb"),
    [
        ("#a52a2a", (165, 42, 42)),
        ("#fff", (255, 255, 255)),
        ("Light Grey", (196, 196, 192)),
        ("rgb(1,2)", None),
        ("", None),
    ],
)
def test_colours_are_read(text: str, rgb: tuple[int, int, int] | None) -> None:
    assert parse(text) == rgb


def test_tints_turn_the_base_into_the_colour() -> None:
    tint = over("#c0b8a8", "#e6e2da", vivid=1.0)
    for channel, wanted, base in zip(tint, (0xC0, 0xB8, 0xA8), (0xE6, 0xE2, 0xDA), strict=False):
        assert channel / 255.0 * linear(base) == pytest.approx(linear(wanted), abs=0.004)


def test_plates_draw_house_numbers() -> None:
    assert drawable("12b") == "12b"
    assert drawable("3–5") == "3-5"
    assert drawable("7 Ä x") == "7"
    boxes = [cell(c) for c in CHARACTERS]
    assert len(set(boxes)) == len(CHARACTERS) == 32
    atlas = make("plate/digits").pixels
    for character, (left, top, right, bottom) in zip(CHARACTERS, boxes, strict=True):
        picture = atlas[int(top * 256) + 4 : int(bottom * 256) - 4, int(left * 256) : int(right * 256)]
        assert (picture.min() < 80) != (character == " ")


make = cache(materials.make)  # painting is pure and slow: once a process is enough
OTHERS = (*MAKERS, *FRONTS, "door/sheet", "plate/digits")


@pytest.mark.parametrize("name", [*PAINTERS, *OTHERS])
def test_textures_are_powers_of_two_without_black_or_white(name: str) -> None:
    picture = make(name)
    height, width = picture.pixels.shape[:2]
    assert height & (height - 1) == 0
    assert width & (width - 1) == 0
    assert picture.pixels.dtype.name == "uint8"
    assert picture.pixels.max() <= 245
    assert picture.pixels.min() >= 15
    if name not in ("door/sheet", "plate/digits", *FRONTS):  # they wrap around sideways
        seam = abs(picture.pixels[:, 0].astype(int) - picture.pixels[:, -1]).mean()
        inner = abs(picture.pixels[:, 1:].astype(int) - picture.pixels[:, :-1]).mean()
        assert seam < 70 + 3 * inner


@pytest.mark.parametrize("preset", ["", "harbour", "akiba", "oldtown", "grid", "garden"])
def test_the_textures_of_a_city_fit_in_their_budget(preset: str) -> None:
    styles = [s for s in STYLES.values() if s.name.partition("_")[0] == preset or not (preset or s.fronts)]
    names = {*(s.page for s in styles), *(s.fronts for s in styles if s.fronts), *MAKERS, "door/sheet", "plate/digits"}
    sizes = [make(n).pixels.shape[:2] for n in sorted(names)]
    assert len(styles) >= 4
    assert sum(4 * h * w for h, w in sizes) < 44_000_000


@pytest.mark.parametrize("name", [n for n in PAINTERS if "_" in n])
def test_windows_of_dwellings_are_switched_and_shop_windows_are_steady(name: str) -> None:
    page = make(name)
    assert page.glow is not None
    assert page.cells[1] == 5
    lit = page.glow[page.glow > 0]
    assert 0.005 < len(lit) / page.glow.size < 0.75
    if "garage" not in name:
        assert lit.max() <= ROOM
    frame = page.glow[:: page.glow.shape[0] // 5]  # between two storeys nothing shines
    assert (frame == 0).mean() > 0.95


def test_fronts_shine_where_they_sell() -> None:
    for name, front in FRONTS.items():
        page = make(name)
        assert page.glow is not None
        for kind, low, high in (("glass", STEADY, 255), ("window", 50, ROOM), ("blank", 0, 0), ("garage", 0, 0)):
            x, y = front.corner(front.variants(kind)[0])
            cell = page.glow[round(y * 128) : round((y + 4) * 128), round(x * 128) : round((x + front.bay) * 128)]
            assert low <= cell.max() <= high


def test_styles_follow_kind_material_and_wish() -> None:
    chance = Chance(3)
    assert choose_style(house("a", box(0, 0, 9, 9), kind="church"), chance).name == "church"
    assert choose_style(house("a", box(0, 0, 9, 9), material="brick"), chance).name == "brick"
    assert choose_style(house("a", box(0, 0, 9, 9), kind="church", style="glass"), chance).name == "glass"
    assert choose_style(house("a", box(0, 0, 2, 2), 3.0), chance).name == "metal"
    found = {choose_style(house("a", box(0, 0, 20, 20)), chance.child(k)).name for k in range(60)}
    assert found == {"classical", "jugend", "functional", "brick"}
