"""Pictures of traffic signs, menus, screens and machines on the props page."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from citysim.fonts.faces import font

if TYPE_CHECKING:
    from PIL.Image import Image

BLUE, RED, WHITE, BLACK = "#1a4f9c", "#c1272d", "#f6f6f2", "#1b1d20"


def _canvas(w: int, h: int, color: str) -> "Image":
    from PIL import Image

    return Image.new("RGB", (w, h), color)


def sign(kind: str) -> "Callable[[int, int], Image]":
    """The face of a traffic sign, drawn to the edge: its outline is cut by the mesh."""

    def draw(w: int, h: int) -> "Image":
        from PIL import ImageDraw

        blue = kind in ("no_parking", "parking_sign", "crossing_sign", "one_way")
        ground = RED if kind in ("no_entry", "stop_sign") else BLUE if blue else WHITE
        image = _canvas(w, h, ground)
        pen = ImageDraw.Draw(image)
        middle = w / 2, h / 2
        if kind == "no_entry":
            pen.rectangle((w * 0.2, h * 0.42, w * 0.8, h * 0.58), fill=WHITE)
        elif kind == "speed":
            pen.ellipse((1, 1, w - 1, h - 1), outline=RED, width=w // 8)
            pen.text(middle, "30", fill=BLACK, font=font("sans", round(h * 0.34)), anchor="mm")
        elif kind == "no_parking":
            pen.ellipse((1, 1, w - 1, h - 1), outline=RED, width=w // 9)
            pen.line((w * 0.2, h * 0.2, w * 0.8, h * 0.8), fill=RED, width=w // 9)
        elif kind == "stop_sign":
            pen.text(middle, "STOP", fill=WHITE, font=font("narrow", round(h * 0.26)), anchor="mm")
        elif kind == "give_way":
            pen.polygon([(w * 0.2, h * 0.24), (w * 0.8, h * 0.24), (w * 0.5, h * 0.76)], fill=WHITE)
            pen.line([(0, 0), (w, 0), (w / 2, h), (0, 0)], fill=RED, width=w // 4)
        elif kind == "parking_sign":
            pen.text(middle, "P", fill=WHITE, font=font("sans", round(h * 0.6)), anchor="mm")
        elif kind == "crossing_sign":
            pen.polygon([(w * 0.5, h * 0.08), (w * 0.94, h * 0.86), (w * 0.06, h * 0.86)], fill=WHITE)
            pen.ellipse((w * 0.45, h * 0.3, w * 0.56, h * 0.41), fill=BLACK)
            for x in (0.38, 0.6):
                pen.line((w * 0.5, h * 0.44, w * 0.51, h * 0.6), fill=BLACK, width=w // 11)
                pen.line((w * 0.51, h * 0.58, w * x, h * 0.8), fill=BLACK, width=w // 14)
        else:
            pen.rectangle((w * 0.15, h * 0.43, w * 0.6, h * 0.57), fill=WHITE)
            pen.polygon([(w * 0.56, h * 0.26), (w * 0.88, h * 0.5), (w * 0.56, h * 0.74)], fill=WHITE)
        return image

    return draw


def flagged(word: str, ground: str, ink: str) -> "Callable[[int, int], Image]":
    """A stop's sign: a word on its colour in a frame."""

    def draw(w: int, h: int) -> "Image":
        from PIL import ImageDraw

        image = _canvas(w, h, ground)
        pen = ImageDraw.Draw(image)
        pen.rectangle((w * 0.06, h * 0.06, w * 0.94, h * 0.94), outline=ink, width=max(2, w // 24))
        pen.text(
            (w / 2, h / 2), word, fill=ink, font=font("narrow", round(h * (0.3 if len(word) < 5 else 0.2))), anchor="mm"
        )
        return image

    return draw


def menu(ground: str, ink: str, head: str) -> "Callable[[int, int], Image]":
    """A chalk or paper menu: a head, lines and prices."""

    def draw(w: int, h: int) -> "Image":
        from PIL import ImageDraw

        image = _canvas(w, h, "#5a4632")
        pen = ImageDraw.Draw(image)
        pen.rectangle((w * 0.07, h * 0.05, w * 0.93, h * 0.95), fill=ground)
        pen.text((w / 2, h * 0.2), head, fill=ink, font=font("poster", round(h * 0.12)), anchor="ms")
        for i in range(5):
            y = h * (0.32 + 0.12 * i)
            pen.rectangle((w * 0.15, y, w * (0.5 + 0.03 * (i * 3 % 4)), y + h * 0.025), fill=ink)
            pen.rectangle((w * 0.74, y, w * 0.85, y + h * 0.025), fill=ink)
        return image

    return draw


def newspapers(w: int, h: int) -> "Image":
    """The front of a newspaper box: a window with a front page over a coin slot."""
    from PIL import ImageDraw

    image = _canvas(w, h, "#2f3a44")
    pen = ImageDraw.Draw(image)
    pen.rectangle((w * 0.08, h * 0.08, w * 0.92, h * 0.7), fill="#e4e1d6")
    pen.text((w / 2, h * 0.22), "DAILY", fill=BLACK, font=font("serif", round(h * 0.09)), anchor="ms")
    for i in range(7):
        pen.rectangle(
            (w * 0.14, h * (0.28 + 0.055 * i), w * (0.48 if i < 4 else 0.86), h * (0.3 + 0.055 * i)), fill="#55585c"
        )
    pen.rectangle((w * 0.54, h * 0.28, w * 0.86, h * 0.47), fill="#7a8a94")
    pen.rectangle((w * 0.3, h * 0.8, w * 0.7, h * 0.86), fill=BLACK)
    return image


def capsules(w: int, h: int) -> "Image":
    """A row of four capsule machines: windows full of coloured balls over cranks."""
    from PIL import ImageDraw

    image = _canvas(w, h, "#d9d6cc")
    pen = ImageDraw.Draw(image)
    tones = ("#e0453a", "#2f7fd0", "#e8b51f", "#3fae6a", "#b04fb0", "#f0ede4")
    for i in range(4):
        x0, x1 = w * (0.01 + 0.25 * i), w * (0.24 + 0.25 * i)
        pen.rectangle((x0, h * 0.02, x1, h * 0.98), fill=("#c8362e", "#2f6fb0", "#e8b51f", "#3a9a57")[i])
        pen.rectangle((x0 + w * 0.02, h * 0.07, x1 - w * 0.02, h * 0.55), fill="#e9eef0")
        r = w * 0.022
        for k in range(16):
            x = x0 + w * 0.04 + (k % 4) * w * 0.047
            y = h * (0.5 - 0.1 * (k // 4))
            pen.ellipse((x - r, y - r, x + r, y + r), fill=tones[(k * 7 + i * 3) % 6])
        pen.ellipse((x0 + w * 0.08, h * 0.62, x1 - w * 0.08, h * 0.78), fill=WHITE)
        pen.rectangle((x0 + w * 0.07, h * 0.84, x1 - w * 0.07, h * 0.95), fill=BLACK)
    return image


def screen(w: int, h: int) -> "Image":
    """A bright advertisement: a sun over hills and a word."""
    from PIL import ImageDraw

    image = _canvas(w, h, "#1c2a6a")
    pen = ImageDraw.Draw(image)
    for i in range(12):
        pen.rectangle((0, h * i / 12, w, h * (i + 1) / 12), fill=(40 + 16 * i, 40 + 6 * i, 140 - 4 * i))
    pen.ellipse((w * 0.56, h * 0.18, w * 0.86, h * 0.74), fill="#ffd34a")
    hills = [
        (0, h * 0.78),
        (w * 0.3, h * 0.5),
        (w * 0.52, h * 0.72),
        (w * 0.78, h * 0.46),
        (w, h * 0.7),
        (w, h),
        (0, h),
    ]
    pen.polygon(hills, fill="#123a4a")
    for i in range(9):
        a = math.tau * i / 9
        x, y = w * (0.24 + 0.13 * math.cos(a)), h * (0.32 + 0.2 * math.sin(a))
        pen.ellipse((x - 7, y - 7, x + 7, y + 7), fill="#ff5f8a")
    pen.text((w * 0.5, h * 0.93), "NEW HORIZON", fill="#ffffff", font=font("wide", round(h * 0.12)), anchor="ms")
    return image


MORE: "dict[str, Callable[[int, int], Image]]" = {
    **{kind: sign(kind) for kind in ("no_entry", "speed", "no_parking", "stop_sign", "give_way", "parking_sign",
                                     "crossing_sign", "one_way")},
    "taxi": flagged("TAXI", "#f2c230", BLACK),
    "minibus": flagged("MINIBUS", "#1f6b3f", WHITE),
    "menu_0": menu("#22282a", "#f0ece0", "TODAY"),
    "menu_1": menu("#efe8d4", "#7a2420", "MENU"),
    "news": newspapers,
    "capsules": capsules,
    "screen": screen,
}  # fmt: skip
