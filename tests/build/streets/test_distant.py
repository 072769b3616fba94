"""Distant ground: few triangles, the same area and heights, whole tiles."""

import numpy as np
import pytest
from shapely.geometry import Polygon, box

from citysim.build.facets import Facets
from citysim.build.streets.distant import BENT, LEDGE, distant_ground
from citysim.build.streets.ground import GroundMesh, ground_mesh
from citysim.build.streets.kerbs import KERB, Kerbs
from citysim.build.streets.partition import BLOCK
from citysim.build.streets.terrain import Terrain
from citysim.build.tiler import CELL_M

BOUNDS = (-150.0, 10.0, 150.0, 50.0)


def street() -> GroundMesh:
    """A carriageway with pavements along both sides, in cells of 10 m, and a building's hole in a pavement."""
    cells: list[tuple[str, Polygon]] = []
    for x in np.arange(-150.0, 150.0, 10.0).tolist():
        cells.append(("carriageway", box(x, 26.0, x + 10.0, 34.0)))
        cells.append(("kerb", box(x, 34.0, x + 10.0, 34.3)))
        cells.append(("kerb", box(x, 25.7, x + 10.0, 26.0)))
        cells.append(("pavement", box(x, 10.0, x + 10.0, 25.7)))
        cells.append(("pavement", box(x, 34.3, x + 10.0, 40.0)))
        if not 20.0 <= x < 60.0:
            cells.append(("pavement", box(x, 40.0, x + 10.0, 50.0)))
    return ground_mesh(cells, Kerbs(np.zeros((0, 2)), np.zeros(0)), Terrain.flat(BOUNDS, 2.0, None), [])


def area(corners: np.ndarray) -> float:
    u, v = corners[:, 1, :2] - corners[:, 0, :2], corners[:, 2, :2] - corners[:, 0, :2]
    return float((u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]).sum() / 2)


@pytest.fixture(scope="module")
def mesh() -> GroundMesh:
    return street()


def test_few_triangles_cover_the_same_ground(mesh: GroundMesh) -> None:
    looks = ["asphalt" if name in ("carriageway", "kerb") else "paving" for name in mesh.names]
    pieces = distant_ground(mesh, looks, np.ones(len(mesh.corners), dtype=np.int64))
    corners = np.concatenate([piece for _, _, piece in pieces])
    assert sum(len(piece) for _, _, piece in pieces) < 0.2 * len(mesh.corners)
    assert area(corners) == pytest.approx(area(mesh.corners))
    assert {look for look, _, _ in pieces} == {"asphalt", "paving"}
    middle = mesh.corners.mean(axis=1)
    at, weights = Facets(corners).locate(middle[:, :2])
    assert (at >= 0).all()
    rise = (corners[at, :, 2] * weights).sum(axis=1) - middle[:, 2]
    assert (rise > -1e-6).all()
    assert (rise < KERB + 1 / 512).all()  # kerbs are levelled at their upper edge


def test_no_triangle_lies_in_two_tiles(mesh: GroundMesh) -> None:
    assert CELL_M % BLOCK == 0.0  # so that the finest ground ends at borders of tiles as well
    pieces = distant_ground(mesh, ["paving"] * len(mesh.names), np.ones(len(mesh.corners), dtype=np.int64))
    x = np.concatenate([piece for _, _, piece in pieces])[:, :, 0]
    assert ((x.max(axis=1) <= 0.0) | (x.min(axis=1) >= 0.0)).all()


def test_objects_and_high_steps_stay_apart() -> None:
    cells = [("square", box(0.0, 0.0, 10.0, 10.0)), ("square/terrace0", box(10.0, 0.0, 20.0, 10.0))]
    mesh = ground_mesh(
        cells, Kerbs(np.zeros((0, 2)), np.zeros(0)), Terrain.flat((0.0, 0.0, 20.0, 10.0), 2.0, None), [], [2.0]
    )
    assert LEDGE < 2.0
    pieces = distant_ground(mesh, ["paving", "paving"], np.ones(len(mesh.corners), dtype=np.int64))
    heights = sorted({float(z) for _, _, piece in pieces for z in np.unique(piece[:, :, 2])})
    assert heights == pytest.approx([0.0, 2.0])
    apart = distant_ground(mesh, ["paving", "paving"], mesh.label + 5)
    assert sorted(ident for _, ident, _ in apart) == [5, 6]


def test_bent_ground_stays_near_its_slopes() -> None:
    cells = [("grass", box(x, 0.0, x + 6.0, 60.0)) for x in np.arange(0.0, 120.0, 6.0).tolist()]
    flat = ground_mesh(
        cells, Kerbs(np.zeros((0, 2)), np.zeros(0)), Terrain.flat((0.0, 0.0, 120.0, 60.0), 2.0, None), []
    )
    lifted = flat.corners.copy()
    lifted[:, :, 2] = np.round(8.0 * np.sin(lifted[:, :, 0] / 20.0) * 1024.0) / 1024.0
    mesh = GroundMesh(lifted, flat.label, flat.names, flat.faces, flat.face_owner, flat.rim, flat.vertex)
    corners = np.concatenate([p for _, _, p in distant_ground(mesh, ["grass"], np.ones(len(lifted), dtype=np.int64))])
    middle = lifted.mean(axis=1)
    at, weights = Facets(corners).locate(middle[:, :2])
    assert np.abs((corners[at, :, 2] * weights).sum(axis=1) - middle[:, 2]).max() <= BENT
