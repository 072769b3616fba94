"""Layout: what a street graph becomes on the ground: axes, pavement lines, corners, crossings, islands."""

import itertools
import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import shapely
from shapely.geometry import LineString

from citysim.build.plans import Xy
from citysim.build.procedural.district.corners import Corner, corner
from citysim.build.procedural.district.drawing import draw_layout
from citysim.build.procedural.district.graph import Arm, Edge, StreetGraph
from citysim.build.procedural.district.strand import Strand
from citysim.build.procedural.sketch import Sketch, snapped

APART = 9.0  # metres between two crossings of one street, at least
MIDDLE = 90.0  # metres between crossings above which one is put between them


@dataclass
class Path:
    """A way for walkers off the streets, which others may join until it is drawn."""

    strand: Strand
    kind: str
    width: float
    name: str
    surface: str


@dataclass(frozen=True, slots=True)
class Crossing:
    """A place where an edge is crossed, `s` metres along it."""

    edge: Edge
    s: float
    kind: str


class Layout:
    """Pavements and crossings of a graph. Others join the lines with `join` before `draw` puts all into a sketch."""

    def __init__(self, graph: StreetGraph, wet: shapely.Geometry | None = None) -> None:
        """Lay out a graph; no crossing is put between junctions over `wet` ground or within 6 m of it."""
        self.graph = graph
        self.wet = wet if wet is not None else shapely.Point()
        self.axes = {e.id: Strand(list(e.axis.points)) for e in graph.edges}
        self.corners: list[Corner] = []
        self.sides: dict[tuple[int, int], Strand] = {}
        self.spans: dict[
            tuple[int, int], tuple[float, float]
        ] = {}  # where a side's line begins and ends along the axis
        self.crossings: list[Crossing] = []
        self.paths: list[Path] = []
        self.links: list[Strand] = []
        self.clear: dict[tuple[int, bool], float] = {}
        self.stubs: dict[tuple[int, int, float], Xy] = {}
        arms = graph.arms()
        kerbed = {n: [a for a in found if not a.edge.street.flush] for n, found in arms.items()}
        self._lay_corners(kerbed)
        self._lay_sides()
        self._lay_crossings(kerbed)
        self._join_lanes(arms)
        self.mouths = self._find_mouths()

    def _lay_corners(self, kerbed: dict[int, list[Arm]]) -> None:
        self._ends: dict[tuple[int, int, bool], tuple[float, Xy]] = {}
        for number, found in kerbed.items():
            node = self.graph.nodes[number]
            if number in self.graph.rim:
                for arm in found:
                    for sign in (1, -1):
                        s = arm.station(0.0)
                        at = arm.edge.axis.at(s, sign * arm.edge.street.walk)
                        self._ends[(arm.edge.id, sign, arm.at_start)] = (s, at)
                    self.clear[(arm.edge.id, arm.at_start)] = math.inf
                continue
            for k, arm in enumerate(found):
                made = corner(node, arm, found[(k + 1) % len(found)])
                self.corners.append(made)
                for end, along, clear, left in (
                    (made.left_end, made.along_first, made.clear_first, True),
                    (made.right_end, made.along_second, made.clear_second, False),
                ):
                    owner = made.first if left else made.second
                    key = (owner.edge.id, owner.side(left), owner.at_start)
                    self._ends[key] = (owner.station(along), end)
                    reach = (owner.edge.id, owner.at_start)
                    self.clear[reach] = max(self.clear.get(reach, 0.0), along, clear)
                if math.dist(made.left_end, made.right_end) > 0.05:
                    self.links.append(Strand([made.left_end, made.right_end]))

    def _lay_sides(self) -> None:
        for edge in self.graph.edges:
            if edge.street.flush:
                continue
            for sign in (1, -1):
                start, first = self._ends[(edge.id, sign, True)]
                end, last = self._ends[(edge.id, sign, False)]
                bends = [p for s, p in edge.axis.offset(sign * edge.street.walk)[1:-1] if start + 0.3 < s < end - 0.3]
                self.sides[(edge.id, sign)] = Strand([first, *bends, last])
                self.spans[(edge.id, sign)] = (start, end)

    def _lay_crossings(self, kerbed: dict[int, list[Arm]]) -> None:
        signalled = {
            n: sum(a.edge.street.crossing == "signals" for a in found) >= 2 and len(found) >= 3
            for n, found in kerbed.items()
        }
        for edge in self.graph.edges:
            if edge.street.flush or not edge.crossed:
                continue
            ends = []
            for number, at_start in ((edge.a, True), (edge.b, False)):
                clear = self.clear[(edge.id, at_start)]
                junction = len(kerbed.get(number, [])) >= 3 and number not in self.graph.plain
                if junction and number not in self.graph.rim and clear < edge.length - APART / 2:
                    ends.append((clear if at_start else edge.length - clear, number))
            if len(ends) == 2 and ends[1][0] - ends[0][0] < APART:
                ends = [max(ends, key=lambda e: (signalled[e[1]], len(kerbed[e[1]]), -e[0]))]
            for s, number in ends:
                self.cross(edge, s, "signals" if signalled[number] else self._plain(edge))
        self._fill_gaps(kerbed)

    def _plain(self, edge: Edge) -> str:
        return "zebra" if edge.street.crossing == "signals" else edge.street.crossing

    def _between(self, edge: Edge) -> str:
        """The crossing of an edge between junctions: two lanes are not stopped by lights there."""
        return self._plain(edge) if edge.street.lanes <= 2 else edge.street.crossing

    def _fill_gaps(self, kerbed: dict[int, list[Arm]]) -> None:
        """Crossings between those at junctions where they are far apart; lanes that join in between do not count."""
        through = {n for n, found in kerbed.items() if len(found) == 2 and n not in self.graph.rim
                   and found[0].edge.name == found[1].edge.name}  # fmt: skip
        done: set[int] = set()
        for edge in self.graph.edges:
            if edge.street.flush or edge.id in done or not edge.crossed:
                continue
            chain = [(edge, True)]
            for ahead in (True, False):
                while True:
                    last, forth = chain[-1 if ahead else 0]
                    node = last.b if forth == ahead else last.a
                    onward = [a for a in kerbed.get(node, []) if a.edge.id != last.id] if node in through else []
                    if not onward or any(onward[0].edge is e for e, _ in chain):
                        break
                    piece = (onward[0].edge, onward[0].at_start == ahead)
                    chain = [*chain, piece] if ahead else [piece, *chain]
            done |= {e.id for e, _ in chain}
            self._fill_chain(chain)

    def _fill_chain(self, chain: list[tuple[Edge, bool]]) -> None:
        starts, total = [], 0.0
        for edge, _ in chain:
            starts.append(total)
            total += edge.length
        stops = [starts[k] + (c.s if forth else edge.length - c.s)
                 for k, (edge, forth) in enumerate(chain) for c in self.crossings if c.edge is edge]  # fmt: skip
        stops = sorted({0.0, total, *stops})
        for low, high in itertools.pairwise(stops):
            count = max(math.ceil((high - low) / MIDDLE) - 1, 0)
            for n in range(count):
                target = low + (high - low) * (n + 1) / (count + 1)
                k = max(i for i, start in enumerate(starts) if start <= target)
                edge, forth = chain[k]
                s = target - starts[k] if forth else edge.length - (target - starts[k])
                margin = min(8.0, edge.length / 2)
                s = min(max(s, margin), edge.length - margin)
                if not self.wet.dwithin(shapely.Point(edge.axis.at(s)), 6.0):
                    self.cross(edge, s, self._between(edge))

    def cross(self, edge: Edge, s: float, kind: str) -> Crossing:
        """Add a crossing `s` metres along an edge, joined to the pavement lines on both sides."""
        made = Crossing(edge, s, kind)
        self.crossings.append(made)
        self.axes[edge.id].insert(edge.axis.at(s))
        for sign in (1, -1):
            self.stubs[(edge.id, sign, s)] = self.stop(edge, sign, s, 0.6)
        return made

    def stop(self, edge: Edge, sign: int, s: float, same: float = 0.3) -> Xy:
        """A point of a pavement line `s` metres along its edge, as a node of that line."""
        return self.sides[(edge.id, sign)].insert(edge.axis.at(s, sign * edge.street.walk), same)

    def join(self, xy: Xy, reach: float = 30.0) -> Xy | None:
        """The nearest point on a pavement line, a path or a lane's axis within reach, as a node of that line."""
        strands = [*self.sides.values(), *(self.axes[e.id] for e in self.graph.edges if e.street.flush)]
        strands = [s for s in [*strands, *(path.strand for path in self.paths)] if s.may_be_within(reach, xy, xy)]
        ranked = sorted((math.dist(s.project(xy), xy), k) for k, s in enumerate(strands))
        if not ranked or ranked[0][0] > reach:
            return None
        strand = strands[ranked[0][1]]
        return strand.insert(strand.project(xy), 0.4)

    def path(
        self, points: Sequence[Xy], width: float = 2.5, kind: str = "footway", name: str = "", surface: str = "asphalt",
        reach: float = 0.0,
    ) -> Strand:  # fmt: skip
        """Add a path; its ends are led to the nearest line within `reach` metres, and it is joined where it meets
        other paths.
        """
        line = [snapped(p) for p in points]
        if reach > 0.0:
            first, last = self.join(line[0], reach), self.join(line[-1], reach)
            line = [*([first] if first else []), *line, *([last] if last else [])]
        strand = Strand([p for k, p in enumerate(line) if k == 0 or math.dist(p, line[k - 1]) > 0.3])
        mine = LineString(strand.points)
        x0, y0, x1, y1 = mine.bounds
        for other in self.paths:
            if not other.strand.may_be_within(0.1, (x0, y0), (x1, y1)):
                continue
            at = shapely.intersection(mine, LineString(other.strand.points))
            for x, y in shapely.get_coordinates(at).tolist():
                strand.insert(other.strand.insert((x, y), 0.3), 0.3)
        self.paths.append(Path(strand, kind, width, name, surface))
        return strand

    def _join_lanes(self, arms: dict[int, list[Arm]]) -> None:
        """Where a street without kerbs reaches a kerbed one it meets the pavement line there."""
        for found in arms.values():
            flush = [a for a in found if a.edge.street.flush]
            kerbed = [a for a in found if not a.edge.street.flush]
            strands = [self.sides[(a.edge.id, sign)] for a in kerbed for sign in (1, -1)]
            ends = {p for s in strands for p in (s.points[0], s.points[-1])}
            strands += [link for link in self.links if link.points[0] in ends]
            for arm in flush:
                axis = self.axes[arm.edge.id]
                line = LineString(axis.points)
                for strand in strands:
                    at = shapely.intersection(line, LineString(strand.points))
                    for x, y in shapely.get_coordinates(at).tolist():
                        axis.insert(strand.insert((x, y), 0.2), 0.2)

    def _find_mouths(self) -> dict[tuple[int, int], list[tuple[float, float]]]:
        """Per side of an edge where lanes without kerbs come out: (distance along, half the lane's width)."""
        at: dict[int, list[Edge]] = defaultdict(list)
        for edge in self.graph.edges:
            if not edge.street.flush:
                at[edge.a].append(edge)
                at[edge.b].append(edge)
        found: dict[tuple[int, int], list[tuple[float, float]]] = defaultdict(list)
        for lane in self.graph.edges:
            if not lane.street.flush:
                continue
            own = set(self.axes[lane.id].points)
            for edge in sorted({e.id: e for n in (lane.a, lane.b) for e in at[n]}.values(), key=lambda e: e.id):
                for sign in (1, -1):
                    for point in own.intersection(self.sides[(edge.id, sign)].points):
                        found[(edge.id, sign)].append((edge.axis.nearest(point)[0], lane.street.half))
        return {key: sorted(value) for key, value in sorted(found.items())}

    def draw(self, sketch: Sketch, water: shapely.Geometry | None = None) -> None:
        """Add axes, pavement lines, crossings, paths and islands to a sketch; what lies over `water` is bridges."""
        draw_layout(self, sketch, water)
