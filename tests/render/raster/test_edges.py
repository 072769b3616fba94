"""Odd sizes, broken input, odd places, textures of any shape, holes."""

import math

import numpy as np
import pytest

from citysim.city import Chunk, City, Material
from citysim.conditions import WEATHERS, Conditions
from citysim.errors import InputError
from citysim.pose import Pose
from citysim.render.base import Camera, View
from citysim.render.raster import RasterRenderer
from tests.render.scenes import box, checker, chunk, foliage, merge, quad, street

WALL = [(5.0, 4.0, -4.0), (5.0, -4.0, -4.0), (5.0, -4.0, 4.0), (5.0, 4.0, 4.0)]  # faces west, seen from the origin
AHEAD = Pose(0.0, 0.0, 0.0)


@pytest.mark.parametrize("size", [(1, 1), (3, 1000), (1000, 3), (7, 5), (8192, 2), (2, 8192), (65, 129)])
@pytest.mark.parametrize("ortho", [None, 30.0])
def test_any_size(size: tuple[int, int], ortho: float | None) -> None:
    renderer = RasterRenderer(street(), threads=2)
    frame = renderer.render(View(Camera(Pose(-50, 0, 1.6, 0.2), size, ortho_height_m=ortho), depth=True, labels=True))
    assert frame.rgb.shape == (size[1], size[0], 3)
    assert frame.depth is not None
    assert frame.depth.shape == frame.rgb.shape[:2]
    assert frame.labels is not None
    assert frame.labels.dtype == np.int32
    renderer.close()
    renderer.close()


def test_a_large_picture_is_the_small_one_enlarged() -> None:
    renderer = RasterRenderer(street())
    pose = Pose(-50, 0, 1.6, 0.2)
    small = renderer.render(View(Camera(pose, (64, 48)), depth=True)).depth
    large = renderer.render(View(Camera(pose, (64 * 33, 48 * 33)), depth=True)).depth
    assert small is not None
    assert large is not None
    same = np.isclose(small, large[16::33, 16::33], rtol=0.02)
    assert same.mean() > 0.9, same.mean()


def test_camera_in_a_wall_below_ground_and_far_away() -> None:
    renderer = RasterRenderer(street())
    for pose in (
        Pose(-40, 14, 3.0, 1.0),
        Pose(0, 0, -5.0, 0.3, 0.8),
        Pose(0, 10, 0.12),
        Pose(9e5, 9e5, 1e4, 1.0, -1.0),
    ):
        frame = renderer.render(View(Camera(pose, (120, 90)), depth=True))
        assert frame.depth is not None
        assert not np.isnan(frame.depth).any()


def test_broken_triangles_are_ignored() -> None:
    good = quad(WALL, label=3)
    nan, inf = float("nan"), float("inf")
    points = [(1, 0, 0), (1, 0, 0), (1, 0, 0), (nan, 0, 0), (inf, 1, 0), (2, 0, 0), (3, 0, 0), (4, 0, 0), (1e30, 0, 0)]
    bad = chunk(points, [(0, 1, 2), (3, 5, 6), (4, 5, 6), (5, 6, 7), (8, 5, 1), (0, 0, 5)], label=8)
    broken_uv = quad([(p[0] - 1.0, 0.2 * p[1], 0.2 * p[2]) for p in WALL], (nan, 0.0, inf, 1e30), material=1, label=4)
    wild = Chunk(good.origin, good.positions, good.uvs, good.colors, np.array([[0, 1, 99], [-1, 1, 2]], np.int32),
                 good.materials, good.labels)  # fmt: skip
    view = View(Camera(AHEAD, (40, 30)), labels=True)
    city = City.in_memory([merge([good, broken_uv])], [Material(), Material(0)], [checker()])
    extra = [bad, wild, chunk(np.zeros((0, 3)), np.zeros((0, 3)))]

    def load(index: int) -> Chunk:
        return [city.chunk(0), *extra][index]

    from dataclasses import replace

    tiles = tuple(replace(city.tiles[0], index=i, radius=1e6) for i in range(4))
    frame = RasterRenderer(replace(city, tiles=tiles, load_chunk=load)).render(view)
    assert frame.labels is not None
    assert set(np.unique(frame.labels)) == {3, 4}


