"""What the people of `garden` share: school, park and playgrounds; the shops are in `centre`."""

import math

from shapely.geometry import Polygon
from shapely.geometry.polygon import orient

from citysim.build.plans import Xy
from citysim.build.procedural.district.houses import Sort
from citysim.build.procedural.district.openland import add_area, benches_along
from citysim.build.procedural.garden.land import Land, rectangle
from citysim.build.procedural.sketch import snapped
from citysim.build.procedural.tenancy import open_place

SCHOOL = Sort("garden_school", "school", "public")
CHURCH = Sort("garden_school", "church", "public")


def school(land: Land) -> None:
    """A low school of two wings round a yard with a pitch."""
    x0, y0, x1, y1 = land.box
    wing, long = 14.0, min(x1 - x0 - 22.0, 62.0)
    if y1 - y0 < 56.0 or long < 34.0:  # no room: a lawn
        return
    left, low = (x0 + x1 - long) / 2, y0 + 12.0
    middle = left + long / 2
    flipped = not land.reached((middle, y0 + 0.5)) and land.reached((middle, y1 - 0.5))

    def up(y: float) -> float:
        return y0 + y1 - y if flipped else y

    def block(xa: float, ya: float, xb: float, yb: float) -> Polygon:
        return rectangle(xa, min(up(ya), up(yb)), xb, max(up(ya), up(yb)))

    corners = [(left, low), (left + long, low), (left + long, low + wing), (left + wing, low + wing),
               (left + wing, low + 38.0), (left, low + 38.0)]  # fmt: skip
    shape = orient(Polygon([snapped((x, up(y))) for x, y in corners]))
    door = snapped((middle, up(low)))
    name = f"{land.street.split()[0]} School"
    made = land.build(shape, SCHOOL, [door], 2, name=name)
    at = snapped((door[0], up(low + 3.0)))
    open_place(land.district.sketch, "school", land.district.names, at, land.chance.child("school"), made.id,
               made.address, name=name, entrance=f"{made.id}/door")  # fmt: skip
    land.path([(door[0], up(low - 3.0)), (door[0], up(y0 + 0.5))], 3.0)
    yard = block(left + wing + 3.0, low + wing + 3.0, left + long, low + 38.0)
    add_area(land.district.sketch, "paved", yard, "", surface="asphalt")
    land.used.append(yard)
    if y1 - low > 70.0:
        pitch = block(left + 4.0, low + 46.0, left + long - 4.0, min(low + 78.0, y1 - 6.0))
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
    open_place(sketch, "playground", land.district.names, snapped((x + 10.0, y + 1.0)),
               land.chance.child(f"playground/{x:.0f}/{y:.0f}"), None, land.street)  # fmt: skip
    sketch.prop("bench", x + 6.0, y - 1.0, 0.0)
    sketch.prop("picnic_table", x + 13.0, y - 2.5)
    sketch.prop("waste_basket", x + 9.0, y - 1.0)
