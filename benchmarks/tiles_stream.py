"""Streaming: selection, a scan from cold to walkable, ten kilometres in bounded memory.

select_20k              to choose the tiles of a view among 20,000, median over 500 views (limit 1 ms)
scan_cold_to_walkable   a new process with an empty cache reads a 293-tile scan from its folder, decodes everything,
                        makes a package, opens it and stands on its ground; compiled kernels are on disk (limit 5 s)
cross_10km_rss          most memory (RSS) while a walker crosses a generated 10 km x 10 km tileset and draws a picture
                        every 20 m (limit 1500 MB); cross_10km_growth is the mean of the last third of the way
                        less that of the second: flat means about zero
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from citysim.benchmarks.landscape import LEAF_M, SIDE_M, write_landscape, write_scan
from citysim.benchmarks.rows import Progress, Row
from citysim.benchmarks.tiles_decode import data_folder
from citysim.errors import SimulationFault

VIEWS = 500
TILES = 20_000
SPEED_M_S = 4.5
PICTURE_EVERY_M = 20.0
PHYSICS = "native"


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


def scan_cold_to_walkable(progress: Progress) -> Iterator[Row]:
    """From a folder of b3dm to a walker standing on it."""
    times, processor = [], []
    with tempfile.TemporaryDirectory() as outer:
        data = data_folder()
        scan = None if data is None else data / "nasa-landform-tiles/example/public/data/tileset.json"
        if scan is None or not scan.is_file():
            progress("scan_cold_to_walkable: the sample data are not here; a generated scan of as many tiles is read")
            scan = write_scan(Path(outer) / "scan")
        for turn in range(4):
            with tempfile.TemporaryDirectory() as folder:
                settings = {**os.environ, "CITYSIM_CACHE": f"{folder}/cache"}
                start, used = time.perf_counter(), _child_seconds()
                command = [sys.executable, "-c", SCAN, str(scan), f"{folder}/scan", PHYSICS]
                done = subprocess.run(command, env=settings, capture_output=True, text=True, check=False)
                if done.returncode != 0:
                    raise SimulationFault("a scan that can be walked", done.stderr[-200:], "reporting it")
                if turn:  # the first one may compile kernels
                    times.append(time.perf_counter() - start)
                    processor.append(_child_seconds() - used)
    progress(f"{done.stdout.split()[-1]} finest tiles; {np.median(processor):.2f} s of processor time")
    yield Row("scan_cold_to_walkable", float(np.median(times)), "s")


def _child_seconds() -> float:
    """Processor time of the processes that have ended: unlike the clock's, it does not depend on other work here."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def cross_10km(progress: Progress) -> Iterator[Row]:
    """Walk from one side to the other, in a process of its own: its memory is what is measured."""
    with tempfile.TemporaryDirectory(dir=os.environ.get("CITYSIM_BENCH_TMP")) as folder:
        start = time.perf_counter()
        tiles, triangles = write_landscape(Path(folder) / "land")
        progress(
            f"{tiles} tiles, {triangles} triangles over 10 km x 10 km; written in {time.perf_counter() - start:.0f} s"
        )
        settings = {**os.environ, "CITYSIM_CACHE": f"{folder}/cache"}
        found = ""
        for step in ("--import", "--walk"):
            command = [sys.executable, "-m", "citysim.benchmarks.tiles_stream", step, folder]
            done = subprocess.run(command, env=settings, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise SimulationFault(f"ten kilometres on foot ({step})", done.stderr[-300:], "reporting it")
            found = done.stdout
            progress(done.stdout.strip().splitlines()[-1])
    most, growth = (float(word) for word in found.split()[:2])
    yield Row("cross_10km_rss", most, "MB")
    yield Row("cross_10km_growth", growth, "MB")


def import_landscape(folder: Path) -> None:
    """Make the package, in a process of its own."""
    from citysim.build.tiles import import_tiles

    start = time.perf_counter()
    import_tiles(str(folder / "land/tileset.json"), folder / "city")
    print(f"imported in {time.perf_counter() - start:.0f} s")


def walk_landscape(folder: Path) -> None:
    """Cross it; prints the most memory and its growth, MB, and what was done."""
    from citysim.city import open_city
    from citysim.render.base import View
    from citysim.render.raster.renderer import RasterRenderer
    from citysim.world import STEP_S, Command, World

    city = open_city(folder / "city")
    world, renderer = World(city, physics=PHYSICS), RasterRenderer(city)
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
    third = len(memory) // 3
    growth = float(np.mean(memory[2 * third :]) - np.mean(memory[third : 2 * third]))
    done = f"{world.path_length_m:.0f} m on foot in {took:.0f} s, {len(memory)} pictures, leaves of {LEAF_M:g} m"
    print(f"{max(memory):.1f} {growth:.1f} MB at most and growth: {done}")
    renderer.close()
    world.close()


if __name__ == "__main__":
    {"--import": import_landscape, "--walk": walk_landscape}[sys.argv[1]](Path(sys.argv[2]))
