"""What is drawn on a map besides its ground and names: the agent, pins, closures, scale, north, attribution.

Shapes are drawn four times as large and shrunk, which smooths their edges.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from citysim.fonts.drawing import text_image
from citysim.pose import Pose
from citysim.render.camera import Camera
from citysim.render.placement import FreeRoom, oriented

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

INK, HALO, FRAME_INK = "#3c3a36", "#ffffff", "#8a857c"
AGENT, PIN, CLOSED = "#1a56db", "#c5221f", "#d3301c"
FINE = 4


@dataclass(frozen=True, slots=True)
class MapPoint:
    """A labelled pin on a map: a place a task speaks of. `up` None lies on the map's ground."""

    east: float
    north: float
    label: str = ""
    up: float | None = None
    color: str = PIN


def draw_closures(image: "Picture", camera: Camera, lines: Sequence[ArrayLike], ground_m: float) -> None:
    """Closed ways, each (K, 2) or (K, 3) local metres, as thick lines barred in white."""
    paths = [camera.project(with_height(line, ground_m))[:, :2] for line in lines]
    paths = [path for path in paths if len(path) > 1]
    if not paths:
        return
    from PIL import Image, ImageDraw
    from PIL.Image import Resampling

    scale = 2 if max(image.size) <= 4096 else 1
    layer = Image.new("RGBA", (image.width * scale, image.height * scale), (211, 48, 28, 0))
    draw = ImageDraw.Draw(layer)
    for path in paths:
        around = [(float(x) * scale, float(y) * scale) for x, y in np.clip(path, -1e5, 1e5)]
        draw.line(around, fill="#ffffff", width=10 * scale, joint="curve")
        draw.line(around, fill=CLOSED, width=7 * scale, joint="curve")
        for x, y, dx, dy in _ticks(path, 12.0, image.size):
            bar = [((x - 3 * dy) * scale, (y + 3 * dx) * scale), ((x + 3 * dy) * scale, (y - 3 * dx) * scale)]
            draw.line(bar, fill="#ffffff", width=3 * scale)
    layer = layer.resize(image.size, Resampling.BOX)
    image.paste(layer, (0, 0), layer)


def draw_pin(image: "Picture", x: float, y: float, color: str, room: FreeRoom) -> None:
    """A pin whose tip is at a pixel."""

    def shape(draw: Any, at: Callable[[float, float], tuple[float, float]]) -> None:
        for grow, ink in ((1.5, HALO), (0.0, color)):
            r = 8.0 + grow
            side = [at(r * math.cos(a), -17.0 + r * math.sin(a)) for a in np.linspace(0.5, -math.pi - 0.5, 40)]
            draw.polygon([at(0.0, grow), *side], fill=ink)
        draw.ellipse((*at(-3.2, -20.2), *at(3.2, -13.8)), fill=HALO)

    _sprite(image, x, y, 30, shape)
    room.take(oriented(x, y - 12.0, 20.0, 28.0))


def draw_agent(image: "Picture", camera: Camera, agent: Pose, room: FreeRoom) -> None:
    """The agent: a disc with a wedge towards its heading and a faint cone of what lies before it."""
    place = agent.position
    x, y, _ = (float(v) for v in camera.project(place))
    ahead = camera.project(place + np.array([math.cos(agent.yaw), math.sin(agent.yaw), 0.0]))[:2] - (x, y)
    turn = math.atan2(float(ahead[0]), -float(ahead[1]))

    def shape(draw: Any, at: Callable[[float, float], tuple[float, float]]) -> None:
        def polar(r: float, a: float) -> tuple[float, float]:
            return at(r * math.sin(turn + a), -r * math.cos(turn + a))

        cone = [polar(34.0, a) for a in np.linspace(-0.5, 0.5, 16)]
        draw.polygon([at(0.0, 0.0), *cone], fill=(26, 86, 219, 70))
        draw.polygon([polar(21.0, 0.0), polar(9.0, 1.1), polar(9.0, -1.1)], fill=HALO)
        draw.ellipse((*at(-9.0, -9.0), *at(9.0, 9.0)), fill=HALO)
        draw.polygon([polar(18.0, 0.0), polar(7.0, 1.0), polar(7.0, -1.0)], fill=AGENT)
        draw.ellipse((*at(-7.0, -7.0), *at(7.0, 7.0)), fill=AGENT)

    _sprite(image, x, y, 40, shape)
    room.take(oriented(x, y, 40.0, 40.0))


