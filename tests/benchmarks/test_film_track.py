"""The measure of films finds feet that slide and passes those that stay."""

import numpy as np

from citysim.benchmarks.film_track import Track, runs, stances
from citysim.gait import sizes, turns
from citysim.render.avatar import people_bodies
from citysim.render.base import Bodies

RATE, SPEED = 15, 1.3
ID, AGE = np.array([7]), np.array([35.0])


def walk(gone: float, *, turning: float = 0.0) -> list[Bodies]:
    """Four seconds of someone whose gait says 1.3 m/s and who gets on `gone` times as fast, turning (rad/s)."""
    speed, size = np.array([SPEED]), float(sizes(AGE, ID)[0])
    step, pictures, place = float(turns(speed)[0]) / size, [], np.zeros((1, 3))
    for k in range(4 * RATE):
        yaw = turning * k / RATE
        pictures.append(
            people_bodies(place.copy(), np.array([yaw]), speed, np.array([step * k / RATE]), ID, AGE, label_base=100)
        )
        place += gone * SPEED / RATE * np.array([[np.cos(yaw), np.sin(yaw), 0.0]])
    return pictures


def slides(pictures: list[Bodies]) -> list[float]:
    track = Track(RATE, (0.0, 0.0, 0.0))
    for bodies in pictures:
        track.add(bodies)
    people = track.people()
    assert list(people) == [107]
    return [slide for run in runs(people[107]) for slide in stances(run)]


def test_a_straight_walk_does_not_slide_and_a_faster_one_does() -> None:
    good, fast, round_about = slides(walk(1.0)), slides(walk(1.4)), slides(walk(1.0, turning=2.0))
    assert len(good) >= 5
    assert max(good) < 0.02
    assert np.median(fast) > 0.05
    assert np.median(round_about) > 0.05


def test_someone_who_is_elsewhere_is_two_runs() -> None:
    pictures = walk(1.0)
    for bodies in pictures[30:]:
        bodies.place[:, 0] += 20.0
    track = Track(RATE, (0.0, 0.0, 0.0))
    for bodies in pictures:
        track.add(bodies)
    assert [len(run) for run in runs(track.people()[107])] == [30, 30]
