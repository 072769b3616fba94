"""Sun shadows fall where the sun is hidden, and nowhere else."""

import math

import numpy as np
from numpy.typing import NDArray

from citysim.city import City
from citysim.conditions import Conditions
from citysim.pose import Pose
from citysim.render.atmosphere import Atmosphere
from citysim.render.base import Camera, View
from citysim.render.raster import RasterRenderer
from citysim.render.raster.layout import SHADOW_SIDE, Array
from citysim.render.raster.shadows import COARSE_M, FINE_M, ShadowMaps
from tests.render.scenes import box, merge, quad, street

GROUND = [(-60.0, -60.0, 0.0), (60.0, -60.0, 0.0), (60.0, 60.0, 0.0), (-60.0, 60.0, 0.0)]
ABOVE = Camera(Pose(0.0, 0.0, 100.0, math.pi / 2, -math.pi / 2), (240, 240), ortho_height_m=60.0)
AFTERNOON = Conditions(clock_s=15 * 3600.0)


def tower_scene() -> City:
    return City.in_memory([merge([quad(GROUND), box((-2, -2, 0), (2, 2, 20), label=5)])])


def ground_points(labels: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Rows and columns of ground pixels of ABOVE, and their (N, 2) east, north."""
    rows, columns = np.nonzero(labels == 0)
    east, north = (columns + 0.5 - 120.0) / 4.0, (120.0 - rows - 0.5) / 4.0
    return rows, columns, np.stack([east, north], axis=1)


def test_a_tower_casts_the_shadow_that_geometry_says() -> None:
    frame = RasterRenderer(tower_scene()).render(View(ABOVE, AFTERNOON, labels=True))
    assert frame.labels is not None
    rows, columns, points = ground_points(frame.labels)
    sun = np.array(Atmosphere.of(AFTERNOON).light_direction)
    # A ground point is in shadow when the way to the sun passes through the tower's sides below its top.
    steps = np.linspace(0.0, 20.0 / sun[2], 400)
    way = points[:, None, :] + steps[None, :, None] * sun[:2]
    inside = (np.abs(way) < 2.0).all(axis=2).any(axis=1)
    near_edge = (np.abs(way) < 2.9).all(axis=2).any(axis=1) & ~(np.abs(way) < 1.3).all(axis=2).any(axis=1)
    bright = frame.rgb[rows, columns].astype(float).mean(axis=1)
    dark = bright < (bright.max() + bright.min()) / 2.0
    assert inside.sum() > 300
    assert (dark == inside)[~near_edge].mean() > 0.995
    assert bright[inside & ~near_edge].mean() > 60  # shade stays readable


def test_flat_ground_and_lit_walls_have_no_speckle() -> None:
    """Self-shadowing would show as dark pixels on an empty plane or a sunlit wall."""
    for hour in (8.0, 11.0, 15.0, 17.5):
        conditions = Conditions(clock_s=hour * 3600.0)
        flat = RasterRenderer(City.in_memory([quad(GROUND)])).render(View(ABOVE, conditions)).rgb
        assert int(np.ptp(flat.reshape(-1, 3), axis=0).max()) <= 2, hour
        sun = Atmosphere.of(conditions).light_direction
        wall = box((-15, -15, 0), (15, 15, 30), label=1)
        yaw = math.atan2(-sun[1], -sun[0])
        eye = Pose(40.0 * sun[0], 40.0 * sun[1], 12.0, yaw)
        camera = Camera(eye, (160, 120), fov_deg=30.0)
        frame = RasterRenderer(City.in_memory([wall])).render(View(camera, conditions, labels=True))
        assert frame.labels is not None
        for column in (40, 120):
            strip = frame.rgb[5:115, column][frame.labels[5:115, column] == 1].astype(int)
            assert len(strip) < 40 or np.ptp(strip, axis=0).max() <= 14, hour


def test_shadows_depend_on_the_view_alone() -> None:
    """The same picture before and after a walk that loads other tiles and other maps."""
    renderer = RasterRenderer(street())
    view = View(Camera(Pose(-50.0, 3.0, 1.6, 0.3), (160, 120)), AFTERNOON)
    before = renderer.render(view).rgb
    for east in range(-180, 180, 30):
        renderer.render(View(Camera(Pose(east, 3.0, 1.6, 2.0), (80, 60)), Conditions(clock_s=3600.0 * (8 + east % 9))))
    assert (renderer.render(view).rgb == before).all()


def test_no_shadows_without_sun_or_when_not_wanted() -> None:
    dull = Conditions(clock_s=15 * 3600.0, weather="overcast")
    for conditions, shadows in ((dull, True), (AFTERNOON, False)):
        frame = RasterRenderer(tower_scene(), shadows=shadows).render(View(ABOVE, conditions, labels=True))
        assert frame.labels is not None
        ground = frame.rgb[frame.labels == 0]
        assert (ground == ground[0]).all()


def maps_drawn(half_m: float, size: tuple[int, int]) -> list[float]:
    """Widths of the maps that are drawn for who walks all over a square city and looks round everywhere."""
    drawn: list[float] = []

    def draw(camera: Camera, depth: float) -> Array:
        drawn.append(float(camera.ortho_height_m or 0.0))
        return np.zeros(SHADOW_SIDE * SHADOW_SIDE, dtype=np.float32)

    maps = ShadowMaps(draw, (-half_m, -half_m, half_m, half_m))
    maps.serve(12)
    sun = Atmosphere.of(AFTERNOON).light_direction
    for east in np.linspace(-half_m, half_m, 5):
        for yaw in (0.0, 1.6, 3.1, 4.7):
            maps.of(Camera(Pose(east, 0.3 * east, 1.6, yaw), size), sun)
    return drawn


def test_a_small_city_has_one_map_of_each_width() -> None:
    for size in ((84, 84), (640, 480)):
        assert maps_drawn(100.0, size) == [FINE_M, COARSE_M]


def test_who_turns_round_in_small_pictures_needs_no_other_map() -> None:
    small, large = maps_drawn(300.0, (84, 84)), maps_drawn(300.0, (640, 480))
    assert small.count(COARSE_M) == large.count(COARSE_M) == 1
    assert small.count(FINE_M) <= 5 < large.count(FINE_M)
