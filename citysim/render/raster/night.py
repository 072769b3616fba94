"""What shines at night: street lamps on what they light, rooms behind windows, signs.

L1 to R1: night and rain reach `shade` as eight rows of float32 beside a line of the picture, filled by a function of mine
just before the line is coloured, only when `extras is not None`: MORE = light r, g, b to add (the material's colour
included), glow r, g, b, the glow's base, and a factor of all light (wet ground). With `alpha` the texture's fourth byte
/ 255: color = albedo * (light * damp + added) + alpha * glow * (base + albedo), light and added before the vertex tint.
Please leave room for `more: Array` of (8, W + 8) in shade_eight, read only when a LINE_MORE constant is set; by day the
array is empty and the flag 0. I add the reads myself once shade_eight is committed, if you have not.
"""

import numpy as np

from citysim.render.raster.jit import helper
from citysim.render.raster.layout import I64, LAMPS_A_CELL, Array, D, Extras, F, Int, Looks, Real, U
from citysim.render.raster.sample import log2_256

BYTE = U(255)
LOW32 = U(0xFFFFFFFF)
WARM, MILD = U(154), U(218)  # of 256 lit rooms: up to here warm, up to there mild, the others cool


@helper
def mixed(a: Int, b: Int) -> Int:
    """A 32-bit hash (as uint64) of two integers: multiply and fold, as in Murmur3's finaliser."""
    h = (U(a) * U(0x9E3779B1) + U(b) * U(0x85EBCA77)) & LOW32
    h = ((h ^ (h >> U(16))) * U(0x85EBCA6B)) & LOW32
    h = ((h ^ (h >> U(13))) * U(0xC2B2AE35)) & LOW32
    return h ^ (h >> U(16))


@helper
def room_seed(label: Int, row: Array) -> Int:
    """Hash of an object and of the way a wall of it faces."""
    facing = I64(np.floor(row[U(9)] * 3.37 + 8.4)) * 16 + I64(np.floor(row[U(10)] * 3.37 + 8.4))
    return mixed(I64(label) + 1, facing)


@helper
def albedo_factor(looks: Looks, material: Int, row: Array, colored: Int) -> Real:
    """Colour of the material, times the vertex colour where the corners agree on one."""
    m = U(material)
    r, g, b = looks.color[m, U(0)], looks.color[m, U(1)], looks.color[m, U(2)]
    if not colored:
        r, g, b = F(r * row[U(14)] / 255.0), F(g * row[U(17)] / 255.0), F(b * row[U(20)] / 255.0)
    return r, g, b


@helper
def place_at(cam: Array, ray_x: Real, ray_y: Real, nearness: Real) -> Real:
    """Local metres of what a pixel shows: rays in camera coordinates, its nearness as in Target."""
    k = 1.0 if cam[18] != 0.0 else 1.0 / nearness
    ahead = cam[17] - nearness if cam[18] != 0.0 else k
    sx, sy = ray_x * k, ray_y * k
    return (
        cam[9] + sx * cam[0] + sy * cam[3] + ahead * cam[6],
        cam[10] + sx * cam[1] + sy * cam[4] + ahead * cam[7],
        cam[11] + sx * cam[2] + sy * cam[5] + ahead * cam[8],
    )


@helper
def lamp_light(extras: Extras, px: Real, py: Real, pz: Real, nx: Real, ny: Real, nz: Real) -> Real:
    """Light (linear r, g, b, before the surface's colour) of the lamps around a point with a unit normal.

    A lamp gives (1 - d^2 / R^2)^2 / (1 + d^2 / 9), smooth and 0 at its radius R, to what faces it; downwards all of it,
    sideways less, above itself little. Every cell lists every lamp that reaches into it, so that none ends at a border.
    """
    grid = extras.grid
    r, g, b = 0.0, 0.0, 0.0
    column, line = I64(np.floor((px - grid[0]) * grid[2])), I64(np.floor((py - grid[1]) * grid[2]))
    if column >= 0 and line >= 0 and column < I64(grid[3]) and line < I64(grid[4]):
        cell = extras.cells[U(line * I64(grid[3]) + column)]
        for k in range(LAMPS_A_CELL):
            number = cell[U(k)]
            if number < 0:
                break
            lamp = extras.lamps[U(number)]
            dx, dy, dz = lamp[0] - px, lamp[1] - py, lamp[2] - pz
            square = dx * dx + dy * dy + dz * dz
            near = 1.0 - square * lamp[3]
            if near <= 0.0:
                continue
            distance = np.sqrt(square) + 0.05
            facing = (dx * nx + dy * ny + dz * nz) / distance
            facing = 0.18 + 0.82 * facing if facing > 0.0 else 0.18 + 0.18 * facing
            down = dz / distance
            down = 0.12 + 0.88 * down if down > 0.0 else 0.12 + 0.12 * down
            share = near * near * facing * down / (1.0 + square * (1.0 / 9.0))
            r += lamp[4] * share
            g += lamp[5] * share
            b += lamp[6] * share
    return r, g, b


@helper
def room_light(numbers: Array, seed: Int, column: Int, line: Int, glow: Real, vague: Real) -> Real:
    """Light of one window (r, g, b linear) that glows at `glow` in [0, 1] when lit.

    `vague` in [0, 1] is how far windows are too small to tell apart: then all shine as the mean does.
    """
    h = mixed(seed, column * 8191 + line)
    share = numbers[0]
    state = 1.0 if D(h & U(0xFFFF)) < share * 65536.0 else 0.0
    state += (share - state) * vague
    steady = (glow - 0.66) * 7.0
    steady = min(max(steady, 0.0), 1.0)
    state += (1.0 - state) * steady
    kind = (h >> U(16)) & BYTE
    strength = state * glow * (0.5 + 0.5 * D(h >> U(24)) / 255.0)
    if kind < WARM:
        return strength * numbers[1], strength * numbers[2] * 0.98, strength * numbers[3]
    if kind < MILD:
        return strength * numbers[1], strength * numbers[2] * 1.25, strength * numbers[3] * 1.9
    return strength * numbers[1] * 0.72, strength * numbers[2] * 1.2, strength * numbers[3] * 3.1


@helper
def vagueness(lod: Int, log_width: Int, columns: Int) -> Real:
    """How far windows blur together at a mip level (in 1/256): 0 while one is 4 texels wide, 1 from 1 texel on."""
    lost = D(lod - (log_width << 8) + log2_256(D(columns))) / 512.0 + 1.0
    return min(max(lost, 0.0), 1.0)
