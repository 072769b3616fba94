"""Wet ground: darker where it rained, with puddles and rings, mirroring what stands behind it on the screen."""

import numpy as np

from citysim.render.raster.clouds import SIDE
from citysim.render.raster.jit import helper, kernel
from citysim.render.raster.layout import I64, Array, D, Geometry, Int, Real, Scratch, Tables, Target, U
from citysim.render.raster.night import mixed, place_at
from citysim.render.raster.roofs import Roofs, exposed
from citysim.render.raster.sky import field_at

DARKER = 0.48  # how much of its light a wet porous surface loses
PUDDLE_M = 41.0  # metres over which the pattern of puddles repeats
FLAT_ENOUGH = 0.8  # z of the normal from which on ground mirrors
RINGS_M = 14.0  # rings of drops are drawn up to here
NEAR_M, FAR_M = 3.5, 18.0  # where a mirrored ray is looked up: between them lies most of what one sees in wet asphalt


@helper
def ring(px: Real, py: Real, clock: Real) -> Real:
    """Tilt (x, y) of the water by the ring of a drop: one drop a cell of 0.4 m and time."""
    cx, cy = np.floor(px * 2.5), np.floor(py * 2.5)
    seed = mixed(I64(cx), I64(cy))
    age = clock * 1.6 + D(seed & U(0xFFFF)) / 65536.0
    turn = np.floor(age)
    age -= turn
    h = mixed(seed, I64(turn))
    dx = px - (cx + 0.3 + 0.4 * D(h & U(0xFFFF)) / 65536.0) * 0.4
    dy = py - (cy + 0.3 + 0.4 * D(h >> U(16)) / 65536.0) * 0.4
    distance = np.sqrt(dx * dx + dy * dy) + 1e-4
    away = (distance - 0.14 * age) * 40.0
    if away > 1.0 or away < -1.0:
        return 0.0, 0.0
    k = away * (1.0 - away * away) * (1.0 - age) * 0.5 / distance
    return dx * k, dy * k


@helper
def seen_at(
    cam: Array, rect: Array, target: Target, dry: Array, linear: Array, x: Real, y: Real, z: Real, ahead: Real
) -> Real:
    """Linear r, g, b of the picture where a point (metres from the eye) is seen; -1 where nothing usable is."""
    front = cam[6] * x + cam[7] * y + cam[8] * z
    if front < 0.3:
        return -1.0, 0.0, 0.0
    scale = cam[12] / front
    column = I64(np.floor((cam[0] * x + cam[1] * y + cam[2] * z) * scale + cam[13]))
    row = I64(np.floor((cam[3] * x + cam[4] * y + cam[5] * z) * scale + cam[14]))
    if column < 0 or row < 0 or column >= rect[4] or row >= rect[5]:
        return -1.0, 0.0, 0.0
    at = row * rect[4] + column
    if D(target.nearness[U(at)]) * ahead * 0.9 > 1.0:  # something that stands before the ground
        return -1.0, 0.0, 0.0
    return D(linear[dry[U(3 * at)]]), D(linear[dry[U(3 * at + 1)]]), D(linear[dry[U(3 * at + 2)]])


@helper
def towed(tone: Array, value: Real) -> Int:
    """The byte of linear light."""
    return tone[U(min(max(value, 0.0), 3.99) * 4096.0)]


@helper
def lay(linear: Array, tone: Array, rgb: Array, at: Int, row: Array) -> None:
    """Multiply a pixel's light by row[0] and add row[1:4]."""
    if row[0] == 1.0:  # dry
        return
    place = U(3 * at)
    rgb[place] = towed(tone, D(linear[rgb[place]]) * row[0] + row[1])
    rgb[place + U(1)] = towed(tone, D(linear[rgb[place + U(1)]]) * row[0] + row[2])
    rgb[place + U(2)] = towed(tone, D(linear[rgb[place + U(2)]]) * row[0] + row[3])


