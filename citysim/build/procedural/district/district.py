"""District: everything a preset needs while it draws its city, and the plan that comes of it."""

from dataclasses import dataclass, field

from citysim.build.chance import Chance
from citysim.build.plans import BarrierPlan, CityPlan
from citysim.build.procedural.district.graph import StreetGraph
from citysim.build.procedural.district.houses import Builder
from citysim.build.procedural.naming import Names
from citysim.build.procedural.sketch import Sketch


@dataclass
class District:
    """A city in the making."""

    preset: str
    seed: int
    size: float
    chance: Chance
    names: Names
    sketch: Sketch
    builder: Builder
    graph: StreetGraph = field(default_factory=StreetGraph)
    barriers: list[BarrierPlan] = field(default_factory=list)
    aspect: float = 1.0  # north to south over east to west

    @classmethod
    def begin(cls, preset: str, seed: int, size: float, aspect: float = 1.0) -> "District":
        """An empty district; names and chances depend on the preset and the seed alone."""
        chance = Chance(seed, preset)
        sketch = Sketch(preset)
        names = Names(preset, chance.child("names"))
        return cls(preset, seed, size, chance, names, sketch, Builder(sketch), aspect=aspect)

    @property
    def half(self) -> float:
        """Half the width from east to west, metres, on a quarter of a metre."""
        return round(self.size / 2 * 4) / 4

    @property
    def high(self) -> float:
        """Half the height from north to south, metres."""
        return round(self.size * self.aspect / 2 * 4) / 4

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """e0, n0, e1, n1 metres."""
        return (-self.half, -self.high, self.half, self.high)

    def plan(
        self, title: str, origin: tuple[float, float], locale: str, utc_offset_h: float, street_trees: bool = False
    ) -> CityPlan:
        """The plan of what has been drawn; `origin` is longitude and latitude in degrees."""
        return self.sketch.plan(
            title, origin, self.seed, self.size, bounds=self.bounds, barriers=tuple(self.barriers),
            street_trees=street_trees, locale=locale, utc_offset_h=utc_offset_h,
        )  # fmt: skip
