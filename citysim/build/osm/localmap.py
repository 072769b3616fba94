"""An extract in local metres: where every reader of meaning looks nodes up."""

from dataclasses import dataclass, field

import numpy as np
from shapely import STRtree
from shapely.geometry import Point, box
from shapely.geometry.base import BaseGeometry

from citysim.build.osm.extract import OsmExtract
from citysim.build.osm.faults import Faults
from citysim.build.plans import Xy
from citysim.geo.frames import LocalFrame

LATTICE = 1024.0  # steps a metre: equal floats on every machine, and near nodes meet


@dataclass
class LocalMap:
    """An extract with its frame, the local position of each node, the bounds, and the faults met so far."""

    extract: OsmExtract
    frame: LocalFrame
    bounds: tuple[float, float, float, float]  # e0, n0, e1, n1 metres
    xy: dict[int, Xy]
    faults: Faults = field(default_factory=Faults)

    def inside(self, xy: Xy) -> bool:
        """Whether a point lies within the bounds."""
        e0, n0, e1, n1 = self.bounds
        return e0 <= xy[0] <= e1 and n0 <= xy[1] <= n1

    def present(self, refs: tuple[int, ...]) -> list[int]:
        """The refs whose nodes are in the extract, without immediate repetitions."""
        kept: list[int] = []
        for ref in refs:
            if ref in self.xy and (not kept or self.xy[kept[-1]] != self.xy[ref]):
                kept.append(ref)
        return kept


def local_map(extract: OsmExtract) -> LocalMap:
    """Lay the extract's nodes out in a frame at the centre of its box, snapped to 1/1024 m."""
    west, south, east, north = extract.box
    frame = LocalFrame((west + east) / 2, (south + north) / 2)
    ids = sorted(extract.locations)
    lonlat = np.array([extract.locations[i] for i in ids], dtype=np.float64).reshape(-1, 2)
    local = frame.from_geodetic(np.column_stack([lonlat, np.zeros(len(ids))]))[:, :2]
    snapped = np.rint(local * LATTICE) / LATTICE
    xy = {i: (float(p[0]), float(p[1])) for i, p in zip(ids, snapped, strict=True)}
    sides = ((west, frame.lon, east), (south, frame.lat, north))
    rim = frame.from_geodetic([[lon, lat, 0.0] for lon in sides[0] for lat in sides[1]])[:, :2]
    (e0, n0), (e1, n1) = np.floor(rim.min(axis=0) * LATTICE) / LATTICE, np.ceil(rim.max(axis=0) * LATTICE) / LATTICE
    return LocalMap(extract, frame, (float(e0), float(n0), float(e1), float(n1)), xy)


class Near:
    """Which geometries of a list lie near a point, in the list's order."""

    def __init__(self, geometries: list[BaseGeometry]) -> None:
        self.geometries = geometries
        self._tree = STRtree(geometries)

    def within(self, xy: Xy, reach: float) -> list[int]:
        """Indices of the geometries within `reach` metres, ascending."""
        point = Point(xy)
        found = self._tree.query(box(xy[0] - reach, xy[1] - reach, xy[0] + reach, xy[1] + reach))
        return sorted(int(i) for i in found if self.geometries[int(i)].distance(point) <= reach)

    def touching(self, geometry: BaseGeometry) -> list[int]:
        """Indices of the geometries that intersect `geometry`, ascending."""
        return sorted(int(i) for i in self._tree.query(geometry, predicate="intersects"))
