"""Stairs climb exactly, bridges clear what they cross, subways pass below it."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from citysim.build.draft import CityDraft
from citysim.build.streets import build_streets
from citysim.build.streets.surface import GroundSurface
from citysim.city import CityObject
from tests.build.streets.small import small_plan
from tests.build.streets.worlds import finest, floor_below

Built = tuple[CityDraft, GroundSurface]


def _objects(draft: CityDraft, category: str) -> list[CityObject]:
    return [o for o in draft.objects if o.category == category]


def test_every_stair_is_built_with_equal_risers(built: Built) -> None:
    draft = built[0]
    stairs = _objects(draft, "stairs")
    assert {o.attributes["source"] for o in stairs} == {
        "w/terrace", "w/deck-south", "w/deck-north", "w/subway-south", "w/subway-north",
    }  # fmt: skip
    for stair in stairs:
        edge = next(e for e in draft.edges if e.attributes["FeatureType"] == 12 and _same_place(e.line, stair))
        rise = edge.line[-1, 2] - edge.line[0, 2]
        riser = rise / stair.attributes["risers"]
        assert 0.1 < riser <= 0.1705
        levels = _levels_along(draft, edge.line)
        assert len(levels) == stair.attributes["risers"] + 1
        assert np.allclose(np.diff(levels), riser, atol=2 / 1024)
        assert edge.attributes["WheelchairBarrier"] == 1


def _same_place(line: np.ndarray, stair: CityObject) -> bool:
    middle = line[:, :2].mean(axis=0)
    b = stair.bounds
    return bool(b[0] - 0.5 < middle[0] < b[3] + 0.5 and b[1] - 0.5 < middle[1] < b[4] + 0.5)


def _levels_along(draft: CityDraft, line: np.ndarray) -> np.ndarray:
    """Distinct floor heights met on the way from the foot to the head of a stair."""
    t = np.linspace(0.001, 0.999, 1500)[:, None]
    points = line[0] + (line[-1] - line[0]) * t
    points[:, 2] += 0.3
    floor = floor_below(finest(draft), points, 0.3)
    return np.array([k for k, _ in itertools.groupby(np.round(floor, 4))])


def test_ends_of_stairs_meet_the_network_bit_for_bit(built: Built) -> None:
    draft = built[0]
    ends: dict[bytes, int] = {}
    for edge in draft.edges:
        for point in (edge.line[0], edge.line[-1]):
            ends[point.tobytes()] = ends.get(point.tobytes(), 0) + 1
    for edge in draft.edges:
        if edge.attributes["FeatureType"] in (2, 4, 12):
            assert all(ends[p.tobytes()] >= 2 for p in (edge.line[0], edge.line[-1])), edge.attributes


def test_bridge_clears_the_road_and_subway_passes_below(built: Built) -> None:
    draft, ground = built
    bridge, subway = _objects(draft, "footbridge")[0], _objects(draft, "subway")[0]
    road = ground.height([(130.0, 60.0), (150.0, 60.0)])
    triangles = finest(draft)
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    under = (triangles[:, :, 2].min(axis=1) > road[0] + 1) & (normal[:, 2] < 0)
    near = (np.abs(triangles[:, :, 0] - 130.0).min(axis=1) < 2) & (np.abs(triangles[:, :, 1] - 60.0).min(axis=1) < 14)
    assert triangles[under & near][:, :, 2].min() - road[0] >= 5.1
    assert bridge.position[2] - road[0] > 5.5
    assert road[1] - (subway.position[2] + 2.6) > 0.5
    kinds = {e.attributes["FeatureType"] for e in draft.edges}
    assert kinds >= {1, 2, 4, 12, 30, 31}


def test_stairs_with_no_room_become_paths_and_are_counted() -> None:
    plan = small_plan()
    nodes = {**plan.nodes, 11: (75.0, 104.4)}
    draft = CityDraft(replace(plan, nodes=nodes))
    build_streets(draft)
    assert "w/terrace" not in {o.attributes.get("source") for o in _objects(draft, "stairs")}
    assert any("1 of 1 stairs" in w for w in draft.warnings)


def test_bridge_whose_stairs_are_too_short_is_dropped_and_counted() -> None:
    plan = small_plan()
    nodes = {**plan.nodes, 20: (130.0, 45.0), 23: (130.0, 75.0)}
    draft = CityDraft(replace(plan, nodes=nodes))
    build_streets(draft)
    assert not _objects(draft, "footbridge")
    assert any("without stairs that fit dropped" in w for w in draft.warnings)
    assert 2 not in {e.attributes["FeatureType"] for e in draft.edges}


@pytest.mark.parametrize("feature", [2, 12])
def test_gradient_is_the_angle(built: Built, feature: int) -> None:
    for edge in built[0].edges:
        if edge.attributes["FeatureType"] == feature:
            run = float(np.hypot(*np.diff(edge.line[:, :2], axis=0).T).sum())
            rise = abs(float(edge.line[-1, 2] - edge.line[0, 2]))
            assert math.isclose(edge.attributes["Gradient"], math.atan2(rise, run), abs_tol=1e-9)
            assert math.isclose(edge.attributes["Shape_Length"], run, abs_tol=1e-3)
