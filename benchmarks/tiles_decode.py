"""Decoding tiles against trimesh on the same bytes, textures included. Prints name,value,unit,peer,ratio.

    python benchmarks/tiles_decode.py ../shared/data

Value and peer are milliseconds for one glb, the best of many turns in which both readers alternate; a ratio above 1
means that citysim is faster. Where trimesh gives up or leaves triangles or pictures out there is no ratio: the peer
column says what it did. Both decode every picture to RGBA pixels. The last line is the median ratio.
"""

import io
import logging
import statistics
import sys
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import trimesh

from citysim.geo.content.images import load_texture
from citysim.geo.content.meshes import decode_meshes
from citysim.geo.store import MemorySource

Counts = tuple[int, int]  # triangles, pictures
SECONDS = 0.6  # a file, both readers together
MIN_BYTES = 20_000


def ours(data: bytes) -> Counts:
    source = MemorySource({"t.glb": data})
    meshes = decode_meshes(source, "t.glb", np.eye(4))
    keys = dict.fromkeys(m.metadata["surface"].texture for m in meshes if m.metadata["surface"].texture)
    for key in keys:
        load_texture(source, key)
    return sum(len(mesh.faces) for mesh in meshes), len(keys)


def theirs(data: bytes) -> Counts:
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
    """Milliseconds of each, the smallest of turns taken in alternation."""
    lowest = [float("inf"), float("inf")]
    end = time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        for place, call in enumerate((first, second)):
            start = time.perf_counter()
            call()
            lowest[place] = min(lowest[place], (time.perf_counter() - start) * 1e3)
    return lowest[0], lowest[1]


def main(folder: Path) -> None:
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    print("name,value,unit,peer,ratio")
    ratios, seen = [], set()
    for path in sorted(folder.rglob("*.glb")):
        data = path.read_bytes()
        if len(data) < MIN_BYTES or data in seen:
            continue
        seen.add(data)
        name = "/".join(path.relative_to(folder).parts[-3:])
        try:
            mine = ours(data)
        except Exception as error:
            print(f"{name},,ms,not read here: {str(error)[:60].replace(',', ';')},")
            continue
        try:
            found = theirs(data)
        except Exception as error:
            value, _ = best(partial(ours, data), lambda: (0, 0))
            print(f"{name},{value:.2f},ms,fails: {str(error)[:40].replace(',', ';')},")
            continue
        value, peer = best(partial(ours, data), partial(theirs, data))
        if found[1] < mine[1] or found[0] < 0.9 * mine[0]:
            print(f"{name},{value:.2f},ms,{peer:.2f} without {mine[1] - found[1]} pictures,")
            continue
        ratios.append(peer / value)
        print(f"{name},{value:.2f},ms,{peer:.2f},{peer / value:.2f}")
    print(f"median of {len(ratios)} files,,,,{statistics.median(ratios):.2f}")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data"))
