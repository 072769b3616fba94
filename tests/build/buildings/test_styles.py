"""The styles of the embedded cities: bodies, storeys, fronts, what hangs on walls and stands on roofs."""

from collections import Counter
from itertools import combinations, pairwise

import numpy as np
import pytest
from shapely import STRtree
from shapely.affinity import rotate
from shapely.geometry import Polygon, box

from citysim.build.buildings.bodies import axes_of, bodies
from citysim.build.buildings.fronts import FRONTS
from citysim.build.buildings.paint.facades import PAINTERS
from citysim.build.buildings.paint.surfaces import MAKERS
from citysim.build.buildings.styles import STYLES, shaped
from citysim.build.chance import Chance
from citysim.build.draft import CityDraft
from citysim.build.mesh import FINEST, LEVELS, Detail
from citysim.build.plans import BuildingPlan, EntrancePlan, WayPlan
from tests.build.buildings.street import area_vector, built, plan_of, texels_per_metre, triangles, volume

EMBEDDED = sorted(name for name, style in STYLES.items() if style.embedded)
SIZES = {
    "podium": (44.0, 40.0),
    "setback": (34.0, 34.0),
    "church": (17.0, 40.0),
    "hall": (34.0, 18.0),
    "shed": (50.0, 26.0),
}
SHELL = ("facade/", "front/", "plain/", "roof/", "trim/")


def one(
    style: str, levels: int | None = None, turn: float = 0.0, place: tuple[float, float] = (0.0, 0.0)
) -> BuildingPlan:
    """A building of a style on a lot that suits it, its door on the southern side."""
    look = STYLES[style]
    wide, deep = SIZES.get(look.mass.kind, (18.0, 13.0))
    x, y = place
    shape = rotate(box(x, y, x + wide, y + deep), turn, origin=(x, y))
    plan = shaped(style, levels or look.levels[1], min(wide, deep), Chance(4, style))
    front = rotate(Polygon([(x + 5, y), (x + 5.1, y), (x + 5, y + 0.1)]), turn, origin=(x, y)).exterior.coords[0]
    door = EntrancePlan(f"test:{style}/door", front, "main", None, "7")
    return BuildingPlan(f"test:{style}{x}", shape, entrances=(door,), **plan)  # type: ignore[arg-type]


def street(*plans: BuildingPlan) -> CityDraft:
    """The draft of buildings along a street south of them."""
    ways = [WayPlan("w", "sidewalk", (1, 2), 2.0)]
    return built(plan_of(plans, ways, {1: (-200.0, -3.0), 2: (400.0, -3.0)}))[0]


@pytest.mark.parametrize("style", EMBEDDED)
def test_every_style_has_its_pages(style: str) -> None:
    look = STYLES[style]
    assert look.page in PAINTERS
    assert f"plain/{look.plain}" in MAKERS
    assert look.levels[0] <= look.levels[1]
    if look.fronts:
        kinds = {cell.partition(".")[0] for cell in FRONTS[look.fronts].order}
        for kind, _ in (*look.shops, *look.homes):
            assert kind in kinds or kind == "open"


@pytest.mark.parametrize("style", EMBEDDED)
def test_far_and_near_shells_are_closed_and_outward(style: str) -> None:
    plan = one(style)
    draft = street(plan)
    corners = triangles(draft, SHELL, LEVELS[2])
    gap = area_vector(corners)
    assert np.abs(gap[:2]).max() < 3.0 + 0.02 * plan.polygon.length * plan.height
    content = volume(corners - (0.0, 0.0, corners[:, :, 2].min()))
    body = plan.polygon.area * plan.height
    assert 0.25 * body < content < 1.6 * body


@pytest.mark.parametrize("style", EMBEDDED)
def test_textures_keep_their_density(style: str) -> None:
    draft = street(one(style, turn=23.0))
    for part in draft.mesh.parts:
        density = {"facade": 64.0, "front": 128.0}.get(part.material.split("/")[0])
        if density is not None and part.detail != Detail.FAR:  # far pieces are stretched over their neighbours
            singular = texels_per_metre(draft, part)
            assert singular.max() <= density * 1.26
            assert singular.min() >= density * 0.79


def test_bodies_stand_on_their_lot_and_on_each_other() -> None:
    for style in EMBEDDED:
        plan = one(style)
        made = bodies(plan, STYLES[style], plan.polygon)
        assert made
        for body in made:
            assert body.polygon.difference(plan.polygon.buffer(0.02)).area < 0.1
            assert body.high > body.low
            if body.low > 0.0:
                below = [b for b in made if b.high >= body.low - 0.01 and b is not body]
                assert any(b.polygon.buffer(0.02).contains(body.polygon) for b in below)
        for a, b in combinations(made, 2):
            if min(a.high, b.high) - max(a.low, b.low) > 0.01:
                assert a.polygon.intersection(b.polygon).area < 0.05


