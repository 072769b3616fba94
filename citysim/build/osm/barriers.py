"""Walls, fences, hedges and railings, opened where somebody walks or drives through."""

from shapely import unary_union
from shapely.geometry import LineString, Point, box
from shapely.geometry.base import BaseGeometry

from citysim.build.osm.localmap import LocalMap, Near
from citysim.build.osm.outlines import is_underground
from citysim.build.osm.tagvalues import Tags, first_value, is_yes, metres
from citysim.build.plans import BarrierPlan, WayPlan

_HEIGHT = {"wall": 1.8, "fence": 1.2, "hedge": 1.2, "retaining_wall": 0.9, "guard_rail": 0.75, "railing": 1.1}
_LIKE = {
    "city_wall": "wall", "handrail": "railing", "chain": "railing", "rope": "railing", "cable_barrier": "guard_rail",
    "hand_rail": "railing", "hand_rail_fence": "railing", "fence": "fence", "spikes": "fence",
}  # fmt: skip
_GATES = (
    "gate", "lift_gate", "swing_gate", "entrance", "kissing_gate", "stile", "turnstile", "toll_booth", "sally_port",
)  # fmt: skip
_GATE_WIDTH = 1.6  # metres of a gate for walkers
_SHORTEST = 0.4  # metres: shorter remains of a cut barrier are dropped


def barrier_kind(tags: Tags) -> str:
    """The BarrierPlan kind of a line, "" for kerbs, bollards and lines that are no barrier."""
    value = first_value(tags.get("barrier", ""))
    if tags.get("guard_rail") == "yes":
        return "guard_rail"
    kind = _LIKE.get(value, value)
    return kind if kind in _HEIGHT else ""


def read_barriers(source: LocalMap, ways: list[tuple[WayPlan, LineString]]) -> list[BarrierPlan]:
    """Surface barriers inside the bounds, open at gates and where surface ways cross them, by ascending way id."""
    surface = [(w, line) for w, line in ways if w.layer == 0 and not (w.tunnel or w.bridge or w.indoor)]
    near = Near([line for _, line in surface])
    frame = box(*source.bounds)
    found: list[BarrierPlan] = []
    for way in sorted(source.extract.way_refs):
        tags = source.extract.way_tags[way]
        kind = barrier_kind(tags)
        if not kind or is_underground(tags) or is_yes(tags.get("indoor")):
            continue
        nodes = source.present(source.extract.way_refs[way])
        if len(nodes) < 2:
            continue
        line = LineString([source.xy[n] for n in nodes])
        openings: list[BaseGeometry] = [
            Point(source.xy[n]).buffer(_GATE_WIDTH / 2, quad_segs=4) for n in nodes if _is_open_gate(source, n)
        ]
        for i in near.touching(line):
            other, axis = surface[i]
            openings.append(axis.intersection(line).buffer(other.width / 2 + 0.3, quad_segs=4))
        rest = line.intersection(frame).difference(unary_union(openings)) if openings else line.intersection(frame)
        height = metres(tags.get("height"), low=0.2, high=15.0) or _HEIGHT[kind]
        found += [
            BarrierPlan(f"osm:way/{way}" if k == 0 else f"osm:way/{way}/{k}", kind, piece, round(height, 2), dict(tags))
            for k, piece in enumerate(_lines_of(rest))
        ]
    return found


def _is_open_gate(source: LocalMap, node: int) -> bool:
    tags = source.extract.node_tags.get(node, {})
    return (tags.get("barrier") in _GATES or "entrance" in tags) and tags.get("access") != "no"


def _lines_of(shape: BaseGeometry) -> list[LineString]:
    parts = [p for p in getattr(shape, "geoms", [shape]) if isinstance(p, LineString) and p.length >= _SHORTEST]
    return sorted(parts, key=lambda p: (p.bounds, p.length))
