"""Looking from above: satellite (orthographic picture) and map (drawn from labels, with names, scale and north)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from citysim.city import City
from citysim.conditions import Conditions
from citysim.errors import InputError, UnknownNameError
from citysim.pose import Pose
from citysim.render.base import MAX_SIZE, Camera, Frame, Renderer, View
from citysim.render.cartography import annotate
from citysim.render.inking import INKS, inked
from citysim.render.mapmarks import MapPoint
from citysim.render.mapview import STEEPEST_DEG, MapView
from citysim.render.smooth import block_means, render_smooth

__all__ = ["INKS", "draw_map", "overhead_camera", "overhead_view"]

STYLES = ("map", "satellite")
MAP_LIGHT = Conditions(43200.0, "overcast")  # a map looks the same at night, and casts no shadows


def overhead_camera(
    city: City, center: tuple[float, float], size: tuple[int, int], extent_m: float | None, heading_deg: float
) -> Camera:
    """A camera high above `center` (east, north); `extent_m` metres from top to bottom, the whole city without it.

    Raises InputError for an extent that is not between 1 m and 100 km.
    """
    return _view(city, center, size, extent_m, heading_deg).camera


def overhead_view(
    renderer: Renderer,
    city: City,
    center: tuple[float, float],
    conditions: Conditions,
    *,
    size: tuple[int, int] = (640, 480),
    extent_m: float | None = None,
    heading_deg: float = 0.0,
    tilt_deg: float = 0.0,
    style: str = "map",
    marker: Pose | None = None,
    points: Sequence[MapPoint] = (),
    closures: Sequence[ArrayLike] = (),
    samples: int = 1,
) -> Frame:
    """The city from above, `heading_deg` up; never a route. The map shows an agent's `marker`, pins and closures.

    `tilt_deg` (0 to 60) tilts a map away; a satellite picture is always straight, each pixel the mean of `samples`.

    Raises UnknownNameError for another style, InputError for numbers out of range.
    """
    if style not in STYLES:
        raise UnknownNameError.of("overhead style", style, STYLES)
    view = _view(city, center, size, extent_m, heading_deg, tilt_deg if style == "map" else 0.0)
    if style == "satellite":
        return render_smooth(renderer, View(view.camera, conditions, depth=True, labels=True), samples)
    return draw_map(renderer, city, view, marker=marker, points=points, closures=closures)


def draw_map(
    renderer: Renderer,
    city: City,
    view: MapView,
    *,
    marker: Pose | None = None,
    points: Sequence[MapPoint] = (),
    closures: Sequence[ArrayLike] = (),
) -> Frame:
    """The map of a MapView with its names, an agent's `marker`, labelled pins and closed ways; never a route.

    `closures` are polylines, each (K, 2) or (K, 3) local metres. The frame's depth and labels say what each pixel
    shows (see `map_select`).
    """
    fine = 2 if 2 * max(view.size) <= MAX_SIZE else 1  # edges are smooth when each pixel is the mean of four
    camera = view.resized((view.size[0] * fine, view.size[1] * fine), fine).camera
    frame = renderer.render(View(camera, MAP_LIGHT, depth=True, labels=True, normals=view.tilt_deg > 0.0))
    rgb = inked(frame, city, fine) if city.objects else _pale(frame.rgb, fine)
    rgb = annotate(rgb, view.camera, city, marker, points=points, closures=closures, ground_m=view.ground_m)
    if frame.depth is None or frame.labels is None:
        raise TypeError("the renderer left out what was asked for")
    return Frame(
        rgb, np.ascontiguousarray(frame.depth[::fine, ::fine]), np.ascontiguousarray(frame.labels[::fine, ::fine])
    )  # fmt: skip


def _pale(rgb: NDArray[np.uint8], fine: int) -> NDArray[np.uint8]:
    """A scan without names: its own picture, paler, is the map."""
    return (block_means(rgb, fine).astype(np.uint16) * 2 // 3 + 85).astype(np.uint8)


def _view(
    city: City,
    center: tuple[float, float],
    size: tuple[int, int],
    extent_m: float | None,
    heading_deg: float,
    tilt_deg: float = 0.0,
) -> MapView:
    """The MapView of an extent, which may reach beyond the city here."""
    if extent_m is not None and not 1.0 <= extent_m <= 1e5:
        raise InputError("an extent between 1 m and 100000 m", f"{extent_m}", "--extent 400")
    if not 0.0 <= tilt_deg <= STEEPEST_DEG:
        raise InputError(f"a tilt from 0 to {STEEPEST_DEG:g} degrees", f"{tilt_deg}", "--tilt-deg 45")
    view = MapView.of(city, size, bearing_deg=heading_deg, tilt_deg=tilt_deg)
    scale = view.farthest_m_px if extent_m is None else extent_m / size[1]
    return view.anywhere(center[0], center[1], scale)
