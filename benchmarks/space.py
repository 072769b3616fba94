"""Native physics against PyBullet in one run: `python -m benchmarks.space [--json] [--rays N] [--walks N]`.

Rays: both get the same segments, PyBullet as prepared lists of 2,000 a call, so that only its own work and its answers
count. Walks: the same walker, the same wishes, on either space. Processor time of one thread, the best of three rounds
in turns. `dense` is the grid of 144 chunks and 313,632 triangles of the studies.
"""

import argparse
import json
import math
import platform
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim import load_city
from citysim.city import Chunk, City
from citysim.geometry.rays import any_hits, closest_hits
from citysim.physics import make_space, make_walker
from citysim.physics.bullet import BulletSpace
from citysim.physics.native import NativeSpace
from citysim.physics.walker import Walker

Array = NDArray[np.float64]
Row = dict[str, Any]
ROUNDS = 3
CELLS, CELL_M, CHUNKS = 33, 1.5, 12


def dense_city() -> City:
    """Blocks on streets as one height field of 1.5 m cells, in 12 x 12 chunks."""
    side = CELLS * CHUNKS + 1
    rng = np.random.default_rng(0)
    at = np.arange(side) % 22
    tops = rng.uniform(6.0, 40.0, (side // 22 + 1, side // 22 + 1))[np.arange(side) // 22][:, np.arange(side) // 22]
    heights = np.where((at[:, None] >= 6) & (at[None, :] >= 6), tops, rng.uniform(0.0, 0.04, (side, side)))
    chunks = []
    for i in range(CHUNKS):
        for j in range(CHUNKS):
            origin = np.array([(i - CHUNKS / 2) * CELLS * CELL_M, (j - CHUNKS / 2) * CELLS * CELL_M, 0.0])
            part = heights[i * CELLS : (i + 1) * CELLS + 1, j * CELLS : (j + 1) * CELLS + 1]
            axis = np.arange(CELLS + 1) * CELL_M
            points = np.dstack([*np.meshgrid(axis, axis, indexing="ij"), part]).reshape(-1, 3).astype(np.float32)
            k = (np.arange(CELLS)[:, None] * (CELLS + 1) + np.arange(CELLS)).ravel()
            n = CELLS + 1
            faces = np.concatenate([np.stack([k, k + n, k + n + 1], 1), np.stack([k, k + n + 1, k + 1], 1)])
            nothing = np.zeros(len(faces), np.int32)
            uvs, colors = np.zeros((len(points), 2), np.float32), np.full((len(points), 4), 255, np.uint8)
            chunks.append(Chunk(origin, points, uvs, colors, faces.astype(np.int32), nothing, nothing))
    return City.in_memory(chunks, name="dense")


def ray_sets(city: City, count: int) -> dict[str, tuple[Array, Array]]:
    rng = np.random.default_rng(1)
    e0, n0, e1, n1 = city.bounds
    flat = np.column_stack([rng.uniform(0.95 * e0, 0.95 * e1, count), rng.uniform(0.95 * n0, 0.95 * n1, count)])
    high = np.column_stack([flat, np.full(count, 60.0)])
    anywhere = np.column_stack([flat, rng.uniform(-1.0, 30.0, count)])
    eyes = np.repeat(np.column_stack([flat[: count // 500], np.full(count // 500, 1.7)]), 500, axis=0)
    turn, pitch = rng.uniform(0, 2 * math.pi, len(eyes)), rng.uniform(-0.4, 0.4, len(eyes))
    look = np.column_stack([np.cos(turn) * np.cos(pitch), np.sin(turn) * np.cos(pitch), np.sin(pitch)])
    return {
        "down": (high, high - (0.0, 0.0, 70.0)),
        "random": (anywhere, anywhere + rng.normal(0.0, 20.0, (count, 3))),
        "camera": (eyes, eyes + 80.0 * look),
        "up": (high - (0.0, 0.0, 58.4), high),
    }


def best(calls: list[Callable[[], object]]) -> list[float]:
    """Least processor seconds of each call, rounds in turns."""
    least = [math.inf] * len(calls)
    for _ in range(ROUNDS):
        for k, call in enumerate(calls):
            start = time.process_time()
            call()
            least[k] = min(least[k], time.process_time() - start)
    return least


def cast_in_bullet(space: BulletSpace, starts: list[Any], ends: list[Any]) -> None:
    for k in range(0, len(starts), 2000):
        space._bullet.rayTestBatch(starts[k : k + 2000], ends[k : k + 2000], physicsClientId=space._client)


def ray_rows(city: City, count: int) -> list[Row]:
    native, bullet = NativeSpace(city), BulletSpace(city)
    e0, n0, e1, n1 = city.bounds
    native.load(e0, n0, e1, n1)
    bullet.cast_rays(np.array([(e0, n0, 900.0)]), np.array([(e1, n1, 900.0)]))
    tables = native.scene.tables
    rows, totals = [], [0.0, 0.0, 0]
    for name, (starts, ends) in ray_sets(city, count).items():
        peer = partial(cast_in_bullet, bullet, starts.tolist(), ends.tolist())
        closest_hits(tables, starts, ends)
        any_hits(tables, starts, ends)
        ours, theirs, shadow = best(
            [partial(closest_hits, tables, starts, ends), peer, partial(any_hits, tables, starts, ends)]
        )
        rows.append(row(f"rays_{city.name}_{name}", len(starts) / ours, len(starts) / theirs))
        rows.append(row(f"any_hits_{city.name}_{name}", len(starts) / shadow, len(starts) / theirs))
        totals = [totals[0] + ours, totals[1] + theirs, totals[2] + len(starts)]
    rows.append(row(f"rays_{city.name}_all", totals[2] / totals[0], totals[2] / totals[1]))
    bullet.close()
    return rows


def walk_rows(city: City, walks: int) -> list[Row]:
    walkers = [make_walker(make_space(name, city)) for name in ("native", "bullet")]
    rng, half = np.random.default_rng(2), 0.8 * city.bounds[2]
    tasks: list[tuple[tuple[float, float, float], Array]] = []
    while len(tasks) < walks:
        east, north = rng.uniform(-half, half, 2).tolist()
        levels = walkers[0].levels(east, north, 3.0, -2.0)
        if levels:
            turn, speed = rng.uniform(0, 2 * math.pi, 5), rng.choice([1.5, 4.5], 5)
            wishes = np.repeat(np.column_stack([speed * np.cos(turn), speed * np.sin(turn)]), 120, axis=0)
            tasks.append(((east, north, levels[0]), wishes))

    def run(walker: Walker) -> None:
        for start, wishes in tasks:
            walker.place(*start)
            walker.walk(wishes)

    run(walkers[0])
    ours, theirs = best([lambda: run(walkers[0]), lambda: run(walkers[1])])
    return [row(f"walker_{city.name}", 600 * walks / ours, 600 * walks / theirs, "substeps/s")]


def row(name: str, value: float, peer_value: float, unit: str = "rays/s") -> Row:
    return {"name": name, "value": round(value), "unit": unit, "peer": "pybullet", "peer_value": round(peer_value),
            "ratio": round(value / peer_value, 2)}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--rays", type=int, default=40_000)
    parser.add_argument("--walks", type=int, default=20)
    options = parser.parse_args()
    rows: list[Row] = []
    for city in (load_city("mini"), dense_city()):
        rows += ray_rows(city, options.rays) + walk_rows(city, options.walks)
    if options.json:
        print(json.dumps({"machine": {"processor": platform.processor(), "python": platform.python_version()},
                          "rows": rows}))  # fmt: skip
        return
    for r in rows:
        print(f"{r['name']:<24} {r['value']:>11,} {r['unit']:<10} PyBullet {r['peer_value']:>9,}   x {r['ratio']:.1f}")


if __name__ == "__main__":
    main()
