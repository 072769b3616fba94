"""Drafts as cities in memory, and independent answers about their triangles."""

import numpy as np
import shapely
from numpy.typing import NDArray

from citysim.build.draft import CityDraft
from citysim.build.mesh import FINEST
from citysim.city import Chunk, City, Material
from citysim.geo.network import NetworkEdge


def city_of(draft: CityDraft) -> City:
    """The finest level of a draft as a city in memory: what physics walks on, with the draft's looks."""
    keys = sorted(draft.textures)
    names = sorted(draft.materials)
    materials = [
        Material(keys.index(s.texture) if s.texture else -1, s.color, s.alpha_cutoff, s.unlit, s.double_sided, name=n)
        for n in names
        for s in [draft.materials[n]]
    ]
    pictures = [draft.textures[k].pixels for k in keys]
    textures = [
        np.dstack([p, np.full(p.shape[:2], 255, np.uint8)]) if p.shape[2] == 3 else np.asarray(p) for p in pictures
    ]
    chunks = []
    for part in draft.mesh.parts:
        if part.detail not in FINEST:
            continue
        count = len(part.triangles)
        chunks.append(
            Chunk(
                np.zeros(3),
                part.positions.astype(np.float32),
                part.uvs.astype(np.float32),
                part.colors,
                part.triangles,
                np.full(count, names.index(part.material), np.int32),
                np.full(count, part.label, np.int32),
            )
        )
    return City.in_memory(chunks, materials, textures, objects=draft.objects, edges=draft.edges, frame=draft.plan.frame)


def finest(draft: CityDraft) -> NDArray[np.float64]:
    """(T, 3, 3) all triangles of the finest level."""
    return np.concatenate([p.positions[p.triangles] for p in draft.mesh.parts if p.detail in FINEST])


def samples(edge: NetworkEdge, step: float = 0.25) -> NDArray[np.float64]:
    """(N, 3) points every `step` metres along an edge."""
    gaps = np.hypot(*np.diff(edge.line[:, :2], axis=0).T)
    along = np.concatenate([[0.0], np.cumsum(gaps)])
    at = np.arange(0.0, along[-1], step)
    return np.column_stack([np.interp(at, along, edge.line[:, k]) for k in range(3)])


def floor_below(triangles: NDArray[np.float64], points: NDArray[np.float64], above: float = 0.5) -> NDArray[np.float64]:
    """(N,) height of the highest upward-facing triangle at most `above` metres over each point, -inf for none."""
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    up = normal[:, 2] > 1e-6
    triangles, normal = triangles[up], normal[up]
    rings = np.concatenate([triangles[:, :, :2], triangles[:, :1, :2]], axis=1)
    tree = shapely.STRtree(shapely.polygons(rings))
    point, triangle = tree.query(shapely.points(points[:, :2]), predicate="intersects")
    p, a, n = points[point], triangles[triangle, 0], normal[triangle]
    z = a[:, 2] - ((p[:, 0] - a[:, 0]) * n[:, 0] + (p[:, 1] - a[:, 1]) * n[:, 1]) / n[:, 2]
    best = np.full(len(points), -np.inf)
    low = z < p[:, 2] + above
    np.maximum.at(best, point[low], z[low])
    return best


def fingerprint(draft: CityDraft) -> str:
    """A digest of everything a draft holds."""
    import hashlib

    digest = hashlib.sha256()
    for part in draft.mesh.parts:
        for array in (part.positions, part.triangles, part.uvs, part.colors):
            digest.update(np.ascontiguousarray(array).tobytes())
        digest.update(f"{part.material} {part.label} {part.detail}".encode())
    for edge in draft.edges:
        digest.update(edge.line.tobytes())
        digest.update(repr(sorted(edge.attributes.items())).encode())
    digest.update(repr(draft.objects).encode())
    digest.update(repr(draft.warnings).encode())
    return digest.hexdigest()


def first_hits(
    triangles: NDArray[np.float64], eye: NDArray[np.float64], ahead: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For rays (N, 3) from one eye: distance to the nearest triangle (N,), inf for none, and the cosine between the
    ray and that triangle's normal (N,), negative where its outer side is seen.
    """
    a, u, v = triangles[:, 0], triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    normal = np.cross(u, v)
    normal /= np.maximum(np.linalg.norm(normal, axis=1), 1e-12)[:, None]
    distance, cosine = np.full(len(ahead), np.inf), np.zeros(len(ahead))
    for i, d in enumerate(ahead):
        p = np.cross(d, v)
        det = (u * p).sum(axis=1)
        det[np.abs(det) < 1e-12] = np.inf
        t0 = eye - a
        s = (t0 * p).sum(axis=1) / det
        q = np.cross(t0, u)
        w = (d * q).sum(axis=1) / det
        t = (v * q).sum(axis=1) / det
        hit = (s >= 0) & (w >= 0) & (s + w <= 1) & (t > 1e-6)
        if hit.any():
            best = np.flatnonzero(hit)[np.argmin(t[hit])]
            distance[i], cosine[i] = t[best], float(normal[best] @ d)
    return distance, cosine
