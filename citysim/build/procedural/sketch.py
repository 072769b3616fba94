"""Drawing a plan: nodes on the lattice, ways over them, everything numbered in the order it is drawn."""

from dataclasses import dataclass, field
from typing import Any

from citysim.build.plans import AreaPlan, BuildingPlan, CityPlan, CrossingPlan, PlacePlan, PropPlan, WayPlan, Xy
from citysim.geo.frames import LocalFrame

LATTICE = 1024.0


def snapped(xy: Xy) -> Xy:
    """A point on the 1/1024 m lattice."""
    return round(xy[0] * LATTICE) / LATTICE, round(xy[1] * LATTICE) / LATTICE


@dataclass
class Sketch:
    """A plan in the making. `name` heads every id."""

    name: str
    nodes: dict[int, Xy] = field(default_factory=dict)
    ways: list[WayPlan] = field(default_factory=list)
    crossings: list[CrossingPlan] = field(default_factory=list)
    areas: list[AreaPlan] = field(default_factory=list)
    buildings: list[BuildingPlan] = field(default_factory=list)
    places: list[PlacePlan] = field(default_factory=list)
    props: list[PropPlan] = field(default_factory=list)
    _at: dict[Xy, int] = field(default_factory=dict)

    def node(self, x: float, y: float) -> int:
        """The node at a point; two calls with one point give one node."""
        xy = snapped((x, y))
        if xy not in self._at:
            self._at[xy] = len(self.nodes) + 1
            self.nodes[self._at[xy]] = xy
        return self._at[xy]

    def way(self, kind: str, points: list[Xy], width: float, **more: Any) -> WayPlan:
        """Add a way through points (two or more, no two neighbours equal); `more` are WayPlan's other fields."""
        nodes: list[int] = []
        for point in points:
            node = self.node(*point)
            if not nodes or nodes[-1] != node:
                nodes.append(node)
        made = WayPlan(f"{self.name}:way/{len(self.ways) + 1}", kind, tuple(nodes), width, **more)
        self.ways.append(made)
        return made

    def prop(self, kind: str, x: float, y: float, heading_deg: float | None = None, **more: Any) -> None:
        """Add a piece of furniture; `more` are PropPlan's other fields."""
        number = len(self.props) + 1
        self.props.append(PropPlan(f"{self.name}:prop/{number}", kind, snapped((x, y)), heading_deg, **more))

    def plan(self, title: str, origin: tuple[float, float], seed: int, size: float, **more: Any) -> CityPlan:
        """The plan of what has been drawn, for a preset of the sketch's name.

        `origin` is longitude and latitude in degrees, `size` the side length in metres; `more` are CityPlan's
        other fields.
        """
        return CityPlan(
            name=self.name,
            title=title,
            source=f"citysim procedural city {self.name}",
            licence="CC0-1.0",
            attribution="",
            frame=LocalFrame(*origin),
            seed=seed,
            generator={"kind": "procedural", "preset": self.name, "seed": seed, "size": size},
            nodes=dict(self.nodes),
            ways=tuple(self.ways),
            crossings=tuple(self.crossings),
            areas=tuple(self.areas),
            buildings=tuple(self.buildings),
            places=tuple(self.places),
            props=tuple(self.props),
            **more,
        )
