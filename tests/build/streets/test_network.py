"""The network is true: a floor under every line, room for a body along it, one piece, real codes."""

import math

import networkx as nx
import numpy as np
import pytest
import shapely

from citysim.build.draft import CityDraft
from citysim.build.streets.site import Site
from citysim.build.streets.surface import GroundSurface
from citysim.geo.network import NetworkEdge
from citysim.geo.network_codes import DOMAINS, FIELDS
from tests.build.streets.worlds import city_of, finest, floor_below, samples

Built = tuple[CityDraft, GroundSurface]


def test_floor_lies_under_every_line(built: Built) -> None:
    triangles = finest(built[0])
    for edge in built[0].edges:
        points = samples(edge)
        gap = np.abs(points[:, 2] - floor_below(triangles, points))
        assert gap.max() < (0.175 if edge.attributes["FeatureType"] == 12 else 0.03), edge.attributes


def test_lines_keep_a_body_off_walls(built: Built) -> None:
    solid = Site.of(built[0].plan).solid
    for edge in built[0].edges:
        assert shapely.LineString(edge.line[:, :2]).distance(solid) > 0.34


def test_points_are_close_and_on_the_lattice(built: Built) -> None:
    for edge in built[0].edges:
        assert np.hypot(*np.diff(edge.line[:, :2], axis=0).T).max() <= 2.01
        assert (edge.line * 1024 == np.round(edge.line * 1024)).all()


def test_fields_and_codes_are_hong_kongs(built: Built) -> None:
    for edge in built[0].edges:
        assert set(edge.attributes) <= set(FIELDS)
        for field, domain in DOMAINS.items():
            value = edge.attributes.get(field)
            assert value is None or value in domain, (field, value)
    names = {e.attributes["StreetNameEN"] for e in built[0].edges}
    assert {"Main Street", "Side Street", "Park Path", "High Bridge", "Low Way"} <= names
    assert {e.attributes["CrossingFeature"] for e in built[0].edges if e.attributes["FeatureType"] >= 30} == {1}


def test_one_connected_piece_with_every_door(built: Built) -> None:
    draft = built[0]
    graph = nx.Graph((e.line[0].tobytes(), e.line[-1].tobytes()) for e in draft.edges)
    parts = sorted(nx.connected_components(graph), key=len, reverse=True)
    lines = [shapely.LineString(e.line[:, :2]) for e in draft.edges if e.line[0].tobytes() in parts[0]]
    total = sum(e.attributes["Shape_Length"] for e in draft.edges)
    assert sum(line.length for line in lines) > 0.95 * total
    for building in draft.plan.buildings:
        for door in building.entrances:
            assert min(line.distance(shapely.Point(door.xy)) for line in lines) < 1.0, door.id


def test_passage_is_walked_through(built: Built) -> None:
    through = shapely.LineString([(20.0, 78.0), (20.0, 98.0)])
    walked = shapely.union_all([shapely.LineString(e.line[:, :2]) for e in built[0].edges])
    assert shapely.intersection(walked, through).length == pytest.approx(20.0)


def test_a_walker_follows_every_line_both_ways(built: Built) -> None:
    pytest.importorskip("pybullet")
    from citysim.physics.bullet import BulletSpace
    from citysim.physics.walker import Walker

    walker = Walker(BulletSpace(city_of(built[0])))
    for edge in built[0].edges:
        for line in (edge.line, edge.line[::-1]):
            _follow(walker, line, edge)


def _follow(walker: object, line: np.ndarray, edge: NetworkEdge) -> None:
    walker.place(*line[0])  # type: ignore[attr-defined]
    for target in line[1:]:
        for _ in range(400):
            state = walker.state  # type: ignore[attr-defined]
            east, north = target[0] - state.east, target[1] - state.north
            left = math.hypot(east, north)
            if left < 0.03:
                break
            speed = min(1.4, left * 60)
            walker.step(east / left * speed, north / left * speed)  # type: ignore[attr-defined]
        else:
            pytest.fail(f"stuck at {walker.state} before {target} on {edge.attributes}")  # type: ignore[attr-defined]
        assert abs(walker.state.up - target[2]) < 0.25, edge.attributes  # type: ignore[attr-defined]
