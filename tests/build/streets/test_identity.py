"""Ground has names: every surface of a street carries the id of the street, its pavement or its crossing."""

import numpy as np

from citysim.build.draft import CityDraft
from citysim.build.streets import build_streets
from citysim.build.streets.surface import GroundSurface
from tests.build.streets.small import small_plan

Built = tuple[CityDraft, GroundSurface]


def of_material(draft: CityDraft, name: str) -> set[str]:
    """Categories of the objects that triangles of a look belong to, "" for none."""
    categories = {thing.id: thing.category for thing in draft.objects}
    return {categories.get(part.label, "") for part in draft.mesh.parts if part.material == f"look/{name}"}


def test_pavements_belong_to_their_street(built: Built) -> None:
    draft, _ = built
    by_id = {thing.id: thing for thing in draft.objects}
    pavements = [thing for thing in draft.objects if thing.category == "pavement"]
    assert pavements
    for thing in pavements:
        street = by_id[thing.parent or 0]
        assert street.category == "street"
        assert street.name == thing.name
        parts = [part for part in draft.mesh.parts if part.label == thing.id]
        assert parts
        points = np.concatenate([part.positions for part in parts])
        assert (points.min(axis=0) >= np.array(thing.bounds[:3]) - 0.13).all()  # kerb faces reach down to the road
        assert (points.max(axis=0) <= np.array(thing.bounds[3:]) + 1e-3).all()
    assert len({thing.parent for thing in pavements}) == len(pavements)


def test_paint_and_kerbs_are_named(built: Built) -> None:
    draft, _ = built
    assert of_material(draft, "marking_white") <= {"street", "crossing"}
    assert {"street", "crossing"} <= of_material(draft, "marking_white")
    assert of_material(draft, "kerb") <= {"street", "pavement", "square", "park"}
    assert "" not in of_material(draft, "asphalt")


def test_owner_says_whose_ground_it_is(built: Built) -> None:
    draft, ground = built
    categories = {thing.id: thing.category for thing in draft.objects}
    middles = ground.corners[:, :, :2].mean(axis=1)
    regions, owners = ground.region(middles), ground.owner(middles)
    for kind, category in (("carriageway", "street"), ("kerb", "street"), ("pavement", "pavement")):
        mine = [categories.get(o, "") for r, o in zip(regions, owners.tolist(), strict=True) if r == kind]
        assert mine
        far_paths = 0.2 if kind == "pavement" else 0.0  # footways far from any street have no object
        assert sum(c == category for c in mine) >= (1.0 - far_paths) * len(mine)
    assert ground.owner([(1e5, 1e5)]).tolist() == [0]


def test_names_do_not_depend_on_the_order_of_ways() -> None:
    plan = small_plan()
    drafts = [CityDraft(plan), CityDraft(small_plan(ways=tuple(reversed(plan.ways))))]
    for draft in drafts:
        build_streets(draft)
    named = [
        sorted((t.name, t.attributes["area_m2"]) for t in draft.objects if t.category == "pavement") for draft in drafts
    ]
    assert [name for name, _ in named[0]] == [name for name, _ in named[1]]
