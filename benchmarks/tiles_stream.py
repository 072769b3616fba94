"""Streaming: selection, a scan from cold to walkable, ten kilometres in bounded memory. Prints name,value,unit,limit.

    python benchmarks/tiles_stream.py [../shared/data] [--only NAME] [--physics native]

select_20k              microseconds to choose the tiles of a view among 20,000, median over 500 views
scan_cold_to_walkable   seconds of a new process with an empty cache: read a 293-tile scan from its folder, decode
                        everything, make a package, open it, stand on its ground (compiled kernels are on disk already)
cross_10km_rss          megabytes of memory (RSS) at most while a walker crosses a generated 10 km x 10 km tileset end
                        to end and draws a picture every 20 m; cross_10km_growth is the mean of the last third of the
                        way less that of the second: flat means about zero
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from citysim.benchmarks.landscape import LEAF_M, SIDE_M, write_landscape
from citysim.benchmarks.rows import Progress, Row

VIEWS = 500
TILES = 20_000
SPEED_M_S = 4.5
PICTURE_EVERY_M = 20.0


def rss_mb() -> float:
    """Resident memory of this process, megabytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def select_20k(progress: Progress) -> Iterator[Row]:
    """A four-way tree of 20,000 tiles over 10 km x 10 km, seen from 500 places."""
    from citysim.city import Chunk, City, Tile
    from citysim.pose import Pose
    from citysim.render.base import Camera
    from citysim.render.raster.chooser import TileChooser

    rng = np.random.default_rng(0)
    rows: list[tuple[int, float, float, float]] = [(-1, 0.0, 0.0, SIDE_M)]
    children: dict[int, list[int]] = {}
    for parent in range(TILES):
        _, east, north, side = rows[parent]
        for shift in ((-1, -1), (1, -1), (-1, 1), (1, 1)):
            if len(rows) < TILES:
                children.setdefault(parent, []).append(len(rows))
                rows.append((parent, east + shift[0] * side / 4, north + shift[1] * side / 4, side / 2))
    tiles = tuple(
        Tile(i, "", parent, tuple(children.get(i, ())), "REPLACE", side / 50.0 if i in children else 0.0,
             np.array([east, north, 10.0]), side * 0.71, True)
        for i, (parent, east, north, side) in enumerate(rows)
    )  # fmt: skip
    base = City.in_memory(list[Chunk]())
    city = City(**{**{name: getattr(base, name) for name in base.__dataclass_fields__}, "tiles": tiles})
    chooser = TileChooser(city)
    places = rng.uniform((-4500, -4500, 2, 0), (4500, 4500, 60, 6.28), (VIEWS, 4)).tolist()
    cameras = [Camera(Pose(e, n, up, yaw), (640, 480)) for e, n, up, yaw in places]
    chooser.choose(cameras[0])
    times, counts = [], []
    for camera in cameras:
        start = time.perf_counter()
        counts.append(len(chooser.choose(camera)))
        times.append(time.perf_counter() - start)
    progress(f"{TILES} tiles, {np.mean(counts):.0f} chosen a view")
    yield Row("select_20k", float(np.median(times)) * 1e6, "us")


SCAN = """
import sys, time
from pathlib import Path
from citysim.build.tiles import import_tiles
from citysim.city import open_city
from citysim.world import World
made = import_tiles(sys.argv[1], Path(sys.argv[2]))
city = open_city(made)
world = World(city, physics=sys.argv[3])
e0, n0, e1, n1 = city.bounds
world.reset(world.ground_pose((e0 + e1) / 2, (n0 + n1) / 2))
print(len(city.finest))
"""


