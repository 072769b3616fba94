"""The park block of `grid`: a path round a lawn, a fountain, a playground and a ball court."""

from shapely.geometry import Polygon, box

from citysim.build.plans import Xy
from citysim.build.procedural.district.blocks import Block
from citysim.build.procedural.district.district import District
from citysim.build.procedural.district.layout import Layout
from citysim.build.procedural.district.openland import add_area, benches_along, plant, ring_path
from citysim.build.procedural.sketch import snapped


def lay_park(district: District, layout: Layout, block: Block) -> None:
    """Fill a block with a park that is entered at its corners."""
    sketch, chance = district.sketch, district.chance.child("park")
    name = district.names.street("Park")
    shape = block.polygon
    area = add_area(sketch, "park", shape, name, leisure="park")
    x0, y0, x1, y1 = shape.bounds
    gates: list[Xy] = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    ring = ring_path(sketch, layout, area.polygon, 11.0, 3.0, name, "footway", "fine_gravel", gates)
    center = snapped(((x0 + x1) / 2, (y0 + y1) / 2))
    if len(ring) > 3:
        benches_along(sketch, ring, 13.0, 2.3, chance.child("benches"))
    plaza = Polygon(box(center[0] - 9.0, center[1] - 9.0, center[0] + 9.0, center[1] + 9.0))
    add_area(sketch, "square", plaza, f"{name.rsplit(' ', 1)[0]} Plaza", surface="paving_stones")
    sketch.prop("fountain", *center, name=f"{name.rsplit(' ', 1)[0]} Fountain")
    play = box(x0 + 15.0, y0 + 15.0, x0 + 33.0, y0 + 29.0)
    if x1 - x0 > 80.0 and y1 - y0 > 60.0:
        add_area(sketch, "playground", play, "", leisure="playground")
    for k, (x, y) in enumerate(
        ((x0 + 4.5, y0 + 4.5), (x1 - 4.5, y0 + 4.5), (x1 - 4.5, y1 - 4.5), (x0 + 4.5, y1 - 4.5))
    ):
        sketch.prop("street_lamp", x + (1.6 if k in (0, 3) else -1.6), y, height=4.5)
    lawn = shape.buffer(-3.0).difference(plaza.buffer(3.0)).difference(play.buffer(2.0))
    for part in getattr(lawn, "geoms", [lawn]):
        plant(sketch, part, 9.5, chance.child("trees"))
