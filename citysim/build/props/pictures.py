"""The pictures on the props page, drawn with Pillow."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from citysim.fonts.faces import font

if TYPE_CHECKING:
    from PIL.Image import Image


def _canvas(w: int, h: int, color: str) -> "Image":
    from PIL import Image

    return Image.new("RGB", (w, h), color)


def vending(color: str, word: str) -> "Callable[[int, int], Image]":
    """A lit window with rows of bottles above buttons and a slot."""

    def draw(w: int, h: int) -> "Image":
        from PIL import ImageDraw

        image = _canvas(w, h, color)
        pen = ImageDraw.Draw(image)
        pen.rectangle((w * 0.08, h * 0.16, w * 0.92, h * 0.62), fill="#e8eef0")
        tones = ("#c8362e", "#2f6fb0", "#3a9a57", "#e0a52c", "#7a4a9a", "#e9e4d6")
        for row in range(3):
            for col in range(7):
                x, y = w * (0.12 + 0.112 * col), h * (0.185 + 0.145 * row)
                pen.rectangle((x, y + h * 0.02, x + w * 0.075, y + h * 0.105), fill=tones[(row * 3 + col * 5) % 6])
                pen.rectangle((x + w * 0.022, y, x + w * 0.053, y + h * 0.02), fill="#444444")
                pen.rectangle((x, y + h * 0.112, x + w * 0.075, y + h * 0.122), fill="#2b2b2b")
        pen.rectangle((w * 0.62, h * 0.67, w * 0.9, h * 0.8), fill="#30343a")
        pen.rectangle((w * 0.12, h * 0.82, w * 0.88, h * 0.93), fill="#1c1e22")
        size = font("round", round(h * 0.055))
        pen.text((w / 2, h * 0.11), word, fill="#ffffff", font=size, anchor="ms")
        return image

    return draw


def poster(ground: str, ink: str, words: tuple[str, str], shape: str) -> "Callable[[int, int], Image]":
    """A poster with one large form and two words."""

    def draw(w: int, h: int) -> "Image":
        from PIL import ImageDraw

        image = _canvas(w, h, ground)
        pen = ImageDraw.Draw(image)
        if shape == "disc":
            pen.ellipse((w * 0.12, h * 0.2, w * 0.88, h * 0.7), fill=ink)
        elif shape == "bars":
            for i in range(6):
                pen.rectangle((w * (0.1 + 0.14 * i), h * (0.62 - 0.07 * i), w * (0.2 + 0.14 * i), h * 0.7), fill=ink)
        elif shape == "hill":
            pen.polygon(
                [(0, h * 0.72), (w * 0.35, h * 0.3), (w * 0.55, h * 0.52), (w * 0.75, h * 0.36), (w, h * 0.72)],
                fill=ink,
            )
        else:
            for i in range(5):
                pen.arc((w * 0.1, h * (0.1 + 0.1 * i), w * 0.9, h * (0.4 + 0.1 * i)), 20, 160, fill=ink, width=w // 16)
        pen.text((w / 2, h * 0.16), words[0], fill=ink, font=font("poster", round(h * 0.09)), anchor="ms")
        pen.text((w / 2, h * 0.9), words[1], fill=ink, font=font("sans", round(h * 0.055)), anchor="ms")
        return image

    return draw


def lens(color: str, glyph: str = "") -> "Callable[[int, int], Image]":
    """A round lamp on black, or a walking or standing figure of that colour."""

    def draw(w: int, h: int) -> "Image":
        from PIL import ImageDraw

        image = _canvas(w, h, "#16181a")
        pen = ImageDraw.Draw(image)
        if not glyph:
            pen.ellipse((w * 0.08, h * 0.08, w * 0.92, h * 0.92), fill=color)
            return image
        pen.ellipse((w * 0.41, h * 0.06, w * 0.59, h * 0.24), fill=color)
        pen.rounded_rectangle((w * 0.38, h * 0.26, w * 0.62, h * 0.6), w // 16, fill=color)
        spread = 0.2 if glyph == "walk" else 0.07
        for side in (-1, 1):
            pen.line((w * 0.5, h * 0.56, w * (0.5 + side * spread), h * 0.94), fill=color, width=w // 8)
            pen.line((w * 0.5, h * 0.32, w * (0.5 + side * (spread + 0.1)), h * 0.58), fill=color, width=w // 11)
        return image

    return draw


def stop_sign(word: str, color: str, side: str) -> "Callable[[int, int], Image]":
    """A blue or yellow square with a vehicle front and its letter."""

    def draw(w: int, h: int) -> "Image":
        from PIL import ImageDraw

        image = _canvas(w, h, color)
        pen = ImageDraw.Draw(image)
        pen.rounded_rectangle((w * 0.24, h * 0.12, w * 0.76, h * 0.76), w // 14, fill=side)
        pen.rectangle((w * 0.3, h * 0.24, w * 0.7, h * 0.48), fill=color)
        for x in (0.34, 0.66):
            pen.ellipse((w * (x - 0.05), h * 0.56, w * (x + 0.05), h * 0.66), fill=color)
            pen.rectangle((w * (x - 0.06), h * 0.76, w * (x + 0.06), h * 0.86), fill=side)
        pen.text((w * 0.5, h * 0.43), word, fill=side, font=font("sans", round(h * 0.15)), anchor="ms")
        return image

    return draw


def clock(w: int, h: int) -> "Image":
    """A clock face at ten past ten."""
    from PIL import ImageDraw

    image = _canvas(w, h, "#2b3034")
    pen = ImageDraw.Draw(image)
    pen.ellipse((w * 0.03, h * 0.03, w * 0.97, h * 0.97), fill="#f1efe6")
    for i in range(12):
        c, s = math.cos(i * math.pi / 6), math.sin(i * math.pi / 6)
        pen.line(
            (w * (0.5 + 0.34 * c), h * (0.5 + 0.34 * s), w * (0.5 + 0.43 * c), h * (0.5 + 0.43 * s)),
            fill="#222222",
            width=w // 26,
        )
    pen.line((w * 0.5, h * 0.5, w * 0.28, h * 0.36), fill="#222222", width=w // 20)
    pen.line((w * 0.5, h * 0.5, w * 0.78, h * 0.3), fill="#222222", width=w // 30)
    return image


def labelled(ground: str, ink: str, word: str, mark: str) -> "Callable[[int, int], Image]":
    """A metal front with a word and a slot, keypad, louvres or a panel."""

    def draw(w: int, h: int) -> "Image":
        from PIL import ImageDraw

        image = _canvas(w, h, ground)
        pen = ImageDraw.Draw(image)
        if mark == "slot":
            pen.rectangle((w * 0.14, h * 0.2, w * 0.86, h * 0.28), fill="#20242a")
            pen.arc((w * 0.25, h * 0.5, w * 0.75, h * 0.82), 200, 340, fill=ink, width=w // 14)
        elif mark == "keys":
            pen.rectangle((w * 0.2, h * 0.18, w * 0.8, h * 0.34), fill="#a9bfae")
            for i in range(12):
                x, y = w * (0.26 + 0.18 * (i % 3)), h * (0.42 + 0.1 * (i // 3))
                pen.rectangle((x, y, x + w * 0.12, y + h * 0.06), fill="#e3e3de")
        elif mark == "louvres":
            for i in range(6):
                pen.line(
                    (w * 0.1, h * (0.12 + 0.05 * i), w * 0.9, h * (0.12 + 0.05 * i)), fill="#20242a", width=h // 60
                )
            pen.line((w * 0.5, h * 0.02, w * 0.5, h * 0.98), fill="#20242a", width=w // 60)
            pen.rectangle((w * 0.53, h * 0.5, w * 0.57, h * 0.6), fill="#20242a")
        else:
            for i in range(3):
                a = math.radians(120 * i - 90)
                x, y = w * (0.5 + 0.2 * math.cos(a)), h * (0.42 + 0.2 * math.sin(a))
                pen.polygon([(x - w * 0.12, y + h * 0.09), (x + w * 0.12, y + h * 0.09), (x, y - h * 0.12)], fill=ink)
        pen.text(
            (w / 2, h * (0.15 if mark == "slot" else 0.94)),
            word,
            fill=ink,
            font=font("sans", round(h * 0.085)),
            anchor="ms",
        )
        return image

    return draw


def bicycle(w: int, h: int) -> "Image":
    """A bicycle from the side on a transparent ground."""
    from PIL import Image, ImageDraw

    image = Image.new("RGBA", (w, h), (40, 44, 50, 0))
    pen = ImageDraw.Draw(image)
    r = h * 0.31
    rear, front, low = (w * 0.22, h * 0.66), (w * 0.78, h * 0.66), (w * 0.45, h * 0.66)
    seat, head = (w * 0.36, h * 0.26), (w * 0.68, h * 0.22)
    for x, y in (rear, front):
        pen.ellipse((x - r, y - r, x + r, y + r), outline="#1b1c1e", width=h // 26)
        for i in range(6):
            c, s = r * math.cos(i * math.pi / 6), r * math.sin(i * math.pi / 6)
            pen.line((x - c, y - s, x + c, y + s), fill="#70757a", width=h // 90)
    for a, b in ((rear, low), (low, head), (seat, head), (seat, low), (rear, seat), (head, front)):
        pen.line((*a, *b), fill="#8f2f2a", width=h // 22)
    pen.line(
        (head[0], head[1], head[0] - w * 0.01, h * 0.1, head[0] - w * 0.09, h * 0.09), fill="#2a2c30", width=h // 24
    )
    pen.line((seat[0], seat[1], seat[0] - w * 0.012, h * 0.17), fill="#2a2c30", width=h // 26)
    pen.rounded_rectangle((seat[0] - w * 0.08, h * 0.13, seat[0] + w * 0.04, h * 0.18), h // 40, fill="#2a2018")
    pen.rectangle((w * 0.12, h * 0.31, w * 0.34, h * 0.34), fill="#3c4046")
    return image


def window(w: int, h: int) -> "Image":
    """A kiosk's counter window: shelves of goods behind a lit hatch."""
    from PIL import ImageDraw

    image = _canvas(w, h, "#5b3b2a")
    pen = ImageDraw.Draw(image)
    pen.rectangle((w * 0.04, h * 0.08, w * 0.96, h * 0.92), fill="#3a3128")
    tones = ("#c8362e", "#2f6fb0", "#e0a52c", "#e9e4d6", "#3a9a57", "#b0643a")
    for row in range(3):
        y = h * (0.14 + 0.26 * row)
        for col in range(14):
            x = w * (0.07 + 0.062 * col)
            tall = 0.12 + 0.07 * ((row * 5 + col * 3) % 3) / 2
            pen.rectangle((x, y + h * (0.2 - tall), x + w * 0.045, y + h * 0.2), fill=tones[(row * 7 + col * 5) % 6])
        pen.rectangle((w * 0.05, y + h * 0.2, w * 0.95, y + h * 0.22), fill="#d9c9a0")
    pen.rectangle((w * 0.38, h * 0.3, w * 0.62, h * 0.92), fill="#e8dcc0")
    return image


