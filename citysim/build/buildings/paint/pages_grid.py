"""Facade pages of the preset `grid`."""

from collections.abc import Callable
from functools import partial

from citysim.build.buildings.paint.canvas import rgb
from citysim.build.buildings.paint.page import Page
from citysim.build.buildings.paint.strokes import Bay, bays, curtain, plain_end, start
from citysim.build.buildings.paint.windows import Window

SASH = partial(Window, mullions=(), transoms=(0.5,), bar=0.06)
PALE = "#c9c1ae"


def _lintels(bay: Bay, middle: float, wide: float, sill: float, head: float) -> None:
    """Stone above and below a window."""
    bay.fill(middle - 0.5 * wide - 0.1, head, middle + 0.5 * wide + 0.1, head + 0.24, PALE)
    bay.shade(middle - 0.5 * wide - 0.1, head, middle + 0.5 * wide + 0.1, head + 0.03, 0.75)
    bay.fill(middle - 0.5 * wide - 0.08, sill - 0.12, middle + 0.5 * wide + 0.08, sill, PALE)


def brick() -> Page:
    """Walk-ups and lofts: pairs of sashes under stone, factory lights, segment arches."""
    page = start("grid_brick", "brick", 4)
    for bay in bays(page, "a"):
        for middle in (1.05, 2.95):
            _lintels(bay, middle, 1.05, 0.75, 2.5)
            bay.window(middle, 0.75, SASH(1.05, 1.75, frame="#2f3430", sill=False))
        if bay.chance.unit("unit") < 0.25:
            bay.unit(0.65, 0.78)
    for bay in bays(page, "b"):
        bay.window(
            2.0,
            0.7,
            Window(
                3.0,
                1.95,
                frame="#3a4540",
                mullions=tuple(k / 6 for k in range(1, 6)),
                transoms=(0.25, 0.5, 0.75),
                bar=0.035,
            ),
        )
        bay.fill(0.4, 2.66, 3.6, 2.86, "#8f8a80")
    for bay in bays(page, "c"):
        for middle in (1.05, 2.95):
            bay.window(middle, 0.72, SASH(1.1, 1.9, frame="#d9d4c6", arch=0.28, surround=0.12, surround_tone=0.82))
    for bay in bays(page, "d"):
        for middle in (0.8, 2.0, 3.2):
            bay.window(middle, 0.8, SASH(0.8, 1.6, frame="#d9d4c6"))
    page.line("c", 0.2, 0.2, 1.12)
    page.line("c", 0.0, 0.05, 0.8)
    for bay in bays(page, "end"):
        if bay.index % 2 == 0:
            bay.window(2.0, 1.0, SASH(0.9, 1.4, frame="#55524c"))
        bay.shade(0.0, 0.0, bay.width, bay.height, 0.94 + 0.04 * (bay.index % 3))
    return page


def limestone() -> Page:
    """Offices of the twenties: paired windows between piers, carved spandrels."""
    page = start("grid_limestone", "stone", 4)
    for strip in "ab":
        for bay in bays(page, strip):
            bay.shade(0.0, 0.0, 0.3, bay.height, 1.08)
            bay.shade(0.3, 0.0, 0.36, bay.height, 0.72)
            bay.shade(bay.width - 0.06, 0.0, bay.width, bay.height, 0.72)
            for middle in (1.28, 2.8):
                bay.window(middle, 0.75, SASH(1.15, 1.95, frame="#3f463f", sill=False))
            bay.shade(0.5, 0.12, bay.width - 0.3, 0.62, 0.82)
            for k in range(7):
                x = 0.62 + 0.42 * k
                bay.shade(x, 0.2, x + 0.24, 0.54, 1.24 if strip == "a" else 1.1)
    page.course("b", 0.1, 0.08)
    curtain(page, "c", sill=0.7, panes=2)
    for bay in bays(page, "d"):
        bay.window(
            2.0, 0.6, Window(2.0, 2.2, frame="#3f463f", arch=0.8, surround=0.22, mullions=(0.33, 0.67), transoms=(0.4,))
        )
    plain_end(page, SASH(0.9, 1.5, frame="#3f463f"), 0.9, 1)
    return page


def glass() -> Page:
    """Towers of glass: smooth, banded and finned."""
    page = start("grid_glass", "metal", 10)
    for strip in "ab":
        curtain(page, strip, sill=0.35, frame="#5d676b", spandrel=("#55666f", "#47565e"))
    for strip in "cd":
        curtain(page, strip, sill=0.95, frame="#7d868a", spandrel=("#3f4a50", "#343d42"))
    for bay in bays(page, "end"):
        if bay.index % 2:
            bay.louvre(0.2, 0.5, bay.width - 0.2, 2.7, "#868d90")
    return page


def house_row() -> Page:
    """Row houses: tall sashes with stone heads, one above the other."""
    page = start("grid_row", "brick", 6)
    for bay in bays(page, "a"):
        _lintels(bay, 0.5 * bay.width, 1.0, 0.6, 2.5)
        bay.window(0.5 * bay.width, 0.6, SASH(1.0, 1.9, frame="#2f3430", sill=False))
    for bay in bays(page, "b"):
        bay.window(0.5 * bay.width, 0.7, SASH(1.0, 1.75, frame="#e0dccf", arch=0.3, surround=0.13, surround_tone=0.8))
    for strip in "cd":
        for bay in bays(page, strip):
            bay.window(0.5 * bay.width, 0.8, SASH(0.95, 1.5, frame="#e0dccf"))
    plain_end(page, SASH(0.8, 1.2, frame="#e0dccf"), 1.0, 1)
    return page


def garage() -> Page:
    """Open decks of a car park: parapets, dark openings with bonnets and lamps."""
    page = start("grid_garage", "concrete", 3)
    for strip in "ab":
        for bay in bays(page, strip):
            x0, y0, x1, y1 = bay.box(0.0, 1.05, bay.width, 2.75)
            page.canvas.gradient(x0, y0, x1, y1, rgb("#3a3c3d"), rgb("#232526"))
            for k in range(3):
                if bay.chance.unit(f"car/{k}") < 0.7:
                    at = 0.35 + 1.65 * k
                    color = bay.chance.choice(("#8a2f2c", "#b9bcbc", "#33465a", "#6f7274", "#d2d0c8"), f"c/{k}")
                    bay.fill(at, 1.05, at + 1.35, 1.4, color, 0.8)
                    bay.fill(at + 0.2, 1.4, at + 1.15, 1.72, "#55626a", 0.8)
            for k in range(2):
                bay.fill(0.9 + 2.6 * k, 2.6, 1.9 + 2.6 * k, 2.66, "#f2ead0")
                page.canvas.shine(*bay.box(0.7 + 2.6 * k, 2.4, 2.1 + 2.6 * k, 2.72), 230)
            bay.shade(0.0, 0.95, bay.width, 1.05, 1.12)
            bay.shade(0.0, 2.75, bay.width, 2.82, 0.7)
            bay.fill(0.0, 0.0, 0.35, bay.height, "#c9c6bd")
            bay.shade(0.35, 1.05, 0.5, 2.75, 0.6)
    plain_end(page, None, pipes=1)
    return page


GRID_PAGES: dict[str, Callable[[], Page]] = {
    "facade/grid_brick": brick, "facade/grid_limestone": limestone, "facade/grid_glass": glass,
    "facade/grid_row": house_row, "facade/grid_garage": garage,
}  # fmt: skip
