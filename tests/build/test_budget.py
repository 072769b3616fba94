"""Too many triangles: what nobody sees goes first, and nothing goes without need."""

import numpy as np
import pytest

from citysim.build.budget import keep_within
from citysim.build.draft import CityDraft
from citysim.build.mesh import Detail
from tests.build.samples import make_draft

FOOT = 2.0
WALL, TOPS, LARGE, SMALL, LOW, LAMP = range(6)


def draft_of(size: float = 200.0) -> CityDraft:
    """One house of twelve triangles, six quads told apart by their colour."""
    half = size / 2
    draft = make_draft(0, bounds=(-half, -half, half, half))
    draft.mesh.parts.clear()
    house = draft.add_object("building", (0.0, 0.0, FOOT), bounds=(0.0, 0.0, FOOT, 9.0, 9.0, 20.0))
    lamp = draft.add_object("street_lamp", (0.0, -4.0, FOOT))

    def upright(kind: int, z0: float, side: float, detail: Detail, label: int) -> None:
        corners = [(0, 0, z0), (side, 0, z0), (side, 0, z0 + side), (0, 0, z0 + side)]
        draft.mesh.quad(corners, "plain/stone", label, detail, color=(kind, 0, 0, 255))

    upright(WALL, FOOT + 5.0, 4.0, Detail.ALL, house)
    level = [(0, -1, 12.0), (5, -1, 12.0), (5, 0, 12.0), (0, 0, 12.0)]
    draft.mesh.quad(level, "plain/stone", house, Detail.FINE, color=(TOPS, 0, 0, 255))
    upright(LARGE, FOOT + 4.0, 0.9, Detail.FINE, house)
    upright(SMALL, FOOT + 4.0, 0.3, Detail.FINE, house)
    upright(LOW, FOOT + 1.0, 0.1, Detail.FINE, house)
    upright(LAMP, FOOT + 4.0, 0.1, Detail.FINE, lamp)
    return draft


def kinds(draft: CityDraft) -> list[int]:
    """What is left, by its colour, once a triangle."""
    return [int(part.colors[0, 0]) for part in draft.mesh.parts for _ in part.triangles]


def test_a_city_within_its_budget_stays_as_it_is() -> None:
    draft = draft_of()
    before = list(draft.mesh.parts)
    assert keep_within(draft, 12) == 0
    assert all(a is b for a, b in zip(before, draft.mesh.parts, strict=True))
    assert draft.warnings == []


@pytest.mark.parametrize(
    ("most", "left"),
    [
        (11, {WALL, LARGE, SMALL, LOW, LAMP}),
        (10, {WALL, LARGE, SMALL, LOW, LAMP}),
        (9, {WALL, LARGE, LOW, LAMP}),
        (6, {WALL, LOW, LAMP}),
    ],
)
def test_tops_go_first_then_what_looks_smallest_in_whole_rectangles(most: int, left: set[int]) -> None:
    draft = draft_of()
    gone = keep_within(draft, most)
    assert kinds(draft) == [kind for kind in sorted(left) for _ in range(2)]
    assert gone == 12 - draft.mesh.triangle_count
    assert draft.mesh.triangle_count <= most
    assert draft.warnings == [f"{gone} triangles of relief left out, of 12: the budget is {most}"]


def test_what_people_walk_beside_and_other_things_stay_whatever_the_budget() -> None:
    draft = draft_of()
    keep_within(draft, 4)
    assert kinds(draft) == [WALL, WALL, LOW, LOW, LAMP, LAMP]
    assert "6 triangles, more than the budget of 4" in draft.warnings


def test_larger_cities_may_have_more_in_proportion() -> None:
    draft = draft_of(1200.0)
    assert keep_within(draft, 3) == 0
    assert keep_within(draft_of(600.0), 3) > 0


def test_the_budget_does_not_depend_on_the_order_of_parts() -> None:
    straight, turned = draft_of(), draft_of()
    turned.mesh.parts.reverse()
    keep_within(straight, 8)
    keep_within(turned, 8)
    assert sorted(kinds(straight)) == sorted(kinds(turned))
    for a, b in zip(straight.mesh.parts, reversed(turned.mesh.parts), strict=True):
        assert np.array_equal(a.positions, b.positions)


def test_what_closes_a_building_stays() -> None:
    """Shop fronts set back, and the inner sides of parapets below the flat roofs of coarser levels."""
    draft = draft_of()
    house = draft.mesh.parts[0].label
    for z0, z1, material in ((6.0, 7.0, "front/shops"), (19.0, 20.0, "plain/stone")):
        inner = [(0, 1, z0), (9, 1, z0), (9, 1, z1), (0, 1, z1)]
        draft.mesh.quad(inner, material, house, Detail.FINE, color=(9, 0, 0, 255))
    flat = [(0, 0, 20.0), (9, 0, 20.0), (9, 9, 20.0), (0, 9, 20.0)]
    draft.mesh.quad(flat, "roof/bitumen", house, Detail.COARSE, color=(10, 0, 0, 255))
    keep_within(draft, 1)
    assert sorted(kinds(draft)) == sorted([WALL, LOW, LAMP, 9, 9, 10] * 2)
