"""What shines on top of a finished picture: stars, the moon, the halos of lamps. Laid over display bytes."""

import numpy as np

from citysim.render.raster.jit import helper, kernel
from citysim.render.raster.layout import I64, Array, D, Int, Real, Tables, Target, U
from citysim.render.raster.sky import cloud_at, field_at

HALO_M = 0.85  # radius of a lamp's halo
HALO_PX = 2.5  # and what is added to it on the screen
FAR_M = 320.0  # lamps beyond have none
MOON = 0.0061  # radius of the moon's disc in radians, a third more than it has: pictures are looked at from afar


@helper
def screened(rgb: Array, at: Int, channel: Int, share: Real) -> None:
    """Lighten a byte by a share in [0, 1] of what it lacks to white."""
    place = U(3 * at + channel)
    old = D(rgb[place])
    rgb[place] = np.uint8(old + (255.0 - old) * min(share, 1.0) + 0.5)


@helper
def clear_towards(light: Array, tables: Tables, dx: Real, dy: Real, dz: Real) -> Real:
    """Share of light that clouds and haze let through from a direction."""
    low = D(tables.sky[U(I64(min(max(dz, 0.0), 0.99) * 512.0) + 512), U(3)])
    if light[27] <= 0.0:
        return low
    opacity, _, _ = cloud_at(light, tables.clouds, dx, dy, dz)
    return low * (1.0 - D(opacity))


@kernel
def add_stars(
    cam: Array, rect: Array, light: Array, tables: Tables, stars: Array, axes: Array, strength: Real, target: Target,
    rgb: Array,
) -> None:  # fmt: skip
    """Lay stars (see stars.star_table) over the sky in `rect`; axes (3, 3) rows east, north, up in equatorial axes."""
    x0, x1, y0, y1, width = rect[0], rect[1], rect[2], rect[3], rect[4]
    for n in range(len(stars)):
        sx, sy, sz = stars[n, 0], stars[n, 1], stars[n, 2]
        dz = axes[2, 0] * sx + axes[2, 1] * sy + axes[2, 2] * sz
        if dz <= 0.02:
            continue
        dx = axes[0, 0] * sx + axes[0, 1] * sy + axes[0, 2] * sz
        dy = axes[1, 0] * sx + axes[1, 1] * sy + axes[1, 2] * sz
        ahead = cam[6] * dx + cam[7] * dy + cam[8] * dz
        if ahead <= 0.02:
            continue
        px = (cam[0] * dx + cam[1] * dy + cam[2] * dz) / ahead * cam[12] + cam[13] - 0.5
        py = (cam[3] * dx + cam[4] * dy + cam[5] * dz) / ahead * cam[12] + cam[14] - 0.5
        if px < x0 - 1.0 or px >= x1 or py < y0 - 1.0 or py >= y1:
            continue
        clear = clear_towards(light, tables, dx, dy, dz) * strength
        column, row = I64(np.floor(px)), I64(np.floor(py))
        fx, fy = px - column, py - row
        for k in range(4):
            x, y = column + (k & 1), row + (k >> 1)
            if x < x0 or x >= x1 or y < y0 or y >= y1 or target.record[U(y * width + x)] >= 0:
                continue
            share = (fx if k & 1 else 1.0 - fx) * (fy if k >> 1 else 1.0 - fy) * clear
            for c in range(3):
                value = stars[n, 3 + c]
                screened(rgb, y * width + x, c, share * np.sqrt(value if value < 1.4 else 1.4) * 1.25)


