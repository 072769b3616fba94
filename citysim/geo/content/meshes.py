"""A tile's content as trimesh meshes in local metres."""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from citysim.errors import FormatError
from citysim.geo.content.document import Document, documents, extension_of
from citysim.geo.content.features import feature_count
from citysim.geo.content.nodes import UP_TO_Z, placed_meshes
from citysim.geo.content.notices import Notices
from citysim.geo.content.payload import Instances
from citysim.geo.content.primitives import Primitive, read_primitive
from citysim.geo.content.splats import MAX_SPLATS, splats, thinned
from citysim.geo.content.surfaces import Surface, surface_of
from citysim.geo.store import TileSource

if TYPE_CHECKING:
    import trimesh

LATTICE = 1024.0  # decoded positions are multiples of 1/1024 m, so that every machine decodes the same bits
MAX_EXTENT = 2.0**31 / LATTICE  # metres from the local origin that lattice numbers can hold
MAX_VERTICES = 20_000_000  # of one content, all instances together
POINTS = Surface(unlit=True, name="points")
Array = NDArray[np.float64]


def surfaces_in(source: TileSource, uri: str) -> list[Surface]:
    """Surfaces of a content in order of appearance, without decoding geometry or pixels."""
    found: dict[Surface, None] = {}
    for document in documents(source, uri):
        if document.payload.points is not None:
            found.setdefault(POINTS)
        for index in range(document.count("meshes")):
            primitives = document.item("meshes", index).get("primitives")
            for primitive in primitives if isinstance(primitives, list) else []:
                if isinstance(primitive, dict):
                    found.setdefault(surface_of(document, primitive.get("material"))[0])
    return list(found)


def decode_meshes(
    source: TileSource, uri: str, tile_to_local: Array, up_axis: str = "Y", notices: Notices | None = None
) -> "list[trimesh.Trimesh]":
    """Decode one content.

    `tile_to_local` (4, 4) float64 takes z-up tile coordinates to local east-north-up metres. Every mesh has float64
    vertices in local metres on the 1/1024 m lattice, faces counter-clockwise from outside, `vertex_attributes` `uv`
    ((V, 2), glTF's convention), `color` ((V, 4) uint8) and `feature` ((V,), -1 for none; numbers as in
    `features.content_features`), and `metadata["surface"]`. Points become small solids; what is left out is said in
    `notices`. Triangles with bad indices, non-finite corners or no area are left out.
    Raises StorageError for bytes that cannot be had, FormatError for broken content, and DependencyError where a
    decoder is not installed.
    """
    notices = Notices() if notices is None else notices
    meshes: list[trimesh.Trimesh] = []
    first, room = 0, MAX_VERTICES
    for document in documents(source, uri, notices):
        for primitive, matrices, features in _parts(document, tile_to_local, up_axis):
            room -= len(primitive.positions) * len(matrices)
            if room < 0:
                raise FormatError(f"at most {MAX_VERTICES} vertices a tile", f"more in '{uri}'", "smaller tiles")
            made = _place(primitive, matrices, features, first, notices)
            if made is not None:
                meshes.append(made)
        first += feature_count(document)
    return meshes


def _parts(document: Document, to_local: Array, up_axis: str) -> Any:
    """Every primitive with its (N, 4, 4) matrices to local metres and the features of its instances, None without."""
    payload = document.payload
    to_local = to_local @ _translation(payload.rtc_center)
    if payload.points is not None:
        count = len(payload.points.positions)
        points = payload.points
        blank = np.zeros((count, 2))
        yield Primitive(points.positions, None, blank, points.colors, points.features, POINTS), to_local[None], None
        return
    instances = payload.instances or Instances(np.eye(4)[None], np.full(1, -1, np.int64))
    outer = to_local @ instances.matrices @ _cesium_rtc(document) @ UP_TO_Z[up_axis]
    cache: dict[int, list[Primitive]] = {}
    for mesh, matrices, inner in placed_meshes(document):
        if len(outer) * len(matrices) > MAX_VERTICES:
            raise document.broken(f"{len(outer) * len(matrices)} instances")
        placed = (outer[:, None] @ matrices[None]).reshape(-1, 4, 4)
        features = None
        if inner is not None:
            features = np.tile(inner, len(outer))
        elif payload.instances is not None:
            features = np.repeat(instances.features, len(matrices))
        if id(mesh) not in cache:
            entries = mesh.get("primitives")
            found = [read_primitive(document, entry) for entry in (entries if isinstance(entries, list) else [])]
            cache[id(mesh)] = [primitive for primitive in found if primitive is not None]
        for primitive in cache[id(mesh)]:
            yield primitive, placed, features


