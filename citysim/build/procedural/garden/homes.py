"""Homes of `garden`: slabs, galleries, points and rows, each on a piece of green."""

from shapely.geometry import LineString, Polygon

from citysim.build.plans import BarrierPlan, Xy
from citysim.build.procedural.district.houses import Sort
from citysim.build.procedural.district.openland import car_park
from citysim.build.procedural.garden.decks import let_wall, pave, void_deck
from citysim.build.procedural.garden.land import Land, rectangle, spread

SLAB = Sort("garden_slab", "apartments", "homes", roof="flat")
GALLERY = Sort("garden_gallery", "apartments", "homes", roof="flat")
POINT = Sort("garden_point", "apartments", "homes", roof="flat")
ROW = Sort("garden_row", "terrace", "homes")
MARGIN = 8.0  # metres between buildings and the edge of their land
DEEP = 11.0  # of slabs
STAIRCASE = 15.0  # metres of slab to a door
UNIT = 5.8  # width of a row house


def slabs(land: Land) -> None:
    """Parallel slabs of four storeys from south to north, with a path along the west side of each line."""
    x0, y0, x1, y1 = land.box
    gap = land.chance.uniform(21.0, 26.0, "gap")
    pieces = 2 if y1 - y0 > 118.0 else 1
    length = min((y1 - y0 - 2 * MARGIN - (pieces - 1) * 14.0) / pieces, 75.0)
    if length < 30.0:
        return
    for k, x in enumerate(spread(x0 + MARGIN, x1 - MARGIN + 3.0, DEEP, gap)):
        shift = (-3.0, 3.0)[k % 2] if pieces == 1 and y1 - y0 - length > 2 * MARGIN + 8.0 else 0.0
        start = (y0 + y1) / 2 - (pieces * length + (pieces - 1) * 14.0) / 2 + shift
        land.path([(x - 3.6, y0 + 0.5), (x - 3.6, y1 - 0.5)])
        for n in range(pieces):
            low = start + n * (length + 14.0)
            count = max(round(length / STAIRCASE), 2)
            doors: list[Xy] = [(x, low + length * (d + 0.5) / count) for d in range(count)]
            made = land.build(rectangle(x, low, x + DEEP, low + length), SLAB, doors)
            void_deck(land, made, x, low, low + length, doors)
            land.district.sketch.prop("bicycle_parking", x - 1.4, low + length - 3.0, 270.0)
    _parking(land)


def gallery(land: Land) -> None:
    """One or two long slabs of nine to eleven storeys with galleries, a car park beside them."""
    x0, y0, x1, y1 = land.box
    length = min(y1 - y0 - 2 * MARGIN, 112.0)
    if length < 45.0:
        slabs(land)
        return
    most = 2 if x1 - x0 > 130.0 else 1
    for x in spread(x0 + MARGIN, x1 - MARGIN, 12.0, 34.0, most):
        low = (y0 + y1 - length) / 2
        land.path([(x - 4.4, y0 + 0.5), (x - 4.4, y1 - 0.5)], 2.6)
        doors: list[Xy] = [(x, low + length * share) for share in (0.5, 0.12, 0.88)]
        made = land.build(rectangle(x, low, x + 12.0, low + length), GALLERY, doors)
        void_deck(land, made, x, low, low + length, doors)
        lot = rectangle(x + 20.0, low + 6.0, x + 36.0, low + min(length, 70.0))
        if lot.bounds[2] < x1 - 4.0:
            car_park(land.district.sketch, lot, (0.0, 1.0), land.chance.child(f"cars{x:.0f}"), 0.65)
            land.used.append(lot.buffer(1.0))
    _parking(land)


