"""Survey: where the streets of the harbour city run and how high: rows along the shore, columns up the hill."""

from dataclasses import dataclass

from citysim.build.chance import Chance
from citysim.build.plans import Xy
from citysim.build.procedural.district.axis import Axis
from citysim.build.procedural.district.classes import StreetClass
from citysim.build.procedural.harbour.classes import CONTOUR, DISTRIBUTOR, LOCAL, MARKET
from citysim.build.procedural.hills.corridor import Corridor

QUAY = 3.5  # height of the promenade above z = 0, metres
COLUMN = 95.0  # metres between cross streets, about
HILL, FOOT, FLAT, PLATEAU = "hill", "foot", "flat", "plateau"
HILL_ROWS = 7  # contour roads at most, above which the ground is a plateau


@dataclass(frozen=True)
class Row:
    """A street along the shore: its places at the columns (rims included), heights there, the belt above it."""

    street: StreetClass
    points: tuple[Xy, ...]
    heights: tuple[float, ...]
    belt: str


@dataclass(frozen=True)
class Survey:
    """The skeleton: half the side length, the shore line's y, rows from south to north, and special columns.

    Row points and heights have the rims first and last; column i of the city is at index i + 1.
    """

    half: float
    shore: float
    rows: tuple[Row, ...]
    columns: int
    moving: int  # the column with the escalators

    def corridor(self, row: Row, widths: list[float]) -> Corridor:
        """The corridor of a row that is level where columns (half as wide as `widths`) meet it."""
        axis = Axis.through(row.points)
        stops: list[tuple[float, float]] = []
        for mark, z, wide in zip(axis.marks, row.heights, widths, strict=True):
            if 0.0 < mark < axis.length:
                stops += [(mark - wide, z), (mark + wide, z)]
            else:
                stops.append((mark, z))
        return Corridor(axis, row.street.facade, tuple(stops))


def survey(half: float, chance: Chance) -> Survey:
    """Lay rows and columns over a square of 2 x `half` metres."""
    side = 2 * half
    shore = -half + min(max(0.05 * side, 12.0), 40.0)
    margin = 50.0 if side < 300 else 62.0
    count = max(2, round((side - 2 * margin) / COLUMN) + 1)
    xs = [-half + margin + i * (side - 2 * margin) / (count - 1) for i in range(count)]
    plan = _stack(side, shore)
    rows = []
    for k, (street, y, z, belt) in enumerate(plan):
        here = chance.child(f"row/{k}")
        sway = 0.0 if k < 2 else 3.0 if belt in (FLAT, FOOT) else 4.5
        roll = 0.5 if belt == HILL else 0.15
        points, heights = [], []
        for i, x in enumerate([-half, *xs, half]):
            rim = i in (0, count + 1)
            side_step = 0.0 if rim else round(chance.uniform(-6.0, 6.0, f"x/{i}") + here.uniform(-2.5, 2.5, f"dx/{i}"))
            points.append((x + side_step, round((y + here.uniform(-sway, sway, f"dy/{i}")) * 4) / 4))
            heights.append(round((z + here.uniform(-roll, roll, f"z/{i}")) * 64) / 64)
        rows.append(Row(street, tuple(points), tuple(heights), belt))
    return Survey(half, shore, tuple(rows), count, min(max(round(0.55 * count), 1), count - 1))


def _stack(side: float, shore: float) -> list[tuple[StreetClass, float, float, str]]:
    """(class, y, height, belt above) of every row."""
    small = side < 350.0
    y, z = shore + (36.0 if side < 300 else 45.0), 4.0
    made: list[tuple[StreetClass, float, float, str]] = [(DISTRIBUTOR, y, z, FLAT)]
    top = side / 2 - 16.0
    if small:
        steps = [(LOCAL, 56.0, 2.0, HILL)]
    else:
        steps = [(MARKET, 43.0, 0.4, FLAT), (LOCAL, 33.0, 0.6, FOOT)]
        for _ in range(max(round(0.12 * side / 76.0) - 1, 0)):
            steps[-1:] = [(LOCAL, 33.0, 0.6, FLAT), (MARKET, 33.0, 0.4, FLAT), (LOCAL, 33.0, 0.6, FOOT)]
        steps.append((LOCAL, 65.0, 3.0, HILL))
    for street, dy, dz, belt in steps:
        y, z = y + dy, z + dz
        made.append((street, y, z, belt))
    climb = 0
    while True:
        dy = 62.0 if small else 71.0
        if y + dy > top:
            break
        hilly = climb < HILL_ROWS
        dz = (7.0 if climb == 0 else 10.4) if hilly else 2.5
        y, z, climb = y + dy, z + dz, climb + 1
        made.append((CONTOUR, y, z, HILL if climb < HILL_ROWS else PLATEAU))
    return made
