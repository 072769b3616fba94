"""Near-plane and guard-band clipping of the few triangles that need it (Sutherland and Hodgman 1974)."""

from citysim.render.raster.jit import helper
from citysim.render.raster.layout import Array, Geometry, Int, Real, U

LIMIT = float(1 << 20)  # GUARD_PX
EDGE_ON = 1e-3  # of the volume over a triangle from the eye: below it snapping may decide which side is seen


@helper
def plane_distance(cam: Array, polygon: Array, at: Int, plane: Int) -> Real:
    """Signed distance-like value, positive inside: 0 near plane, 1-4 guard band left, right, top, bottom."""
    w = polygon[at, 2]
    if plane == 0:
        return w - cam[15]
    reach = LIMIT if cam[18] != 0.0 else LIMIT * w
    value = polygon[at, 0 if plane < 3 else 1] * cam[12]
    return reach + value if plane % 2 == 1 else reach - value


@helper
def turned_away(camera_space: Array, i: Int, j: Int, k: Int) -> Int:
    """Whether a one-sided triangle clearly shows its back to an eye in perspective; near edge-on it never says so."""
    ax, ay, az = camera_space[0, i], camera_space[1, i], camera_space[2, i]
    bx, by, bz = camera_space[0, j], camera_space[1, j], camera_space[2, j]
    cx, cy, cz = camera_space[0, k], camera_space[1, k], camera_space[2, k]
    one, two, three = ax * (by * cz - bz * cy), ay * (bz * cx - bx * cz), az * (bx * cy - by * cx)
    return one + two + three > EDGE_ON * (abs(one) + abs(two) + abs(three))


@helper
def clip_polygon(
    cam: Array, geometry: Geometry, camera_space: Array, first: Int, i: Int, j: Int, k: Int, polygon: Array
) -> Int:
    """Clip a triangle of a cluster; the polygon is left in polygon[0], its number of corners is returned.

    New corners are interpolated from the inside to the outside end of an edge, so that the two triangles on an edge
    get the same corner to the last bit.
    """
    for m in range(3):
        vertex = i if m == 0 else (j if m == 1 else k)
        at = U(first + vertex)
        for axis in range(3):
            polygon[0, m, axis] = camera_space[axis, vertex]
        polygon[0, m, 3], polygon[0, m, 4] = geometry.u[at], geometry.v[at]
        for channel in range(3):
            polygon[0, m, 5 + channel] = geometry.colors[at, U(channel)]
    count = 3
    for plane in range(5):
        whole = True  # most triangles cross one plane: what lies inside all of it stays as it is
        for m in range(count):
            if plane_distance(cam, polygon[0], m, plane) < 0.0:
                whole = False
        if whole:
            continue
        made = 0
        for m in range(count):
            after = m + 1 if m + 1 < count else 0
            here, there = plane_distance(cam, polygon[0], m, plane), plane_distance(cam, polygon[0], after, plane)
            if here >= 0.0:
                for c in range(8):
                    polygon[1, made, c] = polygon[0, m, c]
                made += 1
            if (here >= 0.0) != (there >= 0.0):
                inside, outside = (m, after) if here >= 0.0 else (after, m)
                d_in, d_out = (here, there) if here >= 0.0 else (there, here)
                part = d_in / (d_in - d_out)
                for c in range(8):
                    polygon[1, made, c] = (
                        polygon[0, inside, c] + (polygon[0, outside, c] - polygon[0, inside, c]) * part
                    )
                made += 1
        count = made
        for m in range(count):
            for c in range(8):
                polygon[0, m, c] = polygon[1, m, c]
        if count < 3:
            return 0
    return count
