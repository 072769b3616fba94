"""Poses and the one axis convention.

Inside citysim: metres; x east, y north, z up, right-handed; **yaw** in radians, counter-clockwise from east;
**pitch** in radians, positive upwards. At the human edge: **heading** in degrees, clockwise from north.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


def yaw_from_heading(heading_deg: float) -> float:
    """Yaw in radians in [-pi, pi) of a heading in degrees clockwise from north."""
    return wrap_angle(math.radians(90.0 - heading_deg))


def heading_from_yaw(yaw: float) -> float:
    """Heading in degrees in [0, 360), clockwise from north, of a yaw in radians."""
    heading = (90.0 - math.degrees(yaw)) % 360.0
    return 0.0 if heading >= 360.0 else heading


def wrap_angle(angle: float) -> float:
    """The same angle in radians within [-pi, pi)."""
    return (angle + math.pi) % (2.0 * math.pi) - math.pi


@dataclass(frozen=True, slots=True)
class Pose:
    """A body's place and view direction: foot point in local metres, yaw and pitch in radians."""

    east: float
    north: float
    up: float
    yaw: float = 0.0
    pitch: float = 0.0

    @property
    def position(self) -> NDArray[np.float64]:
        """Foot point, (3,) float64, local east-north-up metres."""
        return np.array([self.east, self.north, self.up], dtype=np.float64)

    @property
    def heading_deg(self) -> float:
        """Heading in degrees clockwise from north, in [0, 360)."""
        return heading_from_yaw(self.yaw)

    @property
    def forward(self) -> NDArray[np.float64]:
        """Unit view direction, (3,) float64."""
        flat = math.cos(self.pitch)
        return np.array([flat * math.cos(self.yaw), flat * math.sin(self.yaw), math.sin(self.pitch)])

    @classmethod
    def from_heading(cls, east: float, north: float, up: float, heading_deg: float, pitch_deg: float = 0.0) -> "Pose":
        """Pose from a heading and pitch in degrees."""
        return cls(east, north, up, yaw_from_heading(heading_deg), math.radians(pitch_deg))
