"""Looking straight down: satellite (orthographic picture) and map (drawn from labels, with names, scale and north)."""

import numpy as np
from numpy.typing import NDArray

from citysim.city import City
from citysim.conditions import Conditions
from citysim.errors import InputError, UnknownNameError
from citysim.pose import Pose
from citysim.render.base import Camera, Frame, Renderer, View
from citysim.render.cartography import annotate

STYLES = ("map", "satellite")
PAPER = (242, 239, 233)  # what has no category of its own: pavements and courts

# Colours of a map by object category; anything else standing on the ground is left out (drawn as what is under it).
INKS: dict[str, tuple[int, int, int]] = {
    "building": (214, 203, 192), "carriageway": (255, 255, 255), "street": (255, 255, 255), "crossing": (228, 226, 240),
    "park": (200, 226, 178), "grass": (205, 232, 182), "garden": (205, 232, 182), "scrub": (190, 214, 168),
    "cemetery": (190, 214, 168), "playground": (214, 240, 205), "pitch": (176, 224, 200), "water": (170, 211, 223),
    "square": (237, 230, 219), "pedestrian": (237, 230, 219), "parking": (238, 238, 238), "sand": (245, 233, 198),
    "stairs": (250, 170, 150), "steps": (250, 170, 150), "footbridge": (250, 200, 170), "bridge": (245, 235, 215),
    "tree": (164, 204, 146), "hedge": (164, 204, 146),
    "rail": (200, 200, 205), "construction": (214, 208, 180), "platform": (226, 226, 230),
}  # fmt: skip


def overhead_camera(
    city: City, center: tuple[float, float], size: tuple[int, int], extent_m: float | None, heading_deg: float
) -> Camera:
    """A camera high above `center` (east, north); `extent_m` metres from top to bottom, the whole city without it.

    Raises InputError for an extent that is not between 1 m and 100 km.
    """
    e0, n0, e1, n1 = city.bounds
    if extent_m is None:
        extent_m = max(n1 - n0, (e1 - e0) * size[1] / size[0], 1.0) * 1.02
    if not 1.0 <= extent_m <= 1e5:
        raise InputError("an extent between 1 m and 100000 m", f"{extent_m}", "--extent 400")
    tops = [tile.center[2] + tile.radius for tile in city.tiles if np.isfinite(tile.radius)]
    lows = [tile.center[2] - tile.radius for tile in city.tiles if np.isfinite(tile.radius)]
    top, low = float(max(tops, default=100.0)), float(min(lows, default=0.0))
    pose = Pose.from_heading(center[0], center[1], top + 10.0, heading_deg, -90.0)
    return Camera(pose, size, near_m=1.0, far_m=top - low + 50.0, ortho_height_m=extent_m)


def overhead_view(
    renderer: Renderer,
    city: City,
    center: tuple[float, float],
    conditions: Conditions,
    *,
    size: tuple[int, int] = (640, 480),
    extent_m: float | None = None,
    heading_deg: float = 0.0,
    style: str = "map",
    marker: Pose | None = None,
) -> Frame:
    """The city from above, `heading_deg` up; never a route. The map shows an agent's `marker` where one is given."""
    if style not in STYLES:
        raise UnknownNameError.of("overhead style", style, STYLES)
    camera = overhead_camera(city, center, size, extent_m, heading_deg)
    frame = renderer.render(View(camera, conditions, depth=True, labels=True))
    if style == "satellite" or frame.labels is None or frame.depth is None:
        return frame
    if not city.objects:  # a scan without names: the picture itself, paler, is the map
        rgb = (frame.rgb.astype(np.uint16) * 2 // 3 + 85).astype(np.uint8)
    else:
        rgb = _inked(frame.labels, np.isfinite(frame.depth), city)
    return Frame(annotate(rgb, camera, city, marker), frame.depth, frame.labels)


def _inked(labels: NDArray[np.int32], there: NDArray[np.bool_], city: City) -> NDArray[np.uint8]:
    """(H, W, 3) uint8: map colours by the category of what is on top, with thin outlines around buildings."""
    palette = np.full((len(city.objects) + 1, 3), PAPER, dtype=np.uint8)
    solid = np.zeros(len(city.objects) + 1, dtype=np.bool_)
    by_id = {thing.id: thing for thing in city.objects}
    for thing in city.objects:
        above = thing
        while above.category not in INKS and above.parent in by_id and above.parent != above.id:
            above = by_id[above.parent]  # a sign or a door on a building is the building on a map
        palette[thing.id] = INKS.get(above.category, PAPER)
        solid[thing.id] = above.category == "building"
    picture = palette[labels]
    body = solid[labels]
    inside = body.copy()
    for axis in (0, 1):
        for step in (1, -1):
            inside &= np.roll(body, step, axis) & (np.roll(labels, step, axis) == labels)
    picture[body & ~inside] = (176, 163, 150)
    picture[~there] = (214, 218, 222)
    return picture
