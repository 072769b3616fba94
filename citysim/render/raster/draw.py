"""The geometry pass: clusters to a visibility buffer (nearness and record of the front triangle of each pixel)."""

import numpy as np

from citysim.render.raster.clip import clip_polygon, turned_away
from citysim.render.raster.cull import frustum_planes, hidden, visible_clusters
from citysim.render.raster.jit import helper, kernel
from citysim.render.raster.layout import I64, Array, D, F, Geometry, Int, Looks, Real, Scratch, Target, U
from citysim.render.raster.placing import CENTRE, GUARD, place_eight
from citysim.render.raster.screening import (
    UNSOUND,
    beside_eight,
    bound_eight,
    lowest_bit,
    promising,
    promising_near,
)
from citysim.render.raster.triangle import fill_masked, scan_opaque

SLIGHT_PX, SLIGHT_LINES = 8, 4  # boxes of triangles that are less wide and less high are not looked up in the tiles


@helper
def to_screen(cam: Array, geometry: Geometry, first: Int, count: Int, scratch: Scratch) -> Int:
    """Camera space, snapped screen position, nearness and outside bits of `count` vertices from `first`.

    Returns the outside bits of all together.

    The difference to the eye is taken in float64: equal positions give equal pixels in whichever cluster they occur.
    """
    unsound = 0
    for i in range(0, count, 8):
        unsound |= place_eight(
            cam, geometry.x, geometry.y, geometry.z, first + i, i, scratch.camera_space, scratch.screen, scratch.near,
            scratch.outside, count - i,
        )  # fmt: skip
    return unsound


@helper
def write_record(
    row: Array,
    ax: Int,
    ay: Int,
    bx: Int,
    by: Int,
    cx: Int,
    cy: Int,
    det: Int,
    corner: Array,
    ortho: Int,
    colored: Int,
) -> None:
    """Planes of u, v (and colour) over nearness of a snapped triangle; `corner` holds u, v, r, g, b, nearness."""
    inverse = 256.0 / det
    x, y = 128.0 - ax, 128.0 - ay
    sa, sb, sc = (1.0, 1.0, 1.0) if ortho else (corner[0, 5], corner[1, 5], corner[2, 5])
    base_u = np.floor(min(corner[0, 0], corner[1, 0], corner[2, 0]))  # textures repeat: small numbers are exact ones
    base_v = np.floor(min(corner[0, 1], corner[1, 1], corner[2, 1]))
    for k in range(5 if colored else 2):
        base = base_u if k == 0 else (base_v if k == 1 else 0.0)
        va = (corner[0, k] - base) * sa
        vb, vc = (corner[1, k] - base) * sb - va, (corner[2, k] - base) * sc - va
        dx = (vb * (cy - ay) - vc * (by - ay)) * inverse
        dy = (vc * (bx - ax) - vb * (cx - ax)) * inverse
        at = 3 * k if k < 2 else 12 + 3 * (k - 2)
        row[at], row[at + 1], row[at + 2] = dx, dy, va + (dx * x + dy * y) * (1.0 / 256.0)
    if not colored:
        row[14], row[17], row[20] = corner[0, 2], corner[0, 3], corner[0, 4]
    row[22], row[23] = base_u, base_v
    qb, qc = sb - sa, sc - sa
    row[6] = (qb * (cy - ay) - qc * (by - ay)) * inverse
    row[7] = (qc * (bx - ax) - qb * (cx - ax)) * inverse
    spread = (corner[1, 0] - corner[0, 0]) * (corner[2, 1] - corner[0, 1]) - (corner[2, 0] - corner[0, 0]) * (
        corner[1, 1] - corner[0, 1]
    )
    row[8] = abs(spread) * sa * sb * sc * 256.0 * inverse


@helper
def anchor(row: Array, least_x: Int, least_y: Int, rect: Array) -> None:
    """The pixel that `shade_group` counts from: near the triangle, and the same in every strip."""
    row[24] = min(max((least_x + 127) >> 8, 0), I64(rect[4]) - 1)
    row[25] = min(max((least_y + 127) >> 8, 0), I64(rect[5]) - 1)


@helper
def nearness_bits(a: Real, b: Real, c: Real) -> Int:
    """Bits of a float32 that no pixel of a triangle with these nearnesses at its corners exceeds."""
    return F(max(a, b, c) * (1.0 + 1e-5)).view(np.int32)


