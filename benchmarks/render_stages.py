"""The stages of a picture, each with the bytes that it must move, beside the memory bandwidth of the same run.

Bytes are counted from the arrays that a stage reads and writes once; what caches spare or cost is not in them. A stage
whose traffic is near the bandwidth is as fast as memory allows, the others are bound by arithmetic.
"""

import statistics
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from citysim.benchmarks.render_timing import least
from citysim.benchmarks.rows import Row
from citysim.render.base import View
from citysim.render.raster import RasterRenderer
from citysim.render.raster.cull import frustum_planes, visible_clusters
from citysim.render.raster.draw import to_screen
from citysim.render.raster.jit import kernel
from citysim.render.raster.layout import I64, Array, Geometry, Int, Scratch, U
from citysim.render.raster.outputs import read_out
from citysim.render.raster.shade import light_records, pack_rows, shade

BOX, VERTEX, PLACED = 24, 12, 41  # bytes of a cluster's box, of a vertex, and of what `to_screen` writes for one
TRIANGLE, CLEARED, TESTED, RECORD = 4, 8, 8, 208  # of a triangle's corners, a pixel cleared, a pixel won, a record
LIT, ROW, TEXELS, PIXEL, SUN = 36, 72, 32, 11, 8  # a record's light, what a pixel reads of it, texels, output, sun map


@kernel
def cull_alone(cam: Array, rect: Array, ranges: Array, geometry: Geometry, scratch: Scratch) -> Int:
    """Frustum tests and the order of clusters."""
    frustum_planes(cam, rect[0], rect[1], rect[2], rect[3], scratch.planes)
    return visible_clusters(
        cam, scratch.planes, ranges, geometry.boxes, scratch.visible, scratch.keys, scratch.starts, scratch.sorted,
        scratch.ahead, scratch.near,
    )  # fmt: skip


@kernel
def transform_alone(cam: Array, clusters: Array, geometry: Geometry, scratch: Scratch) -> Int:
    """Vertices of some clusters to the screen."""
    total = 0
    for n in range(len(clusters)):
        first, count = (
            I64(geometry.cluster_vertices[U(clusters[n]), 0]),
            I64(geometry.cluster_vertices[U(clusters[n]), 1]),
        )
        to_screen(cam, geometry, first, count, scratch)
        total += count
    return total


@kernel
def light_alone(light: Array, geometry: Geometry, looks: Array, scratch: Scratch, count: Int, lit: Array) -> Int:
    """Light of records, and their rows."""
    light_records(light, geometry, looks, scratch, count, lit)
    pack_rows(geometry, looks, scratch, count, lit)
    return 0


def stages_of(renderer: RasterRenderer, view: View) -> dict[str, tuple[float, float]]:
    """Milliseconds and bytes of each stage of one picture, without what Python adds.

    Vertices are those of the clusters that show at least one pixel: hidden ones are known only inside the pass.
    """
    width, height = view.camera.size
    pixels = width * height
    renderer.render(view)
    job, rect = renderer._prepare(view), renderer._strips(width, height)[0]
    target, geometry, looks = (
        renderer._buffers.target(width, height),
        renderer._arena.geometry,
        renderer._textures.looks,
    )

    def drawn() -> tuple[int, Scratch]:
        return renderer._draw(0, job.cam, rect, job.ranges, target, renderer._buffers)

    count, scratch = drawn()
    lit, beside = renderer._buffers.lit(0), renderer._beside.of(0, 0)
    shown = np.unique(np.searchsorted(geometry.cluster_triangles[: renderer._arena.cluster_count, 0],
                                      scratch.record_triangle[:count], side="right") - 1)  # fmt: skip
    clusters = int(job.ranges[:, 1].sum())
    vertices = int(geometry.cluster_vertices[shown, 1].sum())
    triangles = int(geometry.cluster_triangles[shown, 1].sum())
    seen = int((target.record >= 0).sum())
    calls: dict[str, tuple[Callable[[], object], float]] = {
        "cull": (lambda: cull_alone(job.cam, rect, job.ranges, geometry, scratch), clusters * BOX),
        "transform": (lambda: transform_alone(job.cam, shown, geometry, scratch), vertices * (VERTEX + PLACED)),
        "geometry": (
            drawn,
            clusters * BOX + vertices * (VERTEX + PLACED) + triangles * TRIANGLE + pixels * CLEARED + seen * TESTED
            + count * RECORD,
        ),
        "light": (
            lambda: light_alone(job.light, geometry, looks, scratch, count, lit), count * (RECORD + 2 * LIT + ROW)
        ),
        "colour": (
            lambda: shade(
                job.cam, rect, job.light, geometry, looks, job.tables, job.shadows, target, scratch, count, lit,
                job.rgb, job.extras, beside,
            ),
            seen * (ROW + TEXELS + SUN) + pixels * PIXEL + count * (RECORD + 2 * LIT + ROW),
        ),
    }  # fmt: skip
    found = {}
    for name, (call, size) in calls.items():
        drawn()
        found[name] = least(call), float(size)
    if job.depth.size and job.labels.size:
        found["depth_labels"] = (
            least(lambda: read_out(job.cam, rect, target, scratch, job.depth, job.labels, job.normals)), 20.0 * pixels
        )  # fmt: skip
    return found


def triad_gbs(count: int = 4_000_000, repeats: int = 1) -> float:
    """Bandwidth of one thread in 10^9 bytes a second: a = b + s c over three arrays of so many float64."""
    a, b, c = (np.ones(count) for _ in range(3))

    def turn() -> None:
        for _ in range(repeats):
            np.multiply(c, 3.0, out=a)
            np.add(a, b, out=a)

    return 5 * a.nbytes * repeats / (least(turn, 5) * 1e-3) / 1e9


def stage_rows(renderer: RasterRenderer, views: Sequence[View], name: str) -> Iterator[Row]:
    """Medians over views: each stage's time, and its traffic beside the bandwidth measured now.

    "transform" is part of "geometry", "light" of "colour"; "rest" is the whole call less cull to colour: Python's part.
    """
    bandwidth = triad_gbs()
    yield Row(f"{name}_memory_triad", bandwidth, "GB/s")
    yield Row(f"{name}_cache_triad", triad_gbs(16_384, 50), "GB/s")  # what a small picture works in
    stages = [stages_of(renderer, view) for view in views]
    whole = statistics.median(least(lambda view=view: renderer.render(view)) for view in views)  # type: ignore[misc]
    parts = 0.0
    for stage in stages[0]:
        taken = statistics.median(found[stage][0] for found in stages)
        traffic = statistics.median(found[stage][1] / found[stage][0] * 1e-6 for found in stages)
        parts += taken if stage in ("geometry", "colour", "depth_labels") else 0.0
        yield Row(f"{name}_stage_{stage}", taken, "ms")
        yield Row(f"{name}_stage_{stage}_traffic", traffic, "GB/s", "triad", bandwidth)
    yield Row(f"{name}_stage_rest", whole - parts, "ms")
