"""Finding a free spot for a thing near where it should be."""

import math

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from citysim.build.plans import Xy
from citysim.build.props.model import Model
from citysim.build.props.surroundings import Surroundings

RING, TURNS = 0.25, 16  # metres between rings of candidates, candidates on a ring


def footprint(model: Model, heading: float) -> BaseGeometry:
    """The rectangle of a model's solid part, turned, around the origin."""
    x0, y0, x1, y1 = model.footprint()
    c, s = math.cos(math.radians(heading)), math.sin(math.radians(heading))
    corners = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
    shape: BaseGeometry = shapely.polygons([(x * c + y * s, y * c - x * s) for x, y in corners])
    return shape


def find_spot(
    model: Model, heading: float, xy: Xy, reach: float, around: Surroundings, *, anywhere: bool = False
) -> Xy | None:
    """The free spot nearest to `xy`, at most `reach` metres away, marked as occupied; None where there is none.

    `anywhere` allows carriageways, for what belongs there.
    """
    shape = footprint(model, heading)
    here = shapely.transform(shape, lambda c: c + np.asarray(xy))
    if around.free(np.array([here], dtype=object), anywhere)[0]:
        around.occupy(here)
        return xy
    offsets = _offsets(reach) + np.asarray(xy)
    moved = shapely.polygons(shapely.get_coordinates(shape)[None, :, :] + offsets[:, None, :])
    good = np.flatnonzero(around.free(moved, anywhere))
    if not len(good):
        return None
    x, y = np.round(offsets[good[0]] * 1024) / 1024
    around.occupy(moved[good[0]])
    return float(x), float(y)


def _offsets(reach: float) -> NDArray[np.float64]:
    """Offsets on rings 0.25 m apart, near ones first."""
    rings = [RING * i for i in range(1, int(reach / RING) + 1)]
    turns = [2 * math.pi * k / TURNS for k in range(TURNS)]
    return np.array([(r * math.sin(a), r * math.cos(a)) for r in rings for a in turns])
