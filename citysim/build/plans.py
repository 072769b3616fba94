"""CityPlan: what a city is made of, before it has a shape.

Plain data in local metres (x east, y north). Every source makes one; every builder reads it. Strings follow
OpenStreetMap's vocabulary where it has a word. Ids are stable ("osm:way/123", "mini:lot/3"); sequences are in a
deterministic order.
"""

from dataclasses import dataclass, field
from typing import Any

from shapely.geometry import LineString, Point, Polygon

from citysim.build.terrain import Terrain
from citysim.geo.frames import LocalFrame

Xy = tuple[float, float]

DRIVE_KINDS = (
    "motorway",
    "trunk",
    "primary",
    "secondary",
    "tertiary",
    "residential",
    "unclassified",
    "living_street",
    "service",
    "busway",
    "tram",
)
WALK_KINDS = (
    "footway",
    "sidewalk",
    "crossing",
    "steps",
    "path",
    "pedestrian",
    "cycleway",
    "platform",
    "corridor",
    "escalator",
    "elevator",
)


@dataclass(frozen=True, slots=True)
class WayPlan:
    """The centre line of something driven or walked. Ways that share a node id are joined there, others never are."""

    id: str
    kind: str  # one of DRIVE_KINDS or WALK_KINDS
    nodes: tuple[int, ...]  # keys of CityPlan.nodes
    width: float  # metres
    name: str = ""
    lanes: int = 0
    oneway: int = 0  # 1 along the nodes, -1 against them
    foot: bool = True  # may be walked (a carriageway without pavements can be)
    layer: int = 0  # OSM's order of crossing things, not a height
    bridge: bool = False
    tunnel: bool = False
    passage: bool = False  # tunnel=building_passage: a way through a building at street level
    covered: bool = False
    indoor: bool = False
    steps: int = 0  # number of risers where known
    incline: int = 0  # 1 upwards along the nodes, -1 downwards, 0 unknown
    conveying: int = 0  # escalators: 1 along the nodes, -1 against them
    surface: str = ""
    crossing: str = ""  # for kind "crossing": "signals", "zebra", "unmarked", "rail"
    lit: bool = True
    tags: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CrossingPlan:
    """A place where walkers cross a carriageway: a node on that carriageway."""

    id: str
    node: int
    kind: str  # "signals", "zebra", "unmarked", "rail"


@dataclass(frozen=True, slots=True)
class AreaPlan:
    """Ground with a use. kinds: square, park, grass, garden, pitch, playground, water, parking, scrub, construction,
    platform, paved, rail, sand, cemetery, bridge_deck, island (raised ground within a carriageway).
    """

    id: str
    kind: str
    polygon: Polygon
    name: str = ""
    tags: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class EntrancePlan:
    """A door: a point on (or near) a building's outline."""

    id: str
    xy: Xy
    kind: str = "yes"  # main, yes, shop, garage, service, emergency, staircase
    node: int | None = None  # key of CityPlan.nodes when a way ends here
    number: str = ""  # house number, with its suffix
    name: str = ""


@dataclass(frozen=True, slots=True)
class BuildingPlan:
    """A building or, with `parent`, one part of it that stands for it in its area."""

    id: str
    polygon: Polygon  # outline with courtyards as holes
    height: float  # top of the roof above ground, metres
    min_height: float = 0.0  # metres above ground where the solid begins
    levels: int = 0  # storeys, 0 unknown
    kind: str = "yes"  # OSM's building=*: apartments, church, retail, ...
    roof: str = "flat"  # flat, gabled, hipped, pyramidal, skillion, mansard, dome, onion, round
    roof_height: float = 0.0  # part of `height`
    roof_heading_deg: float | None = None  # ridge or slope direction where known
    name: str = ""
    address: str = ""  # "street number"
    color: str = ""  # "#rrggbb" or "" to choose from the palette
    roof_color: str = ""
    material: str = ""  # brick, plaster, stone, concrete, glass, metal, wood, ""
    roof_material: str = ""
    parent: str | None = None
    entrances: tuple[EntrancePlan, ...] = ()
    style: str = ""  # facade style, "" to choose
    tags: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlacePlan:
    """A named place (shop, restaurant, bank, hotel, museum, ...)."""

    id: str
    name: str
    category: str  # the OSM value: cafe, supermarket, bank, hotel, clothes, ...
    xy: Xy
    building: str | None = None  # BuildingPlan.id that contains it (an outline, not a part)
    level: int = 0
    address: str = ""
    opening_hours: str = ""
    aliases: tuple[str, ...] = ()
    entrance: str | None = None  # EntrancePlan.id where known
    tags: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PropPlan:
    """A piece of street furniture or a tree.

    kinds: tree, street_lamp, bench, waste_basket, vending_machine, post_box, bus_stop, bus_shelter, tram_stop,
    traffic_signals, bollard, fire_hydrant, bicycle_parking, advertising_column, clock, fountain, flagpole, statue,
    parking_meter, telephone, picnic_table, drinking_water, street_cabinet, kiosk, stall, tree_small, recycling,
    street_sign, car, bicycle.
    """

    id: str
    kind: str
    xy: Xy
    heading_deg: float | None = None  # the way its front faces; None: towards the nearest way
    name: str = ""
    height: float | None = None
    tags: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class BarrierPlan:
    """A wall, fence, hedge, railing, retaining_wall, guard_rail, kerb along a line."""

    id: str
    kind: str
    line: LineString
    height: float
    tags: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class CityPlan:
    """Everything a source knows about one city."""

    name: str
    title: str
    source: str
    licence: str
    attribution: str
    frame: LocalFrame
    bounds: tuple[float, float, float, float]  # e0, n0, e1, n1 local metres
    seed: int
    generator: dict[str, Any]
    nodes: dict[int, Xy]
    ways: tuple[WayPlan, ...] = ()
    crossings: tuple[CrossingPlan, ...] = ()
    areas: tuple[AreaPlan, ...] = ()
    buildings: tuple[BuildingPlan, ...] = ()
    places: tuple[PlacePlan, ...] = ()
    props: tuple[PropPlan, ...] = ()
    barriers: tuple[BarrierPlan, ...] = ()
    node_heights: dict[int, float] = field(default_factory=dict)  # metres above z = 0 where a source knows them
    terrain: Terrain | None = None  # the relief; None for level ground at z = 0
    street_trees: bool = False
    locale: str = "en"
    utc_offset_h: float = 0.0
    warnings: tuple[str, ...] = ()

    def line(self, way: WayPlan) -> LineString:
        """The way's centre line."""
        return LineString([self.nodes[n] for n in way.nodes])


__all__ = [
    "DRIVE_KINDS",
    "WALK_KINDS",
    "AreaPlan",
    "BarrierPlan",
    "BuildingPlan",
    "CityPlan",
    "CrossingPlan",
    "EntrancePlan",
    "PlacePlan",
    "Point",
    "Polygon",
    "PropPlan",
    "WayPlan",
    "Xy",
]
