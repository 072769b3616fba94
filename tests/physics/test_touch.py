"""Counting touches."""

from citysim.physics.touch import IDLE_SUBSTEPS, Touch

WEST = (-1.0, 0.0)


def test_a_long_push_counts_once() -> None:
    touch = Touch()
    for _ in range(500):
        touch = touch.pushed(1.0, 0.0, WEST)
    assert touch.total == 1


def test_a_pause_ends_a_touch_after_a_quarter_second() -> None:
    for pause, total in ((IDLE_SUBSTEPS, 1), (IDLE_SUBSTEPS + 1, 2)):
        touch = Touch().pushed(1.0, 0.0, WEST)
        for _ in range(pause):
            touch = touch.released(1.0, 0.0)
        assert touch.pushed(1.0, 0.0, WEST).total == total


def test_six_centimetres_away_ends_a_touch() -> None:
    for back, total in ((0.05, 1), (0.07, 2)):
        touch = Touch().pushed(1.0, 0.0, WEST).released(1.0 - back, 0.0)
        assert touch.pushed(1.0, 0.0, WEST).total == total
    sideways = Touch().pushed(1.0, 0.0, WEST).released(1.0, 3.0)
    assert sideways.pushed(1.0, 3.0, WEST).total == 1


def test_nothing_happens_without_a_touch() -> None:
    assert Touch().released(3.0, 4.0) == Touch()
