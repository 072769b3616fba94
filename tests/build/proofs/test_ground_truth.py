"""Ground truth of embedded cities: nothing falls through, floats, is buried, fights for depth or opens onto nothing."""

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
import shapely

from citysim.physics import make_walker
from tests.build.proofs.coplanar import overlapping_pairs
from tests.build.proofs.solid import ALL_CITIES, Solid

Solids = Callable[[str], Solid]
# objects that stand on the ground (or on another object that is their parent)
STANDING = frozenset(
    {
        "bench", "waste_basket", "vending_machine", "post_box", "bus_stop", "bus_shelter", "tram_stop",
        "traffic_signals", "bollard", "fire_hydrant", "bicycle_parking", "advertising_column", "clock", "fountain",
        "flagpole", "statue",
        "parking_meter", "telephone", "picnic_table", "drinking_water", "street_cabinet", "kiosk", "stall", "recycling",
        "street_sign_post", "car", "bicycle", "tree", "tree_small", "street_lamp", "traffic_sign", "utility_pole",
        "news_box", "planter", "direction_sign", "map_board", "crossing_globe", "traffic_cone", "taxi_stand",
        "minibus_stop", "letterboxes", "underground_waste", "cafe_table", "parasol_table", "a_board", "goods_stand",
        "crates", "capsule_machines", "swing", "slide", "climbing_frame", "seesaw", "spring_rider", "sandpit",
        "table_tennis", "bicycle_shed", "taxi", "van", "minibus", "motorcycle", "sign_post",
    }
)  # fmt: skip
HANDHELD = frozenset({"cup", "bottle", "box", "bag", "book", "phone", "newspaper", "umbrella"})
DROPS = 20_000
HAIR = 0.02  # metres: what is narrower takes no foot, and was seen where walls meet terraces
PLUMB = 0.5  # metres between plumb lines
RIGID = 1.8  # metres: what is higher may overlap (crowns of trees, arms of lamps)


