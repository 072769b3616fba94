"""Rain, haze, clouds, stars and the moon."""

import dataclasses
import datetime as dt
import math

import numpy as np
import pytest

from citysim.conditions import Conditions
from citysim.pose import Pose
from citysim.render.atmosphere import Atmosphere
from citysim.render.base import Camera, View
from citysim.render.raster import RasterRenderer
from citysim.render.raster.clouds import SIDE, cloud_field
from citysim.render.raster.outdoors import Outdoors, sheen_of
from citysim.render.raster.rain import flash_at
from tests.render.night_scene import ROOF, night_street

NOON = Conditions(clock_s=12.0 * 3600.0)
UNDER_ROOF = ((ROOF[0] + ROOF[2]) / 2, (ROOF[1] + ROOF[3]) / 2)


@pytest.fixture(scope="module")
def renderer() -> RasterRenderer:
    return RasterRenderer(night_street())


def draw(
    renderer: RasterRenderer, conditions: Conditions, east: float, north: float, heading: float = 0.0,
    pitch: float = 0.0, up: float = 1.6, fov: float = 60.0, size: tuple[int, int] = (240, 160),
) -> np.ndarray:  # fmt: skip
    pose = Pose.from_heading(east, north, up, heading, pitch)
    return renderer.render(View(Camera(pose, size, fov), conditions)).rgb.astype(int)


def at(weather: str, later_s: float = 0.0) -> Conditions:
    return dataclasses.replace(NOON, weather=weather, clock_s=NOON.clock_s + later_s)


def test_drops_fall_in_the_open_and_not_under_a_roof(renderer: RasterRenderer) -> None:
    """Two moments a tenth of a second apart: streaks have moved outside; straight down under the roof nothing has."""
    early, late = at("rainy"), at("rainy", 0.1)
    outside = np.abs(draw(renderer, early, 20.0, -20.0) - draw(renderer, late, 20.0, -20.0))
    assert (outside.max(axis=2) > 6).mean() > 0.005
    inside = np.abs(
        draw(renderer, early, *UNDER_ROOF, pitch=-60.0, fov=40.0)
        - draw(renderer, late, *UNDER_ROOF, pitch=-60.0, fov=40.0)
    )
    assert inside.max() == 0


def test_rain_darkens_the_ground_but_not_under_a_roof(renderer: RasterRenderer) -> None:
    """The same overcast light with and without wetness: below the roof nothing changes, in the open it darkens."""

    def ground(weather: str, east: float, north: float) -> np.ndarray:
        return draw(renderer, at(weather), east, north, pitch=-70.0, fov=30.0)[40:, :]

    roof = ground("rainy", *UNDER_ROOF)
    here = ground("rainy", 20.0, -20.0)
    light, dark = ground("overcast", *UNDER_ROOF), ground("overcast", 20.0, -20.0)
    wetter = (here.mean() / dark.mean()) / (roof.mean() / light.mean())
    assert wetter < 0.86


def test_wet_ground_mirrors_what_is_bright(renderer: RasterRenderer) -> None:
    """At a grazing angle the street in front of the lit wall is brighter in the rain than a matt street would be."""
    night = Conditions(clock_s=21.0 * 3600.0, weather="rainy")
    camera = Camera(Pose.from_heading(20.0, -55.0, 1.6, 0.0, -3.0), (320, 240))
    wet = renderer.render(View(camera, night)).rgb.astype(int)
    rows = wet[150:200]
    assert rows.std(axis=1).mean() > 1.5  # the mirror shows windows: no even grey


def test_sight_is_shorter_in_rain_and_fog() -> None:
    sight = {w: 3.0 / Atmosphere.of(at(w)).fog_density for w in ("sunny", "rainy", "thunderstorm", "fog")}
    assert sight["sunny"] > 10000 > 1000 > sight["rainy"] > sight["thunderstorm"] > 4.0 * sight["fog"] > 300


def test_haze_thins_with_height_as_the_integral_says() -> None:
    made = Atmosphere.of(at("fog"))
    for eye in (0.0, 1.6, 60.0, 200.0):
        here, below = made.haze_at(eye)
        assert here == pytest.approx(made.fog_density * math.exp(-eye / made.fog_height), rel=1e-9)
        steps = (np.arange(10000) + 0.5) / 10000 * max(eye, 1e-9)
        mean = np.exp(-steps / made.fog_height).mean() * made.fog_density
        assert here * below == pytest.approx(mean, rel=1e-4)
        if eye > 0.0:
            up = np.arange(200000) * 0.01  # a ray that rises 0.5 a metre meets at most fog_height / 0.5 metres of it
            met = np.exp(-(0.5 * up) / made.fog_height).sum() * 0.01
            assert met == pytest.approx(made.fog_height / 0.5, rel=0.01)


