"""Stages: one picture for every stage of a generator, north up: terrain, streets, blocks, buildings, facilities,
furniture, names, network.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.build.draft import CityDraft
from citysim.build.plans import DRIVE_KINDS, CityPlan
from citysim.storage import unwritable, write_atomic

MOST = 1600  # pixels of the longer side
Rgb = tuple[int, int, int]

PAPER: Rgb = (244, 242, 236)
ROAD: Rgb = (150, 150, 152)
AREAS: dict[str, Rgb] = {
    "water": (150, 190, 214), "park": (168, 204, 140), "grass": (184, 212, 150), "garden": (176, 206, 150),
    "scrub": (150, 184, 124), "square": (226, 212, 184), "paved": (216, 210, 200), "playground": (232, 200, 150),
    "pitch": (206, 176, 140), "parking": (200, 200, 204), "rail": (190, 176, 170), "island": (206, 206, 196),
}  # fmt: skip
FACILITIES: dict[str, Rgb] = {
    "stairs": (196, 60, 50), "escalator": (220, 130, 30), "footbridge": (40, 100, 190), "bridge": (70, 70, 170),
    "subway": (120, 60, 150), "crossing": (230, 190, 30), "retaining_wall": (90, 70, 50), "elevator": (20, 150, 140),
}  # fmt: skip
EDGES: dict[int, Rgb] = {
    1: (60, 110, 190), 2: (20, 150, 140), 4: (120, 60, 150), 5: (150, 150, 150), 8: (220, 130, 30), 12: (196, 60, 50),
    30: (200, 160, 20), 31: (230, 190, 30), 32: (200, 180, 100),
}  # fmt: skip


@dataclass
class Sheet:
    """A picture of a plan's bounds."""

    plan: CityPlan

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

    def streets(self, color: Rgb = (214, 212, 206)) -> None:
        """All driven ways, as a background."""
        for way in self.plan.ways:
            if way.kind in DRIVE_KINDS:
                self.line(self.plan.line(way).coords, color, way.width)


def draw_stages(draft: CityDraft) -> dict[str, bytes]:
    """PNG files by name, in the order of the stages. `draft` is assembled already."""
    stages: tuple[tuple[str, Callable[[Sheet, CityDraft], None]], ...] = (
        ("1-terrain", _terrain), ("2-streets", _streets), ("3-blocks", _blocks), ("4-buildings", _buildings),
        ("5-facilities", _facilities), ("6-furniture", _furniture), ("7-names", _names), ("8-network", _network),
    )  # fmt: skip
    made = {}
    for name, draw in stages:
        sheet = Sheet(draft.plan)
        draw(sheet, draft)
        raw = BytesIO()
        sheet.image.save(raw, "PNG")
        made[f"{name}.png"] = raw.getvalue()
    return made


