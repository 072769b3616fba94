"""Where walkers cross carriageways and tracks."""

from citysim.build.osm.localmap import LocalMap
from citysim.build.osm.tagvalues import Tags, first_value, is_yes
from citysim.build.plans import DRIVE_KINDS, CrossingPlan, WayPlan

_ZEBRA = ("zebra", "marked", "uncontrolled", "island", "pelican", "puffin", "toucan")
_RAILWAY = ("crossing", "level_crossing", "tram_crossing", "tram_level_crossing", "railway_crossing")


def crossing_kind(tags: Tags) -> str:
    """One of "signals", "zebra", "unmarked", "rail", or "" where the tags name no crossing.

    A crossing node without details counts as marked: that is why somebody mapped it.
    """
    value = first_value(tags.get("crossing", ""))
    if value == "no":
        return ""
    if tags.get("railway") in _RAILWAY:
        return "rail"
    if value == "traffic_signals" or is_yes(tags.get("crossing:signals")):
        return "signals"
    markings = tags.get("crossing:markings")
    if value in _ZEBRA or is_yes(markings):
        return "zebra"
    if value or markings == "no":
        return "unmarked"
    return "zebra" if tags.get("highway") == "crossing" else ""


def read_crossings(source: LocalMap, ways: list[WayPlan]) -> list[CrossingPlan]:
    """Crossing nodes that lie on a surface carriageway or track of the plan, by ascending node id."""
    kinds: dict[int, set[str]] = {}
    for way in ways:
        if way.kind in DRIVE_KINDS and not way.tunnel:
            for node in way.nodes:
                kinds.setdefault(node, set()).add(way.kind)
    found = []
    for node in sorted(source.extract.node_tags):
        kind = crossing_kind(source.extract.node_tags[node])
        if not kind:
            continue
        if node not in kinds:
            source.faults.add("crossing node on no carriageway", f"node/{node}")
        elif source.inside(source.xy[node]):
            found.append(CrossingPlan(f"osm:node/{node}", node, "rail" if kinds[node] == {"tram"} else kind))
    return found
