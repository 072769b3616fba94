"""The one protocol behind both renderers: a View goes in, a Frame comes out."""

import math
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from citysim.conditions import Conditions
from citysim.errors import InputError
from citysim.pose import Pose

MAX_SIZE = 8192


@dataclass(frozen=True, slots=True)
class Camera:
    """An eye point with a view direction; perspective unless `ortho_height_m` is given.

    `pose.up` is the eye's height itself. `size` is (width, height) in pixels; `fov_deg` is vertical; roll is zero.
    A pitch of -90 deg looks straight down with `pose.yaw` pointing up in the picture.
    """

    pose: Pose
    size: tuple[int, int] = (640, 480)
    fov_deg: float = 60.0
    near_m: float = 0.05
    far_m: float = 4000.0
    ortho_height_m: float | None = None  # vertical extent of an orthographic view

    def __post_init__(self) -> None:
        width, height = self.size
        if not (1 <= width <= MAX_SIZE and 1 <= height <= MAX_SIZE):
            raise InputError(f"a picture size from 1x1 to {MAX_SIZE}x{MAX_SIZE}", f"{width}x{height}", "--size 640x480")
        values = (self.pose.east, self.pose.north, self.pose.up, self.pose.yaw, self.pose.pitch)
        if not all(map(math.isfinite, values)):
            raise InputError("a finite camera pose", f"{values}", "numbers without NaN or infinity")
        if self.ortho_height_m is None and not 1.0 <= self.fov_deg <= 170.0:
            raise InputError("a vertical field of view from 1 to 170 degrees", f"{self.fov_deg}", "--fov-deg 60")

    @property
    def rotation(self) -> NDArray[np.float64]:
        """(3, 3) float64 rows right, down, forward in local axes: camera coordinates = rotation @ (p - eye)."""
        sy, cy = math.sin(self.pose.yaw), math.cos(self.pose.yaw)
        sp, cp = math.sin(self.pose.pitch), math.cos(self.pose.pitch)
        right = (sy, -cy, 0.0)
        down = (cy * sp, sy * sp, -cp)
        forward = (cy * cp, sy * cp, sp)
        return np.array([right, down, forward], dtype=np.float64)

    @property
    def focal_px(self) -> float:
        """Focal length in pixels (perspective), or pixels a metre (orthographic)."""
        if self.ortho_height_m is not None:
            return self.size[1] / self.ortho_height_m
        return 0.5 * self.size[1] / math.tan(math.radians(self.fov_deg) / 2.0)

    def project(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """(N, 3) local metres -> (N, 3): pixel x right, pixel y down (pixel centres at .5), depth along the axis."""
        local = (np.asarray(points, dtype=np.float64) - self.pose.position) @ self.rotation.T
        depth = local[:, 2]
        scale = self.focal_px if self.ortho_height_m is not None else self.focal_px / depth
        x = local[:, 0] * scale + 0.5 * self.size[0]
        y = local[:, 1] * scale + 0.5 * self.size[1]
        return np.stack([x, y, depth], axis=1)


@dataclass(frozen=True, slots=True)
class View:
    """What to draw: a camera, the conditions, and which outputs are wanted."""

    camera: Camera
    conditions: Conditions = field(default_factory=Conditions)
    depth: bool = False
    labels: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """What a camera saw.

    rgb     (H, W, 3) uint8 sRGB
    depth   (H, W) float32 metres along the view axis, inf for sky; None unless asked for
    labels  (H, W) int32 object ids as in objects.jsonl, 0 for none; None unless asked for
    """

    rgb: NDArray[np.uint8]
    depth: NDArray[np.float32] | None = None
    labels: NDArray[np.int32] | None = None


class Renderer(Protocol):
    """Draws one city; arrays of a returned Frame are fresh and belong to the caller."""

    name: str

    def render(self, view: View) -> Frame:
        """Draw one view."""

    def close(self) -> None:
        """Free what the renderer holds; calling it twice is fine."""
