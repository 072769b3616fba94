"""Shafts: the bodies of lifts: glazed walls between posts, doors, the upper floor, a roof; and their network edges."""

import itertools
import math

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString

from citysim.build.draft import CityDraft
from citysim.build.mesh import Detail
from citysim.build.streets.decks import flat
from citysim.build.streets.edges import edge
from citysim.build.streets.lifts import DOOR, DOOR_HEIGHT, LENGTH, WALL, WIDTH, Height, Lift
from citysim.build.streets.solids import ribbon, sheet
from citysim.build.streets.walks import Walk
from citysim.geo.network import NetworkEdge

FLOOR, ROOF, EAVES = 0.3, 0.22, 0.2  # thickness of the upper floor and the roof, how far that stands out, metres
HEAD = 3.1  # clear height of a car, metres: its roof lies above that of the walkway
FOOTING = 0.3
FRAME, PROUD = 0.1, 0.05  # width of a door's frame, and how far it stands before the wall, metres
HOOD = 0.7  # depth of the hood over the lower door, metres


def build_lift(draft: CityDraft, lift: Lift, height: Height) -> int:
    """Add one lift to the draft; returns its object id."""
    low = float(lift.lines(height)[1][0, 2])
    x0, y0, x1, y1 = lift.outline.bounds
    top = lift.high + HEAD
    base = float(np.min(height(shapely.get_coordinates(lift.outline)))) - FOOTING
    ident = draft.add_object(
        "lift", (*lift.middle, low), name=lift.way.name,
        heading_deg=math.degrees(math.atan2(-lift.along[0], -lift.along[1])) % 360.0,
        bounds=(x0, y0, low, x1, y1, top + ROOF), plan_id=lift.way.id, lift=[*lift.middle, low, lift.high],
    )  # fmt: skip
    wall = _Walls(draft, lift, ident)
    half, end = WIDTH / 2, LENGTH / 2
    for side in (-1.0, 1.0):
        wall.across(side * half, side * (half - WALL), base, top + 0.05)
    inner = half - WALL
    for ahead, foot in ((-end, low), (end, lift.high)):
        door = (foot, foot + DOOR_HEIGHT)
        inward = ahead - math.copysign(WALL, ahead)
        for a, b in ((-inner, -DOOR / 2), (DOOR / 2, inner)):
            wall.along(ahead, inward, a, b, base, top + 0.05, "metal_dark")
        wall.along(ahead, inward, -DOOR / 2, DOOR / 2, door[1], top + 0.05, "glass")
        if foot > base + 1.0:
            wall.along(ahead, inward, -DOOR / 2, DOOR / 2, base, foot - 0.1, "glass")
        _frame(wall, ahead, door)
    wall.along(-end - HOOD, -end - 0.001, -half, half, low + DOOR_HEIGHT + 0.3, low + DOOR_HEIGHT + 0.42, "metal", True)
    cabin = lift.band(-end + WALL, end - WALL, -inner, inner).union(
        lift.band(end - WALL - 0.01, end, -DOOR / 2, DOOR / 2)
    )
    flat(draft, cabin, lift.high, "paving", ident)
    flat(draft, cabin, lift.high - FLOOR, "metal", ident, downwards=True)
    roof = lift.band(-end - EAVES, end + EAVES, -half - EAVES, half + EAVES)
    ring = np.array(roof.exterior.coords)
    flat(draft, roof, top, "metal", ident, downwards=True)
    flat(draft, roof, top + ROOF, "metal", ident)
    for a, b in itertools.pairwise(ring):
        sheet(draft, np.array([a, b]), np.full(2, top), np.full(2, top + ROOF), "metal", ident, two_sided=False)
    return ident


def lift_edges(first: int, lift: Lift, height: Height) -> list[NetworkEdge]:
    """The network edges of a lift, numbered from `first`: to its lower door, up, and onto the level."""
    enter, rise, leave = lift.lines(height)
    way = lift.way
    common = {"WheelchairBarrier": 2, "WheelchairAccess": 1}
    made: list[NetworkEdge] = []
    for line, feature, more in (
        (enter, 1, {}),
        (rise, 10, {"Gradient": math.pi / 2, "WeatherProof": 1, "AliasNameEN": way.name or None}),
        (leave, 2, {"WeatherProof": 1} if way.covered else {}),
    ):
        middle = LineString(line[:, :2]) if feature != 10 else LineString([lift.ground, lift.deck])
        walk = Walk(middle, feature, 0, way.name, way, way.width, way.id)
        points = line
        if feature == 2 and len(line) == 2:
            count = max(math.ceil(float(np.hypot(*(line[1] - line[0])[:2])) / 2.0), 1)
            points = np.round((line[0] + (line[1] - line[0]) * (np.arange(count + 1)[:, None] / count)) * 1024) / 1024
        made.append(edge(first + len(made), walk, points, **common, **more))
    return made


class _Walls:
    """Walls of one shaft, in its own directions."""

    def __init__(self, draft: CityDraft, lift: Lift, ident: int) -> None:
        self.draft, self.lift, self.ident = draft, lift, ident

    def across(self, outer: float, inner: float, low: float, high: float) -> None:
        """A side wall: glass between posts at both ends, `outer` and `inner` metres to the left of the middle."""
        post, end = 0.18, LENGTH / 2
        for a, b, name in ((-end, -end + post, "metal_dark"), (-end + post, end - post, "glass"),
                           (end - post, end, "metal_dark")):  # fmt: skip
            first, second = (np.array([self.lift.corner(a, s), self.lift.corner(b, s)]) for s in (outer, inner))
            self._ribbon(first, second, low, high, name, flip=outer > 0)

    def along(
        self, outer: float, inner: float, right: float, left: float, low: float, high: float, name: str,
        below: bool = False, detail: Detail = Detail.ALL,
    ) -> None:  # fmt: skip
        """A wall across the way, `outer` and `inner` metres ahead of the middle, between two sides."""
        first, second = (np.array([self.lift.corner(s, right), self.lift.corner(s, left)]) for s in (outer, inner))
        self._ribbon(first, second, low, high, name, flip=outer < inner, below=below, detail=detail)

    def _ribbon(
        self, outer: NDArray[np.float64], inner: NDArray[np.float64], low: float, high: float, name: str, flip: bool,
        below: bool = False, detail: Detail = Detail.ALL,
    ) -> None:  # fmt: skip
        foot, top = np.full(2, low), np.full(2, high)
        ribbon(self.draft, outer, inner, foot, top, name, self.ident, flip=flip, bottom=below, detail=detail)


def _frame(wall: _Walls, ahead: float, door: tuple[float, float]) -> None:
    """A bright frame round a door, standing a little before the wall."""
    out = ahead + math.copysign(PROUD, ahead)
    for a, b in ((-DOOR / 2 - FRAME, -DOOR / 2), (DOOR / 2, DOOR / 2 + FRAME)):
        wall.along(out, ahead, a, b, door[0], door[1], "metal", detail=Detail.FINE)
    wall.along(out, ahead, -DOOR / 2 - FRAME, DOOR / 2 + FRAME, door[1], door[1] + FRAME, "metal", True, Detail.FINE)
