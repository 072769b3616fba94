"""How tall buildings are: tags first, then storeys, then the type, then the neighbours."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from shapely.geometry import Polygon

from citysim.build.osm.areas import OsmArea
from citysim.build.osm.tagvalues import Tags, metres, number

STOREY = 3.2  # metres a storey
GROUND = 0.8  # metres by which the ground floor is higher
_NEIGHBOURS = 7
_REACH = 150.0  # metres within which neighbours are asked
_OUTSKIRTS = 3  # storeys where nobody knows anything

# storeys of types that do not follow their neighbours
_LEVELS = {
    "house": 2, "detached": 2, "semidetached_house": 2, "terrace": 2, "farm": 2, "bungalow": 1, "cabin": 1, "hut": 1,
    "retail": 2, "supermarket": 1, "kiosk": 1, "shed": 1, "garage": 1, "garages": 1, "carport": 1, "utility": 1,
    "service": 1, "toilets": 1, "pavilion": 1, "greenhouse": 1, "glasshouse": 1, "industrial": 2, "warehouse": 2,
    "hangar": 2, "barn": 2, "stable": 1, "transformer_tower": 2, "underpass_entrance": 1, "subway_entrance": 1,
    "ship": 2, "houseboat": 1, "school": 3, "kindergarten": 1, "train_station": 3, "sports_hall": 2, "stadium": 4,
    "parking": 4, "guardhouse": 1, "container": 1, "bridge": 1, "gatehouse": 2,
}  # fmt: skip
# metres to the eaves of types that have no storeys
_METRES = {
    "church": 14.0, "cathedral": 22.0, "chapel": 8.0, "mosque": 12.0, "synagogue": 14.0, "temple": 12.0, "tower": 20.0,
    "bell_tower": 24.0, "roof": 4.5, "atrium": 8.0, "silo": 12.0, "water_tower": 30.0,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rise:
    """What tags say of one building or part; None where they are silent."""

    height: float | None  # metres, roof included
    levels: int | None
    roof_levels: int
    min_height: float
    roof_height: float | None


def read_rise(tags: Tags) -> Rise:
    """Heights and storeys as tagged; fractions of a storey count as whole ones."""
    height = next(
        (h for k in ("height", "building:height", "est_height") if (h := metres(tags.get(k), low=0.5, high=500))), None
    )
    levels = number(tags.get("building:levels", tags.get("levels")))
    low = metres(tags.get("min_height"), high=500)
    if low is None:
        below = number(tags.get("building:min_level", tags.get("min_level")))
        low = below * STOREY + GROUND if below is not None and 0 < below < 150 else 0.0
    above = number(tags.get("roof:levels"))
    return Rise(
        height,
        math.ceil(levels) if levels is not None and 0 < levels < 150 else None,
        math.ceil(above) if above is not None and 0 < above < 10 else 0,
        low,
        metres(tags.get("roof:height"), low=0.1, high=120),
    )


def default_levels(kind: str, area: float) -> int | None:
    """Storeys of a type by itself, None where its neighbours decide. `area` in square metres tells sheds."""
    if kind in _LEVELS:
        return _LEVELS[kind]
    return 1 if area < 30.0 else 2 if area < 70.0 else None


def default_metres(kind: str) -> float | None:
    """Metres to the eaves of a type without storeys (church, roof, tower), else None."""
    return _METRES.get(kind)


class Neighbours:
    """Storeys imputed from the buildings around that have them tagged."""

    def __init__(self, areas: Sequence[OsmArea]) -> None:
        self._known: list[tuple[float, float, int]] = []
        for area in areas:
            levels = read_rise(area.tags).levels
            if levels is not None and area.polygon.area >= 70.0:
                centre = area.polygon.centroid
                self._known.append((centre.x, centre.y, levels))
        self._usual = round(median(k[2] for k in self._known)) if self._known else _OUTSKIRTS

    def levels_near(self, polygon: Polygon) -> int:
        """The median of the nearest known neighbours within 150 m, else of the whole extract."""
        centre = polygon.centroid
        near = sorted((math.hypot(x - centre.x, y - centre.y), levels) for x, y, levels in self._known)
        asked = [levels for away, levels in near[:_NEIGHBOURS] if away <= _REACH]
        return max(1, round(median(asked))) if len(asked) >= 2 else max(1, self._usual)
