"""Render: pictures beside pyrender, TinyRenderer and Miniworld, several threads, memory and first pictures."""

import time
from collections.abc import Iterator

from citysim.benchmarks.dense import dense_city, roof_poses, street_poses, walk_poses
from citysim.benchmarks.render_miniworld import sidewalk_fps
from citysim.benchmarks.render_peers import peer_ms
from citysim.benchmarks.render_process import first_picture_s, further_process_mb
from citysim.benchmarks.render_timing import (
    median_ms,
    paired_ms,
    pavement_poses,
    stage_ms,
    triad_gbs,
    views_of,
)
from citysim.benchmarks.rows import Progress, Row
from citysim.city import City
from citysim.errors import CitySimError
from citysim.render.base import View
from citysim.render.raster import RasterRenderer

SMALL, SQUARE, MEDIUM, LARGE = (80, 60), (128, 128), (320, 240), (640, 480)
STREETS = 24  # poses of a set
PIXEL_BYTES = 65  # read and written for each pixel by the colour pass: raster-study.md, section 6
DRAW_BYTES = 16  # cleared, tested and written for each pixel by the geometry pass


def rows(progress: Progress) -> Iterator[Row]:
    """Every row of `citysim bench render`."""
    yield from dense_rows(progress)
    yield from street_rows(progress)
    yield from process_rows(progress)


def dense_rows(progress: Progress) -> Iterator[Row]:
    """144 chunks with 313,632 textured triangles."""
    progress("dense scene ...")
    city = dense_city()
    plain, shadowed = RasterRenderer(city, shadows=False), RasterRenderer(city)
    streets, roofs, walk = street_poses(STREETS), roof_poses(STREETS // 3), walk_poses()[:: 100 // (STREETS // 3)]
    unlit = median_ms(plain, views_of(streets, MEDIUM))
    lit = median_ms(shadowed, views_of(streets, MEDIUM, outputs=True))
    for name, value, peers in (
        ("dense_320x240_unlit", unlit, ("pyrender_flat", "pyrender_lit", "tinyrenderer")),
        ("dense_320x240_shadows", lit, ("pyrender_shadows",)),
    ):
        for peer in peers:
            progress(f"{peer} on the dense scene ...")
            theirs = peer_ms(peer)
            if theirs is None:
                progress(f"{peer} does not run here: pip install 'citysim[bench]', and an EGL driver for pyrender")
            yield Row(name, value, "ms", peer, theirs)
    for name, poses in (("street", streets), ("roof", roofs), ("walk", walk)):
        for size in (SMALL, SQUARE):
            taken = median_ms(plain, views_of(poses, size))
            yield Row(f"dense_{size[0]}x{size[1]}_{name}", 1e3 / taken, "frames/s")
        if name != "street":
            yield Row(f"dense_320x240_{name}", median_ms(plain, views_of(poses, MEDIUM)), "ms")
    progress("stages against memory bandwidth ...")
    stages = [stage_ms(shadowed, view) for view in views_of(streets, MEDIUM)]
    pixels = MEDIUM[0] * MEDIUM[1]
    bandwidth = triad_gbs()
    yield Row("memory_triad", bandwidth, "GB/s")
    for name, place, size_b in (("geometry", 0, DRAW_BYTES), ("colour", 1, PIXEL_BYTES)):
        taken = sorted(stage[place] for stage in stages)[len(stages) // 2]
        yield Row(f"stage_{name}", taken, "ms")
        yield Row(f"stage_{name}_traffic", pixels * size_b / taken * 1e-6, "GB/s", "triad", bandwidth)


def street_rows(progress: Progress) -> Iterator[Row]:
    """Streets of an embedded city, and of central Helsinki where it can be had."""
    from citysim import load_city

    progress("streets of mini ...")
    city = load_city("mini")
    yield from _street_rows(city, "street", progress)
    progress("streets of Helsinki ...")
    try:
        helsinki = load_city("helsinki")
    except CitySimError as error:
        progress(f"no Helsinki: {error}")
        return
    renderer = RasterRenderer(helsinki)
    poses = pavement_poses(helsinki, STREETS // 2)
    yield Row("helsinki_128x128_rgb", 1e3 / median_ms(renderer, views_of(poses, SQUARE)), "frames/s")
    yield Row("helsinki_320x240_depth_labels", median_ms(renderer, views_of(poses, MEDIUM, outputs=True)), "ms")


def _street_rows(city: City, name: str, progress: Progress) -> Iterator[Row]:
    poses = pavement_poses(city, STREETS)
    one, two = RasterRenderer(city), RasterRenderer(city, threads=2)
    colour, views = views_of(poses, SQUARE), views_of(poses, SQUARE, outputs=True)
    rgb, both = paired_ms((one, colour), (one, views))
    yield Row(f"{name}_128x128_rgb", 1e3 / rgb, "frames/s")
    yield Row(f"{name}_128x128_rgb_depth_labels", 1e3 / both, "frames/s")
    yield Row(f"{name}_depth_labels_extra", 100.0 * (both - rgb) / rgb, "%")
    ours = 1e3 / median_ms(one, views_of(poses, SMALL))
    yield Row(f"{name}_80x60_rgb", ours, "frames/s", "miniworld_sidewalk", sidewalk_fps(progress))
    large = views_of(poses, LARGE)
    single, double = paired_ms((one, large), (two, large))
    yield Row(f"{name}_640x480_2threads", double, "ms", "one_thread", single)
    yield Row(f"{name}_128x128_batch_1thread", _batch_rate(one, colour), "frames/s", "one_by_one", 1e3 / rgb)
    yield Row(f"{name}_128x128_batch_2threads", _batch_rate(two, colour), "frames/s", "one_by_one", 1e3 / rgb)
    two.close()


def _batch_rate(renderer: RasterRenderer, views: list[View]) -> float:
    renderer.render_batch(views)
    best = 0.0
    for _ in range(5):
        start = time.perf_counter()
        renderer.render_batch(views)
        best = max(best, len(views) / (time.perf_counter() - start))
    return best


def process_rows(progress: Progress) -> Iterator[Row]:
    """Memory of one more process on the same city, and first pictures."""
    progress("memory of a further process ...")
    for kind, value in further_process_mb("mini").items():
        yield Row(f"further_process_{kind}", value, "MB")
    progress("first pictures ...")
    for name, compiled in (("first_picture_compiled", True), ("first_picture_compiling", False)):
        seconds = first_picture_s("mini", compiled)
        if seconds is not None:
            yield Row(name, seconds, "s")
