import hashlib
import math
from itertools import pairwise

import numpy as np
import pytest

from citysim.build.draft import CityDraft
from citysim.build.facade import Facade
from citysim.build.places import build_places
from citysim.build.places.categories import _SCHEMES, SCHEMES, group_of, word_of
from citysim.build.places.fascia import fascia, hours_plate, shown_name
from citysim.build.plans import PlacePlan
from citysim.build.text.sign import luminance
from tests.build.scene import street_scene

NAMES = ("Café Ääni", "Kirjakauppa Öljylamppu", "Apteekki", "Grand Hotel Satama", "Bar Å", "R-kioski", "Pankki")
CATEGORIES = ("cafe", "books", "pharmacy", "hotel", "bar", "kiosk", "bank")


def shop(i: int, **changes: object) -> PlacePlan:
    base: dict[str, object] = {
        "id": f"place/{i}",
        "name": NAMES[i % len(NAMES)] + ("" if i < len(NAMES) else f" {i}"),
        "category": CATEGORIES[i % len(CATEGORIES)],
        "xy": (2.0 + 3.7 * i % 26, 3.0),
        "building": "house/1",
        "opening_hours": "Mo-Fr 09:00-17:00; Sa 10:00-15:00",
    }
    return PlacePlan(**{**base, **changes})  # type: ignore[arg-type]


def built(places: list[PlacePlan], rise: float = 0.0) -> tuple[CityDraft, list[Facade]]:
    draft, ground, facades = street_scene(places, rise=rise)
    build_places(draft, ground, facades)
    return draft, facades


def test_every_place_has_a_sign_and_a_door() -> None:
    places = [shop(i) for i in range(7)]
    places += [
        shop(7, level=2),
        shop(8, category="lawyer"),
        shop(9, building=None, xy=(-30.0, -3.0)),
        shop(10, level=-1),
    ]
    places += [shop(i) for i in range(11, 30)]  # more than the walls have room for
    draft, _ = built(places)
    assert sorted(p.id for p in draft.places) == sorted(p.id for p in places)
    by_id = {o.id: o for o in draft.objects}
    for place in draft.places:
        assert place.sign is not None
        sign = by_id[place.sign]
        assert place.name in sign.attributes["text"]
        parts = [p for p in draft.mesh.parts if p.label == sign.id]
        assert sum(len(p.triangles) for p in parts) >= 2
        assert place.entrance[1] > -5.0 or place.entrance[1] < -12.0 or place.building is None


def test_doors_lie_before_the_wall_on_the_ground() -> None:
    draft, _ = built([shop(i) for i in range(5)], rise=0.04)
    for place in draft.places:
        x, y, z = place.entrance
        inside = 0.0 < x < 28.0 and 0.0 < y < 12.0
        assert not inside
        away = max(-y if y < 0 else 0.0, x - 28.0, -x, y - 12.0)
        assert 0.6 <= away <= 1.8
        assert z == pytest.approx(0.04 * x)


def test_nothing_on_a_wall_overlaps() -> None:
    _, facades = built([shop(i) for i in range(20)])
    for facade in facades:
        spans = sorted(facade.taken)
        for (_, end), (start, _) in pairwise(spans):
            assert start >= end - 1e-9
        assert all(-0.01 <= a < b <= facade.length + 0.01 for a, b in spans)


def test_signs_are_in_front_of_the_wall_and_read_from_outside() -> None:
    draft, _ = built([shop(i) for i in range(6)])
    signs = {o.id: o for o in draft.objects if o.category == "shop_sign" and o.attributes.get("kind") == "fascia"}
    assert signs
    for part in draft.mesh.parts:
        if part.label not in signs or not part.material.startswith("places/letters"):
            continue
        heading = math.radians(signs[part.label].heading_deg)
        outward = np.array([math.sin(heading), math.cos(heading), 0.0])
        right = np.array([-outward[1], outward[0], 0.0])  # a reader faces the wall: his right hand
        for triangle in part.triangles:
            a, b, c = part.positions[triangle]
            normal = np.cross(b - a, c - a)
            assert normal @ outward > 0
            u, v = part.uvs[triangle, 0], part.uvs[triangle, 1]
            across = [(p - a) @ right for p in (b, c)]
            up = [p[2] - a[2] for p in (b, c)]
            assert sum((u[i + 1] - u[0]) * across[i] for i in range(2)) >= -1e-9  # u grows to the right
            assert sum((v[i + 1] - v[0]) * up[i] for i in range(2)) <= 1e-9  # v grows downwards


