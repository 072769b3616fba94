"""A tile's content as trimesh meshes in local metres."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from citysim.geo.content.container import unpack
from citysim.geo.content.document import Document, extension_of
from citysim.geo.content.nodes import UP_TO_Z, placed_meshes
from citysim.geo.content.primitives import Primitive, read_primitive
from citysim.geo.content.surfaces import Surface, surface_of
from citysim.geo.store import TileSource, fetch
from citysim.geo.volumes import transform

if TYPE_CHECKING:
    import trimesh

LATTICE = 1024.0  # decoded positions are multiples of 1/1024 m, so that every machine decodes the same bits
MAX_EXTENT = 2.0**31 / LATTICE  # metres from the local origin that lattice numbers can hold
Array = NDArray[np.float64]


def documents(source: TileSource, uri: str) -> Iterator[Document]:
    """The glTF documents of one content (one, or several in a composite)."""
    payloads = unpack(fetch(source, uri), uri)
    for position, payload in enumerate(payloads):
        yield Document(payload, uri, source, f"{uri}#{position}" if len(payloads) > 1 else uri)


def surfaces_in(source: TileSource, uri: str) -> list[Surface]:
    """Surfaces of a content in order of appearance, without decoding geometry or pixels."""
    found: dict[Surface, None] = {}
    for document in documents(source, uri):
        for index in range(document.count("meshes")):
            primitives = document.item("meshes", index).get("primitives")
            for primitive in primitives if isinstance(primitives, list) else []:
                if isinstance(primitive, dict):
                    found.setdefault(surface_of(document, primitive.get("material"))[0])
    return list(found)


def decode_meshes(source: TileSource, uri: str, tile_to_local: Array, up_axis: str = "Y") -> "list[trimesh.Trimesh]":
    """Decode one content.

    `tile_to_local` (4, 4) float64 takes z-up tile coordinates to local east-north-up metres. Every mesh has float64
    vertices in local metres on the 1/1024 m lattice, faces counter-clockwise from outside, `vertex_attributes` `uv`
    ((V, 2), glTF's convention), `color` ((V, 4) uint8) and `feature` ((V,), -1 for none), and `metadata["surface"]`.
    Triangles with bad indices, non-finite corners or no area are left out.
    Raises StorageError for bytes that cannot be had and FormatError for broken content.
    """
    meshes = []
    for document in documents(source, uri):
        to_local = tile_to_local @ _translation(document.payload.rtc_center) @ _cesium_rtc(document) @ UP_TO_Z[up_axis]
        for mesh, matrix in placed_meshes(document):
            primitives = mesh.get("primitives")
            for entry in primitives if isinstance(primitives, list) else []:
                primitive = read_primitive(document, entry)
                made = None if primitive is None else _place(primitive, to_local @ matrix)
                if made is not None:
                    meshes.append(made)
    return meshes


def _place(primitive: Primitive, matrix: Array) -> "trimesh.Trimesh | None":
    import trimesh

    with np.errstate(over="ignore", invalid="ignore"):
        points = np.round(transform(matrix, primitive.positions) * LATTICE) / LATTICE
    sound = np.logical_and.reduce(np.isfinite(points) & (np.abs(points) < MAX_EXTENT), axis=1)
    points[~sound] = 0.0
    faces = primitive.triangles
    count = len(points)
    faces = faces[((faces >= 0) & (faces < count)).all(axis=1)] if count else faces[:0]
    faces = faces[sound[faces].all(axis=1)]
    a, b, c = points[faces[:, 0]], points[faces[:, 1]], points[faces[:, 2]]
    faces = faces[(np.cross(b - a, c - a) != 0.0).any(axis=1)]
    if not len(faces):
        return None
    if np.linalg.det(matrix[:3, :3]) < 0.0:  # a mirrored node turns its faces inside out
        faces = faces[:, ::-1]
    used = np.zeros(count, bool)
    used[faces] = True
    if not used.all():
        faces = (np.cumsum(used) - 1)[faces]
    return trimesh.Trimesh(
        vertices=points[used],
        faces=faces,
        process=False,
        validate=False,
        vertex_attributes={
            "uv": primitive.uvs[used],
            "color": primitive.colors[used],
            "feature": primitive.features[used],
        },
        metadata={"surface": primitive.surface},
    )


def _translation(offset: tuple[float, ...] | Array) -> Array:
    matrix = np.eye(4)
    matrix[:3, 3] = offset
    return matrix


def _cesium_rtc(document: Document) -> Array:
    """CESIUM_RTC: a centre in tile coordinates, added after the turn to z-up like b3dm's RTC_CENTER."""
    center = (extension_of(document.gltf, "CESIUM_RTC") or {}).get("center")
    if not isinstance(center, list) or len(center) != 3:
        return np.eye(4)
    if not all(isinstance(n, int | float) and abs(n) < 1e12 for n in center):
        raise document.broken("a CESIUM_RTC centre that is no number")
    return _translation(tuple(float(n) for n in center))
