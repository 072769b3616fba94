"""Stand-ins: where a finest tile is missing, the part of a coarser one that covers the same place."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.city.model import Chunk
from citysim.geo.tileset import TileNode
from citysim.geo.volumes import Sphere, transform

Array = NDArray[np.float64]


def find_stand_ins(nodes: Sequence[TileNode], present: Sequence[bool]) -> dict[int, int]:
    """By missing leaf, the nearest coarser tile that its parents' REPLACE takes away from there.

    `present` says which tiles have content that can be had. Without this a gap would open in the ground.
    """
    below = [False] * len(nodes)
    for index in range(len(nodes) - 1, 0, -1):
        below[nodes[index].parent] |= present[index] or below[index]
    found: dict[int, int] = {}
    for index, node in enumerate(nodes):
        if not node.uris or present[index] or below[index]:
            continue
        above = node.parent
        while above >= 0 and nodes[above].refine == "REPLACE" and not present[above]:
            above = nodes[above].parent
        if above >= 0 and nodes[above].refine == "REPLACE":
            found[index] = above
    return found


def cut_out(chunk: Chunk, volume: Mapping[str, Any], tile_to_local: Array, sphere: Sphere) -> Chunk:
    """The triangles of a chunk that reach into a bounding volume: whole ones, so that no gap stays at its edge."""
    points = chunk.positions.astype(np.float64) + chunk.origin
    if "box" in volume:
        numbers = np.asarray(volume["box"], dtype=np.float64)
        center, axes = transform(tile_to_local, numbers[:3]), tile_to_local[:3, :3] @ numbers[3:].reshape(3, 3).T
        inside = (points - center) @ np.linalg.pinv(axes).T
    else:
        inside = (points - sphere.center) / max(sphere.radius, 1e-9)
    corners = inside[chunk.triangles]
    reach = ((corners.min(axis=1) <= 1.0) & (corners.max(axis=1) >= -1.0)).all(axis=1)
    triangles = chunk.triangles[reach]
    used = np.zeros(len(points), dtype=bool)
    used[triangles] = True
    return Chunk(
        chunk.origin,
        chunk.positions[used],
        chunk.uvs[used],
        chunk.colors[used],
        (np.cumsum(used) - 1).astype(np.int32)[triangles],
        chunk.materials[reach],
        chunk.labels[reach],
    )
