"""Frontage: where along a building's walls something facing the street may be put."""

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from citysim.build.draft import CityDraft, Ground
from citysim.build.facade import Facade
from citysim.build.plans import Xy

STEP = 0.5  # metres between samples along a wall
REACH = 12.0  # metres from a wall to the walking line it faces
BAD_GROUND = frozenset({"water", "rail"})
PENALTY = {"carriageway": 8.0, "court": 10.0, "crossing": 4.0, "parking": 4.0, "grass": 5.0, "garden": 6.0, "park": 2.0}
GAP = 0.12  # metres between two things on a wall


@dataclass(frozen=True, slots=True)
class Slot:
    """An interval of a wall from u0 to u1 metres, with the cost that made it the best."""

    facade: Facade
    u0: float
    u1: float
    cost: float

    @property
    def middle(self) -> float:
        """Its centre along the wall."""
        return 0.5 * (self.u0 + self.u1)


class Frontage:
    """All facades, by building, with samples of what lies in front of them."""

    def __init__(self, draft: CityDraft, ground: Ground, facades: Sequence[Facade]) -> None:
        self.facades = [f for f in facades if f.length > 0.8]
        self.ground = ground
        self.by_building: dict[str, list[int]] = defaultdict(list)
        for i, facade in enumerate(self.facades):
            self.by_building[facade.building].append(i)
        self._samples = [_marks(f.length) for f in self.facades]
        self._costs = self._survey(draft)
        lines = [shapely.LineString([f.a, f.b]) for f in self.facades]
        self._tree = shapely.STRtree(lines)

    def near(self, xy: Xy, reach: float) -> list[int]:
        """Facades within `reach` metres of a point, by number."""
        return sorted(int(i) for i in self._tree.query(shapely.Point(xy), predicate="dwithin", distance=reach))

    def best(self, numbers: Sequence[int], target: Xy, widths: tuple[float, float], height: float = 2.9) -> Slot | None:
        """The free slot nearest to `target` on one of the facades, as wide as widths[1] allows, at least widths[0].

        The wall must be `height` metres high there. The slot is not reserved yet.
        """
        found: Slot | None = None
        for number in numbers:
            facade = self.facades[number]
            if facade.top - facade.base < height:
                continue
            for low, high in free(facade):
                slot = self._in_gap(number, low, high, target, widths)
                if slot is not None and (found is None or slot.cost < found.cost - 1e-9):
                    found = slot
        return found

    def along(self, number: int, xy: Xy) -> float:
        """How far along a facade the foot of a point lies, metres from its start (may lie outside it)."""
        return _along(self.facades[number], xy)

    def usable(self, number: int, u: float) -> bool:
        """Whether the wall can be seen and reached at `u`."""
        return bool(np.isfinite(self._costs[number][_index(self._samples[number], u)]))

    def _in_gap(self, number: int, low: float, high: float, target: Xy, widths: tuple[float, float]) -> Slot | None:
        room = high - low
        if room < widths[0]:
            return None
        width = min(room, widths[1])
        facade, marks, costs = self.facades[number], self._samples[number], self._costs[number]
        inside = (marks >= low + width / 2 - 1e-9) & (marks <= high - width / 2 + 1e-9)
        options = marks[inside]
        if not len(options):
            options = np.array([(low + high) / 2])
        along = _along(facade, target)
        ends = [
            np.clip(np.round((options + d * width / 2) / STEP).astype(int), 0, len(marks) - 1) for d in (-0.9, 0, 0.9)
        ]
        cost = np.max([costs[e] for e in ends], axis=0)
        away = math.hypot(*(p - q for p, q in zip(facade.at(_clamp(along, 0.0, facade.length)), target, strict=True)))
        total = cost + away + np.abs(options - along) * 1.0
        pick = int(np.argmin(total))
        if not np.isfinite(total[pick]):
            return None
        middle = _clamp(along, low + width / 2, high - width / 2)
        if abs(middle - options[pick]) > STEP:
            middle = float(options[pick])
        return Slot(facade, middle - width / 2, middle + width / 2, float(total[pick]))

    def _survey(self, draft: CityDraft) -> list[NDArray[np.float64]]:
        """Cost of every sample: infinite where a wall is hidden or nobody can stand, higher away from the street."""
        if not self.facades:
            return []
        counts = [len(m) for m in self._samples]
        owner = np.repeat(np.arange(len(counts)), counts)
        u = np.concatenate(self._samples)
        a = np.array([f.a for f in self.facades])[owner]
        n = np.array([f.normal for f in self.facades])[owner]
        length = np.array([f.length for f in self.facades])[owner]
        b = np.array([f.b for f in self.facades])[owner]
        on_wall = a + (b - a) * (u / length)[:, None]
        front = on_wall + n * 1.0
        cost = np.zeros(len(u))
        solid = [
            p.polygon
            for p in draft.plan.buildings
            if p.min_height < 2.3 and p.kind not in ("roof", "canopy", "carport")
        ]
        if solid:
            tree = shapely.STRtree(solid)
            for out in (0.4, 1.0):
                hidden = tree.query(shapely.points(on_wall + n * out), predicate="within")[0]
                cost[hidden] = np.inf
        e0, n0, e1, n1 = draft.plan.bounds
        outside = (front[:, 0] < e0) | (front[:, 0] > e1) | (front[:, 1] < n0) | (front[:, 1] > n1)
        cost[outside] = np.inf  # beyond the rim of the map there is nobody to look
        names = self.ground.region(front)
        cost += [math.inf if name in BAD_GROUND else PENALTY.get(name, 0.0) for name in names]
        z = self.ground.height(front)
        base = np.array([f.base for f in self.facades])[owner]
        cost[(z - base > 2.2) | (base - z > 1.0)] = np.inf
        if draft.edges:
            lines = [shapely.LineString(e.line[:, :2]) for e in draft.edges]
            reached = np.zeros(len(u), dtype=bool)
            reached[shapely.STRtree(lines).query(shapely.points(front), predicate="dwithin", distance=REACH)[0]] = True
            cost[~reached] += 15.0
        return np.split(cost, np.cumsum(counts)[:-1])


def free(facade: Facade, margin: float = GAP) -> Iterator[tuple[float, float]]:
    """Intervals of a wall that nothing occupies, `margin` metres off everything and off the corners."""
    low = margin
    for u0, u1 in sorted(facade.taken):
        if u0 - margin > low:
            yield low, u0 - margin
        low = max(low, u1 + margin)
    if facade.length - margin > low:
        yield low, facade.length - margin


def reserve(slot: Slot) -> None:
    """Mark a slot as taken."""
    slot.facade.taken.append((slot.u0, slot.u1))


def _marks(length: float) -> NDArray[np.float64]:
    return np.minimum(np.arange(int(length / STEP) + 2) * STEP, length)


def _index(marks: NDArray[np.float64], u: float) -> int:
    return min(len(marks) - 1, max(0, round(u / STEP)))


def _along(facade: Facade, xy: Xy) -> float:
    dx, dy = (facade.b[0] - facade.a[0]) / facade.length, (facade.b[1] - facade.a[1]) / facade.length
    return (xy[0] - facade.a[0]) * dx + (xy[1] - facade.a[1]) * dy


def _clamp(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)
