import hashlib
import math

import numpy as np
import pytest
import shapely

from citysim.build.chance import Chance
from citysim.build.draft import CityDraft
from citysim.build.looks import look
from citysim.build.mesh import FINEST, Detail
from citysim.build.plans import PropPlan
from citysim.build.props import build_props, describe_objects, heads, page, trees
from citysim.build.props.catalogue import MAKERS, make
from citysim.build.props.handheld import HANDHELD
from citysim.build.props.identity import color_name
from citysim.build.props.landmarks import LANDMARKS
from citysim.build.props.model import Model, turned
from citysim.build.props.trees import CLEAR
from citysim.errors import UnknownNameError
from tests.build.scene import Slope, empty_plan, street_scene

KINDS = sorted(MAKERS)


def built(props: list[PropPlan], rise: float = 0.0) -> CityDraft:
    draft, ground, _ = street_scene((), props, rise)
    build_props(draft, ground)
    describe_objects(draft, draft.mesh.parts)
    return draft


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_stands_on_sloping_ground(kind: str) -> None:
    draft = built([PropPlan(f"p/{kind}", kind, (-20.0, -18.0), name="Satama")], rise=0.03)
    thing = draft.objects[draft.object_of[f"p/{kind}"] - 1]
    parts = [p for p in draft.mesh.parts if p.label == thing.id and p.detail in FINEST]
    points = np.concatenate([p.positions for p in parts])
    floor = Slope(0.03).height([thing.position[:2]])[0]
    assert -0.1 <= points[:, 2].min() - floor <= 0.01
    assert thing.position[2] == pytest.approx(floor)
    assert 10 <= sum(len(p.triangles) for p in parts) <= 240
    assert np.allclose(thing.bounds[:3], points.min(axis=0))
    assert np.allclose(thing.bounds[3:], points.max(axis=0))
    assert thing.category == kind


@pytest.mark.parametrize("kind", KINDS)
def test_kinds_have_the_size_of_the_real_thing(kind: str) -> None:
    model = make(PropPlan("p", kind, (0.0, 0.0)), Chance(1, kind))
    points = np.concatenate([p.positions for p in model.pieces])
    tall = points[:, 2].max()
    expected = {
        "bench": (0.75, 0.95), "vending_machine": (1.8, 1.9), "waste_basket": (0.85, 0.95), "car": (1.4, 1.55),
        "bollard": (0.85, 0.95), "street_lamp": (4.8, 5.3), "bus_stop": (2.9, 3.1), "fire_hydrant": (0.8, 0.95),
        "advertising_column": (2.9, 3.2), "tree": (6.5, 11.0), "kiosk": (2.6, 3.4), "sandpit": (0.2, 0.3),
        "utility_pole": (9.9, 10.1), "cafe_table": (0.74, 0.9), "traffic_sign": (2.7, 2.9), "motorcycle": (0.9, 1.2),
        "van": (2.0, 2.2), "minibus": (2.5, 2.8), "swing": (2.3, 2.5),
    }.get(kind, (0.5, 12.0))  # fmt: skip
    assert expected[0] <= tall <= expected[1]


@pytest.mark.parametrize("kind", ["tree", "tree_small"])
@pytest.mark.parametrize("height", [None, 3.0, 6.0, 14.0])
def test_no_leaf_hangs_into_the_way(kind: str, height: float | None) -> None:
    for number in range(6):
        model = make(PropPlan("p", kind, (0.0, 0.0), height=height), Chance(number, kind))
        leaves = [p for p in model.pieces if p.material != "bark"]
        assert min(p.positions[:, 2].min() for p in leaves) >= CLEAR - 0.2
        assert any(p.detail == Detail.COARSE for p in model.pieces)


def test_nothing_solid_comes_near_a_walking_line() -> None:
    line = shapely.LineString([(-40.0, -2.5), (40.0, -2.5)])
    props = [PropPlan(f"p/{i}", kind, (-38.0 + 2.1 * i, -2.5 + 0.1 * (i % 5))) for i, kind in enumerate(KINDS)]
    draft = built(props)
    stood = 0
    for part in draft.mesh.parts:
        low = part.positions[:, 2] < 2.0
        if part.label > 1 and part.detail in FINEST and low.any():
            faces = part.positions[part.triangles]
            solid = faces[(faces[:, :, 2] < 2.0).any(axis=1)]
            if draft.objects[part.label - 1].category in ("bus_shelter", "kiosk", "stall", "tree", "flagpole", "clock"):
                continue  # their roofs reach over the line; what stands below them is tested by their footprint
            away = shapely.distance(shapely.points(solid.reshape(-1, 3)[:, :2]), line)
            assert away.min() >= 0.65 - 0.002
            stood += 1
    assert stood > 15
    missing = len(props) - sum(1 for p in props if p.id in draft.object_of)
    counted = sum(int(w.split()[0]) for w in draft.warnings if "left out" in w)
    assert counted == missing