def scan_cold_to_walkable(data: Path, physics: str) -> None:
    """From a folder of b3dm to a walker standing on it."""
    scan = data / "nasa-landform-tiles/example/public/data/tileset.json"
    if not scan.is_file():
        print(f"scan_cold_to_walkable,,s,5  # no {scan.name} under the data folder")
        return
    times, processor = [], []
    for turn in range(4):
        with tempfile.TemporaryDirectory() as folder:
            settings = {**os.environ, "CITYSIM_CACHE": f"{folder}/cache"}
            start, used = time.perf_counter(), _child_seconds()
            command = [sys.executable, "-c", SCAN, str(scan), f"{folder}/scan", physics]
            done = subprocess.run(command, env=settings, capture_output=True, text=True, check=True)
            if turn:  # the first one may compile kernels
                times.append(time.perf_counter() - start)
                processor.append(_child_seconds() - used)
    note = f"{done.stdout.split()[-1]} finest tiles, {physics}, {np.median(processor):.2f} s of processor time"
    print(f"scan_cold_to_walkable,{np.median(times):.2f},s,5  # {note}")


def _child_seconds() -> float:
    """Processor time of the processes that have ended: unlike the clock's, it does not depend on other work here."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def cross_10km(physics: str) -> None:
    """Walk from one side to the other."""
    from citysim.build.tiles import import_tiles
    from citysim.city import open_city
    from citysim.render.base import View
    from citysim.render.raster.renderer import RasterRenderer
    from citysim.world import STEP_S, Command, World

    with tempfile.TemporaryDirectory(dir=os.environ.get("CITYSIM_BENCH_TMP")) as folder:
        os.environ["CITYSIM_CACHE"] = f"{folder}/cache"
        start = time.perf_counter()
        tiles, triangles = write_landscape(Path(folder) / "land")
        written = time.perf_counter()
        _in_child(lambda: import_tiles(f"{folder}/land/tileset.json", Path(folder) / "city"))
        city = open_city(Path(folder) / "city")
        ready = time.perf_counter()
        print(
            f"# {tiles} tiles, {triangles} triangles; written {written - start:.0f} s, imported {ready - written:.0f} s"
        )
        world, renderer = World(city, physics=physics), RasterRenderer(city)
        e0, n0, e1, _ = city.bounds
        world.reset(world.ground_pose(e0 + 20.0, n0 + 0.37 * SIDE_M, 90.0))
        steps = round(PICTURE_EVERY_M / SPEED_M_S / STEP_S)
        memory: list[float] = []
        began = time.perf_counter()
        while world.pose.east < e1 - 40.0:
            before = world.pose.east
            world.advance(Command(forward=SPEED_M_S), steps)
            renderer.render(View(world.camera((320, 240)), world.conditions))
            memory.append(rss_mb())
            if world.pose.east - before < 1.0:
                raise SystemExit(f"stuck at {world.pose}")
        took = time.perf_counter() - began
        renderer.close()
        world.close()
    third = len(memory) // 3
    growth = float(np.mean(memory[2 * third :]) - np.mean(memory[third : 2 * third]))
    note = f"{world.path_length_m:.0f} m on foot, {len(memory)} pictures, {took:.0f} s, {physics}"
    print(f"cross_10km_rss,{max(memory):.0f},MB,1500  # {note}")
    print(f"cross_10km_growth,{growth:.0f},MB,50  # leaves of {LEAF_M:g} m")


def _in_child(call) -> None:  # type: ignore[no-untyped-def]
    """Run in a process of its own, so that its memory does not count."""
    child = os.fork()
    if child == 0:
        try:
            call()
            os._exit(0)
        except BaseException as error:
            print(error, file=sys.stderr)
            os._exit(1)
    if os.waitpid(child, 0)[1] != 0:
        raise SystemExit("the import failed")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", nargs="?", type=Path, default=Path("../shared/data"))
    parser.add_argument("--only", choices=("select_20k", "scan_cold_to_walkable", "cross_10km_rss"))
    parser.add_argument("--physics", default="native")
    options = parser.parse_args()
    wanted = options.only
    print("name,value,unit,limit")
    if wanted in (None, "select_20k"):
        print(*select_20k(print))
    if wanted in (None, "scan_cold_to_walkable"):
        scan_cold_to_walkable(options.data, options.physics)
    if wanted in (None, "cross_10km_rss"):
        cross_10km(options.physics)


if __name__ == "__main__":
    main()
