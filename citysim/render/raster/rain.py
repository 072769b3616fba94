"""Rain in the air: drops at places of their own in the world, drawn as the streaks they leave on a film."""

import numpy as np

from citysim.render.raster.jit import helper, kernel
from citysim.render.raster.layout import I64, Array, D, Extras, Int, Real, Target, U
from citysim.render.raster.night import lamp_light, mixed
from citysim.render.raster.roofs import Roofs, exposed

REACH_M = 13.0  # drops farther away are part of the haze
COLUMN_M = 12.0  # a drop falls through a column of this height again and again
SPEED = 8.5  # metres a second
SHUTTER_S = 1.0 / 26.0
SLANT = 0.10  # metres sideways a metre of fall: wind
BYTE = U(255)


@helper
def blend(rgb: Array, at: Int, red: Real, green: Real, blue: Real, share: Real) -> None:
    """Move a pixel towards a colour (bytes)."""
    for c in range(3):
        place = U(3 * at + c)
        old = D(rgb[place])
        value = red if c == 0 else (green if c == 1 else blue)
        rgb[place] = np.uint8(old + (value - old) * share + 0.5)


@helper
def streak(
    rgb: Array, rect: Array, nearness: Array, ax: Real, ay: Real, bx: Real, by: Real, ahead: Real, wide: Real,
    red: Real, green: Real, blue: Real, share: Real,
) -> None:  # fmt: skip
    """A soft line from a to b, `wide` pixels, where nothing is nearer than `ahead` metres."""
    width = I64(rect[4])
    steps = max(abs(by - ay), abs(bx - ax), 1.0)
    count = I64(steps) + 1
    if count > 400:
        return
    half = max(0.5 * wide, 0.5)
    for k in range(count):
        t = (D(k) + 0.5) / D(count)
        x, y = ax + (bx - ax) * t, ay + (by - ay) * t
        row = I64(np.floor(y))
        if row < rect[2] or row >= rect[3]:
            continue
        fade = 1.0 - (2.0 * t - 1.0) * (2.0 * t - 1.0)
        for column in range(I64(np.floor(x - half)), I64(np.floor(x + half)) + 1):
            if column < rect[0] or column >= rect[1]:
                continue
            cover = min(D(column) + 1.0, x + half) - max(D(column), x - half)
            if cover > 0.0 and D(nearness[U(row * width + column)]) * ahead < 1.0:
                blend(rgb, row * width + column, red, green, blue, share * fade * min(cover, 1.0))


@kernel
def add_rain(
    cam: Array, rect: Array, light: Array, tone: Array, amount: Real, clock: Real, roofs: Roofs, extras: Extras,
    target: Target, rgb: Array,
) -> None:  # fmt: skip
    """Lay the streaks of all drops near the eye over `rect`; `clock` is simulated seconds, `extras` None by day."""
    ex, ey, ez = cam[9], cam[10], cam[11]
    drops = I64(2.0 + 6.0 * amount)
    first_x, first_y = I64(np.floor(ex - REACH_M)), I64(np.floor(ey - REACH_M))
    last_x, last_y = I64(np.floor(ex + REACH_M)), I64(np.floor(ey + REACH_M))
    fall = SPEED * SHUTTER_S
    red0 = 0.5 * (light[6] + light[15]) * 1.15
    green0 = 0.5 * (light[7] + light[16]) * 1.15
    blue0 = 0.5 * (light[8] + light[17]) * 1.2
    for i in range(first_x, last_x + 1):
        for j in range(first_y, last_y + 1):
            seed = mixed(i, j)
            for k in range(drops):
                h, g = mixed(seed, 2 * k), mixed(seed, 2 * k + 1)
                x = i + D(h & U(0xFFFF)) / 65536.0
                y = j + D(h >> U(16)) / 65536.0
                dx, dy = x - ex, y - ey
                flat = dx * dx + dy * dy
                if flat > REACH_M * REACH_M or flat < 0.8:
                    continue
                down = D(g) / 4294967296.0 * COLUMN_M - clock * (SPEED * (0.9 + 0.2 * D(g & BYTE) / 255.0)) - ez
                dz = down - np.floor(down / COLUMN_M) * COLUMN_M - 0.5 * COLUMN_M
                ahead = cam[6] * dx + cam[7] * dy + cam[8] * dz
                if ahead < 0.7:
                    continue
                sx = (cam[0] * dx + cam[1] * dy + cam[2] * dz) / ahead * cam[12] + cam[13]
                sy = (cam[3] * dx + cam[4] * dy + cam[5] * dz) / ahead * cam[12] + cam[14]
                if sx < rect[0] - 60.0 or sx > rect[1] + 60.0 or sy < rect[2] - 300.0 or sy > rect[3] + 300.0:
                    continue
                tx, ty, tz = dx - SLANT * fall, dy - 0.5 * SLANT * fall, dz + fall
                behind = cam[6] * tx + cam[7] * ty + cam[8] * tz
                if behind < 0.5:
                    continue
                if exposed(roofs, x, y, ez + dz) < 0.5:
                    continue
                ux = (cam[0] * tx + cam[1] * ty + cam[2] * tz) / behind * cam[12] + cam[13]
                uy = (cam[3] * tx + cam[4] * ty + cam[5] * tz) / behind * cam[12] + cam[14]
                wide = 0.0032 * cam[12] / ahead
                share = (0.40 if wide > 1.0 else 0.40 * (0.35 + 0.65 * wide)) * (1.0 - 0.6 * flat / (REACH_M * REACH_M))
                red, green, blue = red0, green0, blue0
                if extras is not None:
                    lr, lg, lb = lamp_light(extras, x, y, ez + dz, 0.0, 0.0, 1.0)
                    red, green, blue = red + 0.55 * lr, green + 0.55 * lg, blue + 0.55 * lb
                streak(
                    rgb, rect, target.nearness, sx, sy, ux, uy, ahead, wide,
                    D(tone[U(min(red, 3.9) * 4096.0)]), D(tone[U(min(green, 3.9) * 4096.0)]),
                    D(tone[U(min(blue, 3.9) * 4096.0)]), share,
                )  # fmt: skip


@kernel
def add_flash(rect: Array, strength: Real, target: Target, rgb: Array) -> None:
    """Light up `rect` by lightning: the sky most."""
    for y in range(rect[2], rect[3]):
        for x in range(rect[0], rect[1]):
            at = y * rect[4] + x
            share = strength * (0.62 if target.record[U(at)] < 0 else 0.28)
            blend(rgb, at, 236.0, 240.0, 255.0, share)


def flash_at(clock_s: float) -> float:
    """How far lightning lights the sky at a time of a thunderstorm, 0 to 1: now and then, for a third of a second."""
    span = 6.0
    number = int(clock_s // span)
    chance = _hash(number)
    if chance % 100 >= 30:
        return 0.0
    since = clock_s - number * span - (span - 0.5) * ((chance >> 8) % 1024) / 1024.0
    if not 0.0 <= since < 0.36:
        return 0.0
    first, second = max(0.0, 1.0 - since / 0.12), max(0.0, 1.0 - abs(since - 0.2) / 0.14)
    return max(first, 0.8 * second)


def _hash(number: int) -> int:
    h = (number * 0x9E3779B1 + 0x7F4A7C15) & 0xFFFFFFFF
    for multiplier, shift in ((0x85EBCA6B, 16), (0xC2B2AE35, 13)):
        h = ((h ^ (h >> shift)) * multiplier) & 0xFFFFFFFF
    return h ^ (h >> 16)
