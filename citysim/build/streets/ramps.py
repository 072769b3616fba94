"""Ramps: the bodies of overpasses: ramps between retaining walls, decks on piers, parapets, and their lines."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString, Point, Polygon

from citysim.build.draft import CityDraft
from citysim.build.looks import look
from citysim.build.mesh import Detail, snap
from citysim.build.streets.barriers import beside
from citysim.build.streets.kerbs import KERB
from citysim.build.streets.overpasses import DECK, PAVEMENT, Overpass
from citysim.build.streets.planar import GRID, stretch, unit
from citysim.build.streets.roads import Roads
from citysim.build.streets.site import BODY
from citysim.build.streets.solids import ribbon, sheet
from citysim.build.streets.terrain import Terrain
from citysim.build.streets.walks import Walk

HEADROOM = 2.4  # below a deck from here on people pass, metres
STATION = 2.0  # between cross-sections, metres at most
FOOTING = 0.5  # how far walls reach into the ground, metres
UNCROSSED = 3.0  # length of carriageway before a ramp that no line crosses, metres
PARAPET = 1.1
GUARDED = 0.3  # drop beside a ramp from which it has parapets, metres
WALL = 0.25  # thickness of a parapet beside a carriageway, metres
PIER, PIER_SPACING = 0.6, 14.0

Height = Callable[[Any], NDArray[np.float64]]


@dataclass(frozen=True)
class Body:
    """An overpass with heights: cross-sections at `s` (K,) along the axis, their middles (K, 2) and heights (K,).

    Between `closed[0]` and `closed[1]` people pass below the deck; outside ramps stand on the ground.
    """

    overpass: Overpass
    s: NDArray[np.float64]
    xy: NDArray[np.float64]
    z: NDArray[np.float64]
    closed: tuple[float, float]

    @classmethod
    def of(cls, overpass: Overpass, terrain: Terrain) -> "Body":
        """Work out the heights over a terrain."""
        axis, needs = overpass.axis, overpass.needs
        fine = np.linspace(0.0, axis.length, max(int(axis.length / 0.25), 1) + 1)
        ground = terrain.height(shapely.get_coordinates(shapely.line_interpolate_point(axis, fine)))
        top = max(float(ground[(fine >= a - 0.5) & (fine <= b + 0.5)].max()) + height for a, b, height in needs)
        knots = [0.0, min(n[0] for n in needs), max(n[1] for n in needs), axis.length]
        heights = [float(ground[0]), top, top, float(ground[-1])]
        clear = fine[np.interp(fine, knots, heights) - DECK - ground >= HEADROOM]
        closed = (float(clear[0]), float(clear[-1]))
        corners = [axis.project(Point(c)) for c in axis.coords]
        even = np.linspace(0.0, axis.length, max(int(np.ceil(axis.length / STATION)), 1) + 1)
        fixed = np.unique(np.round([*knots, *closed, *corners], 6))
        near = np.abs(even[:, None] - fixed).min(axis=1) < 0.4
        s = np.unique(np.concatenate([fixed, even[~near]]))
        s = s[np.concatenate([[True], np.diff(s) > 0.02])]
        s[-1] = axis.length
        xy = snap(shapely.get_coordinates(shapely.line_interpolate_point(axis, s)))
        return cls(overpass, s, xy, snap(np.interp(s, knots, heights)), closed)

    def side(self, offset: float) -> NDArray[np.float64]:
        """(K, 2) the points `offset` metres to the left of the axis, on the lattice."""
        left, right = beside(self.xy, abs(offset))
        return snap(left if offset > 0 else right) if offset else self.xy

    def ring(self, start: float, end: float, half: float) -> Polygon:
        """The area between two distances, `half` metres to either side; the axis' points are corners of its ends."""
        on = (self.s >= start - GRID) & (self.s <= end + GRID)
        left, right, middle = self.side(half)[on], self.side(-half)[on], self.xy[on]
        return Polygon(np.vstack([middle[:1], right, middle[-1:], left[::-1]]))

    @property
    def grounded(self) -> list[Polygon]:
        """The ground the two ramps stand on."""
        half = self.overpass.width / 2
        return [self.ring(0.0, self.closed[0], half), self.ring(self.closed[1], self.s[-1], half)]

    @property
    def keepouts(self) -> list[Polygon]:
        """Where no line on the ground may be: the ramps and a body's width beside them, their feet left open.

        A carriageway's foot is not crossed either: its kerbs end on the ramp.
        """
        half, line = self.overpass.width / 2 + BODY, LineString(self.xy)
        spans = ((0.03, self.closed[0] + BODY), (self.closed[1] - BODY, line.length - 0.03))
        parts = [stretch(line, a, b) for a, b in spans]
        made = [shapely.buffer(part, half, cap_style="flat", join_style="mitre") for part in parts if part is not None]
        if self.overpass.driven:
            for foot, ahead in ((self.xy[0], self.xy[1]), (self.xy[-1], self.xy[-2])):
                u = unit(foot, ahead)
                before = LineString([foot + u * 0.2, foot - u * UNCROSSED])
                made.append(shapely.buffer(before, self.overpass.road / 2 - BODY, cap_style="flat"))
        return made

    def settled(self, height: Height, offset: float, towards: float = 0.0, drop: float = 0.0) -> NDArray[np.float64]:
        """(K,) heights `offset` metres to the left of the axis, `drop` below the deck, at the feet those of the ground.

        Where the ground may have a kerb at the place, its side in the direction `towards` counts, and below kerbs
        (`drop`) the middle of the carriageway, which rounds its corners.
        """
        line = self.side(offset)
        probe = self.side(offset * 0.6) if drop else self.side(offset + 0.03 * towards) if towards else line
        z = self.z - drop
        z[[0, -1]] = snap(height(probe[[0, -1]]))
        return z

    def lines(self, height: Height) -> list[NDArray[np.float64]]:
        """(K, 3) the lines people walk along over the overpass, which end at the ground's `height`."""
        return [np.column_stack([self.side(k), self.settled(height, k)]) for k in self.tracks]

    @property
    def tracks(self) -> list[float]:
        """Where people walk, metres to the left of the axis."""
        o = self.overpass
        if not any(w.foot for w in o.ways):
            return []
        if not o.driven:
            return [0.0]
        if (o.width - o.road) / 2 < PAVEMENT - 0.01:
            return []
        half = o.road / 2 + PAVEMENT / 2 - 0.1
        return [half, -half]


