"""Bounding volumes of the tiles of a quadtree or octree, from that of its root."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from citysim.geo.volumes import numbers_of

Json = dict[str, Any]


def subdivided(volume: Mapping[str, Any], at: tuple[int, int, int, int], octree: bool) -> Json:
    """The volume of the tile at (level, x, y, z) below a root with `volume` (3D Tiles 1.1, implicit tiling).

    Boxes are split along their axes and regions along longitude, latitude and, in an octree, height; spheres and S2
    cells stay those of the root, which contain all of it. Raises FormatError for broken numbers.
    """
    level, *index = at
    parts = np.array([2.0**level, 2.0**level, 2.0**level if octree else 1.0])
    place = np.array([*index[:2], index[2] if octree else 0], dtype=np.float64)
    if "box" in volume:
        numbers = numbers_of(volume["box"], 12, "box")
        axes = numbers[3:].reshape(3, 3)
        center = numbers[:3] + ((2.0 * place + 1.0) / parts - 1.0) @ axes
        return {"box": [*center.tolist(), *(axes / parts[:, None]).reshape(-1).tolist()]}
    if "region" in volume:
        west, south, east, north, low, high = numbers_of(volume["region"], 6, "region").tolist()
        if east < west:  # across the antimeridian
            east += 2.0 * np.pi
        start = np.array([west, south, low])
        step = np.array([east - west, north - south, high - low]) / parts
        near, far = start + step * place, start + step * (place + 1.0)
        wrapped = [float(v - 2.0 * np.pi if v > np.pi else v) for v in (near[0], far[0])]
        return {"region": [wrapped[0], float(near[1]), wrapped[1], float(far[1]), float(near[2]), float(far[2])]}
    return dict(volume)
