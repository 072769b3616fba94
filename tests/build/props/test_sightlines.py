import math

import pytest

from citysim.build.draft import CityDraft
from citysim.build.plans import PropPlan
from citysim.build.props import build_props
from citysim.build.props.sightlines import DEEP, EDGE, REACH
from citysim.build.props.trees import CLEAR, LEAVES, PRUNED
from tests.build.scene import street_scene

AT = (-20.0, -18.0)  # open ground
WIDE = 4.0  # metres: a fascia 2 m behind the thing, to its north, facing south


def built(props: list[PropPlan], signs: int = 1, kind: str = "fascia") -> CityDraft:
    draft, ground, _ = street_scene((), props, 0.0)
    x, y = AT[0], AT[1] + 2.0
    for k in range(signs):
        middle = x + (WIDE + 0.1) * k
        box = (middle - WIDE / 2, y, 2.7, middle + WIDE / 2, y + 0.15, 3.2)
        draft.add_object("shop_sign", (middle, y, 2.7), heading_deg=180.0, kind=kind, bounds=box)
    build_props(draft, ground)
    return draft


def where(draft: CityDraft, name: str = "p") -> tuple[float, float]:
    return draft.objects[draft.object_of[name] - 1].position[:2]


@pytest.mark.parametrize("kind", ["street_lamp", "tree", "traffic_sign", "utility_pole"])
def test_what_would_hide_a_sign_steps_to_its_end(kind: str) -> None:
    x, y = where(built([PropPlan("p", kind, AT)]))
    assert WIDE / 2 - EDGE <= abs(x - AT[0]) <= REACH
    assert abs(y - AT[1]) < 0.31


def test_between_two_shops_there_is_room_for_a_post() -> None:
    x, _ = where(built([PropPlan("p", "street_lamp", AT)], signs=9))
    gap = (x - AT[0] + WIDE / 2 + 0.05) % (WIDE + 0.1) - 0.05
    assert min(abs(gap), abs(gap - WIDE)) <= EDGE + 0.1


def test_low_wide_and_distant_things_and_other_signs_change_nothing() -> None:
    assert where(built([PropPlan("p", "bench", AT)])) == AT
    assert where(built([PropPlan("p", "bus_shelter", AT)])) == AT
    assert where(built([PropPlan("p", "street_lamp", AT)], kind="hanging")) == AT
    far = (AT[0], AT[1] - DEEP)
    assert where(built([PropPlan("p", "street_lamp", far)])) == far


def test_tables_before_a_sign_have_no_parasols() -> None:
    for at, kind in ((AT, "cafe_table"), ((AT[0] - 15.0, AT[1]), "parasol_table")):
        draft = built([PropPlan("p", "parasol_table", at)])
        assert draft.objects[draft.object_of["p"] - 1].category == kind


def test_two_of_a_kind_do_not_meet_at_one_end() -> None:
    props = [PropPlan("p", "street_lamp", (AT[0] - 1.0, AT[1])), PropPlan("q", "street_lamp", (AT[0] - 0.5, AT[1]))]
    draft = built(props)
    assert math.dist(where(draft), where(draft, "q")) > 0.4


def test_trees_before_shops_have_high_crowns() -> None:
    for at, least in (((AT[0] + 5.0, AT[1]), PRUNED), ((AT[0] - 15.0, AT[1]), CLEAR)):
        draft = built([PropPlan("p", "tree", at)])
        leaves = [p for p in draft.mesh.parts if p.label == draft.object_of["p"] and p.material == LEAVES]
        lowest = min(float(p.positions[:, 2].min()) for p in leaves)
        assert least - 0.2 <= lowest < least + 0.6
