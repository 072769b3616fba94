"""Where an imported tileset stands: on Earth, or in a frame of its own that is given a place."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.errors import FormatError
from citysim.geo.content.meshes import decode_meshes
from citysim.geo.frames import WGS84_A, LocalFrame, ecef_to_geodetic
from citysim.geo.store import TileSource
from citysim.geo.tileset import Tileset
from citysim.geo.volumes import bounding_sphere

Array = NDArray[np.float64]

DEFAULT_ORIGIN = LocalFrame(114.2, 22.3, 0.0)
"""Where the origin of a tileset without a place on Earth is put (Hong Kong, as in `Conditions`)."""

FAR_M = 5000.0  # a local tileset further from its origin is moved there, in whole metres
SAMPLE_TILES = 64
FEW_TRIANGLES = 200  # too few to be a scan of anything: a panel, a test shape

# rotations that bring an up axis of the tileset to z
TURNS = {
    "+z": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "-z": ((1, 0, 0), (0, -1, 0), (0, 0, -1)),
    "+y": ((1, 0, 0), (0, 0, -1), (0, 1, 0)),
    "-y": ((1, 0, 0), (0, 0, 1), (0, -1, 0)),
    "+x": ((0, 0, -1), (0, 1, 0), (1, 0, 0)),
    "-x": ((0, 0, 1), (0, 1, 0), (-1, 0, 0)),
}


@dataclass(frozen=True, slots=True)
class Placing:
    """`placement` (4, 4) takes tileset coordinates to local metres of `frame`; None for a tileset on Earth."""

    frame: LocalFrame
    placement: Array | None
    up: str = "+z"


def place_tileset(source: TileSource, tileset: Tileset) -> Placing:
    """Find out where a tileset stands.

    On Earth: the origin is the middle of its tiles, at ellipsoidal height 0. Elsewhere: its coordinates are local
    metres with the origin at `DEFAULT_ORIGIN`; its up axis is the one that the surface faces (scans are open from
    below), z when that is undecided. Raises FormatError for a tileset without content.
    """
    centers = content_centers(tileset)
    middle = (centers.min(axis=0) + centers.max(axis=0)) / 2.0
    if on_earth(centers):
        lon, lat, _ = ecef_to_geodetic(middle)
        return Placing(LocalFrame(round(float(lon), 6), round(float(lat), 6), 0.0), None)
    up = facing(source, tileset)
    placement = np.eye(4)
    placement[:3, :3] = TURNS[up]
    turned = placement[:3, :3] @ middle
    if np.linalg.norm(turned) > FAR_M:
        placement[:3, 3] = -np.round(turned)
    return Placing(DEFAULT_ORIGIN, placement, up)


def content_centers(tileset: Tileset) -> Array:
    """(N, 3) centres of the bounding spheres of tiles with content, tileset coordinates."""
    rows = [bounding_sphere(n.volume, n.matrix, np.eye(4)).center for n in tileset.tiles if n.uris]
    if not rows:
        raise FormatError("a tileset with content", "none in any tile", "another tileset or a larger --bbox")
    return np.array(rows)


def on_earth(points: Array) -> bool:
    """Whether Earth-centred points lie within 100 km of the ellipsoid (most of them: some may be stray)."""
    heights = ecef_to_geodetic(points)[:, 2]
    near = np.isfinite(heights) & (np.abs(heights) < 100_000.0) & (np.linalg.norm(points, axis=1) > 6.2e6)
    return bool(near.mean() > 0.5)


def earthly(volume: dict[str, Any], matrix: Array) -> bool:
    """Whether a root's bounding volume is one on Earth: a region, or about a place on the ellipsoid or all of it."""
    if "region" in volume:
        return True
    sphere = bounding_sphere(volume, matrix, np.eye(4))
    whole = sphere.radius > WGS84_A / 2.0 and float(np.linalg.norm(sphere.center)) < WGS84_A
    return whole or on_earth(sphere.center[None])


def facing(source: TileSource, tileset: Tileset) -> str:
    """The signed axis that the surfaces of a sample of leaf tiles face, "+z" unless it is clear."""
    leaves = [n for n in tileset.tiles if n.uris and not n.children]
    total, area, faces = np.zeros(3), 0.0, 0
    for node in leaves[:: max(1, len(leaves) // SAMPLE_TILES)]:
        for uri in node.uris:
            for mesh in decode_meshes(source, uri, node.matrix, node.up_axis):
                corners = np.asarray(mesh.vertices)[np.asarray(mesh.faces)]
                normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
                faces += len(corners)
                total += normals.sum(axis=0)
                area += float(np.linalg.norm(normals, axis=1).sum())
    axis = int(np.abs(total).argmax())
    if faces < FEW_TRIANGLES or abs(total[axis]) < 0.4 * area:
        return "+z"
    return ("+" if total[axis] > 0 else "-") + "xyz"[axis]
