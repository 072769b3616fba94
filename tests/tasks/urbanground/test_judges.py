"""The judges of UrbanGround on walks computed by hand."""

import math

import pytest

from citysim.tasks.base import Facts
from citysim.tasks.globe import EARTH_RADIUS_M, haversine_m, path_m, spanning_tree_m
from citysim.tasks.parts import Question, Zone
from citysim.tasks.urbanground.answering import Answering
from citysim.tasks.urbanground.arrival import Arrival
from citysim.tasks.urbanground.searching import Searching
from citysim.tasks.urbanground.visiting import Schedule, Tour
from tests.tasks.urbanground.played import HERE, METRE, goal_at, place, stop, walked


def test_great_circles() -> None:
    assert haversine_m((0.0, 0.0), (90.0, 0.0)) == pytest.approx(EARTH_RADIUS_M * math.pi / 2, rel=1e-12)
    assert haversine_m((10.0, 89.0), (190.0, 89.0)) == pytest.approx(EARTH_RADIUS_M * math.radians(2.0), rel=1e-9)
    assert path_m([(0.0, 0.0), (3 * METRE, 0.0), (3 * METRE, 4 * METRE)]) == pytest.approx(7.0, rel=1e-9)
    square = [(0.0, 0.0), (METRE, METRE), (METRE, 0.0), (0.0, METRE)]
    assert spanning_tree_m(square) == pytest.approx(3.0, rel=1e-9)
    assert spanning_tree_m(square[:1]) == 0.0


@pytest.mark.parametrize(("north", "arrived"), [(114.999, True), (115.001, False), (85.001, True), (84.999, False)])
def test_arrival_is_within_15_m(north: float, arrived: bool) -> None:
    verdict = Arrival().judge(walked([(0.0, north)]), goal_at(0.0, 100.0))
    assert (verdict.done, verdict.success, verdict.reason) == (arrived, arrived, "arrived" if arrived else "")
    assert verdict.distance_m == pytest.approx(abs(north - 100.0), abs=1e-6)


def test_nothing_is_judged_before_the_first_action() -> None:
    assert not Arrival().judge(walked([]), goal_at(0.0, 10.0)).done


def test_terminate_succeeds_only_inside() -> None:
    inside = Arrival().judge(walked([(0.0, 90.0)], terminated=True), goal_at(0.0, 100.0))
    outside = Arrival().judge(walked([(0.0, 80.0)], terminated=True), goal_at(0.0, 100.0))
    assert (inside.done, inside.success, inside.reason) == (True, True, "terminated")
    assert (outside.done, outside.success, outside.reason) == (True, False, "terminated")


def zone(at_s: float = 0.0) -> Zone:
    ends = ((-5.0, 50.0), (5.0, 50.0))
    return Zone("the gate", tuple((e, n, 0.0) for e, n in ends), tuple(place(e, n) for e, n in ends), "shut", at_s)


def test_a_crossed_closure_overrides_arrival() -> None:
    goal = goal_at(0.0, 100.0, zones=(zone(),))
    verdict = Arrival().judge(walked([(0.0, 95.0)], crossed=["the gate"], disclosed=["the gate"]), goal)
    assert (verdict.done, verdict.success, verdict.reason) == (True, False, "closure_crossed")
    assert verdict.metrics == {"closure_disclosed": 1.0, "closure_respected": 0.0, "safe_progress": 0.0}


def test_safe_progress_needs_to_come_nearer() -> None:
    goal = goal_at(0.0, 100.0, zones=(zone(),))
    nearer = Arrival().judge(walked([(20.0, 20.0)], disclosed=["the gate"]), goal)
    further = Arrival().judge(walked([(0.0, -1.0)], disclosed=["the gate"]), goal)
    assert nearer.metrics["safe_progress"] == 1.0
    assert further.metrics == {"closure_disclosed": 1.0, "closure_respected": 1.0, "safe_progress": 0.0}


