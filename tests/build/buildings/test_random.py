"""Random simple footprints with every roof: closed, outward, finite, whatever the shape."""

import math

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from shapely.affinity import rotate
from shapely.geometry import Polygon, box
from shapely.ops import unary_union

from citysim.build.buildings.masses import PITCHED
from citysim.build.mesh import LEVELS
from tests.build.buildings.street import area_vector, built, house, plan_of, triangles, volume

SHELL = ("facade/", "front/", "plain/", "roof/", "trim/")


@st.composite
def stars(draw: st.DrawFn) -> Polygon:
    """Star-shaped polygons with 3 to 12 corners."""
    count = draw(st.integers(3, 12))
    radii = draw(st.lists(st.floats(4.0, 30.0), min_size=count, max_size=count))
    turn = draw(st.floats(0.0, 6.0))
    corners = []
    for k, r in enumerate(radii):
        angle = turn + 2 * math.pi * k / count
        corners.append((r * math.cos(angle), r * math.sin(angle)))
    return Polygon(corners)


@st.composite
def blocks(draw: st.DrawFn) -> Polygon:
    """Unions of rectangles: L, T, U shapes and courts."""
    boxes = []
    for _ in range(draw(st.integers(1, 4))):
        x, y = draw(st.integers(0, 25)), draw(st.integers(0, 25))
        boxes.append(box(x, y, x + draw(st.integers(5, 30)), y + draw(st.integers(5, 30))))
    whole = unary_union(boxes)
    largest = max(getattr(whole, "geoms", [whole]), key=lambda p: p.area)
    return rotate(largest, draw(st.integers(0, 89)))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    shape=st.one_of(stars(), blocks()),
    roof=st.sampled_from(("flat", *PITCHED)),
    height=st.floats(2.0, 45.0),
    heading=st.one_of(st.none(), st.floats(0.0, 360.0)),
    style=st.sampled_from(("classical", "glass", "church", "functional")),
)
def test_every_footprint_is_closed_and_outward(
    shape: Polygon, roof: str, height: float, heading: float | None, style: str
) -> None:
    plan = house("a", shape, height, roof=roof, roof_heading_deg=heading, style=style)
    draft, facades = built(plan_of([plan]))
    corners = triangles(draft, SHELL, LEVELS[1])
    assert np.isfinite(corners).all()
    gap = area_vector(corners)
    sides = np.abs(gap[:2]).max()
    assert sides < 0.02 * shape.length + 0.1
    assert abs(gap[2] - shape.area) < 0.02 * shape.area + 0.1  # only the floor is missing
    content = volume(corners - (0.0, 0.0, corners[:, :, 2].min()))
    assert 0.3 * shape.area * height < content < 1.15 * shape.area * (height + 0.5)
    assert corners[:, :, 2].max() < height + 0.01 or roof == "onion"
    for facade in facades:
        x, y = facade.at(facade.length / 2)
        inside = Polygon([(x - 0.01, y - 0.01), (x + 0.01, y - 0.01), (x, y + 0.01)])
        assert shape.exterior.distance(inside) < 0.05
