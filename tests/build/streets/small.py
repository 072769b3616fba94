"""A small city plan with one of everything this package builds."""

from shapely.geometry import box

from citysim.build.plans import AreaPlan, BuildingPlan, CityPlan, CrossingPlan, EntrancePlan, WayPlan
from citysim.geo.frames import LocalFrame

BOUNDS = (0.0, 0.0, 160.0, 140.0)


def small_plan(**changes: object) -> CityPlan:
    """Two streets that meet, a park with terrace stairs, a footbridge, a subway, buildings with doors and a passage."""
    nodes = {
        1: (0.0, 60.0), 2: (60.0, 60.0), 3: (160.0, 60.0), 4: (60.0, 0.0), 5: (60.0, 140.0), 6: (110.0, 60.0),
        7: (60.0, 30.0), 8: (75.0, 90.0), 9: (75.0, 130.0), 10: (75.0, 104.0), 11: (75.0, 109.0),
        20: (130.0, 34.0), 21: (130.0, 48.0), 22: (130.0, 72.0), 23: (130.0, 86.0),
        30: (20.0, 68.5), 31: (20.0, 80.0), 32: (20.0, 110.0),
        50: (150.0, 36.0), 51: (150.0, 46.0), 52: (150.0, 74.0), 53: (150.0, 84.0),
        40: (75.0, 68.5), 41: (138.0, 34.0), 44: (138.0, 53.8), 45: (138.0, 66.2), 42: (138.0, 86.0), 43: (75.0, 120.0),
    }  # fmt: skip
    ways = (
        WayPlan("w/main-west", "primary", (1, 2), 10.0, "Main Street", 2),
        WayPlan("w/main-east", "primary", (2, 6, 3), 10.0, "Main Street", 2),
        WayPlan("w/side", "residential", (4, 7, 2, 5), 7.0, "Side Street", 2),
        WayPlan("w/path-low", "footway", (40, 8, 10), 2.5, "Park Path"),
        WayPlan("w/terrace", "steps", (10, 11), 3.0, "Terrace Steps", steps=10, incline=1),
        WayPlan("w/path-high", "footway", (11, 43, 9), 2.5, "Park Path"),
        WayPlan("w/deck", "footway", (21, 22), 3.0, "High Bridge", bridge=True, layer=1),
        WayPlan("w/deck-south", "steps", (20, 21), 2.5, "High Bridge"),
        WayPlan("w/deck-north", "steps", (22, 23), 2.5, "High Bridge"),
        WayPlan("w/deck-foot", "footway", (20, 41, 44), 2.5, "High Bridge"),
        WayPlan("w/deck-top", "footway", (23, 42, 45), 2.5, "High Bridge"),
        WayPlan("w/subway", "footway", (51, 52), 3.5, "Low Way", tunnel=True, layer=-1),
        WayPlan("w/subway-south", "steps", (50, 51), 2.5, "Low Way", tunnel=True, layer=-1),
        WayPlan("w/subway-north", "steps", (52, 53), 2.5, "Low Way", tunnel=True, layer=-1),
        WayPlan("w/passage", "footway", (30, 31, 32), 2.5, "Gate Passage", passage=True),
    )  # fmt: skip
    doors = (EntrancePlan("d/1", (30.0, 76.0), "main"), EntrancePlan("d/2", (44.0, 90.0), "yes"))
    buildings = (
        BuildingPlan("b/1", box(6.0, 76.0, 44.0, 100.0), 18.0, entrances=doors),
        BuildingPlan("b/2", box(8.0, 10.0, 44.0, 44.0), 15.0, entrances=(EntrancePlan("d/3", (20.0, 44.0), "shop"),)),
        BuildingPlan("b/3", box(76, 8, 112, 46).difference(box(86, 18, 102, 36)), 15.0,
                     entrances=(EntrancePlan("d/4", (94.0, 46.0), "main"),)),
    )  # fmt: skip
    areas = (
        AreaPlan("a/park", "park", box(68.0, 72.0, 122.0, 134.0), "Small Park"),
        AreaPlan("a/pond", "water", box(95.0, 100.0, 112.0, 120.0), "Small Pond"),
        AreaPlan("a/square", "square", box(0.0, 110.0, 48.0, 138.0), "Small Square", {"surface": "sett"}),
    )
    crossings = (CrossingPlan("c/1", 6, "zebra"), CrossingPlan("c/2", 7, "signals"))
    given: dict[str, object] = {
        "name": "small", "title": "Small", "source": "test", "licence": "Apache-2.0", "attribution": "",
        "frame": LocalFrame(24.94, 60.17, 0.0), "bounds": BOUNDS, "seed": 7, "generator": {}, "nodes": nodes,
        "ways": ways, "areas": areas, "buildings": buildings, "crossings": crossings,
    } | changes  # fmt: skip
    return CityPlan(**given)  # type: ignore[arg-type]
