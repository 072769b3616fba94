"""The table of styles and the choice among them."""

import math

from citysim.build.buildings.strips import NAVE_ROWS, PAGE, Strip, strip
from citysim.build.buildings.style import Style
from citysim.build.buildings.styles_akiba import AKIBA
from citysim.build.buildings.styles_garden import GARDEN
from citysim.build.buildings.styles_grid import GRID
from citysim.build.buildings.styles_harbour import HARBOUR
from citysim.build.buildings.styles_oldtown import OLDTOWN
from citysim.build.chance import Chance
from citysim.build.plans import BuildingPlan

PLASTER = (
    "#d8c7a5", "#c9a98a", "#b9b8a6", "#a8b4b8", "#e0d2ac", "#d6b48c", "#c9bda6", "#d2c9ba", "#cfa48c", "#b3bca4",
    "#dcd5c4", "#c2b092",
)  # fmt: skip
STONE = ("#b5ada3", "#c9b79a", "#bfae98", "#a9a296", "#cbbfa8", "#b8a38c", "#9fa19b", "#c4b49b")
MODERN = ("#d2d0c8", "#bdbab0", "#c9c0ae", "#aeb3b3", "#d6cdb8", "#b7a994", "#c4c8c6", "#a8a196")
BRICK = ("#8a4a36", "#9b5642", "#93553f", "#a0644c", "#7f4634", "#a87358")
GLASS = ("#dfe4e6", "#c8d2d6", "#b8c4c8", "#d8dcd8", "#a9b6bb")
METAL = ("#9aa1a3", "#b5b4ae", "#7f8a86", "#a39a8c", "#8a8f94", "#6f7c76")
CHURCH = ("#e2ddd0", "#d9cfb8", "#cfc6b8", "#dcd2bd")


TOWN_SHOPS = (("glass", 3.0), ("glass2", 3.0), ("window", 0.6))
TOWN_HOMES = (("window", 5.0), ("blank", 0.6), ("lobby", 0.3))
OLD: dict[str, object] = {
    "fronts": "front/town", "shops": TOWN_SHOPS, "homes": TOWN_HOMES, "pitch": 30.0,
    "plant": (("dormer", 0.65), ("chimney", 0.0)),
}  # fmt: skip
CLASSICAL = OLD | {
    "forms": (("gabled", 0.45), ("hipped", 0.25), ("mansard", 0.2), ("flat", 0.1)), "roofs": ("seam", "seam", "tile"),
}  # fmt: skip
JUGEND = OLD | {
    "forms": (("mansard", 0.45), ("gabled", 0.25), ("hipped", 0.2), ("flat", 0.1)), "roofs": ("seam", "tile"),
}  # fmt: skip
MODERN_FRONTS: dict[str, object] = {
    "fronts": "front/town", "shops": (("glass", 3.0), ("glass2", 2.0), ("lobby", 0.6)), "ground_height": 3.8,
    "homes": (("window", 4.0), ("blank", 1.0), ("garage", 0.3), ("lobby", 0.5)),
}  # fmt: skip


def _ordinary(bays: int, width: int = PAGE) -> dict[str, Strip]:
    return {name: strip(name, bays, width) for name in ("shop", "ground", "a", "b", "attic")}


def _style(name: str, bays: int, plain: str, base: str, palette: tuple[str, ...], **rest: object) -> Style:
    width = int(str(rest.pop("width", PAGE)))
    rows = _ordinary(bays, width)
    return Style(
        name, f"facade/{name}", plain, base, palette, (rows["a"], rows["b"]), rows["ground"], rows["shop"],
        rows["attic"], **rest,  # type: ignore[arg-type]
    )  # fmt: skip


