"""ChunkStream: everything in reach is there, and what is far away may go again."""

import numpy as np

from citysim.city import Chunk, City
from citysim.physics.streaming import ChunkStream


def strip(count: int = 60, step: float = 50.0) -> City:
    """Squares of two triangles in a row towards east."""
    square = np.array([(-20, -20, 0), (20, -20, 0), (20, 20, 0), (-20, 20, 0)], np.float32)
    faces = np.array([(0, 1, 2), (0, 2, 3)], np.int32)
    chunks = []
    for number in range(count):
        origin = np.array([number * step, 0.0, 0.0])
        uvs, colors = np.zeros((4, 2), np.float32), np.full((4, 4), 255, np.uint8)
        chunks.append(Chunk(origin, square, uvs, colors, faces, np.zeros(2, np.int32), np.zeros(2, np.int32)))
    return City.in_memory(chunks)


class Recorder:
    """A space that only keeps books."""

    def __init__(self) -> None:
        self.there: dict[int, float] = {}
        self.added = 0

    def add(self, origin: np.ndarray, positions: np.ndarray, triangles: np.ndarray) -> int:
        self.added += 1
        self.there[self.added] = float(origin[0])
        return self.added

    def drop(self, key: int) -> None:
        del self.there[key]


def test_a_long_way_keeps_the_space_small_and_complete() -> None:
    space = Recorder()
    stream = ChunkStream(strip(), space.add, space.drop, most_triangles=24)
    most = 0
    for east in map(float, range(0, 2900, 5)):
        stream.ensure(east - 1, -1, east + 1, 1)
        there = set(space.there.values())
        assert {e for e in np.arange(60) * 50.0 if abs(e - east) <= 20.0} <= there
        most = max(most, len(there))
    assert most <= 14
    assert stream.triangles == 2 * len(space.there)


def test_coming_back_loads_again_what_was_dropped() -> None:
    space = Recorder()
    stream = ChunkStream(strip(), space.add, space.drop, most_triangles=10)
    for east in (0.0, 1000.0, 2000.0, 0.0):
        stream.ensure(east - 1, -1, east + 1, 1)
        assert east in space.there.values()
    assert space.added > len(space.there)


def test_a_space_that_cannot_forget_keeps_everything_once() -> None:
    space = Recorder()
    stream = ChunkStream(strip(), space.add, most_triangles=4)
    for east in (0.0, 1000.0, 0.0, 1000.0):
        stream.ensure(east - 1, -1, east + 1, 1)
    assert space.added == len(space.there) == len(set(space.there.values()))


def test_what_comes_next_is_expected_once() -> None:
    hinted: list[int] = []
    city = strip()
    object.__setattr__(city, "hint_chunk", hinted.append)
    space = Recorder()
    stream = ChunkStream(city, space.add)
    for east in map(float, range(0, 600, 5)):
        stream.ensure(east - 1, -1, east + 1, 1)
    assert len(hinted) == len(set(hinted))
    assert set(hinted) >= set(range(5, 12))
