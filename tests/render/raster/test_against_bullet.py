"""Depth and labels of a built city against PyBullet's ray casts: another's code, another's precision."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from citysim import load_city
from citysim.city import Chunk, City, Material
from citysim.pose import Pose
from citysim.render.base import Camera, View
from citysim.render.raster import RasterRenderer
from tests.render.rays import rays

VIEWS, PIXELS, NEAR_M, REACH_M = 20, 500, 0.05, 150.0
SIZE = (640, 480)


def solid(city: City) -> City:
    """The finest level without what is cut out by alpha, seen from both sides, as rays see it."""
    holed = np.array([material.alpha_cutoff > 0.0 for material in city.materials] + [False])
    chunks = []
    for tile in city.finest:
        chunk = city.chunk(tile)
        kept = ~holed[chunk.materials]
        chunks.append(
            Chunk(
                chunk.origin, chunk.positions, chunk.uvs, chunk.colors, np.ascontiguousarray(chunk.triangles[kept]),
                chunk.materials[kept], chunk.labels[kept],
            )
        )  # fmt: skip
    chunks = [chunk for chunk in chunks if len(chunk.triangles)]
    looks = [replace(material, texture=-1, double_sided=True) for material in city.materials] or [Material()]
    return City.in_memory(chunks, looks)


class Bullet:
    """One body an object, so that a ray says which it met."""

    def __init__(self, city: City) -> None:
        self.engine = pytest.importorskip("pybullet")
        self.client = self.engine.connect(self.engine.DIRECT)
        self.label_of: dict[int, int] = {}
        parts: dict[int, list[NDArray[np.float64]]] = {}
        for tile in range(len(city.tiles)):
            chunk = city.chunk(tile)
            points = chunk.positions.astype(np.float64) + chunk.origin
            for label in np.unique(chunk.labels):
                parts.setdefault(int(label), []).append(points[chunk.triangles[chunk.labels == label]])
        for label, corners in parts.items():
            points = np.concatenate(corners).reshape(-1, 3)
            for start in range(0, len(points), 60_000):
                part = points[start : start + 60_000]
                shape = self.engine.createCollisionShape(
                    self.engine.GEOM_MESH, vertices=part.tolist(), indices=list(range(len(part))),
                    flags=self.engine.GEOM_FORCE_CONCAVE_TRIMESH, physicsClientId=self.client,
                )  # fmt: skip
                body = self.engine.createMultiBody(baseCollisionShapeIndex=shape, physicsClientId=self.client)
                self.label_of[body] = label

    def cast(self, starts: NDArray[np.float64], ends: NDArray[np.float64]) -> Iterator[tuple[int | None, float]]:
        for base in range(0, len(starts), 2000):
            answers = self.engine.rayTestBatch(
                starts[base : base + 2000].tolist(), ends[base : base + 2000].tolist(), physicsClientId=self.client
            )
            for body, _, fraction, *_ in answers:
                yield (None, 1.0) if body < 0 else (self.label_of[body], fraction)


def compare(city: City, within: float) -> None:
    """At least a share `within` of the pixels that hit something have the depth, to 1 cm, and the label of the ray."""
    scene = solid(city)
    bullet, renderer = Bullet(scene), RasterRenderer(scene, shadows=False)
    rng = np.random.default_rng(8)
    lines = [edge.line for edge in city.network.edges if len(edge.line) > 1]
    errors, same, agreed = [], 0, 0
    for _ in range(VIEWS):
        line = lines[int(rng.integers(0, len(lines)))]
        east, north, up = line[int(rng.integers(0, len(line)))].tolist()
        pose = Pose(east, north, up + 1.6, float(rng.uniform(-np.pi, np.pi)), float(rng.uniform(-0.4, 0.2)))
        camera = Camera(pose, SIZE, near_m=NEAR_M)
        frame = renderer.render(View(camera, depth=True, labels=True))
        assert frame.depth is not None
        assert frame.labels is not None
        pixels = np.column_stack([rng.integers(0, SIZE[0], PIXELS), rng.integers(0, SIZE[1], PIXELS)])
        starts, ways = rays(camera, pixels)
        depth = frame.depth[pixels[:, 1], pixels[:, 0]].astype(np.float64)
        labels = frame.labels[pixels[:, 1], pixels[:, 0]]
        answers = bullet.cast(starts + NEAR_M * ways, starts + REACH_M * ways)
        for (label, fraction), near, shown in zip(answers, depth, labels, strict=True):
            agreed += (label is not None) == (near < REACH_M)
            if label is not None and near < REACH_M:
                errors.append(abs(NEAR_M + fraction * (REACH_M - NEAR_M) - near))
                same += label == shown
    assert agreed >= 0.999 * VIEWS * PIXELS
    assert len(errors) > 0.5 * VIEWS * PIXELS
    assert np.mean(np.array(errors) < 0.01) >= within  # the rest are outlines and walls seen edge on
    assert same >= within * len(errors)


def test_mini_as_pybullet_sees_it() -> None:
    compare(load_city("mini"), 0.995)


@pytest.mark.slow
def test_helsinki_as_pybullet_sees_it(shared_data: Path, tmp_path: Path) -> None:
    """The centre of the extract, imported: minutes."""
    from citysim.build.make import make_osm

    make_osm(
        shared_data / "osm-helsinki" / "Helsinki.osm.pbf", tmp_path / "city", bbox=(24.938, 60.166, 24.946, 60.172)
    )
    compare(load_city(tmp_path / "city"), 0.995)
