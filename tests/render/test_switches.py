"""Things with several pictures show the one that a view asks for, in both renderers."""

import dataclasses

import numpy as np
import pytest

from citysim.city import City, Material
from citysim.errors import DependencyError
from citysim.pose import Pose
from citysim.render import make_renderer
from citysim.render.base import Camera, Frame, View
from citysim.render.raster import RasterRenderer
from citysim.render.switches import picture_counts
from tests.render.raster.test_exact import digest
from tests.render.scenes import quad

COLORS = ((220, 30, 30), (30, 220, 30), (30, 30, 220), (220, 220, 30))
EYE = Camera(Pose(0.0, 0.0, 0.0, 0.0), (80, 40))
LEFT, RIGHT = 11, 12


def board(left: float, right: float, label: int, material: int = 0) -> object:
    corners = [(4.0, left, -1.0), (4.0, right, -1.0), (4.0, right, 1.0), (4.0, left, 1.0)]
    return quad(corners, (0.02, 0.1, 0.23, 0.9), label=label, material=material)


def city() -> City:
    """Two boards that show one of four colours, and between them one of the same texture that cannot be switched."""
    picture = np.zeros((16, 64, 4), dtype=np.uint8)
    for k, color in enumerate(COLORS):
        picture[:, 16 * k : 16 * k + 16] = (*color, 255)
    materials = (Material(texture=0, name="heads#4", unlit=True), Material(texture=0, name="plain", unlit=True))
    chunks = [board(3.0, 1.0, LEFT), board(-1.0, -3.0, RIGHT), board(0.5, -0.5, 13, 1)]
    return City.in_memory(chunks, materials, [picture])  # type: ignore[arg-type]


def shown(frame: Frame, label: int) -> int:
    """Which colour a board shows."""
    assert frame.labels is not None
    mean = frame.rgb[frame.labels == label].astype(float).mean(axis=0)
    return int(np.argmin([np.abs(mean - color).sum() for color in COLORS]))


@pytest.mark.parametrize("name", ["raster", "gl"])
def test_each_object_shows_its_state(name: str) -> None:
    try:
        renderer = make_renderer(name, city())
    except DependencyError as error:
        pytest.skip(f"needs EGL: {error}")
    for states, left, right in (
        (None, 0, 0), ({LEFT: 2}, 2, 0), ({LEFT: 1, RIGHT: 3, 13: 2}, 1, 3), ({RIGHT: 6}, 0, 2), ({}, 0, 0),
    ):  # fmt: skip
        frame = renderer.render(View(EYE, labels=True, states=states))
        assert (shown(frame, LEFT), shown(frame, RIGHT), shown(frame, 13)) == (left, right, 0)
    renderer.close()


def test_a_batch_of_different_states_gives_what_each_view_gives_alone() -> None:
    views = [
        View(EYE, depth=True, labels=True, states=s) for s in (None, {LEFT: 1}, {LEFT: 1}, {RIGHT: 2}, {}, {LEFT: 3})
    ]
    wanted = [digest(RasterRenderer(city()).render(view)) for view in views]
    for threads in (1, 2):
        renderer = RasterRenderer(city(), threads=threads)
        assert [digest(frame) for frame in renderer.render_batch(views)] == wanted
        renderer.close()


def test_states_hold_while_tiles_come_and_go() -> None:
    """A renderer without room forgets tiles and loads them again; a mapping that its owner changes is not kept."""
    renderer = RasterRenderer(city(), memory_mb=1e-6)
    away = dataclasses.replace(EYE, pose=Pose(0.0, 0.0, 0.0, 3.1))
    states = {LEFT: 1}
    for _ in range(2):
        assert shown(renderer.render(View(EYE, labels=True, states=states)), LEFT) == 1
        renderer.render(View(away, states=states))
    states[LEFT] = 2
    assert shown(renderer.render(View(EYE, labels=True, states=states)), LEFT) == 2


def test_the_number_of_pictures_is_in_the_name() -> None:
    names = ("a", "a#4", "a#1", "a#64", "a#65", "#2", "a#4b", "a#04")
    assert picture_counts([Material(name=name) for name in names]).tolist() == [1, 4, 1, 64, 1, 2, 1, 1, 1]
