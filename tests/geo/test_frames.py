"""WGS84, ECEF and local frames against PROJ."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyproj import Transformer

from citysim.errors import InputError
from citysim.geo.frames import LocalFrame, ecef_to_geodetic, geodetic_to_ecef

LON = st.floats(-180, 180)
LAT = st.floats(-89.9, 89.9)
HEIGHT = st.floats(-500, 9000)
TO_ECEF = Transformer.from_crs("EPSG:4979", "EPSG:4978", always_xy=True)


@given(LON, LAT, HEIGHT)
def test_geodetic_to_ecef_agrees_with_proj(lon: float, lat: float, height: float) -> None:
    ours = geodetic_to_ecef([lon, lat, height])
    assert np.linalg.norm(ours - np.array(TO_ECEF.transform(lon, lat, height))) < 1e-6


@given(LON, LAT, HEIGHT)
def test_ecef_round_trip(lon: float, lat: float, height: float) -> None:
    point = geodetic_to_ecef([lon, lat, height])
    back = ecef_to_geodetic(point)
    assert np.linalg.norm(geodetic_to_ecef(back) - point) < 1e-6
    assert abs(back[2] - height) < 1e-6


@given(LON, st.floats(-85, 85), st.floats(-100, 3000), st.floats(-50e3, 50e3), st.floats(-50e3, 50e3), HEIGHT)
def test_local_frame_agrees_with_proj_within_a_millimetre(
    lon: float, lat: float, height: float, east: float, north: float, up: float
) -> None:
    frame = LocalFrame(lon, lat, height)
    pipeline = Transformer.from_pipeline(
        "+proj=pipeline +step +proj=unitconvert +xy_in=deg +xy_out=rad +step +proj=cart +ellps=WGS84 "
        f"+step +proj=topocentric +ellps=WGS84 +lon_0={lon!r} +lat_0={lat!r} +h_0={height!r}"
    )
    geodetic = frame.to_geodetic([east, north, up])
    theirs = np.array(pipeline.transform(*geodetic))
    assert np.linalg.norm(theirs - [east, north, up]) < 1e-3
    assert np.linalg.norm(frame.from_geodetic(geodetic) - [east, north, up]) < 1e-5


def test_axes_are_east_north_up() -> None:
    frame = LocalFrame(24.94, 60.17, 10.0)
    lon, lat, height = frame.to_geodetic([[100, 0, 0], [0, 100, 0], [0, 0, 100]]).T
    assert lon[0] > 24.94
    assert lat[1] > 60.17
    assert height[2] == pytest.approx(110.0)
    assert np.allclose(frame.matrix @ frame.inverse, np.eye(4), atol=1e-6)
    assert np.linalg.det(frame.matrix[:3, :3]) == pytest.approx(1.0)


@pytest.mark.parametrize("origin", [(0.0, 91.0, 0.0), (float("nan"), 0.0, 0.0), (0.0, 0.0, float("inf"))])
def test_impossible_origins_are_refused(origin: tuple[float, float, float]) -> None:
    with pytest.raises(InputError, match="longitude"):
        LocalFrame(*origin)
