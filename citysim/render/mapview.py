"""MapView: where a map looks, as a small immutable state that can be panned, zoomed and turned."""

import math
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from citysim.city import City
from citysim.errors import InputError
from citysim.geo.frames import LocalFrame
from citysim.pose import Pose
from citysim.render.camera import Camera

CLOSEST_M_PX = 0.05
STEEPEST_DEG = 60.0
AROUND = 1.02  # how much of the city's extent the whole city's map shows

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class MapView:
    """A map's middle (local metres), scale (metres a pixel), bearing (what is up) and tilt (0 looks straight down).

    `bounds` are the city's (e0, n0, low, e1, n1, high); the middle stays inside them and the scale between
    CLOSEST_M_PX and the whole city. `ground_m` is the height that pixels without depth are taken to lie at.
    """

    east: float
    north: float
    metres_px: float
    size: tuple[int, int]
    bounds: tuple[float, float, float, float, float, float]
    frame: LocalFrame
    bearing_deg: float = 0.0
    tilt_deg: float = 0.0
    ground_m: float = 0.0

    @classmethod
    def of(
        cls,
        city: City,
        size: tuple[int, int] = (640, 480),
        *,
        center: tuple[float, float] | None = None,
        metres_px: float | None = None,
        bearing_deg: float = 0.0,
        tilt_deg: float = 0.0,
    ) -> "MapView":
        """A map of a city: of all of it, north up, unless told otherwise.

        Raises InputError for numbers that are none.
        """
        e0, n0, e1, n1 = city.bounds
        spheres = [tile for tile in city.tiles if math.isfinite(tile.radius)]
        low = min((float(tile.center[2] - tile.radius) for tile in spheres), default=0.0)
        high = max((float(tile.center[2] + tile.radius) for tile in spheres), default=100.0)
        heights = [edge.line[0, 2] for edge in city.network.edges]
        ground = float(np.median(heights)) if heights else min(max(0.0, low), high)
        middle = center if center is not None else ((e0 + e1) / 2, (n0 + n1) / 2)
        plain = cls(0.0, 0.0, 1.0, size, (e0, n0, low, e1, n1, high), city.frame, ground_m=ground)
        return plain._at(
            *middle, plain.farthest_m_px if metres_px is None else metres_px, bearing_deg, tilt_deg
        )  # fmt: skip

    @property
    def farthest_m_px(self) -> float:
        """The scale at which the whole city fits with north up."""
        e0, n0, _, e1, n1, _ = self.bounds
        width, height = self.size
        return max((n1 - n0) / height, (e1 - e0) / width, 1.0 / height, CLOSEST_M_PX) * AROUND

    def pan(self, east_m: float, north_m: float) -> Self:
        """The map moved by so many metres."""
        return self._at(self.east + east_m, self.north + north_m, self.metres_px, self.bearing_deg, self.tilt_deg)

    def zoom(self, factor: float) -> Self:
        """The map with its scale multiplied: below 1 closer. Raises InputError unless the factor is above 0."""
        if not factor > 0.0:
            raise InputError("a zoom factor above 0", f"{factor}", "0.5 to see things twice as large")
        return self._at(self.east, self.north, self.metres_px * factor, self.bearing_deg, self.tilt_deg)

    def orbit(self, yaw_deg: float, pitch_deg: float = 0.0) -> Self:
        """The map turned: what was `yaw_deg` to the right of up is up now; positive `pitch_deg` tilts it away."""
        bearing, tilt = self.bearing_deg + yaw_deg, self.tilt_deg + pitch_deg
        return self._at(self.east, self.north, self.metres_px, bearing, tilt)

    def resized(self, size: tuple[int, int], finer: int = 1) -> Self:
        """The same place in another picture size, with `finer` times as many pixels a metre."""
        return replace(self, size=size, metres_px=self.metres_px / finer)

    def anywhere(self, east: float, north: float, metres_px: float) -> Self:
        """A map of any place and scale, the city or not. Raises InputError for numbers that are none."""
        if not (all(map(math.isfinite, (east, north, metres_px))) and metres_px > 0.0):
            raise InputError("a map's place and scale as finite numbers", f"{east}, {north}, {metres_px}", "0, 0, 1")
        return replace(self, east=east, north=north, metres_px=metres_px)

    @property
    def camera(self) -> Camera:
        """The orthographic camera that draws this map, above everything that stands."""
        e0, n0, low, e1, n1, high = self.bounds
        away = math.hypot(e1 - e0, n1 - n0, high - low) + self.metres_px * sum(self.size) + 50.0
        pose = Pose.from_heading(self.east, self.north, self.ground_m, self.bearing_deg, self.tilt_deg - 90.0)
        eye = pose.position - away * pose.forward
        if self.tilt_deg == 0.0:  # the very numbers, without a cosine's last bit
            eye = np.array([self.east, self.north, self.ground_m + away])
        place = Pose(float(eye[0]), float(eye[1]), float(eye[2]), pose.yaw, pose.pitch)
        return Camera(
            place, self.size, near_m=1.0, far_m=2.0 * away + 1.0, ortho_height_m=self.metres_px * self.size[1]
        )  # fmt: skip

    def to_pixels(self, points: ArrayLike) -> Array:
        """(..., 2) or (..., 3) local metres -> (..., 2) pixels; points without height lie on the ground."""
        given = np.asarray(points, dtype=np.float64)
        if given.shape[-1] == 2:
            given = np.concatenate([given, np.full((*given.shape[:-1], 1), self.ground_m)], axis=-1)
        pixels: Array = self.camera.project(given)[..., :2]
        return pixels

    def to_local(self, pixels: ArrayLike, depth: ArrayLike | None = None) -> Array:
        """(..., 2) pixels -> (..., 3) local metres: what lies there by the frame's depth, else on the ground."""
        camera = self.camera
        if depth is not None:
            return camera.unproject(pixels, depth)
        origins, directions = camera.rays(pixels)
        along = (self.ground_m - origins[..., 2]) / directions[..., 2]
        return origins + along[..., None] * directions

    def to_lonlat(self, pixels: ArrayLike) -> Array:
        """(..., 2) pixels -> (..., 2) longitude and latitude in degrees of the ground there."""
        lonlat: Array = self.frame.to_geodetic(self.to_local(pixels))[..., :2]
        return lonlat

    def from_lonlat(self, lonlat: ArrayLike) -> Array:
        """(..., 2) longitude and latitude in degrees -> (..., 2) pixels."""
        given = np.asarray(lonlat, dtype=np.float64)
        height = np.full((*given.shape[:-1], 1), self.frame.height + self.ground_m)
        return self.to_pixels(self.frame.from_geodetic(np.concatenate([given, height], axis=-1))[..., :2])

    def _at(self, east: float, north: float, metres_px: float, bearing_deg: float, tilt_deg: float) -> Self:
        """These numbers, brought within their limits."""
        numbers = (east, north, metres_px, bearing_deg, tilt_deg)
        if not all(map(math.isfinite, numbers)) or metres_px <= 0.0:
            raise InputError("a map's place, scale and turn as finite numbers", f"{numbers}", "a place in the city")
        e0, n0, _, e1, n1, _ = self.bounds
        return replace(
            self,
            east=min(max(east, e0), e1),
            north=min(max(north, n0), n1),
            metres_px=min(max(metres_px, CLOSEST_M_PX), self.farthest_m_px),
            bearing_deg=bearing_deg % 360.0 % 360.0,
            tilt_deg=min(max(tilt_deg, 0.0), STEEPEST_DEG),
        )