def _place(
    primitive: Primitive, matrices: Array, features: NDArray[np.int64] | None, first: int, notices: Notices
) -> "trimesh.Trimesh | None":
    """One mesh of all instances of a primitive; feature numbers start at `first`."""
    import trimesh

    count, copies = len(primitive.positions), len(matrices)
    keep = thinned(count * copies) if primitive.triangles is None else None
    if keep is not None:
        notices.add(f"{count * copies} points thinned to {MAX_SPLATS}")
    with np.errstate(over="ignore", invalid="ignore"):
        points = _transformed(matrices, primitive.positions)
    numbers = primitive.features if features is None else np.repeat(features, count)
    numbers = np.where(numbers >= 0, numbers + first, -1)
    source = np.arange(count) if copies == 1 else np.tile(np.arange(count), copies)
    if primitive.triangles is None:
        shown = np.arange(len(points)) if keep is None else keep
        shown = shown[_sound(points[shown])]
        if not len(shown):
            return None
        notices.add("points shown as small solids")
        points, faces = splats(points[shown])
        source, numbers = np.repeat(source[shown], 4), np.repeat(np.broadcast_to(numbers, len(source))[shown], 4)
    else:
        faces = _instanced(primitive.triangles, matrices, count)
    points = np.round(points * LATTICE) / LATTICE
    sound = _sound(points)
    if not sound.all():
        notices.add("left out corners that are no numbers or too far away")
        points[~sound] = 0.0
        faces = faces[sound[faces].all(axis=1)]
    a, b, c = points[faces[:, 0]], points[faces[:, 1]], points[faces[:, 2]]
    faces = faces[(np.cross(b - a, c - a) != 0.0).any(axis=1)]
    if not len(faces):
        return None
    used = np.zeros(len(points), bool)
    used[faces] = True
    if not used.all():
        faces = (np.cumsum(used) - 1)[faces]
        points, source, numbers = points[used], source[used], numbers[used]
    return trimesh.Trimesh(
        vertices=points,
        faces=faces,
        process=False,
        validate=False,
        vertex_attributes={"uv": primitive.uvs[source], "color": primitive.colors[source], "feature": numbers},
        metadata={"surface": primitive.surface},
    )


def _instanced(triangles: NDArray[np.int64], matrices: Array, count: int) -> NDArray[np.int64]:
    """Triangles of every instance with sound indices, turned over where its matrix mirrors."""
    sound = ((triangles >= 0) & (triangles < count)).all(axis=1)
    faces = triangles if sound.all() else triangles[sound]
    with np.errstate(over="ignore", invalid="ignore"):
        mirrored = np.linalg.det(matrices[:, :3, :3]) < 0.0
    if len(matrices) == 1:
        return faces[:, ::-1] if mirrored[0] else faces
    every = faces[None] + (np.arange(len(matrices)) * count)[:, None, None]
    every[mirrored] = every[mirrored][:, :, ::-1]
    return every.reshape(-1, 3)


def _transformed(matrices: Array, positions: Array) -> Array:
    """(N V, 3) of (V, 3) positions through (N, 4, 4) matrices, in plain element-wise float64."""
    x, y, z = positions.T
    rows = [m[:, 0, None] * x + m[:, 1, None] * y + m[:, 2, None] * z + m[:, 3, None] for m in _rows(matrices)]
    return np.stack(rows, axis=-1).reshape(-1, 3)


def _rows(matrices: Array) -> list[Array]:
    return [matrices[:, row] for row in range(3)]


def _sound(points: Array) -> NDArray[np.bool_]:
    return np.logical_and.reduce(np.isfinite(points) & (np.abs(points) < MAX_EXTENT), axis=1)


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
