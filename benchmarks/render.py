"""Render: pictures beside pyrender, TinyRenderer and Miniworld, several threads, memory and first pictures."""

from collections.abc import Iterator

from citysim.benchmarks.dense import dense_city, roof_poses, street_poses, walk_poses
from citysim.benchmarks.render_miniworld import sidewalk_fps
from citysim.benchmarks.render_peers import peer_ms
from citysim.benchmarks.render_process import first_picture_s, further_process_mb
from citysim.benchmarks.render_stages import stage_rows
from citysim.benchmarks.render_timing import (
    least,
    median_ms,
    paired_ms,
    pavement_poses,
    views_of,
)
from citysim.benchmarks.rows import Progress, Row
from citysim.city import City
from citysim.errors import CitySimError
from citysim.render.base import View
from citysim.render.raster import RasterRenderer

SMALL, SQUARE, MEDIUM, LARGE = (80, 60), (128, 128), (320, 240), (640, 480)
STREETS = 24  # poses of a set


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
    yield from stage_rows(shadowed, views_of(streets, MEDIUM), "dense_320x240")


def street_rows(progress: Progress) -> Iterator[Row]:
    """Streets of an embedded city, and of central Helsinki where it can be had."""
    from citysim import load_city

    progress("streets of mini ...")
    city = load_city("mini")
    yield from _street_rows(city, "street", progress)
    yield from stage_rows(RasterRenderer(city), views_of(pavement_poses(city, STREETS), SQUARE), "street_128x128")
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
    yield Row(f"{name}_128x128_batch_1thread", *_batch_rates(one, one, colour))
    yield Row(f"{name}_128x128_batch_2threads", *_batch_rates(two, one, colour))
    two.close()


def _batch_rates(renderer: RasterRenderer, single: RasterRenderer, views: list[View]) -> tuple[float, str, str, float]:
    """Pictures a second of a batch, and of one after the other on one thread: the same views, in turns.

    Both see every picture once a turn, with caches full of the others: slower than the same picture again and again.
    """

    def one_by_one() -> None:
        for view in views:
            single.render(view)

    def batch() -> None:
        renderer.render_batch(views)

    single.render_batch(views)  # keeps sun maps for all of them
    best = [float("inf")] * 2
    for turn in range(6):
        for place, call in enumerate((batch, one_by_one)):
            taken = least(call, 1)
            best[place] = min(best[place], taken) if turn else best[place]
    rates = [1e3 * len(views) / taken for taken in best]
    return rates[0], "frames/s", "one_by_one", rates[1]


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
