"""What shines at night: street lamps on what they light, rooms behind windows, signs.

`shade` takes it as rows of float32 beside a line of the picture (see MORE_ in layout), which `fill_night` fills.
"""

import numpy as np

from citysim.render.raster.jit import helper
from citysim.render.raster.layout import (
    GLOW_OWN,
    GLOW_ROOMS,
    I64,
    LAMPS_A_CELL,
    Array,
    D,
    Extras,
    F,
    Geometry,
    Int,
    Looks,
    Real,
    Scratch,
    Target,
    U,
)
from citysim.render.raster.sample import log2_256

BYTE = U(255)
LOW32 = U(0xFFFFFFFF)
WARM, MILD = U(154), U(218)  # of 256 lit rooms: up to here warm, up to there mild, the others cool
MEAN_RED, MEAN_GREEN, MEAN_BLUE = 0.69, 0.78, 1.11  # mean of all rooms over the warm colour


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
    strength = extras.numbers[5]
    return r * strength, g * strength, b * strength


@helper
def room_light(numbers: Array, seed: Int, column: Int, line: Int) -> Real:
    """Light of one window: r, g, b linear when lit, and 1.0 if it is lit, else 0.0."""
    h = mixed(seed, column * 8191 + line)
    state = 1.0 if D(h & U(0xFFFF)) < numbers[0] * 65536.0 else 0.0
    kind = (h >> U(16)) & BYTE
    strength = 0.45 + 0.55 * D(h >> U(24)) / 255.0
    r, g, b = numbers[1] * strength, numbers[2] * strength, numbers[3] * strength
    if kind >= WARM:
        g, b = g * 1.25, b * 1.9
    if kind >= MILD:
        r, g, b = r * 0.75, g * 0.96, b * 1.6
    return r, g, b, state


@helper
def vagueness(area: Real, log_width: Int, log_height: Int, columns: Int) -> Real:
    """How far windows blur together where a pixel covers `area` of uv: 0 while one is 4 texels wide, 1 from 1 on."""
    texels = area * D(1 << (log_width + log_height))
    level = log2_256(texels if texels > 1e-6 else 1e-6) >> 1
    lost = D(level - (log_width << 8) + log2_256(D(columns))) / 512.0 + 1.0
    return min(max(lost, 0.0), 1.0)


@helper
def fill_night(
    cam: Array, y: Int, ray_y: Real, x0: Int, x1: Int, width: Int, target: Target, scratch: Scratch,
    geometry: Geometry, looks: Looks, extras: Extras, more: Array,
) -> None:  # fmt: skip
    """Fill rows MORE_LIGHT and MORE_GLOW of more (8, W) for the pixels [x0, x1) of line y that show something."""
    record, nearness, numbers = target.record, target.nearness, extras.numbers
    ortho = cam[18] != 0.0
    centre, step = cam[13] - 0.5, 1.0 / cam[12]
    at = y * width
    x = x0
    while x < x1:
        index = record[U(at + x)]
        last = x + 1
        while last < x1 and record[U(at + last)] == index:
            last += 1
        if index < 0:
            x = last
            continue
        row, triangle = scratch.records[U(index)], U(scratch.record_triangle[U(index)])
        material = U(geometry.materials[triangle])
        nx, ny, nz = row[U(9)], row[U(10)], row[U(11)]
        mr, mg, mb = albedo_factor(looks, material, row, geometry.flags[triangle] & 8 != 0)
        glow = looks.glow[material, U(0)]
        # Lamp light is smooth: it is taken at both ends of pieces of up to 8 pixels.
        first = x
        while first < last:
            end = min(last - 1, first | 7)
            px, py, pz = place_at(cam, (first - centre) * step, ray_y, D(nearness[U(at + first)]))
            ar, ag, ab = lamp_light(extras, px, py, pz, nx, ny, nz)
            br, bg, bb = 0.0, 0.0, 0.0
            if end > first:
                px, py, pz = place_at(cam, (end - centre) * step, ray_y, D(nearness[U(at + end)]))
                br, bg, bb = lamp_light(extras, px, py, pz, nx, ny, nz)
                k = 1.0 / (end - first)
                br, bg, bb = (br - ar) * k, (bg - ag) * k, (bb - ab) * k
            for i in range(first, end + 1):
                k = D(i - first)
                more[U(0), U(i)] = F(ar + br * k) * mr
                more[U(1), U(i)] = F(ag + bg * k) * mg
                more[U(2), U(i)] = F(ab + bb * k) * mb
            first = end + 1
        if glow == GLOW_ROOMS:
            columns, lines = I64(looks.glow[material, U(1)]), I64(looks.glow[material, U(2)])
            texture = U(looks.texture[material])
            log_w, log_h = I64(looks.shape[texture, U(0)]), I64(looks.shape[texture, U(1)])
            seed = room_seed(geometry.labels[triangle], row)
            u_row, v_row = row[U(1)] * y + row[U(2)], row[U(4)] * y + row[U(5)]
            known, er, eg, eb, state = I64(-1), 0.0, 0.0, 0.0, 0.0
            for i in range(x, last):
                depth = 1.0 if ortho else 1.0 / D(nearness[U(at + i)])
                u, v = (row[U(0)] * i + u_row) * depth + row[U(22)], (row[U(3)] * i + v_row) * depth + row[U(23)]
                column, line = I64(np.floor(u * columns)), I64(np.floor(v * lines))
                if i == x or column * 8191 + line != known:
                    er, eg, eb, state = room_light(numbers, seed, column, line)
                    known = column * 8191 + line
                r, g, b, on = er, eg, eb, state
                vague = vagueness(row[U(8)] * depth * depth * depth, log_w, log_h, columns)
                if vague > 0.0:
                    on += (numbers[0] - on) * vague
                    r += (numbers[1] * MEAN_RED - r) * vague
                    g += (numbers[2] * MEAN_GREEN - g) * vague
                    b += (numbers[3] * MEAN_BLUE - b) * vague
                more[U(3), U(i)], more[U(4), U(i)], more[U(5), U(i)] = F(r), F(g), F(b)
                more[U(6), U(i)] = F(on)
        else:
            gain = numbers[4] if glow == GLOW_OWN else 0.0
            er, eg, eb = looks.emissive[material, U(0)], looks.emissive[material, U(1)], looks.emissive[material, U(2)]
            er, eg, eb = F(er * gain), F(eg * gain), F(eb * gain)
            for i in range(x, last):
                more[U(3), U(i)], more[U(4), U(i)], more[U(5), U(i)], more[U(6), U(i)] = er, eg, eb, F(-1.0)
        x = last
