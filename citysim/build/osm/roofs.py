"""Roof shapes, heights and directions from tags, and materials and colours."""

import math
import re

from shapely.geometry import Polygon

from citysim.build.osm.tagvalues import Tags, colour, first_value

SHAPES = ("flat", "gabled", "hipped", "pyramidal", "skillion", "mansard", "dome", "onion", "round")
_LIKE = {
    "gambrel": "mansard", "half-hipped": "hipped", "half_hipped": "hipped", "hipped-and-gabled": "hipped",
    "lean_to": "skillion", "monopitch": "skillion", "shed": "skillion", "cone": "pyramidal", "conical": "pyramidal",
    "saltbox": "gabled", "double_saltbox": "gabled", "pitched": "gabled", "side_hipped": "hipped", "sawtooth": "flat",
    "many": "flat", "apse": "dome", "half-dome": "dome", "crosspitched": "gabled", "butterfly": "flat",
}  # fmt: skip
_GABLED = ("house", "detached", "semidetached_house", "terrace", "farm", "cabin", "hut", "church", "chapel", "barn")
_OLD_BLOCKS = ("yes", "apartments", "residential", "block", "public", "school", "university", "office", "hotel")
_PITCH_DEG = 40.0
_OLD_PITCH_DEG = 27.0  # sheet-metal roofs of nineteenth-century blocks are lower
_OLD_YEAR = 1940
_MATERIAL = {
    "brick": "brick", "clinker": "brick", "red_brick": "brick", "plaster": "plaster", "stucco": "plaster",
    "render": "plaster", "rendered": "plaster", "cement_block": "concrete", "concrete": "concrete", "panel": "concrete",
    "precast_concrete": "concrete", "stone": "stone", "granite": "stone", "sandstone": "stone", "limestone": "stone",
    "marble": "stone", "masonry": "stone", "glass": "glass", "mirror": "glass", "metal": "metal", "steel": "metal",
    "aluminium": "metal", "copper": "metal", "gold": "metal", "tin": "metal", "zinc": "metal", "metal_plates": "metal",
    "wood": "wood", "timber": "wood", "timber_framing": "plaster", "log": "wood", "plastic": "metal",
}  # fmt: skip
_ROOF_MATERIAL = {
    "roof_tiles": "tiles", "tile": "tiles", "tiles": "tiles", "slate": "slate", "metal": "metal", "copper": "copper",
    "tin": "metal", "zinc": "metal", "steel": "metal", "tar_paper": "bitumen", "bitumen": "bitumen",
    "concrete": "concrete", "glass": "glass", "gravel": "gravel", "grass": "grass", "wood": "wood", "thatch": "thatch",
    "asphalt": "bitumen",
}  # fmt: skip


def roof_shape(tags: Tags, kind: str, polygon: Polygon) -> tuple[str, bool]:
    """The shape, and whether the tag was understood; untagged roofs follow the type and the year of building."""
    tagged = first_value(tags.get("roof:shape", tags.get("building:roof:shape", ""))).lower()
    if tagged:
        shape = _LIKE.get(tagged, tagged)
        return (shape, True) if shape in SHAPES else ("flat", False)
    if kind in _GABLED or (kind in _OLD_BLOCKS and built_before(tags, _OLD_YEAR)):
        simple = not polygon.interiors and polygon.area > 0.8 * polygon.minimum_rotated_rectangle.area
        return ("gabled" if simple else "hipped"), True
    return "flat", True


def built_before(tags: Tags, year: int) -> bool:
    """Whether `start_date` ("1919", "before 1878", "C19", "1910-1912") lies before a year."""
    text = tags.get("start_date", tags.get("building:start_date", ""))
    found = re.search(r"\b(1\d{3}|20\d{2})", text)
    if found:
        return int(found[1]) < year
    century = re.match(r"^~?C(\d{1,2})$", text.strip(), re.IGNORECASE)
    return century is not None and int(century[1]) * 100 <= year


def roof_rise(shape: str, tags: Tags, polygon: Polygon, body: float) -> float:
    """Metres from the eaves to the top for an untagged roof over a body of `body` metres.

    0.5 x width x tan(pitch), at most 0.35 of the whole height.
    """
    if shape == "flat":
        return 0.0
    width = short_side(polygon)
    if shape in ("dome", "onion", "round"):
        rise = width * (0.8 if shape == "onion" else 0.5 if shape == "dome" else 0.3)
        return max(0.5, min(rise, body if shape == "dome" else 0.35 / 0.65 * body))
    pitch = _OLD_PITCH_DEG if "roof:shape" not in tags and built_before(tags, _OLD_YEAR) else _PITCH_DEG
    factor = 1.0 if shape == "skillion" else 0.5
    rise = factor * width * math.tan(math.radians(pitch if shape != "skillion" else 15.0))
    return max(0.5, min(rise, 0.35 / 0.65 * body))


def short_side(polygon: Polygon) -> float:
    """Metres of the shorter side of the smallest rectangle around a polygon."""
    corners = list(polygon.minimum_rotated_rectangle.exterior.coords)
    return min(math.dist(corners[0], corners[1]), math.dist(corners[1], corners[2]))


def wall_material(tags: Tags) -> str:
    """One of BuildingPlan's wall materials, or ""."""
    for key in ("building:facade:material", "building:material", "facade:material", "building:cladding", "material"):
        value = first_value(tags.get(key, "")).lower()
        if value in _MATERIAL:
            return _MATERIAL[value]
    return ""


def roof_material(tags: Tags) -> str:
    """The roof's material, or ""."""
    return _ROOF_MATERIAL.get(first_value(tags.get("roof:material", "")).lower(), "")


def wall_colour(tags: Tags) -> str:
    """The wall's colour as "#rrggbb", or ""."""
    return next((c for k in ("building:colour", "building:color", "colour") if (c := colour(tags.get(k)))), "")


def roof_colour(tags: Tags) -> str:
    """The roof's colour as "#rrggbb", or ""."""
    return next((c for k in ("roof:colour", "roof:color") if (c := colour(tags.get(k)))), "")
