"""Decoding beside `trimesh.load` of the same glb, pictures to RGBA pixels included.

Each file's time is the least of many turns taken in alternation. Files that trimesh cannot read, or reads without some
of their triangles or pictures, are told on the way and not compared. Where the public sample data lie beside the
checkout (or in $CITYSIM_DATA) every glb of them counts, those inside b3dm too; elsewhere generated ones do.
"""

import io
import logging
import os
import statistics
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

from citysim.benchmarks.landscape import sample_glbs
from citysim.benchmarks.rows import Progress, Row
from citysim.geo.content.whole import decode_content
from citysim.geo.store import MemorySource

Counts = tuple[int, int]  # triangles, pictures
SECONDS = 0.5  # a file, both readers together
TURNS = 5  # at least
MIN_BYTES = 20_000
ONE_IN = 24  # of the tiles of one scan, which are all alike


def data_folder() -> Path | None:
    """The public sample data, None where they are not."""
    named = os.environ.get("CITYSIM_DATA")
    folder = Path(named) if named else Path(__file__).resolve().parents[2] / "shared" / "data"
    return folder if folder.is_dir() else None


def decode_rows(progress: Progress) -> Iterator[Row]:
    """The sum over all files, the median file, and the file where we are least ahead."""
    found: list[tuple[str, float, float]] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        before = logging.root.manager.disable
        logging.disable(logging.CRITICAL)
        try:
            for name, data in glbs():
                row = compared(name, data, progress)
                if row is not None:
                    found.append(row)
        finally:
            logging.disable(before)
    mine, peer = sum(row[1] for row in found), sum(row[2] for row in found)
    progress(f"decode_glb: {len(found)} files, median ratio {statistics.median(p / m for _, m, p in found):.2f}")
    yield Row("decode_glb", mine, "ms", "trimesh", peer)
    name, value, peer = min(found, key=lambda row: row[2] / row[1])
    progress(f"decode_glb_worst is {name}")
    yield Row("decode_glb_worst", value, "ms", "trimesh", peer)


def glbs() -> Iterator[tuple[str, bytes]]:
    """Name and bytes of every glb to be tried, each once."""
    folder = data_folder()
    if folder is None:
        yield from sample_glbs()
        return
    seen, alike = set[bytes](), dict[str, int]()
    for path in sorted(folder.rglob("*")):
        if path.suffix not in (".glb", ".b3dm") or path.stat().st_size < MIN_BYTES:
            continue
        data = path.read_bytes()
        data = data[max(data.find(b"glTF\x02"), 0) :] if data[:4] == b"b3dm" else data
        parts = path.relative_to(folder).parts
        number = alike[parts[0]] = alike.get(parts[0], -1) + 1
        if data[:4] == b"glTF" and data not in seen and not (parts[0].startswith("nasa") and number % ONE_IN):
            seen.add(data)
            yield "/".join(parts[-2:]), data


def compared(name: str, data: bytes, progress: Progress) -> tuple[str, float, float] | None:
    """Name and milliseconds of both readers; None where they do not read the same."""
    try:
        mine = ours(data)
    except Exception as error:
        progress(f"{name}: not read here: {str(error)[:70]}")
        return None
    try:
        peer = theirs(data)
    except Exception as error:
        progress(f"{name}: trimesh fails: {str(error)[:50]}")
        return None
    if peer[1] < mine[1] or peer[0] < 0.9 * mine[0]:
        progress(f"{name}: trimesh leaves out {mine[1] - peer[1]} pictures, {max(mine[0] - peer[0], 0)} triangles")
        return None
    value, other = best(partial(ours, data), partial(theirs, data))
    progress(f"{name}: {value:.2f} ms, trimesh {other:.2f} ms, {other / value:.2f} times")
    return name, value, other


def ours(data: bytes) -> Counts:
    """Decode with citysim."""
    content = decode_content(MemorySource({"t.glb": data}), "t.glb", np.eye(4))
    if content.faults:
        raise next(iter(content.faults.values()))
    return sum(len(mesh.faces) for mesh in content.meshes), len(content.textures)


def theirs(data: bytes) -> Counts:
    """Decode with trimesh, without its clean-up of vertices."""
    import trimesh

    scene = trimesh.load(io.BytesIO(data), file_type="glb", process=False)
    triangles, pictures = 0, {}
    for mesh in scene.geometry.values():
        triangles += len(getattr(mesh, "faces", ()))
        picture = getattr(getattr(getattr(mesh, "visual", None), "material", None), "baseColorTexture", None)
        if picture is not None:
            pictures[id(picture)] = picture
    for picture in pictures.values():
        np.asarray(picture.convert("RGBA"))
    return triangles, len(pictures)


def best(first: Callable[[], Counts], second: Callable[[], Counts]) -> tuple[float, float]:
    """Milliseconds of each, the smallest of turns in alternation; who goes first alternates too: it warms the cache."""
    lowest = [float("inf"), float("inf")]
    end, turn = time.perf_counter() + SECONDS, 0
    while time.perf_counter() < end or turn < TURNS:
        turn += 1
        for place in (0, 1) if turn % 2 else (1, 0):
            call = (first, second)[place]
            start = time.perf_counter()
            call()
            lowest[place] = min(lowest[place], (time.perf_counter() - start) * 1e3)
    return lowest[0], lowest[1]
