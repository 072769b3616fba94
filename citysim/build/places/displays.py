"""The page of shop windows and doors, drawn with Pillow."""

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from citysim.build.draft import CityDraft, MaterialSpec, Texture
from citysim.build.textures.noise import fbm, halved, lattice

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageDraw import ImageDraw

PAGE = "places/displays"
MATERIAL = f"@{PAGE}"
SIZE = 1024
SCALE = 2
WINDOW = (4.0, 2.1)  # metres a window picture covers
DOOR = (1.0, 2.6)  # metres a door picture covers, with the light above it
KINDS = ("cafe", "food", "bar", "grocery", "health", "bank", "hotel", "culture", "shop", "shop_2", "office", "tech")
DOORS = ("wood", "glass", "dark", "red", "green", "white", "blue")

# group -> (back wall, floor, light, shelf tones)
INTERIORS: dict[str, tuple[str, str, str, tuple[str, ...]]] = {
    "cafe": ("#8a6a48", "#4a3526", "#ffe2a8", ("#e8d7b0", "#b5793f", "#5d3a22", "#c9a56a")),
    "food": ("#7a4b36", "#3a2a22", "#ffd890", ("#d9b070", "#8f2f22", "#efe2c2", "#5a6a3a")),
    "bar": ("#3a2a20", "#1d1613", "#ffb85c", ("#6f8f4a", "#b8702c", "#d9c08a", "#7a2f1f")),
    "grocery": ("#cfd4cc", "#8d9089", "#fbfdf4", ("#c8362e", "#e0a52c", "#3a9a57", "#2f6fb0", "#efe9d8")),
    "health": ("#dfe6e2", "#a7afab", "#ffffff", ("#f2f4f2", "#5aa58a", "#c46a86", "#8fb4cf")),
    "bank": ("#b9c3ca", "#6c747a", "#f4f8fb", ("#3a5f8f", "#dfe4e8", "#9aa8b4")),
    "hotel": ("#9a7a52", "#5a4430", "#ffe0a0", ("#c9a86a", "#6a3a2a", "#efe0c0")),
    "culture": ("#d6d0c4", "#8a847a", "#fff6e2", ("#8f2f2a", "#2f4f7a", "#d9a93a", "#3a3a3e")),
    "shop": ("#d4cdc2", "#9a9186", "#fff4e0", ("#2c3e5c", "#a8483c", "#e6ddca", "#5c6b4a", "#22242a")),
    "shop_2": ("#4b4f55", "#2c2f33", "#ffefcf", ("#d9b25a", "#c9ccd0", "#8f2f3a", "#efe9dd")),
    "tech": ("#d9dee2", "#8a9096", "#fbfdff", ("#1c1f24", "#2f6fb0", "#e8eaec", "#c8362e", "#e0a52c", "#3f454c")),
    "office": ("#aab2b6", "#6e767a", "#eef4f6", ("#dfe3e4", "#7c8a92", "#c2c9cc")),
}
DOOR_COLORS = {
    "wood": "#6a4228", "glass": "#8f979b", "dark": "#26292c", "red": "#7a1f1f", "green": "#24483a", "white": "#d9d7cf",
    "blue": "#27425f",
}  # fmt: skip


