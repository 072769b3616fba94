"""Bounding volumes of 3D Tiles (box, region, sphere, S2 cell) as bounding spheres in local metres."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.errors import FormatError
from citysim.geo.frames import WGS84_A, geodetic_to_ecef
from citysim.geo.s2 import cell_lonlat, cell_of

Array = NDArray[np.float64]
_SIGNS = np.array([(1, 1, 1), (1, 1, -1), (1, -1, 1), (-1, 1, 1)], dtype=np.float64)
_GRID = 9  # samples along each side of a region
S2 = "3DTILES_bounding_volume_S2"


class Sphere(NamedTuple):
    """A bounding sphere: centre (3,) float64 and radius, metres."""

    center: Array
    radius: float


def bounding_sphere(volume: Mapping[str, Any], tile_to_local: Array, ecef_to_local: Array) -> Sphere:
    """Sphere around a `boundingVolume` object.

    `tile_to_local` (4, 4) takes the tile's coordinates to local metres; `ecef_to_local` (4, 4) is used for regions,
    which ignore tile transforms. Raises FormatError for volumes of another kind or with broken numbers.
    """
    if "box" in volume:
        numbers = numbers_of(volume["box"], 12, "box")
        axes = numbers[3:].reshape(3, 3) @ tile_to_local[:3, :3].T
        return Sphere(transform(tile_to_local, numbers[:3]), float(np.linalg.norm(_SIGNS @ axes, axis=1).max()))
    if "sphere" in volume:
        numbers = numbers_of(volume["sphere"], 4, "sphere")
        scale = float(np.linalg.norm(tile_to_local[:3, :3], axis=0).max())
        return Sphere(transform(tile_to_local, numbers[:3]), abs(float(numbers[3])) * scale)
    if "region" in volume:
        return _region(numbers_of(volume["region"], 6, "region"), ecef_to_local)
    extensions = volume.get("extensions")
    cell = extensions.get(S2) if isinstance(extensions, dict) else None
    if isinstance(cell, dict):
        heights = [cell.get("minimumHeight", 0.0), cell.get("maximumHeight", 0.0)]
        return _s2(cell.get("token"), numbers_of(heights, 2, "pair of heights"), ecef_to_local)
    raise FormatError(
        "a boundingVolume with box, region or sphere", f"{sorted(map(str, volume))}", "exporting the tileset with boxes"
    )


def transform(matrix: Array, points: Array) -> Array:
    """(..., 3) points through a (4, 4) affine matrix, in plain element-wise float64 (the same bits everywhere)."""
    x, y, z = points[..., 0], points[..., 1], points[..., 2]
    rows = [matrix[i, 0] * x + matrix[i, 1] * y + matrix[i, 2] * z + matrix[i, 3] for i in range(3)]
    return np.stack(rows, axis=-1)


def _region(region: Array, ecef_to_local: Array) -> Sphere:
    west, south, east, north, low, high = region
    low, high = min(low, high), max(low, high)
    if east < west:  # across the antimeridian
        east += 2.0 * np.pi
    if not (abs(south) < 1.6 and abs(north) < 1.6 and south <= north and east - west < 6.4):
        raise FormatError("a region in radians: west, south, east, north", f"{region[:4]}", "radians, not degrees")
    lon, lat = np.meshgrid(np.linspace(west, east, _GRID), np.linspace(south, north, _GRID))
    points = [
        geodetic_to_ecef(np.stack([np.degrees(lon), np.degrees(lat), np.full_like(lon, height)], axis=-1))
        for height in (low, high)
    ]
    local = transform(ecef_to_local, np.concatenate(points).reshape(-1, 3))
    center = (local.min(axis=0) + local.max(axis=0)) / 2.0
    # between two samples the surface bulges out by at most the sagitta of one step
    steps = np.array([east - west, north - south]) / (_GRID - 1)
    bulge = (WGS84_A + abs(high)) * float((1.0 - np.cos(np.minimum(steps, np.pi) / 2.0)).sum())
    return Sphere(center, float(np.linalg.norm(local - center, axis=1).max()) + bulge)


def _s2(token: Any, heights: Array, ecef_to_local: Array) -> Sphere:
    lonlat = cell_lonlat(token, _GRID).reshape(-1, 2)
    ends = [np.column_stack([lonlat, np.full(len(lonlat), height)]) for height in heights]
    local = transform(ecef_to_local, geodetic_to_ecef(np.concatenate(ends)))
    center = (local.min(axis=0) + local.max(axis=0)) / 2.0
    # a point of the cell is at most half a grid step's diagonal from a sample, along a surface of Earth's size
    step = np.pi / 2.0 / 2 ** cell_of(token)[3] * 2.0 / (_GRID - 1)
    bulge = (WGS84_A + float(np.abs(heights).max())) * min(step, 2.0) * 0.75
    return Sphere(center, float(np.linalg.norm(local - center, axis=1).max()) + bulge)


def numbers_of(values: Any, count: int, kind: str) -> Array:
    """(count,) finite numbers of a JSON value; raises FormatError."""
    try:
        numbers = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        numbers = np.empty(0)
    if numbers.shape != (count,) or not np.isfinite(numbers).all() or np.abs(numbers).max() > 1e12:
        raise FormatError(f"a {kind} of {count} finite numbers", f"{values!r:.80}", "exporting the tileset again")
    return numbers
