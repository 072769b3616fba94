"""i3dm: one model at many places."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from citysim.geo.content.glb import read_gltf
from citysim.geo.content.payload import Instances, Payload
from citysim.geo.content.tables import Table, broken, parse_json, split
from citysim.geo.frames import ecef_to_geodetic

Array = NDArray[np.float64]
MAX_INSTANCES = 1_000_000


@np.errstate(over="ignore", invalid="ignore", divide="ignore")  # what is no number is dropped where it is placed
def read_i3dm(data: bytes, uri: str) -> list[Payload]:
    """The model of an i3dm, or a reference to it, with its places; raises FormatError."""
    rest, pieces, content = split(data, "<4s7I", uri)
    features = Table(parse_json(pieces[0], uri), pieces[1], uri)
    count = features.count("INSTANCES_LENGTH")
    if count > MAX_INSTANCES:
        raise broken(uri, f"{count} instances")
    if count == 0:
        return []
    if rest[4] == 0:
        reference = content.strip(b"\x00 \t\r\n").decode("utf-8", "replace")
        model = Payload(reference=reference) if reference else None
    elif rest[4] == 1:
        model = read_gltf(content, uri)
    else:
        raise broken(uri, f"gltfFormat {rest[4]}")
    if model is None:
        return []
    batch = features.column("BATCH_ID", count, 1, "<u2")
    identifiers = np.arange(count) if batch is None else batch[:, 0]
    batch_json = parse_json(pieces[2], uri)
    return [
        replace(
            model,
            rtc_center=features.center(),
            batch_length=int(identifiers.max()) + 1 if batch_json or batch is not None else 0,
            batch_json=batch_json,
            batch_binary=pieces[3],
            instances=Instances(_matrices(features, count), identifiers.astype(np.int64)),
        )
    ]


def positions_of(features: Table, count: int) -> Array:
    """(count, 3) float64 of POSITION or POSITION_QUANTIZED; raises FormatError without either."""
    plain = features.column("POSITION", count, 3, "<f4")
    if plain is not None:
        return plain.astype(np.float64)
    packed = features.column("POSITION_QUANTIZED", count, 3, "<u2")
    offset, scale = (features.vector(f"QUANTIZED_VOLUME_{name}", 3) for name in ("OFFSET", "SCALE"))
    if packed is None or offset is None or scale is None:
        raise broken(features.uri, "no POSITION")
    return packed.astype(np.float64) / 65535.0 * np.array(scale) + np.array(offset)


def _matrices(features: Table, count: int) -> Array:
    """(count, 4, 4): scale, then turn (right, up, forward are the model's x, y, z), then move."""
    positions = positions_of(features, count)
    right = _directions(features, "NORMAL_RIGHT", count)
    up = _directions(features, "NORMAL_UP", count)
    matrices = np.broadcast_to(np.eye(4), (count, 4, 4)).copy()
    if right is not None and up is not None:
        matrices[:, :3, :3] = np.stack([right, up, np.cross(right, up)], axis=2)
    elif features.header.get("EAST_NORTH_UP") is True:
        matrices[:, :3, :3] = _east_north_up(positions + np.array(features.center()))
    scale = np.ones((count, 3))
    for name, width in (("SCALE", 1), ("SCALE_NON_UNIFORM", 3)):
        factor = features.column(name, count, width, "<f4")
        if factor is not None:
            scale = scale * factor.astype(np.float64)
    matrices[:, :3, :3] *= scale[:, None, :]
    matrices[:, :3, 3] = positions
    return matrices


def _directions(features: Table, name: str, count: int) -> Array | None:
    plain = features.column(name, count, 3, "<f4")
    if plain is not None:
        return plain.astype(np.float64)
    packed = features.column(f"{name}_OCT32P", count, 2, "<u2")
    return None if packed is None else oct_decoded(packed.astype(np.float64) / 65535.0 * 2.0 - 1.0)


def oct_decoded(pairs: Array) -> Array:
    """(N, 3) unit vectors of (N, 2) octahedral coordinates in [-1, 1] (Meyer et al. 2010)."""
    x, y = pairs[:, 0], pairs[:, 1]
    z = 1.0 - np.abs(x) - np.abs(y)
    fold = z < 0.0
    folded_x = (1.0 - np.abs(y)) * np.where(x >= 0.0, 1.0, -1.0)
    folded_y = (1.0 - np.abs(x)) * np.where(y >= 0.0, 1.0, -1.0)
    vectors = np.stack([np.where(fold, folded_x, x), np.where(fold, folded_y, y), z], axis=1)
    length: Array = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / length


def _east_north_up(ecef: Array) -> Array:
    """(N, 3, 3) axes on Earth; the unit matrix for what is not on it."""
    lonlat = np.radians(np.nan_to_num(ecef_to_geodetic(ecef)[:, :2]))
    sl, cl, sp, cp = np.sin(lonlat[:, 0]), np.cos(lonlat[:, 0]), np.sin(lonlat[:, 1]), np.cos(lonlat[:, 1])
    zero = np.zeros_like(sl)
    axes = np.stack([-sl, -sp * cl, cp * cl, cl, -sp * sl, cp * sl, zero, cp, sp], axis=1).reshape(-1, 3, 3)
    axes[np.linalg.norm(ecef, axis=1) < 1e6] = np.eye(3)
    return axes
