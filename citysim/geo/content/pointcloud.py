"""pnts: point clouds."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.geo.content.draco import decode_points
from citysim.geo.content.instanced import positions_of
from citysim.geo.content.payload import Payload, Points
from citysim.geo.content.tables import Table, broken, parse_json, split

DRACO = "3DTILES_draco_point_compression"
MAX_POINTS = 20_000_000
GREY = 192


@np.errstate(over="ignore", invalid="ignore", divide="ignore")  # what is no number is dropped where it is placed
def read_pnts(data: bytes, uri: str) -> list[Payload]:
    """The points of a pnts; raises FormatError for broken data and DependencyError for Draco without DracoPy."""
    _, pieces, _ = split(data, "<4s6I", uri)
    features = Table(parse_json(pieces[0], uri), pieces[1], uri)
    count = features.count("POINTS_LENGTH")
    if count > MAX_POINTS:
        raise broken(uri, f"{count} points")
    if count == 0:
        return []
    packed = _draco(features)
    positions = packed.get("POSITION")
    positions = positions_of(features, count) if positions is None else positions.astype(np.float64)
    count = len(positions)  # what Draco says stands
    batch = packed.get("BATCH_ID")
    batch = features.column("BATCH_ID", count, 1, "<u2") if batch is None else batch
    batch_length = features.count("BATCH_LENGTH") if batch is not None else 0
    identifiers = np.full(count, -1, np.int64) if batch is None else batch[:, 0].astype(np.int64)
    if positions.shape[1] != 3 or len(identifiers) != count:
        raise broken(uri, "points of different numbers")
    return [
        Payload(
            rtc_center=features.center(),
            batch_length=batch_length,
            batch_json=parse_json(pieces[2], uri) if batch_length else {},
            batch_binary=pieces[3],
            points=Points(positions, _colors(features, packed, count), identifiers),
        )
    ]


def _draco(features: Table) -> dict[str, NDArray[Any]]:
    extensions = features.header.get("extensions")
    settings = extensions.get(DRACO) if isinstance(extensions, dict) else None
    if not isinstance(settings, dict) or not isinstance(settings.get("properties"), dict):
        return {}
    start, size = settings.get("byteOffset"), settings.get("byteLength")
    if not isinstance(start, int) or not isinstance(size, int) or not 0 <= start <= start + size <= len(features.body):
        raise broken(features.uri, "compressed points outside the table")
    return decode_points(settings["properties"], features.body[start : start + size])


def _colors(features: Table, packed: dict[str, NDArray[Any]], count: int) -> NDArray[np.uint8]:
    """(count, 4) by the first of RGBA, RGB, RGB565, CONSTANT_RGBA that is there, else grey."""
    colors = np.full((count, 4), 255, np.uint8)
    for name, width in (("RGBA", 4), ("RGB", 3)):
        values = packed.get(name)
        values = features.column(name, count, width, "<u1") if values is None else values
        if values is not None and values.shape == (count, width):
            colors[:, :width] = values
            return colors
    short = features.column("RGB565", count, 1, "<u2")
    if short is not None:
        bits = short[:, 0].astype(np.int64)
        for channel, (shift, top) in enumerate(((11, 31), (5, 63), (0, 31))):
            colors[:, channel] = np.round(((bits >> shift) & top) * (255.0 / top))
        return colors
    constant = features.column("CONSTANT_RGBA", 1, 4, "<u1")
    colors[:] = (GREY, GREY, GREY, 255) if constant is None else constant[0]
    return colors
