"""Moving bodies: where they stand, what they hide, and that they leave no trace."""

import numpy as np
import pytest

from citysim.conditions import Conditions
from citysim.errors import InputError
from citysim.pose import Pose
from citysim.render.base import Bodies, BodyMesh, Camera, View
from citysim.render.raster import RasterRenderer
from tests.render.scenes import box, street

LABEL = 5_000


def figure() -> BodyMesh:
    """A box 0.5 x 0.4 x 1.8 m that leans ahead in its second key pose."""
    made = box((-0.25, -0.2, 0.0), (0.25, 0.2, 1.8))
    still = made.positions + made.origin.astype(np.float32)
    leaning = still.copy()
    leaning[still[:, 2] > 1.0, 0] += 1.0
    return BodyMesh(np.stack([still, leaning]).astype(np.float32), made.triangles, np.zeros(len(still), np.int32))


MESHES = (figure(),)


def bodies(*places: tuple[float, float, float, float], phase: float = 0.0) -> Bodies:
    count = len(places)
    return Bodies(
        MESHES,
        np.zeros(count, np.int32),
        np.array(places, dtype=np.float64).reshape(-1, 4),
        np.full(count, phase),
        np.arange(LABEL, LABEL + count, dtype=np.int32),
        np.full((count, 1, 3), (250, 20, 20), np.uint8),
        np.ones(count),
    )


EYE = Camera(Pose(0.0, 0.0, 1.6, 0.0), (160, 120))


def test_a_body_stands_where_it_is_put_and_is_gone_in_the_next_picture() -> None:
    renderer = RasterRenderer(street())
    empty = renderer.render(View(EYE, depth=True, labels=True))
    frame = renderer.render(View(EYE, depth=True, labels=True, bodies=bodies((10.0, -2.0, 0.0, 0.3))))
    assert frame.labels is not None
    assert frame.depth is not None
    rows, columns = np.nonzero(frame.labels == LABEL)
    top, foot = EYE.project(np.array([[10.0, -2.0, 1.8], [10.0, -2.0, 0.0]]))
    assert abs(columns.mean() - top[0]) < 2.0
    assert abs(rows.min() - top[1]) < 2.0
    assert abs(rows.max() - foot[1]) < 2.5
    assert np.abs(frame.depth[rows, columns] - 10.0).max() < 0.5
    assert (frame.rgb[rows, columns, 0] > 2 * frame.rgb[rows, columns, 1].astype(int)).all()
    again = renderer.render(View(EYE, depth=True, labels=True))
    assert (again.rgb == empty.rgb).all()
    assert (np.asarray(again.labels) == np.asarray(empty.labels)).all()


def test_bodies_hide_each_other_and_walls_hide_them() -> None:
    renderer = RasterRenderer(street())
    shown = bodies((6.0, 0.0, 0.0, 0.0), (12.0, 0.0, 0.0, 0.0), (10.0, 20.0, 0.0, 0.0), (-8.0, 0.0, 0.0, 0.0))
    frame = renderer.render(View(EYE, labels=True, bodies=shown))
    assert set(np.unique(np.asarray(frame.labels))) & set(range(LABEL, LABEL + 4)) == {LABEL}


def test_phase_moves_between_key_poses_and_wraps() -> None:
    renderer = RasterRenderer(street())
    side = (8.0, 1.0, 0.0, np.pi / 2)

    def reach(phase: float) -> float:
        frame = renderer.render(View(EYE, labels=True, bodies=bodies(side, phase=phase)))
        return float(np.nonzero(np.asarray(frame.labels) == LABEL)[1].min())

    still, half, leaning = reach(0.0), reach(0.5), reach(1.0)
    assert leaning < half < still
    assert reach(2.0) == still
    assert reach(7.5) == reach(1.5)


def test_a_crowd_is_the_same_for_any_threads_and_in_a_batch() -> None:
    rng = np.random.default_rng(3)
    places = [(float(e), float(n), 0.0, float(y)) for e, n, y in rng.uniform((3, -6, -3), (60, 6, 3), (80, 3))]
    views = [
        View(Camera(Pose(0.0, 0.3 * k, 1.6, 0.1 * k), (320, 240)), Conditions(), True, True, bodies=bodies(*places[k:]))
        for k in range(6)
    ]
    one, three = RasterRenderer(street()), RasterRenderer(street(), threads=3)
    frames = [one.render(view) for view in views]
    for others in (
        [three.render(view) for view in views],
        three.render_batch(views),
        one.render_batch(views[::-1])[::-1],
    ):
        for a, b in zip(frames, others, strict=True):
            assert (a.rgb == b.rgb).all()
            assert (np.asarray(a.depth) == np.asarray(b.depth)).all()
            assert (np.asarray(a.labels) == np.asarray(b.labels)).all()
    assert len(np.unique(np.asarray(frames[0].labels))) > 20
    three.close()


def test_bodies_of_a_batch_stay_where_later_views_load_tiles() -> None:
    """Pictures from one end of the street to the other: each loads more of it after the bodies of those before."""
    views = [
        View(
            Camera(Pose(float(east), 0.0, 1.6, 0.0), (96, 72), far_m=60.0),
            Conditions(weather=weather),
            labels=True,
            bodies=bodies((east + 5.0, 1.0, 0.0, 0.3), (east + 9.0, -2.0, 0.0, 1.0)),
        )
        for weather in ("overcast", "sunny")
        for east in (-180, -60, 60, 120)
    ]
    alone = [RasterRenderer(street()).render(view) for view in views]
    for threads in (1, 2):
        renderer = RasterRenderer(street(), threads=threads)
        for a, b in zip(alone, renderer.render_batch(views), strict=True):
            assert {LABEL, LABEL + 1} <= set(np.unique(np.asarray(a.labels)).tolist())
            assert (a.rgb == b.rgb).all()
            assert (np.asarray(a.labels) == np.asarray(b.labels)).all()
        renderer.close()


def test_no_bodies_are_fine_and_broken_ones_are_refused() -> None:
    renderer = RasterRenderer(street())
    plain = renderer.render(View(EYE))
    assert (renderer.render(View(EYE, bodies=bodies())).rgb == plain.rgb).all()
    with pytest.raises(InputError, match="figures"):
        Bodies(MESHES, np.array([1], np.int32), np.zeros((1, 4)), np.zeros(1), np.zeros(1, np.int32),
               np.zeros((1, 1, 3), np.uint8), np.ones(1))  # fmt: skip
    with pytest.raises(InputError, match="arrays of 1"):
        Bodies(MESHES, np.array([0], np.int32), np.zeros((2, 4)), np.zeros(1), np.zeros(1, np.int32),
               np.zeros((1, 1, 3), np.uint8), np.ones(1))  # fmt: skip
    with pytest.raises(InputError, match="vertex numbers"):
        BodyMesh(MESHES[0].frames, np.array([[0, 1, 99]], np.int32), MESHES[0].parts)


def test_the_first_picture_in_rain_has_its_bodies() -> None:
    renderer = RasterRenderer(street())
    view = View(EYE, Conditions(weather="rainy"), labels=True, bodies=bodies((10.0, -2.0, 0.0, 0.3)))
    first, second = renderer.render(view), renderer.render(view)
    assert first.labels is not None
    assert (first.labels == LABEL).any()
    assert (first.rgb == second.rgb).all()
