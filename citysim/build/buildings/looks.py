"""Looks: style and colours of every building, no two neighbours alike."""

from collections.abc import Sequence
from dataclasses import replace

from shapely import STRtree

from citysim.build.buildings.materials import register
from citysim.build.buildings.pieces import Look
from citysim.build.buildings.style import Style
from citysim.build.buildings.styles import STYLES, choose_style
from citysim.build.buildings.tint import over, parse
from citysim.build.chance import Chance
from citysim.build.draft import CityDraft
from citysim.build.plans import BuildingPlan

SEAM = ("#5c6a63", "#7a3f38", "#6fa08e", "#53585b", "#5a4a44", "#6b6f70", "#474b50")
TILE = ("#9a5540", "#8f4632", "#a5634a", "#6f4a3d")
ROOF_BASE = {"roof/seam": "#b4b6b4", "roof/tile": "#a5583f"}
ROOF_MATERIALS = {
    "roof_tiles": "roof/tile", "tile": "roof/tile", "tiles": "roof/tile", "clay": "roof/tile", "metal": "roof/seam",
    "copper": "roof/seam", "zinc": "roof/seam", "tin": "roof/seam", "slate": "roof/tile",
}  # fmt: skip
COPPER, SLATE = "#6fa08e", "#55565a"
KIT = ("kit/sheet", "kit/lamp", "look/rail_panel", "look/fence", "plain/concrete")
COMMON = ("trim/sheet", "plain/stone", "roof/bitumen", "door/sheet", "plate/digits")


def begin_painting(draft: CityDraft, plans: Sequence[BuildingPlan]) -> None:
    """Have most pictures that these buildings need painted aside, while streets are built here."""
    if not draft.textures.aside.elsewhere:
        return
    for plan in plans:
        style = choose_style(plan, draft.chance.child("building").child(plan.id))
        for name in (style.page, style.fronts, f"plain/{style.plain}"):
            if name:
                register(draft, name)
    for name in (*COMMON, *KIT):
        register(draft, name)


def choose_looks(draft: CityDraft, outlines: Sequence[BuildingPlan]) -> dict[str, Look]:
    """A look for every outline id; chosen in plan order, avoiding what buildings within 3 m already wear."""
    for name in COMMON:
        register(draft, name)
    tree = STRtree([o.polygon for o in outlines])
    worn: dict[int, tuple[str, str]] = {}
    looks: dict[str, Look] = {}
    for k, plan in enumerate(outlines):
        chance = draft.chance.child("building").child(plan.id)
        near = {worn[j] for j in tree.query(plan.polygon.buffer(3.0)).tolist() if j in worn}
        style = choose_style(plan, chance)
        color = plan.color if parse(plan.color) else _free_color(style, near, chance)
        worn[k] = (style.name, color)
        looks[plan.id] = make_look(draft, style, color, plan, chance)
    return looks


def _free_color(style: Style, near: set[tuple[str, str]], chance: Chance) -> str:
    start = chance.integer(0, len(style.palette), "color")
    turned = [*style.palette[start:], *style.palette[:start]]
    return next((c for c in turned if (style.name, c) not in near), turned[0])


def part_look(draft: CityDraft, whole: Look, part: BuildingPlan, chance: Chance) -> Look:
    """The look of a part: the building's, changed by the part's own tags."""
    if not (parse(part.color) or part.material or part.style or part.roof_color or part.roof_material):
        return whole
    style = choose_style(part, chance) if part.material or part.style else whole.style
    look = make_look(draft, style, part.color if parse(part.color) else style.palette[0], part, chance)
    if parse(part.color) is None and style is whole.style:
        look = replace(look, wall=whole.wall, trim=whole.trim, front_tint=whole.front_tint)
    return look


def upper_look(draft: CityDraft, name: str, plan: BuildingPlan, chance: Chance) -> Look:
    """The look of what stands on a podium in a style of its own."""
    style = STYLES[name]
    return make_look(draft, style, _free_color(style, set(), chance), plan, chance)


def make_look(draft: CityDraft, style: Style, color: str, plan: BuildingPlan, chance: Chance) -> Look:
    """Register what a style needs and mix its colours."""
    value = 1.0 + chance.uniform(-0.06, 0.06, "value")
    wall = over(color, style.base, value, style.vivid)
    bright = style.name in ("classical", "functional", "church")
    trim = over(_lighter(color) if bright else color, style.base, value if bright else 0.85 * value, style.vivid)
    material = ROOF_MATERIALS.get(plan.roof_material, "") or chance.choice(
        [f"roof/{r}" for r in style.roofs], "roof material"
    )
    if plan.roof_material == "copper":
        roof = COPPER
    elif plan.roof_material == "slate":
        roof = SLATE
    else:
        roof = chance.choice(TILE if material == "roof/tile" else SEAM, "roof color")
    if parse(plan.roof_color):
        roof = plan.roof_color
    kit = KIT if style.attachments or style.plant else ()
    for name in (style.page, f"plain/{style.plain}", material, style.fronts, *kit):
        if name:
            register(draft, name)
    tiles = over(roof, ROOF_BASE[material], value)
    # Ground floors are stone, tiles or plaster: a brick's or a sheet's tint would dye them.
    grey = chance.integer(205, 256, "front")
    front = (grey, grey - 3, grey - 8, 255) if style.plain in ("brick", "brick_pale", "metal") else wall
    page = f"plain/{style.plain}"
    return Look(style, wall, trim, tiles, material, style.page, page, style.fronts, front)


def _lighter(color: str) -> str:
    rgb = parse(color) or (220, 215, 205)
    red, green, blue = (round(c + 0.45 * (236 - c)) for c in rgb)
    return f"#{max(0, red):02x}{max(0, green):02x}{max(0, blue):02x}"
