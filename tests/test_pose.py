import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citysim.pose import Pose, heading_from_yaw, wrap_angle, yaw_from_heading


@pytest.mark.parametrize(
    ("heading", "east", "north"), [(0, 0, 1), (90, 1, 0), (180, 0, -1), (270, -1, 0), (45, 0.5**0.5, 0.5**0.5)]
)
def test_headings_run_clockwise_from_north(heading: float, east: float, north: float) -> None:
    forward = Pose.from_heading(0, 0, 0, heading).forward
    np.testing.assert_allclose(forward, (east, north, 0), atol=1e-12)


def test_pitch_is_positive_upwards() -> None:
    np.testing.assert_allclose(Pose.from_heading(0, 0, 0, 90, 30).forward, (math.cos(math.pi / 6), 0, 0.5), atol=1e-12)


@given(st.floats(-1e4, 1e4))
def test_heading_and_yaw_are_inverse(heading: float) -> None:
    back = heading_from_yaw(yaw_from_heading(heading))
    assert 0 <= back < 360
    assert abs((back - heading + 180) % 360 - 180) < 1e-6


@given(st.floats(-1e4, 1e4))
def test_wrapped_angles_stay_in_range(angle: float) -> None:
    assert -math.pi <= wrap_angle(angle) < math.pi