def test_fog_lies_on_the_ground(renderer: RasterRenderer) -> None:
    """A wall 110 m away along the street is gone; from 260 m above, through twice 1/e, the ground still shows."""
    street = draw(renderer, at("fog"), 20.0, -100.0, fov=20.0)
    above = draw(renderer, at("fog"), 20.0, 0.0, up=260.0, pitch=-89.0, fov=20.0)
    clear = draw(renderer, at("overcast"), 20.0, 0.0, up=260.0, pitch=-89.0, fov=20.0)
    assert street[60:90, :, 1].std() < 3.0
    assert above[..., 1].std() > 0.08 * clear[..., 1].std() > 0.3


def test_clouds_cover_as_much_sky_as_the_weather_says(renderer: RasterRenderer) -> None:
    """Looking up: blue where the sky is clear. Ranks of the field are even, so that cover is a threshold."""
    field = cloud_field()
    assert abs(float((field > 0.66 * 65535).mean()) - 0.34) < 0.001
    assert field.size == SIDE * SIDE
    blue = {}
    for weather in ("sunny", "partly_cloudy", "cloudy", "overcast"):
        sky = draw(renderer, at(weather), 0.0, -40.0, pitch=75.0, fov=100.0)
        blue[weather] = float(((sky[..., 2] - sky[..., 0]) > 45).mean())
    assert blue["sunny"] > 0.85
    assert blue["sunny"] > blue["partly_cloudy"] + 0.1 > blue["cloudy"] + 0.2
    assert blue["overcast"] == 0.0


def test_clouds_drift_and_nothing_else_does(renderer: RasterRenderer) -> None:
    early, late = at("partly_cloudy"), at("partly_cloudy", 9.0)
    a, b = (draw(renderer, c, 0.0, -40.0, pitch=20.0) for c in (early, late))
    assert (np.abs(a - b).max(axis=2) > 1).mean() > 0.002
    assert (a[-30:] == b[-30:]).all()


def test_stars_turn_about_the_pole_and_hide_behind_clouds() -> None:
    renderer = RasterRenderer(night_street())
    night = Conditions(clock_s=23.5 * 3600.0, date=dt.date(2026, 3, 19))  # new moon

    def spots(conditions: Conditions) -> np.ndarray:
        rgb = draw(renderer, conditions, 0.0, -55.0, heading=90.0, pitch=60.0, fov=70.0, size=(400, 400))
        base = np.median(rgb, axis=1, keepdims=True)
        return np.asarray((rgb - base).max(axis=2) > 25)

    first, later = spots(night), spots(dataclasses.replace(night, clock_s=night.clock_s + 1200.0))
    assert 20 < first.sum() < 2000
    assert (first & later).sum() < 0.3 * first.sum()  # five degrees on
    assert (spots(night) == first).all()
    assert spots(dataclasses.replace(night, weather="overcast")).sum() == 0


@pytest.mark.parametrize(("day", "share"), [(3, 1.0), (26, 0.58), (22, 0.17)])
def test_the_moon_shows_its_phase(day: int, share: float) -> None:
    """March 2026: full on the 3rd, first quarter on the 25th; the lit share of the disc is the one computed."""
    renderer = RasterRenderer(night_street())
    for hour in range(18, 30):
        night = Conditions(clock_s=(hour % 24) * 3600.0, date=dt.date(2026, 3, day + hour // 24))
        east, north, up = night.moon_direction
        if up > 0.35 and night.sun_direction[2] < -0.1:
            break
    heading, pitch = math.degrees(math.atan2(east, north)), math.degrees(math.asin(up))
    rgb = draw(renderer, night, 100.0, -55.0, heading=heading, pitch=pitch, up=40.0, fov=3.0, size=(300, 300))
    bright = rgb.min(axis=2) > 120
    radius = 300 / 2 / math.tan(math.radians(1.5)) * 0.0061
    assert bright.sum() / (math.pi * radius**2) == pytest.approx(share, abs=0.12)


def test_lightning_is_rare_short_and_the_same_again() -> None:
    times = [0.05 * k for k in range(72000)]
    flashes = np.array([flash_at(t) for t in times])
    assert flashes.tolist() == [flash_at(t) for t in times]
    assert 0.002 < (flashes > 0.0).mean() < 0.05
    assert flashes.max() > 0.6


def test_lawns_hardly_mirror() -> None:
    assert sheen_of("look/grass") < 0.3 < sheen_of("look/asphalt")


def test_what_moves_does_not_mirror_the_street() -> None:
    city = night_street()
    outdoors = Outdoors(city, lambda camera, metres: np.zeros((1, 1)))
    assert len(outdoors._sheen) == len(city.materials) + 2  # cloth, and lamps that stand for a while
    assert not outdoors._sheen[-2:].any()
