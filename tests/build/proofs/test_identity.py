"""Identity: every object says what it is, what it belongs to and how it looks, and is found in the label image."""

import math
import re
from collections import defaultdict
from collections.abc import Callable

import numpy as np
import pytest

from citysim.city import CityObject
from citysim.pose import Pose
from citysim.render import make_renderer
from citysim.render.base import Renderer, View
from citysim.render.camera import Camera
from tests.build.proofs.solid import ALL_CITIES, Solid

Solids = Callable[[str], Solid]
COLOR = re.compile(r"#[0-9a-f]{6}")
SHAPELESS = frozenset({"district"})  # what is a part of the map, not a thing
ON_OTHERS = frozenset({"cup", "bottle", "box", "bag", "book", "phone", "newspaper", "umbrella"})
SIZE = (320, 240)
LOOKED_AT = 3  # objects of every category
SEEN = 0.9  # share of them that some picture shows


def _visible(solid: Solid) -> list[CityObject]:
    return [thing for thing in solid.city.objects if thing.category not in SHAPELESS]


@pytest.mark.parametrize("name", ALL_CITIES)
def test_every_object_says_what_it_is(name: str, solid_of: Solids) -> None:
    solid = solid_of(name)
    things = solid.city.objects
    assert [thing.id for thing in things] == list(range(1, len(things) + 1))
    for thing in _visible(solid):
        facts = thing.attributes
        assert thing.category, thing
        assert COLOR.fullmatch(facts["color"]), thing
        assert facts["color_name"], thing
        assert facts["material"], thing
        assert 0.0 <= thing.heading_deg <= 360.0, thing
        low, high = np.array(thing.bounds[:3]), np.array(thing.bounds[3:])
        assert (high >= low).all(), thing
        assert (high > low).any(), thing
        assert np.array(facts["size_m"]) == pytest.approx(high - low, abs=0.011), thing


@pytest.mark.parametrize("name", ALL_CITIES)
def test_every_object_is_made_of_triangles_and_every_label_is_an_object(name: str, solid_of: Solids) -> None:
    solid = solid_of(name)
    drawn = set(np.unique(solid.labels).tolist()) - {0}
    known = {thing.id for thing in solid.city.objects}
    assert drawn <= known
    missing = [(o.id, o.category) for o in _visible(solid) if o.id not in drawn]
    assert not missing, f"{len(missing)}: {missing[:8]}"


@pytest.mark.parametrize("name", ALL_CITIES)
def test_objects_lie_where_they_say(name: str, solid_of: Solids) -> None:
    solid = solid_of(name)
    e0, n0, e1, n1 = solid.city.bounds
    off = []
    for thing in _visible(solid):
        own = solid.of(thing.id)
        middle = solid.corners[own].reshape(-1, 3).mean(axis=0)
        low, high = np.array(thing.bounds[:3]) - 1.5, np.array(thing.bounds[3:]) + 1.5
        inside = (middle[:2] > low[:2]).all() and (middle[:2] < high[:2]).all()
        x, y, _ = thing.position
        if not inside or not (e0 <= x <= e1 and n0 <= y <= n1):
            off.append((thing.id, thing.category, middle.round(1).tolist(), thing.bounds))
    assert not off, f"{len(off)}: {off[:6]}"


@pytest.mark.parametrize("name", ALL_CITIES)
def test_shops_are_in_buildings_on_streets_in_a_district(name: str, solid_of: Solids) -> None:
    by_id = solid_of(name).objects
    above = {"shop_front": "building", "building": "street", "street": "district", "pavement": "street"}
    count = 0
    for thing in by_id.values():
        seen = {thing.id}
        parent = thing.parent
        while parent is not None:
            assert parent in by_id, thing
            assert parent not in seen, thing
            seen.add(parent)
            parent = by_id[parent].parent
        if thing.category in above:
            assert thing.parent is not None, thing
            assert by_id[thing.parent].category in (above[thing.category], "district"), thing
            count += thing.category == "shop_front"
        if thing.category == "shop_sign":
            assert thing.parent is not None, thing
            assert by_id[thing.parent].category in ("shop_front", "building", "sign_post", "kiosk"), thing
        if thing.category in ON_OTHERS:
            assert thing.parent is not None, thing
    assert count > 10
    for place in solid_of(name).city.places:
        assert place.sign in by_id, place
        assert place.building is None or by_id[place.building].category in ("building", "kiosk", "stall"), place


@pytest.mark.parametrize("name", ALL_CITIES)
def test_objects_are_found_in_the_label_image(name: str, solid_of: Solids) -> None:
    solid = solid_of(name)
    groups: dict[str, list[CityObject]] = defaultdict(list)
    for thing in _visible(solid):
        groups[thing.category].append(thing)
    draws = np.random.default_rng(3)
    renderer = make_renderer("raster", solid.city)
    unseen, count = [], 0
    for category in sorted(groups):
        for k in draws.permutation(len(groups[category]))[:LOOKED_AT].tolist():
            count += 1
            if not _seen(renderer, solid, groups[category][k]):
                unseen.append((category, groups[category][k].id, groups[category][k].position))
    renderer.close()
    assert 1.0 - len(unseen) / count >= SEEN, f"{len(unseen)} of {count}: {unseen[:12]}"


def _seen(renderer: Renderer, solid: Solid, thing: CityObject) -> bool:
    """Whether some picture from one of ten places around shows pixels with an object's label."""
    own = solid.of(thing.id)
    corners, normals = solid.corners[own], solid.normals[own]
    area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    order = np.argsort(-area, kind="stable")[:400]
    reach = float(np.clip(0.8 * np.ptp(corners.reshape(-1, 3), axis=0).max(), 1.2, 12.0))
    for k in order[np.linspace(0, len(order) - 1, min(10, len(order))).round().astype(int)].tolist():
        aim = corners[k].mean(axis=0)
        for away in (normals[k], normals[k] + np.array([0.0, 0.0, 0.7])):
            eye = aim + away / max(float(np.linalg.norm(away)), 1e-9) * reach
            gap = aim - eye
            yaw, pitch = math.atan2(gap[1], gap[0]), math.atan2(gap[2], math.hypot(gap[0], gap[1]))
            pose = Pose(float(eye[0]), float(eye[1]), float(eye[2]), yaw, pitch)
            frame = renderer.render(View(Camera(pose, SIZE), labels=True))
            assert frame.labels is not None
            if int((frame.labels == thing.id).sum()) >= 4:
                return True
    return False
