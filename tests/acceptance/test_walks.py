"""Real streets hold a real walker: routes, stairs both ways, and no way into a wall."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from citysim.build.make import make_package
from citysim.build.osm import plan_from_osm
from citysim.build.plans import CityPlan
from citysim.build.procedural import plan_preset
from citysim.city import City, open_city
from citysim.pose import Pose
from citysim.world import Command, World
from tests.acceptance.walking import Solids, follow

CLIMBS = (12, 2, 4)  # FeatureType: staircase, footbridge, subway


@dataclass
class Site:
    city: City
    world: World
    solids: Solids


def site(plan: CityPlan, folder: Path) -> Iterator[Site]:
    city = open_city(make_package(plan, folder))
    world = World(city)
    yield Site(city, world, Solids(plan))
    world.close()


@pytest.fixture(scope="module")
def helsinki(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    plan = plan_from_osm(shared_data / "osm-helsinki" / "Helsinki.osm.pbf")
    yield from site(plan, tmp_path_factory.mktemp("walks") / "helsinki")


@pytest.fixture(scope="module")
def piece(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A few blocks of Helsinki, for the quick suite."""
    extract = shared_data / "osm-helsinki" / "Helsinki.osm.pbf"
    plan = plan_from_osm(extract, bbox=(24.9385, 60.1672, 24.9445, 60.1700))
    yield from site(plan, tmp_path_factory.mktemp("walks") / "piece")


@pytest.fixture(scope="module")
def mini(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    yield from site(plan_preset("mini"), tmp_path_factory.mktemp("walks") / "mini")


def random_routes(city: City, count: int, seed: int, longest_m: float) -> Iterator[np.ndarray]:
    """Shortest walks between random places on the main part of the network."""
    rng = np.random.default_rng(seed)
    edges = [city.network.edges[i] for i in city.network.components[0]]
    weights = np.array([np.linalg.norm(np.diff(e.line, axis=0), axis=1).sum() for e in edges])
    made = 0
    while made < count:
        a, b = (edges[int(i)] for i in rng.choice(len(edges), 2, p=weights / weights.sum()))
        start, end = a.line[len(a.line) // 2], b.line[len(b.line) // 2]
        if not 20.0 < np.hypot(*(end - start)[:2]) < longest_m:
            continue
        route = city.network.route(start, end)
        if route.length_m < 2 * longest_m:
            made += 1
            yield route.points


def check_routes(place: Site, count: int, seed: int, longest_m: float, arriving: float) -> None:
    arrived = 0
    for number, route in enumerate(random_routes(place.city, count, seed, longest_m)):
        walked = follow(place.world, route, 4.5 if number % 3 else 1.5)
        label = f"route {number} from {route[0].round(1)} to {route[-1].round(1)}"
        assert not walked.fell, label
        assert walked.off_height_m < 1.5, label  # neither through the ground nor up a wall
        assert place.solids.inside(walked.points) == 0, label
        arrived += walked.arrived
    assert arrived >= arriving * count


def check_stairs(place: Site, kinds: set[int]) -> None:
    """Every stair, footbridge and subway line, both ways where allowed, walking and running."""
    stairs = [e for e in place.city.network.edges if e.attributes["FeatureType"] in CLIMBS and e.enabled]
    assert {e.attributes["FeatureType"] for e in stairs} >= kinds
    failed = []
    for edge in stairs:
        ways = [edge.line] if edge.attributes.get("Direction") == 1 else [edge.line, edge.line[::-1]]
        for line in ways:
            for speed in (1.5, 4.5):
                walked = follow(place.world, line, speed)
                if not walked.arrived or walked.fell:
                    failed.append((edge.id, line[0].round(1).tolist(), line[-1].round(1).tolist(), speed))
    assert not failed


def test_routes_in_mini(mini: Site) -> None:
    check_routes(mini, 25, 1, 150.0, 1.0)


def test_stairs_in_mini(mini: Site) -> None:
    check_stairs(mini, {12, 2})


def test_routes_in_a_piece_of_helsinki(piece: Site) -> None:
    check_routes(piece, 15, 2, 150.0, 0.9)


def test_bumping_into_a_wall_is_counted(mini: Site) -> None:
    building = next(o for o in mini.city.objects if o.category == "building")
    e0, n0, _, e1, n1, _ = building.bounds
    middle = ((e0 + e1) / 2, (n0 + n1) / 2)
    spot = mini.city.network.snap(np.array([*middle, 0.0]), max_distance_m=80.0)
    assert spot is not None
    aim = np.arctan2(middle[1] - spot.point[1], middle[0] - spot.point[0])
    mini.world.reset(Pose(float(spot.point[0]), float(spot.point[1]), float(spot.point[2]), float(aim)))
    mini.world.advance(Command(forward=4.5), 60 * 20)
    assert mini.world.building_collisions >= 1
    assert mini.solids.inside(np.array([mini.world.pose.position])) == 0


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_five_hundred_routes_in_helsinki(helsinki: Site) -> None:
    check_routes(helsinki, 500, 3, 250.0, 0.98)


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_every_stair_in_helsinki_up_and_down(helsinki: Site) -> None:
    check_stairs(helsinki, {12, 4})
