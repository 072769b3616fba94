import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from citysim.errors import FormatError
from citysim.geo.frames import LocalFrame, geodetic_to_ecef
from citysim.geo.s2 import cell_lonlat
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


# cells of known places, from the tests of the S2 library
@pytest.mark.parametrize(
    ("token", "lat", "lon"),
    [
        ("47a1cbd595522b39", 49.703498679, 11.770681595),
        ("46525318b63be0f9", 55.685376759, 12.588490937),
        ("52b30b71698e729d", 45.486546517, -93.449700022),
        ("46ed8886cfadda85", 58.299984854, 23.049300056),
        ("3663f18a24cbe857", 34.364439040, 108.330699969),
        ("2b2bfd076787c5df", -25.285264027, 133.823116966),
        ("b09dff882a7809e1", -75.000000031, 0.000000133),
    ],
)
def test_s2_cells_lie_where_they_should_and_are_contained(token: str, lat: float, lon: float) -> None:
    assert cell_lonlat(token, 3)[1, 1] == pytest.approx([lon, lat], abs=1e-8)
    frame = LocalFrame(lon, lat, 0.0)
    for length in (1, 2, 3, 5, 9):  # its ancestors are the shorter tokens, closed by a bit
        number = int(token, 16)
        lowest = 1 << (64 - 4 * length)
        parent = f"{number & -lowest * 2 | lowest:016x}"
        cell = {"token": parent, "minimumHeight": 0.0, "maximumHeight": 100.0}
        sphere = bounding_sphere({"extensions": {"3DTILES_bounding_volume_S2": cell}}, EYE, frame.inverse)
        assert np.linalg.norm(sphere.center) < sphere.radius


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
        {"extensions": {"3DTILES_bounding_volume_S2": {"token": "zz"}}},
        {"extensions": {"3DTILES_bounding_volume_S2": {"token": "3", "minimumHeight": "low"}}},
    ],
)
def test_broken_volumes_are_refused(volume: dict[str, object]) -> None:
    with pytest.raises(FormatError):
        bounding_sphere(volume, EYE, EYE)
