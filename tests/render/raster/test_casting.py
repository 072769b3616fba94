"""Moving bodies cast sun shadows, in both renderers, and take them with them."""

import dataclasses

import numpy as np
import pytest

from citysim.conditions import Conditions
from citysim.errors import DependencyError
from citysim.pose import Pose
from citysim.render import make_renderer
from citysim.render.base import Bodies, BodyMesh, Camera, Frame, View
from citysim.render.raster import RasterRenderer
from citysim.render.raster.casting import CELL_M, clouds_of
from tests.render.raster.test_bodies import MESHES, bodies
from tests.render.raster.test_exact import digest
from tests.render.scenes import street

NOON = Conditions(clock_s=13 * 3600.0)
EYE = Camera(Pose(0.0, 0.0, 5.0, 0.0, -0.45), (240, 160))
CROWD = bodies((8.0, 1.0, 0.0, 0.3), (11.0, 3.0, 0.0, 1.0), (10.0, 0.0, 0.0, 2.0))


def darker_ground(bare: Frame, crowded: Frame) -> int:
    """Pixels of ground that got much darker; the bodies' own left out."""
    assert crowded.labels is not None
    assert bare.labels is not None
    same = crowded.labels == bare.labels
    fall = bare.rgb.astype(int).sum(axis=2) - crowded.rgb.astype(int).sum(axis=2)
    return int((same & (fall > 25)).sum())


@pytest.mark.parametrize("name", ["raster", "gl"])
def test_bodies_shade_the_ground_behind_them_in_the_sun_alone(name: str) -> None:
    try:
        renderer = make_renderer(name, street())
    except DependencyError as error:
        pytest.skip(f"needs EGL: {error}")
    bare, crowded = (renderer.render(View(EYE, NOON, True, True, bodies=b)) for b in (None, CROWD))
    assert 100 < darker_ground(bare, crowded) < 4000
    again = renderer.render(View(EYE, NOON, True, True))
    assert (again.rgb == bare.rgb).all()  # they took their shadows with them
    dull = Conditions(clock_s=13 * 3600.0, weather="overcast")
    bare, crowded = (renderer.render(View(EYE, dull, True, True, bodies=b)) for b in (None, CROWD))
    assert darker_ground(bare, crowded) < 30
    renderer.close()


def test_the_sunny_side_of_a_body_stays_sunny() -> None:
    """Seen from the sun a body is as bright as without any shadow maps, but for its feet."""
    sun = NOON.sun_direction
    yaw = float(np.arctan2(-sun[1], -sun[0]))
    eye = Camera(Pose(10.0 + 6.0 * float(sun[0]), 0.0 + 6.0 * float(sun[1]), 4.0, yaw, -0.45), (160, 160))
    one = bodies((10.0, 0.0, 0.0, yaw))
    shaded, plain = (
        RasterRenderer(street(), shadows=bool(s)).render(View(eye, NOON, labels=True, bodies=one)) for s in (1, 0)
    )
    assert shaded.labels is not None
    mine = shaded.labels == 5_000
    rows = np.flatnonzero(mine.any(axis=1))
    mine[rows[0] + int(0.6 * len(rows)) :] = False
    assert mine.sum() > 200
    assert (np.abs(shaded.rgb[mine].astype(int) - plain.rgb[mine]).max(axis=1) < 8).mean() > 0.9


def test_a_batch_of_different_crowds_gives_what_each_view_gives_alone() -> None:
    moved = dataclasses.replace(CROWD, place=CROWD.place + np.array([1.5, -1.0, 0.0, 0.4]))
    views = [
        View(dataclasses.replace(EYE, pose=Pose(0.0, dy, 5.0, 0.1 * dy, -0.45)), NOON, True, True, bodies=crowd)
        for dy in (0.0, 1.0)
        for crowd in (None, CROWD, moved, CROWD)
    ]
    wanted = [digest(RasterRenderer(street()).render(view)) for view in views]
    assert len(set(wanted)) == 6
    for threads in (1, 2):
        renderer = RasterRenderer(street(), threads=threads)
        assert [digest(frame) for frame in renderer.render_batch(views)] == wanted
        assert [digest(frame) for frame in renderer.render_batch(views[::-1])] == wanted[::-1]
        renderer.close()


def test_clouds_cover_a_figure_in_every_pose() -> None:
    clouds = clouds_of(MESHES, {0})
    first, count, keys, cycles = clouds.spans[0].tolist()
    assert (first, keys, cycles) == (0, 2, 1)
    points = clouds.points[: 2 * count].reshape(2, count, 3)
    # every piece of the box's skin has a point within a cell's diagonal
    rng = np.random.default_rng(3)
    sides = rng.uniform((-0.25, -0.2, 0.0), (0.25, 0.2, 1.8), (300, 3))
    sides[:, 0] = np.where(sides[:, 0] > 0, 0.25, -0.25)
    away = np.linalg.norm(sides[:, None] - points[0][None], axis=2).min(axis=1)
    assert away.max() < 1.8 * CELL_M
    assert points[1, points[0, :, 2] > 1.5, 0].min() > 0.5  # the leaning pose leans


def test_bodies_beyond_the_map_and_without_size_do_no_harm() -> None:
    renderer = RasterRenderer(street())
    far = bodies((9_000.0, 0.0, 0.0, 0.0), (-9_000.0, 0.0, 0.0, 0.0))
    view = View(EYE, NOON)
    assert (renderer.render(dataclasses.replace(view, bodies=far)).rgb == renderer.render(view).rgb).all()
    tiny = dataclasses.replace(CROWD, scale=np.full(3, 1e-9))
    assert renderer.render(dataclasses.replace(view, bodies=tiny)).rgb.shape == (160, 240, 3)


def test_the_simplest_figures_cast_for_the_others() -> None:
    fine = MESHES[0]
    tall = BodyMesh(fine.frames * np.array([1.0, 1.0, 3.0], np.float32), fine.triangles, fine.parts)
    crowd = Bodies(
        (fine, tall), np.zeros(3, np.int32), CROWD.place, CROWD.phase, CROWD.labels, CROWD.colors, CROWD.scale,
        coarser=np.array([1, 1], np.int32),
    )  # fmt: skip
    renderer = RasterRenderer(street())
    bare, short, long = (renderer.render(View(EYE, NOON, True, True, bodies=b)) for b in (None, CROWD, crowd))
    assert darker_ground(bare, long) > 1.5 * darker_ground(bare, short)
