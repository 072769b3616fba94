"""Covering: what is above the lines of the network: which of them keep dry, and where ceilings are, told from the
finished meshes.
"""

from collections.abc import Sequence

import numpy as np
import shapely
from numpy.typing import NDArray

from citysim.build.draft import CityDraft
from citysim.build.mesh import FINEST
from citysim.geo.network import NetworkEdge

STEP = 0.5  # metres between the places that are looked at
FROM, UPTO = 1.7, 9.0  # metres above a line between which something is a roof over it
SHARE = 0.9  # of a line's places that have a roof, when it is covered
LEVEL = 0.3  # cosine between a triangle's normal and the vertical from which it keeps rain off
LIFT = 10  # FeatureType
LEAVES = "foliage"  # the material of what keeps no rain off


def mark_covered(draft: CityDraft) -> None:
    """Set WeatherProof of every edge: 1 (covered) with a roof, a deck or a ceiling over nine tenths of it, else 2."""
    edges = [e for e in draft.edges if e.attributes["FeatureType"] != LIFT]
    if not edges:
        return
    places = [_places(edge) for edge in edges]
    every = np.concatenate(places)
    roofed = np.zeros(len(every), dtype=bool)
    roofed[_above(every, _level(draft))[0]] = True
    at = 0
    for edge, own in zip(edges, places, strict=True):
        edge.attributes["WeatherProof"] = 1 if roofed[at : at + len(own)].mean() >= SHARE else 2
        at += len(own)


def ceilings(draft: CityDraft, places: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The lowest roof over each of (N, 3) places: heights (N,), nan where there is none, and slopes (N, 2), the rise of
    its plane eastwards and northwards.
    """
    height, slope = np.full(len(places), np.nan), np.zeros((len(places), 2))
    place, z, normal = _above(places, _level(draft))
    for k in np.argsort(-z, kind="stable"):  # the lowest one last
        height[place[k]], slope[place[k]] = z[k], -normal[k, :2] / normal[k, 2]
    return height, slope


def covered_edges(draft: CityDraft) -> Sequence[NetworkEdge]:
    """The walked edges with a roof over them."""
    return [e for e in draft.edges if e.attributes["FeatureType"] != LIFT and e.attributes["WeatherProof"] == 1]


def _places(edge: NetworkEdge) -> NDArray[np.float64]:
    """(N, 3) places along a line, its ends left out."""
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(edge.line[:, :2], axis=0).T))])
    count = max(round(float(along[-1]) / STEP), 1)
    at = (np.arange(count) + 0.5) / count * along[-1]
    return np.column_stack([np.interp(at, along, edge.line[:, k]) for k in range(3)])


def _level(draft: CityDraft) -> NDArray[np.float64]:
    """(T, 3, 3) triangles of the finest level that are not upright, without leaves."""
    found = [np.zeros((0, 3, 3))]
    for part in draft.mesh.parts:
        if part.detail in FINEST and not part.material.endswith(LEAVES):
            found.append(part.positions[part.triangles].astype(np.float64))
    corners = np.concatenate(found)
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    return corners[np.abs(normal[:, 2]) > LEVEL * np.linalg.norm(normal, axis=1)]


def _above(
    places: NDArray[np.float64], corners: NDArray[np.float64]
) -> tuple[NDArray[np.intp], NDArray[np.float64], NDArray[np.float64]]:
    """Every triangle over a place, between the heights that count: places (M,), heights there (M,), normals (M, 3)."""
    above = corners[corners[:, :, 2].max(axis=1) > float(places[:, 2].min(initial=np.inf)) + FROM]
    if not len(above):
        return np.zeros(0, dtype=np.intp), np.zeros(0), np.zeros((0, 3))
    rings = np.concatenate([above[:, :, :2], above[:, :1, :2]], axis=1)
    place, triangle = shapely.STRtree(shapely.polygons(rings)).query(
        shapely.points(places[:, :2]), predicate="intersects"
    )
    a, u, v = above[triangle, 0], above[triangle, 1] - above[triangle, 0], above[triangle, 2] - above[triangle, 0]
    normal = np.cross(u, v)
    p = places[place]
    z = a[:, 2] - ((p[:, 0] - a[:, 0]) * normal[:, 0] + (p[:, 1] - a[:, 1]) * normal[:, 1]) / normal[:, 2]
    counts = (z - p[:, 2] > FROM) & (z - p[:, 2] < UPTO)
    return place[counts], z[counts], normal[counts]