@helper
def fill(
    sx0: Int, sy0: Int, sx1: Int, sy1: Int, sx2: Int, sy2: Int, flags: Int, material: Int, corner: Array, rect: Array,
    ortho: Int, looks: Looks, target: Target, row: Array, index: Int,
) -> Int:  # fmt: skip
    """Cull, bound and draw one snapped triangle whose `corner` rows are set; returns how many pixels it won.

    The planes are written to `row` when it won any.
    """
    ax, ay, bx, by, cx, cy = (I64(sx0), I64(sy0), I64(sx1), I64(sy1), I64(sx2), I64(sy2))
    det = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
    # y points down: a triangle that is counter-clockwise seen from outside has a negative determinant here.
    if det == 0 or (det > 0 and flags & 1 == 0):
        return 0
    px0 = max((min(ax, bx, cx) + 127) >> 8, I64(rect[0]))
    px1 = min((max(ax, bx, cx) - 128) >> 8, I64(rect[1]) - 1)
    py0 = max((min(ay, by, cy) + 127) >> 8, I64(rect[2]))
    py1 = min((max(ay, by, cy) - 128) >> 8, I64(rect[3]) - 1)
    if px0 > px1 or py0 > py1:
        return 0
    if hidden(
        px0, px1, py0, py1, nearness_bits(corner[0, 5], corner[1, 5], corner[2, 5]), I64(rect[4]), I64(rect[5]),
        I64(rect[6]), target.nearness_bits, target.tile_min, target.tile_dirty,
    ):  # fmt: skip
        return 0
    back = 1.0
    if det < 0:
        back = 0.0
        bx, by, cx, cy, det = cx, cy, bx, by, -det
        for k in range(6):
            corner[1, k], corner[2, k] = corner[2, k], corner[1, k]
    sa, sb, sc = corner[0, 5], corner[1, 5], corner[2, 5]
    colored = flags & 8 != 0
    stride = I64(rect[4])
    if flags & 2:
        write_record(row, ax, ay, bx, by, cx, cy, det, corner, ortho, colored)
        anchor(row, min(ax, bx, cx), min(ay, by, cy), rect)
        row[21] = back
        texture = looks.texture[material]
        return fill_masked(
            ax, ay, bx, by, cx, cy, det, sa, sb, sc, px0, px1, py0, py1, stride, target.nearness, target.record, index,
            row, ortho, looks.cutoff[material], looks.texels, looks.shape, looks.levels, texture,
        )  # fmt: skip
    won = scan_opaque(
        ax, ay, bx, by, cx, cy, det, sa, sb, sc, px0, px1, py0, py1, stride, target.nearness, target.record, index
    )
    if won:
        write_record(row, ax, ay, bx, by, cx, cy, det, corner, ortho, colored)
        anchor(row, min(ax, bx, cx), min(ay, by, cy), rect)
        row[21] = back
    return won


@helper
def take_corner(geometry: Geometry, vertex: Int, corner: Array, slot: Int, nearness: Real) -> None:
    """Attributes of a vertex to corner[slot]."""
    at, row = U(vertex), U(slot)
    corner[row, U(0)], corner[row, U(1)] = geometry.u[at], geometry.v[at]
    corner[row, U(2)], corner[row, U(3)] = geometry.colors[at, U(0)], geometry.colors[at, U(1)]
    corner[row, U(4)], corner[row, U(5)] = geometry.colors[at, U(2)], nearness


@helper
def face_normal(geometry: Geometry, a: Int, b: Int, c: Int, row: Array) -> None:
    """Unit normal, on the side seen, of a triangle in local axes, to row[9:12]."""
    ux, uy, uz = (
        D(geometry.x[b]) - geometry.x[a],
        D(geometry.y[b]) - geometry.y[a],
        D(geometry.z[b]) - geometry.z[a],
    )
    vx, vy, vz = (
        D(geometry.x[c]) - geometry.x[a],
        D(geometry.y[c]) - geometry.y[a],
        D(geometry.z[c]) - geometry.z[a],
    )
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    scale = (1.0 - 2.0 * row[21]) / max(np.sqrt(nx * nx + ny * ny + nz * nz), 1e-30)
    row[9], row[10], row[11] = nx * scale, ny * scale, nz * scale


