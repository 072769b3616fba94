"""Stages: one picture for every stage of a generator, north up: terrain, streets, blocks, buildings, facilities,
furniture, names, network.
"""

from collections import Counter
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from citysim.build.draft import CityDraft
from citysim.build.mesh import FINEST
from citysim.build.plans import DRIVE_KINDS
from citysim.build.stagesheet import STREET, Rgb, Sheet
from citysim.storage import unwritable, write_atomic

ROAD: Rgb = (150, 150, 152)
RED, BLUE, YELLOW, ORANGE = (196, 60, 50), (60, 110, 190), (230, 190, 30), (220, 130, 30)
TEAL, VIOLET, GREEN, WALL = (20, 150, 140), (120, 60, 150), (90, 150, 80), (90, 70, 50)
HOUSE: Rgb = (232, 228, 222)
LOT: Rgb = (232, 226, 216)
AREAS: dict[str, Rgb] = {
    "water": (150, 190, 214), "park": (168, 204, 140), "grass": (184, 212, 150), "garden": (176, 206, 150),
    "scrub": (150, 184, 124), "square": (226, 212, 184), "paved": (216, 210, 200), "playground": (232, 200, 150),
    "pitch": (206, 176, 140), "parking": (200, 200, 204), "rail": (190, 176, 170), "island": (206, 206, 196),
}  # fmt: skip
WALKED: dict[str, Rgb] = {"steps": RED, "escalator": ORANGE, "crossing": YELLOW, "elevator": TEAL}
FACILITIES: dict[str, Rgb] = {
    "retaining_wall": WALL, "crossing": YELLOW, "subway": VIOLET, "bridge": (70, 70, 170), "footbridge": (40, 100, 190),
    "stairs": RED, "escalator": ORANGE, "lift": TEAL,
}  # fmt: skip
EDGES: dict[int, tuple[Rgb, str]] = {
    1: (BLUE, "footway"), 2: ((40, 150, 210), "footbridge"), 4: (VIOLET, "subway"), 5: ((150, 150, 150), "lane"),
    6: ((110, 140, 120), "island"), 8: (ORANGE, "escalator"), 10: (TEAL, "lift"), 11: ((170, 110, 60), "ramp"),
    12: (RED, "stairs"), 23: (GREEN, "path"), 24: (GREEN, "path"), 30: ((200, 160, 20), "signalled crossing"),
    31: (YELLOW, "zebra"), 32: ((200, 180, 100), "crossing without marks"),
}  # fmt: skip
KINDS = 22  # of furniture that the key names, the most frequent


def draw_stages(draft: CityDraft) -> dict[str, bytes]:
    """PNG files by name, in the order of the stages. `draft` is assembled already."""
    stages: tuple[tuple[str, Callable[[Sheet, CityDraft], str]], ...] = (
        ("terrain", _terrain), ("streets", _streets), ("blocks", _blocks), ("buildings", _buildings),
        ("facilities", _facilities), ("furniture", _furniture), ("names", _names), ("network", _network),
    )  # fmt: skip
    made = {}
    for number, (name, draw) in enumerate(stages, 1):
        sheet = Sheet(draft.plan)
        said = draw(sheet, draft)
        raw = BytesIO()
        sheet.framed(f"{draft.plan.name} - {number} {name}: {said}").save(raw, "PNG")
        made[f"{number}-{name}.png"] = raw.getvalue()
    return made


