"""Cities that are hard to live in: islands, places out of reach, closures that leave no way; one sentence each."""

import math

import numpy as np
import pytest

from citysim.city import City, Material, Place
from citysim.errors import InputError
from citysim.geo.network import NetworkEdge
from citysim.living.closures import Closure, closure_leaves_detour
from citysim.pose import Pose
from citysim.world import Command, CrowdSpec, World
from tests.render.scenes import box

START = (0.0, 0.0, 0.0)
FAR = Place("far", "Far away", "shop", (-290.0, -290.0, 0.0))
ISLAND = Place("isl", "Island shop", "shop", (220.0, 201.0, 0.0))
NEAR = Place("near", "Corner shop", "shop", (50.0, 49.0, 0.0))


def islands(*places: Place) -> City:
    """An L of two ways, and one far away from it."""
    lines = ([(0, 0, 0), (50, 0, 0)], [(50, 0, 0), (50, 50, 0)], [(200, 200, 0), (240, 200, 0)])
    edges = [
        NetworkEdge(k + 1, np.array(line, dtype=np.float64), {"FeatureType": 1, "Direction": 0, "Enabled": 1})
        for k, line in enumerate(lines)
    ]
    ground = box((-300, -300, -1), (300, 300, 0))
    return City.in_memory([ground], [Material()], places=places, edges=edges, name="islands")


@pytest.mark.parametrize("places", [(FAR,), (ISLAND, NEAR), (FAR, ISLAND, NEAR)])
@pytest.mark.parametrize("population", [0, 1, 60])
def test_people_live_with_islands_and_places_out_of_reach(places: tuple[Place, ...], population: int) -> None:
    world = World(islands(*places), physics="native")
    world.reset(Pose(10.0, 0.0, 0.0, 0.0), crowd=CrowdSpec(population, 0))
    for _ in range(20):
        world.advance(Command(), 30)
    crowd = world.crowd
    assert crowd is not None
    assert len(crowd.positions) == population
    out = crowd.positions[crowd.active]
    assert np.isfinite(out).all()
    on_l, on_island = (out[:, :2] < 60.0).all(axis=1), (out[:, :2] > 190.0).all(axis=1)
    assert (on_l | on_island).all()
    world.close()


@pytest.mark.parametrize(
    ("place", "expected"), [(FAR, "within 50 m of the pedestrian network"), (ISLAND, "separate parts of the network")]
)
def test_no_way_leads_to_places_out_of_reach(place: Place, expected: str) -> None:
    network = islands(place).network
    with pytest.raises(InputError, match=expected) as caught:
        network.route(START, place.entrance)
    assert "\n" not in str(caught.value)


def test_a_closure_of_the_only_way_says_so() -> None:
    network = islands(NEAR).network
    assert math.isclose(network.route(START, NEAR.entrance).length_m, 99.0, abs_tol=0.1)
    closure = Closure(((25.0, -5.0, 0.0), (25.0, 5.0, 0.0)), "works", "closed")
    with pytest.raises(InputError, match=r"'works'.*cuts all of them") as caught:
        closure_leaves_detour(network, closure, START, NEAR.entrance)
    assert "\n" not in str(caught.value)
