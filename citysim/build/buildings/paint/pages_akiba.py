"""Facade pages of the preset `akiba`."""

from collections.abc import Callable
from functools import partial

from citysim.build.buildings.paint.page import Page
from citysim.build.buildings.paint.strokes import Bay, bays, curtain, plain_end, start
from citysim.build.buildings.paint.windows import Window

FILMS = ("#d8b23a", "#c9483f", "#3f78a8", "#5a9a6a", "#d68a3a", "#8a5a94", "#d9d6cc", "#c96f8a")
ALU = partial(Window, frame="#9aa0a2", bar=0.05)


def _film(bay: Bay, x0: float, z0: float, x1: float, z1: float) -> None:
    """A pane covered from inside: a field of colour with a figure of blocks, no letters."""
    color = bay.chance.choice(FILMS, f"film/{x0}")
    bay.fill(x0, z0, x1, z1, color, 0.8)
    w, h = x1 - x0, z1 - z0
    other = bay.chance.choice(FILMS, f"figure/{x0}")
    bay.fill(x0 + 0.12 * w, z0 + 0.1 * h, x0 + 0.5 * w, z0 + 0.7 * h, other, 0.75)
    bay.fill(x0 + 0.56 * w, z0 + 0.55 * h, x0 + 0.92 * w, z0 + 0.66 * h, "#efeadc", 0.75)
    bay.fill(x0 + 0.56 * w, z0 + 0.35 * h, x0 + 0.82 * w, z0 + 0.44 * h, "#efeadc", 0.6)
    bay.page.canvas.shine(*bay.box(x0, z0, x1, z1), 120)


def pencil() -> Page:
    """Narrow shop buildings: strip windows half covered with films, tiles, units and louvres."""
    page = start("akiba_pencil", "mosaic", 5)
    for bay in bays(page, "a"):
        bay.window(0.5 * bay.width, 0.85, ALU(2.8, 1.6, mullions=(0.33, 0.67)))
        if bay.chance.unit("film") < 0.6:
            side = bay.chance.integer(0, 3, "side")
            _film(bay, 0.26 + 0.92 * side, 0.92, 1.1 + 0.92 * side, 2.38)
    for bay in bays(page, "b"):
        bay.fill(0.0, 0.6, bay.width, 2.55, "#6f7679", 0.85)
        bay.window(0.5 * bay.width, 0.75, ALU(bay.width - 0.08, 1.7, mullions=(0.25, 0.5, 0.75), sill=False))
        if bay.chance.unit("film") < 0.4:
            _film(bay, 0.1, 0.82, bay.width - 0.1, 1.5)
    for bay in bays(page, "c"):
        bay.window(1.0, 0.95, ALU(1.3, 1.35, mullions=(0.5,)))
        bay.louvre(2.1, 1.0, 2.8, 2.2)
        bay.unit(2.05, 0.3)
    for bay in bays(page, "d"):
        bay.window(0.5 * bay.width, 1.0, ALU(1.6, 1.2, mullions=(0.5,)))
    for strip in "abcd":
        page.line(strip, 0.08, 0.08, 0.82)
    plain_end(page, Window(0.7, 0.9, frame="#9aa0a2", mullions=()), 1.2, 3, 1)
    return page


def avenue() -> Page:
    """Broad fronts of glass hung with coloured panels."""
    page = start("akiba_avenue", "metal", 8)
    curtain(page, "a", sill=0.5, frame="#8a9094", spandrel=("#9aa1a3", "#868d90"))
    for bay in bays(page, "a"):
        if bay.chance.unit("film") < 0.45:
            _film(bay, 0.08, 0.55, bay.width - 0.1, 2.9)
    curtain(page, "b", sill=1.0, frame="#a3a8aa", spandrel=("#c4c8c8", "#aeb3b4"))
    for bay in bays(page, "c"):
        bay.fill(
            0.02,
            0.05,
            bay.width - 0.02,
            bay.height - 0.05,
            bay.chance.choice(("#c9cdd0", "#b3b9bd", "#d5d3cb"), "p"),
            0.9,
        )
        if bay.index % 4 == 1:
            bay.louvre(0.15, 0.5, bay.width - 0.15, 2.6)
    curtain(page, "d", sill=0.2, frame="#6f7679")
    plain_end(page, None, pipes=2)
    return page


def tower() -> Page:
    """Office towers of pale metal and grey glass."""
    page = start("akiba_tower", "metal", 10)
    for strip in "ab":
        curtain(page, strip, sill=0.9, frame="#b5babc", spandrel=("#b9bfc2", "#a3aaad"))
    for strip in "cd":
        curtain(page, strip, sill=0.4, frame="#8f9699", spandrel=("#6f7a80", "#5d676c"))
    for bay in bays(page, "end"):
        if bay.index % 2:
            bay.louvre(0.2, 0.5, bay.width - 0.2, 2.7, "#9aa0a2")
    return page


def station() -> Page:
    """A railway building: panels, ribbons, louvres."""
    page = start("akiba_station", "concrete", 4)
    for bay in bays(page, "a"):
        bay.fill(0.03, 0.03, bay.width - 0.03, 0.95, "#b7b9b6", 0.9)
        bay.window(
            0.5 * bay.width,
            1.0,
            Window(bay.width - 0.1, 1.5, mullions=(0.25, 0.5, 0.75), frame="#7d8588", sill=False, glow=158.0),
        )
        bay.fill(0.0, 2.55, bay.width, 2.8, "#3f7a5a", 0.85)
    for bay in bays(page, "b"):
        for k in range(2):
            bay.fill(0.05 + 2.0 * k, 0.05, 1.95 + 2.0 * k, bay.height - 0.05, "#c4c5c0", 0.7)
            bay.shade(1.95 + 2.0 * k, 0.0, 2.0 + 2.0 * k, bay.height, 0.7)
        bay.louvre(1.2, 1.2, 2.8, 2.2)
    plain_end(page, None, pipes=2)
    return page


AKIBA_PAGES: dict[str, Callable[[], Page]] = {
    "facade/akiba_pencil": pencil, "facade/akiba_avenue": avenue, "facade/akiba_tower": tower,
    "facade/akiba_station": station,
}  # fmt: skip