@pytest.mark.parametrize("name", ALL_CITIES)
def test_nobody_falls_through(name: str, solid_of: Solids) -> None:
    solid = solid_of(name)
    e0, n0, e1, n1 = solid.city.bounds
    draws = np.random.default_rng(7)
    count = DROPS if name != "mini" else 4000
    points = draws.uniform((e0 + 1.0, n0 + 1.0), (e1 - 1.0, n1 - 1.0), (count, 2))
    lines = np.concatenate([edge.line for edge in solid.city.network.edges])
    near = lines[draws.integers(0, len(lines), count // 2)] + draws.uniform(-3.0, 3.0, (count // 2, 3)) * (1, 1, 0)
    near = near[(near[:, 0] > e0 + 1) & (near[:, 0] < e1 - 1) & (near[:, 1] > n0 + 1) & (near[:, 1] < n1 - 1)]
    top = float(solid.corners[:, :, 2].max()) + 5.0
    high = np.column_stack([points, np.full(len(points), top)])
    low = near + np.array([0.0, 0.0, 1.2])
    starts = np.concatenate([high, low])
    depths = np.concatenate([np.full(len(high), -30.0), low[:, 2] - 60.0])
    hits = solid.space.cast_rays(starts, np.column_stack([starts[:, :2], depths]))
    assert np.isfinite(hits.distance[: len(high)]).all()  # no hole in the ground
    landed = np.isfinite(hits.distance)
    floors = starts[:, 2] - np.where(landed, hits.distance, 0.0)
    lowest = float(solid.corners[:, :, 2].min())
    walker = make_walker(solid.space)
    lost = []
    for at, floor in zip(starts[landed], floors[landed], strict=True):
        walker.place(float(at[0]), float(at[1]), float(floor) + 0.5)
        end = walker.walk(np.zeros((60, 2)))[-1]
        inside = e0 < end[0] < e1 and n0 < end[1] < n1  # who slides off a roof at the rim meets the world's fence
        if inside and (end[2] < lowest - 0.5 or not _stands_over_something(solid, end)):
            lost.append((at.round(2).tolist(), float(floor), end.round(2).tolist()))
    assert not lost, f"{len(lost)} of {int(landed.sum())} fell through: {lost[:5]}"


@pytest.mark.parametrize("name", ALL_CITIES)
def test_no_slit_is_open_between_surfaces(name: str, solid_of: Solids) -> None:
    """A plumb line every half metre: finer than drops by chance, which miss slits of a few square metres."""
    solid = solid_of(name)
    e0, n0, e1, n1 = solid.city.bounds
    top = float(solid.corners[:, :, 2].max()) + 5.0
    easts = np.arange(e0 + 1.137, e1 - 1.0, PLUMB)  # off the lattice on which edges lie
    open_ = []
    for north in np.arange(n0 + 1.211, n1 - 1.0, PLUMB):
        starts = np.column_stack([easts, np.full(len(easts), north), np.full(len(easts), top)])
        hits = solid.space.cast_rays(starts, starts * (1.0, 1.0, 0.0) - (0.0, 0.0, 30.0))
        for east in easts[np.isinf(hits.distance)].tolist():
            around = np.array([(east + HAIR * x, north + HAIR * y, top) for x in (-1, 0, 1) for y in (-1, 0, 1)])
            through = solid.space.cast_rays(around, around * (1.0, 1.0, 0.0) - (0.0, 0.0, 30.0))
            if np.isinf(through.distance).sum() > 3:  # a hair's breadth lets one line of the nine through
                open_.append((round(east, 2), round(float(north), 2)))
    assert not open_, f"{len(open_)} of {PLUMB} m squares have no ground, such as {open_[:5]}"


def _stands_over_something(solid: Solid, end: np.ndarray) -> bool:
    """Whether something is below a foot; at the edge of a wall that may be beside its middle."""
    for x, y in ((0.0, 0.0), (0.05, 0.0), (-0.05, 0.0), (0.0, 0.05), (0.0, -0.05)):
        heights, _, _ = solid.plumb(float(end[0]) + x, float(end[1]) + y)
        if (heights < end[2] + 0.4).any():
            return True
    return False


@pytest.mark.parametrize("name", ALL_CITIES)
def test_no_two_surfaces_fight_for_depth(name: str, solid_of: Solids) -> None:
    solid = solid_of(name)
    pairs = overlapping_pairs(solid)
    kinds = Counter(
        tuple(sorted(getattr(solid.objects.get(int(solid.labels[t])), "category", "ground") for t in pair[:2]))
        for pair in pairs
    )
    examples = [(solid.corners[i].mean(axis=0).round(2).tolist(), round(area, 4)) for i, j, area in pairs[:5]]
    assert len(pairs) == 0, f"{len(pairs)} coplanar overlaps: {kinds.most_common(8)} such as {examples}"


@pytest.mark.parametrize("name", ALL_CITIES)
def test_every_thing_touches_what_it_stands_on(name: str, solid_of: Solids) -> None:
    solid = solid_of(name)
    floating, buried, overhanging, count = [], [], [], 0
    for thing in solid.city.objects:
        if thing.category not in STANDING | HANDHELD:
            continue
        own = solid.of(thing.id)
        if not len(own):
            continue
        count += 1
        points = solid.corners[own].reshape(-1, 3)
        low = float(points[:, 2].min())
        feet = points[points[:, 2] < low + (0.005 if thing.category in HANDHELD else 0.06)]
        feet = np.unique(np.round(feet, 3), axis=0)
        feet = feet[np.linspace(0, len(feet) - 1, min(len(feet), 8)).round().astype(int)]
        middle = feet.mean(axis=0)
        gaps = []
        for x, y, z in (feet + (middle - feet) * 0.05).tolist():
            heights, ups, numbers = solid.plumb(x, y)
            floor = heights[(solid.labels[numbers] != thing.id) & (ups > 0.3)]
            if len(floor):
                gaps.append(z - float(floor[np.abs(floor - z).argmin()]))
        what = f"{thing.category} {thing.id} at {[round(v, 2) for v in thing.position]}"
        if not gaps or min(gaps) > 0.02:
            floating.append((what, [round(g, 3) for g in gaps]))
        elif max(gaps) < -0.35:
            buried.append((what, [round(g, 3) for g in gaps]))
        elif thing.category in HANDHELD and (len(gaps) < len(feet) or max(gaps) > 0.02):  # lies wholly on its table
            overhanging.append((what, [round(g, 3) for g in gaps]))
    assert count > 50
    assert not floating, f"{len(floating)} of {count} float: {floating[:6]}"
    assert not buried, f"{len(buried)} of {count} are buried: {buried[:6]}"
    assert not overhanging, f"{len(overhanging)} of {count} overhang: {overhanging[:6]}"


@pytest.mark.parametrize("name", ALL_CITIES)
def test_no_two_things_stand_in_one_another(name: str, solid_of: Solids) -> None:
    solid = solid_of(name)
    shapes, spans, things = [], [], []
    for thing in solid.city.objects:
        if thing.category not in STANDING:
            continue
        own = solid.of(thing.id)
        points = solid.corners[own].reshape(-1, 3)
        if not len(points):
            continue
        low = float(points[:, 2].min())
        points = points[points[:, 2] < low + RIGID]
        shapes.append(shapely.MultiPoint(points[:, :2]).convex_hull.buffer(-0.03))
        spans.append((low, float(points[:, 2].max())))
        things.append(thing)
    tree = shapely.STRtree(shapes)
    clashes = []
    for i, j in tree.query(shapes, predicate="intersects").T.tolist():
        if i < j and spans[i][0] < spans[j][1] - 0.05 and spans[j][0] < spans[i][1] - 0.05:
            shared = shapes[i].intersection(shapes[j]).area
            if shared > 0.004:
                clashes.append((things[i].category, things[j].category, [round(v, 1) for v in things[i].position]))
    assert not clashes, f"{len(clashes)}: {clashes[:8]}"


@pytest.mark.parametrize("name", ALL_CITIES)
def test_every_door_opens_onto_a_floor(name: str, solid_of: Solids) -> None:
    solid = solid_of(name)
    network = shapely.STRtree([shapely.LineString(e.line[:, :2]) for e in solid.city.network.edges])
    nothing, far, count = [], [], 0
    for door in solid.city.objects:
        if door.category not in ("entrance", "door"):
            continue
        count += 1
        x, y, z = door.position
        turn = np.radians(door.heading_deg)
        gaps = []
        for out in (0.35, 0.6, 0.9):
            heights, ups, _ = solid.plumb(x + out * np.sin(turn), y + out * np.cos(turn))
            floor = heights[ups > 0.5]
            gaps.append(float(np.abs(floor - z).min()) if len(floor) else 99.0)
        if min(gaps) > 0.2:
            nothing.append(([round(v, 2) for v in door.position], [round(g, 2) for g in gaps]))
        point = shapely.Point(x, y)
        if not len(network.query(point, predicate="dwithin", distance=25.0)):
            far.append([round(v, 1) for v in door.position])
    assert count > 20
    assert not nothing, f"{len(nothing)} of {count} doors open onto nothing: {nothing[:6]}"
    assert not far, f"{len(far)} of {count} doors are over 25 m from the network: {far[:6]}"


SIGNS = frozenset({"shop_sign", "street_sign", "building_sign", "directory_board"})
BEFORE = 0.4  # metres before a sign that are free
FREE = 0.5  # of the area of one of its sides: a pipe may cross a plate
SPOTS = np.array([(i, j, 8 - i - j) for i in range(1, 8) for j in range(1, 8 - i)]) / 8.0  # places in a triangle


@pytest.mark.parametrize("name", ALL_CITIES)
def test_no_sign_hangs_in_a_wall(name: str, solid_of: Solids) -> None:
    solid = solid_of(name)
    inked = np.array([material.name.startswith("places/") for material in solid.city.materials])
    covered, count = [], 0
    for thing in solid.city.objects:
        own = solid.of(thing.id)
        if thing.category not in SIGNS or not len(own := own[inked[solid.material[own]]]):
            continue
        count += 1
        corners, normals = solid.corners[own], solid.normals[own]
        area = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
        points = np.einsum("sk,tkd->tsd", SPOTS, corners) + normals[:, None] * 0.02
        ends = points + normals[:, None] * BEFORE
        hits = solid.space.cast_rays(points.reshape(-1, 3), ends.reshape(-1, 3)).distance
        free = np.isinf(hits).reshape(-1, len(SPOTS)).mean(axis=1)
        front = normals @ normals[area.argmax()] > 0.9
        best = max((area * free)[side].sum() / area[side].sum() for side in (front, ~front) if side.any())
        if best < FREE:
            covered.append((thing.category, thing.name, [round(v, 1) for v in thing.position], round(float(best), 2)))
    assert count > 20
    assert not covered, f"{len(covered)} of {count}: {covered[:6]}"
