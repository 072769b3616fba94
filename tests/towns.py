"""A small town in memory for tests: four by four blocks of box houses, streets with a walking network, named shops."""

import itertools
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from citysim.city import Chunk, City, Material, Place
from citysim.geo.frames import LocalFrame
from citysim.geo.network import NetworkEdge

BLOCK, STREET, COUNT = 50.0, 12.0, 4
PITCH = BLOCK + STREET
SIDE = COUNT * PITCH + STREET


@cache
def grid_town() -> City:
    """260 m x 260 m, flat, houses 12 m high; the network runs in the middle of every street."""
    parts = [_box(0.0, 0.0, SIDE, SIDE, -1.0, 0.0)]
    for i, j in itertools.product(range(COUNT), range(COUNT)):
        east, north = STREET + i * PITCH, STREET + j * PITCH
        parts.append(_box(east, north, east + BLOCK, north + BLOCK, -0.5, 12.0))
    chunks = [_chunk(*part) for part in parts]
    edges: list[NetworkEdge] = []
    lines = [STREET / 2 + k * PITCH for k in range(COUNT + 1)]
    for k, line in enumerate(lines):
        for a, b in itertools.pairwise(lines):
            for points, name in (
                ([(a, line, 0), (b, line, 0)], f"{k} Avenue"),
                ([(line, a, 0), (line, b, 0)], f"{k} Street"),
            ):
                number = len(edges) + 1
                attributes = {"FeatureType": 1, "Direction": 0, "Enabled": 1, "StreetNameEN": name}
                edges.append(NetworkEdge(number, np.array(points, dtype=np.float64), attributes))
    places = [
        Place(
            f"shop-{i}-{j}", f"Shop {i}{j}", "shop", (STREET + i * PITCH + 25.0, STREET + j * PITCH - 0.5, 0.0),
            address=f"{j} Avenue {10 * i + 1}",
        )
        for i, j in itertools.product(range(COUNT), range(COUNT))
    ]  # fmt: skip
    materials = (Material(color=(0.5, 0.5, 0.5, 1.0)), Material(color=(0.7, 0.4, 0.3, 1.0)))
    frame = LocalFrame(24.94, 60.17, 0.0)
    made = City.in_memory(chunks, materials, places=places, edges=edges, frame=frame, name="grid")
    object.__setattr__(made, "content_sha256", "0123456789abcdef" * 4)
    return made


Arrays = tuple[NDArray[np.float32], NDArray[np.int32], int]


def _box(e0: float, n0: float, e1: float, n1: float, low: float, high: float) -> Arrays:
    corners = [(e, n, u) for u in (low, high) for e, n in ((e0, n0), (e1, n0), (e1, n1), (e0, n1))]
    faces = [(0, 2, 1), (0, 3, 2), (4, 5, 6), (4, 6, 7)]
    for k in range(4):
        n = (k + 1) % 4
        faces += [(k, n, n + 4), (k, n + 4, k + 4)]
    return np.array(corners, dtype=np.float32), np.array(faces, dtype=np.int32), int(high > 0)


def _chunk(positions: NDArray[np.float32], triangles: NDArray[np.int32], material: int) -> Chunk:
    count, size = len(positions), len(triangles)
    return Chunk(
        np.zeros(3),
        positions,
        np.zeros((count, 2), dtype=np.float32),
        np.full((count, 4), 255, dtype=np.uint8),
        triangles,
        np.full(size, material, dtype=np.int32),
        np.zeros(size, dtype=np.int32),
    )


def write_town(folder: Path) -> City:
    """The same town as a city package in `folder`, opened."""
    from citysim.build.draft import CityDraft, MaterialSpec
    from citysim.build.package import write_package
    from citysim.build.plans import CityPlan
    from citysim.city import open_city

    town = grid_town()
    plan = CityPlan(
        name="grid", title="Grid", source="tests", licence="CC0-1.0", attribution="nobody", frame=town.frame,
        bounds=town.bounds, seed=0, generator={}, nodes={},
    )  # fmt: skip
    draft = CityDraft(plan)
    for index, material in enumerate(town.materials):
        draft.material(f"m{index}", MaterialSpec(color=material.color))
    for tile in town.finest:
        chunk = town.chunk(tile)
        draft.mesh.add(chunk.positions + chunk.origin, chunk.triangles, None, f"m{chunk.materials[0]}")
    draft.edges += town.network.edges
    draft.places += town.places
    return open_city(write_package(draft, folder))
