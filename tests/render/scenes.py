"""Small scenes made in code."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from citysim.city import Chunk, City, Material


def chunk(
    positions: ArrayLike,
    triangles: ArrayLike,
    uvs: ArrayLike | None = None,
    material: ArrayLike = 0,
    label: ArrayLike = 0,
    color: ArrayLike = (255, 255, 255, 255),
    origin: ArrayLike = (0.0, 0.0, 0.0),
) -> Chunk:
    """A chunk of (V, 3) positions and (T, 3) triangles; material and label are numbers or (T,)."""
    points = np.asarray(positions, dtype=np.float32).reshape(-1, 3)
    faces = np.asarray(triangles, dtype=np.int32).reshape(-1, 3)
    return Chunk(
        np.asarray(origin, dtype=np.float64),
        points,
        np.zeros((len(points), 2), np.float32) if uvs is None else np.asarray(uvs, dtype=np.float32),
        np.broadcast_to(np.asarray(color, dtype=np.uint8), (len(points), 4)).copy(),
        faces,
        np.broadcast_to(np.asarray(material, dtype=np.int32), (len(faces),)).copy(),
        np.broadcast_to(np.asarray(label, dtype=np.int32), (len(faces),)).copy(),
    )


def merge(chunks: Sequence[Chunk]) -> Chunk:
    """One chunk of several with zero origin."""
    shift = np.cumsum([0, *(len(c.positions) for c in chunks)])

    def joined(name: str) -> NDArray[Any]:
        return np.concatenate([getattr(c, name) for c in chunks])

    return Chunk(
        np.zeros(3),
        joined("positions"),
        joined("uvs"),
        joined("colors"),
        np.concatenate([c.triangles + np.int32(s) for c, s in zip(chunks, shift, strict=False)]),
        joined("materials"),
        joined("labels"),
    )


def quad(corners: ArrayLike, uv: Sequence[float] = (0.0, 0.0, 1.0, 1.0), **more: Any) -> Chunk:
    """A quad by lower left, lower right, upper right, upper left corner; uv is left, top, right, bottom."""
    left, top, right, bottom = uv
    uvs = [(left, bottom), (right, bottom), (right, top), (left, top)]
    return chunk(corners, [(0, 1, 2), (0, 2, 3)], uvs, **more)


def box(low: Sequence[float], high: Sequence[float], metres: float = 0.0, **more: Any) -> Chunk:
    """A closed box; with `metres` above 0 a texture repeats every so many metres of its walls and roof."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    rings = [((x0, y0), (x1, y0)), ((x1, y0), (x1, y1)), ((x1, y1), (x0, y1)), ((x0, y1), (x0, y0))]
    sides = [[(*a, z0), (*b, z0), (*b, z1), (*a, z1)] for a, b in rings]
    sides.append([(x0, y0, z1), (x1, y0, z1), (x1, y1, z1), (x0, y1, z1)])
    sides.append([(x0, y1, z0), (x1, y1, z0), (x1, y0, z0), (x0, y0, z0)])
    quads = []
    for side in sides:
        across = float(np.abs(np.subtract(side[1], side[0])).sum())
        up = float(np.abs(np.subtract(side[3], side[0])).sum())
        uv = (0.0, 0.0, across / metres, up / metres) if metres else (0.0, 0.0, 1.0, 1.0)
        quads.append(quad(side, uv, **more))
    return merge(quads)


def icosphere(radius: float = 1.0, levels: int = 3, center: Sequence[float] = (0.0, 0.0, 0.0)) -> Chunk:
    """A closed sphere of 20 x 4^levels triangles with shared vertices; label i + 1 for triangle i."""
    g = (1.0 + 5.0**0.5) / 2.0
    points = [(-1, g, 0), (1, g, 0), (-1, -g, 0), (1, -g, 0), (0, -1, g), (0, 1, g), (0, -1, -g), (0, 1, -g)]
    points += [(g, 0, -1), (g, 0, 1), (-g, 0, -1), (-g, 0, 1)]
    faces = [(0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2), (10, 7, 6)]
    faces += [(7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10)]
    faces += [(8, 6, 7), (9, 8, 1)]
    vertices = [np.array(p, dtype=np.float64) / np.linalg.norm(p) for p in points]
    for _ in range(levels):
        middle: dict[tuple[int, int], int] = {}
        finer = []
        for a, b, c in faces:
            mids = []
            for i, j in ((a, b), (b, c), (c, a)):
                key = (min(i, j), max(i, j))
                if key not in middle:
                    point = vertices[i] + vertices[j]
                    middle[key] = len(vertices)
                    vertices.append(point / np.linalg.norm(point))
                mids.append(middle[key])
            ab, bc, ca = mids
            finer += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
        faces = finer
    return chunk(np.array(vertices) * radius + center, faces, label=np.arange(1, len(faces) + 1))


def reversed_faces(source: Chunk) -> Chunk:
    """The same triangles seen from the other side."""
    flipped = np.ascontiguousarray(source.triangles[:, ::-1])
    return Chunk(source.origin, source.positions, source.uvs, source.colors, flipped, source.materials, source.labels)


def checker(side: int = 64, cells: int = 8, a: Sequence[int] = (40, 60, 200), b: Sequence[int] = (230, 220, 60)) -> Any:
    """A (side, side, 4) checkerboard."""
    index = (np.arange(side) * cells) // side
    even = (index[:, None] + index[None, :]) % 2 == 0
    return np.where(even[..., None], np.array([*a, 255]), np.array([*b, 255])).astype(np.uint8)