def test_a_thing_in_the_way_is_moved_a_little_or_left_out() -> None:
    draft = built([PropPlan("p/near", "bollard", (-20.0, -2.4)), PropPlan("p/road", "bench", (-20.0, -8.5))])
    near = draft.objects[draft.object_of["p/near"] - 1]
    assert 0.0 < math.dist(near.position[:2], (-20.0, -2.4)) <= 2.0
    assert "p/road" not in draft.object_of
    assert any("1 bench left out" in w for w in draft.warnings)


def test_cars_may_stand_on_the_carriageway_along_it() -> None:
    draft = built([PropPlan("p/car", "car", (-20.0, -10.0))])
    car = draft.objects[draft.object_of["p/car"] - 1]
    assert car.position[:2] == (-20.0, -10.0)
    assert min(abs(car.heading_deg - h) for h in (90.0, 270.0)) < 0.1


def test_benches_look_at_the_walking_line() -> None:
    draft = built([PropPlan("p/bench", "bench", (-20.0, -4.2))])
    bench = draft.objects[draft.object_of["p/bench"] - 1]
    assert min(bench.heading_deg, 360 - bench.heading_deg) < 1.0


def test_front_faces_the_heading() -> None:
    assert np.allclose(turned(np.array([[0.0, 1.0, 0.0]]), 90.0), [[1.0, 0.0, 0.0]])
    assert np.allclose(turned(np.array([[1.0, 0.0, 0.0]]), 90.0), [[0.0, -1.0, 0.0]])


def test_boxes_and_tubes_are_closed_and_face_outwards() -> None:
    model = Model()
    model.box((0.3, 0.2, 0.1), (1.0, 2.0, 3.0), taper=(0.8, 0.9), faces="fblrtd")
    assert _volume(model) > 4.0
    model = Model()
    model.tube((0.0, 0.0, 0.0), (1.0, 1.0, 2.0), (0.5, 0.3), caps="ab", sides=8)
    assert _volume(model) > 0.9


def _volume(model: Model) -> float:
    total = 0.0
    for piece in model.pieces:
        a, b, c = (piece.positions[piece.triangles[:, i]] for i in range(3))
        total += float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum()) / 6.0
    return total


def test_unknown_kind_is_an_error_with_near_names() -> None:
    with pytest.raises(UnknownNameError, match="bench"):
        make(PropPlan("p", "bensh", (0.0, 0.0)), Chance(0))


def test_same_plan_same_bytes() -> None:
    props = [PropPlan(f"p/{i}", kind, (-38.0 + 2.3 * i, -17.0), name=f"Nimi {i}") for i, kind in enumerate(KINDS)]
    assert _digest(built(props)) == _digest(built(props))


def _digest(draft: CityDraft) -> str:
    sums = hashlib.sha256()
    for part in draft.mesh.parts:
        sums.update(part.positions.tobytes() + part.triangles.tobytes() + part.uvs.tobytes() + part.colors.tobytes())
        sums.update(f"{part.material}/{part.label}/{part.detail}".encode())
    for key in sorted(draft.textures):
        sums.update(key.encode() + draft.textures[key].pixels.tobytes())
    return sums.hexdigest()


def test_pages_have_holes_only_where_they_should() -> None:
    draft = CityDraft(empty_plan())
    page.register(draft)
    trees.register(draft)
    first = draft.textures[page.PAGE]
    assert first.pixels.shape[2] == 3
    assert first.glow is not None
    x, y, w, h = page.CELLS["screen"]
    assert (first.glow[y : y + h, x : x + w] == 255).all()
    assert (first.glow > 0).mean() < 0.4
    boxes = [shapely.box(x - 4, y - 4, x + w + 4, y + h + 4) for x, y, w, h in page.CELLS.values()]
    assert sum(b.area for b in boxes) == pytest.approx(shapely.union_all(boxes).area)
    alpha = draft.textures[page.BICYCLE].pixels[..., 3]
    assert 0.5 < (alpha < 128).mean() < 0.95
    leaves = draft.textures[trees.LEAVES].pixels
    holes = leaves[..., 3] < 128
    assert 0.25 < holes.mean() < 0.75
    assert leaves[..., 1][holes].mean() > 40  # colour is bled under the holes


@pytest.mark.parametrize("kind", sorted(LANDMARKS))
def test_landmarks_are_tall_light_and_in_every_level(kind: str) -> None:
    model = make(PropPlan("p", kind, (0.0, 0.0)), Chance(1, kind))
    points = np.concatenate([p.positions for p in model.pieces])
    assert 6.0 <= points[:, 2].max() <= 75.0
    assert -0.2 <= points[:, 2].min() < 0.0
    assert 20 <= model.triangle_count <= 950
    assert all(p.detail == Detail.ALL for p in model.pieces)


