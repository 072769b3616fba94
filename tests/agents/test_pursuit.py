"""Following a polyline: where on it one is, and which action gets on."""

import math

import numpy as np
import pytest

from citysim.agents.path import Path
from citysim.agents.pursuit import choose
from citysim.pose import Pose


def test_location_is_by_arc_length_and_level() -> None:
    # a ramp that winds over its own start, 6 m up
    path = Path(np.array([(0, 0, 0), (20, 0, 0), (20, 10, 3), (10, 10, 6), (10, -10, 6)], dtype=float))
    where, away = path.locate(np.array([10.0, 0.4, 0.0]), 8.0)
    assert (where, away) == pytest.approx((10.0, 0.4))
    where, away = path.locate(np.array([10.3, 0.0, 6.0]), 45.0)
    assert (where, away) == pytest.approx((50.0, 0.3))
    assert path.locate(np.array([10.0, 0.0, 0.0]), 30.0, before=40.0, after=40.0)[0] == pytest.approx(10.0)
    np.testing.assert_allclose(path.point_at(25.0), (20, 5, 1.5))
    np.testing.assert_allclose(path.point_at(-3.0), (0, 0, 0))
    np.testing.assert_allclose(path.point_at(999.0), (10, -10, 6))


def test_paths_lose_only_what_is_straight() -> None:
    angles = np.linspace(0, math.pi / 2, 60)
    arc = np.stack([30 * np.cos(angles), 30 * np.sin(angles), np.zeros(60)], axis=1)
    path = Path(arc)
    assert len(path.points) < 20
    assert path.length == pytest.approx(30 * math.pi / 2, rel=0.01)
    assert len(Path(np.array([(0, 0, 0), (1, 0, 0), (2, 0.05, 0), (50, 0, 0)], dtype=float)).points) == 2


def test_straight_ahead_is_a_full_sprint() -> None:
    path = Path(np.array([(0, 0, 0), (100, 0, 0)], dtype=float))
    found = choose(path, Pose(0.0, 0.0, 0.0, 0.0), 0.0, 0.45)
    assert found is not None
    assert (found.name, found.steps, found.yaw_rate_deg_s) == ("sprint", 120, 0.0)
    assert found.gain_m == pytest.approx(9.0, abs=0.01)


def test_facing_away_it_wants_to_turn_first() -> None:
    path = Path(np.array([(0, 0, 0), (100, 0, 0)], dtype=float))
    assert choose(path, Pose(1.0, 0.0, 0.0, math.pi), 1.0, 0.45) is None


@pytest.mark.parametrize("corner", [90.0, -90.0, 45.0, -120.0])
def test_corners_are_rounded_within_the_corridor(corner: float) -> None:
    angle = math.radians(corner)
    far = (12 + 40 * math.cos(angle), 40 * math.sin(angle), 0)
    path = Path(np.array([(0, 0, 0), (12, 0, 0), far], dtype=float))
    pose, where, strayed, actions = Pose(0.0, 0.0, 0.0, 0.0), 0.0, 0.0, 0
    while where < 40.0 and actions < 40:
        found = choose(path, pose, where, 0.45)
        actions += 1
        if found is None:  # turn on the spot towards what comes
            ahead = path.point_at(where + 1.5)
            pose = Pose(pose.east, pose.north, 0.0, math.atan2(ahead[1] - pose.north, ahead[0] - pose.east))
            continue
        speed, yaw, east, north = 4.5 if found.name == "sprint" else 1.5, pose.yaw, pose.east, pose.north
        for _ in range(found.steps):
            yaw -= math.radians(found.yaw_rate_deg_s) / 60
            east, north = east + speed / 60 * math.cos(yaw), north + speed / 60 * math.sin(yaw)
            strayed = max(strayed, path.locate(np.array([east, north, 0.0]), where)[1])
        pose = Pose(east, north, 0.0, yaw)
        where = path.locate(np.array([east, north, 0.0]), where)[0]
    assert where >= 40.0
    assert actions <= 14
    assert strayed < 0.6
