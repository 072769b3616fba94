"""A generated tileset of 10 km x 10 km: hills and blocks, textured, seven levels of detail."""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.build.gltf import pack_glb
from citysim.geo.frames import LocalFrame

SIDE_M = 10_000.0
LEAF_M = 156.25
LEVELS = 7  # 1 + 4 + 16 + ... + 4096 leaves
CELLS = 24  # a side of a tile's ground
BLOCK_EVERY_M = 78.125
FRAME = LocalFrame(114.17, 22.35, 0.0)


def write_scan(folder: Path) -> Path:
    """Write a tileset of some three hundred tiles without buildings; gives its top document."""
    write_landscape(folder, 5, 2500.0)
    return folder / "tileset.json"


def write_landscape(folder: Path, levels: int = LEVELS, whole: float = SIDE_M) -> tuple[int, int]:
    """Write the tileset of `levels` levels and `whole` metres a side; gives its tiles and triangles."""
    (folder / "t").mkdir(parents=True)
    pictures = [_jpeg(seed) for seed in range(8)]
    triangles = 0

    def tile(level: int, column: int, row: int) -> dict[str, Any]:
        nonlocal triangles
        side = whole / 2**level
        west, south = -whole / 2 + column * side, -whole / 2 + row * side
        points, faces, uvs = _surface(west, south, side, level == LEVELS - 1)
        triangles += len(faces)
        uri = f"t/{level}_{column}_{row}.glb"
        (folder / uri).write_bytes(_glb(points, faces, uvs, pictures[(column + 3 * row) % 8]))
        middle = [west + side / 2, south + side / 2, 20.0]
        entry: dict[str, Any] = {
            "boundingVolume": {"box": [*middle, side / 2, 0, 0, 0, side / 2, 0, 0, 0, 60.0]},
            "geometricError": 0.0 if level == levels - 1 else side / 12.0,
            "content": {"uri": uri},
        }
        if level < levels - 1:
            entry["children"] = [tile(level + 1, 2 * column + c, 2 * row + r) for r in (0, 1) for c in (0, 1)]
        return entry

    root = {**tile(0, 0, 0), "refine": "REPLACE", "transform": FRAME.matrix.T.reshape(-1).tolist()}
    document = {"asset": {"version": "1.1"}, "geometricError": whole, "root": root}
    (folder / "tileset.json").write_text(json.dumps(document))
    return sum(4**level for level in range(levels)), triangles


def sample_glbs() -> Iterator[tuple[str, bytes]]:
    """Single glbs of several sizes, textured, for readers to be compared by."""
    for name, side, fine, pixels in (
        ("leaf", LEAF_M, True, 256),
        ("block", LEAF_M, True, 1024),
        ("hill", 5000.0, False, 64),
    ):
        points, faces, uvs = _surface(0.0, 0.0, side, fine)
        yield f"{name}.glb", _glb(points, faces, uvs, _jpeg(1, pixels))


def ground(east: NDArray[np.float64], north: NDArray[np.float64]) -> NDArray[np.float64]:
    """Height of the ground, metres: slopes that anybody can walk."""
    return 12.0 * np.sin(east / 310.0) * np.cos(north / 270.0) + 0.3 * np.sin(east / 17.0)


def _surface(
    west: float, south: float, side: float, fine: bool
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
    steps = np.linspace(0.0, side, CELLS + 1)
    e, n = (a.ravel() for a in np.meshgrid(west + steps, south + steps))
    points = np.stack([e, n, ground(e, n)], axis=1)
    i = (np.arange(CELLS)[:, None] * (CELLS + 1) + np.arange(CELLS)).ravel()
    w = CELLS + 1
    faces = np.concatenate([np.stack([i, i + 1, i + w + 1], 1), np.stack([i, i + w + 1, i + w], 1)])
    if fine:
        points, faces = _blocks(points, faces, west, south)
    return points, faces, (points[:, :2] - (west, south)) / side


def _blocks(
    points: NDArray[np.float64], faces: NDArray[np.int64], west: float, south: float
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Buildings of many storeys on a grid, with streets between them."""
    rows, parts = [points], [faces]
    count = len(points)
    for column in range(2):
        for row in range(2):
            e, n = west + BLOCK_EVERY_M * (column + 0.3), south + BLOCK_EVERY_M * (row + 0.6)
            low = float(ground(np.array([e]), np.array([n]))[0]) - 3.0
            height = 12.0 + (e * 7.0 + n * 3.0) % 40.0
            levels = np.linspace(low, low + height, 25)
            ring = np.array([(e, n), (e + 20, n), (e + 20, n + 14), (e, n + 14)])
            corners = np.concatenate([np.column_stack([ring, np.full(4, up)]) for up in levels])
            walls = [
                face
                for level in range(24)
                for k in range(4)
                for a, b in [(4 * level + k, 4 * level + (k + 1) % 4)]
                for face in ((a, b, b + 4), (a, b + 4, a + 4))
            ]
            roof = [(96, 97, 98), (96, 98, 99)]
            rows.append(corners)
            parts.append(np.array(walls + roof) + count)
            count += len(corners)
    return np.concatenate(rows), np.concatenate(parts)


def _glb(
    points: NDArray[np.float64], faces: NDArray[np.int64], uvs: NDArray[np.float64], picture: bytes
) -> bytes:  # fmt: skip
    up_y = points[:, [0, 2, 1]] * (1.0, 1.0, -1.0)
    pieces = [up_y.astype("<f4").tobytes(), uvs.astype("<f4").tobytes(), faces.astype("<u2").tobytes(), picture]
    starts = np.cumsum([0, *(len(p) + -len(p) % 4 for p in pieces)]).tolist()
    binary = b"".join(piece + bytes(-len(piece) % 4) for piece in pieces)
    views = [{"buffer": 0, "byteOffset": s, "byteLength": len(p)} for s, p in zip(starts, pieces, strict=False)]
    accessors = [
        {"bufferView": 0, "componentType": 5126, "count": len(points), "type": "VEC3"},
        {"bufferView": 1, "componentType": 5126, "count": len(points), "type": "VEC2"},
        {"bufferView": 2, "componentType": 5123, "count": faces.size, "type": "SCALAR"},
    ]
    primitive = {"attributes": {"POSITION": 0, "TEXCOORD_0": 1}, "indices": 2, "material": 0}
    gltf = {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [primitive]}],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"byteLength": len(binary)}],
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
        "textures": [{"source": 0}],
        "images": [{"bufferView": 3, "mimeType": "image/jpeg"}],
    }
    return pack_glb(gltf, binary)


def _jpeg(seed: int, side: int = 256) -> bytes:
    from PIL import Image

    rng = np.random.default_rng(seed)
    noise = rng.integers(60, 190, (32, 32, 3), dtype=np.uint8)
    out = io.BytesIO()
    Image.fromarray(noise).resize((side, side)).save(out, format="JPEG", quality=80)
    return out.getvalue()
