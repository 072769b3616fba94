"""What the people of `garden` share: the local centre, school, park and playgrounds."""

import math

from shapely.geometry import Polygon

from citysim.build.plans import Xy
from citysim.build.procedural.district.houses import Sort
from citysim.build.procedural.district.openland import add_area, benches_along
from citysim.build.procedural.garden.land import Land, rectangle
from citysim.build.procedural.sketch import snapped
from citysim.build.procedural.tenancy import Shopfront, open_place

SHOPS = Sort("garden_centre", "retail")
SCHOOL = Sort("garden_school", "school", "public")
CHURCH = Sort("garden_school", "church", "public")
PLAZA = (40.0, 30.0)


def centre(land: Land) -> None:
    """Shops on three sides of a square that opens to the street."""
    x0, y0, x1, y1 = land.box
    if y1 - y0 < 46.0 or x1 - x0 < 40.0:  # no room: a lawn
        return
    south = land.block.center[1] > 0.0
    cx = round((x0 + x1) / 2 * 4) / 4
    wings = x1 - x0 > 74.0
    wide, deep = min(PLAZA[0], x1 - x0 - (50.0 if wings else 14.0)), min(PLAZA[1], y1 - y0 - 24.0)
    base = y0 + 1.0 if south else y1 - 1.0
    turn = 1.0 if south else -1.0

    def at(x: float, y: float) -> Xy:
        """Local coordinates: x from the middle, y from the street inwards."""
        return snapped((cx + x, base + turn * y))

    def block(xa: float, ya: float, xb: float, yb: float) -> Polygon:
        (a, b), (c, d) = at(xa, ya), at(xb, yb)
        return rectangle(min(a, c), min(b, d), max(a, c), max(b, d))

    name = land.district.names.street("Square")
    half = wide / 2
    plaza = add_area(land.district.sketch, "square", block(-half, -1.0, half, deep), name, place="square",
                     surface="paving_stones")  # fmt: skip
    land.used.append(plaza.polygon)
    out = half + (16.0 if wings else 0.0)
    shops = [
        (block(-out, 2.0, -half, deep), at(-half, 2.0), at(-half, deep), 2),
        (block(half, 2.0, out, deep), at(half, deep), at(half, 2.0), 2),
        (block(-out, deep, out, deep + 18.0), at(-half, deep), at(half, deep), 3),
    ]
    for shape, a, b, levels in shops if wings else shops[2:]:
        if not south:
            a, b = b, a
        middle = snapped(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2))
        made = land.build(shape, SHOPS, [middle], levels, named=False)
        land.district.builder.fronts.append(Shopfront(made.id, a, b, made.address, levels - 1, middle))
    ring = [at(-half + 4.0, 1.0), at(-half + 4.0, deep - 4.0), at(half - 4.0, deep - 4.0), at(half - 4.0, 1.0)]
    land.layout.path(ring, 3.0, "pedestrian", name, "paving_stones", 12.0)
    sketch = land.district.sketch
    sketch.prop("fountain", *at(0.0, deep / 2), name=f"{name.split()[0]} Fountain")
    for k, (dx, dy) in enumerate(((-9.0, 8.0), (9.0, 8.0), (-9.0, 19.0), (9.0, 19.0))):
        sketch.prop("tree", *at(dx, dy))
        sketch.prop("bench", *at(dx + (2.2 if dx < 0 else -2.2), dy), 90.0 if dx < 0 else 270.0)
        if k % 2:
            sketch.prop("waste_basket", *at(dx, dy + 3.0))
    for k in range(6):
        sketch.prop("bicycle_parking", *at(-half + 7.5 + 1.2 * k, 3.2), 0.0)
    sketch.prop("clock", *at(6.0, 4.0))
    sketch.prop("post_box", *at(-half + 1.2, deep - 8.0))
    sketch.prop("recycling", *at(half - 1.4, 6.0))
    behind = block(-out, deep + 24.0, out, deep + 36.0)
    if land.block.polygon.contains(behind):
        add_area(sketch, "parking", behind, amenity="parking")


