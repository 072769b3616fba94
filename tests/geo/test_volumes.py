import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citysim.errors import FormatError
from citysim.geo.frames import LocalFrame, geodetic_to_ecef
from citysim.geo.volumes import bounding_sphere

EYE = np.eye(4)


def test_box_reaches_its_corners_through_a_transform() -> None:
    matrix = np.array([(0, -2, 0, 5), (2, 0, 0, 6), (0, 0, 2, 7), (0, 0, 0, 1)], dtype=np.float64)
    sphere = bounding_sphere({"box": [1, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 12]}, matrix, EYE)
    assert sphere.center.tolist() == [5, 8, 7]
    assert sphere.radius == pytest.approx(26.0)


def test_skewed_box_is_contained() -> None:
    axes = np.array([(3, 1, 0), (-1, 2, 0.5), (0, 0, 1)])
    sphere = bounding_sphere({"box": [0, 0, 0, *axes.reshape(-1)]}, EYE, EYE)
    signs = np.array(np.meshgrid(*[(-1, 1)] * 3)).reshape(3, -1).T
    assert np.linalg.norm(signs @ axes, axis=1).max() == pytest.approx(sphere.radius)


def test_sphere_scales_by_its_largest_axis() -> None:
    sphere = bounding_sphere({"sphere": [1, 1, 1, 2]}, np.diag([1.0, 3.0, 2.0, 1.0]), EYE)
    assert sphere.center.tolist() == [1, 3, 2]
    assert sphere.radius == pytest.approx(6.0)


@given(
    st.floats(-180, 180),
    st.floats(-80, 80),
    st.floats(1e-4, 0.3),
    st.floats(1e-4, 0.3),
    st.floats(0, 1),
    st.floats(0, 1),
)
def test_region_contains_its_bulge(lon: float, lat: float, wide: float, tall: float, u: float, v: float) -> None:
    west, south = np.radians(lon), np.radians(lat)
    east, north = west + wide, min(south + tall, 1.57)
    frame = LocalFrame(lon, lat, 0.0)
    region = [west, south, (east + np.pi) % (2 * np.pi) - np.pi, north, -20.0, 300.0]
    sphere = bounding_sphere({"region": region}, EYE, frame.inverse)
    inside = np.degrees([west + u * (east - west), south + v * (north - south)])
    for height in (-20.0, 300.0):
        point = frame.from_ecef(geodetic_to_ecef([*inside, height]))
        assert np.linalg.norm(point - sphere.center) <= sphere.radius + 1e-3


def test_regions_ignore_the_tile_transform() -> None:
    frame = LocalFrame(10.0, 50.0, 0.0)
    region = {"region": [*np.radians([10.0, 50.0, 10.01, 50.01]), 0, 10]}
    moved = EYE.copy()
    moved[0, 3] = 1e6
    assert np.array_equal(
        bounding_sphere(region, EYE, frame.inverse).center, bounding_sphere(region, moved, frame.inverse).center
    )


@pytest.mark.parametrize(
    "volume",
    [
        {},
        {"box": [1, 2, 3]},
        {"box": "large"},
        {"box": [float("nan")] * 12},
        {"sphere": [0, 0, 0, "x"]},
        {"region": [10.0, 50.0, 10.01, 50.01, 0, 10]},
        {"extensions": {"3DTILES_bounding_volume_S2": {"token": "3"}}},
    ],
)
def test_broken_volumes_are_refused(volume: dict[str, object]) -> None:
    with pytest.raises(FormatError):
        bounding_sphere(volume, EYE, EYE)