def test_things_lie_on_tables_and_benches_and_know_their_host() -> None:
    kinds = ("bench", "cafe_table", "parasol_table", "picnic_table", "bus_shelter")
    draft = built([PropPlan(f"p/{i}", kinds[i % 5], (-36.0 + 5.2 * i, -30.0), 10.0 * i) for i in range(15)])
    things = [o for o in draft.objects if o.category in HANDHELD]
    assert len(things) >= 8
    for thing in things:
        assert thing.parent is not None
        host = draft.objects[thing.parent - 1]
        assert host.category in kinds
        own = [p.positions for p in draft.mesh.parts if p.label == thing.id]
        low = min(float(p[:, 2].min()) for p in own)
        tops = np.concatenate([p.positions for p in draft.mesh.parts if p.label == host.id])[:, 2]
        assert np.abs(tops - low).min() < 0.02  # it touches a surface of its host
        assert thing.bounds[0] >= host.bounds[0] - 0.2
        assert thing.bounds[3] <= host.bounds[3] + 0.2
        assert thing.attributes["color"].startswith("#")
        assert max(thing.attributes["size_m"]) < 0.8


def test_objects_know_their_colour_material_and_size() -> None:
    draft = built([PropPlan("p/hydrant", "fire_hydrant", (-20.0, -18.0)), PropPlan("p/bench", "bench", (-10.0, -18.0))])
    hydrant = draft.objects[draft.object_of["p/hydrant"] - 1]
    assert hydrant.attributes["color_name"] in ("red", "maroon", "brown")
    assert hydrant.attributes["material"] == "painted metal"
    width, depth, tall = hydrant.attributes["size_m"]
    assert 0.8 < tall < 1.0
    assert max(width, depth) < 0.6
    assert color_name((235, 235, 232)) == "white"


def test_wires_hang_between_the_poles_of_a_street() -> None:
    draft = built([PropPlan(f"p/{i}", "utility_pole", (-38.0 + 26.0 * i, -17.5)) for i in range(3)])
    poles = [o for o in draft.objects if o.category == "utility_pole"]
    wires = [o for o in draft.objects if o.category == "overhead_wire"]
    assert len(poles) == 3
    assert len(wires) == 2
    for wire in wires:
        assert wire.parent in {p.id for p in poles}
        assert 8.0 < wire.bounds[2] < wire.bounds[5] < 10.0  # well above vehicles, sagging
        assert wire.bounds[3] - wire.bounds[0] > 20.0


def test_a_mast_stands_on_a_flat_roof() -> None:
    draft, ground, _ = street_scene((), [PropPlan("p/mast", "radio_mast", (14.0, 6.0), tags={"on": "house/1"})])
    number = draft.add_object("building", (14.0, 6.0, 0.0), plan_id="house/1")
    roof = [(0.0, 0.0, 12.0), (28.0, 0.0, 12.0), (28.0, 12.0, 12.0), (0.0, 12.0, 12.0)]
    draft.mesh.quad(roof, look(draft, "roof_bitumen").material, number)
    build_props(draft, ground)
    mast = draft.objects[draft.object_of["p/mast"] - 1]
    assert mast.parent == number
    assert mast.position[2] == pytest.approx(12.0, abs=0.1)
    assert mast.bounds[5] > 45.0


def test_boards_on_posts_lie_along_their_streets_and_read_from_both_sides() -> None:
    tags = {"arms": "Mill Street@90;Ferry Road@0"}
    draft = built([PropPlan("p/corner", "street_sign", (-20.0, -18.0), 35.0, tags=tags)])
    post = draft.objects[draft.object_of["p/corner"] - 1]
    assert post.attributes["text"] == "Mill Street / Ferry Road"
    faces = [p for p in draft.mesh.parts if p.label == post.id and p.material.startswith("props/names")]
    quads = np.concatenate([p.positions.reshape(-1, 4, 3) for p in faces])
    uvs = np.concatenate([p.uvs.reshape(-1, 4, 2) for p in faces])
    assert len(quads) == 4
    for corners, uv in zip(quads, uvs, strict=True):
        along, up = corners[1] - corners[0], corners[3] - corners[0]
        normal = np.cross(along, up)
        assert uv[1, 0] > uv[0, 0]  # the text runs along the lower edge, seen from the side the normal points to
        assert uv[3, 1] < uv[0, 1]
        middle = corners.mean(axis=0) - post.position
        assert middle @ normal > 0.0  # which is the outside
        assert max(abs(along[:2])) > 20 * min(abs(along[:2]))  # east-west or north-south, whatever the post's heading
        assert 2.2 < middle[2] < 3.0


def test_signals_have_a_picture_for_each_state() -> None:
    picture, glow = heads.pages()
    width = heads.SIZE[0] // heads.STATES
    states = [picture[:, width * k : width * (k + 1)] for k in range(heads.STATES)]
    assert len({state.tobytes() for state in states}) == heads.STATES
    assert ((glow > 0).reshape(heads.SIZE[1], heads.STATES, width).sum(axis=(0, 2)) == 2 * heads.LENS**2).all()
    for cell in (heads.drivers_cell(), heads.walkers_cell()):
        assert 0.0 <= cell[0] < cell[2] < 1.0 / heads.STATES  # in the first state's picture
    draft = built([PropPlan("p/1", "traffic_signals", (-20.0, -17.0))])
    mine = [part for part in draft.mesh.parts if part.material == heads.NAME]
    assert len(mine) == 1
    assert mine[0].uvs[:, 0].max() < 1.0 / heads.STATES
