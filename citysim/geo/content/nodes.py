"""The node tree of a glTF scene, flattened to meshes with their matrices."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.errors import FormatError
from citysim.geo.content.accessors import read_accessor
from citysim.geo.content.document import Document, Json, extension_of
from citysim.geo.content.features import feature_block, numbered
from citysim.geo.tileset import matrix_of

MAX_NODES = 200_000
MAX_DEPTH = 1000
Array = NDArray[np.float64]

# glTF axes to the z-up axes of 3D Tiles, by the asset's up axis
UP_TO_Z = {
    "X": np.array([(0, 0, -1, 0), (0, 1, 0, 0), (1, 0, 0, 0), (0, 0, 0, 1)], dtype=np.float64),
    "Y": np.array([(1, 0, 0, 0), (0, 0, -1, 0), (0, 1, 0, 0), (0, 0, 0, 1)], dtype=np.float64),
    "Z": np.eye(4),
}


class PlacedMesh(NamedTuple):
    """A mesh of a glTF at one or many places.

    `matrices` (N, 4, 4) float64 take it to glTF axes; `features` (N,) int64 number the instances, None without.
    """

    mesh: Json
    matrices: Array
    features: NDArray[np.int64] | None


def placed_meshes(document: Document) -> Iterator[PlacedMesh]:
    """Meshes of the default scene (else of all root nodes).

    Raises FormatError for cycles and broken matrices; a glTF without nodes has none.
    """
    stack: list[tuple[Any, Array, tuple[Any, ...]]] = [(index, np.eye(4), ()) for index in reversed(_roots(document))]
    visited = 0
    while stack:
        index, above, chain = stack.pop()
        visited += 1
        if index in chain or visited > MAX_NODES or len(chain) > MAX_DEPTH:
            raise document.broken("a cycle in its nodes")
        node = document.item("nodes", index)
        matrix = above @ local_matrix(node, document)
        if node.get("mesh") is not None:
            yield _placed(document, node, matrix)
        children = node.get("children")
        for child in reversed(children if isinstance(children, list) else []):
            stack.append((child, matrix, (*chain, index)))


def local_matrix(node: Json, document: Document) -> Array:
    """(4, 4) of a node's matrix, or of its translation, rotation (x, y, z, w) and scale."""
    if "matrix" in node:
        return matrix_of(node["matrix"], document.uri)
    if not any(name in node for name in ("translation", "rotation", "scale")):
        return np.eye(4)
    matrix = np.eye(4)
    if "rotation" in node or "scale" in node:
        turn = _vector(node.get("rotation", [0, 0, 0, 1]), 4, document)[None]
        matrix = composed(np.zeros((1, 3)), turn, _vector(node.get("scale", [1, 1, 1]), 3, document)[None])[0]
    if "translation" in node:
        matrix[:3, 3] = _vector(node["translation"], 3, document)
    return matrix


def composed(translations: Array, rotations: Array, scales: Array) -> Array:
    """(N, 4, 4) of (N, 3) translations, (N, 4) quaternions x, y, z, w of any length, and (N, 3) scales."""
    matrices = np.broadcast_to(np.eye(4), (len(translations), 4, 4)).copy()
    x, y, z, w = rotations.T
    norm = x * x + y * y + z * z + w * w
    s = np.divide(2.0, norm, out=np.zeros_like(norm), where=norm > 0)
    matrices[:, 0, :3] = np.stack([1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)], axis=1)
    matrices[:, 1, :3] = np.stack([s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)], axis=1)
    matrices[:, 2, :3] = np.stack([s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)], axis=1)
    matrices[:, :3, :3] *= scales[:, None, :]
    matrices[:, :3, 3] = translations
    return matrices


@np.errstate(over="ignore", invalid="ignore", divide="ignore")  # what is no number is dropped where it is placed
def _placed(document: Document, node: Json, matrix: Array) -> PlacedMesh:
    mesh = document.item("meshes", node["mesh"])
    instancing = extension_of(node, "EXT_mesh_gpu_instancing")
    if instancing is None:
        return PlacedMesh(mesh, matrix[None], None)
    given = instancing.get("attributes")
    arrays = {
        name: read_accessor(document, index) for name, index in (given if isinstance(given, dict) else {}).items()
    }
    counts = {len(values) for values in arrays.values()}
    if len(counts) != 1:
        raise document.broken("instances of different numbers")
    count = counts.pop()
    parts = []
    for name, neutral in (("TRANSLATION", (0, 0, 0)), ("ROTATION", (0, 0, 0, 1)), ("SCALE", (1, 1, 1))):
        values = arrays.get(name)
        values = np.tile(np.array(neutral, dtype=np.float64), (count, 1)) if values is None else values.astype(float)
        if values.shape[1] != len(neutral) or not np.isfinite(values).all():
            raise document.broken(f"a broken {name} of instances")
        parts.append(values)
    return PlacedMesh(mesh, matrix @ composed(*parts), _instance_features(document, node, arrays, count))


def _instance_features(
    document: Document, node: Json, arrays: dict[str, NDArray[Any]], count: int
) -> NDArray[np.int64] | None:
    """Feature numbers by EXT_instance_features: its first set that has a table."""
    sets = (extension_of(node, "EXT_instance_features") or {}).get("featureIds")
    for entry in sets if isinstance(sets, list) else []:
        block = feature_block(document, entry)
        if block is None:
            continue
        values = arrays.get(f"_FEATURE_ID_{entry.get('attribute')}")
        values = np.arange(count) if values is None or "attribute" not in entry else values
        if values.size == count:
            return numbered(values, block, entry.get("nullFeatureId"))
    return None


def _roots(document: Document) -> list[Any]:
    scenes = document.gltf.get("scenes")
    if isinstance(scenes, list) and scenes:
        nodes = document.item("scenes", document.gltf.get("scene", 0)).get("nodes")
        return list(nodes) if isinstance(nodes, list) else []
    listed: set[Any] = set()
    for index in range(document.count("nodes")):
        children = document.item("nodes", index).get("children")
        listed.update(c for c in (children if isinstance(children, list) else []) if isinstance(c, int))
    return [index for index in range(document.count("nodes")) if index not in listed]


def _vector(value: Any, size: int, document: Document) -> Array:
    try:
        vector = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        vector = np.empty(0)
    if vector.shape != (size,) or not np.isfinite(vector).all() or np.abs(vector).max() > 1e12:
        raise FormatError(f"{size} finite numbers in a node", f"{value!r:.60} in '{document.uri}'", "exporting again")
    return vector
