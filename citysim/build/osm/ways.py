"""Streets, footways, stairs and tracks: from highway and railway ways to WayPlans."""

from dataclasses import dataclass, field, replace

from shapely.geometry import LineString

from citysim.build.adding import plain_sum
from citysim.build.osm.clip import Clipper
from citysim.build.osm.crossings import crossing_kind
from citysim.build.osm.localmap import LocalMap
from citysim.build.osm.tagvalues import Tags, first_value, integer, is_yes, levels_of, number
from citysim.build.osm.widths import Fitting, lane_count, way_width
from citysim.build.plans import DRIVE_KINDS, WALK_KINDS, WayPlan, Xy

_KIND = {"road": "unclassified", "track": "path", "bridleway": "path", "bus_guideway": "busway"}
_SHARED_KINDS = ("residential", "unclassified", "living_street", "service")
_CLOSED_TO_FOOT = ("no", "use_sidepath")


@dataclass
class WayNetwork:
    """The ways of a plan and where their nodes lie."""

    ways: list[WayPlan] = field(default_factory=list)
    nodes: dict[int, Xy] = field(default_factory=dict)

    def line(self, way: WayPlan) -> LineString:
        """The way's centre line."""
        return LineString([self.nodes[n] for n in way.nodes])


def read_ways(source: LocalMap, area_ways: set[int]) -> WayNetwork:
    """Every driven or walked way but those of `area_ways` (which mean areas), cut at the border, by ascending id."""
    clipper, network = Clipper(source), WayNetwork()
    extract = source.extract
    for way in sorted(extract.way_refs):
        tags = extract.way_tags[way]
        if way in area_ways or not ("highway" in tags or "railway" in tags):
            continue
        kind = way_kind(tags)
        if not kind:
            if "highway" in tags:
                source.faults.add(f"way with highway={first_value(tags['highway'])[:20]} not used", f"way/{way}")
            continue
        runs = clipper.runs(extract.way_refs[way], f"way/{way}")
        lengths = [LineString([clipper.at(n) for n in run]).length for run in runs]
        for k, run in enumerate(runs):
            network.nodes.update({n: clipper.at(n) for n in run})
            name = f"osm:way/{way}" if k == 0 else f"osm:way/{way}.{k}"
            share = lengths[k] / plain_sum(lengths)
            network.ways.append(_plan(source, name, kind, tuple(run), tags, share))
    return network


def way_kind(tags: Tags) -> str:
    """The WayPlan kind of a way, "" for one that is neither driven nor walked."""
    highway = first_value(tags.get("highway", ""))
    if not highway:
        railway = tags.get("railway", "")
        return railway if railway in ("tram", "platform") else ""
    if highway == "steps":
        return "escalator" if is_yes(tags.get("conveying")) else "steps"
    if highway == "crossing" or "crossing" in (tags.get("footway"), tags.get("path"), tags.get("cycleway")):
        return "crossing"
    if highway in ("footway", "path") and "sidewalk" in (tags.get("footway"), tags.get("path")):
        return "sidewalk"
    kind = _KIND.get(highway, highway.removesuffix("_link"))
    return kind if kind in DRIVE_KINDS or kind in WALK_KINDS else ""


def _plan(
    source: LocalMap, name: str, kind: str, nodes: tuple[int, ...], tags: dict[str, str], share: float
) -> WayPlan:
    oneway = _oneway(tags)
    passage = tags.get("tunnel") == "building_passage"
    tunnel = (is_yes(tags.get("tunnel")) and not passage) or tags.get("location") == "underground"
    bridge = is_yes(tags.get("bridge"))
    steps = integer(tags.get("step_count"))
    return WayPlan(
        id=name,
        kind=kind,
        nodes=nodes,
        width=way_width(tags, kind, oneway != 0),
        name=tags.get("name", ""),
        lanes=lane_count(tags, kind, oneway != 0) if kind in DRIVE_KINDS else 0,
        oneway=oneway,
        foot=_foot(tags, kind),
        layer=_layer(tags, bridge, tunnel),
        bridge=bridge,
        tunnel=tunnel,
        passage=passage,
        covered=is_yes(tags.get("covered")),
        indoor=is_yes(tags.get("indoor")) or kind == "corridor",
        steps=max(1, round(steps * share)) if steps > 0 and kind in ("steps", "escalator") else 0,
        incline=_incline(tags.get("incline")),
        conveying=_conveying(tags.get("conveying")),
        surface=first_value(tags.get("surface", "")),
        crossing=_crossing_of(source, tags, nodes) if kind == "crossing" else "",
        lit=tags.get("lit", "yes") != "no",
        tags=dict(tags),
    )


def _oneway(tags: Tags) -> int:
    value = tags.get("oneway", "yes" if tags.get("junction") in ("roundabout", "circular") else "")
    if value in ("-1", "reverse"):
        return -1
    if value in ("yes", "true", "1"):
        return 1
    return 1 if value != "no" and tags.get("highway") in ("motorway", "motorway_link") else 0


def _foot(tags: Tags, kind: str) -> bool:
    foot = tags.get("foot", "")
    if foot:
        return foot not in _CLOSED_TO_FOOT and kind != "tram"
    if tags.get("access") == "no" or tags.get("motorroad") == "yes":
        return False
    if kind in WALK_KINDS:
        return True
    return kind in _SHARED_KINDS and tags.get("sidewalk", tags.get("sidewalk:both", "")) != "separate"


def _layer(tags: Tags, bridge: bool, tunnel: bool) -> int:
    tagged = number(tags.get("layer"))
    if tagged is not None:
        return max(-10, min(10, int(tagged // 1)))
    level = levels_of(tags.get("level"))
    if level < 0:
        return level
    return 1 if bridge else -1 if tunnel else 0


def _incline(value: str | None) -> int:
    if value is None:
        return 0
    text = value.strip().lower().rstrip("%°")
    slope = number(text)
    return {"up": 1, "down": -1}.get(text, 0 if not slope else 1 if slope > 0 else -1)


def _conveying(value: str | None) -> int:
    return 0 if not is_yes(value) else -1 if value == "backward" else 1


def _crossing_of(source: LocalMap, tags: Tags, nodes: tuple[int, ...]) -> str:
    """The kind from the way itself, else from the first crossing node on it, else an unmarked crossing."""
    own = crossing_kind({k: v for k, v in tags.items() if k != "highway"})
    if own:
        return own
    on_nodes = [crossing_kind(source.extract.node_tags.get(n, {})) for n in nodes]
    return next((kind for kind in on_nodes if kind), "unmarked")


def fit_ways(network: WayNetwork, facades: list[LineString]) -> None:
    """Shrink surface ways to the room their street has."""
    surface = [w for w in network.ways if w.layer == 0 and not (w.tunnel or w.bridge or w.indoor or w.passage)]
    sidewalks = [network.line(w) for w in surface if w.kind == "sidewalk"]
    fitting = Fitting(facades, sidewalks)
    chosen = {w.id for w in surface if w.kind not in ("crossing", "tram", "platform")}
    for index, way in enumerate(network.ways):
        if way.id in chosen:
            width = fitting.fit(network.line(way), way.kind, way.lanes, way.width)
            network.ways[index] = replace(way, width=round(width, 2))
