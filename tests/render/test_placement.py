import itertools

from hypothesis import given, settings
from hypothesis import strategies as st
from shapely.geometry import Polygon

from citysim.render.placement import FreeRoom, oriented

boxes = st.builds(
    oriented, st.floats(0, 300), st.floats(0, 200), st.floats(2, 90), st.floats(2, 20), st.floats(-180, 180)
)


@given(st.lists(boxes, min_size=1, max_size=12))
@settings(max_examples=200, deadline=None)
def test_what_fits_overlaps_nothing_and_leaves_no_picture(candidates: list[tuple[tuple[float, float], ...]]) -> None:
    room = FreeRoom(300, 200)
    frame = Polygon([(0, 0), (300, 0), (300, 200), (0, 200)])
    for box in candidates:
        shape = Polygon(box)
        fits = room.fits(box)
        if fits:
            assert frame.contains(shape)
            assert all(shape.intersection(Polygon(other)).area < 1e-6 for other in room.taken)
            room.take(box)
        elif frame.buffer(-2).contains(shape):
            assert any(shape.intersects(Polygon(other)) for other in room.taken)
    assert all(Polygon(a).intersection(Polygon(b)).area < 1e-6 for a, b in itertools.combinations(room.taken, 2))


def test_the_first_of_several_places() -> None:
    room = FreeRoom(100, 50)
    assert room.first_fit([(5, 25), (50, 25)], 40, 10) == (50, 25)  # the first would leave the picture
    assert room.first_fit([(50, 25), (50, 40)], 40, 10) == (50, 40)
    assert room.first_fit([(50, 30)], 40, 10) is None
