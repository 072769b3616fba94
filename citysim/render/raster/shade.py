"""The colour pass: each pixel of the visibility buffer is textured, lit and fogged once, in linear light."""

import numpy as np
from numba import njit

from citysim.render.raster.layout import Array, Geometry, Looks, Scratch, Tables, Target
from citysim.render.raster.sample import log2_256, trilinear

U = np.uint64
F = np.float32
WHITE = np.uint64(0x00FF00FF00FF00FF)
BYTE = np.uint64(255)
B8, B16, B32 = np.uint64(8), np.uint64(16), np.uint64(32)
SHARPEN = 96  # of 256: how far towards the shorter axis of a pixel's footprint the mip level moves
SHARPEN_MOST = 320  # and at most this many 1/256 levels


@njit(cache=True, nogil=True, error_model="numpy")
def light_records(light: Array, geometry: Geometry, looks: Looks, scratch: Scratch, count: int, lit: Array) -> None:
    """Light of each record to lit (n, 9) float32: ambient r, g, b, sun r, g, b, emitted r, g, b.

    Flat normals. All three are multiplied by the material's colour, and by the vertex colour where it is the same at
    the three corners. Leaves (alpha-masked, double-sided) scatter: their cards stand for many directions.
    """
    for n in range(count):
        row, triangle = scratch.records[n], scratch.record_triangle[n]
        material, flags = geometry.materials[triangle], geometry.flags[triangle]
        nx, ny, nz = row[9], row[10], row[11]
        facing = nx * light[0] + ny * light[1] + nz * light[2]
        if flags & 3 == 3:
            facing, nz = 0.3 + 0.4 * abs(facing), 0.4 + 0.3 * nz
        up = 0.5 + 0.5 * nz
        bounce = 0.5 + 0.5 * (nx * light[0] + ny * light[1])
        facing = max(facing, 0.0)
        for c in range(3):
            factor = looks.color[material, c] * (1.0 if flags & 8 else row[14 + 3 * c] / 255.0)
            if flags & 4:
                lit[n, c], lit[n, 3 + c] = light[20 + c] * factor, 0.0
            else:
                lit[n, c] = (light[6 + c] * up + light[9 + c] * (1.0 - up) + light[12 + c] * bounce) * factor
                lit[n, 3 + c] = light[3 + c] * facing * factor
            lit[n, 6 + c] = looks.emissive[material, c] * light[19]


@njit(cache=True, nogil=True, error_model="numpy")
def mip_level(row: Array, u: float, v: float, depth: float, ortho: bool, width: float, height: float) -> int:
    """Mip level in 1/256 of a pixel: the longer axis of its footprint, moved towards the shorter one."""
    qx, qy = (0.0, 0.0) if ortho else (row[6], row[7])
    ux, vx = (row[0] - u * qx) * depth * width, (row[3] - v * qx) * depth * height
    uy, vy = (row[1] - u * qy) * depth * width, (row[4] - v * qy) * depth * height
    longest = max(ux * ux + vx * vx, uy * uy + vy * vy)
    if not longest > 1.0:
        return 0
    if longest > 1e12:
        return 40 * 256
    major = log2_256(longest) >> 1
    area = log2_256(max(abs(ux * vy - uy * vx), 1e-6))  # = log2 of the longer times the shorter axis
    stretch = max(2 * major - area, 0)
    return max(major - min((stretch * SHARPEN) >> 8, SHARPEN_MOST), 0)