def write_stages(draft: CityDraft, folder: Path) -> None:
    """Write the pictures of all stages into a folder, which is made if need be. Raises StorageError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(folder, error) from None
    for name, data in draw_stages(draft).items():
        write_atomic(folder / name, data)


def _terrain(sheet: Sheet, draft: CityDraft) -> None:
    """Heights as colours, slopes as shade."""
    from PIL import Image

    plan = draft.plan
    e0, n0, e1, n1 = plan.bounds
    width, height = sheet.image.size
    x, y = np.meshgrid(np.linspace(e0 + 0.1, e1 - 0.1, width // 2), np.linspace(n1 - 0.1, n0 + 0.1, height // 2))
    z = np.zeros(x.shape)
    if plan.terrain is not None:
        z = plan.terrain.heights(np.column_stack([x.ravel(), y.ravel()])).reshape(x.shape)
    span = max(float(z.max() - z.min()), 1.0)
    t = ((z - z.min()) / span)[..., None]
    color = (1 - t) * np.array([150.0, 186.0, 140.0]) + t * np.array([216.0, 186.0, 148.0])
    step = 2.0 / sheet.scale
    dy, dx = np.gradient(z, step)
    shade = np.clip(1.0 + 0.5 * (dx - dy) / (1.0 + np.hypot(dx, dy)), 0.45, 1.25)[..., None]
    pixels: NDArray[np.uint8] = np.clip(color * shade, 0, 255).astype(np.uint8)
    sheet.image.paste(Image.fromarray(pixels).resize((width, height)))


def _streets(sheet: Sheet, draft: CityDraft) -> None:
    """Carriageways by width, and the lines people walk along."""
    sheet.streets(ROAD)
    for way in draft.plan.ways:
        if way.kind not in DRIVE_KINDS:
            color = {"steps": (196, 60, 50), "crossing": (230, 190, 30), "escalator": (220, 130, 30)}.get(way.kind)
            sheet.line(draft.plan.line(way).coords, color or (60, 110, 190), 1.2)


def _blocks(sheet: Sheet, draft: CityDraft) -> None:
    """Uses of the ground and the outlines of lots that are built on."""
    for area in draft.plan.areas:
        sheet.area(area.polygon, AREAS.get(area.kind, (208, 206, 200)))
    sheet.streets()
    for building in draft.plan.buildings:
        if building.parent is None:
            sheet.area(building.polygon, (232, 226, 216), (130, 120, 110))


def _buildings(sheet: Sheet, draft: CityDraft) -> None:
    """Footprints, darker the taller, with their main doors."""
    sheet.streets()
    for building in sorted(draft.plan.buildings, key=lambda b: b.height):
        t = min(building.height / 100.0, 1.0) ** 0.6
        color = (round(226 - 150 * t), round(206 - 150 * t), round(188 - 110 * t))
        sheet.area(building.polygon, color, (80, 70, 66))
        for door in building.entrances:
            sheet.dot(door.xy, (196, 60, 50), 1.6)


def _facilities(sheet: Sheet, draft: CityDraft) -> None:
    """Stairs, escalators, bridges, subways, crossings and retaining walls, by colour."""
    sheet.streets()
    for building in draft.plan.buildings:
        sheet.area(building.polygon, (232, 228, 222))
    for thing in draft.objects:
        if thing.category in FACILITIES:
            e0, n0, _, e1, n1, _ = thing.bounds
            corners = [(e0, n0), (e1, n0), (e1, n1), (e0, n1)]
            sheet.pen.polygon(sheet.at(corners), fill=FACILITIES[thing.category])


def _furniture(sheet: Sheet, draft: CityDraft) -> None:
    """Every piece where it stands; a kind has a colour."""
    sheet.streets()
    for building in draft.plan.buildings:
        sheet.area(building.polygon, (232, 228, 222))
    kinds = sorted({prop.kind for prop in draft.plan.props})
    colors = {kind: _hue(k / max(len(kinds), 1)) for k, kind in enumerate(kinds)}
    for prop in draft.plan.props:
        at = draft.object_of.get(prop.id)
        if at is not None:
            tree = prop.kind == "tree"
            place = draft.objects[at - 1].position
            sheet.dot(place, (90, 150, 80) if tree else colors[prop.kind], 4.0 if tree else 1.8)


def _hue(t: float) -> Rgb:
    import colorsys

    r, g, b = colorsys.hsv_to_rgb(t, 0.75, 0.8)
    return round(255 * r), round(255 * g), round(255 * b)


def _names(sheet: Sheet, draft: CityDraft) -> None:
    """Names of streets along them and dots for places, the landmarks among the buildings by name."""
    from PIL import ImageFont

    sheet.streets()
    for building in draft.plan.buildings:
        sheet.area(building.polygon, (232, 228, 222))
    for place in draft.places:
        sheet.dot(place.entrance, (40, 100, 190), 2.0)
    large, small = ImageFont.load_default(15), ImageFont.load_default(11)
    for thing in draft.objects:
        if thing.category == "street" and thing.name:
            x, y = sheet.at([thing.position])[0]
            sheet.pen.text((x, y), thing.name, fill=(120, 30, 30), font=large, anchor="mm")
    for building in draft.plan.buildings:
        if building.name:
            x, y = sheet.at([building.polygon.representative_point().coords[0]])[0]
            sheet.pen.text((x, y), building.name, fill=(20, 20, 20), font=small, anchor="mm")


def _network(sheet: Sheet, draft: CityDraft) -> None:
    """The walkable lines by FeatureType."""
    for building in draft.plan.buildings:
        sheet.area(building.polygon, (232, 228, 222))
    for edge in draft.edges:
        sheet.line(edge.line, EDGES.get(edge.attributes["FeatureType"], (90, 90, 90)), 1.2)
