"""What a map carries besides its ground, in the order of its importance: marks first, then names where room is left."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from citysim.city import City
from citysim.fonts.drawing import text_image
from citysim.pose import Pose
from citysim.render.camera import Camera
from citysim.render.maplabels import area_names, building_names, every_name, place_names, street_names
from citysim.render.mapmarks import (
    HALO,
    MapPoint,
    draw_agent,
    draw_closures,
    draw_credit,
    draw_north,
    draw_pin,
    draw_scale,
    with_height,
)
from citysim.render.placement import Corner, FreeRoom, oriented

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

STREET_INK, AREA_INK, BUILDING_INK = "#5b5750", "#2f6b2b", "#6b5a50"
PLACE_INK, LANDMARK_INK = "#7b3f1d", "#5b2a86"
LEAST_SIDE = 160  # smaller maps have no room for words


def annotate(
    rgb: NDArray[np.uint8],
    camera: Camera,
    city: City,
    marker: Pose | None = None,
    *,
    points: Sequence[MapPoint] = (),
    closures: Sequence[ArrayLike] = (),
    ground_m: float = 0.0,
) -> NDArray[np.uint8]:
    """A copy of an overhead picture with closures, pins, the agent, names, scale and north; never with a route."""
    from PIL import Image

    image = Image.fromarray(rgb)
    room = FreeRoom(image.width, image.height)
    small = min(camera.size) < LEAST_SIDE
    draw_closures(image, camera, closures, ground_m)
    if not small:
        draw_north(image, camera, room)
        draw_scale(image, camera, room)
        draw_credit(image, city.attribution, room)
    cap = 7 if small else min(max(round(min(camera.size) / 62), 8), 12)
    pins = []
    for point in points:
        height = ground_m if point.up is None else point.up
        x, y, _ = camera.project((point.east, point.north, height)).tolist()
        if -20 <= x <= image.width + 20 and -5 <= y <= image.height + 30:
            draw_pin(image, x, y, point.color, room)
            pins.append((x, y, point))
    if marker is not None:
        draw_agent(image, camera, marker, room)
    for x, y, point in pins:
        if point.label:
            _pin_label(image, room, point, x, y, cap)
    if small:
        return np.asarray(image).copy()
    for line in closures:
        _keep_clear(room, camera.project(with_height(line, ground_m))[:, :2])
    widths = {name: float(_label(name, cap, STREET_INK).width - 4) for name in every_name(city)}
    for name in street_names(city, camera, widths):
        _place(image, room, name.text, name.anchors, cap, STREET_INK, name.angle)
    for name in area_names(city, camera, widths):
        _place(image, room, name.text, name.anchors, cap, AREA_INK, 0.0)
    for name in building_names(city, camera, widths):
        _place(image, room, name.text, name.anchors, cap - 1, BUILDING_INK, 0.0)
    for text, (x, y), landmark in place_names(city, camera):
        _door(image, room, text, x, y, cap - 1, LANDMARK_INK if landmark else PLACE_INK)
    return np.asarray(image).copy()


@lru_cache(maxsize=4096)
def _label(text: str, cap: int, ink: str) -> "Picture":
    return text_image(text, cap, ink, HALO)


def _place(
    image: "Picture", room: FreeRoom, text: str, anchors: Sequence[Corner], cap: int, ink: str, angle: float
) -> None:
    """Draw a name centred on the first anchor where it stays in the picture and touches nothing."""
    label = _label(text, cap, ink)
    where = room.first_fit(anchors, label.width, cap + 8, angle)
    if where is not None:
        _paste(image, label, where, angle)


def _door(image: "Picture", room: FreeRoom, text: str, x: float, y: float, cap: int, ink: str) -> None:
    """A dot at a door with the place's name beside it; neither where there is no room for the name."""
    label = _label(text, cap, ink)
    dot = oriented(x, y, 7.0, 7.0)
    if not room.fits(dot):
        return
    wide, high = label.width, cap + 7
    beside = ((x + wide / 2 + 4, y), (x - wide / 2 - 4, y), (x, y - high / 2 - 4), (x, y + high / 2 + 4))
    where = room.first_fit(beside, wide, high)
    if where is None:
        return
    room.take(dot)
    _paste(image, label, where, 0.0)
    spot = _dot(ink)
    image.paste(spot, (round(x - spot.width / 2), round(y - spot.height / 2)), spot)


def _pin_label(image: "Picture", room: FreeRoom, point: MapPoint, x: float, y: float, cap: int) -> None:
    """A pin's label beside it; where nothing is free it is laid over names and kept inside the picture."""
    label = _label(point.label, cap + 1, point.color)
    wide, high = label.width, cap + 9
    y -= 16.0
    beside = ((x + wide / 2 + 12, y), (x - wide / 2 - 12, y), (x, y - high / 2 - 12), (x, y + high / 2 + 18))
    where = room.first_fit(beside, wide, high)
    if where is None:
        ax, ay = beside[0] if x < image.width / 2 else beside[1]
        where = (
            min(max(ax, wide / 2 + 1), max(image.width - wide / 2 - 1, wide / 2)),
            min(max(ay, high / 2 + 1), max(image.height - high / 2 - 1, high / 2)),
        )
        room.take(oriented(*where, wide, high))
    _paste(image, label, where, 0.0)


def _paste(image: "Picture", label: "Picture", where: Corner, angle: float) -> None:
    if abs(angle) > 0.3:
        from PIL.Image import Resampling

        label = label.convert("RGBa").rotate(angle, resample=Resampling.BICUBIC, expand=True).convert("RGBA")
    image.paste(label, (round(where[0] - label.width / 2), round(where[1] - label.height / 2)), label)


@lru_cache(maxsize=8)
def _dot(ink: str) -> "Picture":
    from PIL import Image, ImageDraw
    from PIL.Image import Resampling

    large = Image.new("RGBA", (36, 36), (255, 255, 255, 0))
    ImageDraw.Draw(large).ellipse((2, 2, 34, 34), fill=ink, outline=HALO, width=6)
    return large.convert("RGBa").resize((9, 9), Resampling.BOX).convert("RGBA")


def _keep_clear(room: FreeRoom, path: NDArray[np.float64]) -> None:
    """Names stay off a closed way."""
    for (x0, y0), (x1, y1) in zip(path[:-1].tolist(), path[1:].tolist(), strict=True):
        size = float(np.hypot(x1 - x0, y1 - y0))
        if 0.0 < size < 1e5:
            angle = float(-np.degrees(np.arctan2(y1 - y0, x1 - x0)))
            room.take(oriented((x0 + x1) / 2, (y0 + y1) / 2, size, 10.0, angle))
