"""Figures: feet that stay where they are put down, looks that differ, umbrellas, barriers."""

import dataclasses

import numpy as np
import pytest
from numpy.typing import NDArray

from citysim.errors import InputError
from citysim.gait import sizes, turns
from citysim.pose import Pose
from citysim.render.avatar import LOOKS, barrier_bodies, board_bodies, people_bodies
from citysim.render.avatar.looks import CANOPY, SHOES
from citysim.render.avatar.people import BARRIER, figures
from citysim.render.avatar.skeleton import GAITS, KEYS
from citysim.render.avatar.street import SUNK_M
from citysim.render.base import Bodies, Camera, View
from citysim.render.bodies import MOST_VERTICES, joined
from citysim.render.gl.movers import posed
from citysim.render.raster import RasterRenderer
from tests.render.scenes import street

Array = NDArray[np.float64]


def people(count: int, *, ages: Array | None = None, raining: bool = False, speed: float = 1.3) -> Bodies:
    rng = np.random.default_rng(5)
    places = np.column_stack([rng.uniform(4, 30, count), rng.uniform(-5, 5, count), np.zeros(count)])
    return people_bodies(
        places, rng.uniform(-3, 3, count), np.full(count, speed), rng.uniform(0, 1, count), np.arange(count),
        ages if ages is not None else rng.uniform(4, 88, count), raining=raining, label_base=1000,
    )  # fmt: skip


def soles(speed: float, age: float, number: int, *, steps: int = 400) -> Array:
    """(T, V, 3) the soles' corners of someone who walks north at a speed, over two turns; the clock's step is free."""
    size = float(sizes(np.array([age]), np.array([number]))[0])
    rate = float(turns(np.array([speed]))[0]) / size
    found = []
    for k in range(steps):
        time = 2.0 * k / steps / rate
        body = people_bodies(
            np.array([[0.0, speed * time, 0.0]]), np.array([np.pi / 2]), np.array([speed]), np.array([time * rate]),
            np.array([number]), np.array([age]),
        )  # fmt: skip
        mesh = body.meshes[int(body.mesh[0])]
        assert body.gait is not None
        points = posed(mesh, float(body.phase[0]), float(body.gait[0]), body.place[0], float(body.scale[0]))
        found.append(points[mesh.parts == SHOES])
    return np.array(found)


@pytest.mark.parametrize("speed", [0.25, 0.6, 1.0, 1.34, 1.8])
@pytest.mark.parametrize("age", [7.0, 35.0, 80.0])
def test_feet_do_not_slide(speed: float, age: float) -> None:
    feet = soles(speed, age, 11)
    half = feet.shape[1] // 2
    for foot in (feet[:, :half], feet[:, half:]):
        lowest = foot[:, :, 2].argmin(axis=1)
        low = np.take_along_axis(foot, lowest[:, None, None].repeat(3, axis=2), axis=1)[:, 0]
        assert -0.02 < low[:, 2].min() <= 0.005
        down = low[:, 2] < 0.004
        assert down.mean() > 0.5
        # Whatever point of the sole is lowest keeps its place while it is on the ground and no other one takes over.
        slides = [
            abs(float(foot[k + 1, lowest[k], 1] - foot[k, lowest[k], 1]))
            for k in range(len(foot) - 1)
            if down[k] and down[k + 1] and lowest[k] == lowest[k + 1]
        ]
        moved = (
            speed * 2.0 / (float(turns(np.array([speed]))[0]) / float(sizes(np.array([age]), np.array([11]))[0])) / 400
        )
        assert np.mean(slides) < 0.12 * moved


def test_who_stands_stays_on_both_feet_and_shifts_the_weight() -> None:
    mesh = figures()[0][0]
    still = mesh.frames[:KEYS]
    shoes = mesh.parts == SHOES
    assert np.abs(still[:, shoes] - still[0, shoes]).max() < 0.03
    assert np.ptp(still[:, ~shoes, 1].mean(axis=1)) > 0.03


