"""A tile's content as trimesh meshes in local metres."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from citysim.errors import FormatError
from citysim.geo.content.document import Document, documents, extension_of
from citysim.geo.content.features import feature_count
from citysim.geo.content.nodes import UP_TO_Z, placed_meshes
from citysim.geo.content.notices import Notices
from citysim.geo.content.placement import LATTICE, MAX_EXTENT, placed
from citysim.geo.content.primitives import Primitive, read_primitive
from citysim.geo.content.splats import splats, thinned
from citysim.geo.content.surfaces import Surface, surface_of
from citysim.geo.store import TileSource

if TYPE_CHECKING:
    import trimesh

__all__ = ["LATTICE", "decode_meshes", "document_surfaces", "meshes_of", "surfaces_in"]

MAX_SIZE = 10_000_000  # corners and triangles of one content, all instances together
POINTS = Surface(unlit=True, name="points")
Array = NDArray[np.float64]


def surfaces_in(source: TileSource, uri: str) -> list[Surface]:
    """Surfaces of a content in order of appearance, without decoding geometry or pixels."""
    return list(dict.fromkeys(s for document in documents(source, uri) for s in document_surfaces(document)))


def document_surfaces(document: Document) -> Iterator[Surface]:
    """Surfaces of one document in order of appearance, repeated as they are met."""
    if document.payload.points is not None:
        yield POINTS
    for index in range(document.count("meshes")):
        primitives = document.item("meshes", index).get("primitives")
        for primitive in primitives if isinstance(primitives, list) else []:
            if isinstance(primitive, dict):
                yield surface_of(document, primitive.get("material"))[0]


def decode_meshes(
    source: TileSource, uri: str, tile_to_local: Array, up_axis: str = "Y", notices: Notices | None = None
) -> "list[trimesh.Trimesh]":
    """Decode one content.

    `tile_to_local` (4, 4) float64 takes z-up tile coordinates to local east-north-up metres. Every mesh has float64
    vertices in local metres on the 1/1024 m lattice, faces counter-clockwise from outside, `vertex_attributes` `uv`
    ((V, 2) float32 or float64, glTF's convention), `color` ((V, 4) uint8) and `feature` ((V,), -1 for none; numbers as
    in `features.content_features`), and `metadata["surface"]`. Points become small solids; what is left out is said in
    `notices`. Triangles with bad indices, non-finite corners or no area are left out.
    Raises StorageError for bytes that cannot be had, FormatError for broken content, and DependencyError where a
    decoder is not installed.
    """
    notices = Notices() if notices is None else notices
    return meshes_of(documents(source, uri, notices), uri, tile_to_local, up_axis, notices)


def meshes_of(
    parts: Iterable[Document], uri: str, tile_to_local: Array, up_axis: str, notices: Notices
) -> "list[trimesh.Trimesh]":
    """The same of the documents of the content `uri`."""
    meshes: list[trimesh.Trimesh] = []
    first, room = 0, MAX_SIZE
    for document in parts:
        for primitive, matrices, features in _parts(document, tile_to_local, up_axis):
            room -= (len(primitive.positions) + len(_triangles(primitive))) * len(matrices)
            if room < 0:
                raise FormatError(f"at most {MAX_SIZE} corners a tile", f"more in '{uri}'", "smaller tiles")
            made = _place(primitive, matrices, features, first, notices)
            if made is not None:
                meshes.append(made)
        first += feature_count(document)
    return meshes


def _parts(document: Document, to_local: Array, up_axis: str) -> Any:
    """Every primitive with its (N, 4, 4) matrices to local metres and the features of its instances, None without."""
    payload = document.payload
    if any(payload.rtc_center):
        to_local = to_local @ _translation(payload.rtc_center)
    if payload.points is not None:
        count = len(payload.points.positions)
        points = payload.points
        blank = np.zeros((count, 2))
        yield Primitive(points.positions, None, blank, points.colors, points.features, POINTS), to_local[None], None
        return
    instances = payload.instances
    outer = to_local[None] if instances is None else to_local @ instances.matrices
    center = _cesium_rtc(document)
    if center is not None:
        outer = outer @ _translation(center)
    outer = outer @ UP_TO_Z[up_axis]
    cache: dict[int, list[Primitive]] = {}
    for mesh, matrices, inner in placed_meshes(document):
        if len(outer) * len(matrices) > MAX_SIZE:
            raise document.broken(f"{len(outer) * len(matrices)} instances")
        placed = (outer[:, None] @ matrices[None]).reshape(-1, 4, 4)
        features = None
        if inner is not None:
            features = np.tile(inner, len(outer))
        elif instances is not None:
            features = np.repeat(instances.features, len(matrices))
        if id(mesh) not in cache:
            entries = mesh.get("primitives")
            found = [read_primitive(document, entry) for entry in (entries if isinstance(entries, list) else [])]
            cache[id(mesh)] = [primitive for primitive in found if primitive is not None]
        for primitive in cache[id(mesh)]:
            yield primitive, placed, features


def _triangles(primitive: Primitive) -> NDArray[np.uint32]:
    return np.empty((0, 3), np.uint32) if primitive.triangles is None else primitive.triangles


def _place(
    primitive: Primitive, matrices: Array, features: NDArray[np.int64] | None, first: int, notices: Notices
) -> "trimesh.Trimesh | None":
    """One mesh of all instances of a primitive; feature numbers start at `first`."""
    import trimesh

    count = len(primitive.positions)
    if primitive.triangles is None:
        points, faces, source = _splats(primitive.positions, matrices, notices)
    else:
        points, faces, source, lost = placed(primitive.positions, primitive.triangles, matrices)
        if lost:
            notices.add("left out corners that are no numbers or too far away")
    if not len(faces):
        return None
    whole = len(source) == count and primitive.triangles is not None and len(matrices) == 1
    corner = source if len(matrices) == 1 else source % count

    def kept(values: NDArray[Any]) -> NDArray[Any]:
        return values if whole else values.take(corner, axis=0)

    numbers = kept(primitive.features) if features is None else features[source // count]
    if first:
        numbers = np.where(numbers >= 0, numbers + first, -1)
    return trimesh.Trimesh(
        vertices=points,
        faces=faces,
        process=False,
        validate=False,
        vertex_attributes={"uv": kept(primitive.uvs), "color": kept(primitive.colors), "feature": numbers},
        metadata={"surface": primitive.surface},
    )


def _splats(positions: Array, matrices: Array, notices: Notices) -> tuple[Array, NDArray[np.int64], NDArray[np.int64]]:
    """Points, triangles and sources, as `placement.placed` gives them, of a solid at every point."""
    total = len(positions) * len(matrices)
    keep = thinned(total)
    if keep is None:
        keep = np.arange(total)
    else:
        notices.add(f"{total} points thinned to {len(keep)}")
    with np.errstate(over="ignore", invalid="ignore"):
        x, y, z = positions.T
        rows = [matrices[:, i, :, None] for i in range(3)]
        axes = [row[:, 0] * x + row[:, 1] * y + row[:, 2] * z + row[:, 3] for row in rows]
        points = np.stack(axes, axis=-1).reshape(-1, 3)[keep]
    near = np.logical_and.reduce(np.abs(points) < MAX_EXTENT, axis=1)  # false for what is no number
    keep, points = keep[near], points[near]
    if not len(points):
        return points, np.empty((0, 3), np.int64), keep
    notices.add("points shown as small solids")
    solids, triangles = splats(points)
    corners, faces, source, _ = placed(solids, triangles.astype(np.uint32), np.eye(4)[None])
    return corners, faces, keep[source // 4]


def _translation(offset: tuple[float, ...] | Array) -> Array:
    matrix = np.eye(4)
    matrix[:3, 3] = offset
    return matrix


def _cesium_rtc(document: Document) -> tuple[float, ...] | None:
    """CESIUM_RTC: a centre in tile coordinates, added after the turn to z-up like b3dm's RTC_CENTER; None without."""
    center = (extension_of(document.gltf, "CESIUM_RTC") or {}).get("center")
    if not isinstance(center, list) or len(center) != 3:
        return None
    if not all(isinstance(n, int | float) and abs(n) < 1e12 for n in center):
        raise document.broken("a CESIUM_RTC centre that is no number")
    return tuple(float(n) for n in center)
