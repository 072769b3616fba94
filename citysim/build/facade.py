"""Facade: one straight outer wall of a building, as handed from the building builder to the place builder."""

from dataclasses import dataclass, field

from citysim.build.plans import Xy


@dataclass(slots=True)
class Facade:
    """A wall from `a` to `b` with the building on its left-hand side (outward normal to the right of a -> b).

    `base` and `top` are heights in metres (local z) of the wall's foot and eaves; `ground_floor` is the height of the
    first storey in metres. `taken` holds intervals (u0, u1) in metres from `a` that doors, passages or signs already
    occupy at ground-floor level; whoever places something appends to it. `covers` are canopies over the pavement:
    (u0, u1, height of the underside as local z, metres out); hanging signs go below or above. Walls are
    drawn flush with the line a-b; anything added by others must stand at least 3 cm proud of it.
    """

    building: str  # BuildingPlan.id of the outline (not of a part)
    object: int  # the building's object id
    a: Xy
    b: Xy
    base: float
    top: float
    ground_floor: float
    normal: Xy  # unit, pointing outwards
    taken: list[tuple[float, float]] = field(default_factory=list)
    covers: list[tuple[float, float, float, float]] = field(default_factory=list)

    @property
    def length(self) -> float:
        """Length of the wall in metres."""
        return ((self.b[0] - self.a[0]) ** 2 + (self.b[1] - self.a[1]) ** 2) ** 0.5

    def at(self, u: float, out: float = 0.0) -> Xy:
        """The point `u` metres along the wall and `out` metres in front of it."""
        t = u / self.length
        return (
            self.a[0] + (self.b[0] - self.a[0]) * t + self.normal[0] * out,
            self.a[1] + (self.b[1] - self.a[1]) * t + self.normal[1] * out,
        )