def noise(side: int, color: Sequence[int], spread: int, seed: int) -> NDArray[np.uint8]:
    """Grain around a colour."""
    grain = np.random.default_rng(seed).integers(-spread, spread + 1, (side, side, 1))
    pixels = np.clip(np.array(color) + grain, 0, 255)
    return np.concatenate([pixels, np.full((side, side, 1), 255)], axis=2).astype(np.uint8)


def paving(side: int = 256) -> NDArray[np.uint8]:
    """Slabs of 0.5 m with joints, for 2 m of ground."""
    pixels = noise(side, (150, 146, 138), 10, 1)
    step = side // 4
    for at in range(0, side, step):
        pixels[at : at + max(side // 128, 1), :, :3] = (96, 92, 88)
        pixels[:, at : at + max(side // 128, 1), :3] = (96, 92, 88)
    return pixels


def facade(side: int, wall: Sequence[int], seed: int) -> NDArray[np.uint8]:
    """Four storeys of windows on plaster."""
    pixels = noise(side, wall, 5, seed)
    cell = side // 4
    for row in range(4):
        for column in range(4):
            top, left = row * cell + cell // 4, column * cell + cell // 3
            pixels[top - 2 : top + cell // 2 + 2, left - 2 : left + cell // 3 + 2, :3] = (236, 232, 224)
            pixels[top : top + cell // 2, left : left + cell // 3, :3] = (52, 64, 78)
    return pixels


def foliage(side: int = 128) -> NDArray[np.uint8]:
    """Leaves with holes."""
    rng = np.random.default_rng(5)
    pixels = np.zeros((side, side, 4), dtype=np.uint8)
    pixels[..., :3] = (64, 104, 44)
    yy, xx = np.mgrid[0:side, 0:side]
    for x, y in rng.uniform(0.1, 0.9, (160, 2)) * side:
        if np.hypot(x - side / 2, y - side / 2) < side * 0.42:
            leaf = np.hypot(xx - x, (yy - y) * 1.6) < side * 0.035
            pixels[leaf, :3] = np.array((64, 104, 44)) + rng.integers(-18, 19)
            pixels[leaf, 3] = 255
    return pixels


def street() -> City:
    """A street of textured boxes with pavements, trees cut out of cards, a lit sign and a plaza of vertex colours."""
    materials = [
        Material(0, name="asphalt"),
        Material(1, name="paving"),
        Material(2, name="plaster"),
        Material(3, name="ochre"),
        Material(4, name="brick"),
        Material(5, alpha_cutoff=0.5, double_sided=True, name="leaves"),
        Material(-1, (0.30, 0.22, 0.15, 1.0), name="bark"),
        Material(6, emissive=(0.9, 0.9, 0.9), name="sign"),
        Material(-1, (0.9, 0.9, 0.9, 1.0), name="white"),
    ]
    textures = [
        noise(256, (74, 75, 78), 9, 0),
        paving(),
        facade(512, (226, 220, 206), 2),
        facade(256, (206, 168, 112), 3),
        facade(512, (142, 78, 58), 4),
        foliage(),
        checker(64, 4, (200, 20, 20), (250, 250, 250)),
    ]
    rng = np.random.default_rng(7)
    chunks: list[Chunk] = []
    for x in range(-200, 200, 50):
        parts = [
            quad([(x, -6, 0), (x + 50, -6, 0), (x + 50, 6, 0), (x, 6, 0)], (0, 0, 50 / 4, 12 / 4), material=0),
            quad([(x, 6, 0.12), (x + 50, 6, 0.12), (x + 50, 10, 0.12), (x, 10, 0.12)], (0, 0, 25, 2), material=1),
            quad([(x, -10, 0.12), (x + 50, -10, 0.12), (x + 50, -6, 0.12), (x, -6, 0.12)], (0, 0, 25, 2), material=1),
            quad([(x, 6, 0), (x + 50, 6, 0), (x + 50, 6, 0.12), (x, 6, 0.12)], material=8),
            quad([(x + 50, -6, 0), (x, -6, 0), (x, -6, 0.12), (x + 50, -6, 0.12)], material=8),
        ]
        parts[0].colors[:2, :3] = 205
        for side in (1, -1):
            for lot in range(2):
                a, height = x + 25 * lot, float(rng.integers(4, 9)) * 3.2
                y0, y1 = (10, 24) if side > 0 else (-24, -10)
                look = int(rng.integers(2, 5))
                parts.append(
                    box((a, y0, 0), (a + 24, y1, height), 12.8, material=look, label=len(chunks) * 10 + lot + 1)
                )
            for tree in range(3):
                tx, ty = x + 8.0 + 16.0 * tree, 7.5 * side
                parts.append(box((tx - 0.15, ty - 0.15, 0), (tx + 0.15, ty + 0.15, 3.0), material=6))
                for angle in (0.0, 1.05, 2.1):
                    dx, dy = 2.2 * np.cos(angle), 2.2 * np.sin(angle)
                    low, high = (tx - dx, ty - dy), (tx + dx, ty + dy)
                    corners = [(*low, 2.0), (*high, 2.0), (*high, 6.4), (*low, 6.4)]
                    parts.append(quad(corners, material=5, label=900))
        parts.append(
            quad([(x + 8, 9.9, 2.6), (x + 4, 9.9, 2.6), (x + 4, 9.9, 3.6), (x + 8, 9.9, 3.6)], material=7, label=901)
        )
        chunks.append(merge(parts))
    return City.in_memory(chunks, materials, textures)
