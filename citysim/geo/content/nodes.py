"""The node tree of a glTF scene, flattened to meshes with their matrices."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.errors import FormatError
from citysim.geo.content.document import Document, Json
from citysim.geo.tileset import matrix_of

MAX_NODES = 1_000_000
Array = NDArray[np.float64]

# glTF axes to the z-up axes of 3D Tiles, by the asset's up axis
UP_TO_Z = {
    "X": np.array([(0, 0, -1, 0), (0, 1, 0, 0), (1, 0, 0, 0), (0, 0, 0, 1)], dtype=np.float64),
    "Y": np.array([(1, 0, 0, 0), (0, 0, -1, 0), (0, 1, 0, 0), (0, 0, 0, 1)], dtype=np.float64),
    "Z": np.eye(4),
}


def placed_meshes(document: Document) -> Iterator[tuple[Json, Array]]:
    """Meshes of the default scene (else of all root nodes), each with its (4, 4) matrix in glTF axes.

    Raises FormatError for cycles and broken matrices; a glTF without nodes has none.
    """
    stack: list[tuple[Any, Array, tuple[Any, ...]]] = [(index, np.eye(4), ()) for index in reversed(_roots(document))]
    visited = 0
    while stack:
        index, above, chain = stack.pop()
        visited += 1
        if index in chain or visited > MAX_NODES or len(chain) > 1000:
            raise document.broken("a cycle in its nodes")
        node = document.item("nodes", index)
        matrix = above @ local_matrix(node, document)
        if node.get("mesh") is not None:
            yield document.item("meshes", node["mesh"]), matrix
        children = node.get("children")
        for child in reversed(children if isinstance(children, list) else []):
            stack.append((child, matrix, (*chain, index)))


def local_matrix(node: Json, document: Document) -> Array:
    """(4, 4) of a node's matrix, or of its translation, rotation (x, y, z, w) and scale."""
    if "matrix" in node:
        return matrix_of(node["matrix"], document.uri)
    matrix = np.eye(4)
    if "rotation" in node:
        x, y, z, w = _vector(node["rotation"], 4, document)
        norm = x * x + y * y + z * z + w * w
        s = 2.0 / norm if norm > 0 else 0.0
        matrix[:3, :3] = (
            (1 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)),
            (s * (x * y + z * w), 1 - s * (x * x + z * z), s * (y * z - x * w)),
            (s * (x * z - y * w), s * (y * z + x * w), 1 - s * (x * x + y * y)),
        )
    if "scale" in node:
        matrix[:3, :3] *= _vector(node["scale"], 3, document)
    if "translation" in node:
        matrix[:3, 3] = _vector(node["translation"], 3, document)
    return matrix


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