def test_an_empty_city_is_sky() -> None:
    frame = RasterRenderer(City.in_memory([])).render(View(Camera(AHEAD, (20, 10)), depth=True, labels=True))
    assert frame.depth is not None
    assert np.isinf(frame.depth).all()
    assert frame.rgb[0].mean() > 0


@pytest.mark.parametrize("shape", [(1, 1), (1, 64), (64, 1), (100, 37), (8, 512)])
def test_textures_of_any_shape(shape: tuple[int, int]) -> None:
    pixels = np.full((*shape, 4), (180, 90, 30, 255), dtype=np.uint8)
    city = City.in_memory([quad(WALL, (-3.0, -2.0, 5.5, 7.0))], [Material(0, unlit=True)], [pixels])
    frame = RasterRenderer(city).render(View(Camera(AHEAD, (64, 48))))
    plain = City.in_memory([quad(WALL)], [Material(0, unlit=True)], [pixels[:1, :1]])
    assert (frame.rgb == RasterRenderer(plain).render(View(Camera(AHEAD, (64, 48)))).rgb).all()


def test_texture_orientation_is_gltf() -> None:
    """Uv (0, 0) is the top left texel."""
    pixels = np.zeros((2, 2, 4), dtype=np.uint8)
    pixels[0, 0], pixels[0, 1] = (255, 0, 0, 255), (0, 255, 0, 255)
    pixels[1, 0], pixels[1, 1] = (0, 0, 255, 255), (255, 255, 255, 255)
    city = City.in_memory([quad(WALL)], [Material(0, unlit=True)], [pixels])
    rgb = RasterRenderer(city).render(View(Camera(AHEAD, (60, 60), fov_deg=77.0))).rgb
    assert rgb[15, 15].argmax() == 0
    assert rgb[15, 45].argmax() == 1
    assert rgb[45, 15].argmax() == 2
    assert rgb[45, 45].min() > 150


def test_alpha_holes_show_what_is_behind() -> None:
    leaf = checker(64, 2)
    leaf[:32, :32, 3] = leaf[32:, 32:, 3] = 0
    near = quad([(p[0] - 2.0, p[1], p[2]) for p in WALL], material=1, label=2)
    city = City.in_memory(
        [merge([near, quad(WALL, label=1)])], [Material(), Material(0, alpha_cutoff=0.5, double_sided=True)], [leaf]
    )
    frame = RasterRenderer(city).render(View(Camera(AHEAD, (64, 64), fov_deg=70.0), depth=True, labels=True))
    assert frame.labels is not None
    assert frame.depth is not None
    assert frame.labels[8, 8] == frame.labels[56, 56] == 1
    assert frame.labels[8, 56] == frame.labels[56, 8] == 2
    assert np.allclose(frame.depth[frame.labels == 2], 3.0, rtol=1e-4)
    assert np.allclose(frame.depth[frame.labels == 1], 5.0, rtol=1e-4)


def test_leaves_keep_their_coverage_with_distance() -> None:
    city = City.in_memory([quad(WALL, (0, 0, 8, 8), label=1)], [Material(0, alpha_cutoff=0.5)], [foliage()])
    renderer = RasterRenderer(city)
    shares = []
    for size in (1536, 512, 128, 48):
        labels = renderer.render(View(Camera(AHEAD, (size, size), fov_deg=70.0), labels=True)).labels
        assert labels is not None
        shares.append(float((labels == 1).mean()))
    assert shares[0] > 0.15
    assert max(shares) < 1.35 * min(shares)


