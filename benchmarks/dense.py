"""The dense scene of the render benchmarks: 144 chunks, 313,632 textured triangles, and its camera poses."""

import numpy as np
from numpy.typing import NDArray

from citysim.city import Chunk, City, Material
from citysim.pose import Pose

CELLS, CELL_M, CHUNKS = 33, 1.5, 12
PERIOD, STREET = 22, 6  # cells from street to street, and a street's width
TEXTURE_SIDE = 512
HALF_M = 0.5 * CELLS * CELL_M * CHUNKS


def dense_city(texture_side: int = TEXTURE_SIDE) -> City:
    """Street blocks as one height field of 1.5 m cells, in 12 x 12 chunks with a texture each."""
    side = CELLS * CHUNKS + 1
    rng = np.random.default_rng(0)
    at = np.arange(side) % PERIOD
    block = np.arange(side) // PERIOD
    tops = rng.uniform(6.0, 40.0, (side // PERIOD + 1, side // PERIOD + 1))[block][:, block]
    tops = tops + rng.uniform(0.0, 0.3, (side, side))
    street = rng.uniform(0.0, 0.04, (side, side))
    heights = np.where((at[:, None] >= STREET) & (at[None, :] >= STREET), tops, street)
    chunks, textures = [], []
    for i in range(CHUNKS):
        for j in range(CHUNKS):
            origin = np.array([(i - CHUNKS / 2) * CELLS * CELL_M, (j - CHUNKS / 2) * CELLS * CELL_M, 0.0])
            part = heights[i * CELLS : (i + 1) * CELLS + 1, j * CELLS : (j + 1) * CELLS + 1]
            axis = np.arange(CELLS + 1) * CELL_M
            points = np.dstack([*np.meshgrid(axis, axis, indexing="ij"), part]).reshape(-1, 3).astype(np.float32)
            uvs = (points[:, :2] / (CELLS * CELL_M)).astype(np.float32)
            k = (np.arange(CELLS)[:, None] * (CELLS + 1) + np.arange(CELLS)).ravel()
            n = CELLS + 1
            faces = np.concatenate([np.stack([k, k + n, k + n + 1], 1), np.stack([k, k + n + 1, k + 1], 1)])
            number = np.full(len(faces), i * CHUNKS + j, dtype=np.int32)
            colors = np.full((len(points), 4), 255, np.uint8)
            chunks.append(Chunk(origin, points, uvs, colors, faces.astype(np.int32), number, number + 1))
            textures.append(_texture(rng, texture_side))
    return City.in_memory(chunks, [Material(texture=i) for i in range(len(chunks))], textures, name="dense")


def _texture(rng: np.random.Generator, side: int) -> NDArray[np.uint8]:
    """Coloured slabs with grain."""
    slabs = rng.integers(60, 220, (16, 16, 3)).repeat(side // 16, axis=0).repeat(side // 16, axis=1)
    grain = rng.integers(-20, 21, (side, side, 1))
    pixels: NDArray[np.uint8] = np.full((side, side, 4), 255, dtype=np.uint8)
    pixels[..., :3] = np.clip(slabs + grain, 0, 255)
    return pixels


def street_poses(count: int = 32) -> list[Pose]:
    """At 1.7 m in the middle of streets, in 8 directions, with four pitches."""
    rng = np.random.default_rng(3)
    made = []
    for number in range(count):
        lane = (int(rng.integers(5, 13)) * PERIOD + 2.5) * CELL_M - HALF_M
        along = float(rng.uniform(-0.6, 0.6)) * HALF_M
        east, north = (lane, along) if number % 2 else (along, lane)
        made.append(Pose(east, north, 1.7, number % 8 * np.pi / 4 + 0.1, (-0.3, 0.0, 0.15, -0.1)[number // 2 % 4]))
    return made


def roof_poses(count: int = 32) -> list[Pose]:
    """The same places 40 m higher, looking down."""
    return [Pose(p.east, p.north, p.up + 40.0, p.yaw, -0.35) for p in street_poses(count)]


def walk_poses(count: int = 100) -> list[Pose]:
    """Steps along one street, looking down it: the longest views."""
    lane = (9 * PERIOD + 2.5) * CELL_M - HALF_M
    return [Pose(-0.6 * HALF_M + 1.0 * step, lane, 1.7, 0.03, -0.02) for step in range(count)]
