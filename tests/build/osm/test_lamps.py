import math
from itertools import pairwise
from pathlib import Path

from citysim.build.osm import plan_from_osm
from citysim.build.osm.lamps import APART, CROSSING, DOOR, MAPPED
from citysim.build.plans import CityPlan, PropPlan
from tests.build.osm.drawing import Drawing


def lamps(plan: CityPlan) -> list[PropPlan]:
    return [p for p in plan.props if p.kind == "street_lamp" and "/lamp" in p.id]


def street(tmp_path: Path, house: bool = True, **tags: str) -> tuple[Drawing, CityPlan]:
    drawing = Drawing()
    drawing.way([(-150, 0), (150, 0)], **{"highway": "residential", **tags})
    if house:
        drawing.block(-150, 8, 300, 12, building="yes")
    else:
        drawing.block(-20, 150, building="yes")
    return drawing, plan_from_osm(drawing.town(tmp_path))


def test_a_street_among_houses_is_lit_on_both_sides_and_not_too_densely(tmp_path: Path) -> None:
    _, plan = street(tmp_path)
    found = lamps(plan)
    assert 9 <= len(found) <= 12
    assert {p.xy[1] > 0 for p in found} == {True, False}
    gaps = [b.xy[0] - a.xy[0] for a, b in pairwise(found)]
    assert min(gaps) >= 15.0
    assert max(gaps) <= 40.0
    half = next(w.width for w in plan.ways) / 2
    assert all(abs(p.xy[1]) > half for p in found)


def test_what_is_said_to_be_dark_stays_dark_and_what_is_lit_has_lamps_far_from_houses(tmp_path: Path) -> None:
    assert not lamps(street(tmp_path, lit="no")[1])
    assert not lamps(street(tmp_path, house=False)[1])
    assert len(lamps(street(tmp_path, house=False, lit="yes")[1])) >= 9
    assert not lamps(street(tmp_path, highway="footway")[1])
    assert len(lamps(street(tmp_path, highway="footway", lit="yes")[1])) >= 9
    assert not lamps(street(tmp_path, tunnel="yes", lit="yes")[1])


def test_lamps_keep_off_mapped_ones_doors_and_crossings_and_one_another(tmp_path: Path) -> None:
    drawing = Drawing()
    drawing.node(-100, 5, highway="street_lamp")
    zebra = drawing.node(50, 0, highway="crossing", crossing="zebra")
    drawing.way([(-150, 0), zebra, (150, 0)], highway="residential")
    drawing.way([(-150, -12), (150, -12)], highway="residential", lit="yes")
    house = drawing.ring([(-150, 6), (150, 6), (150, 20), (-150, 20)], building="yes")
    doors = [drawing.node(x, 6, entrance="yes") for x in range(-140, 141, 7)]
    drawing.ways = [
        (n, [*refs[:1], *reversed(doors), *refs[1:]] if n == house else refs, t) for n, refs, t in drawing.ways
    ]
    found = lamps(plan_from_osm(drawing.town(tmp_path)))
    assert len(found) > 6
    for lamp in found:
        x, y = lamp.xy
        assert math.dist(lamp.xy, (-100, 5)) > MAPPED - 12.0
        assert math.dist(lamp.xy, (50, 0)) >= CROSSING
        assert all(math.dist(lamp.xy, drawing.nodes[d][:2]) >= DOOR - 0.01 for d in doors)
        assert y < 6
        assert all(math.dist(lamp.xy, other.xy) >= APART - 1.3 for other in found if other is not lamp), x
