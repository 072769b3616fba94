"""Network truth of embedded cities: every edge is walked in its directions, lifts and escalators carry the walker."""

import math
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from citysim.build.procedural import PRESETS
from citysim.city.lifts import DWELL_S, SPEED
from citysim.geo.network import NetworkEdge
from citysim.physics import make_walker
from citysim.pose import Pose
from citysim.world import STEP_S, Command, World
from tests.build.proofs.solid import ALL_CITIES, Solid

Solids = Callable[[str], Solid]
LIFT, ESCALATOR = 10, 8
PACE = 1.4
HEIGHT_M = 0.25  # between the line and the foot: half a riser, and a step's rounding


@pytest.mark.parametrize("name", ALL_CITIES)
def test_every_edge_is_walked_in_its_directions(name: str, solid_of: Solids) -> None:
    solid = solid_of(name)
    walker = make_walker(solid.space)
    stuck: list[tuple[object, ...]] = []
    count: Counter[int] = Counter()
    for edge in solid.city.network.edges:
        kind, way = edge.attributes["FeatureType"], edge.attributes["Direction"]
        if kind in (LIFT, ESCALATOR):
            continue
        for line, sense in ((edge.line, 1), (edge.line[::-1], -1)):
            if way in (0, sense):
                count[kind] += 1
                stop = _walked(walker, line)
                if stop is not None:
                    stuck.append((edge.id, kind, edge.name, sense, [round(v, 2) for v in stop]))
    assert sum(count.values()) > 100
    assert not stuck, f"{len(stuck)} of {sum(count.values())} not walked: {stuck[:8]}"


@pytest.mark.parametrize("name", ALL_CITIES)
def test_lines_lie_on_the_ground(name: str, solid_of: Solids) -> None:
    solid = solid_of(name)
    off, count = [], 0
    for edge in solid.city.network.edges:
        if edge.attributes["FeatureType"] in (12, LIFT, ESCALATOR):  # their lines follow the nosings
            continue
        count += len(edge.line)
        starts = edge.line + np.array([0.0, 0.0, 0.5])
        hits = solid.space.cast_rays(starts, starts - np.array([0.0, 0.0, 2.0]))
        gap = np.abs(hits.distance - 0.5)
        if not gap.max() <= 0.05:
            worst = int(gap.argmax())
            off.append((edge.id, edge.name, edge.line[worst].round(2).tolist(), round(float(gap[worst]), 3)))
    assert not off, f"{len(off)} of {count} points over 5 cm off the ground: {off[:8]}"


@pytest.mark.parametrize("physics", ["native", "bullet"])
@pytest.mark.parametrize("name", ALL_CITIES)
def test_lifts_and_escalators_carry_the_walker(name: str, physics: str, solid_of: Solids) -> None:
    if physics == "bullet":
        pytest.importorskip("pybullet")
    city = solid_of(name).city
    moving = [e for e in city.network.edges if e.attributes["FeatureType"] in (LIFT, ESCALATOR)]
    if name == "harbour":
        kinds = {e.attributes["FeatureType"] for e in moving}
        east0, _, east1, _ = city.bounds
        # its lifts serve a walkway between two bridges over the shore street; smaller districts have no room for it
        assert kinds == {LIFT, ESCALATOR} if east1 - east0 >= PRESETS[name].size else kinds <= {LIFT, ESCALATOR}
    if not moving:
        pytest.skip("nothing moves in it")
    with_lift = World(city, physics=physics)
    for edge in moving:
        for line, sense in ((edge.line, 1), (edge.line[::-1], -1)):
            if edge.attributes["Direction"] in (0, sense):
                _carried(with_lift, edge, line)
    with_lift.close()


def _walked(walker: object, line: np.ndarray) -> tuple[float, ...] | None:
    """Where a walker leaves a line or stops on it, None where it follows it to its end."""
    walker.place(*line[0])  # type: ignore[attr-defined]
    for target in line[1:]:
        for _ in range(8):
            state = walker.state  # type: ignore[attr-defined]
            east, north = float(target[0]) - state.east, float(target[1]) - state.north
            left = math.hypot(east, north)
            if left < 0.03:
                break
            steps = max(int(left / PACE / STEP_S), 1)
            speed = left / (steps * STEP_S)
            walker.walk(np.tile((east / left * speed, north / left * speed), (steps, 1)))  # type: ignore[attr-defined]
        state = walker.state  # type: ignore[attr-defined]
        if math.hypot(target[0] - state.east, target[1] - state.north) > 0.03 or abs(state.up - target[2]) > HEIGHT_M:
            return (state.east, state.north, state.up, *map(float, target))
    return None


def _carried(world: World, edge: NetworkEdge, line: np.ndarray) -> None:
    """Step onto the start of a line, stand, and be at its end."""
    first, last = line[0], line[-1]
    ahead = last - first
    flat = math.hypot(ahead[0], ahead[1])
    yaw = math.atan2(ahead[1], ahead[0]) if flat > 0.1 else 0.0
    if flat > 0.1:  # onto the first metre of an escalator
        first = first + np.array([*(ahead[:2] / flat * 0.4), 0.0])
    world.reset(Pose(float(first[0]), float(first[1]), float(first[2]) + 0.02, yaw, 0.0))
    seconds = flat / 0.4 + 5.0 if flat > 0.1 else 2.0 * (2.0 * DWELL_S + 2.0 * abs(ahead[2]) / SPEED)
    for _ in range(math.ceil(seconds / 0.5)):
        world.advance(Command(), 30)
        at = world.pose.position
        if flat > 0.1 and float((at - line[0])[:2] @ ahead[:2]) / flat > flat - 0.5:
            break
        if flat <= 0.1 and abs(at[2] - last[2]) < 0.02:
            break
    assert abs(world.pose.position[2] - last[2]) < HEIGHT_M, (edge.id, edge.name, world.pose.position, line)
    assert math.hypot(*(world.pose.position - last)[:2]) < 0.8, (edge.id, edge.name)
