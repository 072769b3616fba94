"""Episodes: records, stops, observations, and judging from records alone."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from citysim.errors import InputError, SimulationFault
from citysim.pose import Pose
from citysim.render.base import Frame, View
from citysim.tasks.base import Facts, Goal
from citysim.tasks.episode import Episode, Limits
from citysim.tasks.facts import episode_metrics, facts_of
from citysim.tasks.point_goal import PointGoal
from citysim.tasks.record import StepRecord
from citysim.world import World
from tests.towns import PITCH, STREET, grid_town

MIDDLE = STREET / 2
START = Pose.from_heading(MIDDLE, MIDDLE, 0.0, 90.0)
FAR = Goal(START, (MIDDLE + 100.0, MIDDLE, 0.0), "Walk east.", shortest_path_m=85.0)
AHEAD = {"action": "sprint", "dir": "forward", "seconds": 2.0}


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    made = World(grid_town())
    yield made
    made.close()


class StillRenderer:
    """A renderer that paints everything in one colour and remembers what it was asked."""

    name = "still"

    def __init__(self) -> None:
        self.views: list[View] = []

    def render(self, view: View) -> Frame:
        self.views.append(view)
        return Frame(np.full((view.camera.size[1], view.camera.size[0], 3), 7, dtype=np.uint8))

    def close(self) -> None:
        pass


def test_arrival_ends_the_episode(world: World) -> None:
    episode = Episode(world, None, PointGoal(), FAR)
    while not episode.done:
        episode.act(AHEAD)
    assert (episode.stop_reason, episode.verdict.success) == ("arrived", True)
    assert len(episode.records) == 10, "85 m at 9 m an action"
    assert episode.facts.path_length_m == pytest.approx(90.0, abs=0.1)
    with pytest.raises(InputError, match="one that ended: arrived"):
        episode.act(AHEAD)


def test_terminate_far_away_fails(world: World) -> None:
    episode = Episode(world, None, PointGoal(), FAR)
    record = episode.act({"terminate": {}})
    assert (record.terminated, record.duration_s) == (True, 0.0)
    assert (episode.stop_reason, episode.verdict.success) == ("terminated", False)


def test_the_budget_ends_it(world: World) -> None:
    episode = Episode(world, None, PointGoal(), FAR, limits=Limits(actions=3))
    for _ in range(3):
        assert not episode.done
        episode.act({"look": {"yaw": 10}})
    assert episode.stop_reason == "budget"
    assert not episode.verdict.success


def test_a_refused_action_costs_a_step_and_no_time(world: World) -> None:
    episode = Episode(world, None, PointGoal(), FAR)
    record = episode.act({"action": "teleport", "lat": 3})
    assert "an action among" in record.invalid
    assert (record.index, record.duration_s, record.path_m) == (1, 0.0, 0.0)
    assert record.before == record.after
    assert record.action == {"action": "teleport", "lat": 3}
    assert "refused" in episode.observe().notices[0]
    assert episode.observe().steps_left == 99
    huge = episode.act({"action": "x" * 10_000})
    assert len(str(huge.action)) < 600
    odd = episode.act({"action": object()})
    assert "refused" in odd.action
    assert episode_metrics(episode.start, FAR, episode.verdict, episode.records)["metrics"]["invalid_actions"] == 3.0


def test_looks_turn_right_and_up_and_take_half_a_second(world: World) -> None:
    episode = Episode(world, None, PointGoal(), FAR)
    record = episode.act({"look": {"yaw": 45, "pitch": 20}})
    assert record.after.heading_deg == pytest.approx(135.0)
    assert math.degrees(record.after.pitch) == pytest.approx(20.0)
    assert record.duration_s == 0.5
    assert episode.observe().heading_deg == 135.0


def test_walking_turning_and_strafing(world: World) -> None:
    episode = Episode(world, None, PointGoal(), FAR)
    walk = episode.act({"move": {"dir": "forward", "seconds": 2}})
    assert walk.path_m == pytest.approx(3.0, abs=0.01)
    turn = episode.act({"move": {"dir": "forward", "seconds": 1, "yaw_rate": 90}})
    assert turn.after.heading_deg == pytest.approx(180.0, abs=0.01)
    assert turn.path_m == pytest.approx(1.5, abs=0.01)
    left = episode.act({"move": {"dir": "left", "seconds": 1}})
    assert left.after.east - left.before.east == pytest.approx(1.5, abs=0.01), "left of south is east"


def test_bumping_into_a_house_is_counted_and_told(world: World) -> None:
    episode = Episode(world, None, PointGoal(), FAR)
    record = episode.act({"sprint": {"dir": "left", "seconds": 2}}), episode.act({"sprint": {"dir": "forward"}})
    assert record[0].building_collisions == 0, "north along the street"
    for _ in range(2):
        hit = episode.act({"sprint": {"dir": "forward", "seconds": 2}})
    assert episode.facts.building_collisions >= 1
    assert hit.after.east < STREET, "nobody walks through a wall"
    assert not hit.on_network


def test_observations_hold_nothing_privileged(world: World) -> None:
    renderer = StillRenderer()
    episode = Episode(world, renderer, PointGoal(), FAR, limits=Limits(image_size=(64, 48)))
    seen = episode.observe()
    assert seen.rgb is not None
    assert seen.rgb.shape == (48, 64, 3)
    assert renderer.views[0].camera.pose.up == pytest.approx(1.6, abs=0.01), "from eye height"
    told = {name: getattr(seen, name) for name in seen.__slots__}
    assert set(told) == {
        "rgb", "instruction", "heading_deg", "pitch_deg", "time", "weather", "step", "steps_left", "mode", "notices",
        "options", "status",
    }  # fmt: skip
    assert Episode(world, None, PointGoal(), FAR).observe().rgb is None


def test_records_survive_their_json_form_and_judge_the_same(world: World) -> None:
    episode = Episode(world, None, PointGoal(), FAR)
    actions: tuple[Any, ...] = (
        {"move": {"dir": "left", "seconds": 0.7, "yaw_rate": -77.7}},
        {"fly": {}},
        {"jump": {}},
        AHEAD,
    )
    for action in actions:
        episode.act(action)
    again = [StepRecord.from_json(record.to_json()) for record in episode.records]
    assert [r.to_json() for r in again] == [r.to_json() for r in episode.records]
    assert PointGoal().judge(facts_of(episode.start, again), FAR) == episode.verdict
    with pytest.raises(InputError, match="a step record"):
        StepRecord.from_json({"step": 1})


def test_the_same_actions_give_the_same_bytes(world: World) -> None:
    runs = []
    for _ in range(2):
        episode = Episode(world, None, PointGoal(), FAR)
        for k in range(12):
            episode.act({"sprint": {"dir": "forward", "seconds": 1.3, "yaw_rate": 40.0 * (-1) ** k}})
        runs.append([record.to_json() for record in episode.records])
    assert runs[0] == runs[1]


def test_a_start_without_ground_is_our_fault(world: World) -> None:
    inside = Pose.from_heading(STREET + PITCH / 2, STREET + PITCH / 2, 3.0, 0.0)
    with pytest.raises(SimulationFault, match="making the suite anew"):
        Episode(world, None, PointGoal(), Goal(Pose(inside.east, inside.north, 5.5), FAR.position))


@pytest.mark.parametrize(
    ("pose", "arrived"),
    [
        (Pose(0.0, 0.0, 0.0), True),
        (Pose(15.0, 0.0, 0.0), True),
        (Pose(15.01, 0.0, 0.0), False),
        (Pose(0.0, 0.0, 3.9), True),
        (Pose(0.0, 0.0, 4.1), False),  # under or over a bridge is not there
        (Pose(0.0, 0.0, -4.1), False),
    ],
)
def test_the_rule_of_arrival(pose: Pose, arrived: bool) -> None:
    verdict = PointGoal().judge(Facts(pose), Goal(Pose(99.0, 0.0, 0.0), (0.0, 0.0, 0.0)))
    assert (verdict.success, verdict.done, verdict.reason) == (arrived, arrived, "arrived" if arrived else "")
    assert verdict.distance_m == pytest.approx(math.hypot(pose.east, pose.north))


def test_drawn_goals_are_within_their_lengths() -> None:
    task = PointGoal(80.0, 120.0)
    goal = task.choose(grid_town(), np.random.default_rng(5))
    assert 80.0 <= grid_town().network.route(goal.start.position, goal.position).length_m <= 120.0
    assert goal == task.choose(grid_town(), np.random.default_rng(5))
    with pytest.raises(InputError, match="walks of 5000"):
        PointGoal(5000.0, 6000.0).choose(grid_town(), np.random.default_rng(5))
