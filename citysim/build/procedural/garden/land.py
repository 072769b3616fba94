"""Land: one piece of green between roads and canals, with the helpers that every programme needs."""

import math
from dataclasses import dataclass

from shapely.geometry import LineString, Polygon

from citysim.build.chance import Chance
from citysim.build.plans import BuildingPlan, EntrancePlan, Xy
from citysim.build.procedural.district.blocks import Block
from citysim.build.procedural.district.district import District
from citysim.build.procedural.district.houses import Sort, storeys_of
from citysim.build.procedural.district.layout import Layout
from citysim.build.procedural.sketch import snapped

Box = tuple[float, float, float, float]


@dataclass
class Land:
    """A rectangle to be filled; `used` are footprints that trees keep off."""

    district: District
    layout: Layout
    block: Block
    letter: str
    chance: Chance
    used: list[Polygon]
    count: int = 0

    @property
    def box(self) -> Box:
        """x0, y0, x1, y1 metres."""
        x0, y0, x1, y1 = self.block.polygon.bounds
        return float(x0), float(y0), float(x1), float(y1)

    @property
    def street(self) -> str:
        """The street along its longest side."""
        sides = self.block.streets
        return sides[0].edge.name if sides and sides[0].edge is not None else self.district.graph.edges[0].name

    def build(
        self, shape: Polygon, sort: Sort, doors: list[Xy], levels: int | None = None, named: bool = True,
        name: str = "",
    ) -> BuildingPlan:  # fmt: skip
        """A building with doors, called by the land's letter and a number."""
        self.count += 1
        here = self.chance.child(f"building/{self.count}")
        storeys = levels or storeys_of(sort, here)
        ident = self.district.builder.next_id
        number = f"{self.letter}{self.count}"
        entrances = [
            EntrancePlan(f"{ident}/door{k}" if k else f"{ident}/door", snapped(at), "main" if k == 0 else "yes", None,
                         number if len(doors) == 1 else f"{number}-{k + 1}")
            for k, at in enumerate(doors)
        ]  # fmt: skip
        self.used.append(shape.buffer(2.0, join_style="mitre"))
        title = name or (number if named else "")
        address = f"{self.street} {number}"
        return self.district.builder.stand(shape, sort, storeys, entrances, address, here, title)

    def path(self, points: list[Xy], width: float = 2.2, reach: float = 16.0, surface: str = "paving_stones") -> None:
        """A path whose ends reach the nearest lines; trees keep off it."""
        strand = self.layout.path(points, width, surface=surface, reach=reach)
        self.keep_off(strand.points, width / 2 + 1.2)

    def reached(self, xy: Xy, reach: float = 16.0) -> bool:
        """Whether a pavement's line or a path is within reach of a place."""
        lines = [*self.layout.sides.values(), *(path.strand for path in self.layout.paths)]
        return any(math.dist(s.project(xy), xy) <= reach for s in lines if s.may_be_within(reach, xy, xy))

    def keep_off(self, line: list[Xy], reach: float) -> None:
        """Keep trees off a line."""
        if len(line) > 1:
            self.used.append(LineString(line).buffer(reach))


def rectangle(x0: float, y0: float, x1: float, y1: float) -> Polygon:
    """A counter-clockwise rectangle on the lattice."""
    (a, b), (c, d) = snapped((x0, y0)), snapped((x1, y1))
    return Polygon([(a, b), (c, b), (c, d), (a, d)])


def spread(low: float, high: float, size: float, least: float, most: int = 99) -> list[float]:
    """Starts of things of a size between two ends, at least `least` apart and equally spaced."""
    room = high - low
    count = min(int((room + least) / (size + least)), most)
    if count < 1:
        return []
    gap = (room - count * size) / (count + 1) if count * size + (count + 1) * least <= room else None
    if gap is None:
        gap = (room - count * size) / max(count - 1, 1)
        return [low + k * (size + gap) for k in range(count)]
    return [low + gap + k * (size + gap) for k in range(count)]
