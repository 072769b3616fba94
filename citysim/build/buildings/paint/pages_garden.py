"""Facade pages of the preset `garden`."""

from collections.abc import Callable
from functools import partial

from citysim.build.buildings.paint.page import Page
from citysim.build.buildings.paint.strokes import bays, plain_end, start
from citysim.build.buildings.paint.windows import Window

PANELS = ("#7f9db5", "#b5705c", "#cdb26a", "#8fa58a")
WOOD = partial(Window, frame="#e4e4de", bar=0.06)


def slab() -> Page:
    """Panel slabs: ribbons with a coloured field, balcony doors, stair windows."""
    page = start("garden_slab", "panel", 3)
    for bay in bays(page, "a"):
        bay.window(2.0, 0.9, WOOD(3.4, 1.5, mullions=(0.3, 0.55, 0.8)))
        bay.fill(3.75, 0.9, 4.95, 2.4, PANELS[0])
        bay.window(4.35, 1.3, WOOD(0.9, 1.0, mullions=(), sill=False))
    for bay in bays(page, "b"):
        bay.window(1.5, 0.9, WOOD(2.2, 1.5, mullions=(0.5,)))
        bay.window(3.3, 0.12, WOOD(0.9, 2.25, mullions=(), transoms=(0.3,), sill=False))
        bay.window(4.3, 0.9, WOOD(0.95, 1.5, mullions=()))
        bay.fill(0.3, 0.25, 2.7, 0.85, PANELS[1], 0.8)
    for bay in bays(page, "c"):
        bay.window(1.4, 0.85, WOOD(1.9, 1.5, mullions=(0.5,)))
        bay.window(3.9, 0.85, WOOD(1.9, 1.5, mullions=(0.5,)))
        bay.fill(2.4, 0.4, 2.9, 2.6, PANELS[3], 0.8)
    for bay in bays(page, "d"):
        bay.window(1.2, 0.85, WOOD(1.5, 1.5, mullions=(0.5,)))
        bay.window(3.6, 0.15, WOOD(2.6, 2.2, mullions=(0.34, 0.67), transoms=(0.35,), sill=False))
    for strip in ("a", "b", "c", "d", "end"):
        page.line(strip, 0.04, 0.04, 0.66)
        page.line(strip, 0.0, 0.03, 1.06)
    for bay in bays(page, "end"):
        if bay.index == 1:
            bay.window(0.5 * bay.width, 1.0, WOOD(0.9, 1.3, mullions=()))
        bay.shade(0.0, 0.0, 0.04, bay.height, 0.7)
    return page


def row() -> Page:
    """Brick rows: a wide window and a narrow one each house."""
    page = start("garden_row", "brick_pale", 3)
    for strip, panel in (("a", ""), ("b", PANELS[2])):
        for bay in bays(page, strip):
            bay.window(1.7, 0.85, WOOD(2.3, 1.45, mullions=(0.28, 0.72)))
            bay.window(4.1, 0.85, WOOD(1.05, 1.45, mullions=(), transoms=(0.3,)))
            if panel:
                bay.fill(0.55, 0.2, 2.85, 0.8, panel, 0.85)
            for k in range(8):
                bay.shade(0.55 + 0.29 * k, 2.3, 0.57 + 0.29 * k, 2.5, 0.7)
    for strip in "cd":
        for bay in bays(page, strip):
            bay.window(0.5 * bay.width, 0.9, WOOD(1.6, 1.3, mullions=(0.5,)))
    plain_end(page, WOOD(0.6, 0.8, mullions=()), 1.3, 1)
    return page


def centre() -> Page:
    """Low public buildings: ribbons over panels, school windows."""
    page = start("garden_centre", "panel", 4)
    for bay in bays(page, "a"):
        bay.fill(0.0, 0.1, bay.width, 0.95, PANELS[0] if bay.index % 2 else PANELS[1], 0.7)
        bay.window(2.0, 1.0, WOOD(3.8, 1.5, mullions=(0.25, 0.5, 0.75), sill=False))
    for bay in bays(page, "b"):
        bay.window(2.0, 0.9, WOOD(3.2, 1.6, mullions=(0.33, 0.67), transoms=(0.7,)))
    page.clad("c", "brick_pale")
    page.weather("c")
    for bay in bays(page, "c"):
        bay.window(2.0, 0.8, WOOD(3.3, 1.9, mullions=(0.25, 0.5, 0.75), transoms=(0.68,)))
    for bay in bays(page, "d"):
        bay.louvre(0.2, 0.3, bay.width - 0.2, 2.8, "#a9845a")
    plain_end(page, None, pipes=1)
    return page


GARDEN_PAGES: dict[str, Callable[[], Page]] = {
    "facade/garden_slab": slab, "facade/garden_row": row, "facade/garden_centre": centre,
}  # fmt: skip