def draw_north(image: "Picture", camera: Camera, room: FreeRoom) -> None:
    """An arrow towards north in the upper right corner."""
    turn = camera.pose.yaw - math.pi / 2  # the picture's up is the bearing; north lies this far clockwise of it
    x, y = image.width - 26.0, 26.0

    def shape(draw: Any, at: Callable[[float, float], tuple[float, float]]) -> None:
        def polar(r: float, a: float) -> tuple[float, float]:
            return at(r * math.sin(turn + a), -r * math.cos(turn + a))

        draw.ellipse((*at(-20, -20), *at(20, 20)), fill=HALO, outline=FRAME_INK, width=FINE)
        draw.polygon([polar(17, 0), polar(7, 1.9), polar(3, 0)], fill="#b3261e")
        draw.polygon([polar(17, 0), polar(7, -1.9), polar(3, 0)], fill="#d9534a")

    _sprite(image, x, y, 24, shape)
    letter = text_image("N", 7, INK, HALO)
    lx, ly = x - 9.0 * math.sin(turn), y + 9.0 * math.cos(turn)
    image.paste(letter, (round(lx - letter.width / 2), round(ly - letter.height / 2)), letter)
    room.take(oriented(x, y, 44.0, 44.0))


def draw_scale(image: "Picture", camera: Camera, room: FreeRoom) -> None:
    """A bar of a round number of metres in the lower left corner."""
    from PIL import ImageDraw

    aim = 0.25 * image.width / camera.focal_px
    power = 10.0 ** math.floor(math.log10(aim))
    metres = max(step * power for step in (1, 2, 5) if step * power <= aim * 1.0001)
    length = metres * camera.focal_px
    text = f"{metres / 1000:g} km" if metres >= 1000 else f"{metres:g} m"
    label = text_image(text, 8, INK, HALO)
    draw = ImageDraw.Draw(image)
    right, y = 20 + max(length, label.width), image.height - 14
    draw.rectangle((8, y - 18, right, y + 8), fill=HALO, outline=FRAME_INK)
    draw.line([(14, y - 4), (14, y + 2), (14 + length, y + 2), (14 + length, y - 4)], fill=INK, width=2)
    image.paste(label, (14, y - 16), label)
    room.take(((6, y - 20), (right + 2, y - 20), (right + 2, y + 10), (6, y + 10)))


def draw_credit(image: "Picture", attribution: str, room: FreeRoom) -> None:
    """Whom to name for the map's data, in the lower right corner."""
    if not attribution:
        return
    label = text_image(attribution, 6, INK, HALO)
    x, y = image.width - label.width - 2, image.height - label.height - 1
    box = ((x, y), (image.width - 1, y), (image.width - 1, image.height - 1), (x, image.height - 1))
    if x > 8 and room.fits(box):
        image.paste(label, (x, y), label)
        room.take(box)


def with_height(points: ArrayLike, ground_m: float) -> np.ndarray[Any, np.dtype[np.float64]]:
    """(K, 3) of (K, 2) or (K, 3) local metres."""
    given = np.asarray(points, dtype=np.float64).reshape(len(np.asarray(points)), -1)
    if given.shape[1] == 2:
        given = np.concatenate([given, np.full((len(given), 1), ground_m)], axis=1)
    return given


def _ticks(path: Any, step: float, size: tuple[int, int]) -> list[tuple[float, float, float, float]]:
    """Pixel and direction every `step` pixels along a path, inside the picture."""
    found = []
    for a, b in pairwise(path):
        length = math.dist(a, b)
        if not 0.0 < length < 1e5:
            continue
        dx, dy = (b - a) / length
        for k in range(max(1, int(length / step))):
            at = (k + 0.5) / max(1, int(length / step))
            x, y = a + at * (b - a)
            if -5 <= x <= size[0] + 5 and -5 <= y <= size[1] + 5:
                found.append((float(x), float(y), float(dx), float(dy)))
    return found


def _sprite(
    image: "Picture", x: float, y: float, reach: int, shape: Callable[[Any, Callable[..., Any]], None]
) -> None:  # fmt: skip
    """Draw a shape, given in pixels around (x, y), with smooth edges."""
    from PIL import Image, ImageDraw
    from PIL.Image import Resampling

    if not (abs(x) < 1e5 and abs(y) < 1e5):
        return
    left, top = math.floor(x) - reach, math.floor(y) - reach
    side = 2 * reach + 1
    layer = Image.new("RGBA", (side * FINE, side * FINE), (255, 255, 255, 0))

    def at(dx: float, dy: float) -> tuple[float, float]:
        return (x + dx - left) * FINE, (y + dy - top) * FINE

    shape(ImageDraw.Draw(layer, "RGBA"), at)
    # Colours weighted by their opacity, or the transparent white would shine through at the edges.
    small = layer.convert("RGBa").resize((side, side), Resampling.BOX).convert("RGBA")
    image.paste(small, (left, top), small)
