"""Sheet: a picture of a plan's bounds with a title, a scale and a key of its colours."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from citysim.build.plans import DRIVE_KINDS, CityPlan

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

MOST = 1600  # pixels of the longer side of the map
MARGIN, TITLE, KEY = 24, 64, 34  # pixels round the map, for the title, and for a row of the key
BAR = (50.0, 100.0, 200.0, 500.0)  # metres that a bar of scale may stand for
Rgb = tuple[int, int, int]

PAPER: Rgb = (244, 242, 236)
INK: Rgb = (40, 38, 36)
STREET: Rgb = (214, 212, 206)


@dataclass
class Sheet:
    """A picture of a plan's bounds, north up. `key` holds (color, what it means, "line", "dot" or "area")."""

    plan: CityPlan
    key: list[tuple[Rgb, str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        from PIL import Image, ImageDraw

        e0, n0, e1, n1 = self.plan.bounds
        self.scale = MOST / max(e1 - e0, n1 - n0)
        size = (max(round((e1 - e0) * self.scale), 1), max(round((n1 - n0) * self.scale), 1))
        self.image = Image.new("RGB", size, PAPER)
        self.pen: Any = ImageDraw.Draw(self.image)

    def at(self, points: Any) -> list[tuple[float, float]]:
        """Pixels of local points."""
        e0, _, _, n1 = self.plan.bounds
        return [((float(p[0]) - e0) * self.scale, (n1 - float(p[1])) * self.scale) for p in points]

    def area(self, polygon: Any, color: Rgb, outline: Rgb | None = None) -> None:
        """A filled polygon; its holes show paper."""
        self.pen.polygon(self.at(polygon.exterior.coords), fill=color, outline=outline)
        for ring in polygon.interiors:
            self.pen.polygon(self.at(ring.coords), fill=PAPER, outline=outline)

    def line(self, points: Any, color: Rgb, metres: float) -> None:
        """A line of a width in metres."""
        self.pen.line(self.at(points), fill=color, width=max(round(metres * self.scale), 1), joint="curve")

    def dot(self, xy: Sequence[float], color: Rgb, metres: float) -> None:
        """A disc."""
        (x, y), r = self.at([xy])[0], max(metres * self.scale / 2, 1.0)
        self.pen.ellipse((x - r, y - r, x + r, y + r), fill=color)

    def streets(self, color: Rgb = STREET) -> None:
        """All driven ways, as a background."""
        for way in self.plan.ways:
            if way.kind in DRIVE_KINDS:
                self.line(self.plan.line(way).coords, color, way.width)

    def buildings(self, color: Rgb = (232, 228, 222)) -> None:
        """All footprints, as a background."""
        for building in self.plan.buildings:
            self.area(building.polygon, color)

    def write(self, xy: Sequence[float], text: str, size: int, ink: Rgb) -> None:
        """Words in the middle of a place, with a halo of paper, wholly in the picture."""
        drawn, local = _font(size), self.at([xy])[0]
        half = drawn.getlength(text) / 2 + 4
        x = min(max(local[0], half), max(self.image.width - half, half))
        y = min(max(local[1], size), self.image.height - size)
        self.pen.text((x, y), text, fill=ink, font=drawn, anchor="mm", stroke_width=2, stroke_fill=PAPER)

    def framed(self, title: str) -> "Picture":
        """The picture below a title and above its key and a bar of scale."""
        from PIL import Image, ImageDraw

        width = self.image.width + 2 * MARGIN
        rows = self._rows(width - 2 * MARGIN - 330)
        foot = max(len(rows), 1) * KEY + MARGIN
        whole = Image.new("RGB", (width, TITLE + self.image.height + MARGIN + foot), PAPER)
        whole.paste(self.image, (MARGIN, TITLE))
        pen = ImageDraw.Draw(whole)
        corner = (MARGIN - 1, TITLE - 1, MARGIN + self.image.width, TITLE + self.image.height)
        pen.rectangle(corner, outline=(170, 166, 158))
        pen.text((MARGIN, TITLE / 2), title, fill=INK, font=_font(30), anchor="lm")
        top = TITLE + self.image.height + MARGIN
        for k, row in enumerate(rows):
            y, x = top + KEY * k + KEY / 2 - 4, float(MARGIN)
            for color, text, shape in row:
                _mark(pen, x, y, color, shape)
                pen.text((x + 32, y), text, fill=INK, font=_font(20), anchor="lm")
                x += _room(text)
        bar = max((b for b in BAR if b * self.scale < 300), default=BAR[0])
        x1, y = MARGIN + self.image.width, top + KEY / 2 - 4
        pen.line((x1 - bar * self.scale, y, x1, y), fill=INK, width=4)
        pen.text((x1 - bar * self.scale - 8, y), f"{bar:g} m", fill=INK, font=_font(20), anchor="rm")
        return whole

    def _rows(self, width: float) -> list[list[tuple[Rgb, str, str]]]:
        rows: list[list[tuple[Rgb, str, str]]] = []
        used = width + 1.0
        for entry in self.key:
            if used + _room(entry[1]) > width:
                rows.append([])
                used = 0.0
            rows[-1].append(entry)
            used += _room(entry[1])
        return rows


def _mark(pen: Any, x: float, y: float, color: Rgb, shape: str) -> None:
    if shape == "dot":
        pen.ellipse((x + 5, y - 8, x + 21, y + 8), fill=color)
    elif shape == "line":
        pen.line((x, y, x + 26, y), fill=color, width=6)
    else:
        pen.rectangle((x, y - 9, x + 26, y + 9), fill=color, outline=(150, 146, 140))


def _room(text: str) -> float:
    return float(_font(20).getlength(text)) + 32 + 26


def _font(size: int) -> Any:
    from PIL import ImageFont

    return ImageFont.load_default(size)
