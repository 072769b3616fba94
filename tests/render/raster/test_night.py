"""Lamps, windows, signs: what shines at night, and that each hour looks like itself."""

import dataclasses

import numpy as np
import pytest

from citysim.conditions import WEATHERS, Conditions
from citysim.geo.network import NetworkEdge, PedestrianNetwork
from citysim.pose import Pose
from citysim.render.atmosphere import Atmosphere
from citysim.render.base import Camera, View
from citysim.render.raster import RasterRenderer
from citysim.render.raster.lamps import CELL_M, Lamp, LampGrid, grid_of
from citysim.render.raster.layout import LAMPS_A_CELL
from citysim.render.raster.tables import srgb_to_linear
from tests.render.night_scene import COLUMNS, LAMPS, night_street

DAY, DUSK, NIGHT = (Conditions(clock_s=h * 3600.0) for h in (14.0, 18.5, 23.5))
LINEAR = np.array([srgb_to_linear(i / 255.0) for i in range(256)])


@pytest.fixture(scope="module")
def renderer() -> RasterRenderer:
    return RasterRenderer(night_street())


def picture(renderer: RasterRenderer, conditions: Conditions, place: tuple[float, float, float] = (0.0, -20.0, 1.6),
            heading: float = 0.0, pitch: float = 5.0, size: tuple[int, int] = (240, 160)) -> np.ndarray:  # fmt: skip
    east, north, up = place
    pose = Pose.from_heading(east, north, up, heading, pitch)
    return renderer.render(View(Camera(pose, size), conditions)).rgb


def luminance(rgb: np.ndarray) -> np.ndarray:
    return np.asarray(LINEAR[rgb] @ np.array([0.2126, 0.7152, 0.0722]))


def test_day_dusk_and_night_at_one_corner_are_clearly_apart(renderer: RasterRenderer) -> None:
    day, dusk, night = (picture(renderer, c, pitch=15.0, heading=300.0) for c in (DAY, DUSK, NIGHT))
    means = [luminance(p).mean() for p in (day, dusk, night)]
    assert means[0] > 2.0 * means[1] > 3.0 * means[2]
    sky = [p[:20].reshape(-1, 3).mean(axis=0) for p in (day, dusk, night)]
    assert sky[0][2] > sky[0][0] + 40  # blue by day
    assert sky[2].max() < 70  # dark at night
    low = picture(renderer, DUSK, pitch=0.0, heading=180.0)[60:78].reshape(-1, 3).mean(axis=0)
    assert low[0] > low[2] + 15  # the horizon glows at dusk


@pytest.mark.parametrize("weather", WEATHERS)
def test_every_weather_gets_darker_from_day_to_night(renderer: RasterRenderer, weather: str) -> None:
    means = [luminance(picture(renderer, dataclasses.replace(c, weather=weather))).mean() for c in (DAY, DUSK, NIGHT)]
    assert means[0] > 1.3 * means[1] > 1.5 * means[2] > 0.0


def test_pavement_is_light_below_lamps_and_darker_between(renderer: RasterRenderer) -> None:
    """Straight down from 4 m: halfway between two lamps there is less than half the light."""

    def ground(east: float, conditions: Conditions = NIGHT, of: RasterRenderer = renderer) -> np.ndarray:
        return picture(of, conditions, (east, 3.0, 4.0), pitch=-90.0, size=(40, 40))

    below, between, far = (luminance(ground(e)).mean() for e in (LAMPS[1][0], LAMPS[1][0] + 20.0, -80.0))
    assert below > 2.5 * between
    assert below > 4.0 * far
    without = RasterRenderer(dataclasses.replace(night_street(), objects=()))
    assert (ground(LAMPS[1][0], DAY) == ground(LAMPS[1][0], DAY, without)).all()


def lamp_sum(lamps: np.ndarray, points: np.ndarray) -> np.ndarray:
    """(N,) of (1 - d^2 / R^2)^2 over lamps: what a cell must know of."""
    square = ((points[:, None, :] - lamps[None, :, :3]) ** 2).sum(axis=2)
    return np.asarray((np.maximum(1.0 - square * lamps[None, :, 3], 0.0) ** 2).sum(axis=1))


def test_every_point_finds_all_lamps_that_reach_it() -> None:
    rng = np.random.default_rng(3)
    lamps = [
        Lamp((x, y, 5.0), float(r), (1.0, 1.0, 1.0)) for x, y, r in rng.uniform((0, 0, 8), (300, 200, 24), (60, 3))
    ]
    made = grid_of(lamps)
    points = rng.uniform((0, 0, 0), (300, 200, 3), (4000, 3))
    found = np.zeros(len(points))
    for n, point in enumerate(points):
        column, row = ((point[:2] - made.grid[:2]) * made.grid[2]).astype(int)
        cell = made.cells[row * int(made.grid[3]) + column]
        if (cell >= 0).any():
            found[n] = lamp_sum(made.lamps[cell[cell >= 0]], point[None])[0]
    assert np.allclose(found, lamp_sum(made.lamps, points), rtol=0, atol=1e-12)
    assert len(made.lamps) == len(lamps)


def test_a_crowd_of_lamps_is_thinned_everywhere_alike() -> None:
    lamps = [Lamp((0.5 * k, 0.3 * k, 5.0), 20.0, (1.0, 1.0, 1.0)) for k in range(100)]
    made = grid_of(lamps)
    assert LAMPS_A_CELL <= len(made.lamps) < 100
    listed = {int(n) for n in made.cells[made.cells >= 0]}
    assert listed == set(range(len(made.lamps)))
    for n, lamp in enumerate(made.lamps):  # every lamp is listed in all cells that its circle touches
        radius = lamp[3] ** -0.5
        edge = lamp[:2] + radius * 0.99 * np.array([[np.cos(a), np.sin(a)] for a in np.linspace(0, 6.28, 50)])
        cells = ((edge - made.grid[:2]) * made.grid[2]).astype(int)
        assert (made.cells[cells[:, 1] * int(made.grid[3]) + cells[:, 0]] == n).any(axis=1).all()
    assert made.grid[2] == 1.0 / CELL_M


