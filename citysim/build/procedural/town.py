"""The town's skeleton: five streets, their pavements and crossings, and the blocks between them."""

from dataclasses import dataclass

from citysim.build.chance import Chance
from citysim.build.procedural.names import Namer
from citysim.build.procedural.sketch import Sketch
from citysim.build.procedural.streets import CORNER, SIDEWALK, Side, Street

RIM = 2.0  # metres between the outermost buildings and the bounds


@dataclass(frozen=True)
class Town:
    """Streets by role and, per street and side, the pavement lines between junctions."""

    half: float
    main: Street  # along x
    back: Street  # along x, north of the main street
    south: Street  # along x, south of it
    cross: Street  # along y, from rim to rim
    tee: Street  # along y, from the main street northwards
    sides: tuple[Side, ...]

    @property
    def streets(self) -> tuple[Street, ...]:
        """All streets."""
        return (self.main, self.back, self.south, self.cross, self.tee)

    def beside(self, street: Street, along: float) -> dict[int, Side]:
        """The pavement lines of both sides at a place along a street."""
        return {s.sign: s for s in self.sides if s.street is street and s.start <= along <= s.end}

    def block(self, column: int, row: int) -> tuple[float, float, float, float]:
        """x0, y0, x1, y1 between facade lines; columns 0 to 2 from the west, rows 0 to 3 from the south.

        Column 1 ends at `tee` north of the main street and at the rim south of it.
        """
        half, (main, back, south, cross, tee) = self.half, self.streets
        north = row >= 2
        west = (-half + RIM, cross.at + cross.facade, tee.at + tee.facade)[column]
        east = (cross.at - cross.facade, tee.at - tee.facade if north else half - RIM, half - RIM)[column]
        low = (-half + RIM, south.at + south.facade, main.at + main.facade, back.at + back.facade)[row]
        high = (south.at - south.facade, main.at - main.facade, back.at - back.facade, half - RIM)[row]
        return west, low, east, high


def lay_out(half: float, chance: Chance, namer: Namer) -> Town:
    """Streets at places and of widths that vary with the chance."""
    ym = chance.uniform(-1.0, 5.0, "main")
    xc = chance.uniform(-26.0, -14.0, "cross")
    yb, ys = ym + chance.uniform(55.0, 59.0, "back"), ym - chance.uniform(57.0, 62.0, "south")
    xt = xc + chance.uniform(70.0, 78.0, "tee")
    ym, xc, yb, ys, xt = (round(v * 4) / 4 for v in (ym, xc, yb, ys, xt))
    main = Street(namer.street("Avenue"), "secondary", True, ym, -half, half, 13.0, 6.0, 4)
    back = Street(namer.street("Street"), "residential", True, yb, -half, half, 7.5, 3.0)
    south = Street(namer.street("Street"), "residential", True, ys, -half, half, 7.5, 3.0)
    cross = Street(namer.street("Road"), "residential", False, xc, -half, half, 7.5, 3.25)
    tee = Street(namer.street("Lane"), "residential", False, xt, ym, half, 7.0, 3.0)
    town = Town(half, main, back, south, cross, tee, ())
    return Town(half, main, back, south, cross, tee, tuple(_sides(town)))


def _sides(town: Town) -> list[Side]:
    """Cut each street's two pavement lines where other streets meet that side."""
    found = []
    for street in town.streets:
        for sign in (-1, 1):
            meeting = [
                other
                for other in town.streets
                if other.horizontal != street.horizontal
                and other.start <= street.at + sign <= other.end
                and street.start <= other.at <= street.end
            ]
            begin = street.start
            if street is town.tee:
                begin = town.main.at + town.main.facade - SIDEWALK
                meeting = [other for other in meeting if other is not town.main]
            for other in sorted(meeting, key=lambda o: o.at):
                reach = other.facade - SIDEWALK
                found.append(Side(street, sign, begin, other.at - reach))
                begin = other.at + reach
            found.append(Side(street, sign, begin, street.end))
    return found


def _corner(street: Street) -> float:
    """Metres from a junction's middle to a crossing beside `street`, on its pavement line where there is room."""
    return max(street.width / 2 + CORNER, street.facade - SIDEWALK)


def draw_streets(sketch: Sketch, town: Town) -> None:
    """Crossings at every junction, one in mid-block, then axes and pavements."""
    main, back, south, cross, tee = town.streets
    plans: list[tuple[Street, float, str]] = []
    for sign in (-1, 1):
        plans.append((main, cross.at + sign * _corner(cross), "signals"))
        plans.append((cross, main.at + sign * _corner(main), "signals"))
        plans.append((cross, back.at + sign * _corner(back), "zebra"))
        plans.append((back, cross.at + sign * _corner(cross), "zebra"))
        plans.append((cross, south.at + sign * _corner(south), "zebra"))
        plans.append((south, cross.at + sign * _corner(cross), "unmarked"))
        plans.append((tee, back.at + sign * _corner(back), "zebra"))
        plans.append((back, tee.at + sign * _corner(tee), "unmarked"))
    plans.append((tee, main.at + _corner(main), "zebra"))
    plans.append((main, tee.at + _corner(tee), "zebra"))
    for street, along, kind in plans:
        street.cross(sketch, along, kind, town.beside(street, along))
    for street in town.streets:
        for other in town.streets:
            if other.horizontal != street.horizontal and street.start <= other.at <= street.end:
                street.stops.add(other.at)
    for street in town.streets:
        street.draw(sketch)
    for side in town.sides:
        side.draw(sketch)
