"""let: gives every unit of every frontage a tenant, and upper storeys theirs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from citysim.build.chance import Chance
from citysim.build.plans import PlacePlan, Xy
from citysim.build.procedural.names import shuffled
from citysim.build.procedural.naming import Names
from citysim.build.procedural.sketch import Sketch, snapped
from citysim.build.procedural.tenancy.hours import hours_of
from citysim.build.procedural.tenancy.mixes import MIXES, Mix
from citysim.build.procedural.tenancy.trades import BY_CATEGORY, Business, Word

DOOR_ROOM = 1.15  # metres to each side of a building's door that no unit takes
INSIDE = 2.5  # metres from the facade to a place's point
EASTERN = ("Dim Sum", "Denki", "Dumplings")  # words of trades that western cities do without
EDGE = 0.25  # metres left free at the ends of a facade


@dataclass(frozen=True, slots=True)
class Shopfront:
    """A facade line that tenants may use, from `a` to `b` with the street on its right hand.

    `units` limits the number of ground floor tenants (None: as many as fit), `storeys` counts those above ground that
    may have tenants of their own, `door` is the building's own door, `weight` scales how sought after it is (0 to 1).
    """

    building: str
    a: Xy
    b: Xy
    address: str
    storeys: int = 0
    door: Xy | None = None
    units: int | None = None
    weight: float = 1.0

    @property
    def length(self) -> float:
        """Metres from end to end."""
        return math.dist(self.a, self.b)

    def at(self, along: float, inwards: float = INSIDE) -> Xy:
        """The point `along` metres from `a`, `inwards` metres behind the facade."""
        (ax, ay), (bx, by) = self.a, self.b
        ux, uy = (bx - ax) / self.length, (by - ay) / self.length
        return snapped((ax + ux * along - uy * inwards, ay + uy * along + ux * inwards))


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece of a frontage `width` metres wide around `middle` metres from its start."""

    front: int
    middle: float
    width: float


def let(
    sketch: Sketch, fronts: Sequence[Shopfront], names: Names, chance: Chance, mix: Mix | str = "harbour"
) -> list[PlacePlan]:
    """Add a place for (nearly) every unit of `fronts`, and for upper storeys, to the sketch; returns them.

    Every trade of the mix appears once before any appears twice, as far as there are units.
    """
    chosen = MIXES[mix] if isinstance(mix, str) else mix
    units = [u for i, f in enumerate(fronts) for u in units_of(i, f, chosen, chance.child(f"units/{f.building}/{i}"))]
    order = shuffled([str(i) for i in range(len(units))], chance.child("order"))
    ground = _dealt([b for b, _ in chosen.options("g")], chosen.options("g"), len(units), chance.child("ground"))
    found: list[PlacePlan] = []
    trade_of = {int(number): trade for number, trade in zip(order, ground, strict=True)}
    for number, unit in enumerate(units):
        front, here = fronts[unit.front], chance.child(f"unit/{number}")
        if here.unit("let") > chosen.let * front.weight:
            continue
        xy = front.at(unit.middle)
        tags = {"frontage": f"{unit.width:.2f}"}
        found.append(open_place(sketch, trade_of[number], names, xy, here, front.building, front.address, 0, tags))
    upper = [(i, s) for i, f in enumerate(fronts) for s in range(1, min(f.storeys, chosen.top) + 1)]
    upper = [(i, s) for i, s in upper if chance.unit(f"upper/{i}/{s}") < chosen.upper * fronts[i].weight]
    trades = _dealt([b for b, _ in chosen.options("u")], chosen.options("u"), len(upper), chance.child("above"))
    for (i, storey), trade in zip(upper, trades, strict=True):
        front, here = fronts[i], chance.child(f"upper/{i}/{storey}")
        xy = front.at(min(front.length / 2, front.length - 0.1))
        found.append(open_place(sketch, trade, names, xy, here, front.building, front.address, storey, {}))
    return found


def units_of(number: int, front: Shopfront, mix: Mix, chance: Chance) -> list[Unit]:
    """Units of usual widths between the ends of a facade and its door."""
    gaps = [(EDGE, front.length - EDGE)]
    if front.door is not None:
        (ax, ay), (bx, by) = front.a, front.b
        along = ((front.door[0] - ax) * (bx - ax) + (front.door[1] - ay) * (by - ay)) / front.length
        gaps = [(EDGE, along - DOOR_ROOM), (along + DOOR_ROOM, front.length - EDGE)]
    found: list[Unit] = []
    for k, (low, high) in enumerate(gaps):
        room = high - low
        if room < 2.4:
            continue
        usual = chance.uniform(*mix.unit, f"usual/{k}")
        count = max(1, round(room / usual))
        while room / count > 1.15 * mix.unit[1] and room / (count + 1) >= 3.0:
            count += 1
        while count > 1 and room / count < 3.0:
            count -= 1
        found += [Unit(number, low + room * (j + 0.5) / count, room / count) for j in range(count)]
    return found if front.units is None else found[: front.units]


def open_place(
    sketch: Sketch,
    trade: Business | str,
    names: Names,
    xy: Xy,
    chance: Chance,
    building: str | None = None,
    address: str = "",
    level: int = 0,
    tags: dict[str, str] | None = None,
    *,
    name: str = "",
    entrance: str | None = None,
) -> PlacePlan:
    """Add one place of a trade (or of a category of BY_CATEGORY) to the sketch; `name` "" to find one for it."""
    business = BY_CATEGORY[trade] if isinstance(trade, str) else trade
    script = names.style.script
    words = business.words if script else [w for w in business.words if w.english not in EASTERN]
    word: Word = chance.choice(words, "word")
    local_word = {"name:zh": word.chinese, "name:ja": word.japanese}.get(script, "")
    if name:
        names.claim(name, xy)
    else:
        name = names.place(word.english, xy, local_word)
    local = names.local(name)
    made = PlacePlan(
        id=f"{sketch.name}:place/{len(sketch.places) + 1}",
        name=name,
        category=business.category,
        xy=xy,
        building=building,
        level=level,
        address=address,
        opening_hours=hours_of(business.hours, chance.child("hours")),
        aliases=(local,) if local else (),
        entrance=entrance,
        tags={business.key: business.category, **names.tags(name), **({"sign:local": local_word} if local_word else {}),
              **(tags or {})},
    )  # fmt: skip
    sketch.places.append(made)
    return made


def _dealt(
    once: Sequence[Business], options: Sequence[tuple[Business, float]], count: int, chance: Chance
) -> list[Business]:
    """`count` trades: each of `once` first, in an order of chance, then by weight."""
    order = shuffled([str(i) for i in range(len(once))], chance.child("once"))
    first = [once[int(i)] for i in order][:count]
    return first + [chance.weighted(options, k) for k in range(count - len(first))]