def test_towers_crosses_steps_and_spires() -> None:
    podium = bodies(one("harbour_podium_tower"), STYLES["harbour_podium_tower"], one("harbour_podium_tower").polygon)
    assert podium[0].high < 15.0
    assert len(podium[1].polygon.exterior.coords) > 8  # a cross
    assert podium[1].style == "harbour_estate"
    tiers = bodies(one("grid_setback_tower"), STYLES["grid_setback_tower"], one("grid_setback_tower").polygon)
    assert [a.polygon.area > b.polygon.area for a, b in pairwise(tiers)] == [True] * (len(tiers) - 1)
    church = bodies(one("oldtown_church"), STYLES["oldtown_church"], one("oldtown_church").polygon)
    top = max(church, key=lambda b: b.high + b.rise)
    assert top.roof == "pyramidal"
    assert top.high + top.rise > 45.0


def test_the_front_is_where_the_door_is() -> None:
    plan = one("akiba_pencil", turn=40.0)
    axes = axes_of(plan, plan.polygon)
    x, y = plan.entrances[0].xy
    assert abs((x - axes.origin[0]) * axes.uy[0] + (y - axes.origin[1]) * axes.uy[1]) < 0.05
    crown = bodies(plan, STYLES["akiba_pencil"], plan.polygon)[1]
    assert crown.polygon.distance(Polygon([(x, y), (x + 0.01, y), (x, y + 0.01)])) > 2.0


def test_styles_hang_their_things_on_walls() -> None:
    expected = {
        "harbour_tonglau": "kit/sheet", "oldtown_row": "kit/sheet", "garden_gallery": "trim/sheet",
        "grid_brick": "kit/sheet", "harbour_market": "plain/concrete",
    }  # fmt: skip
    for style, material in expected.items():
        draft = street(*(one(style, place=(60.0 * k, 0.0)) for k in range(4)))
        plain = Counter(p.material for p in draft.mesh.parts if p.detail in (Detail.FINE, Detail.MIDDLE))
        assert plain[material] > 0, style


def test_nothing_on_a_facade_hangs_low_over_the_pavement() -> None:
    for style in EMBEDDED:
        draft = street(*(one(style, place=(60.0 * k, 0.0)) for k in range(3)))
        buildings = {thing.id for thing in draft.objects if thing.category == "building"}
        for part in draft.mesh.parts:
            if part.label in buildings and part.detail in FINEST:
                corners = part.positions[part.triangles]
                out = (corners[:, :, 1] < -0.25).any(axis=1)
                assert not out.any() or corners[out][:, :, 2].min() > 2.3, (style, part.material)


def test_storeys_high_up_are_drawn_in_stacks() -> None:
    few = street(one("harbour_estate", 36)).mesh.triangle_count
    assert few < 9000


def test_no_two_faces_of_a_row_lie_in_one_plane() -> None:
    row = [
        one(name, place=(18.0 * k, 0.0)) for k, name in enumerate(("oldtown_row", "oldtown_tenement", "oldtown_row"))
    ]
    draft = street(*row)
    corners = triangles(draft, ("",), FINEST)
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    size = np.linalg.norm(normal, axis=1)
    south = (normal[:, 1] / size < -0.999) & (size > 0.02)
    flat = [Polygon(t[:, [0, 2]]) for t in corners[south]]
    depth = corners[south][:, 0, 1]
    tree = STRtree(flat)
    left, right = tree.query(flat, predicate="intersects")
    clash = [
        (i, j) for i, j in zip(left.tolist(), right.tolist(), strict=True)
        if i < j and abs(depth[i] - depth[j]) < 0.002 and flat[i].intersection(flat[j]).area > 0.01
    ]  # fmt: skip
    assert not clash


def test_a_row_of_houses_repeats_no_neighbour() -> None:
    row = [one("oldtown_row", place=(18.0 * k, 0.0)) for k in range(12)]
    draft = street(*row)
    colors = []
    for thing in draft.objects:
        if thing.category == "building":
            part = next(p for p in draft.mesh.parts if p.label == thing.id and p.material == "facade/oldtown_row")
            colors.append(tuple(part.colors[0]))
    assert all(a != b for a, b in pairwise(colors))
    assert max(Counter(colors).values()) <= 3