STYLES: dict[str, Style] = {
    s.name: s
    for s in (
        _style("classical", 6, "plaster", "#e6e2da", PLASTER, cornice=0.42, **CLASSICAL),
        _style("jugend", 5, "plaster", "#e6e2da", STONE, cornice=0.3, ground_height=4.2, **JUGEND),
        _style("functional", 4, "concrete", "#dedbd2", MODERN, cornice=0.06, balconies=0.3, **MODERN_FRONTS),
        _style("glass", 5, "metal", "#d5d9da", GLASS, width=512, ground_height=4.4),
        _style("brick", 5, "brick", "#9b5642", BRICK, vivid=0.75, cornice=0.14, balconies=0.1, **MODERN_FRONTS),
        Style(
            "church", "facade/nave", "plaster", "#e6e2da", CHURCH, (strip("a", 4, PAGE, NAVE_ROWS),),
            strip("ground", 4, PAGE, NAVE_ROWS), strip("ground", 4, PAGE, NAVE_ROWS),
            nave=strip("nave", 4, PAGE, NAVE_ROWS), cornice=0.35,
        ),
        Style(
            "metal", "facade/nave", "metal", "#d5d9da", METAL, (strip("a", 4, PAGE, NAVE_ROWS),),
            strip("ground", 4, PAGE, NAVE_ROWS), strip("ground", 4, PAGE, NAVE_ROWS),
        ),
        *HARBOUR, *AKIBA, *OLDTOWN, *GRID, *GARDEN,
    )
}  # fmt: skip

SACRED = ("church", "cathedral", "chapel", "temple", "mosque", "synagogue", "shrine", "religious")
SMALL = ("kiosk", "shed", "garage", "garages", "hut", "service", "toilets", "container", "carport", "roof", "bunker")
LARGE = ("warehouse", "industrial", "hangar", "train_station", "sports_hall", "parking", "manufacture")
SHOPS = ("retail", "supermarket", "mall")
WORK = ("office", "commercial", "hotel", "hospital")
CIVIC = ("public", "civic", "government", "museum", "university", "school", "college", "library", "theatre", "palace")
MATERIALS = {"brick": "brick", "glass": "glass", "stone": "jugend", "metal": "metal", "concrete": "functional"}


def shaped(style: str, levels: int, width: float, chance: Chance) -> dict[str, float | int | str]:
    """BuildingPlan fields (style, levels, height, roof, roof_height) for a style of the embedded cities.

    `levels` counts storeys below the roof; `width` is the footprint's narrow side in metres, over which a pitched roof
    spans. Raises KeyError for a name that is not in STYLES.
    """
    look = STYLES[style]
    roof = chance.weighted(look.forms, "roof form")
    above = STYLES[look.mass.upper] if look.mass.upper else look
    low = min(levels, look.mass.podium) - 1 if look.mass.upper else levels - 1
    body = look.ground_height + low * (look.floor or look.uppers[0].height)
    body += (levels - 1 - low) * (above.floor or above.uppers[0].height)
    rise = 0.0
    if roof != "flat":
        rise = min(0.5 * width * math.tan(math.radians(look.pitch)), 0.8 * body)
        rise = min(rise, 3.6) if roof == "mansard" else rise
    return {
        "style": style,
        "levels": levels,
        "height": round(body + rise, 2),
        "roof": "gabled" if roof == "gable_front" else roof,
        "roof_height": round(rise, 2),
    }


def choose_style(plan: BuildingPlan, chance: Chance) -> Style:
    """The plan's own style when it names one, else by kind, material, size and chance."""
    if plan.style in STYLES:
        return STYLES[plan.style]
    if plan.kind in SACRED:
        return STYLES["church"]
    if plan.material in MATERIALS:
        return STYLES[MATERIALS[plan.material]]
    storeys = plan.levels or round(plan.height / 3.3)
    table: tuple[tuple[str, float], ...]
    if plan.kind in SMALL or plan.polygon.area < 25.0:
        return STYLES["metal"]
    if plan.kind in LARGE:
        return STYLES[chance.weighted((("brick", 0.6), ("metal", 0.4)), "style")]
    if plan.kind in SHOPS:
        return STYLES[chance.weighted((("glass", 0.4), ("functional", 0.3), ("classical", 0.3)), "style")]
    if plan.kind in WORK:
        modern = 0.45 if storeys >= 5 else 0.25
        rest = (1.0 - modern) / 4.0
        table = (("glass", modern), ("functional", rest), ("classical", rest), ("jugend", rest), ("brick", rest))
        return STYLES[chance.weighted(table, "style")]
    if plan.kind in CIVIC:
        return STYLES[chance.weighted((("classical", 0.6), ("jugend", 0.25), ("functional", 0.15)), "style")]
    if storeys >= 9:
        return STYLES[chance.weighted((("functional", 0.6), ("glass", 0.4)), "style")]
    table = (("classical", 0.42), ("jugend", 0.23), ("functional", 0.2), ("brick", 0.15))
    return STYLES[chance.weighted(table, "style")]
