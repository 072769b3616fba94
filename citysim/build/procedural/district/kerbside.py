"""Kerbside: street furniture between kerb and walkers, parked cars and signals, along every street of a layout."""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import shapely

from citysim.build.chance import Chance
from citysim.build.plans import Xy
from citysim.build.procedural.district.graph import Edge
from citysim.build.procedural.district.layout import Layout
from citysim.build.procedural.sketch import Sketch

CAR, CAR_CORNER, CAR_CROSSING = 6.4, 9.0, 6.5  # metres of kerb a car takes, and keeps from corners and crossings
CORNER_FREE, CROSSING_FREE = 3.5, 2.6  # metres that furniture keeps from corners and from the middle of crossings
JITTER, LEFT_OUT = 0.08, 0.05


@dataclass(frozen=True, slots=True)
class Rule:
    """Things of one kind every `step` metres, `off` metres behind the kerb, on streets of some ranks.

    `clear` is what one keeps from others of any kind, `phase` the share of a step by which the right side lags.
    """

    kind: str
    step: float
    off: float = 0.6
    ranks: tuple[int, ...] = (1, 2, 3)
    height: float | None = None
    clear: float = 1.2
    phase: float = 0.5
    sides: tuple[int, ...] = (1, -1)
    share: float = 1.0  # of the places that get one
    facing: str = ""  # "street", "walk", "along" or "" for the kind's own way
    start: float = 4.0
    whole: bool = False  # spread evenly from the first to the last place with room, those included on the left side
    tries: tuple[float, ...] = (0.0,)  # metres along the street by which one is moved where there is no room


