"""Pictures of what lies beyond: walls with windows, fronts of ground floors, rows of trees. All repeat sideways."""

import numpy as np
from numpy.typing import NDArray

from citysim.build.buildings.paint.canvas import Canvas, rgb
from citysim.build.buildings.paint.surfaces import paint
from citysim.build.buildings.paint.windows import Window, draw
from citysim.build.chance import Chance
from citysim.build.draft import CityDraft, MaterialSpec, Texture
from citysim.build.textures.noise import lattice, pixels, value_noise
from citysim.build.textures.noise import rgb as color_of

M = 64.0  # pixels a metre while walls are painted; they are kept at half of it
BAY = 3.2  # metres: width of a bay, height of a storey
COUNT = 5  # bays and storeys in one picture
FRONT = 4.0  # metres: height of a ground floor
BOARDS = ("#6c4a3f", "#3f5a6c", "#5a6a4a", "#8a3b34", "#4a4a52")
TREES = (32.0, 8.0)  # metres of a row of trees
WALLS, STRIPS, FRONTS, TREELINE = "beyond/walls", "beyond/strips", "beyond/fronts", "beyond/trees"


def register(draft: CityDraft, name: str) -> str:
    """Make one of these materials known to the draft; returns its name."""
    if name not in draft.materials:
        draft.painted(name, make, name)
        cut = 0.5 if name == TREELINE else 0.0
        draft.material(name, MaterialSpec(texture=name, alpha_cutoff=cut, double_sided=name == TREELINE))
    return name


def make(name: str) -> Texture:
    """Paint one of these pictures."""
    if name == TREELINE:
        return Texture(_trees(), TREES)
    if name == FRONTS:
        canvas = _fronts()
        return Texture(_half(canvas.finished()), (COUNT * BAY, FRONT), canvas.glow[::2, ::2])
    canvas = _windows(name == STRIPS)
    side = COUNT * BAY
    return Texture(_half(canvas.finished()), (side, side), canvas.glow[::2, ::2], (COUNT, COUNT))


def _wall(height: int, width: int) -> Canvas:
    tile = paint("plain/plaster").astype(np.float32)
    canvas = Canvas(height, width)
    canvas.pixels[:] = np.tile(tile, (1 + height // len(tile), 1 + width // len(tile), 1))[:height, :width]
    mean = canvas.pixels.mean()
    canvas.pixels[:] = np.clip(canvas.pixels.mean(axis=2, keepdims=True) * (214.0 / mean), 0.0, 255.0)
    return canvas


def _windows(strips: bool) -> Canvas:
    """Five storeys of five bays; walls are pale grey, to be tinted."""
    side = round(COUNT * BAY * M)
    canvas, chance = _wall(side, side), Chance(0, f"paint/beyond/{strips}")
    bay = BAY * M
    for row in range(COUNT):
        canvas.shade(0.0, (row + 1) * bay - 9.0, side, (row + 1) * bay - 4.0, 0.86)
        for column in range(COUNT):
            here = chance.child(f"{row}/{column}")
            if strips:
                window = Window(BAY - 0.06, 1.75, frame="#8f9698", mullions=(0.33, 0.67), bar=0.06, sill=False)
                draw(canvas, column * bay + 0.03 * M, row * bay + 0.55 * M, window, here)
            else:
                width = 1.2 if column % 2 else 1.7
                window = Window(width, 1.6, frame="#d9d6cd", mullions=(0.5,))
                draw(canvas, (column + 0.5) * bay - width * M / 2, row * bay + 0.6 * M, window, here)
    return canvas


def _fronts() -> Canvas:
    """A ground floor of five bays: shutters, shop windows, doors."""
    canvas, chance = _wall(round(FRONT * M), round(COUNT * BAY * M)), Chance(0, "paint/beyond/fronts")
    bay, height = BAY * M, FRONT * M
    for column in range(COUNT):
        here = chance.child(column)
        x0, x1 = column * bay + 12.0, (column + 1) * bay - 12.0
        top, foot = 0.95 * M, height - 0.12 * M
        canvas.rect(
            x0, 0.3 * M, x1, 0.85 * M, rgb(here.choice(("#6c4a3f", "#3f5a6c", "#5a6a4a", "#8a3b34", "#4a4a52")))
        )
        if column in (1, 4):
            canvas.rect(x0, top, x1, foot, rgb("#85898b"))
            for k in range(int((foot - top) / 9.0)):
                canvas.shade(x0, top + 9.0 * k, x1, top + 9.0 * k + 3.0, 0.8)
        else:
            canvas.rect(x0, top, x1, foot, rgb("#3a4248"))
            canvas.gradient(x0 + 5, top + 5, x1 - 5, foot - 30, rgb("#8fa0aa"), rgb("#4b555b"))
            canvas.shine(x0 + 5, top + 5, x1 - 5, foot - 30, 150)
    canvas.shade(0.0, height - 10.0, canvas.width, height, 0.6)
    return canvas


def _half(full: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """A picture at half its size, each texel the mean of four."""
    height, width, channels = full.shape
    four = full.astype(np.uint16).reshape(height // 2, 2, width // 2, 2, channels).sum(axis=(1, 3))
    return ((four + 2) // 4).astype(np.uint8)


def _trees(width: int = 1024, height: int = 256) -> NDArray[np.uint8]:
    """(height, width, 4): crowns side by side, darker below, with ragged outlines; trunks under the gaps."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float64)
    rough = value_noise("beyond/rough", height, width, 40, 160) + 0.6 * value_noise(
        "beyond/fine", height, width, 90, 360
    )
    tone, alpha = np.zeros((height, width)), np.zeros((height, width))
    draws = lattice("beyond/crowns", 11, 4)
    for k, (a, b, c, d) in enumerate(draws.tolist()):
        middle, radius = (k + 0.6 * a) * width / len(draws), 66.0 + 44.0 * b
        top = 8.0 + 90.0 * c
        across = np.abs(x - middle)
        across = np.minimum(across, width - across) / radius
        up = (y - (top + 0.55 * (height - top))) / (0.62 * (height - top))
        inside = across * across + up * up < 0.72 + 0.3 * rough
        shade = (0.78 + 0.34 * d) * (1.12 - 0.55 * (y - top) / (height - top)) * (1.0 - 0.25 * across)
        tone = np.where(inside, shade, tone)
        alpha = np.where(inside, 1.0, alpha)
    low = y > 0.72 * height  # bushes close the foot
    tone, alpha = np.where(low & (alpha < 0.5), 0.5, tone), np.where(low, 1.0, alpha)
    leaf = 0.7 + 0.45 * rough
    return pixels(color_of("#5d7c40") * (tone * leaf)[..., None], alpha)