def test_any_target_counts_where_several_do() -> None:
    goal = goal_at(0.0, 100.0, targets=(stop("a", 0.0, 100.0), stop("b", 60.0, 0.0)))
    assert Arrival().judge(walked([(50.0, 0.0)]), goal).success
    searched = Searching().judge(walked([(50.0, 0.0)]), goal)
    assert (searched.done, searched.success) == (False, True)
    assert searched.distance_m == pytest.approx(10.0, abs=1e-6)
    assert Searching().judge(walked([(50.0, 0.0)], terminated=True), goal).done
    assert not Searching().judge(walked([(50.0, 50.0)], terminated=True), goal).success


@pytest.mark.parametrize(
    ("answer", "done", "right"), [("", False, False), ("C", True, True), ("A", True, False), (None, True, False)]
)
def test_answers(answer: str | None, done: bool, right: bool) -> None:
    question = Question("Which?", ("red", "blue", "green", "black"), 2)
    verdict = Answering().judge(Facts(HERE, answer=answer), goal_at(0.0, 0.0, question=question))
    assert (verdict.done, verdict.success) == (done, right)
    assert verdict.metrics["answer_valid"] == float(answer not in (None, ""))


NINE = 9 * 3600.0


def schedule_goal() -> object:
    return goal_at(
        0.0, 300.0,
        stops=(stop("a", 0.0, 100.0, NINE + 60.0), stop("b", 0.0, 200.0, NINE + 100.0), stop("c", 0.0, 300.0)),
    )  # fmt: skip


def test_a_schedule_in_order_and_late_by_a_hand_computed_time() -> None:
    # 50 s an action: a after 50 s (in time), b after 200 s: 100 s late, which the minute of grace does not cover
    facts = walked([(0.0, 100.0), (20.0, 150.0), (20.0, 140.0), (0.0, 200.0), (0.0, 295.0)], seconds=50.0, clock_s=NINE)
    verdict = Schedule().judge(facts, schedule_goal())  # type: ignore[arg-type]
    assert (verdict.done, verdict.success, verdict.reason) == (True, True, "completed")
    assert verdict.metrics == {
        "stops_reached": 3.0, "stop_ratio": 1.0, "order_violations": 0.0, "timed_stops": 2.0, "on_time_stops": 1.0,
        "late_stops": 1.0, "total_lateness_s": 100.0, "max_lateness_s": 100.0, "all_on_time": 0.0, "on_time_ratio": 0.5,
    }  # fmt: skip


def test_a_minute_late_is_on_time() -> None:
    facts = walked([(0.0, 100.0), (0.0, 200.0)], seconds=80.0, clock_s=NINE)  # a 20 s and b 60 s after their times
    metrics = Schedule().judge(facts, schedule_goal()).metrics  # type: ignore[arg-type]
    assert (metrics["on_time_stops"], metrics["total_lateness_s"], metrics["stop_ratio"]) == (2.0, 0.0, 2 / 3)


def test_entering_a_later_stop_first_breaks_the_order() -> None:
    facts = walked([(0.0, 200.0), (0.0, 100.0), (0.0, 200.0), (0.0, 300.0)], clock_s=NINE)
    verdict = Schedule().judge(facts, schedule_goal())  # type: ignore[arg-type]
    assert (verdict.done, verdict.success, verdict.metrics["order_violations"]) == (True, False, 1.0)


def test_a_tour_in_any_order_and_its_efficiency() -> None:
    goal = goal_at(0.0, 0.0, stops=(stop("a", 0.0, 100.0), stop("b", 100.0, 100.0), stop("c", 100.0, 0.0)))
    # the tree that joins start, c and b is 200 m long; the way to them was 300 m
    facts = walked([(100.0, 0.0), (150.0, 50.0), (100.0, 100.0)])
    verdict = Tour().judge(facts, goal)
    way = 100.0 + 2 * math.hypot(50.0, 50.0)
    assert not verdict.done
    assert verdict.metrics["stop_ratio"] == pytest.approx(2 / 3)
    assert verdict.metrics["route_efficiency"] == pytest.approx(200.0 / way, rel=1e-6)
    done = Tour().judge(walked([(100.0, 0.0), (100.0, 100.0), (0.0, 100.0)]), goal)
    assert (done.done, done.success) == (True, True)
    assert done.metrics["route_efficiency"] == pytest.approx(1.0)