def points(land: Land) -> None:
    """Towers of twelve to sixteen storeys standing in a park."""
    x0, y0, x1, y1 = land.box
    side = 21.0
    xs = spread(x0 + MARGIN, x1 - MARGIN, side, 30.0, 3)
    ys = spread(y0 + MARGIN, y1 - MARGIN, side, 26.0, 2)
    middle = (y0 + y1) / 2
    if len(ys) > 1:
        land.path([(x0 + 0.5, middle - 6.0), ((x0 * 2 + x1) / 3, middle + 3.0),
                   ((x0 + 2 * x1) / 3, middle - 3.0), (x1 - 0.5, middle + 6.0)], 2.6)  # fmt: skip
    for i, x in enumerate(xs):
        for j, y in enumerate(ys):
            if len(xs) * len(ys) > 3 and (i + j) % 2 and land.chance.unit(f"{i}{j}") < 0.6:
                continue
            lift = land.chance.uniform(-5.0, 5.0, f"lift{i}{j}")
            y += min(max(lift, y0 + MARGIN - y), y1 - MARGIN - side - y)
            south, edge = j == 0, y0 + 0.5 if j == 0 else y1 - 0.5
            gate = x + side / 2 + land.chance.uniform(-6.0, 6.0, f"bend{i}{j}")
            if not land.reached((gate, edge), 15.5):  # at the rim: the door looks inwards
                south = not south
                edge = middle if len(ys) > 1 else y0 + 0.5 if south else y1 - 0.5
            door = (x + side / 2, y if south else y + side)
            made = land.build(rectangle(x, y, x + side, y + side), POINT, [door])
            a, b = ((x, y), (x + side, y)) if south else ((x + side, y + side), (x, y + side))
            let_wall(land, made, a, b, [door])
            pave(land, x, y - 3.6 if south else y + side, x + side, y if south else y + side + 3.6)
            front = door[1] - 3.0 if south else door[1] + 3.0
            land.path([(door[0], front), (gate, edge)], 2.4)
    _parking(land)


def rows(land: Land) -> None:
    """Rows of houses of two storeys from west to east, front gardens and hedges along a path."""
    x0, y0, x1, y1 = land.box
    depth = 9.4
    spine = round(((x0 + x1) / 2) * 4) / 4 if x1 - x0 > 90.0 else None
    parts = [(x0 + MARGIN, x1 - MARGIN)] if spine is None else [(x0 + MARGIN, spine - 5.0), (spine + 5.0, x1 - MARGIN)]
    counts = [min(int((high - low) / UNIT), 9) for low, high in parts]
    if max(counts) < 3:
        return
    across = spine if spine is not None else x1 - 4.0
    land.path([(across, y0 + 0.5), (across, y1 - 0.5)], 2.6)
    for y in spread(y0 + MARGIN + 4.0, y1 - MARGIN, depth, 17.0):
        land.path([(x0 + 1.5, y - 4.4), (x1 - 1.5, y - 4.4)], 2.0, 9.0)
        for (low, high), count in zip(parts, counts, strict=True):
            if count < 3:
                continue
            start = (low + high - count * UNIT) / 2
            doors: list[Xy] = [(start + UNIT * (k + 0.28), y) for k in range(count)]
            land.build(rectangle(start, y, start + count * UNIT, y + depth), ROW, doors, named=False)
            _hedges(land, start, y, count, depth)
    _parking(land)


def _hedges(land: Land, start: float, y: float, count: int, depth: float) -> None:
    """A hedge along the rear gardens of a row."""
    line = LineString([(start, y + depth + 6.5), (start + count * UNIT, y + depth + 6.5)])
    name = f"garden:hedge/{len(land.district.barriers) + 1}"
    land.district.barriers.append(BarrierPlan(name, "hedge", line, 1.3))


def _parking(land: Land) -> None:
    """Bays for cars at right angles to the quietest road, in the edge of the land."""
    sides = [s for s in land.block.streets if s.edge is not None and s.edge.street.rank == 1 and s.length > 40.0]
    if not sides:
        return
    side = max(sides, key=lambda s: (s.length, s.points[0]))
    (ax, ay), (bx, by) = side.points[0], side.points[-1]
    length = side.length
    ux, uy = (bx - ax) / length, (by - ay) / length
    s, taken = 12.0, land.used
    while s + 18.0 < length - 10.0:
        corners = [(s, 0.3), (s + 15.6, 0.3), (s + 15.6, 5.4), (s, 5.4)]
        bay = Polygon([(ax + ux * u - uy * v, ay + uy * u + ux * v) for u, v in corners])
        if not any(bay.intersects(area) for area in taken):
            car_park(land.district.sketch, bay, (ux, uy), land.chance.child(f"bay{s:.0f}"), 0.7)
            land.used.append(bay.buffer(1.0))
        s += 24.0
