"""Films a busy corner: `python -m citysim.benchmarks.videos CITY [-o FOLDER] [--seconds 300] [--only day,rain,night]`.

A walker stands at the kerb of a crossing among a crowd; every film is an mp4 drawn by the raster renderer, and figures
are printed with it: feet that slide, turns, jolts, ways through walls. Needs PyAV (`pip install 'citysim[video]'`).
"""

import argparse
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from citysim.benchmarks.film_track import Track
from citysim.catalog import load_city
from citysim.city import City
from citysim.conditions import Conditions, parse_time
from citysim.pose import Pose
from citysim.render import make_renderer
from citysim.render.base import Renderer, View
from citysim.runs.filming import film
from citysim.world import Command, CrowdSpec, World

RATE = 12  # pictures a second, of 60
SIZE = "640x360"
CONDITIONS = {"day": ("12:30", "sunny"), "rain": ("17:00", "rainy"), "night": ("20:30", "partly_cloudy")}
PEOPLE, RADIUS_M = 160, 60.0
WARM_UP_S = 40.0

# Where the walker stands, which way it looks, and where the city has it: east, north, heading in degrees.
SPOTS: dict[str, tuple[float, float, float]] = {
    "harbour": (-44.6, -154.0, 328.0),
    "helsinki": (-262.0, -302.0, 68.0),
}


def main() -> None:
    """Write the films and print their paths."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("city")
    parser.add_argument("-o", "--out", type=Path, default=Path("videos"))
    parser.add_argument("--seconds", type=float, default=300.0)
    parser.add_argument("--only", default=",".join(CONDITIONS))
    parser.add_argument("--spot", help="east,north,heading in metres and degrees")
    parser.add_argument("--people", type=int, default=PEOPLE)
    parser.add_argument("--size", default=SIZE)
    parser.add_argument("--rate", type=int, default=RATE, choices=(10, 12, 15, 20, 30))
    options = parser.parse_args()
    width, height = map(int, options.size.split("x"))
    city = load_city(options.city)
    spot = SPOTS[city.name] if options.spot is None else tuple(map(float, options.spot.split(",")))
    renderer, world = make_renderer("raster", city), World(city, physics="native")
    options.out.mkdir(parents=True, exist_ok=True)
    for name in options.only.split(","):
        clock, weather = CONDITIONS[name]
        conditions = Conditions(
            parse_time(clock), weather, latitude_deg=city.frame.lat, longitude_deg=city.frame.lon,
            utc_offset_h=city.utc_offset_h,
        )  # fmt: skip
        path = options.out / f"{city.name}-{name}.mp4"
        began = time.perf_counter()
        track = Track(options.rate, (spot[0], spot[1], 0.0))
        with film(
            path, (width, height), options.rate, title=f"{city.title}, {clock}, {weather}", comment=_credit(city)
        ) as add:
            world.reset(_pose(world, spot), conditions, crowd=CrowdSpec(options.people, seed=1, radius_m=RADIUS_M))
            for picture in scenes(world, renderer, (width, height), options.rate, options.seconds, track):
                add(picture)
        print(f"{path} ({time.perf_counter() - began:.0f} s) {track.measures(world.surfaces)}", flush=True)


def _credit(city: City) -> str:
    return f"{city.attribution} ({city.licence})" if city.attribution else city.licence


def scenes(
    world: World, renderer: Renderer, size: tuple[int, int], rate: int, seconds: float, track: Track
) -> Iterator[NDArray[np.uint8]]:
    """The pictures of a film, after the crowd has gone about for a while; `track` gets what is in them."""
    world.advance(Command(), round(WARM_UP_S * 60))
    for _ in range(round(seconds * rate)):
        world.advance(Command(), 60 // rate)
        bodies = world.bodies()
        track.add(bodies)
        yield renderer.render(
            View(world.camera(size, 60.0), world.conditions, bodies=bodies, states=world.states())
        ).rgb


def _pose(world: World, spot: tuple[float, ...]) -> Pose:
    pose = world.ground_pose(*spot[:3])
    return Pose(pose.east, pose.north, pose.up, pose.yaw, np.radians(-6.0))


if __name__ == "__main__":
    main()
