"""Rain on the head: by the roof above, the weather and the time, with either engine; people slow down in it."""

import dataclasses

import numpy as np
import pytest

from citysim.conditions import Conditions
from citysim.pose import Pose
from citysim.render.avatar.looks import CANOPY
from citysim.world import Command, World
from tests.living.streets import BUSY, START, grid_town
from tests.living.test_company import available
from tests.physics.scenes import Scene

RAIN = Conditions(weather="rainy")


def world_of(physics: str) -> World:
    """A floor with a roof over its eastern half."""
    return World(Scene().floor(40).box(0, -40, 4.0, 40, 40, 4.2).city(), physics=physics)


@pytest.mark.parametrize("physics", available())
def test_a_roof_shelters_and_the_sky_does_not(physics: str) -> None:
    world = world_of(physics)
    world.reset(Pose(-3.05, 0, 0), RAIN)
    assert world.exposure.being_rained_on
    assert not world.exposure.has_overhead_shelter
    done = world.advance(Command(forward=1.5), 240)
    assert done.rained_on_s == pytest.approx(2.0, abs=0.11)
    assert done.rained_on_s + done.sheltered_s == pytest.approx(4.0)
    now = world.exposure
    assert (now.being_rained_on, now.has_overhead_shelter) == (False, True)
    assert now.rain_exposure_s == pytest.approx(done.rained_on_s)
    assert now.sheltered_s == pytest.approx(done.sheltered_s)
    assert now.rain_hits == int(done.rained_on_s * 40.0 * 0.55)
    world.close()


def test_dry_weather_counts_nothing_but_knows_of_roofs() -> None:
    world = world_of("native")
    world.reset(Pose(5, 0, 0))
    assert world.advance(Command(), 60).rained_on_s == 0.0
    assert world.exposure.has_overhead_shelter
    assert not world.exposure.being_rained_on
    assert world.exposure.rain_hits == 0
    world.close()


def test_exposure_does_not_depend_on_the_split_and_is_kept() -> None:
    world = world_of("native")
    ends = []
    for parts in ([240], [1] * 240, [7] * 34 + [2]):
        world.reset(Pose(-2, 0, 0), dataclasses.replace(RAIN, weather="thunderstorm"))
        total = sum(world.advance(Command(forward=1.5), steps).rained_on_s for steps in parts)
        ends.append((world.exposure, round(total, 9)))
        kept = world.snapshot()
        world.reset(Pose(-2, 0, 0))
        world.restore(kept)
        assert world.exposure == ends[-1][0]
    assert ends[0] == ends[1] == ends[2]
    world.close()


def test_weather_may_change_and_the_clock_run_faster() -> None:
    world = world_of("native")
    world.reset(Pose(-20, 0, 0), Conditions(clock_s=3600.0, time_scale=60.0))
    world.advance(Command(), 60)
    assert world.conditions.time == "01:01:00"
    world.conditions = Conditions(clock_s=7200.0, weather="rainy", time_scale=0.0)
    world.advance(Command(), 120)
    assert world.conditions.time == "02:00:00"
    assert world.time_s == pytest.approx(3.0)
    assert world.exposure.rain_exposure_s == pytest.approx(2.0)
    kept = world.snapshot()
    world.conditions = Conditions(weather="fog")
    assert world.sight_distance_m < 400.0
    world.restore(kept)
    assert world.conditions.weather == "rainy"
    world.close()


def test_people_walk_slower_in_the_rain() -> None:
    speeds = {}
    for weather in ("sunny", "rainy", "thunderstorm"):
        world = World(grid_town(), physics="native")
        world.reset(START, Conditions(weather=weather), crowd=dataclasses.replace(BUSY, population=80, radius_m=90.0))
        world.advance(Command(), 600)
        assert world.crowd is not None
        speeds[weather] = float(np.hypot(*world.crowd.velocities[world.crowd.active].T).mean())
        world.close()
    assert speeds["thunderstorm"] < speeds["rainy"] < speeds["sunny"]
    assert speeds["rainy"] / speeds["sunny"] == pytest.approx(0.92, abs=0.04)


def test_umbrellas_are_closed_under_roofs(monkeypatch: pytest.MonkeyPatch) -> None:
    sky = world_of("native")._life.sky
    places = np.array([(-5.0, 0.0, 2.4), (5.0, 0.0, 2.4), (12.0, 3.0, 4.5)])
    assert sky.roofed(places).tolist() == [False, True, False]
    world = World(grid_town(), physics="native")
    world.reset(START, RAIN, crowd=BUSY)
    world.advance(Command(), 60)

    def umbrellas() -> int:
        bodies = world.bodies()
        assert bodies is not None
        return sum(bool((bodies.meshes[m].parts == CANOPY).any()) for m in bodies.mesh.tolist())

    open_ = umbrellas()
    assert open_ > 10
    monkeypatch.setattr(type(sky), "roofed", lambda self, places: places[:, 0] > START.east)
    assert 0 < umbrellas() < open_
    monkeypatch.setattr(type(sky), "roofed", lambda self, places: np.ones(len(places), dtype=bool))
    assert umbrellas() == 0
    world.close()
