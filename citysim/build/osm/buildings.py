"""BuildingPlans from outlines and parts."""

from collections import Counter
from dataclasses import replace

from citysim.build.osm.areas import OsmArea
from citysim.build.osm.heights import GROUND, STOREY, Neighbours, default_levels, default_metres, read_rise
from citysim.build.osm.localmap import LocalMap
from citysim.build.osm.outlines import Outline
from citysim.build.osm.roofs import roof_colour, roof_material, roof_rise, roof_shape, wall_colour, wall_material
from citysim.build.osm.tagvalues import Tags, first_value, heading
from citysim.build.plans import BuildingPlan, EntrancePlan

_THINNEST = 0.5  # metres between the underside and the top of a part
_ROOF_SLAB = 0.4  # metres of a roof on posts


def address_of(tags: Tags) -> str:
    """Street and number from addr tags, "" without either."""
    street, house = first_value(tags.get("addr:street", "")), first_value(tags.get("addr:housenumber", ""))
    return f"{street} {house}".strip() if street and house else ""


def read_buildings(source: LocalMap, outlines: list[Outline]) -> list[BuildingPlan]:
    """Each outline followed by its parts. An outline with parts is wholly covered by them and need not be drawn."""
    neighbours = Neighbours([outline.area for outline in outlines])
    plans: list[BuildingPlan] = []
    for outline in outlines:
        whole = _plan(source, outline.area, neighbours, None)
        parts = [_plan(source, part, neighbours, whole) for part in outline.parts]
        if parts and read_rise(outline.area.tags).height is None:
            tagged = [p.height for p, area in zip(parts, outline.parts, strict=True) if read_rise(area.tags).height]
            if tagged and max(tagged) > whole.height:
                whole = replace(whole, height=max(tagged))
        plans += [whole, *parts]
    return plans


def _plan(source: LocalMap, area: OsmArea, neighbours: Neighbours, parent: BuildingPlan | None) -> BuildingPlan:
    tags = area.tags
    kind = first_value(tags.get("building", tags.get("building:part", "yes"))) or "yes"
    if kind == "yes" and parent is not None:
        kind = parent.kind
    shape, understood = roof_shape(tags, kind, area.polygon)
    if not understood:
        source.faults.add("unknown roof:shape made flat", area.id.removeprefix("osm:"))
    rise = read_rise(tags)
    roof = rise.roof_height
    levels = rise.levels
    height = rise.height
    if height is None:
        body, levels = _body(area, kind, neighbours, parent, levels)
        if roof is None:
            roof = (
                rise.roof_levels * 2.6
                if rise.roof_levels and shape != "flat"
                else roof_rise(shape, tags, area.polygon, body)
            )
        if rise.min_height > 0 and rise.levels is None and parent is not None:
            body = max(parent.height, rise.min_height)  # a dome, tower top or bridge: it starts where it says
            height = body + (roof or 0.0) if body == rise.min_height else body
        else:
            height = body + (roof or 0.0)
    if roof is None:
        roof = roof_rise(shape, tags, area.polygon, 0.65 * (height - min(rise.min_height, height)))
    low = rise.min_height
    if kind == "roof" and low == 0.0 and parent is None:
        low = max(2.4, height - roof - _ROOF_SLAB)
    if height - low < _THINNEST:
        source.faults.add("building that ends below its start raised", area.id.removeprefix("osm:"))
        height = low + max(_THINNEST, roof)
    if levels is None:
        levels = max(1, round((height - roof - GROUND) / STOREY))
    return BuildingPlan(
        id=area.id,
        polygon=area.polygon,
        height=round(height, 2),
        min_height=round(low, 2),
        levels=0 if default_metres(kind) is not None and rise.levels is None else levels,
        kind=kind,
        roof=shape,
        roof_height=round(min(roof, height - low), 2) if shape != "flat" else 0.0,
        roof_heading_deg=heading(tags.get("roof:direction")),
        name=tags.get("name", "") if parent is None else "",
        address=address_of(tags),
        color=wall_colour(tags) or (parent.color if parent else ""),
        roof_color=roof_colour(tags) or (parent.roof_color if parent else ""),
        material=wall_material(tags) or (parent.material if parent else ""),
        roof_material=roof_material(tags) or (parent.roof_material if parent else ""),
        parent=parent.id if parent else None,
        tags=dict(tags),
    )


def _body(
    area: OsmArea, kind: str, neighbours: Neighbours, parent: BuildingPlan | None, levels: int | None
) -> tuple[float, int | None]:
    """Metres to the eaves and storeys of a building without a height."""
    if levels is not None:
        return levels * STOREY + GROUND, levels
    if parent is not None:
        return parent.height - parent.roof_height, parent.levels or None
    fixed = default_metres(kind)
    if fixed is not None:
        return fixed, None
    levels = default_levels(kind, area.polygon.area) or neighbours.levels_near(area.polygon)
    return levels * STOREY + GROUND, levels


def with_entrances(
    plans: list[BuildingPlan], entrances: dict[str, list[EntrancePlan]], streets: dict[str, str]
) -> list[BuildingPlan]:
    """The plans with their doors; a building without an address takes that of its doors.

    `entrances` maps building ids to doors, `streets` door ids to "street number".
    """
    result = []
    for plan in plans:
        doors = tuple(sorted(entrances.get(plan.id, []), key=lambda d: d.id))
        known = Counter(streets[d.id] for d in doors if streets.get(d.id))
        address = plan.address or (min(known, key=lambda a: (-known[a], a)) if known else "")
        result.append(replace(plan, entrances=doors, address=address))
    return result
