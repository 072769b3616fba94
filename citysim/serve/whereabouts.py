"""What a person would say about where they stand: the street, and the doors around."""

import math

from citysim.city import City
from citysim.errors import InputError
from citysim.pose import Pose
from citysim.tasks.globe import haversine_m
from citysim.tasks.parts import lonlat_of
from citysim.world import World

AT_M = 15.0
"""Doors so near are named: as near as counts as arrived."""
WAYS = {
    2: "footbridge", 4: "subway", 8: "escalator", 10: "lift", 11: "ramp", 12: "stairs", 30: "crossing", 31: "crossing",
    32: "crossing", 33: "crossing",
}  # fmt: skip
Point = tuple[float, float, float]


def surface(city: City, foot: Point) -> str:
    """What one stands on, such as "footway of Abbey Street"."""
    snap = city.network.snap(foot, max_distance_m=12.0)
    if snap is None:
        return "open ground"
    edge = city.network.edges[snap.edge]
    kind = WAYS.get(int(edge.attributes.get("FeatureType") or 0), "footway")
    way = f"{kind} of {edge.name}" if edge.name else kind
    return way if city.network.on_network(foot) else f"ground beside the {way}"


def whereabouts(city: City, foot: Point) -> str:
    """The surface, and every place whose door is within 15 m, nearest first."""
    here = lonlat_of(city.frame, foot)
    found = []
    for place in city.places:
        if math.hypot(place.entrance[0] - foot[0], place.entrance[1] - foot[1]) < AT_M + 1.0:
            away = haversine_m(here, lonlat_of(city.frame, place.entrance))
            if away <= AT_M:
                found.append((away, place.id, place))
    doors = [f"{p.name} ({p.category.replace('_', ' ')}), {away:.0f} m away" for away, _, p in sorted(found)]
    told = f"{surface(city, foot)}; within {AT_M:.0f} m: {'; '.join(doors)}" if doors else surface(city, foot)
    return told[0].upper() + told[1:]


def anywhere(world: World) -> Pose:
    """A place to stand near the middle of a city, for those who have no task; raises InputError where there is none."""
    city = world.city
    e0, n0, e1, n1 = city.bounds
    middle = ((e0 + e1) / 2.0, (n0 + n1) / 2.0)
    ways = [edge.line[len(edge.line) // 2] for edge in city.network.edges if edge.enabled]
    ways.sort(key=lambda p: (math.hypot(p[0] - middle[0], p[1] - middle[1]), tuple(p)))
    for point in ways[:200]:
        try:
            return world.ground_pose(float(point[0]), float(point[1]), up_hint=float(point[2]))
        except InputError:
            continue
    return world.ground_pose(*middle)