def test_figures_are_small_and_as_tall_as_people() -> None:
    meshes, coarser = figures()
    assert len(LOOKS) >= 12
    assert len({look.name for look in LOOKS}) == len(LOOKS)
    for mesh in meshes[:BARRIER]:
        assert mesh.frames.shape[1] <= MOST_VERTICES
        assert len(mesh.frames) == GAITS * KEYS
        bare = mesh.frames[:, mesh.parts != CANOPY]
        assert 1.6 < bare[:, :, 2].max() < 2.3
        assert bare[:, :, 2].min() > -0.03
    triangles = [len(mesh.triangles) for mesh in meshes]
    for number, simpler in enumerate(coarser.tolist()):
        assert simpler == number or triangles[simpler] < 0.8 * triangles[number]


def test_looks_follow_age_and_colours_differ() -> None:
    old, young = people(300, ages=np.full(300, 75.0)), people(300, ages=np.full(300, 8.0))
    assert (old.scale > 1.2 * young.scale).all()
    assert not set(old.mesh.tolist()) & set(young.mesh.tolist())
    grown = people(600, ages=np.full(600, 30.0))
    assert len(set(grown.mesh.tolist())) >= 10
    assert len({colors.tobytes() for colors in grown.colors}) > 200


def test_a_person_looks_the_same_in_any_company() -> None:
    all_, ages = people(50), np.random.default_rng(1).uniform(4, 88, 50)
    all_ = people(50, ages=ages)
    one = people_bodies(
        all_.place[7:8, :3], all_.place[7:8, 3], np.array([1.3]), np.array([0.5]), np.array([7]), ages[7:8],
        label_base=1000,
    )  # fmt: skip
    assert one.mesh[0] == all_.mesh[7]
    assert (one.colors[0] == all_.colors[7]).all()
    assert one.scale[0] == all_.scale[7]
    assert one.labels[0] == 1007


def test_most_have_umbrellas_in_rain_and_none_without() -> None:
    def open_(bodies: Bodies) -> int:
        return sum(bool((bodies.meshes[m].parts == CANOPY).any()) for m in bodies.mesh.tolist())

    assert open_(people(200)) == 0
    assert 130 < open_(people(200, raining=True)) < 190


def test_small_figures_take_their_places_in_a_picture() -> None:
    renderer = RasterRenderer(street())
    crowd = people(40)
    view = View(Camera(Pose(0.0, 0.0, 1.6, 0.0), (320, 240)), labels=True, bodies=crowd)
    seen = crowd.seen_by(view.camera)
    assert len(set((seen - crowd.mesh).tolist())) > 2  # several details at once
    best = renderer.render(dataclasses.replace(view, bodies=dataclasses.replace(crowd, coarser=None)))
    frame = renderer.render(view)
    a, b = np.asarray(frame.labels), np.asarray(best.labels)
    people_pixels = (a >= 1000) | (b >= 1000)
    assert people_pixels.sum() > 1000
    assert ((a == b) & people_pixels).sum() > 0.8 * people_pixels.sum()
    renderer.close()


def test_barriers_close_a_line_and_boards_stand_where_they_are_put() -> None:
    line = np.array([[10.0, -4.0, 0.0], [10.0, 4.0, 0.5], [14.0, 4.0, 0.5]])
    fence = barrier_bodies([line, line + 1.0], 70)
    assert set(fence.labels.tolist()) == {70, 71}
    mine = fence.place[fence.labels == 70]
    assert len(mine) == 6
    mesh = fence.meshes[BARRIER]
    assert -SUNK_M < mesh.frames[:, :, 2].min() < -0.2  # posts go on into the ground
    ends = posed(mesh, 0.0, 0.0, mine[0], float(fence.scale[0]))
    assert ends[:, 1].min() < -3.8
    assert np.ptp(ends[:, 0]) < 0.75
    boards = board_bodies(np.array([[1.0, 2.0, 0.0, 0.3]]), 90)
    both = joined([fence, boards, people(5)])
    assert len(both) == len(fence) + 6
    assert both.gait is not None
    with pytest.raises(InputError, match="at least two"):
        barrier_bodies([np.zeros((1, 3))])
    with pytest.raises(InputError, match="one tuple"):
        joined([fence, dataclasses.replace(boards, meshes=(*boards.meshes,)[::-1])])