@kernel
def draw(
    cam: Array, rect: Array, ranges: Array, geometry: Geometry, looks: Looks, target: Target, scratch: Scratch,
    keep: Int,
) -> Int:  # fmt: skip
    """Draw the clusters of `ranges` into `target`; returns the number of records, -1 when there was no room for them.

    rect: Int64 x0, x1, y0, y1 (half-open pixels to draw), width, height of the picture, log2 of the Hi-Z tile. Where
    `keep` is 0 only the nearness is wanted: there is one record, which each triangle writes over.
    """
    x0, x1, y0, y1, width, height, shift = rect[0], rect[1], rect[2], rect[3], rect[4], rect[5], rect[6]
    near_bits, record, records = target.nearness_bits, target.record, scratch.records
    across = (width + (1 << shift) - 1) >> shift
    for y in range(y0, y1):
        for at in range(y * width + x0, y * width + x1):
            near_bits[U(at)] = 0
            record[U(at)] = -1
    for ty in range(y0 >> shift, (y1 + (1 << shift) - 1) >> shift):
        for t in range(ty * across + (x0 >> shift), ty * across + ((x1 + (1 << shift) - 1) >> shift)):
            target.tile_min[U(t)] = 0
            target.tile_dirty[U(t)] = 0
    ortho = cam[18] != 0.0
    frustum_planes(cam, x0, x1, y0, y1, scratch.planes)
    total = visible_clusters(
        cam, scratch.planes, ranges, geometry.boxes, scratch.visible, scratch.keys, scratch.starts, scratch.sorted,
        scratch.ahead, scratch.near,
    )  # fmt: skip
    bounds, tile_min, tile_dirty = scratch.bounds, target.tile_min, target.tile_dirty
    for n in range(0, total, 8):
        bound_eight(
            cam, geometry.boxes, scratch.sorted, n, total - n, x0, x1, y0, y1, bounds, bounds.shape[1]
        )  # fmt: skip
    corner, screen, near, outside = scratch.corner, scratch.screen, scratch.near, scratch.outside
    count = 0
    for n in range(total):
        at = U(n)
        px0, px1, py0, py1 = (
            I64(bounds[U(0), at]), I64(bounds[U(1), at]), I64(bounds[U(2), at]), I64(bounds[U(3), at])
        )  # fmt: skip
        if px0 > px1 or py0 > py1:
            continue
        if hidden(
            px0, px1, py0, py1, bounds[U(4), at], width, height, shift, near_bits, tile_min, tile_dirty
        ):  # fmt: skip
            continue
        cluster = I64(scratch.sorted[at])
        first = I64(geometry.cluster_vertices[cluster, 0])
        vertices = I64(geometry.cluster_vertices[cluster, 1])
        unsound = to_screen(cam, geometry, first, vertices, scratch)
        if unsound:
            for i in range(0, vertices, 8):
                beside_eight(cam, scratch.camera_space, i, x0, x1, y0, y1, outside)
        start = I64(geometry.cluster_triangles[cluster, 0])
        end = start + I64(geometry.cluster_triangles[cluster, 1])
        least_x, most_x, least_y, most_y = x1, x0 - 1, y1, y0 - 1
        for group in range(start, end, 8):
            if unsound:
                chosen = promising_near(geometry.corners, group, end, screen, x0, x1, y0, y1, outside)
            else:
                chosen = promising(geometry.corners, group, end, screen, x0, x1, y0, y1)
            while chosen:
                t = group + lowest_bit(chosen)
                chosen &= chosen - 1
                packed = I64(geometry.corners[U(t)])
                i, j, k = packed & 1023, (packed >> 10) & 1023, (packed >> 20) & 1023
                flags = I64(geometry.flags[U(t)])
                beyond = outside[U(i)] | outside[U(j)] | outside[U(k)]
                if beyond & UNSOUND == 0:
                    ax, bx, cx = I64(screen[U(0), U(i)]), I64(screen[U(0), U(j)]), I64(screen[U(0), U(k)])
                    ay, by, cy = I64(screen[U(1), U(i)]), I64(screen[U(1), U(j)]), I64(screen[U(1), U(k)])
                    det = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
                    if det == 0 or (det > 0 and flags & 1 == 0):
                        continue
                    low_x, high_x = (min(ax, bx, cx) + 127) >> 8, (max(ax, bx, cx) - 128) >> 8
                    low_y, high_y = (min(ay, by, cy) + 127) >> 8, (max(ay, by, cy) - 128) >> 8
                    px0, px1, py0, py1 = max(low_x, x0), min(high_x, x1 - 1), max(low_y, y0), min(high_y, y1 - 1)
                    if px0 > px1 or py0 > py1:
                        continue
                    nearest = nearness_bits(near[U(i)], near[U(j)], near[U(k)])
                    large = px1 - px0 >= SLIGHT_PX or py1 - py0 >= SLIGHT_LINES  # else drawing it takes no longer
                    if large and hidden(
                        px0, px1, py0, py1, nearest, width, height, shift, near_bits, tile_min, tile_dirty
                    ):  # fmt: skip
                        continue
                    if count == len(records):
                        return -1
                    row = records[count]
                    # From here on positive: a triangle seen from its front is negative, y points down.
                    back = 1.0
                    b, c = j, k
                    if det < 0:
                        back, det, b, c = 0.0, -det, k, j
                        bx, by, cx, cy = cx, cy, bx, by
                    sa, sb, sc = near[U(i)], near[U(b)], near[U(c)]
                    masked = flags & 2 != 0
                    won = 0
                    if not masked:
                        won = scan_opaque(
                            ax, ay, bx, by, cx, cy, det, sa, sb, sc, px0, px1, py0, py1, width, target.nearness,
                            record, count,
                        )  # fmt: skip
                    if masked or (won and keep):
                        take_corner(geometry, first + i, corner, 0, sa)
                        take_corner(geometry, first + b, corner, 1, sb)
                        take_corner(geometry, first + c, corner, 2, sc)
                        write_record(row, ax, ay, bx, by, cx, cy, det, corner, ortho, flags & 8 != 0)
                        anchor(row, min(ax, bx, cx), min(ay, by, cy), rect)
                        row[21] = back
                    if masked:
                        material = U(geometry.materials[U(t)])
                        won = fill_masked(
                            ax, ay, bx, by, cx, cy, det, sa, sb, sc, px0, px1, py0, py1, width, target.nearness,
                            record, count, row, ortho, looks.cutoff[material], looks.texels, looks.shape,
                            looks.levels, looks.texture[material],
                        )  # fmt: skip
                    if won:
                        if keep:
                            face_normal(geometry, first + i, first + j, first + k, row)
                            scratch.record_triangle[count] = t
                            count += 1
                        least_x, most_x = min(least_x, low_x), max(most_x, high_x)
                        least_y, most_y = min(least_y, low_y), max(most_y, high_y)
                    continue
                if not ortho and flags & 1 == 0 and turned_away(scratch.camera_space, i, j, k):
                    continue
                sides = clip_polygon(cam, geometry, scratch.camera_space, first, i, j, k, scratch.polygon)
                for fan in range(1, sides - 1):
                    if count == len(records):
                        return -1
                    sx0, sy0 = corner_on_screen(cam, scratch.polygon, 0, corner, 0)
                    sx1, sy1 = corner_on_screen(cam, scratch.polygon, fan, corner, 1)
                    sx2, sy2 = corner_on_screen(cam, scratch.polygon, fan + 1, corner, 2)
                    row = records[count]
                    won = fill(
                        sx0, sy0, sx1, sy1, sx2, sy2, flags, geometry.materials[U(t)], corner, rect, ortho, looks,
                        target, row, count,
                    )  # fmt: skip
                    if won:
                        if keep:
                            face_normal(geometry, first + i, first + j, first + k, row)
                            scratch.record_triangle[count] = t
                            count += 1
                        least_x, most_x, least_y, most_y = x0, x1 - 1, y0, y1 - 1
        least_x, most_x = max(least_x, x0) >> shift, min(most_x, x1 - 1) >> shift
        for ty in range(max(least_y, y0) >> shift, (min(most_y, y1 - 1) >> shift) + 1):
            for tx in range(least_x, most_x + 1):
                tile_dirty[U(ty * across + tx)] = 1
    return count


@helper
def corner_on_screen(cam: Array, polygon: Array, vertex: Int, corner: Array, slot: Int) -> Int:
    """Snapped screen position of a clipped polygon's vertex; its attributes and nearness go to corner[slot]."""
    x, y, w = polygon[0, vertex, 0], polygon[0, vertex, 1], polygon[0, vertex, 2]
    for k in range(5):
        corner[slot, k] = polygon[0, vertex, 3 + k]
    w = max(w, cam[15])
    near = cam[17] - w if cam[18] != 0.0 else 1.0 / w
    corner[slot, 5] = near
    if cam[18] != 0.0:  # the very operations of to_screen, in its order: kept corners must snap alike
        sx, sy = x * (cam[12] * 256.0) + cam[13] * 256.0, y * (cam[12] * 256.0) + cam[14] * 256.0
    else:
        sx, sy = x * (cam[12] * 256.0) * near + cam[13] * 256.0, y * (cam[12] * 256.0) * near + cam[14] * 256.0
    sx, sy = min(max(sx, -2.0 * GUARD), 2.0 * GUARD), min(max(sy, -2.0 * GUARD), 2.0 * GUARD)
    return I64(sx + CENTRE) - (1 << 30), I64(sy + CENTRE) - (1 << 30)