def flag(w: int, h: int) -> "Image":
    """A white flag with a blue Nordic cross."""
    from PIL import ImageDraw

    image = _canvas(w, h, "#f2f2ee")
    pen = ImageDraw.Draw(image)
    pen.rectangle((w * 0.28, 0, w * 0.45, h), fill="#1f4a94")
    pen.rectangle((0, h * 0.37, w, h * 0.63), fill="#1f4a94")
    return image


def town_map(w: int, h: int) -> "Image":
    """A map board: blocks, a park and a shore."""
    from PIL import ImageDraw

    image = _canvas(w, h, "#f0ead8")
    pen = ImageDraw.Draw(image)
    for i in range(5):
        for j in range(5):
            tone = "#b9cf9a" if (i, j) in ((1, 2), (3, 3)) else "#d9c3a4"
            pen.rectangle(
                (w * (0.06 + 0.18 * i), h * (0.06 + 0.18 * j), w * (0.2 + 0.18 * i), h * (0.2 + 0.18 * j)), fill=tone
            )
    pen.polygon([(w * 0.6, h), (w, h * 0.62), (w, h)], fill="#8fb6c9")
    pen.ellipse((w * 0.42, h * 0.4, w * 0.5, h * 0.48), fill="#c8362e")
    return image


def goods(w: int, h: int) -> "Image":
    """Crates of fruit seen from above."""
    from PIL import ImageDraw

    image = _canvas(w, h, "#7a5a38")
    pen = ImageDraw.Draw(image)
    tones = ("#c8362e", "#e08a2c", "#e3c233", "#6f9a3a", "#8a2f4a", "#d9b06a")
    for i in range(3):
        for j in range(2):
            x0, y0 = w * (0.03 + 0.325 * i), h * (0.04 + 0.48 * j)
            pen.rectangle((x0, y0, x0 + w * 0.29, y0 + h * 0.44), fill="#4a3522")
            for k in range(20):
                x, y = x0 + w * (0.02 + 0.065 * (k % 4)), y0 + h * (0.02 + 0.083 * (k // 4))
                pen.ellipse((x, y, x + w * 0.06, y + h * 0.08), fill=tones[i * 2 + j])
    return image


PICTURES: "dict[str, Callable[[int, int], Image]]" = {
    "vending_0": vending("#b3262b", "COLD"),
    "vending_1": vending("#1f5fa8", "WATER"),
    "poster_0": poster("#e3c54a", "#23305a", ("JAZZ", "19:00"), "disc"),
    "poster_1": poster("#1f4d5a", "#f0d9b0", ("MUSEUM", "SEA AND SKY"), "waves"),
    "poster_2": poster("#c9412f", "#f4efe2", ("THEATRE", "TONIGHT"), "bars"),
    "poster_3": poster("#e9e2d0", "#2e6b4a", ("NORTH", "BY TRAIN"), "hill"),
    "kiosk": window,
    "bus": stop_sign("BUS", "#1c4f9c", "#f4f4f0"),
    "tram": stop_sign("TR", "#e0b52c", "#20242a"),
    "clock": clock,
    "post": labelled("#e58a1f", "#2a2c30", "POSTI", "slot"),
    "phone": labelled("#2c4f6b", "#f4f4f0", "PUH", "keys"),
    "cabinet": labelled("#6f7a72", "#e6e6e0", "", "louvres"),
    "red": lens("#e2392e"),
    "amber": lens("#5a4a1c"),
    "green": lens("#1c4a30"),
    "stop": lens("#e2392e", "stand"),
    "walk": lens("#1f5a36", "walk"),
    "dark": lens("#2a2c2e"),
    "meter": labelled("#3a4046", "#e6e6e0", "P", "keys"),
    "recycling": labelled("#3f7a4a", "#f0f0e8", "PAPERI", "triangle"),
    "flag": flag,
    "map": town_map,
    "goods": goods,
}