def school(land: Land) -> None:
    """A low school of two wings round a yard with a pitch."""
    x0, y0, x1, y1 = land.box
    wing, long = 14.0, min(x1 - x0 - 22.0, 62.0)
    if y1 - y0 < 56.0 or long < 34.0:  # no room: a lawn
        return
    left, low = (x0 + x1 - long) / 2, y0 + 12.0
    shape = Polygon([
        (left, low), (left + long, low), (left + long, low + wing), (left + wing, low + wing),
        (left + wing, low + 38.0), (left, low + 38.0),
    ])  # fmt: skip
    shape = Polygon([snapped(p) for p in shape.exterior.coords[:-1]])
    door = snapped((left + long / 2, low))
    name = f"{land.street.split()[0]} School"
    made = land.build(shape, SCHOOL, [door], 2, name=name)
    at = snapped((door[0], door[1] + 3.0))
    open_place(land.district.sketch, "school", land.district.names, at, land.chance.child("school"), made.id,
               made.address, name=name, entrance=f"{made.id}/door")  # fmt: skip
    land.path([(door[0], low - 3.0), (door[0], y0 + 0.5)], 3.0)
    yard = rectangle(left + wing + 3.0, low + wing + 3.0, left + long, low + 38.0)
    add_area(land.district.sketch, "paved", yard, "", surface="asphalt")
    land.used.append(yard)
    if y1 - low > 70.0:
        pitch = rectangle(left + 4.0, low + 46.0, left + long - 4.0, min(low + 78.0, y1 - 6.0))
        add_area(land.district.sketch, "pitch", pitch, "", leisure="pitch")
        land.used.append(pitch.buffer(1.0))


def park(land: Land) -> None:
    """A pond in a park with a path round it and a playground."""
    x0, y0, x1, y1 = land.box
    cx, cy = (x0 + x1) / 2, (y0 + y1) / 2
    rx, ry = (x1 - x0) * 0.22, (y1 - y0) * 0.2
    pond, ring = [], []
    for k in range(20):
        turn = math.tau * k / 20
        wobble = land.chance.uniform(0.86, 1.12, f"pond{k}")
        pond.append(snapped((cx + rx * wobble * math.cos(turn), cy + ry * wobble * math.sin(turn))))
        ring.append(snapped((cx + (rx * 1.12 + 5.0) * math.cos(turn), cy + (ry * 1.12 + 5.0) * math.sin(turn))))
    name = land.district.names.street("Park")
    sketch = land.district.sketch
    add_area(sketch, "water", Polygon(pond), f"{name.split()[0]} Pond", natural="water", water="pond")
    add_area(sketch, "park", land.block.polygon, name, leisure="park")
    land.used.append(Polygon(ring).buffer(2.0))
    land.layout.path([*ring, ring[0]], 2.4, name=name, surface="fine_gravel")
    for x, y in ((x0, y0), (x1, y0), (x1, y1), (x0, y1)):
        corner = (x + (1.0 if x == x0 else -1.0), y + (1.0 if y == y0 else -1.0))
        near = min(ring, key=lambda p, c=corner: math.dist(p, c))  # type: ignore[misc]
        start = land.layout.join(corner, 12.0)
        if start is not None:
            land.layout.path([start, near], 2.4, name=name, surface="fine_gravel")
            land.keep_off([start, near], 2.4)
    benches_along(sketch, ring, 16.0, 2.2, land.chance.child("benches"))
    playground(land, (x0 + 10.0, y1 - 28.0))


def playground(land: Land, corner: Xy) -> None:
    """A play area of 20 x 15 m with its benches, where nothing else stands."""
    shape = rectangle(corner[0], corner[1], corner[0] + 20.0, corner[1] + 15.0)
    if any(shape.intersects(area) for area in land.used) or not land.block.polygon.contains(shape):
        return
    sketch = land.district.sketch
    add_area(sketch, "playground", shape, "", leisure="playground")
    land.used.append(shape.buffer(1.5))
    x, y = corner
    sketch.prop("bench", x + 6.0, y - 1.0, 0.0)
    sketch.prop("picnic_table", x + 13.0, y - 2.5)
    sketch.prop("waste_basket", x + 9.0, y - 1.0)
