"""Tiles: decoding beside trimesh, choosing, a scan from cold to walkable, ten kilometres in bounded memory."""

from collections.abc import Iterator

from citysim.benchmarks.rows import Progress, Row
from citysim.benchmarks.tiles_decode import decode_rows
from citysim.benchmarks.tiles_stream import cross_10km, scan_cold_to_walkable, select_20k


def rows(progress: Progress) -> Iterator[Row]:
    """Every row of `citysim bench tiles`."""
    yield from decode_rows(progress)
    yield from select_20k(progress)
    yield from scan_cold_to_walkable(progress)
    yield from cross_10km(progress)