@kernel
def add_moon(
    cam: Array, rect: Array, light: Array, tables: Tables, moon: Array, sun: Array, strength: Real, target: Target,
    rgb: Array,
) -> None:  # fmt: skip
    """Lay the moon's disc, lit from where the sun (3,) stands, and its halo over the sky in `rect`; moon (3,) unit."""
    mx, my, mz = moon[0], moon[1], moon[2]
    ahead = cam[6] * mx + cam[7] * my + cam[8] * mz
    if mz < -0.01 or ahead < 0.05:
        return
    px = (cam[0] * mx + cam[1] * my + cam[2] * mz) / ahead * cam[12] + cam[13]
    py = (cam[3] * mx + cam[4] * my + cam[5] * mz) / ahead * cam[12] + cam[14]
    reach = 9.0 * MOON * cam[12] / ahead / ahead
    x0, x1 = max(I64(rect[0]), I64(np.floor(px - reach))), min(I64(rect[1]), I64(np.floor(px + reach)) + 1)
    y0, y1 = max(I64(rect[2]), I64(np.floor(py - reach))), min(I64(rect[3]), I64(np.floor(py + reach)) + 1)
    # right and upper of the disc as seen from below
    flat = np.sqrt(mx * mx + my * my) + 1e-9
    rx, ry = my / flat, -mx / flat
    ux, uy, uz = -mx * mz / flat, -my * mz / flat, flat
    glow = 0.5 - 0.5 * (sun[0] * mx + sun[1] * my + sun[2] * mz)
    for y in range(y0, y1):
        ray_y = (y + 0.5 - cam[14]) / cam[12]
        for x in range(x0, x1):
            at = y * rect[4] + x
            if target.record[U(at)] >= 0:
                continue
            ray_x = (x + 0.5 - cam[13]) / cam[12]
            dx, dy = cam[0] * ray_x + cam[3] * ray_y + cam[6], cam[1] * ray_x + cam[4] * ray_y + cam[7]
            dz = cam[2] * ray_x + cam[5] * ray_y + cam[8]
            k = 1.0 / np.sqrt(dx * dx + dy * dy + dz * dz)
            dx, dy, dz = dx * k, dy * k, dz * k
            a, b = (dx * rx + dy * ry) / MOON, (dx * ux + dy * uy + dz * uz) / MOON
            square = a * a + b * b
            if square > 81.0:
                continue
            clear = clear_towards(light, tables, dx, dy, dz) * strength
            fall = 1.0 - square * (1.0 / 81.0)
            share = 0.26 * glow * fall * fall * fall * fall * fall * clear
            pixel = MOON * cam[12]  # radius in pixels: the rim is softened over one
            rim = min(max((1.0 - np.sqrt(square)) * pixel + 0.5, 0.0), 1.0)
            if rim > 0.0:
                away = np.sqrt(max(1.0 - square, 0.0))
                lit = (
                    (a * rx + b * ux - away * mx) * sun[0]
                    + (a * ry + b * uy - away * my) * sun[1]
                    + (b * uz - away * mz) * sun[2]
                )
                lit = min(max(lit * 3.0 + 0.1, 0.0), 1.0)
                seas = D(field_at(tables.clouds, 170.0 + 30.0 * a, 90.0 + 30.0 * b)) if len(tables.clouds) else 0.4
                share += (lit * (0.94 - 0.3 * min(max(2.4 * seas - 0.7, 0.0), 1.0)) - share) * rim * clear
            screened(rgb, at, 0, share * 0.98)
            screened(rgb, at, 1, share * 0.97)
            screened(rgb, at, 2, share * 0.93)


@kernel
def add_halos(cam: Array, rect: Array, lamps: Array, strength: Real, haze: Real, target: Target, rgb: Array) -> None:
    """Lay a halo around every lamp head that can be seen; lamps (L, 8) as in Extras, `haze` widens them in wet air."""
    x0, x1, y0, y1, width = I64(rect[0]), I64(rect[1]), I64(rect[2]), I64(rect[3]), I64(rect[4])
    high = I64(rect[5])
    for n in range(len(lamps)):
        size = lamps[n, 7]
        if size <= 0.0:
            continue
        dx, dy, dz = lamps[n, 0] - cam[9], lamps[n, 1] - cam[10], lamps[n, 2] - cam[11]
        ahead = cam[6] * dx + cam[7] * dy + cam[8] * dz
        square = dx * dx + dy * dy + dz * dz
        if ahead < 0.3 or square > FAR_M * FAR_M:
            continue
        px = (cam[0] * dx + cam[1] * dy + cam[2] * dz) / ahead * cam[12] + cam[13] - 0.5
        py = (cam[3] * dx + cam[4] * dy + cam[5] * dz) / ahead * cam[12] + cam[14] - 0.5
        reach = HALO_M * (1.0 + haze) * cam[12] / ahead + HALO_PX
        reach = min(reach, 0.2 * high)
        if px + reach < x0 or px - reach >= x1 or py + reach < y0 or py - reach >= y1:
            continue
        # how much of the head is in sight: five looks
        spot, seen = max(0.12 * cam[12] / ahead, 0.5), 0
        for k in range(5):
            lx = I64(np.floor(px + 0.5 + (spot if k == 1 else (-spot if k == 2 else 0.0))))
            ly = I64(np.floor(py + 0.5 + (spot if k == 3 else (-spot if k == 4 else 0.0))))
            if lx < 0 or ly < 0 or lx >= width or ly >= high:
                continue
            near = D(target.nearness[U(ly * width + lx)])
            seen += 1 if near * (ahead - 0.6) < 1.0 else 0
        if seen == 0:
            continue
        far = 1.0 - square * (1.0 / (FAR_M * FAR_M))
        amount = strength * D(seen) * 0.2 * far
        core = max(size * cam[12] / ahead, 0.7)
        brightest = max(lamps[n, 4], lamps[n, 5], lamps[n, 6])
        for y in range(max(y0, I64(np.floor(py - reach))), min(y1, I64(np.floor(py + reach)) + 2)):
            for x in range(max(x0, I64(np.floor(px - reach))), min(x1, I64(np.floor(px + reach)) + 2)):
                r2 = (x - px) * (x - px) + (y - py) * (y - py)
                fall = 1.0 - r2 / (reach * reach)
                if fall <= 0.0:
                    continue
                fall *= fall
                share = amount * (0.42 * fall * fall + 0.75 / (1.0 + r2 / (core * core)) * fall)
                for c in range(3):
                    tint = 0.35 + 0.65 * lamps[n, 4 + c] / brightest
                    screened(rgb, y * width + x, c, share * tint)
