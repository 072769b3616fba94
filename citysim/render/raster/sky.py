"""The sky of one line of the picture: gradient, sun, clouds; all in linear light, written as display bytes."""

import numpy as np

from citysim.render.raster.clouds import SIDE
from citysim.render.raster.jit import helper
from citysim.render.raster.layout import I32, I64, Array, D, F, Int, Real, Tables, U

WRAP = SIDE - 1
FLATTEN = 0.10  # added to the sine of elevation where a ray meets the cloud layer: keeps the horizon from shimmering


@helper
def put(rgb: Array, at: Int, tone: Array, r: Real, g: Real, b: Real) -> None:
    """Write linear light to pixel `at` as display bytes."""
    r, g, b = F(r) * F(4096.0), F(g) * F(4096.0), F(b) * F(4096.0)
    r, g, b = (
        r if r < F(16383.0) else F(16383.0),
        g if g < F(16383.0) else F(16383.0),
        b if b < F(16383.0) else F(16383.0),
    )
    r, g, b = r if r > F(0.0) else F(0.0), g if g > F(0.0) else F(0.0), b if b > F(0.0) else F(0.0)
    rgb[U(3 * at)], rgb[U(3 * at + 1)], rgb[U(3 * at + 2)] = (
        tone[U(I32(r))],
        tone[U(I32(g))],
        tone[U(I32(b))],
    )


@helper
def field_at(field: Array, u: Real, v: Real) -> Real:
    """The tiling cloud field at u, v (texels), bilinear, 0 to 1."""
    column, row = np.floor(u), np.floor(v)
    fu, fv = F(u - column), F(v - row)
    x, y = I64(column) & WRAP, I64(row) & WRAP
    x1, top, low = (x + 1) & WRAP, y * SIDE, ((y + 1) & WRAP) * SIDE
    a, b = F(field[U(top + x)]), F(field[U(top + x1)])
    c, d = F(field[U(low + x)]), F(field[U(low + x1)])
    a, c = a + (b - a) * fu, c + (d - c) * fu
    return (a + (c - a) * fv) * F(1.0 / 65535.0)


@helper
def cloud_at(light: Array, field: Array, dx: Real, dy: Real, dz: Real) -> Real:
    """What a unit ray meets in the cloud layer: its opacity, how bright it is between base and sunny side, its depth.

    The layer is a plane: a ray meets it at dx, dy over dz. Two readings of the field make the shape, a third one a step
    towards the sun tells the side that it lights.
    """
    k = light[31] / (dz + FLATTEN)
    u, v = dx * k + light[28], dy * k + light[29]
    broad = field_at(field, u, v)
    fine = field_at(field, u * 4.3 + 57.0, v * 4.3 + 91.0)
    density = broad + (fine - F(0.5)) * F(0.22)
    edge = F(light[26])
    opacity = (density - edge) * F(light[27])
    opacity = min(max(opacity, F(0.0)), F(1.0))
    deep = min(max((density - edge) * F(2.2), F(0.0)), F(1.0))
    bright = F(0.0)
    if opacity > F(0.0):
        sunward = field_at(field, u + light[32], v + light[33]) + (fine - F(0.5)) * F(0.1)
        bright = F(0.55) + (density - sunward) * F(3.0) - F(0.35) * deep
        bright = min(max(bright, F(0.0)), F(1.0))
    return opacity * opacity * (F(3.0) - F(2.0) * opacity), bright, deep


@helper
def cloud_on(
    light: Array, field: Array, ax: Real, ay: Real, az: Real, bx: Real, by: Real, bz: Real, ray_x: Real
) -> Real:  # fmt: skip
    """`cloud_at` for a place along a row of the picture."""
    dx, dy, dz = bx + ax * ray_x, by + ay * ray_x, bz + az * ray_x
    k = 1.0 / np.sqrt(dx * dx + dy * dy + dz * dz)
    return cloud_at(light, field, dx * k, dy * k, max(dz * k, 0.0))


