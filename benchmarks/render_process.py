"""What a process costs: memory of one more renderer of the same city, and the time from start to first picture.

`python -m citysim.benchmarks.render_process CITY` draws twenty pictures, prints a line of JSON, and waits for its input
to end, so that several can be looked at side by side.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PICTURES = 20


def memory_mb(pid: int) -> dict[str, float]:
    """Rss, Pss and Uss of a process from Linux' smaps_rollup; empty elsewhere."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    except OSError:
        return {}
    kb = {line.split(":")[0]: float(line.split()[1]) for line in lines}
    return {
        "rss": kb["Rss"] / 1e3, "pss": kb["Pss"] / 1e3, "uss": (kb["Private_Clean"] + kb["Private_Dirty"]) / 1e3,
    }  # fmt: skip


def start(city: str, **environment: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "citysim.benchmarks.render_process", city], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={**os.environ, **environment},
    )  # fmt: skip


def first_picture_s(city: str, compiled: bool) -> float | None:
    """Seconds from the start of Python to the first picture, with the compile cache or with an empty one."""
    with tempfile.TemporaryDirectory() as empty:
        began = time.perf_counter()
        process = start(city, **({} if compiled else {"NUMBA_CACHE_DIR": empty}))
        line = process.stdout.readline() if process.stdout else ""
        took = time.perf_counter() - began
        process.communicate()
        return took - float(json.loads(line)["after_first_s"]) if process.returncode == 0 and line else None


def further_process_mb(city: str) -> dict[str, float]:
    """Memory of the second of two processes that draw the same city, and of one that only imports what both need."""
    processes = [start(city) for _ in range(2)]
    try:
        if not all(p.stdout and p.stdout.readline() for p in processes):
            return {}
        return memory_mb(processes[1].pid)
    finally:
        for process in processes:
            process.communicate()


def main() -> None:
    from citysim import load_city
    from citysim.benchmarks.render_timing import pavement_poses, views_of
    from citysim.render.raster import RasterRenderer

    city = load_city(sys.argv[1])
    renderer = RasterRenderer(city)
    views = views_of(pavement_poses(city, PICTURES), (128, 128), outputs=True)
    renderer.render(views[0])
    first = time.perf_counter()
    for view in views:
        renderer.render(view)
    print(json.dumps({"after_first_s": time.perf_counter() - first}), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