def test_no_lamp_that_is_seen_stays_dark_in_a_crowd() -> None:
    lamps = [Lamp((0.5 * k, 0.3 * k, 5.0), 20.0, (1.0, 1.0, 1.0), 0.2) for k in range(100)]
    made = grid_of(lamps)
    assert len(made.lamps) == 100
    assert (made.lamps[:, 3] >= 1.0 / 20.0**2).all()  # none reaches further than it did
    assert (made.lamps[:, 3] > 1.0 / 19.0**2).any()
    for n, lamp in enumerate(made.lamps[np.unique(made.cells[made.cells >= 0])]):
        column, row = ((lamp[:2] - made.grid[:2]) * made.grid[2]).astype(int)
        assert (made.cells[row * int(made.grid[3]) + column] >= 0).any(), n


def test_a_city_without_lamps_has_a_night_all_the_same() -> None:
    bare = dataclasses.replace(night_street(), objects=())
    assert len(LampGrid.of(bare).lamps) == 0
    assert picture(RasterRenderer(bare), NIGHT).max() > 30


def window_states(
    renderer: RasterRenderer, conditions: Conditions, east: float = 20.0, north: float = -40.0
) -> np.ndarray:
    """(storeys, windows) bool: which panes of storeys 2 to 5 between east 0 and 40 are lit, read from the picture."""
    camera = Camera(Pose.from_heading(east, north, 10.0, 0.0, 0.0), (960, 640))
    rgb = renderer.render(View(camera, conditions)).rgb
    pane = 24.0 / COLUMNS
    states = []
    for storey in range(1, 5):
        places = [(-100.0 + pane * (k + 0.5), 12.0, 4.0 * storey + 2.0) for k in range(34, 46)]
        x, y, _ = camera.project(np.array(places)).T
        states.append(luminance(rgb[y.astype(int), x.astype(int)]) > 0.10)
    return np.array(states)


def test_windows_are_lit_one_by_one_and_stay_so_wherever_one_stands(renderer: RasterRenderer) -> None:
    evening = Conditions(clock_s=21.0 * 3600.0)
    lit = window_states(renderer, evening)
    share = Atmosphere.of(evening).room_share
    assert 0.5 * share < lit.mean() < min(1.6 * share, 0.95)
    assert len({tuple(row) for row in lit}) == len(lit)  # storeys differ
    for east, north in ((12.0, -35.0), (26.0, -60.0), (20.0, -20.0)):
        assert (window_states(renderer, evening, east, north) == lit).all()
    late = window_states(renderer, Conditions(clock_s=26.0 * 3600.0))
    assert late.sum() < lit.sum()
    assert not (late & ~lit).any()  # nobody gets up at night
    assert not window_states(renderer, DAY).any()


def contrast(renderer: RasterRenderer, conditions: Conditions) -> float:
    """Luminance of the sign's letters over that of its ground."""
    camera = Camera(Pose.from_heading(6.0, 5.0, 2.0, 0.0, 12.0), (320, 240))
    rgb = renderer.render(View(camera, conditions)).rgb
    bars = [(4.0 + 4.0 * (23 + 30 * k) / 256, 11.9, 3.5) for k in range(8)]
    gaps = [(4.0 + 4.0 * (38 + 30 * k) / 256, 11.9, 3.5) for k in range(7)]
    light, dark = (
        luminance(rgb[tuple(camera.project(np.array(p))[:, (1, 0)].astype(int).T)]).mean() for p in (bars, gaps)
    )
    return float((light + 0.01) / (dark + 0.01))


def test_a_sign_readable_by_day_stays_readable_at_night(renderer: RasterRenderer) -> None:
    by_day, at_night = contrast(renderer, DAY), contrast(renderer, NIGHT)
    assert by_day > 4.0
    assert at_night > 4.0
    lit = picture(renderer, NIGHT, (6.0, 5.0, 2.0), pitch=12.0)
    unlit = picture(RasterRenderer(night_street(sign_glows=False)), NIGHT, (6.0, 5.0, 2.0), pitch=12.0)
    assert lit.max() > unlit.max() + 40
    assert luminance(lit).max() > 0.6


def test_a_city_of_no_known_lamps_has_some_along_its_ways() -> None:
    line = np.array([(-60.0, -10.0, 0.0), (80.0, -10.0, 0.0)])
    bare = dataclasses.replace(
        night_street(),
        objects=(),
        network=PedestrianNetwork([NetworkEdge(1, line, {}), NetworkEdge(2, line + 0.5, {})]),
    )
    lamps = LampGrid.of(bare).lamps
    assert len(lamps) == 5  # the second way lies beside the first
    assert np.allclose(np.diff(lamps[:, 0]), 26.0, atol=0.01)
    assert np.allclose(lamps[:, 1:3], (-10.0, 5.0))
    lit = luminance(picture(RasterRenderer(bare), NIGHT, (lamps[2, 0], -10.0, 4.0), pitch=-90.0, size=(40, 40))).mean()
    assert (
        lit
        > 3.0 * luminance(picture(RasterRenderer(bare), NIGHT, (110.0, -10.0, 4.0), pitch=-90.0, size=(40, 40))).mean()
    )