@kernel
def add_wet(
    cam: Array, rect: Array, light: Array, tables: Tables, field: Array, wet: Real, clock: Real, roofs: Roofs,
    geometry: Geometry, sheen: Array, target: Target, scratch: Scratch, dry: Array, held: Array, shine: Array,
    rgb: Array,
) -> None:  # fmt: skip
    """Wet the ground in `rect`; `dry` is a copy of the whole picture, `field` the cloud field, read as puddles,
    `sheen` (materials,) how far each one mirrors. held (W / 2 + 1,) int64 and shine (W / 2 + 1, 4) float64 are room
    for a line.

    Blocks of 2 x 2 pixels of one surface share what is mirrored: it is smooth. Their lower line finds in `held` whose
    surface the upper one was, and in `shine` what the light of the surface is multiplied by and what is added to it.
    """
    linear, tone = tables.linear, tables.tone
    scale = SIDE / PUDDLE_M
    for y in range(rect[2], rect[3]):
        ray_y = (y + 0.5 - cam[14]) / cam[12]
        x = rect[0]
        while x < rect[1]:
            at = y * rect[4] + x
            index = target.record[U(at)]
            upper, block = y & 1 == 0, U(x >> 1)
            if upper and x & 1 == 0:
                held[block] = -1
            if index < 0 or scratch.records[U(index), U(11)] < FLAT_ENOUGH:
                x += 1
                continue
            both = x & 1 == 0 and x + 1 < rect[1] and target.record[U(at + 1)] == index
            if both and not upper and held[block] == index:
                lay(linear, tone, rgb, at, shine[block])
                lay(linear, tone, rgb, at + 1, shine[block])
                x += 2
                continue
            if both and upper:
                held[block] = index
                shine[block, 0], shine[block, 1], shine[block, 2], shine[block, 3] = 1.0, 0.0, 0.0, 0.0
            px, py, pz = place_at(cam, (x + 0.5 - cam[13]) / cam[12], ray_y, D(target.nearness[U(at)]))
            share = wet * exposed(roofs, px, py, pz)
            dx, dy, dz = px - cam[9], py - cam[10], pz - cam[11]
            if share <= 0.0 or dz >= -0.02:
                x += 2 if both else 1
                continue
            square = dx * dx + dy * dy + dz * dz
            length = np.sqrt(square)
            veil = D(tables.fog[U(I64(min(length * light[18] * 512.0, 4095.0)))])
            shorter = 1.0 / length
            steep = -dz * shorter
            away = 1.0 - steep
            fresnel = away * away
            fresnel = 0.02 + 0.98 * fresnel * fresnel * away
            broad = D(field_at(field, px * scale, py * scale))
            puddle = min(max((broad - 0.66) * 9.0, 0.0), 1.0)
            # uneven stone breaks the mirror up, water less so
            fine = D(field_at(field, px * scale * 7.3, py * scale * 7.3))
            rough = (fine - 0.5) * (0.10 - 0.07 * puddle)
            tilt_x, tilt_y = rough, -rough
            if square < RINGS_M * RINGS_M:
                rx, ry = ring(px, py, clock)
                tilt_x, tilt_y = tilt_x + rx * (0.3 + puddle), tilt_y + ry * (0.3 + puddle)
            vx, vy, vz = dx * shorter + 2.0 * tilt_x * steep, dy * shorter + 2.0 * tilt_y * steep, steep
            ahead = cam[6] * dx + cam[7] * dy + cam[8] * dz
            mr, mg, mb, got = 0.0, 0.0, 0.0, 0.0
            for k in range(2):
                far = (NEAR_M if k == 0 else FAR_M) * (0.7 + 0.6 * fine)
                r, g, b = seen_at(
                    cam, rect, target, dry, linear, dx + vx * far, dy + vy * far, dz + vz * far, ahead
                )  # fmt: skip
                if r >= 0.0:
                    mr, mg, mb, got = mr + r, mg + g, mb + b, got + 1.0
            if got < 2.0:  # what is out of the picture: the sky, dimmed as houses hide much of it
                step = U(I64(min(max(vz, 0.0), 0.99) * 511.0) + 512)
                k = (2.0 - got) * (0.55 + 0.35 * min(vz * 1.5, 1.0))
                mr += D(tables.sky[step, U(0)]) * k
                mg += D(tables.sky[step, U(1)]) * k
                mb += D(tables.sky[step, U(2)]) * k
            material = I64(geometry.materials[U(scratch.record_triangle[U(index)])])
            strength = (
                sheen[min(material, len(sheen) - 1)] * share * (1.0 - veil) * fresnel * (0.62 + 0.38 * puddle) * 0.5
            )
            keep = 1.0 - share * (1.0 - veil) * (DARKER + 0.12 * puddle)
            row = shine[block]
            row[0] = keep * (1.0 - strength)
            row[1], row[2], row[3] = mr * strength, mg * strength, mb * strength
            lay(linear, tone, rgb, at, row)
            if both:
                lay(linear, tone, rgb, at + 1, row)
            elif x & 1 == 0:
                held[block] = -1  # what was written there is this pixel's alone
            x += 2 if both else 1