@helper
def shade_sky(
    cam: Array, light: Array, tables: Tables, at: Int, first: Int, last: Int, ray_y: Real, rgb: Array
) -> None:
    """Colour pixels [first, last) of one row (which begins at `at`) with sky, the sun's halo and its disc."""
    bx, by, bz = cam[3] * ray_y + cam[6], cam[4] * ray_y + cam[7], cam[5] * ray_y + cam[8]
    ax, ay, az, step, centre = cam[0], cam[1], cam[2], 1.0 / cam[12], cam[13] - 0.5
    sun_b, sun_a = bx * light[0] + by * light[1] + bz * light[2], ax * light[0] + ay * light[1] + az * light[2]
    gr, gg, gb = F(light[23]), F(light[24]), F(light[25])
    # The ray's length squared is a quadratic of its place in the row.
    across, slope, square = (
        ax * ax + ay * ay + az * az,
        2.0 * (ax * bx + ay * by + az * bz),
        bx * bx + by * by + bz * bz,
    )
    sky, halo, tone = tables.sky, tables.halo, tables.tone
    cloudy = light[27] > 0.0
    # Clouds are smooth: read every few pixels where pixels are small, at places that no cut of the row moves.
    shift = 2 if cam[12] >= 360.0 else (1 if cam[12] >= 180.0 else 0)
    share, ends = 1.0 / D(1 << shift), I64(-1)
    o0, b0, d0, o1, b1, d1 = F(0.0), F(0.0), F(0.0), F(0.0), F(0.0), F(0.0)
    o2, b2, d2 = o0, b0, d0
    for x in range(first, last):
        ray_x = (x - centre) * step
        scale = F(512.0) / np.sqrt(F(square + ray_x * (slope + ray_x * across)))
        row = I32(F(bz + az * ray_x) * scale + F(512.0))
        row = row if row < 1023 else 1023
        row = row if row > 0 else 0
        toward = F(sun_b + sun_a * ray_x) * scale
        step_in = I32(toward)
        glow = halo[U(step_in if step_in > 0 else 0)] if step_in < 512 else F(0.0)
        if toward > F(460.0):
            t2 = D(toward) * (1.0 / 512.0)
            t2 *= t2
            t8 = t2 * t2 * t2 * t2
            t64 = t8 * t8 * t8 * t8 * t8 * t8 * t8 * t8
            t512 = t64 * t64 * t64 * t64 * t64 * t64 * t64 * t64
            t8192 = t512 * t512 * t512 * t512 * t512 * t512 * t512 * t512
            t8192 *= t8192
            glow = F(0.12 * t8 + 0.25 * t64 + 0.5 * t512 + light[30] * t8192)
        r, g, b = sky[U(row), U(0)], sky[U(row), U(1)], sky[U(row), U(2)]
        if cloudy and row > 515:
            begin = (I64(x) >> shift) << shift
            if begin >= ends:
                if begin == ends and shift > 0:
                    o0, b0, d0 = o2, b2, d2
                else:
                    o0, b0, d0 = cloud_on(light, tables.clouds, ax, ay, az, bx, by, bz, (begin - centre) * step)
                ends = begin + (1 << shift)
                if shift > 0:
                    o2, b2, d2 = cloud_on(light, tables.clouds, ax, ay, az, bx, by, bz, (ends - centre) * step)
                o1, b1, d1 = (o2, b2, d2) if o2 > F(0.0) else (o2, b0, d0)
                if o0 <= F(0.0):  # where there is no cloud its side has no brightness of its own
                    b0, d0 = b1, d1
            t = F((I64(x) - begin) * share)
            opacity, bright, deep = o0 + (o1 - o0) * t, b0 + (b1 - b0) * t, d0 + (d1 - d0) * t
            opacity *= sky[U(row), U(3)]
            clear = F(1.0) - opacity
            glow = glow * (clear * clear + F(0.12) * opacity * (F(1.0) - deep))
            r = r * clear + (F(light[37]) + F(light[34] - light[37]) * bright) * opacity
            g = g * clear + (F(light[38]) + F(light[35] - light[38]) * bright) * opacity
            b = b * clear + (F(light[39]) + F(light[36] - light[39]) * bright) * opacity
        put(rgb, at + x, tone, r + gr * glow, g + gg * glow, b + gb * glow)
