"""Blank walls and roofs: square tileable textures."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from citysim.build.buildings.paint.canvas import Canvas, rgb
from citysim.build.buildings.paint.noise import Image, fbm, grain, lattice

SIDE = 256  # pixels; walls cover 4 m, so 64 pixels a metre


def _toned(color: str, seed: int, low: float, high: float, speck: float, side: int = SIDE) -> Canvas:
    canvas = Canvas(side, side, rgb(color))
    canvas.pixels *= (low + (high - low) * fbm(side, side, seed))[:, :, None]
    canvas.pixels += (grain(side, side, seed + 7) * np.float32(speck))[:, :, None]
    return canvas


def plaster() -> Canvas:
    """Smooth lime plaster with soft clouds."""
    return _toned("#e6e2da", 11, 0.93, 1.06, 3.0)


def concrete() -> Canvas:
    """Smooth concrete or render with stains."""
    canvas = _toned("#dedbd2", 23, 0.90, 1.08, 4.0)
    stain = fbm(SIDE, SIDE, 31, (128, 64))
    canvas.pixels *= (1.0 - 0.10 * np.clip(stain - 0.55, 0.0, 1.0) / 0.45)[:, :, None]
    return canvas


def stone() -> Canvas:
    """Dressed granite: courses of 0.5 m, blocks of 1 m, fine crystals."""
    canvas = _toned("#dcd5c9", 37, 0.90, 1.08, 9.0)
    for row in range(8):
        shift = 32 if row % 2 else 0
        for column in range(4):
            tone = 0.94 + 0.12 * float(lattice(8, 4, 41)[row, column])
            canvas.shade(column * 64 + shift, row * 32, column * 64 + 64 + shift, row * 32 + 32, tone)
    for row in range(8):
        y, shift = row * 32, 32 if row % 2 else 0
        canvas.rect(0, y, SIDE, y + 1.4, rgb("#a59e92"), 0.8)
        canvas.shade(0, y + 1.4, SIDE, y + 3, 1.05)
        for column in range(4):
            x = column * 64 + shift
            canvas.rect(x, y, x + 1.4, y + 32, rgb("#a59e92"), 0.8)
    return canvas


def brick() -> Canvas:
    """Running bond, 0.25 m bricks (16 x 5.12 pixels), light mortar."""
    tones = ("#9b5642", "#8d4b39", "#a5614b", "#94543f")
    canvas = _bond("#b9ada0", tones, (53, 59), 0.9, 0.45)
    canvas.pixels *= (0.92 + 0.16 * fbm(SIDE, SIDE, 61))[:, :, None]
    canvas.pixels += (grain(SIDE, SIDE, 67) * np.float32(4))[:, :, None]
    return canvas


def _bond(mortar: str, tones: Sequence[str], seeds: tuple[int, int], dark: float, joint: float) -> Canvas:
    """Bricks of four tones in running bond; `dark` is the darkest a brick's tone gets, joints are `joint` pixels."""
    canvas = Canvas(SIDE, SIDE, rgb(mortar))
    pick, value = lattice(50, 16, seeds[0]), lattice(50, 16, seeds[1])
    height, span = SIDE / 50, 2.0 * (1.0 - dark)
    for row in range(50):
        for column in range(16):
            base = rgb(tones[int(float(pick[row, column]) * 4)])
            v = dark + span * float(value[row, column])
            x, y = column * 16 + (8 if row % 2 else 0), row * height
            canvas.rect(x + 0.5, y + joint, x + 15.5, y + height - joint, (base[0] * v, base[1] * v, base[2] * v))
    return canvas


def mosaic() -> Canvas:
    """Small ceramic tiles, 5 cm, with stains: the towers of warm seaports."""
    canvas = _toned("#d3d0c6", 131, 0.94, 1.06, 2.0)
    canvas.pixels *= (0.95 + 0.1 * np.kron(lattice(64, 64, 137), np.ones((4, 4), dtype=np.float32)))[:, :, None]
    canvas.pixels[::4] *= 0.9
    canvas.pixels[:, ::4] *= 0.9
    stain = fbm(SIDE, SIDE, 139, (128, 32))
    canvas.pixels *= (1.0 - 0.16 * np.clip(stain - 0.5, 0.0, 1.0) / 0.5)[:, :, None]
    return canvas


