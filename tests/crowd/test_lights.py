"""Traffic signals show people's green exactly while people may step onto their crossing."""

import dataclasses

import numpy as np

from citysim.city import City, CityObject
from citysim.crowd.lights import ALL_RED, AMBER, GO, WALK, Lights
from citysim.crowd.signals import build_signals
from citysim.geo.network import NetworkEdge, PedestrianNetwork


def crossing(north: float) -> NetworkEdge:
    line = np.array([[0.0, north, 0.0], [8.0, north, 0.0]])
    return NetworkEdge(id=int(north) + 1, line=line, attributes={"FeatureType": 30})


def town() -> tuple[City, np.ndarray]:
    posts = [
        CityObject(1, "traffic_signals", position=(-0.5, 1.0, 0.0)), CityObject(2, "bench", position=(0.0, 0.0, 0.0)),
        CityObject(3, "traffic_signals", position=(8.5, 99.0, 0.0)),
        CityObject(4, "traffic_signals", position=(500.0, 0.0, 0.0)),
    ]  # fmt: skip
    city = dataclasses.replace(
        City.in_memory([], objects=posts), network=PedestrianNetwork([crossing(0.0), crossing(100.0)])
    )
    return city, build_signals(city.network, 7)


def test_walkers_green_is_when_people_may_enter() -> None:
    city, phases = town()
    lights = Lights(city, phases)
    seen: set[int] = set()
    for second in range(0, 130):
        states = lights.states(second + 0.5)
        assert sorted(states) == [1, 3]  # one far from any crossing stays as it is
        for post, edge in ((1, 0), (3, 1)):
            cycle, green, offset = phases[:, 2 * edge]
            assert (states[post] == WALK) == ((second + 0.5 + offset) % cycle < green)  # as `may_enter` has it
        seen |= set(states.values())
    assert seen == {ALL_RED, WALK, GO, AMBER}


def test_people_and_drivers_are_never_let_go_within_some_seconds_of_each_other() -> None:
    city, phases = town()
    lights = Lights(city, phases)
    line = [lights.states(0.25 * k)[1] for k in range(600)]
    for k, state in enumerate(line[:-20]):
        if state == WALK:
            assert GO not in line[k : k + 20]  # 5 s to clear the crossing
        if state == GO:
            assert WALK not in line[k : k + 19]  # amber, and all red


def test_towns_without_signals_have_no_states() -> None:
    empty = City.in_memory([])
    assert Lights(empty, build_signals(empty.network, 0)).states(3.0) == {}
    city, phases = town()
    assert Lights(city, np.zeros_like(phases)).states(3.0) == {}


def test_the_mapping_is_kept_until_a_light_changes() -> None:
    city, phases = town()
    lights = Lights(city, phases)
    fresh = [Lights(city, phases).states(0.1 * k) for k in range(700)]
    kept = [lights.states(0.1 * k) for k in range(700)]
    assert kept == fresh
    assert len({id(states) for states in kept}) < 20
    assert lights.states(3.0) == fresh[30]  # and back
