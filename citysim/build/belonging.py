"""Belonging: buildings stand on streets, streets lie in a district; shops have their buildings already."""

from dataclasses import replace

import shapely

from citysim.build.draft import CityDraft

REACH = 60.0  # metres from a building to its street


def belong(draft: CityDraft) -> None:
    """Add the district, the last of the objects, and give every building its street and every street the district.

    A building's street is the one of its address, else the nearest named one; without one it lies in the district.
    """
    plan = draft.plan
    e0, n0, e1, n1 = plan.bounds
    tops = [thing.bounds[5] for thing in draft.objects]
    lows = [thing.bounds[2] for thing in draft.objects]
    low, high = min(lows, default=0.0), max(tops, default=0.0)
    district = draft.add_object(
        "district",
        ((e0 + e1) / 2, (n0 + n1) / 2, low),
        name=plan.title,
        bounds=(e0, n0, low, e1, n1, high),
        size_m=[round(e1 - e0, 2), round(n1 - n0, 2), round(high - low, 2)],
    )
    streets = {thing.name: thing.id for thing in draft.objects if thing.category == "street" and thing.name}
    ways = [way for way in plan.ways if way.name in streets]
    tree = shapely.STRtree([plan.line(way) for way in ways])
    for i, thing in enumerate(draft.objects):
        if thing.parent is not None:
            continue
        if thing.category == "street":
            draft.objects[i] = replace(thing, parent=district)
        elif thing.category == "building":
            street = _of_address(str(thing.attributes.get("address", "")), streets)
            if street is None:
                e, n = (thing.bounds[0] + thing.bounds[3]) / 2, (thing.bounds[1] + thing.bounds[4]) / 2
                near = tree.query_nearest(shapely.Point(e, n), max_distance=REACH) if ways else []
                street = streets[ways[min(near)].name] if len(near) else district
            draft.objects[i] = replace(thing, parent=street)


def _of_address(address: str, streets: dict[str, int]) -> int | None:
    """The street that an address such as "Tiger Market 2" or "2 Tiger Market" names."""
    words = address.split()
    for part in (words[:-1], words[1:], words):
        number = streets.get(" ".join(part))
        if number is not None:
            return number
    return None
