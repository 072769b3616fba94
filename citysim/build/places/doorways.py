"""Where people stand to enter: foot points before doors, on ground they can walk."""

from collections.abc import Sequence

from citysim.build.draft import CityDraft, Ground
from citysim.build.facade import Facade
from citysim.build.places.frontage import Frontage
from citysim.build.plans import BuildingPlan, EntrancePlan, PlacePlan, Xy
from citysim.city import Place

UNWALKABLE = frozenset({"carriageway", "water", "rail", "crossing"})
OUTS = (0.8, 0.65, 1.0, 1.3, 1.7)  # metres in front of a wall, the best first
DOOR_KINDS = ("main", "yes", "shop", "staircase")


def foot_point(ground: Ground, facade: Facade, u: float) -> tuple[float, float, float]:
    """About 0.8 m in front of a wall, where the ground can be walked, with its height."""
    return foot_points(ground, [(facade, u)])[0]


def foot_points(ground: Ground, doors: Sequence[tuple[Facade, float]]) -> list[tuple[float, float, float]]:
    """`foot_point` of many doors at once."""
    if not doors:
        return []
    points = [facade.at(u, out) for facade, u in doors for out in OUTS]
    names = ground.region(points)
    chosen = []
    for k in range(len(doors)):
        own = range(k * len(OUTS), (k + 1) * len(OUTS))
        x, y = points[next((i for i in own if names[i] not in UNWALKABLE), own[0])]
        chosen.append((round(x * 1024) / 1024, round(y * 1024) / 1024))
    return [(x, y, float(z)) for (x, y), z in zip(chosen, ground.height(chosen), strict=True)]


def door_on(frontage: Frontage, building: str, xy: Xy) -> tuple[Facade, float] | None:
    """The facade that a door at `xy` belongs to and how far along it, within 2.5 m."""
    best: tuple[float, Facade, float] | None = None
    for number in frontage.by_building.get(building, ()):
        facade = frontage.facades[number]
        along = frontage.along(number, xy)
        u = min(max(along, 0.0), facade.length)
        x, y = facade.at(u)
        away = ((x - xy[0]) ** 2 + (y - xy[1]) ** 2) ** 0.5
        if away <= 2.5 and frontage.usable(number, u) and (best is None or away < best[0] - 1e-6):
            best = away, facade, u
    return None if best is None else (best[1], best[2])


def doors_of(plan: BuildingPlan) -> list[EntrancePlan]:
    """Doors a visitor may use, main ones first."""
    doors = [d for d in plan.entrances if d.kind in DOOR_KINDS]
    return sorted(doors, key=lambda d: (DOOR_KINDS.index(d.kind), d.id))


def register(
    draft: CityDraft, place: PlacePlan, entrance: tuple[float, float, float], building: int | None, sign: int | None
) -> None:
    """Add a plan's place to the draft, with its foot point, building and sign."""
    draft.places.append(
        Place(
            place.id,
            place.name,
            place.category,
            entrance,
            building,
            place.address,
            place.opening_hours,
            place.aliases,
            sign,
            {"level": place.level} if place.level else {},
        )
    )
