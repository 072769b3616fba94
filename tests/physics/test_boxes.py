"""BoxGrid against a full scan."""

import numpy as np

from citysim.physics.boxes import Box, BoxGrid


def random_box(rng: np.random.Generator, size: float) -> Box:
    low = rng.uniform(-60, 60, 3)
    return Box(*low.tolist(), *(low + rng.uniform(0, size, 3)).tolist())


def test_near_finds_what_a_full_scan_finds() -> None:
    rng = np.random.default_rng(1)
    grid, boxes = BoxGrid(), {}
    for key in rng.permutation(200).tolist():
        boxes[key] = random_box(rng, 50)
        grid.put(key, boxes[key])
    for key in range(0, 200, 3):
        boxes[key] = random_box(rng, 5)
        grid.put(key, boxes[key])
    for key in range(0, 200, 7):
        grid.drop(key)
        del boxes[key]
    for _ in range(300):
        query = random_box(rng, 3)
        assert grid.near(query) == [key for key in sorted(boxes) if boxes[key].overlaps(query)]
