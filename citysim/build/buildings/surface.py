"""Sloping and level faces: triangulation and texture coordinates in metres."""

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from mapbox_earcut import triangulate_float64
from shapely.geometry import Polygon

from citysim.build.buildings.batch import Batch, Rgba, Uv, Xyz
from citysim.build.buildings.outline import rings
from citysim.build.mesh import Detail
from citysim.build.plans import Xy

Triangle = tuple[Xyz, Xyz, Xyz]


def triangulated(shape: Polygon) -> list[tuple[Xy, Xy, Xy]]:
    """Counter-clockwise triangles of a polygon with holes (ear clipping)."""
    loops = rings(shape)
    if not loops:
        return []
    points = [p for loop in loops for p in loop]
    ends = np.cumsum([len(loop) for loop in loops]).astype(np.uint32)
    # Ear clipping loses digits far from the origin; shifting costs nothing.
    x0, y0 = points[0]
    flat = np.asarray([(x - x0, y - y0) for x, y in points], dtype=np.float64)
    index = triangulate_float64(flat, ends).reshape(-1, 3).tolist()
    found = []
    for i, j, k in index:
        a, b, c = points[i], points[j], points[k]
        turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        found.append((a, b, c) if turn > 0 else (a, c, b))
    return found


def lifted(shape: Polygon, height: Callable[[float, float], float]) -> list[Triangle]:
    """Upward triangles of a polygon raised to `height(x, y)`."""
    return [
        ((a[0], a[1], height(*a)), (b[0], b[1], height(*b)), (c[0], c[1], height(*c)))
        for a, b, c in triangulated(shape)
    ]


def slope_uv(triangle: Triangle, metres: float) -> tuple[Uv, Uv, Uv]:
    """Texture units with u level and v down the slope; a square texture covers `metres`."""
    (ax, ay, az), (bx, by, bz), (cx, cy, cz) = triangle
    px, py, pz, qx, qy, qz = bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az
    nx, ny, nz = py * qz - pz * qy, pz * qx - px * qz, px * qy - py * qx
    size = math.sqrt(nx * nx + ny * ny + nz * nz) or 1.0
    nx, ny, nz = nx / size, ny / size, nz / size
    level = math.sqrt(nx * nx + ny * ny)
    ux, uy = (1.0, 0.0) if level < 1e-3 else (-ny / level, nx / level)
    vx, vy, vz = -nz * uy, nz * ux, nx * uy - ny * ux
    u, v = [], []
    for x, y, z in triangle:
        u.append((x * ux + y * uy) / metres)
        v.append(-(x * vx + y * vy + z * vz) / metres)
    return (u[0], v[0]), (u[1], v[1]), (u[2], v[2])


def emit(
    batch: Batch,
    triangles: Iterable[Triangle],
    material: str,
    color: Rgba,
    metres: float = 4.0,
    detail: Detail = Detail.ALL,
) -> None:
    """Add triangles with slope coordinates."""
    points: list[Xyz] = []
    uvs: list[Uv] = []
    faces: list[tuple[int, int, int]] = []
    for triangle in triangles:
        first = len(points)
        points.extend(triangle)
        uvs.extend(slope_uv(triangle, metres))
        faces.append((first, first + 1, first + 2))
    if faces:
        batch.add(points, faces, uvs, material, color, detail)


def level(shape: Polygon, z: float) -> list[Triangle]:
    """Upward triangles of a polygon at one height."""
    return lifted(shape, lambda _x, _y: z)


def turned(triangles: Sequence[Triangle]) -> list[Triangle]:
    """The same triangles seen from the other side."""
    return [(a, c, b) for a, b, c in triangles]


def upright(
    batch: Batch,
    a: Xy,
    b: Xy,
    low: tuple[float, float],
    high: tuple[float, float],
    material: str,
    color: Rgba,
    metres: float = 4.0,
    detail: Detail = Detail.ALL,
) -> None:
    """A vertical face over a-b (outside on the right), from low to high at a and at b."""
    length = math.sqrt((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2)
    corners = [(*a, low[0]), (*b, low[1]), (*b, high[1]), (*a, high[0])]
    uvs = [(0.0 if k in (0, 3) else length / metres, -z / metres) for k, (_, _, z) in enumerate(corners)]
    batch.quad(corners, uvs, material, color, detail)


def box(
    batch: Batch,
    center: Xy,
    axis: Xy,
    size: tuple[float, float],
    z: tuple[float, float],
    material: str,
    color: Rgba,
    detail: Detail = Detail.FINE,
    bottom: bool = False,
) -> None:
    """A box: `size` along the unit `axis` and across it, z from and to; without its underside unless `bottom`."""
    (ux, uy), hx, hy = axis, 0.5 * size[0], 0.5 * size[1]
    foot: list[Xy] = []
    for sx, sy in ((-hx, -hy), (hx, -hy), (hx, hy), (-hx, hy)):
        foot.append((center[0] + ux * sx - uy * sy, center[1] + uy * sx + ux * sy))
    for k in range(4):
        upright(batch, foot[k], foot[(k + 1) % 4], (z[0], z[0]), (z[1], z[1]), material, color, 4.0, detail)
    shape = Polygon(foot)
    emit(batch, level(shape, z[1]), material, color, 4.0, detail)
    if bottom:
        emit(batch, turned(level(shape, z[0])), material, color, 4.0, detail)
