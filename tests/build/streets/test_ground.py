"""The ground is one conforming partition, and what it says about heights and uses is what is built."""

import os
import subprocess
import sys

import numpy as np
import shapely

from citysim.build.draft import CityDraft
from citysim.build.looks import look
from citysim.build.streets.kerbs import KERB
from citysim.build.streets.site import Site
from citysim.build.streets.surface import GroundSurface
from tests.build.streets.worlds import finest, floor_below

Built = tuple[CityDraft, GroundSurface]


def _edges(corners: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    keys = np.round(corners[:, :, :2] * 1024).astype(np.int64)
    points, where = np.unique(keys.reshape(-1, 2), axis=0, return_inverse=True)
    vertex = where.reshape(-1, 3)
    sides = np.sort(np.stack([vertex, np.roll(vertex, -1, axis=1)], axis=-1).reshape(-1, 2), axis=1)
    used, count = np.unique(sides, axis=0, return_counts=True)
    return points / 1024, used, count


def test_every_interior_edge_is_used_twice(built: Built) -> None:
    draft, ground = built
    points, used, count = _edges(ground.corners)
    assert count.max() == 2
    middles = shapely.points(points[used[count == 1]].mean(axis=1))
    site = Site.of(draft.plan)
    stairs = [
        shapely.box(o.bounds[0], o.bounds[1], o.bounds[3], o.bounds[4]) for o in draft.objects if o.category == "stairs"
    ]
    rims = shapely.union_all([site.solid.boundary, site.bounds.exterior, *[s.boundary for s in stairs]])
    assert shapely.distance(middles, rims).max() < 0.01


def test_ground_covers_everything_but_buildings_and_stairwells(built: Built) -> None:
    draft, ground = built
    flat = ground.corners[:, :, :2]
    u, v = flat[:, 1] - flat[:, 0], flat[:, 2] - flat[:, 0]
    area = (u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]) / 2
    site = Site.of(draft.plan)
    sunk = [o.bounds for o in draft.objects if o.category == "stairs" and "deck" not in o.attributes["source"]]
    wells = sum((b[3] - b[0]) * (b[4] - b[1]) for b in sunk)
    assert (area > 0).all()
    assert abs(area.sum() + wells - (site.bounds.area - site.solid.area)) < 1.0


def test_no_two_upward_surfaces_in_the_same_plane(built: Built) -> None:
    triangles = finest(built[0])
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    flat = triangles[normal[:, 2] > 0.9 * np.linalg.norm(normal, axis=1)]
    shapes = shapely.polygons(np.concatenate([flat[:, :, :2], flat[:, :1, :2]], axis=1))
    a, b = shapely.STRtree(shapes).query(shapes, predicate="overlaps")
    a, b = a[a < b], b[a < b]
    shared = shapely.intersection(shapely.buffer(shapes[a], -0.002), shapely.buffer(shapes[b], -0.002))
    middle = shapely.get_coordinates(shapely.centroid(shared[shapely.area(shared) > 1e-4]))
    both = np.flatnonzero(shapely.area(shared) > 1e-4)

    def at(which: np.ndarray) -> np.ndarray:
        t = flat[which]
        n = np.cross(t[:, 1] - t[:, 0], t[:, 2] - t[:, 0])
        away = middle - t[:, 0, :2]
        return np.asarray(t[:, 0, 2] - (away * n[:, :2]).sum(axis=1) / n[:, 2])

    apart = np.abs(at(a[both]) - at(b[both]))
    assert len(apart) > 10, "markings lie on the road and decks over it: there must be pairs to compare"
    assert apart.min() > 0.002


def test_heights_are_those_of_the_mesh(built: Built) -> None:
    draft, ground = built
    rng = np.random.default_rng(1)
    points = rng.uniform((2, 2), (158, 138), (4000, 2))
    z = ground.height(points)
    regions = np.array(ground.region(points))
    open_air = ~np.isin(regions, ["building"])
    below = floor_below(ground.corners, np.column_stack([points, z])[open_air], 0.01)
    assert np.abs(below - z[open_air]).max() < 1e-6
    assert set(regions) >= {"carriageway", "pavement", "park", "water", "square", "court", "building", "path"}
    assert np.allclose(z[regions == "water"], z[regions == "water"][0])
    del draft


def test_kerbs_stand_and_drop_at_crossings(built: Built) -> None:
    ground = built[1]

    def lip(x: float) -> float:
        road, walk = ground.height([(x, 64.9), (x, 65.1)])
        return float(walk - road)

    assert abs(lip(140.0) - KERB) < 0.005
    assert all(abs(lip(110.0 + d)) <= 0.02 for d in (-1.9, -1.0, 0.0, 1.0, 1.9))


def test_kerb_faces_look_at_the_road(built: Built) -> None:
    draft = built[0]
    kerbs = [p for p in draft.mesh.parts if p.material == look(draft, "kerb").material]
    triangles = np.concatenate([p.positions[p.triangles] for p in kerbs])
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    middle = triangles.mean(axis=1)[:, :2]
    before, behind = middle + normal[:, :2] * 0.05, middle - normal[:, :2] * 0.05
    ground = built[1]
    inside = ((middle > 1.0) & (middle < (159.0, 139.0))).all(axis=1)
    assert (ground.height(before) < ground.height(behind))[inside].all()


def test_same_bytes_whatever_the_hash_seed() -> None:
    code = (
        "from citysim.build.draft import CityDraft; from citysim.build.streets import build_streets;"
        "from tests.build.streets.small import small_plan; from tests.build.streets.worlds import fingerprint;"
        "d = CityDraft(small_plan()); build_streets(d); print(fingerprint(d))"
    )
    prints = set()
    for seed in ("0", "12345"):
        env = {**os.environ, "PYTHONHASHSEED": seed}
        prints.add(
            subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True).stdout
        )
    assert len(prints) == 1