def panel() -> Canvas:
    """Precast panels with exposed pebbles: joints every 2 m across and 1.4 m up are left to the strips."""
    canvas = _toned("#d8d6cf", 149, 0.95, 1.05, 7.0)
    for x in (60, 188):
        canvas.shade(x, 0, x + 2, SIDE, 0.72)
        canvas.shade(x + 2, 0, x + 3, SIDE, 1.05)
    return canvas


def brick_pale() -> Canvas:
    """Yellow clinker in stretcher bond, raked joints."""
    canvas = _bond("#8f8272", ("#bfa077", "#b0926a", "#c6aa84", "#b4986f"), (151, 157), 0.92, 0.5)
    canvas.pixels *= (0.94 + 0.12 * fbm(SIDE, SIDE, 163))[:, :, None]
    return canvas


def metal() -> Canvas:
    """Profiled sheet: upright ribs every 0.25 m."""
    canvas = _toned("#d5d9da", 71, 0.96, 1.04, 2.0)
    for k in range(16):
        x = k * 16
        canvas.shade(x, 0, x + 3, SIDE, 1.06)
        canvas.shade(x + 3, 0, x + 6, SIDE, 0.86)
        canvas.shade(x + 12, 0, x + 16, SIDE, 0.95)
    return canvas


def seam() -> Canvas:
    """Standing seam sheet: seams every 0.5 m down the slope, cross joints staggered."""
    canvas = _toned("#b4b6b4", 83, 0.90, 1.08, 3.0)
    streak = fbm(SIDE, SIDE, 89, (64, 16))
    canvas.pixels *= (0.95 + 0.1 * streak)[:, :, None]
    for k in range(8):
        x = k * 32
        canvas.shade(x, 0, x + 2, SIDE, 1.18)
        canvas.shade(x + 2, 0, x + 5, SIDE, 0.7)
        y = 128 if k % 2 else 20
        canvas.shade(x + 5, y, x + 32, y + 1.6, 0.8)
    return canvas


def tile() -> Canvas:
    """Clay tiles, courses of 0.33 m, 0.25 m wide; each course shades the next."""
    canvas = Canvas(SIDE, SIDE, rgb("#a5583f"))
    value = lattice(12, 16, 97)
    height = SIDE / 12
    x = np.arange(16, dtype=np.float32)
    round_top: Image = (0.82 + 0.28 * (1.0 - ((x - 7.5) / 8.0) ** 2)).astype(np.float32)
    for row in range(12):
        for column in range(16):
            left, top = column * 16 + (8 if row % 2 else 0), int(row * height)
            rows = int((row + 1) * height) - top
            ramp = np.linspace(0.80, 1.08, rows, dtype=np.float32)[:, None]
            canvas.multiply(left, top, ramp * round_top[None, :] * (0.85 + 0.3 * float(value[row, column])))
        canvas.shade(0, int(row * height), SIDE, int(row * height) + 2, 0.6)
    canvas.pixels *= (0.88 + 0.22 * fbm(SIDE, SIDE, 103))[:, :, None]
    return canvas


def bitumen() -> Canvas:
    """Roofing felt with gravel: lapped sheets of 1 m, 8 m a picture."""
    canvas = _toned("#8b8a87", 107, 0.82, 1.14, 12.0)
    for k in range(8):
        canvas.shade(0, k * 32, SIDE, k * 32 + 1.2, 0.82)
    patches = np.clip(fbm(SIDE, SIDE, 113, (64, 32)) - 0.6, 0.0, 1.0)
    canvas.pixels *= (1.0 - 0.25 * patches)[:, :, None]
    return canvas


def sheet() -> Canvas:
    """Folded sheet metal for copings and fittings."""
    canvas = _toned("#d9d9d5", 127, 0.96, 1.04, 2.0, 64)
    canvas.shade(0, 0, 64, 1, 0.85)
    return canvas


MAKERS = {
    "plain/plaster": plaster, "plain/concrete": concrete, "plain/stone": stone, "plain/brick": brick,
    "plain/metal": metal, "plain/mosaic": mosaic, "plain/panel": panel, "plain/brick_pale": brick_pale,
    "roof/seam": seam, "roof/tile": tile, "roof/bitumen": bitumen, "trim/sheet": sheet,
}  # fmt: skip
METRES = {"roof/bitumen": 8.0}


def paint(key: str) -> NDArray[np.uint8]:
    """(H, W, 3) uint8 of one surface."""
    return MAKERS[key]().finished()
