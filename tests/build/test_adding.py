"""Sums are rounded at every step, under every Python."""

from citysim.build.adding import plain_sum


def test_sums_are_rounded_at_every_step() -> None:
    assert plain_sum([0.1] * 10) == 0.9999999999999999  # sum() gives 1.0 from Python 3.12 on
    assert plain_sum(x for x in (1, 2.5)) == 3.5
    assert plain_sum([]) == 0.0