def write_stages(draft: CityDraft, folder: Path) -> None:
    """Write the pictures of all stages into a folder, which is made if need be. Raises StorageError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(folder, error) from None
    for name, data in draw_stages(draft).items():
        write_atomic(folder / name, data)


def _terrain(sheet: Sheet, draft: CityDraft) -> str:
    """Heights as colours, slopes as shade."""
    from PIL import Image

    plan = draft.plan
    e0, n0, e1, n1 = plan.bounds
    width, height = sheet.image.size
    x, y = np.meshgrid(np.linspace(e0 + 0.1, e1 - 0.1, width // 2), np.linspace(n1 - 0.1, n0 + 0.1, height // 2))
    z = np.zeros(x.shape)
    if plan.terrain is not None:
        z = plan.terrain.heights(np.column_stack([x.ravel(), y.ravel()])).reshape(x.shape)
    low, high = float(z.min()), float(z.max())
    t = ((z - low) / max(high - low, 1.0))[..., None]
    valley, hill = np.array([150.0, 186.0, 140.0]), np.array([216.0, 186.0, 148.0])
    step = 2.0 / sheet.scale
    dy, dx = np.gradient(z, step)
    shade = np.clip(1.0 + 0.5 * (dx - dy) / (1.0 + np.hypot(dx, dy)), 0.45, 1.25)[..., None]
    pixels: NDArray[np.uint8] = np.clip(((1 - t) * valley + t * hill) * shade, 0, 255).astype(np.uint8)
    sheet.image.paste(Image.fromarray(pixels).resize((width, height)))
    for k in range(5):
        r, g, b = (round(float(v)) for v in valley + (hill - valley) * k / 4 * (high - low > 0.05))
        sheet.key.append(((r, g, b), f"{low + (high - low) * k / 4:.1f} m", "area"))
        if high - low <= 0.05:
            break
    return f"ground from {low:.1f} to {high:.1f} m" if high - low > 0.05 else "level ground"


def _streets(sheet: Sheet, draft: CityDraft) -> str:
    """Carriageways by width, and the lines people walk along."""
    sheet.streets(ROAD)
    drawn = set()
    for way in draft.plan.ways:
        if way.kind not in DRIVE_KINDS:
            drawn.add(way.kind if way.kind in WALKED else "")
            sheet.line(draft.plan.line(way).coords, WALKED.get(way.kind, BLUE), 1.2)
    sheet.key = [(ROAD, "carriageway", "area"), (BLUE, "pavement or path", "line")]
    sheet.key += [(color, kind, "line") for kind, color in WALKED.items() if kind in drawn]
    names = {way.name for way in draft.plan.ways if way.name and way.kind in DRIVE_KINDS}
    return f"{len(names)} named streets, {len(draft.plan.crossings)} crossings"


def _blocks(sheet: Sheet, draft: CityDraft) -> str:
    """Uses of the ground and the outlines of lots that are built on."""
    used = []
    for area in draft.plan.areas:
        sheet.area(area.polygon, AREAS.get(area.kind, (208, 206, 200)))
        if area.kind not in used and area.kind in AREAS:
            used.append(area.kind)
    sheet.streets()
    lots = [b for b in draft.plan.buildings if b.parent is None]
    for building in lots:
        sheet.area(building.polygon, LOT, (130, 120, 110))
    sheet.key = [(LOT, "built on", "area"), (STREET, "street", "area")]
    sheet.key += [(AREAS[kind], kind, "area") for kind in sorted(used)]
    return f"{len(lots)} lots built on, {len(draft.plan.areas)} open areas"


def _buildings(sheet: Sheet, draft: CityDraft) -> str:
    """Footprints, darker the taller, with their main doors."""
    sheet.streets()
    buildings = sorted(draft.plan.buildings, key=lambda b: b.height)
    for building in buildings:
        sheet.area(building.polygon, _by_height(building.height), (80, 70, 66))
        for door in building.entrances:
            sheet.dot(door.xy, RED, 1.6)
    sheet.key = [(_by_height(h), f"{h:g} m", "area") for h in (5.0, 15.0, 30.0, 60.0, 100.0)]
    sheet.key.append((RED, "main door", "dot"))
    tallest = buildings[-1].height if buildings else 0.0
    return f"{len(buildings)}, the tallest {tallest:.0f} m"


def _by_height(height: float) -> Rgb:
    t = min(height / 100.0, 1.0) ** 0.6
    return round(226 - 150 * t), round(206 - 150 * t), round(188 - 110 * t)


def _facilities(sheet: Sheet, draft: CityDraft) -> str:
    """Stairs, escalators, lifts, bridges, subways, crossings and retaining walls, by colour."""
    sheet.streets()
    sheet.buildings()
    of_label = {thing.id: thing.category for thing in draft.objects if thing.category in FACILITIES}
    found = Counter(of_label.values())
    parts = [p for p in draft.mesh.parts if p.label in of_label and p.detail in FINEST]
    for category, color in FACILITIES.items():
        for part in parts:
            if of_label[part.label] == category:
                for corners in part.positions[part.triangles][:, :, :2]:
                    sheet.pen.polygon(sheet.at(corners), fill=color, outline=color)
    sheet.key = [
        (color, f"{category.replace('_', ' ')}: {found[category]}", "area")
        for category, color in FACILITIES.items()
        if found[category]
    ]
    return "stairs, bridges, crossings and walls"


def _furniture(sheet: Sheet, draft: CityDraft) -> str:
    """Every piece where it stands; a kind has a colour."""
    sheet.streets()
    sheet.buildings()
    stood = [(p.kind, draft.object_of[p.id]) for p in draft.plan.props if p.id in draft.object_of]
    kinds = Counter(kind for kind, _ in stood)
    order = sorted(kinds, key=lambda kind: (-kinds[kind], kind))
    colors = {kind: GREEN if kind == "tree" else _hue(k) for k, kind in enumerate(order)}
    for kind, at in sorted(stood, key=lambda s: s[0] != "tree"):
        sheet.dot(draft.objects[at - 1].position, colors[kind], 4.0 if kind == "tree" else 1.8)
    sheet.key = [(colors[kind], f"{kind.replace('_', ' ')}: {kinds[kind]}", "dot") for kind in order[:KINDS]]
    return f"{len(stood)} pieces of {len(order)} kinds"


def _hue(number: int) -> Rgb:
    """A colour unlike those of the numbers before: turns by the golden section, by turns bright and dark."""
    import colorsys

    r, g, b = colorsys.hsv_to_rgb(number * 0.618 % 1.0, 0.85, (0.85, 0.5)[number % 2])
    return round(255 * r), round(255 * g), round(255 * b)


def _names(sheet: Sheet, draft: CityDraft) -> str:
    """Names of streets along them and dots for places, the landmarks among the buildings by name."""
    sheet.streets()
    sheet.buildings()
    for place in draft.places:
        sheet.dot(place.entrance, BLUE, 2.0)
    streets = [thing for thing in draft.objects if thing.category == "street" and thing.name]
    for building in draft.plan.buildings:
        if building.name:
            sheet.write(building.polygon.representative_point().coords[0], building.name, 13, (20, 20, 20))
    for thing in streets:
        sheet.write(thing.position, thing.name, 18, (120, 30, 30))
    sheet.key = [(BLUE, "place", "dot"), ((120, 30, 30), "street", "line"), ((20, 20, 20), "building", "line")]
    return f"{len(streets)} streets, {len(draft.places)} places"


def _network(sheet: Sheet, draft: CityDraft) -> str:
    """The walkable lines by FeatureType."""
    sheet.buildings()
    metres: Counter[int] = Counter()
    for edge in draft.edges:
        feature = edge.attributes["FeatureType"]
        metres[feature] += round(float(np.hypot(*np.diff(edge.line[:, :2], axis=0).T).sum()))
        sheet.line(edge.line, EDGES.get(feature, ((90, 90, 90), ""))[0], 1.2)
    for edge in draft.edges:
        if edge.attributes["FeatureType"] == 10:
            sheet.dot(edge.line[0], EDGES[10][0], 5.0)
    sheet.key = [(color, what, "line") for feature, (color, what) in EDGES.items() if feature in metres]
    return f"{len(draft.edges)} edges, {sum(metres.values()) / 1000:.1f} km"
