"""Making ahead: in the background, once, and without a trace in any result."""

import json
import os
import shutil
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from citysim.build.tiles import import_tiles
from citysim.city import open_city
from citysim.city.ahead import MOST, Ahead
from citysim.city.tiles import TileStore
from citysim.errors import SimulationFault
from citysim.geo.store import MemorySource
from citysim.world import Command, World
from tests.geo.content.samples import GltfMaker, tileset


def wait_for(what: object, seconds: float = 5.0) -> None:
    end = time.monotonic() + seconds
    while not what() and time.monotonic() < end:  # type: ignore[operator]
        time.sleep(0.005)


def test_expected_numbers_are_made_in_order_and_once() -> None:
    made: list[int] = []
    gate = threading.Event()

    def make(number: int) -> bool:
        gate.wait(5.0)
        made.append(number)
        return True

    ahead = Ahead(make)
    for number in (3, 1, 3, 2, 1):
        ahead.expect(number)
    gate.set()
    wait_for(lambda: len(made) == 3)
    assert made == [3, 1, 2]
    wait_for(lambda: not any(t.name == "citysim-ahead" for t in threading.enumerate()))
    ahead.expect(3)
    wait_for(lambda: len(made) == 4)
    assert made[-1] == 3


def test_settling_waits_for_what_is_at_work_and_takes_back_what_waits() -> None:
    made: list[int] = []
    begun, gate = threading.Event(), threading.Event()

    def make(number: int) -> bool:
        begun.set()
        gate.wait(5.0)
        made.append(number)
        return True

    ahead = Ahead(make)
    ahead.expect(1)
    begun.wait(5.0)
    ahead.expect(2)
    ahead.settle(2)
    threading.Timer(0.05, gate.set).start()
    ahead.settle(1)
    assert made == [1]
    ahead.settle(99)
    time.sleep(0.05)
    assert made == [1]


def test_errors_are_left_to_whoever_asks_and_useless_work_ends() -> None:
    tried: list[int] = []

    def make(number: int) -> bool:
        tried.append(number)
        if number == 1:
            raise ValueError
        return number != 2

    ahead = Ahead(make)
    ahead.expect(1)
    wait_for(lambda: tried == [1])
    ahead.settle(1)
    ahead.expect(2)
    wait_for(lambda: tried == [1, 2])
    wait_for(lambda: ahead._thread is None)
    ahead.expect(3)
    time.sleep(0.05)
    assert tried == [1, 2]


def test_no_more_wait_than_some() -> None:
    gate = threading.Event()
    ahead = Ahead(lambda number: gate.wait(5.0))
    for number in range(3 * MOST):
        ahead.expect(number)
    assert len(ahead._waiting) <= MOST
    gate.set()


def test_a_forked_process_starts_anew() -> None:
    begun, gate = threading.Event(), threading.Event()

    def make(number: int) -> bool:
        begun.set()
        return gate.wait(5.0)

    ahead = Ahead(make)
    ahead.expect(1)
    begun.wait(5.0)
    child = os.fork()
    if child == 0:
        ahead.settle(1)  # its thread is in the other process: waiting for it would never end
        os._exit(0)
    gate.set()
    assert os.waitpid(child, 0)[1] == 0


def row_of_tiles(count: int) -> MemorySource:
    """Flat tiles of 40 m in a row towards east."""
    points = np.array([(-20, 0, -20), (20, 0, -20), (20, 0, 20), (-20, 0, 20)], "<f4")
    maker = GltfMaker()
    maker.primitive(points, np.array([(0, 2, 1), (0, 3, 2)], "<u2"))
    box = {"box": [0, 0, 0, 20, 0, 0, 0, 20, 0, 0, 0, 1]}
    children = [
        {"boundingVolume": box, "geometricError": 0, "content": {"uri": f"{n}.glb"},
         "transform": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 40 * n, 0, 0, 1]}
        for n in range(count)
    ]  # fmt: skip
    whole = {"box": [20 * count, 0, 0, 20 * count + 20, 0, 0, 0, 20, 0, 0, 0, 1]}
    files = {f"{n}.glb": maker.glb() for n in range(count)}
    return MemorySource({"t.json": tileset(boundingVolume=whole, refine="ADD", children=children), **files})


def walked(package: Path) -> list[tuple[float, float, float]]:
    world = World(open_city(package), physics="native")
    world.reset(world.ground_pose(world.city.bounds[0] + 5.0, (world.city.bounds[1] + world.city.bounds[3]) / 2, 90.0))
    poses = []
    for _ in range(40):
        world.advance(Command(forward=4.0), 120)
        poses.append((world.pose.east, world.pose.north, world.pose.up))
    world.close()
    return poses


def test_walks_are_the_same_and_decoding_happens_ahead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITYSIM_CACHE", str(tmp_path / "cache"))
    package = import_tiles("t.json", tmp_path / "city", source=row_of_tiles(12))
    warm = walked(package)
    threads: list[str] = []
    decoded: list[int] = []
    decode = TileStore.decode

    def watched(self: TileStore, index: int) -> object:
        threads.append(threading.current_thread().name)
        decoded.append(index)
        return decode(self, index)

    monkeypatch.setattr(TileStore, "decode", watched)
    shutil.rmtree(tmp_path / "cache")
    assert walked(package) == warm
    assert "citysim-ahead" in threads
    assert 8 <= len(decoded) == len(set(decoded))  # each once; the farthest perhaps not yet
    wait_for(lambda: not any(t.name == "citysim-ahead" for t in threading.enumerate()))
    monkeypatch.setattr("citysim.city.cache.replace_file", lambda path, data: False)  # a cache that cannot be written
    shutil.rmtree(tmp_path / "cache")
    assert walked(package) == warm
    monkeypatch.setattr(Ahead, "expect", lambda self, number: None)
    assert walked(package) == warm


def test_a_broken_tile_is_told_when_it_is_reached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITYSIM_CACHE", str(tmp_path / "cache"))
    package = import_tiles("t.json", tmp_path / "city", source=row_of_tiles(12))
    city = open_city(package)
    shutil.rmtree(tmp_path / "cache")
    assert json.loads((package / "city.json").read_text())["tileset"] == "tiles/t.json"
    (package / "tiles/9.glb").write_bytes(b"glTF broken")
    city.expect(city.finest)
    wait_for(lambda: not any(t.name == "citysim-ahead" for t in threading.enumerate()))
    for index in city.finest:
        if city.tiles[index].uri == "tiles/9.glb":
            with pytest.raises(SimulationFault, match=r"9\.glb"):
                city.chunk(index)
        else:
            assert len(city.chunk(index).triangles) == 2
