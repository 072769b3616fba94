"""Which tiles and clusters can be seen: levels of detail, frustum tests, front-to-back order, Hi-Z occlusion."""

import numpy as np

from citysim.render.raster.jit import helper, kernel
from citysim.render.raster.layout import BUCKETS, I32, I64, Array, Int, Real, U
from citysim.render.raster.screening import least_of_eight, least_of_four, lowest_bit, meets_eight


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
    cam: Array, planes: Array, ranges: Array, boxes: Array, visible: Array, keys: Array, starts: Array, ordered: Array,
    ahead: Array, near: Array,
) -> Int:  # fmt: skip
    """Clusters of `ranges` ((N, 2) first, count) that meet the frustum, front to back in `ordered`; their number.

    The order is a stable counting sort over buckets of the square root of the nearest depth: equal in every strip.
    planes (2, 6, 4); ahead (4,) and near (8,) float64 are working memory.
    """
    for k in range(3):
        ahead[k] = cam[6 + k]
    ahead[3] = cam[6] * cam[9] + cam[7] * cam[10] + cam[8] * cam[11]
    scale = BUCKETS / np.sqrt(min(max(cam[16], 1.0), 8000.0))
    for i in range(BUCKETS + 1):
        starts[U(i)] = 0
    total = 0
    for r in range(len(ranges)):
        first = I64(ranges[r, 0])
        end = first + I64(ranges[r, 1])
        for group in range(first, end, 8):
            found = meets_eight(planes, boxes, group, end - group, ahead, near)
            while found:
                k = lowest_bit(found)
                found &= found - 1
                key = min(I64(np.sqrt(max(near[U(k)], 0.0)) * scale), BUCKETS - 1)
                visible[U(total)] = group + k
                keys[U(total)] = key
                starts[U(key + 1)] += 1
                total += 1
    for i in range(BUCKETS):
        starts[U(i + 1)] += starts[U(i)]
    for i in range(total):
        key = U(keys[U(i)])
        ordered[U(starts[key])] = visible[U(i)]
        starts[key] += 1
    return total


@helper
def tile_minimum(bits: Array, stride: Int, x0: Int, x1: Int, y0: Int, y1: Int) -> Int:
    """Least value of an int32 picture over [x0, x1) x [y0, y1)."""
    if x1 - x0 == 4 and y1 - y0 == 4:
        return I32(least_of_four(bits, y0 * stride + x0, stride))
    if x1 - x0 == 8 and y1 - y0 == 8:
        return I32(least_of_eight(bits, y0 * stride + x0, stride))
    least = I32(0x7FFFFFFF)
    for y in range(y0, y1):
        for x in range(y * stride + x0, y * stride + x1):
            value = bits[U(x)]
            least = value if value < least else least
    return least


@helper
def hidden(
    px0: Int, px1: Int, py0: Int, py1: Int, limit: Int, width: Int, height: Int, shift: Int, bits: Array,
    tile_min: Array, tile_dirty: Array,
) -> Int:  # fmt: skip
    """Whether all that is drawn at pixels [px0, px1] x [py0, py1] is nearer than `limit`, the bits of a nearness.

    It knows the least nearness of Hi-Z tiles, and looks anew at those drawn to since.
    """
    across = (width + (1 << shift) - 1) >> shift
    for ty in range(py0 >> shift, (py1 >> shift) + 1):
        for tx in range(px0 >> shift, (px1 >> shift) + 1):
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