def window_cell(kind: str, metres: float, start: float = 0.0) -> tuple[float, float, float, float]:
    """Texture units of a piece of a window picture `metres` wide (at most 4), from `start` metres."""
    index = KINDS.index(kind)
    x, y = (index % 2) * 400 + 4, (index // 2) * 168 + 4
    left = x + 392 * start / WINDOW[0]
    right = x + 392 * min(1.0, (start + metres) / WINDOW[0])
    return (left + 0.5) / SIZE, (y + 0.5) / SIZE, (right - 0.5) / SIZE, (y + 159.5) / SIZE


def door_cell(kind: str) -> tuple[float, float, float, float]:
    """Texture units of a door picture."""
    index = DOORS.index(kind)
    x, y = 808 + (index % 2) * 104 + 4, (index // 2) * 256 + 4
    return (x + 0.5) / SIZE, (y + 0.5) / SIZE, (x + 95.5) / SIZE, (y + 247.5) / SIZE


def register(draft: CityDraft) -> None:
    """Make the page known to the draft."""
    draft.painted(PAGE, _texture)
    draft.material(PAGE, MaterialSpec(PAGE))


def _texture() -> Texture:
    return Texture(page(), glow=_glow())


@cache
def page() -> NDArray[np.uint8]:
    """(1024, 1024, 3) uint8."""
    out = np.full((SIZE, SIZE, 3), 60, dtype=np.uint8)
    for kind in KINDS:
        left, top, _, _ = window_cell(kind, WINDOW[0])
        _put(out, halved(_window(kind, 392 * SCALE, 160 * SCALE)), int(left * SIZE), int(top * SIZE))
    for kind in DOORS:
        left, top, _, _ = door_cell(kind)
        _put(out, halved(_door(kind, 96 * SCALE, 248 * SCALE)), int(left * SIZE), int(top * SIZE))
    out.setflags(write=False)
    return out


def _glow() -> NDArray[np.uint8]:
    """(1024, 1024) uint8: rooms behind shop windows are lit, door panes a little."""
    out = np.zeros((SIZE, SIZE), dtype=np.uint8)
    for cells, light in (([window_cell(k, WINDOW[0]) for k in KINDS], 175), ([door_cell(k) for k in DOORS], 60)):
        for left, top, right, bottom in cells:
            out[int(top * SIZE) : int(bottom * SIZE) + 1, int(left * SIZE) : int(right * SIZE) + 1] = light
    return out


def _put(out: NDArray[np.uint8], picture: NDArray[np.uint8], x: int, y: int) -> None:
    h, w = picture.shape[:2]
    out[y - 4 : y + h + 4, x - 4 : x + w + 4] = np.pad(picture, ((4, 4), (4, 4), (0, 0)), mode="edge")


def _mix(a: str, b: str, t: float) -> tuple[int, int, int]:
    one, two = ([int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in (a, b))
    r, g, b_ = (round(x + (y - x) * t) for x, y in zip(one, two, strict=True))
    return r, g, b_


def _window(kind: str, w: int, h: int) -> "Image":
    """A lit room behind glass: back wall, floor, lamps, goods of the trade, frame, and the sky on the glass."""
    from PIL import Image, ImageDraw

    wall, floor, light, tones = INTERIORS[kind]
    image = Image.new("RGB", (w, h), wall)
    pen = ImageDraw.Draw(image)
    for y in range(h):
        t = y / h
        color = (
            _mix(wall, "#0c0d0e", 0.18 + 0.3 * abs(t - 0.35))
            if t < 0.74
            else _mix(floor, "#0c0d0e", 0.1 + 0.6 * (1 - t))
        )
        pen.line((0, y, w, y), fill=color)
    draws = lattice(f"display/{kind}", 64, 4)
    _goods(pen, kind, w, h, tones, draws)
    for i in range(7):
        x = w * (0.07 + 0.143 * i)
        if kind in ("cafe", "food", "bar", "hotel"):
            pen.line((x, 0, x, h * 0.12), fill="#1a1a1a", width=3)
            pen.ellipse((x - h * 0.045, h * 0.1, x + h * 0.045, h * 0.19), fill=light)
        else:
            pen.rectangle((x - w * 0.035, h * 0.04, x + w * 0.035, h * 0.065), fill=light)
    _glass(image, kind)
    pen = ImageDraw.Draw(image)
    frame = _mix("#1c1e20", wall, 0.12)
    for i in range(3):
        x = w * i / 2
        pen.rectangle((x - 9, 0, x + 9, h), fill=frame)
    pen.rectangle((0, 0, w, 12), fill=frame)
    pen.rectangle((0, h - 13, w, h), fill=frame)
    pen.rectangle((0, h * 0.2, w, h * 0.2 + 7), fill=frame)
    return image


def _goods(pen: "ImageDraw", kind: str, w: int, h: int, tones: tuple[str, ...], draws: NDArray[np.float64]) -> None:
    """What stands in the window: tables, bottles, shelves, figures in clothes, frames or counters."""
    if kind in ("cafe", "food", "hotel"):
        for i in range(5):
            x = w * (0.1 + 0.2 * i)
            pen.rectangle((x - w * 0.06, h * 0.62, x + w * 0.06, h * 0.65), fill=tones[0])
            pen.rectangle((x - w * 0.006, h * 0.65, x + w * 0.006, h * 0.92), fill="#2a211a")
            for side in (-1, 1):
                cx = x + side * w * 0.075
                pen.rectangle((cx - w * 0.014, h * 0.5, cx + w * 0.014, h * 0.93), fill=tones[1 + i % 2])
            pen.rectangle((x - w * 0.01, h * 0.56, x + w * 0.012, h * 0.62), fill=tones[3 % len(tones)])
        for i in range(4):
            x = w * (0.08 + 0.25 * i)
            pen.rectangle((x, h * 0.24, x + w * 0.1, h * 0.44), fill="#2b221b")
            pen.rectangle((x + 6, h * 0.24 + 6, x + w * 0.1 - 6, h * 0.44 - 6), fill=tones[i % len(tones)])
    elif kind in ("bar", "grocery", "health", "culture"):
        rows = 4
        for r in range(rows):
            y = h * (0.3 + 0.155 * r)
            pen.rectangle((w * 0.02, y + h * 0.125, w * 0.98, y + h * 0.14), fill=_mix(tones[0], "#20201e", 0.6))
            count = 34 if kind != "culture" else 46
            for i in range(count):
                a, b, c, _ = draws[(r * 17 + i) % 64]
                x = w * (0.03 + 0.94 * i / count)
                tall = h * (0.06 + 0.06 * b)
                wide = w * 0.94 / count * (0.55 + 0.35 * c)
                pen.rectangle((x, y + h * 0.125 - tall, x + wide, y + h * 0.125), fill=tones[int(a * len(tones))])
                if kind == "bar":
                    pen.rectangle(
                        (x + wide * 0.35, y + h * 0.095 - tall, x + wide * 0.65, y + h * 0.125 - tall), fill=tones[0]
                    )
    elif kind == "tech":
        for r in range(3):
            y = h * (0.26 + 0.2 * r)
            pen.rectangle((w * 0.02, y + h * 0.16, w * 0.98, y + h * 0.175), fill="#6a7076")
            x = 0.03
            for i in range(16):
                a, b, c, d = draws[(r * 19 + i) % 64]
                wide, tall = 0.03 + 0.045 * b, 0.06 + 0.09 * c
                if x + wide > 0.97:
                    break
                box = (w * x, y + h * (0.16 - tall), w * (x + wide), y + h * 0.16)
                pen.rectangle(box, fill=tones[int(a * len(tones))])
                if b > 0.5:  # a screen that is on
                    pen.rectangle(
                        (box[0] + 4, box[1] + 4, box[2] - 4, box[3] - h * 0.02), fill=_mix("#1d4f8f", "#f4f8ff", d)
                    )
                x += wide + 0.008
        pen.rectangle((0, h * 0.86, w, h), fill=_mix(tones[0], "#55595e", 0.5))
    elif kind in ("shop", "shop_2"):
        for i in range(6):
            a, b, c, _ = draws[i * 3]
            x, top = w * (0.1 + 0.16 * i), h * (0.34 + 0.04 * b)
            coat = tones[int(a * len(tones))]
            pen.rectangle((x - h * 0.02, top - h * 0.02, x + h * 0.02, top + h * 0.02), fill="#d8cbbb")
            pen.polygon(
                [
                    (x - h * 0.1, top + h * 0.02),
                    (x + h * 0.1, top + h * 0.02),
                    (x + h * 0.13, h * 0.72),
                    (x - h * 0.13, h * 0.72),
                ],
                fill=coat,
            )
            pen.rectangle((x - h * 0.07, h * 0.72, x - h * 0.015, h * 0.93), fill=tones[int(c * len(tones))])
            pen.rectangle((x + h * 0.015, h * 0.72, x + h * 0.07, h * 0.93), fill=tones[int(c * len(tones))])
    else:
        pen.rectangle((w * 0.08, h * 0.62, w * 0.92, h * 0.92), fill=_mix(tones[0], "#20242a", 0.35))
        pen.rectangle((w * 0.06, h * 0.59, w * 0.94, h * 0.63), fill=tones[1])
        for i in range(5):
            x = w * (0.12 + 0.17 * i)
            pen.rectangle((x, h * 0.3, x + w * 0.11, h * 0.5), fill=tones[2])
            pen.rectangle(
                (x + 8, h * 0.3 + 8, x + w * 0.11 - 8, h * 0.5 - 8), fill=_mix(tones[0], "#ffffff", 0.25 * (i % 3))
            )


def _glass(image: "Image", kind: str) -> None:
    """Reflections: lighter towards the top, with a slanted sheen and soft clouds."""
    from PIL import Image

    w, h = image.size
    clouds = fbm(f"glass/{kind}", 256, 3, 4)
    ys, xs = np.arange(h), np.arange(w)
    field = clouds[(ys * 256 // h)[:, None], (xs * 256 // w)[None, :]]
    slant = ((xs[None, :] + ys[:, None] // 2) // (w // 9)) % 4 == 0
    share = 0.1 + 0.16 * (1 - ys / h)[:, None] * field + 0.06 * slant
    pixels = np.asarray(image, dtype=np.float64)
    sky = np.array([188.0, 205.0, 218.0])
    mixed = pixels * (1 - share[..., None]) + sky * share[..., None]
    image.paste(Image.fromarray(np.floor(mixed + 0.5).astype(np.uint8)))


def _door(kind: str, w: int, h: int) -> "Image":
    """A door 2.1 m high with a pane, a handle and a kick plate, under a light of 0.5 m."""
    from PIL import Image, ImageDraw

    color = DOOR_COLORS[kind]
    image = Image.new("RGB", (w, h), _mix(color, "#101010", 0.35))
    pen = ImageDraw.Draw(image)
    edge, head = round(w * 0.06), round(h * 0.19)
    pen.rectangle((edge, edge, w - edge, head - edge // 2), fill="#4f6472")
    pen.polygon(
        [(w * 0.2, edge), (w * 0.45, edge), (w * 0.3, head - edge // 2), (w * 0.08, head - edge // 2)], fill="#7d93a1"
    )
    pen.rectangle((edge, head, w - edge, h), fill=color)
    low = h * (0.93 if kind == "glass" else 0.72)
    pane = (w * 0.2, head + h * 0.05, w * 0.8, low) if kind != "glass" else (w * 0.13, head + h * 0.03, w * 0.87, low)
    pen.rectangle((pane[0] - 5, pane[1] - 5, pane[2] + 5, pane[3] + 5), fill=_mix(color, "#101010", 0.4))
    pen.rectangle(pane, fill="#3c4a53")
    pen.polygon(
        [(pane[0], pane[1] + h * 0.2), (pane[0] + w * 0.3, pane[1]), (pane[2], pane[1]), (pane[0], pane[1] + h * 0.42)],
        fill="#63757f",
    )
    pen.rectangle((w * 0.84, h * 0.56, w * 0.89, h * 0.68), fill="#d8c58a")
    pen.rectangle((edge, h - h * 0.045, w - edge, h), fill=_mix(color, "#0c0c0c", 0.55))
    return image
