"""The OpenGL renderer shows what the raster renderer shows."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from citysim.city import City, CityObject
from citysim.conditions import Conditions
from citysim.errors import DependencyError
from citysim.pose import Pose
from citysim.render import make_renderer
from citysim.render.base import Bodies, BodyMesh, Camera, Renderer, View
from citysim.render.raster import RasterRenderer
from tests.render.scenes import street


def lit_street() -> City:
    """The street with lamps along it, rooms behind the windows of its houses and a sign that glows."""
    city = street()
    lamps = [
        CityObject(1000 + i, "street_lamp", position=(x, y, 0.12), bounds=(x, y, 0.0, x, y, 6.5))
        for i, (x, y) in enumerate((float(x), y) for x in range(-90, 91, 30) for y in (-6.5, 6.5))
    ]
    windows = [np.zeros((64, 64, 4), dtype=np.uint8) for _ in range(2)]
    windows[0][..., 3] = 255
    for row in range(4):
        for column in range(4):
            windows[0][row * 16 + 4 : row * 16 + 12, column * 16 + 5 : column * 16 + 11, :3] = 200
    windows[1][...] = 255
    first = len(city.texture_keys)
    looks = []
    for material in city.materials:
        if material.name in ("plaster", "ochre", "brick"):
            material = replace(material, glow=first, glow_cells=(4, 4), emissive=(1.0, 1.0, 1.0))
        elif material.name == "sign":
            material = replace(material, glow=first + 1)
        looks.append(material)
    textures = [city.texture(i) for i in range(first)] + windows
    chunks = [city.chunk(i) for i in range(len(city.tiles))]
    return City.in_memory(chunks, looks, textures, objects=lamps)


@pytest.fixture(scope="module")
def both() -> Iterator[tuple[Renderer, Renderer]]:
    city = lit_street()
    try:
        gl = make_renderer("gl", city)
    except DependencyError as error:
        pytest.skip(f"needs an EGL driver: {error}")
    raster = RasterRenderer(city)
    yield raster, gl
    raster.close()
    gl.close()
    gl.close()


CAMERAS = {
    "street": Camera(Pose.from_heading(0, -3, 1.6, 80), (320, 240)),
    "up": Camera(Pose.from_heading(10, 2, 1.6, 250, 20), (240, 320), fov_deg=80),
    "above": Camera(Pose.from_heading(0, 0, 150, 30, -90), (200, 150), ortho_height_m=60),
}


MOMENTS = {
    "day": Conditions(),
    "dusk": Conditions(clock_s=66600.0),
    "night": Conditions(clock_s=84600.0),
    "cloudy": Conditions(weather="partly_cloudy"),
    "rain": Conditions(weather="rainy"),
    "wet night": Conditions(clock_s=84600.0, weather="thunderstorm"),
    "fog": Conditions(clock_s=66600.0, weather="fog"),
}


@pytest.mark.parametrize("name", CAMERAS)
@pytest.mark.parametrize("moment", MOMENTS)
def test_both_renderers_agree(both: tuple[Renderer, Renderer], name: str, moment: str) -> None:
    view = View(CAMERAS[name], MOMENTS[moment], depth=True, labels=True, normals=True)
    a, b = (renderer.render(view) for renderer in both)
    difference = np.abs(a.rgb.astype(int) - b.rgb).max(axis=2)
    assert np.percentile(difference, 90) <= 12  # the tolerance that GlRenderer documents
    assert np.percentile(difference, 50) <= 2
    assert a.depth is not None
    assert b.depth is not None
    assert (np.isfinite(a.depth) == np.isfinite(b.depth)).mean() > 0.99
    shown = np.isfinite(a.depth) & np.isfinite(b.depth)
    assert np.percentile(np.abs(a.depth[shown] - b.depth[shown]), 95) < 0.05
    assert a.labels is not None
    assert (a.labels == b.labels).mean() > 0.99
    assert a.normals is not None
    assert b.normals is not None
    assert (np.abs(a.normals - b.normals).max(axis=2) < 1e-3).mean() > 0.99


def test_the_sun_casts_the_same_shadows(both: tuple[Renderer, Renderer]) -> None:
    view = View(CAMERAS["street"])
    bare = RasterRenderer(lit_street(), shadows=False).render(view).rgb.astype(int)
    a, b = (renderer.render(view).rgb.astype(int) for renderer in both)
    dark = (bare - a).max(axis=2) > 20
    assert dark.mean() > 0.02  # there are shadows to speak of
    assert np.percentile(np.abs(a - b).max(axis=2)[dark], 85) <= 12


def test_lit_windows_and_lamps_are_the_same(both: tuple[Renderer, Renderer]) -> None:
    night, day = (View(CAMERAS["street"], MOMENTS[name]) for name in ("night", "day"))
    a, b = (renderer.render(night).rgb.astype(int) for renderer in both)
    lit = a.max(axis=2) > 140  # of windows, of halos, and of the ground below lamps
    assert 0.005 < lit.mean() < 0.5
    assert np.percentile(np.abs(a - b).max(axis=2)[lit], 80) <= 12
    assert both[1].render(day).rgb.mean() > b.mean() + 20


def test_panoramas_agree(both: tuple[Renderer, Renderer]) -> None:
    camera = Camera(Pose.from_heading(0, -3, 1.6, 80), (256, 128), panorama=True)
    a, b = (renderer.render(View(camera, depth=True)) for renderer in both)
    assert np.percentile(np.abs(a.rgb.astype(int) - b.rgb).max(axis=2), 90) <= 12
    assert a.depth is not None
    assert b.depth is not None
    assert (np.isfinite(a.depth) == np.isfinite(b.depth)).mean() > 0.98


def test_moving_bodies_agree(both: tuple[Renderer, Renderer]) -> None:
    low = np.array([(0.1, 0.2, 0), (0.1, -0.2, 0), (-0.2, 0, 0), (0, 0, 1.7)], dtype=np.float32)
    high = low + np.array([(0.3, 0, 0), (-0.3, 0, 0), (0, 0, 0), (0, 0, 0.1)], dtype=np.float32)
    triangles = np.array([(1, 0, 3), (2, 1, 3), (0, 2, 3), (0, 1, 2)], dtype=np.int32)
    figure = BodyMesh(np.stack([low, high]), triangles, np.ones(4, dtype=np.int32))
    count = 30
    place = np.stack([np.linspace(4, 40, count), np.linspace(-4, 4, count), np.zeros(count), np.arange(count)], axis=1)
    colors = np.random.default_rng(2).integers(0, 256, (count, 2, 3)).astype(np.uint8)
    bodies = Bodies(
        (figure,), np.zeros(count, np.int32), place, np.linspace(0.0, 7.0, count),
        np.arange(5000, 5000 + count, dtype=np.int32), colors, np.full(count, 1.1),
    )  # fmt: skip
    view = View(CAMERAS["street"], labels=True, bodies=bodies)
    a, b = (renderer.render(view) for renderer in both)
    assert a.labels is not None
    assert b.labels is not None
    shown = a.labels >= 5000
    assert len(np.unique(a.labels[shown])) > 20
    assert (a.labels == b.labels)[shown | (b.labels >= 5000)].mean() > 0.9
    same = shown & (a.labels == b.labels)
    assert np.percentile(np.abs(a.rgb.astype(int) - b.rgb).max(axis=2)[same], 75) <= 12
    alone = both[1].render(replace(view, bodies=None)).labels  # they are gone again
    assert alone is not None
    assert alone.max() < 5000


def test_labels_are_never_blended(both: tuple[Renderer, Renderer]) -> None:
    view = View(CAMERAS["street"], labels=True)
    a, b = (renderer.render(view).labels for renderer in both)
    assert a is not None
    assert b is not None
    assert set(np.unique(b)) <= set(np.unique(a)) | {0}


def test_cameras_agree_within_a_pixel(both: tuple[Renderer, Renderer]) -> None:
    # The boundaries between objects are the same pixels but for a hair along edges: any shift of the picture by one
    # pixel agrees less than no shift.
    view = View(CAMERAS["street"], labels=True)
    a, b = (renderer.render(view).labels for renderer in both)
    assert a is not None
    assert b is not None
    inner = (slice(2, -2), slice(2, -2))
    agreement = {
        (dx, dy): float((np.roll(a, (dy, dx), (0, 1))[inner] == b[inner]).mean())
        for dx in (-1, 0, 1)
        for dy in (-1, 0, 1)
    }
    assert max(agreement, key=lambda shift: agreement[shift]) == (0, 0)


def test_size_changes_and_back(both: tuple[Renderer, Renderer]) -> None:
    small = Camera(CAMERAS["street"].pose, (64, 48))
    first = both[1].render(View(CAMERAS["street"])).rgb
    assert both[1].render(View(small)).rgb.shape == (48, 64, 3)
    np.testing.assert_array_equal(both[1].render(View(CAMERAS["street"])).rgb, first)


def test_tiles_out_of_sight_go_when_there_are_many(both: tuple[Renderer, Renderer]) -> None:
    gl = both[1]
    scene = vars(gl)["_scene"]
    view = View(CAMERAS["street"])
    before = gl.render(view).rgb
    plenty, scene._most = scene._most, 0
    scene.show([])
    assert not scene._nodes
    assert not scene.scene.mesh_nodes
    again = gl.render(view).rgb
    scene._most = plenty
    assert (before == again).all()


def test_a_renderer_that_nobody_closes_ends_in_silence(both: tuple[Renderer, Renderer]) -> None:
    lines = (
        "from citysim.pose import Pose",
        "from citysim.render import make_renderer",
        "from citysim.render.base import Camera, View",
        "from tests.render.scenes import street",
        "renderer = make_renderer('gl', street())",
        "renderer.render(View(Camera(Pose(0, 0, 1.6), (16, 16))))",
    )
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")
