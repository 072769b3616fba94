"""Streets of a rectangular town as a mapper would draw them: axes, pavements, crossings."""

from dataclasses import dataclass, field

from citysim.build.plans import CrossingPlan, Xy
from citysim.build.procedural.sketch import Sketch

SIDEWALK = 1.5  # metres from the facade line to the pavement's line
CORNER = 3.6  # metres from a junction's kerb line to the middle of its crossing


@dataclass
class Street:
    """A straight street along x ("horizontal") or y; `at` is its axis, from `start` to `end` on the other one."""

    name: str
    kind: str
    horizontal: bool
    at: float
    start: float
    end: float
    width: float  # kerb to kerb
    pavement: float  # each side
    lanes: int = 2
    stops: set[float] = field(default_factory=set)  # where the axis needs nodes

    @property
    def facade(self) -> float:
        """Metres from the axis to the facades."""
        return self.width / 2 + self.pavement

    def point(self, along: float, across: float = 0.0) -> Xy:
        """A point by its place along the street and its offset from the axis (north or east is positive)."""
        return (along, self.at + across) if self.horizontal else (self.at + across, along)

    def draw(self, sketch: Sketch) -> None:
        """Add the axis with all its stops."""
        stations = sorted({self.start, self.end, *self.stops})
        sketch.way(
            self.kind, [self.point(s) for s in stations], self.width, name=self.name, lanes=self.lanes, foot=False,
            surface="asphalt", tags={"highway": self.kind, "name": self.name},
        )  # fmt: skip

    def cross(self, sketch: Sketch, along: float, kind: str, sides: "dict[int, Side]") -> None:
        """Add a crossing at `along`: the line over the carriageway, its node, and stubs to the pavements' lines."""
        self.stops.add(along)
        node = sketch.node(*self.point(along))
        sketch.crossings.append(CrossingPlan(f"{sketch.name}:crossing/{len(sketch.crossings) + 1}", node, kind))
        kerb = self.width / 2 + 0.4
        tags = {"highway": "footway", "footway": "crossing"}
        line = [self.point(along, -kerb), self.point(along), self.point(along, kerb)]
        sketch.way("crossing", line, 4.0, crossing=kind, tags=tags)
        for sign in (-1, 1):
            away = self.facade - SIDEWALK
            sides[sign].stops.add(along)
            stub = [self.point(along, sign * kerb), self.point(along, sign * away)]
            sketch.way("sidewalk", stub, 3.0, name=self.name, tags={"highway": "footway", "footway": "sidewalk"})


@dataclass
class Side:
    """One pavement's line: beside `street`, on side -1 or 1, between two places along it."""

    street: Street
    sign: int
    start: float
    end: float
    stops: set[float] = field(default_factory=set)

    def draw(self, sketch: Sketch) -> None:
        """Add the line with all its stops."""
        away = self.sign * (self.street.facade - SIDEWALK)
        stations = sorted({self.start, self.end, *(s for s in self.stops if self.start <= s <= self.end)})
        points = [self.street.point(s, away) for s in stations]
        width = min(3.0, self.street.pavement - 0.6)
        tags = {"highway": "footway", "footway": "sidewalk"}
        sketch.way("sidewalk", points, width, name=self.street.name, surface="paving_stones", tags=tags)