def test_signs_hang_above_heads_with_letters_of_readable_size() -> None:
    draft, _ = built([shop(i) for i in range(6)])
    for thing in draft.objects:
        if thing.category == "shop_sign":
            assert thing.bounds[2] >= 2.1 if thing.attributes["kind"] == "fascia" else thing.bounds[2] >= 2.6
    for name in (*NAMES, "Asianajotoimisto Virtanen, Korhonen & Kumppanit Oy"):
        for group in SCHEMES:
            for scheme in SCHEMES[group]:
                sign, capital = fascia(name, scheme, 2.9, False)
                assert capital >= 0.2 or len(name) > 30
                assert capital >= 0.12
                assert sign.cap >= 32
                assert abs(luminance(sign.ink) - luminance(sign.ground)) >= 0.5


def test_street_names_hang_at_the_corner_in_both_languages() -> None:
    draft, facades = built([])
    plates = [o for o in draft.objects if o.category == "street_sign"]
    texts = {o.attributes["text"] for o in plates}
    assert "Satamakatu / Hamngatan" in texts
    assert "Äijälänkuja" in texts
    for plate in plates:
        assert 2.3 <= plate.bounds[2] <= 4.2
    south = [p for p in plates if p.name == "Satamakatu"]
    assert all(abs(p.heading_deg - 180.0) < 1.0 for p in south)
    assert facades[0].taken[-1][1] > 24.0


def test_places_outside_get_a_post_clear_of_the_walking_line() -> None:
    draft, _ = built([shop(0, building=None, xy=(-30.0, -2.5))])
    post = next(o for o in draft.objects if o.category == "sign_post")
    assert abs(post.position[1] + 2.5) >= 0.65
    board = next(o for o in draft.objects if o.category == "shop_sign")
    assert board.bounds[2] >= 2.2
    assert board.parent == post.id


def test_every_scheme_has_contrast() -> None:
    for rows in _SCHEMES.values():
        for row in rows:
            ground, ink, _ = row.split()
            assert abs(luminance(ground) - luminance(ink)) >= 0.5, row


def test_words_and_groups() -> None:
    assert group_of("cafe") == "cafe"
    assert group_of("something_new") == "shop"
    assert word_of("cafe", "fi") == "KAHVILA"
    assert word_of("cafe", "en") == "CAFÉ"
    assert word_of("pet_grooming", "en") == "PET GROOMING"
    assert word_of("pet_grooming", "fi") == ""


def test_a_name_no_font_has_falls_back_to_an_alias() -> None:
    assert shown_name(shop(0, name="東京食堂", aliases=("Tokyo Diner",))) == "Tokyo Diner"
    assert shown_name(shop(0, name="東京食堂", category="restaurant")) == "RESTAURANT"
    plate = hours_plate(shop(0))
    assert plate is not None
    assert plate.lines == ("Mo-Fr 09:00-17:00", "Sa 10:00-15:00")
    assert hours_plate(shop(0, opening_hours="")) is None


def test_same_plan_same_bytes() -> None:
    def digest() -> str:
        draft, _ = built([shop(i) for i in range(12)])
        sums = hashlib.sha256()
        for part in draft.mesh.parts:
            sums.update(part.positions.tobytes() + part.uvs.tobytes() + part.material.encode())
        for key in sorted(draft.textures):
            sums.update(draft.textures[key].pixels.tobytes())
        return sums.hexdigest() + repr(draft.places)

    assert digest() == digest()