class Kerbside:
    """Puts things along streets where nothing is yet; `keep_off` are areas that get none (stairs, ramps)."""

    def __init__(self, sketch: Sketch, layout: Layout, keep_off: Sequence[shapely.Geometry] = ()) -> None:
        self.sketch, self.layout = sketch, layout
        self._off = shapely.union_all(list(keep_off)) if keep_off else shapely.Point()
        shapely.prepare(self._off)
        self._taken: dict[tuple[int, int], list[tuple[Xy, float]]] = defaultdict(list)
        self._stops: dict[int, list[float]] = defaultdict(list)
        for crossing in layout.crossings:
            self._stops[crossing.edge.id].append(crossing.s)
        x0, y0, x1, y1 = _bounds(layout)
        self._bounds = (x0 + 2.0, y0 + 2.0, x1 - 2.0, y1 - 2.0)

    def put(
        self, kind: str, xy: Xy, heading: float | None = None, clear: float = 1.2, height: float | None = None,
        name: str = "",
    ) -> bool:  # fmt: skip
        """Add a thing unless others are too near; whether it was added."""
        x0, y0, x1, y1 = self._bounds
        if not (x0 < xy[0] < x1 and y0 < xy[1] < y1) or self._off.intersects(shapely.Point(xy).buffer(clear / 2)):
            return False
        i, j = int(xy[0] // 6), int(xy[1] // 6)
        near = [t for a in (i - 1, i, i + 1) for b in (j - 1, j, j + 1) for t in self._taken.get((a, b), ())]
        if any(math.dist(xy, at) < (clear + other) / 2 for at, other in near):
            return False
        self._taken[(i, j)].append((xy, clear))
        self.sketch.prop(kind, *xy, heading, height=height, name=name)
        return True

    def beside(self, edge: Edge, sign: int, s: float, off: float, room: float) -> Xy | None:
        """A point `off` metres behind the kerb; None near corners, crossings and mouths of lanes."""
        start, end = self.layout.spans[(edge.id, sign)]
        if not start + CORNER_FREE + room / 2 < s < end - CORNER_FREE - room / 2:
            return None
        if any(abs(s - c) < CROSSING_FREE + room / 2 for c in self._stops[edge.id]):
            return None
        if any(abs(s - m) < half + 1.0 + room / 2 for m, half in self.layout.mouths.get((edge.id, sign), ())):
            return None
        return edge.axis.at(s, sign * (edge.street.half + off))

    def furnish(self, rules: Sequence[Rule], chance: Chance) -> None:
        """Signals at crossings, then every rule in turn; `chance` is the district's."""
        self.signals()
        for index, rule in enumerate(rules):
            self.line(rule, chance.child(f"kerbside/{index}"))

    def line(self, rule: Rule, chance: Chance) -> None:
        """Follow a rule along all streets."""
        for edge in self.layout.graph.edges:
            if edge.street.flush or edge.street.rank not in rule.ranks:
                continue
            for sign in rule.sides:
                here = chance.child(f"{rule.kind}/{edge.id}/{sign}")
                for index, s in enumerate(self._stations(rule, edge, sign)):
                    at = s + here.uniform(-JITTER, JITTER, f"{index}/at") * rule.step * (not rule.whole)
                    if here.unit(f"{index}/out") < rule.share * (1.0 - LEFT_OUT * (not rule.whole)):
                        for aside in rule.tries:
                            if self._one(rule, edge, sign, at + aside):
                                break

    def _stations(self, rule: Rule, edge: Edge, sign: int) -> list[float]:
        """Where along an edge things of a rule should be."""
        shift = rule.phase if sign < 0 else 0.0
        if not rule.whole:
            first = rule.start + rule.step * shift
            return [first + rule.step * k for k in range(max(math.ceil((edge.length - 1.0 - first) / rule.step), 0))]
        start, end = self.layout.spans[(edge.id, sign)]
        open_ = [s / 2 for s in range(math.ceil(2 * start), math.floor(2 * end) + 1)
                 if self.beside(edge, sign, s / 2, rule.off, rule.clear) is not None]  # fmt: skip
        if not open_:
            return []
        low, high = open_[0], open_[-1]
        count = max(round((high - low) / rule.step), 1)
        if shift:
            return [low + (high - low) * (k + shift) / count for k in range(count)]
        return [low + (high - low) * k / count for k in range(count + 1)]

    def _one(self, rule: Rule, edge: Edge, sign: int, s: float) -> bool:
        spot = self.beside(edge, sign, s, rule.off, rule.clear)
        if spot is None:
            return False
        return self.put(rule.kind, spot, _facing(edge, sign, s, rule.facing), rule.clear, rule.height)

    def lanes(self, kind: str, step: float, chance: Chance, height: float | None = None, inset: float = 0.35) -> None:
        """Things every `step` metres along the edges of streets without kerbs, on alternate sides."""
        for edge in self.layout.graph.edges:
            if not edge.street.flush:
                continue
            count = round(edge.length / step)
            for k in range(count):
                s = edge.length * (k + 0.5) / count
                sign = 1 if (k + chance.integer(0, 2, edge.id)) % 2 else -1
                at = edge.axis.at(s, sign * (edge.street.half - inset))
                self.put(kind, at, _facing(edge, sign, s, "street"), 1.5, height)

    def cars(self, chance: Chance, share: float, left_hand: bool = False) -> None:
        """Parked cars along the kerbs of streets with parking, headed with the traffic of their side."""
        for edge in self.layout.graph.edges:
            if not edge.street.parking or edge.street.flush:
                continue
            for sign in (1, -1):
                forward = (sign < 0) != left_hand if not edge.oneway else edge.oneway > 0
                start, end = self.layout.spans[(edge.id, sign)]
                count = int((end - start - 2 * CAR_CORNER) / CAR)
                mouths = self.layout.mouths.get((edge.id, sign), ())
                for k in range(count):
                    s = start + CAR_CORNER + CAR * (k + 0.5)
                    free = all(abs(s - c) > CAR_CROSSING for c in self._stops[edge.id])
                    free = free and all(abs(s - m) > half + 4.5 for m, half in mouths)
                    if free and chance.unit(f"{edge.id}/{sign}/{k}") < share:
                        heading = (edge.axis.heading_deg(s) + (0.0 if forward else 180.0)) % 360.0
                        self.put("car", edge.axis.at(s, sign * (edge.street.half - 1.05)), heading, 2.0)

    def signals(self) -> None:
        """A post at both ends of every signalled crossing, on the side away from the junction."""
        for crossing in self.layout.crossings:
            if crossing.kind != "signals":
                continue
            edge, s = crossing.edge, crossing.s
            away = 1.0 if s < edge.length / 2 else -1.0
            for sign in (1, -1):
                spot = edge.axis.at(s + away * 2.9, sign * (edge.street.half + 0.6))
                heading = (edge.axis.heading_deg(s) + (180.0 if away > 0 else 0.0)) % 360.0
                self.put("traffic_signals", spot, (heading + 180.0) % 360.0, 1.0)


def _facing(edge: Edge, sign: int, s: float, facing: str) -> float | None:
    """A heading towards the carriageway, away from it or along it."""
    if not facing:
        return None
    if facing == "along":
        return edge.axis.heading_deg(s)
    towards = edge.axis.heading_deg(s) + (90.0 if sign > 0 else -90.0)
    return (towards + (0.0 if facing == "street" else 180.0)) % 360.0


def _bounds(layout: Layout) -> tuple[float, float, float, float]:
    x, y = [p[0] for p in layout.graph.nodes], [p[1] for p in layout.graph.nodes]
    return min(x), min(y), max(x), max(y)
