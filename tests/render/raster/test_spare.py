"""Memory of pictures is given out again only when nobody holds it."""

import gc

import numpy as np

from citysim.pose import Pose
from citysim.render.base import Camera, View
from citysim.render.raster import RasterRenderer
from citysim.render.raster.spare import KEPT, SIZES, Spare
from tests.render.scenes import street


def place(array: np.ndarray) -> int:
    return int(array.__array_interface__["data"][0])


def test_held_memory_is_never_given_out_again() -> None:
    spare = Spare()
    held = [spare.array(1000, np.float32) for _ in range(3 * KEPT)]
    assert len({place(each) for each in held}) == len(held)
    view = held[0].reshape(10, 100)[3:5, ::2]
    first = place(held[0])
    del held
    again = [spare.array(1000, np.float32) for _ in range(KEPT)]
    assert first not in {place(each) for each in again}  # a view of it is alive
    del view, again
    assert first in {place(each) for each in [spare.array(1000, np.float32) for _ in range(KEPT)]}


def test_other_sizes_and_types_do_not_mix() -> None:
    spare = Spare()
    for size in range(1, 3 * SIZES):
        assert spare.array(size, np.int32).shape == (size,)
        assert spare.array(size, np.uint8).dtype == np.uint8
    assert spare.array(0, np.float32).shape == (0,)


def test_frames_that_are_kept_do_not_change() -> None:
    renderer = RasterRenderer(street())
    views = [View(Camera(Pose(0.0, 0.0, 1.6, 0.4 * k), (96, 64)), depth=True, labels=True) for k in range(20)]
    frames = [renderer.render(view) for view in views]
    copies = [frame.rgb.copy() for frame in frames]
    part = frames[5].depth
    frames[5:6] = []
    del frames[10]
    gc.collect()
    wanted = np.array(part)
    for view in views:
        renderer.render(view)
    assert (np.array(part) == wanted).all()
    del copies[10 + 1], copies[5]
    assert all((frame.rgb == copy).all() for frame, copy in zip(frames, copies, strict=True))
