"""The colour pass: each pixel of the visibility buffer is textured, lit and fogged once, in linear light.

At night and in the wet `fill_night` adds what lamps, windows and puddles do, line by line.
"""

from typing import Any

import numpy as np

from citysim.render.raster.groups import (
    GROUP,
    LINE_CAP,
    LINE_MORE,
    MAP_LINE,
    MAP_SIZE,
    ROW_EMITS,
    ROW_LABEL,
    ROW_VARIED,
    shade_group,
)
from citysim.render.raster.jit import helper, kernel
from citysim.render.raster.layout import (
    I32,
    I64,
    Array,
    D,
    F,
    Geometry,
    Int,
    Looks,
    Real,
    Scratch,
    Shadows,
    Tables,
    Target,
    U,
)
from citysim.render.raster.night import fill_night
from citysim.render.raster.sky import put, shade_sky

ALL = (1 << GROUP) - 1


@helper
def light_records(light: Array, geometry: Geometry, looks: Looks, scratch: Scratch, count: Int, lit: Array) -> None:
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
            lit[n, 6 + c] = 0.0 if looks.glow[material, 0] else looks.emissive[material, c] * light[19]


@helper
def pack_rows(geometry: Geometry, looks: Looks, scratch: Scratch, count: Int, lit: Array) -> None:
    """What `shade_group` needs of each record, from `lit` and the record's planes."""
    white = len(looks.shape) - 1
    for n in range(count):
        record, triangle, row, bits = (
            scratch.records[n],
            scratch.record_triangle[n],
            scratch.rows[n],
            scratch.row_bits[n],
        )
        texture = I64(looks.texture[geometry.materials[triangle]])
        texture = texture if texture >= 0 else white
        log_w, log_h = I64(looks.shape[texture, 0]), I64(looks.shape[texture, 1])
        x, y = record[24], record[25]
        for axis in range(2):
            a, b, c = record[3 * axis], record[3 * axis + 1], record[3 * axis + 2]
            scale = D(256 << (log_w if axis == 0 else log_h))
            row[3 * axis], row[3 * axis + 1] = a * scale, b * scale
            row[3 * axis + 2] = (a * x + b * y + c) * scale
        row[6], row[7] = record[6], record[7]
        bits[ROW_LABEL] = geometry.labels[triangle]
        bits[8] = I32(x) | (I32(y) << 16)
        emits = lit[n, 6] + lit[n, 7] + lit[n, 8] > F(0.0)
        varied = geometry.flags[triangle] & 8 != 0
        shape = log_w | (log_h << 5) | ((I64(looks.shape[texture, 2]) - 1) << 10)
        bits[9] = I32(shape | (ROW_VARIED if varied else 0) | (ROW_EMITS if emits else 0))
        bits[10] = I32(texture * 16)
        for k in range(6):
            row[11 + k] = lit[n, k]
        bits[17] = (
            I32(record[9] * 511.0 + 511.5) | (I32(record[10] * 511.0 + 511.5) << 10)
        ) | (I32(record[11] * 511.0 + 511.5) << 20)  # fmt: skip
        for k in range(3):
            row[18 + k] = lit[n, 6 + k]
        if varied:
            for k in range(12, 21, 3):
                a, b, c = record[k], record[k + 1], record[k + 2]
                row[9 + k], row[10 + k] = a * (1.0 / 255.0), b * (1.0 / 255.0)
                row[11 + k] = (a * x + b * y + c) * (1.0 / 255.0)


@helper
def pack_frame(cam: Array, light: Array, shadows: Shadows, line: Array) -> None:
    """The constants of a frame for `shade_group`."""
    ortho = cam[18] != 0.0
    line[0], line[1], line[4] = cam[13] - 0.5, 1.0 / cam[12], 1.0 if ortho else 0.0
    line[5], line[6], line[7], line[8] = light[15], light[16], light[17], 0.0 if ortho else light[18] * 512.0
    line[9], line[LINE_CAP] = cam[17], 4095.0
    line[10] = 1.0 if len(shadows.pool) else 0.0
    line[11], line[12] = shadows.slots[0], shadows.slots[1]
    for number in range(2):
        m, base = shadows.rays[number], MAP_LINE + number * MAP_SIZE
        for k in range(3):
            line[base + k] = m[0, k] + (shadows.margins[number, 1] if k == 2 else 0.0)
            line[base + 3 + k], line[base + 6 + k] = m[3, k], m[1, k]
            for axis in range(3):
                line[base + 12 + 3 * axis + k] = m[4 + axis, k] * shadows.margins[number, 0]


