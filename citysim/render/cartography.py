"""What a map carries besides its ground: street and place names, a scale bar, a north arrow, the agent's marker."""

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from citysim.city import City
from citysim.fonts.drawing import text_image
from citysim.pose import Pose
from citysim.render.base import Camera

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

Box = tuple[float, float, float, float]
INK, HALO = "#3c3a36", "#ffffff"
STREET_INK, AREA_INK, PLACE_INK = "#5b5750", "#3f6b3a", "#7b3f1d"


def annotate(rgb: NDArray[np.uint8], camera: Camera, city: City, marker: Pose | None = None) -> NDArray[np.uint8]:
    """A copy of an overhead picture with names, scale, north and marker; the network is never drawn as a route."""
    from PIL import Image

    image = Image.fromarray(rgb)
    taken: list[Box] = []
    if min(camera.size) >= 160:
        _north(image, camera, taken)
        _scale(image, camera, taken)
        _credit(image, city.attribution, taken)
    if marker is not None:
        _marker(image, camera, marker, taken)
    if min(camera.size) >= 160:
        named: set[str] = set()
        for text, where, angle in _street_labels(city, camera):
            if text not in named and _place(image, text, where, angle, 9, STREET_INK, taken):
                named.add(text)
        for text, where in _area_labels(city, camera):
            if text not in named and _place(image, text, where, 0.0, 9, AREA_INK, taken):
                named.add(text)
        for text, where in _place_labels(city, camera):
            _place(image, text, where, 0.0, 8, PLACE_INK, taken)
    return np.asarray(image).copy()