def build_overpass(draft: CityDraft, body: Body, height: Height, roads: Roads, pieces: list[Walk]) -> int:
    """Add an overpass to the draft; `height` gives the ground beside it. Returns its object id."""
    o = body.overpass
    outline = body.ring(0.0, float(body.s[-1]), o.width / 2)
    k = int(np.argmax(body.z))
    low = outline.bounds
    ident = draft.add_object(
        "bridge" if o.driven else "footbridge",
        (float(body.xy[k, 0]), float(body.xy[k, 1]), float(body.z[k])),
        name=next((w.name for w in o.ways if w.name), ""),
        bounds=(low[0], low[1], float(body.z.min()), low[2], low[3], float(body.z.max()) + PARAPET),
        plan_id=o.ways[0].id,
    )
    half, road = o.width / 2, o.road / 2
    if o.driven:
        bands = [(-half, -road, 0.0, "paving"), (-road, road, KERB, "asphalt"), (road, half, 0.0, "paving")]
        for side in (-road, road):
            low, high = (body.settled(height, side, k * np.sign(side), d) for k, d in ((-1.0, KERB), (1.0, 0.0)))
            sheet(draft, body.side(side), low, np.maximum(low, high), "kerb", ident, two_sided=False, flip=side < 0)
    else:
        bands = [(-half, half, 0.0, "paving")]
    for right, left, drop, name in bands:
        z = (body.settled(height, left, -1.0, drop), body.settled(height, right, 1.0, drop))
        _surface(draft, body, right, left, z, name, ident)
    over = (body.s >= body.closed[0] - GRID) & (body.s <= body.closed[1] + GRID)
    _surface(draft, body, -half, half, (body.z - DECK, body.z - DECK), "concrete", ident, over, downwards=True)
    for side in (-half, half):
        line = body.side(side)
        out = body.side(side + np.sign(side) * 0.03)
        ground = height(out)
        _run(draft, line, over, body.z - DECK, body.z, side > 0, ident)
        for ramp in (body.s <= body.closed[0] + GRID, body.s >= body.closed[1] - GRID):
            _run(draft, line, ramp, np.minimum(ground, body.z) - FOOTING, body.z, side > 0, ident)
        _parapet(draft, body, side, ground, ident)
    _ends(draft, body, height, ident)
    _piers(draft, body, height, roads, pieces, ident)
    return ident


