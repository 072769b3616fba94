"""Camera: an eye with a lens, and the geometry between places in the city and pixels."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from citysim.errors import InputError
from citysim.pose import Pose

MAX_SIZE = 8192
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Camera:
    """An eye point with a view direction and a lens.

    The lens is perspective; orthographic when `ortho_height_m` is given (the picture's vertical extent); and an
    equirectangular panorama of the whole sphere when `panorama` is set (twice as wide as high, the view direction in
    its middle). `pose.up` is the eye's height itself. `size` is (width, height) in pixels; `fov_deg` is vertical; roll
    is zero. A pitch of -90 deg looks straight down with `pose.yaw` pointing up in the picture.

    Pixel coordinates are x right, y down, whole numbers at pixel corners: the first pixel's centre is (0.5, 0.5).
    Depth is metres along the view axis; in a panorama, which has no axis, metres from the eye.
    """

    pose: Pose
    size: tuple[int, int] = (640, 480)
    fov_deg: float = 60.0
    near_m: float = 0.05
    far_m: float = 4000.0
    ortho_height_m: float | None = None  # vertical extent of an orthographic view
    panorama: bool = False

    def __post_init__(self) -> None:
        width, height = self.size
        if not all(isinstance(side, int | np.integer) and 1 <= side <= MAX_SIZE for side in self.size):
            raise InputError(f"a picture size from 1x1 to {MAX_SIZE}x{MAX_SIZE}", f"{width}x{height}", "--size 640x480")
        values = (self.pose.east, self.pose.north, self.pose.up, self.pose.yaw, self.pose.pitch)
        if not all(map(math.isfinite, values)):
            raise InputError("a finite camera pose", f"{values}", "numbers without NaN or infinity")
        if not 0.0 < self.near_m < self.far_m < math.inf:
            raise InputError(
                "near and far planes with 0 m < near < far", f"near {self.near_m}, far {self.far_m}",
                "near_m=0.05, far_m=4000",
            )  # fmt: skip
        if self.panorama:
            if width != 2 * height:
                raise InputError("a panorama twice as wide as high", f"{width}x{height}", "--size 1024x512")
            if self.ortho_height_m is not None:
                raise InputError("one lens", "a panorama that is orthographic", "panorama without ortho_height_m")
        elif self.ortho_height_m is not None:
            if not (math.isfinite(self.ortho_height_m) and self.ortho_height_m > 0.0):
                raise InputError("an orthographic extent above 0 m", f"{self.ortho_height_m}", "ortho_height_m=400")
        elif not 1.0 <= self.fov_deg <= 170.0:
            raise InputError("a vertical field of view from 1 to 170 degrees", f"{self.fov_deg}", "--fov-deg 60")

    @property
    def rotation(self) -> Array:
        """(3, 3) float64 rows right, down, forward in local axes: camera coordinates = rotation @ (p - eye)."""
        return np.array(self.axes, dtype=np.float64).reshape(3, 3)

    @property
    def axes(self) -> tuple[float, ...]:
        """The nine numbers of `rotation`, row by row."""
        sy, cy = math.sin(self.pose.yaw), math.cos(self.pose.yaw)
        sp, cp = math.sin(self.pose.pitch), math.cos(self.pose.pitch)
        return sy, -cy, 0.0, cy * sp, sy * sp, -cp, cy * cp, sy * cp, sp

    @property
    def focal_px(self) -> float:
        """Pixels a unit of what `intrinsics` applies to: focal length, pixels a metre, or pixels a radian."""
        if self.panorama:
            return self.size[1] / math.pi
        if self.ortho_height_m is not None:
            return self.size[1] / self.ortho_height_m
        return 0.5 * self.size[1] / math.tan(math.radians(self.fov_deg) / 2.0)

    @property
    def intrinsics(self) -> Array:
        """(3, 3) float64 matrix K, whose product with a column is the pixel (x, y, 1).

        The column is, of camera coordinates (right, down, forward): (right / forward, down / forward, 1) in
        perspective, (right, down, 1) in orthographic views, and in panoramas (a, b, 1) with the angles in radians a
        to the right of the view direction and b below its horizon.
        """
        focal = self.focal_px
        return np.array([[focal, 0.0, 0.5 * self.size[0]], [0.0, focal, 0.5 * self.size[1]], [0.0, 0.0, 1.0]])

    @property
    def extrinsics(self) -> Array:
        """(4, 4) float64: homogeneous local metres to camera coordinates (right, down, forward)."""
        matrix = np.eye(4)
        matrix[:3, :3] = self.rotation
        matrix[:3, 3] = -self.rotation @ self.pose.position
        return matrix

    @property
    def camera_to_world(self) -> Array:
        """(4, 4) float64: the inverse of `extrinsics`."""
        matrix = np.eye(4)
        matrix[:3, :3] = self.rotation.T
        matrix[:3, 3] = self.pose.position
        return matrix

    def project(self, points: ArrayLike) -> Array:
        """(N, 3) local metres, or one point (3,), -> the same shape: pixel x, pixel y, depth.

        In perspective a point beside the eye (depth 0) gives infinite or NaN pixels and one behind it a negative
        depth; whether a pixel lies inside the picture is the caller's question.
        """
        local = (np.asarray(points, dtype=np.float64) - self.pose.position) @ self.rotation.T
        right, down, depth = local[..., 0], local[..., 1], local[..., 2]
        if self.panorama:
            flat = np.hypot(right, depth)
            right, down, depth = np.arctan2(right, depth), np.arctan2(down, flat), np.hypot(flat, down)
        elif self.ortho_height_m is None:
            with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
                right, down = right / depth, down / depth
        focal = self.focal_px
        return np.stack([right * focal + 0.5 * self.size[0], down * focal + 0.5 * self.size[1], depth], axis=-1)

    def rays(self, pixels: ArrayLike) -> tuple[Array, Array]:
        """Origins and directions, each (N, 3) or (3,), of pixels (N, 2) or (2,), in local metres.

        What a pixel shows at depth d lies at origin + d * direction.
        """
        at = (np.asarray(pixels, dtype=np.float64) - (0.5 * self.size[0], 0.5 * self.size[1])) / self.focal_px
        x, y, one = at[..., 0], at[..., 1], np.ones(at.shape[:-1])
        eye = np.broadcast_to(self.pose.position, (*at.shape[:-1], 3))
        if self.ortho_height_m is not None:
            sideways = np.stack([x, y, 0.0 * one], axis=-1) @ self.rotation
            return eye + sideways, np.broadcast_to(self.rotation[2], eye.shape)
        if self.panorama:
            flat = np.cos(y)
            local = np.stack([np.sin(x) * flat, np.sin(y), np.cos(x) * flat], axis=-1)
        else:
            local = np.stack([x, y, one], axis=-1)
        return eye, local @ self.rotation

    def unproject(self, pixels: ArrayLike, depth: ArrayLike) -> Array:
        """(N, 2) pixels and (N,) depths -> (N, 3) local metres; the inverse of `project`. One pixel works as well."""
        origins, directions = self.rays(pixels)
        return origins + directions * np.asarray(depth, dtype=np.float64)[..., None]
