"""Which tiles and clusters can be seen: levels of detail, frustum tests, front-to-back order, Hi-Z occlusion."""

import numpy as np

from citysim.render.raster.jit import helper, kernel
from citysim.render.raster.layout import BUCKETS, I32, I64, Array, D, F, Int, Real, U
from citysim.render.raster.screening import project_box


@helper
def frustum_planes(cam: Array, x0: Int, x1: Int, y0: Int, y1: Int, out: Array) -> None:
    """Planes a x + b y + c z + d >= 0 inside, in local metres, of a pixel rectangle of a camera.

    They are written to out[0] of (2, 6, 4) float64.
    """
    planes, local = out[0], out[1]
    for i in range(6):
        for k in range(4):
            planes[i, k], local[i, k] = 0.0, 0.0
    focal, ortho = cam[12], cam[18] != 0.0
    bounds = (x0 - cam[13], x1 - cam[13], y0 - cam[14], y1 - cam[14])
    for i in range(4):
        sign = 1.0 if i % 2 == 0 else -1.0
        local[i, i // 2] = sign * focal
        local[i, 3 if ortho else 2] = -sign * bounds[i]
    local[4, 2], local[4, 3] = 1.0, -cam[15]
    local[5, 2], local[5, 3] = -1.0, cam[16]
    for i in range(6):
        offset = local[i, 3]
        for k in range(3):
            planes[i, k] = local[i, 0] * cam[k] + local[i, 1] * cam[3 + k] + local[i, 2] * cam[6 + k]
            offset -= planes[i, k] * cam[9 + k]
        planes[i, 3] = offset


@kernel
def select_tiles(
    cam: Array, width: Int, height: Int, centers: Array, radii: Array, errors: Array, parents: Array, kinds: Array,
    refinable: Array, requests: Array, tolerance_px: Real, space: Array, opened: Array, chosen: Array,
) -> Int:  # fmt: skip
    """Tiles to draw, written to `chosen`; returns their number.

    A tile is replaced by (REPLACE) or drawn with (ADD) its children where its geometric error, projected at the
    nearest point of its bounding sphere, exceeds `tolerance_px` pixels. kinds: bit 0 has content, bit 1 ADD. Seen from
    outside its request sphere (centre and radius) a tile is not there, nor what lies below it. space (2, 6, 4) float64
    and opened (tiles,) uint8 are working memory.
    """
    frustum_planes(cam, 0, width, 0, height, space)
    planes, norms = space[0], space[1, 0]
    for i in range(4):
        norms[i] = np.sqrt(planes[i, 0] ** 2 + planes[i, 1] ** 2 + planes[i, 2] ** 2)
    count = len(parents)
    total = 0
    for tile in range(count):
        parent = parents[tile]
        opened[tile] = 0
        if parent >= 0 and opened[parent] == 0:
            continue
        x, y, z, radius = centers[tile, 0], centers[tile, 1], centers[tile, 2], radii[tile]
        outside = False
        for i in range(6):
            if planes[i, 0] * x + planes[i, 1] * y + planes[i, 2] * z + planes[i, 3] < -radius * (
                norms[i] if i < 4 else 1.0
            ):
                outside = True
        reach = requests[tile, 3]
        if reach < np.inf:
            dx, dy, dz = cam[9] - requests[tile, 0], cam[10] - requests[tile, 1], cam[11] - requests[tile, 2]
            outside = outside or dx * dx + dy * dy + dz * dz > reach * reach
        if outside:
            continue
        scale = cam[12]
        if cam[18] == 0.0:
            distance = np.sqrt((x - cam[9]) ** 2 + (y - cam[10]) ** 2 + (z - cam[11]) ** 2) - radius
            scale = cam[12] / max(distance, 1.0)
        content = kinds[tile] & 1
        if refinable[tile] and (content == 0 or errors[tile] * scale > tolerance_px):
            opened[tile] = 1
            if kinds[tile] & 2 == 0:
                continue
        if content:
            chosen[total] = tile
            total += 1
    return total


@helper
def visible_clusters(
    cam: Array, planes: Array, ranges: Array, boxes: Array, visible: Array, keys: Array, starts: Array, ordered: Array
) -> Int:
    """Clusters of `ranges` ((N, 2) first, count) that meet the frustum, front to back in `ordered`; their number.

    The order is a stable counting sort over buckets of the square root of the nearest depth: equal in every strip.
    """
    fx, fy, fz = cam[6], cam[7], cam[8]
    offset = fx * cam[9] + fy * cam[10] + fz * cam[11]
    scale = BUCKETS / np.sqrt(min(max(cam[16], 1.0), 8000.0))
    for i in range(BUCKETS + 1):
        starts[i] = 0
    total = 0
    for r in range(len(ranges)):
        first = I64(ranges[r, 0])
        for cluster in range(first, first + I64(ranges[r, 1])):
            c = U(cluster)
            lx, ly, lz = D(boxes[c, U(0)]), D(boxes[c, U(1)]), D(boxes[c, U(2)])
            hx, hy, hz = 0.5 * (boxes[c, U(3)] - lx), 0.5 * (boxes[c, U(4)] - ly), 0.5 * (boxes[c, U(5)] - lz)
            mx, my, mz = lx + hx, ly + hy, lz + hz
            inside = True
            for i in range(6):
                a, b, d = planes[U(i), U(0)], planes[U(i), U(1)], planes[U(i), U(2)]
                reach = abs(a) * hx + abs(b) * hy + abs(d) * hz
                if a * mx + b * my + d * mz + planes[U(i), U(3)] < -1.001 * reach - 1e-3:
                    inside = False
                    break
            if inside:
                near = fx * mx + fy * my + fz * mz - offset - (abs(fx) * hx + abs(fy) * hy + abs(fz) * hz)
                key = min(I64(np.sqrt(max(near, 0.0)) * scale), BUCKETS - 1)
                visible[U(total)] = cluster
                keys[U(total)] = key
                starts[key + 1] += 1
                total += 1
    for i in range(BUCKETS):
        starts[i + 1] += starts[i]
    for i in range(total):
        key = keys[i]
        ordered[starts[key]] = visible[i]
        starts[key] += 1
    return total


@helper
def tile_minimum(bits: Array, stride: Int, x0: Int, x1: Int, y0: Int, y1: Int) -> Int:
    """Least value of an int32 picture over [x0, x1) x [y0, y1)."""
    least = I32(0x7FFFFFFF)
    for y in range(y0, y1):
        for x in range(y * stride + x0, y * stride + x1):
            value = bits[U(x)]
            least = value if value < least else least
    return least


@helper
def hidden(
    cam: Array, boxes: Array, cluster: Int, x0: Int, x1: Int, y0: Int, y1: Int, width: Int, height: Int, shift: Int,
    bits: Array, tile_min: Array, tile_dirty: Array, bounds: Array,
) -> Int:  # fmt: skip
    """Whether a cluster's box lies behind what is drawn everywhere on its screen rectangle (or off the rectangle)."""
    if not project_box(cam, boxes, cluster, bounds):
        return False
    low_x, high_x, low_y, high_y = bounds[0], bounds[1], bounds[2], bounds[3]
    if high_x < x0 or low_x > x1 or high_y < y0 or low_y > y1:
        return True
    tx0, tx1 = I64(max(low_x, F(x0))) >> shift, I64(min(high_x, F(x1 - 1))) >> shift
    ty0, ty1 = I64(max(low_y, F(y0))) >> shift, I64(min(high_y, F(y1 - 1))) >> shift
    across = (width + (1 << shift) - 1) >> shift
    limit = F(bounds[4]).view(np.int32)
    for ty in range(ty0, ty1 + 1):
        for tx in range(tx0, tx1 + 1):
            t = U(ty * across + tx)
            if tile_min[t] <= limit:
                if tile_dirty[t] == 0:
                    return False
                tile_dirty[t] = 0
                tile_min[t] = tile_minimum(
                    bits, width, tx << shift, min((tx + 1) << shift, width), ty << shift, min((ty + 1) << shift, height)
                )
                if tile_min[t] <= limit:
                    return False
    return True