@njit(cache=True, nogil=True, error_model="numpy")
def shade(
    cam: Array, rect: Array, light: Array, geometry: Geometry, looks: Looks, tables: Tables, target: Target,
    scratch: Scratch, count: int, lit: Array, rgb: Array,
) -> None:  # fmt: skip
    """Colour the pixels of `rect` of rgb (H, W, 3) uint8 after `draw` left `count` records."""
    light_records(light, geometry, looks, scratch, count, lit)
    x0, x1, y0, y1, width = rect[0], rect[1], rect[2], rect[3], rect[4]
    ortho = cam[18] != 0.0
    linear, fog, tone, sky = tables.linear, tables.fog, tables.tone, tables.sky
    fog_r, fog_g, fog_b = F(light[15]), F(light[16]), F(light[17])
    thickness = 0.0 if ortho else light[18] * 512.0
    for y in range(y0, y1):
        ray_y = (y + 0.5 - cam[14]) / cam[12]
        last, lod = -2, 0
        row, textured, colored = scratch.records[0], False, False
        shape, levels = looks.shape[0], looks.levels[0]
        u_row, v_row, tw, th = 0.0, 0.0, 1.0, 1.0
        r_lit, g_lit, b_lit = F(0.0), F(0.0), F(0.0)
        for x in range(x0, x1):
            at = y * width + x
            index = np.int64(target.record[U(at)])
            ray_x = (x + 0.5 - cam[13]) / cam[12]
            out = U(3 * at)
            if index < 0 or index >= count:
                if ortho:
                    r, g, b = fog_r, fog_g, fog_b
                else:
                    dx = cam[0] * ray_x + cam[3] * ray_y + cam[6]
                    dy = cam[1] * ray_x + cam[4] * ray_y + cam[7]
                    dz = cam[2] * ray_x + cam[5] * ray_y + cam[8]
                    scale = 1.0 / np.sqrt(dx * dx + dy * dy + dz * dz)
                    step = U(min(max(np.int64((dz * scale) * 512.0 + 512.0), 0), 1023))
                    toward = max((dx * light[0] + dy * light[1] + dz * light[2]) * scale, 0.0)
                    t2 = toward * toward
                    t8 = t2 * t2 * t2 * t2
                    t64 = t8 * t8 * t8 * t8 * t8 * t8 * t8 * t8
                    t512 = t64 * t64 * t64 * t64 * t64 * t64 * t64 * t64
                    t4096 = t512 * t512 * t512 * t512 * t512 * t512 * t512 * t512
                    glow = 0.12 * t8 + 0.25 * t64 + 0.5 * t512 + 6.0 * t4096 * t4096
                    r = sky[step, U(0)] + F(light[23] * glow)
                    g = sky[step, U(1)] + F(light[24] * glow)
                    b = sky[step, U(2)] + F(light[25] * glow)
            else:
                depth = 1.0 if ortho else 1.0 / np.float64(target.nearness[U(at)])
                if index != last:
                    last = index
                    row = scratch.records[U(index)]
                    triangle = U(scratch.record_triangle[U(index)])
                    material = U(geometry.materials[triangle])
                    texture = looks.texture[material]
                    textured = texture >= 0
                    colored = geometry.flags[triangle] & 8 != 0
                    r_lit = lit[U(index), U(0)] + lit[U(index), U(3)]
                    g_lit = lit[U(index), U(1)] + lit[U(index), U(4)]
                    b_lit = lit[U(index), U(2)] + lit[U(index), U(5)]
                    u_row, v_row = row[U(1)] * y + row[U(2)], row[U(4)] * y + row[U(5)]
                    if textured:
                        shape, levels = looks.shape[U(texture)], looks.levels[U(texture)]
                        tw, th = np.float64(1 << shape[U(0)]), np.float64(1 << shape[U(1)])
                        lod = -1
                r, g, b = F(1.0), F(1.0), F(1.0)
                if textured:
                    u = (row[U(0)] * x + u_row) * depth
                    v = (row[U(3)] * x + v_row) * depth
                    if lod < 0 or x & 7 == 0:
                        lod = mip_level(row, u, v, depth, ortho, tw, th)
                    lanes = trilinear(looks.texels, shape, levels, u, v, lod)
                    r, b, g = linear[lanes & BYTE], linear[(lanes >> B16) & BYTE], linear[(lanes >> B32) & BYTE]
                er, eg, eb = lit[U(index), U(6)], lit[U(index), U(7)], lit[U(index), U(8)]
                if colored:
                    k = depth * (1.0 / 255.0)
                    r = r * (r_lit * F((row[U(12)] * x + row[U(13)] * y + row[U(14)]) * k) + er)
                    g = g * (g_lit * F((row[U(15)] * x + row[U(16)] * y + row[U(17)]) * k) + eg)
                    b = b * (b_lit * F((row[U(18)] * x + row[U(19)] * y + row[U(20)]) * k) + eb)
                else:
                    r, g, b = r * (r_lit + er), g * (g_lit + eg), b * (b_lit + eb)
                if thickness > 0.0:
                    far = depth * np.sqrt(1.0 + ray_x * ray_x + ray_y * ray_y) * thickness
                    veil = fog[U(np.int64(min(far, 4095.0)))]
                    r, g, b = r + (fog_r - r) * veil, g + (fog_g - g) * veil, b + (fog_b - b) * veil
            rgb[out] = tone[U(np.int64(min(max(r, F(0.0)) * F(4096.0), F(16383.0))))]
            rgb[out + U(1)] = tone[U(np.int64(min(max(g, F(0.0)) * F(4096.0), F(16383.0))))]
            rgb[out + U(2)] = tone[U(np.int64(min(max(b, F(0.0)) * F(4096.0), F(16383.0))))]


@njit(cache=True, nogil=True, error_model="numpy")
def read_out(
    cam: Array, rect: Array, geometry: Geometry, target: Target, scratch: Scratch, depth: Array, labels: Array
) -> None:
    """Fill depth (H * W,) float32 and labels (H * W,) int32 of `rect`; an empty array is left alone."""
    ortho = cam[18] != 0.0
    for y in range(rect[2], rect[3]):
        for x in range(rect[0], rect[1]):
            at = U(y * rect[4] + x)
            index = target.record[at]
            if len(depth):
                near = target.nearness[at]
                if index < 0:
                    depth[at] = np.inf
                else:
                    depth[at] = F(cam[17] - near) if ortho else F(1.0) / near
            if len(labels):
                labels[at] = 0 if index < 0 else geometry.labels[scratch.record_triangle[U(index)]]
