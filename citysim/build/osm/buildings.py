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
_ROOF_STOREY = 2.6  # metres of a storey under a roof
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
        parts = [_on_top(part, parts) if _has_only_a_start(part) else part for part in parts]
        if parts and read_rise(outline.area.tags).height is None:
            whole = replace(whole, height=max(whole.height, *(part.height for part in parts)))
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
    height, low, roof, levels = _measures(area, kind, shape, neighbours, parent)
    if height - low < _THINNEST:
        source.faults.add("building that ends below its start raised", area.id.removeprefix("osm:"))
        height = low + max(_THINNEST, roof)
    return BuildingPlan(
        id=area.id,
        polygon=area.polygon,
        height=round(height, 2),
        min_height=round(low, 2),
        levels=levels,
        kind=kind,
        roof=shape,
        roof_height=round(min(roof, height - low), 2),
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


def _measures(
    area: OsmArea, kind: str, shape: str, neighbours: Neighbours, parent: BuildingPlan | None
) -> tuple[float, float, float, int]:
    """Height, start, roof height in metres, and storeys (0 where the building has none, as a church)."""
    rise = read_rise(area.tags)
    low, height, levels = rise.min_height, rise.height, rise.levels
    roof = rise.roof_height if shape != "flat" else 0.0
    if height is None:
        body, levels = _body(area, kind, neighbours, parent, levels)
        if roof is None and rise.roof_levels:
            roof = rise.roof_levels * _ROOF_STOREY
        elif roof is None:
            roof = roof_rise(shape, area.tags, area.polygon, body)
        height = max(body, low) + roof if rise.levels is not None or low <= 0 or parent is None else low + roof
        if height - low < _THINNEST and parent is not None:
            height = max(parent.height, low + _THINNEST)
    if roof is None:
        roof = roof_rise(shape, area.tags, area.polygon, 0.65 * (height - min(low, height)))
    if kind == "roof" and low == 0.0 and parent is None:
        low = max(2.4, height - roof - _ROOF_SLAB)
    if default_metres(kind) is not None and rise.levels is None:
        levels = 0
    elif levels is None:
        levels = max(1, round((height - roof - GROUND) / STOREY))
    return height, low, roof, levels


def _has_only_a_start(part: BuildingPlan) -> bool:
    """Whether tags say where a part begins and what roof it has, but not how high it is."""
    rise = read_rise(part.tags)
    return rise.height is None and rise.levels is None and rise.min_height > 0 and part.roof != "flat"


def _on_top(part: BuildingPlan, parts: list[BuildingPlan]) -> BuildingPlan:
    """A dome moved up on to the part that carries it, where its mapped start lies inside that part."""
    middle = part.polygon.centroid
    carriers = [q.height - q.roof_height for q in parts if q.id != part.id and q.polygon.contains(middle)]
    lift = max(0.0, *(top - part.min_height for top in carriers)) if carriers else 0.0
    return replace(part, min_height=round(part.min_height + lift, 2), height=round(part.height + lift, 2))


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