def _surface(
    draft: CityDraft,
    body: Body,
    right: float,
    left: float,
    z: tuple[NDArray[np.float64], NDArray[np.float64]],
    name: str,
    ident: int,
    on: NDArray[np.bool_] | None = None,
    downwards: bool = False,
) -> None:
    chosen = np.ones(len(body.s), dtype=bool) if on is None else on
    style = look(draft, name)
    a, b, s = body.side(left)[chosen], body.side(right)[chosen], body.s[chosen]
    count = len(s)
    points = np.vstack([np.column_stack([a, z[0][chosen]]), np.column_stack([b, z[1][chosen]])])
    uvs = np.column_stack([np.repeat([0.0, left - right], count) / style.metres[0], np.tile(s, 2) / style.metres[1]])
    k = np.arange(count - 1)
    quads = np.column_stack([k, k + count, k + count + 1, k + 1])
    triangles = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    draft.mesh.add(points, triangles[:, ::-1] if downwards else triangles, uvs, style.material, ident)


def _run(
    draft: CityDraft,
    line: NDArray[np.float64],
    on: NDArray[np.bool_],
    foot: NDArray[np.float64],
    top: NDArray[np.float64],
    left: bool,
    ident: int,
) -> None:
    if on.sum() > 1:
        sheet(draft, line[on], foot[on], top[on], "concrete", ident, two_sided=False, flip=left)


def _parapet(draft: CityDraft, body: Body, side: float, ground: NDArray[np.float64], ident: int) -> None:
    on = body.z - ground > GUARDED
    if on.sum() < 2:
        return
    first, last = int(np.flatnonzero(on)[0]), int(np.flatnonzero(on)[-1])
    part = slice(first, last + 1)
    z = body.z[part]
    inward = -np.sign(side)
    if body.overpass.driven:
        outer, inner = body.side(side)[part], body.side(side + inward * WALL)[part]
        ribbon(draft, outer, inner, z, z + PARAPET, "concrete", ident, flip=side > 0)
        return
    sheet(draft, body.side(side + inward * 0.06)[part], z, z + PARAPET, "rail_panel", ident, Detail.MIDDLE)
    outer, inner = body.side(side + inward * 0.03)[part], body.side(side + inward * 0.09)[part]
    ribbon(draft, outer, inner, z + PARAPET - 0.05, z + PARAPET, "metal", ident, flip=side > 0, detail=Detail.MIDDLE,
           bottom=True)  # fmt: skip


def _ends(draft: CityDraft, body: Body, height: Height, ident: int) -> None:
    """The walls below the deck at the ramps' upper ends, and faces at their feet that leave no slit to the ground."""
    half, road = body.overpass.width / 2, body.overpass.road / 2
    left, right = body.side(half), body.side(-half)
    for s, outwards in ((body.closed[0], False), (body.closed[1], True)):
        k = int(np.argmin(np.abs(body.s - s)))
        line = np.array([left[k], right[k]] if outwards else [right[k], left[k]])
        base = float(height(line).min()) - FOOTING
        sheet(draft, line, np.full(2, base), np.full(2, body.z[k] - DECK), "concrete", ident, two_sided=False)
    bands = [(half, -half, 0.0)] if not road else [(half, road, 0.0), (road, -road, KERB), (-road, -half, 0.0)]
    for k in (0, len(body.s) - 1):
        for a, b, drop in bands:
            line = np.array([body.side(a)[k], body.side(b)[k]])
            top = np.array([body.settled(height, a, -1.0, drop)[k], body.settled(height, b, 1.0, drop)[k]])
            sheet(draft, line, top - FOOTING, top, "concrete", ident)


def _piers(draft: CityDraft, body: Body, height: Height, roads: Roads, pieces: list[Walk], ident: int) -> None:
    walked = shapely.union_all([p.line for p in pieces]) if pieces else Point()
    width = min(body.overpass.width - 1.0, 8.0) if body.overpass.driven else min(body.overpass.width / 2, 1.0)
    line = LineString(body.xy)
    last = -PIER_SPACING
    for s in np.arange(body.closed[0] + 4.0, body.closed[1] - 4.0, 1.0):
        if s - last < PIER_SPACING:
            continue
        a, b = (np.array(line.interpolate(s + d).coords[0]) for d in (-0.1, 0.1))
        u = (b - a) / np.hypot(*(b - a))
        v = np.array([-u[1], u[0]]) * width / 2
        middle = (a + b) / 2
        across = np.array([middle + v, middle - v])
        stands = LineString(across)
        if roads.low.distance(stands) < 0.8 or roads.flush.distance(stands) < 0.8 or walked.distance(stands) < 1.2:
            continue
        last = float(s)
        out, inn = beside(across, PIER / 2)
        z = float(np.interp(s, body.s, body.z)) - DECK + 0.1
        base = float(height(across).min()) - FOOTING
        ribbon(draft, inn, out, np.full(2, base), np.full(2, z), "concrete", ident)
