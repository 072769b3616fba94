import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from citysim.errors import InputError
from citysim.pose import Pose
from citysim.render.base import Camera, Frame, View
from citysim.render.raster import RasterRenderer
from citysim.render.visible import visible_objects
from tests.render.scenes import street


@given(arrays(np.int32, array_shapes(min_dims=2, max_dims=2, max_side=12), elements=st.sampled_from([0, 0, 1, 2, 700])))
@settings(max_examples=200, deadline=None)
def test_counts_and_boxes_are_those_of_a_plain_count(labels: np.ndarray) -> None:
    found = visible_objects(labels)
    assert [row.id for row in found] == sorted(
        set(labels.ravel().tolist()) - {0}, key=lambda i: (-int((labels == i).sum()), i)
    )
    for row in found:
        ys, xs = np.nonzero(labels == row.id)
        assert row == (row.id, len(ys), xs.min(), ys.min(), xs.max() + 1, ys.max() + 1)


def test_a_frame_tells_what_it_shows() -> None:
    renderer = RasterRenderer(street())
    view = View(Camera(Pose.from_heading(0, -3, 1.6, 80), (160, 120)), labels=True)
    frame = renderer.render(view)
    assert frame.labels is not None
    found = frame.visible_objects()
    assert {row.id for row in found} == set(np.unique(frame.labels).tolist()) - {0}
    assert sum(row.pixels for row in found) == np.count_nonzero(frame.labels)
    assert [row.pixels for row in found] == sorted((row.pixels for row in found), reverse=True)


def test_nothing_in_sight_and_no_labels() -> None:
    assert visible_objects(np.zeros((3, 4), dtype=np.int32)) == []
    with pytest.raises(InputError, match="labels"):
        Frame(np.zeros((1, 1, 3), dtype=np.uint8)).visible_objects()