@helper
def pack_line(cam: Array, light: Array, shadows: Shadows, y: Int, ray_y: Real, line: Array) -> None:
    """The constants of one line of the picture."""
    line[2], line[3] = ray_y, y
    if cam[18] == 0.0:  # how far a line looks up or down decides how much haze it looks through
        rise, steps = cam[8] + cam[5] * ray_y, light[18] * 512.0
        fall = -rise if rise < 0.0 else 0.0
        line[8] = steps * (1.0 + (light[41] - 1.0) * fall / (fall + 0.15))
        cap = steps * light[40] * np.sqrt(1.0 + ray_y * ray_y) / rise if rise > 1e-3 else 4095.0
        line[LINE_CAP] = cap if cap < 4095.0 else 4095.0
    for number in range(2):
        for k in range(3):
            line[MAP_LINE + number * MAP_SIZE + 9 + k] = shadows.rays[number, 2, k] * ray_y


@kernel
def shade(
    cam: Array, rect: Array, light: Array, geometry: Geometry, looks: Looks, tables: Tables, shadows: Shadows,
    target: Target, scratch: Scratch, count: Int, lit: Array, rgb: Array, extras: Any, more: Array,
) -> None:  # fmt: skip
    """Colour the pixels of `rect` of rgb (H * W * 3,) uint8 after `draw` left `count` records.

    With `extras` (None by day and without rain: then nothing of it is compiled in) `more` (MORE_SIZE, W + 8) is room
    for what they add beside a line.
    """
    light_records(light, geometry, looks, scratch, count, lit)
    pack_rows(geometry, looks, scratch, count, lit)
    line, tail, rest_near, rest_record = scratch.line, scratch.tail, scratch.rest_near, scratch.rest_record
    pack_frame(cam, light, shadows, line)
    flat, stride = more.reshape(-1), more.shape[1]
    line[LINE_MORE] = 0.0
    if extras is not None:
        line[LINE_MORE] = 1.0
    x0, x1, width = I64(rect[0]), I64(rect[1]), I64(rect[4])
    ortho = cam[18] != 0.0
    record = target.record
    for y in range(rect[2], rect[3]):
        at = y * width
        ray_y = (y + 0.5 - cam[14]) * (1.0 / cam[12])
        pack_line(cam, light, shadows, y, ray_y, line)
        if extras is not None:
            fill_night(cam, y, ray_y, x0, x1, width, target, scratch, geometry, looks, extras, more)
        every = ALL
        for x in range(x0, x1, GROUP):
            if x0 + GROUP <= x1 < x + GROUP:
                x = x1 - GROUP  # the last pixels together with some that are coloured already
            whole = x + GROUP <= x1
            if not whole:  # what lies beyond may belong to a strip that is drawn by another thread
                for k in range(x1 - x):
                    rest_near[U(k)], rest_record[U(k)] = target.nearness[U(at + x + k)], record[U(at + x + k)]
                for k in range(x1 - x, GROUP):
                    rest_record[U(k)] = -1
            seen = shade_group(
                target.nearness if whole else rest_near, record if whole else rest_record, at + x if whole else 0, x,
                scratch.rows, scratch.row_bits, looks.texels, looks.levels,
                tables.linear_fine, tables.tone, tables.fog, shadows.pool, line, flat, stride,
                rgb if whole else tail, 3 * (at + x) if whole else 0,
            )  # fmt: skip
            if not whole:
                for k in range(3 * (x1 - x)):
                    rgb[U(3 * (at + x) + k)] = tail[U(k)]
                seen |= ALL << (x1 - x)
            every &= seen
        if every & ALL == ALL:
            continue
        x = x0
        while x < x1:
            if record[U(at + x)] >= 0:
                x += 1
                continue
            last = x + 1
            while last < x1 and record[U(at + last)] < 0:
                last += 1
            if ortho:
                for i in range(x, last):
                    put(rgb, at + i, tables.tone, light[15], light[16], light[17])
            else:
                shade_sky(cam, light, tables, at, x, last, ray_y, rgb)
            x = last
