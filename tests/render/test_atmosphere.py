"""The presets: every weather at every hour gives sound numbers, and the hours differ as they should."""

import dataclasses
import math

import numpy as np
import pytest

from citysim.conditions import WEATHERS, Conditions
from citysim.render.atmosphere import Atmosphere


def luminance(color: tuple[float, float, float]) -> float:
    return 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2]


@pytest.mark.parametrize("weather", WEATHERS)
def test_numbers_are_sound_all_day(weather: str) -> None:
    for hour in range(24):
        made = Atmosphere.of(Conditions(clock_s=hour * 3600.0, weather=weather))
        for name, value in dataclasses.asdict(made).items():
            numbers = np.ravel(value)
            assert np.isfinite(numbers).all()
            assert name.endswith(("_direction", "_axes")) or numbers.min() >= 0.0, name
        assert math.isclose(math.hypot(*made.light_direction), 1.0, abs_tol=1e-9)
        assert made.light_direction[2] > 0.0
        assert 0.0 <= made.night <= 1.0


def test_changes_with_the_clock_are_smooth() -> None:
    """No jump of more than 3 % of full light in a minute of simulated time."""
    before = Atmosphere.of(Conditions(clock_s=0.0))
    for minute in range(1, 24 * 60):
        now = Atmosphere.of(Conditions(clock_s=minute * 60.0))
        for name in ("sun_color", "sky_ambient", "horizon_color", "zenith_color", "ground_ambient"):
            assert abs(luminance(getattr(now, name)) - luminance(getattr(before, name))) < 0.03, (minute, name)
        before = now


def test_white_in_full_sun_keeps_its_form_and_shade_is_readable() -> None:
    from citysim.render.raster.tables import linear_to_srgb, tone_curve

    made = Atmosphere.of(Conditions(clock_s=13 * 3600.0))
    full = [0.85 * (s + a) for s, a in zip(made.sun_color, made.sky_ambient, strict=True)]
    shade = [0.4 * 0.5 * (a + g) for a, g in zip(made.sky_ambient, made.ground_ambient, strict=True)]
    assert all(linear_to_srgb(tone_curve(v)) < 0.985 for v in full)
    assert linear_to_srgb(tone_curve(luminance((shade[0], shade[1], shade[2])))) > 0.25


def test_fog_hides_what_is_far_and_sunshine_does_not() -> None:
    sunny, fog = (Atmosphere.of(Conditions(weather=w)).fog_density for w in ("sunny", "fog"))
    assert 1.0 - math.exp(-fog * 100.0) > 0.9
    assert 1.0 - math.exp(-sunny * 100.0) < 0.05


@pytest.mark.parametrize("weather", WEATHERS)
@pytest.mark.parametrize("place", [(45.0, -30.0), (21.0, -28.0)])
def test_dusk_is_neither_day_nor_night_under_any_sky(weather: str, place: tuple[float, float]) -> None:
    latitude, longitude = place
    day, dusk, night = (
        Atmosphere.of(
            Conditions(h * 3600.0, weather, latitude_deg=latitude, longitude_deg=longitude, utc_offset_h=-2.0)
        )
        for h in (14.0, 18.5, 23.5)
    )
    for name in ("sky_ambient", "zenith_color"):
        light = [luminance(getattr(moment, name)) for moment in (day, dusk, night)]
        # the display's curve brings a factor of 2 down to 1.4: still plain to see
        assert light[0] > 1.8 * light[1]
        assert light[1] > 1.6 * light[2]
    assert dusk.sky_ambient[2] > 1.1 * dusk.sky_ambient[0]  # bluish
    assert 0.4 < dusk.lamp_light < night.lamp_light == 1.0
    assert dusk.sign_gain == night.sign_gain  # what a sign says is as plain