def _street_labels(city: City, camera: Camera) -> Iterable[tuple[str, tuple[float, float], float]]:
    """Places for each street's name, best first, long lines first: text, pixel, angle in degrees counter-clockwise.

    A street is often mapped as a pavement on either side: a name stands in the middle of the lines of its street that
    run near it.
    """
    lines: dict[str, list[NDArray[np.float64]]] = {}
    for edge in city.network.edges:
        name = edge.attributes.get("StreetNameEN") or ""
        if name:
            lines.setdefault(name, []).append(camera.project(np.asarray(edge.line))[:, :2])
    places: list[tuple[float, str, tuple[float, float], float]] = []
    for name, parts in lines.items():
        every = np.concatenate(parts)
        for points in parts:
            span = points[-1] - points[0]
            length = float(np.hypot(*span))
            middle = points[len(points) // 2] if len(points) > 2 else points.mean(axis=0)
            if length <= 3.0 * len(name) or not _inside(middle, camera):
                continue  # a name much longer than its line would lie across other streets
            along, across = span / length, np.array([-span[1], span[0]]) / length
            offset = every - middle
            near = (np.abs(offset @ along) < 8.0 * camera.focal_px) & (np.abs(offset @ across) < 28.0 * camera.focal_px)
            if near.any():  # a long line of two points has none near its own middle
                sides = offset[near] @ across
                middle = middle + across * (float(sides.min()) + float(sides.max())) / 2
            angle = -math.degrees(math.atan2(span[1], span[0]))
            angle = angle - 180 if angle > 90 else angle + 180 if angle < -90 else angle
            places.append((-length, name, (float(middle[0]), float(middle[1])), angle))
    for _, name, where, angle in sorted(places):
        yield name, where, angle


def _area_labels(city: City, camera: Camera) -> Iterable[tuple[str, tuple[float, float]]]:
    """Names of parks, squares and waters at their middles, large ones first."""
    found = []
    for thing in city.objects:
        if thing.name and thing.category in ("park", "square", "water", "garden", "cemetery"):
            pixel = camera.project(np.array([thing.position]))[0, :2]
            size = (thing.bounds[3] - thing.bounds[0]) * camera.focal_px
            if _inside(pixel, camera) and size > 3.0 * len(thing.name):
                found.append((-size, thing.name, (float(pixel[0]), float(pixel[1]))))
    for _, name, where in sorted(found):
        yield name, where


def _place_labels(city: City, camera: Camera) -> Iterable[tuple[str, tuple[float, float]]]:
    """Names of places, landmarks first; none where the map is too small to tell shops apart."""
    if camera.focal_px < 0.8:
        return
    first = {"townhall", "place_of_worship", "museum", "station", "theatre", "university", "library", "hotel"}
    seen: set[str] = set()
    for place in sorted(city.places, key=lambda p: (p.category not in first, p.name, p.id)):
        pixel = camera.project(np.array([place.entrance]))[0, :2]
        if place.name not in seen and _inside(pixel, camera):
            seen.add(place.name)
            yield place.name, (float(pixel[0]), float(pixel[1]))


def _inside(pixel: NDArray[np.float64], camera: Camera) -> bool:
    return bool(0 <= pixel[0] < camera.size[0] and 0 <= pixel[1] < camera.size[1])


def _place(
    image: "Picture", text: str, where: tuple[float, float], angle: float, cap: int, ink: str, taken: list[Box]
) -> bool:
    """Draw a name centred on a pixel unless it would leave the picture or touch another; whether it was drawn."""
    label = text_image(text, cap, ink, HALO)
    if angle:
        from PIL.Image import Resampling

        label = label.rotate(angle, resample=Resampling.BICUBIC, expand=True)
    x0, y0 = where[0] - label.width / 2, where[1] - label.height / 2
    box = (x0 - 2, y0 - 2, x0 + label.width + 2, y0 + label.height + 2)
    if box[0] < 2 or box[1] < 2 or box[2] > image.width - 2 or box[3] > image.height - 2:
        return False
    if any(box[0] < t[2] and t[0] < box[2] and box[1] < t[3] and t[1] < box[3] for t in taken):
        return False
    taken.append(box)
    image.paste(label, (round(x0), round(y0)), label)
    return True


def _north(image: "Picture", camera: Camera, taken: list[Box]) -> None:
    """An arrow towards north in the upper right corner."""
    from PIL import ImageDraw

    draw = ImageDraw.Draw(image)
    x, y, r = image.width - 26, 26, 14
    turn = camera.pose.yaw - math.pi / 2  # the picture's up is the heading; north lies this far clockwise of it

    def at(length: float, angle: float) -> tuple[float, float]:
        return x + length * math.sin(turn + angle), y - length * math.cos(turn + angle)

    draw.ellipse((x - 20, y - 20, x + 20, y + 20), fill="#ffffff", outline="#8a857c")
    draw.polygon([at(r, 0), at(r * 0.8, 2.6), at(r * 0.35, math.pi), at(r * 0.8, -2.6)], fill="#b3261e")
    letter = text_image("N", 7, INK, HALO)
    lx, ly = at(-9.0, 0)
    image.paste(letter, (round(lx - letter.width / 2), round(ly - letter.height / 2)), letter)
    taken.append((x - 22, y - 22, x + 22, y + 22))


def _scale(image: "Picture", camera: Camera, taken: list[Box]) -> None:
    """A bar of a round number of metres in the lower left corner."""
    from PIL import ImageDraw

    aim = 0.25 * image.width / camera.focal_px
    power = 10.0 ** math.floor(math.log10(aim))
    metres = max(step * power for step in (1, 2, 5) if step * power <= aim * 1.0001)
    length = metres * camera.focal_px
    text = f"{metres / 1000:g} km" if metres >= 1000 else f"{metres:g} m"
    label = text_image(text, 8, INK, HALO)
    draw = ImageDraw.Draw(image)
    y = image.height - 14
    draw.rectangle((8, y - 18, 20 + max(length, label.width), y + 8), fill="#ffffff", outline="#8a857c")
    draw.line([(14, y - 4), (14, y + 2), (14 + length, y + 2), (14 + length, y - 4)], fill=INK, width=2)
    image.paste(label, (14, y - 16), label)
    taken.append((6, y - 20, 22 + max(length, label.width), y + 10))


def _credit(image: "Picture", attribution: str, taken: list[Box]) -> None:
    """Whom to name for the map's data, in the lower right corner."""
    if not attribution:
        return
    label = text_image(attribution, 6, INK, HALO)
    x, y = image.width - label.width - 2, image.height - label.height - 1
    if x > image.width // 2 - 40:
        image.paste(label, (x, y), label)
        taken.append((x, y, image.width, image.height))


def _marker(image: "Picture", camera: Camera, marker: Pose, taken: list[Box]) -> None:
    """The agent: a disc with a wedge towards its heading."""
    from PIL import ImageDraw

    x, y = camera.project(np.array([[marker.east, marker.north, marker.up]]))[0, :2]
    turn = camera.pose.yaw - marker.yaw
    draw = ImageDraw.Draw(image)
    tip, left, right = (
        (x + r * math.sin(turn + a), y - r * math.cos(turn + a)) for r, a in ((18, 0), (8, 0.9), (8, -0.9))
    )
    draw.polygon([tip, left, right], fill="#1a56db", outline="#ffffff")
    draw.ellipse((x - 7, y - 7, x + 7, y + 7), fill="#1a56db", outline="#ffffff", width=2)
    taken.append((x - 20, y - 20, x + 20, y + 20))
