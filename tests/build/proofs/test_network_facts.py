"""Network facts: what an edge says of itself is what the city's shapes say; PyBullet walks it as well."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from citysim.city.carriers import Carriers
from citysim.geo.network import NetworkEdge
from citysim.world import World
from tests.build.proofs.solid import ALL_CITIES, Solid
from tests.build.proofs.walking import ESCALATOR, LIFT, walk, ways

Solids = Callable[[str], Solid]
STAIRS, FOOTBRIDGE, SUBWAY = 12, 2, 4  # FeatureType
CROSSINGS = (30, 31)
ROOFED = 0.9  # share of a line below roofs from which on it is covered
PLACES = 1.0  # that may be told otherwise: a line's places here are not the builder's, whose step is another
STEEP = 1 / 8 + 0.02
BULLET_SAMPLE = 60


@pytest.mark.parametrize("name", ALL_CITIES)
def test_a_sample_of_edges_is_walked_on_pybullet(name: str, city_of) -> None:  # type: ignore[no-untyped-def]
    pytest.importorskip("pybullet")
    world = World(city_of(name), physics="bullet")
    edges = world.city.network.edges
    some = np.random.default_rng(5).permutation(len(edges))[:BULLET_SAMPLE]
    special = [k for k, e in enumerate(edges) if e.attributes["FeatureType"] in (STAIRS, FOOTBRIDGE, SUBWAY, ESCALATOR)]
    failed = []
    for k in sorted({*some.tolist(), *special[:: max(len(special) // BULLET_SAMPLE, 1)]}):
        for line in ways(edges[k]):
            told = walk(world, edges[k], line)
            if told is not None:
                failed.append((edges[k].id, edges[k].attributes["FeatureType"], told))
    world.close()
    assert not failed, f"{len(failed)}: {failed[:8]}"


@pytest.mark.parametrize("name", ALL_CITIES)
def test_vertices_lie_on_the_ground(name: str, solid_of: Solids) -> None:
    solid = solid_of(name)
    off = []
    for edge in solid.city.network.edges:
        for x, y, z in edge.line.tolist():
            heights, ups, _ = solid.plumb(x, y)
            floors = heights[ups > 0.5]
            gap = float(np.abs(floors - z).min()) if len(floors) else math.inf
            if gap > 0.05:
                off.append((edge.id, edge.attributes["FeatureType"], [round(v, 2) for v in (x, y, z)], round(gap, 3)))
    assert not off, f"{len(off)} vertices: {off[:8]}"


def samples(line: NDArray[np.float64], step: float = 0.5) -> NDArray[np.float64]:
    """(N, 3) points along a line, ends left out."""
    along = np.r_[0.0, np.cumsum(np.hypot(*np.diff(line[:, :2], axis=0).T))]
    count = max(int(along[-1] / step), 1)
    at = (np.arange(count) + 0.5) / count * along[-1]
    return np.column_stack([np.interp(at, along, line[:, k]) for k in range(3)])


@pytest.mark.parametrize("name", ALL_CITIES)
def test_covered_means_a_roof_overhead(name: str, solid_of: Solids) -> None:
    solid = solid_of(name)
    wrong = []
    for edge in solid.city.network.edges:
        if edge.attributes["FeatureType"] == LIFT:
            continue
        points = samples(edge.line) + np.array([0.0, 0.0, 1.6])
        hits = solid.space.cast_rays(points, points + np.array([0.0, 0.0, 7.4]))
        roofed = int(np.isfinite(hits.distance).sum())
        covered = edge.attributes["WeatherProof"] == 1
        missing = (ROOFED * len(points) - roofed) * (1.0 if covered else -1.0)
        if missing > PLACES:
            wrong.append((edge.id, edge.attributes["FeatureType"], covered, f"{roofed} of {len(points)}",
                          edge.line[len(edge.line) // 2].round(1).tolist()))  # fmt: skip
    assert not wrong, f"{len(wrong)} of {len(solid.city.network.edges)}: {wrong[:10]}"


@pytest.mark.parametrize("name", ALL_CITIES)
def test_slopes_and_access_follow_the_line(name: str, solid_of: Solids) -> None:
    for edge in solid_of(name).city.network.edges:
        facts, line = edge.attributes, edge.line
        run = np.hypot(*np.diff(line[:, :2], axis=0).T)
        rise = abs(float(line[-1, 2] - line[0, 2]))
        rounding = 1e-3 + 0.002 / float(run.sum() + rise)  # heights are kept in millimetres
        assert facts["Gradient"] == pytest.approx(math.atan2(rise, float(run.sum())), abs=rounding), edge.id
        assert facts["Shape_Length"] == pytest.approx(float(run.sum()), abs=2e-3), edge.id
        if facts["FeatureType"] == LIFT:
            assert facts["WheelchairAccess"] == 1
        elif facts["FeatureType"] in (STAIRS, ESCALATOR):
            assert facts["WheelchairAccess"] == 2, edge.id
        elif facts["WheelchairAccess"] == 1:
            steepest = float((np.abs(np.diff(line[:, 2])) / np.maximum(run, 0.05)).max())
            assert steepest <= STEEP, (edge.id, steepest)


@pytest.mark.parametrize("name", ALL_CITIES)
def test_kinds_and_directions_are_those_of_the_things_walked_on(name: str, solid_of: Solids) -> None:
    solid = solid_of(name)
    wrong = []
    expected = {STAIRS: {"stairs"}, ESCALATOR: {"escalator"}, SUBWAY: {"subway"}, FOOTBRIDGE: {"footbridge", "bridge"}}
    expected |= {kind: {"crossing", "street"} for kind in CROSSINGS}
    for edge in solid.city.network.edges:
        kinds = expected.get(edge.attributes["FeatureType"])
        if kinds is None:
            continue
        x, y, z = samples(edge.line)[len(samples(edge.line)) // 2].tolist()
        heights, ups, numbers = solid.plumb(x, y)
        near = numbers[(np.abs(heights - z) < 0.25) & (ups > 0.3)]
        found = {solid.objects[label].category for label in solid.labels[near].tolist() if label in solid.objects}
        if not found & kinds:
            wrong.append((edge.id, edge.attributes["FeatureType"], [round(v, 1) for v in (x, y, z)], sorted(found)))
    assert not wrong, f"{len(wrong)}: {wrong[:8]}"
    carriers = Carriers.of(solid.city.objects)
    moving = [e for e in solid.city.network.edges if e.attributes["FeatureType"] == ESCALATOR]
    for edge in moving:
        at = samples(edge.line)[len(samples(edge.line)) // 2]
        speed = np.array(carriers.velocity(*(float(v) for v in at)))
        ahead = (edge.line[-1] - edge.line[0])[:2] * edge.attributes["Direction"]
        assert speed @ ahead > 0.0, edge.id


def directed(edge: NetworkEdge) -> bool:
    """Whether an edge has one direction only."""
    return bool(edge.attributes.get("Direction"))


@pytest.mark.parametrize("name", ALL_CITIES)
def test_only_what_moves_has_one_direction(name: str, solid_of: Solids) -> None:
    for edge in solid_of(name).city.network.edges:
        assert directed(edge) == (edge.attributes["FeatureType"] == ESCALATOR), edge.id