def test_vertex_colours_emissive_and_unlit() -> None:
    tinted = quad(WALL, material=0)
    tinted.colors[:] = [(255, 0, 0, 255), (0, 255, 0, 255), (0, 255, 0, 255), (255, 0, 0, 255)]
    rgb = RasterRenderer(City.in_memory([tinted], [Material(unlit=True)])).render(View(Camera(AHEAD, (60, 60)))).rgb
    assert int(rgb[30, 5, 0]) > int(rgb[30, 5, 1]) + 60
    assert int(rgb[30, 55, 1]) > int(rgb[30, 55, 0]) + 60
    night = Conditions(clock_s=23.5 * 3600)
    looks = [Material(color=(0.5, 0.5, 0.5, 1.0)), Material(color=(0.5, 0.5, 0.5, 1.0), emissive=(0.9, 0.2, 0.2))]
    dark, lit = (
        RasterRenderer(City.in_memory([quad(WALL)], [look])).render(View(Camera(AHEAD, (9, 9)), night)).rgb[4, 4]
        for look in looks
    )
    assert lit[0] > dark[0] + 60


def test_near_beats_far_in_any_order() -> None:
    near, far = box((3, -1, -1), (4, 1, 1), label=1), quad(WALL, label=2)
    for parts in ([near, far], [far, near]):
        labels = RasterRenderer(City.in_memory(parts)).render(View(Camera(AHEAD, (30, 30)), labels=True)).labels
        assert labels is not None
        assert labels[15, 15] == 1


@pytest.mark.parametrize("weather", WEATHERS)
def test_every_weather_draws_and_night_is_darker_than_day(weather: str) -> None:
    renderer = RasterRenderer(street())
    camera = Camera(Pose(-50, 0, 1.6, 0.2), (80, 60))
    day, dusk, night = (
        float(renderer.render(View(camera, Conditions(clock_s=h * 3600.0, weather=weather))).rgb.mean())
        for h in (14.0, 18.9, 23.5)
    )
    assert day > dusk + 8 > night + 16 > 25


def test_bad_threads_are_refused() -> None:
    with pytest.raises(InputError, match="at least 1 thread"):
        RasterRenderer(street(), threads=0)


def test_vertical_pitch_looks_along_yaw() -> None:
    """Straight down with yaw north: north is up in the picture, east is right."""
    spots = [box((9, -1, 0), (11, 1, 1), label=1), box((-1, 9, 0), (1, 11, 1), label=2)]
    camera = Camera(Pose(0, 0, 50, math.pi / 2, -math.pi / 2), (100, 100), ortho_height_m=40.0)
    labels = RasterRenderer(City.in_memory(spots)).render(View(camera, labels=True)).labels
    assert labels is not None
    assert labels[50, 75] == 1
    assert labels[25, 50] == 2


def test_a_wall_five_centimetres_away_fills_the_picture() -> None:
    """Exact clipping at the near plane: no hole, and depth to a tenth of a millimetre."""
    wall = quad([(0.05, 4.0, -4.0), (0.05, -4.0, -4.0), (0.05, -4.0, 4.0), (0.05, 4.0, 4.0)], label=3)
    renderer = RasterRenderer(City.in_memory([wall]))
    for near in (0.05, 0.02, 0.001):
        frame = renderer.render(
            View(Camera(Pose(0.0, 0.0, 0.0, 0.0), (160, 120), near_m=near), depth=True, labels=True)
        )
        assert (np.asarray(frame.labels) == 3).all()
        assert np.abs(np.asarray(frame.depth) - 0.05).max() < 1e-4
    turned = Camera(Pose(0.0, 0.0, 0.0, 1.2), (160, 120), fov_deg=90.0, near_m=0.01)
    frame = renderer.render(View(turned, depth=True))
    seen = np.isfinite(np.asarray(frame.depth))
    rows, columns = np.nonzero(seen)
    assert (np.ptp(columns) + 1) * (np.ptp(rows) + 1) == seen.sum()  # one upright rectangle: no hole, no ragged edge
