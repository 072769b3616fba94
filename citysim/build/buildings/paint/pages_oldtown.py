"""Facade pages of the preset `oldtown`."""

from collections.abc import Callable
from functools import partial

from citysim.build.buildings.paint.page import Page
from citysim.build.buildings.paint.strokes import bays, plain_end, start
from citysim.build.buildings.paint.windows import Window

FRAME = partial(Window, frame="#e6e0d0", mullions=(0.5,), surround=0.15, surround_tone=1.1)


def row() -> Page:
    """Plaster houses: casements with painted surrounds, in four fashions."""
    page = start("oldtown_row", "plaster", 6)
    for strip, window, sill in (
        ("a", FRAME(1.02, 1.5, transoms=(0.33, 0.66), bar=0.035), 0.82),
        ("b", FRAME(1.05, 1.6, transoms=(0.35,), hood="flat"), 0.75),
        ("c", FRAME(1.0, 1.55, transoms=(0.33, 0.66), bar=0.035, arch=0.22), 0.8),
        ("d", FRAME(0.95, 1.25, transoms=(0.5,)), 0.95),
    ):
        for bay in bays(page, strip):
            bay.window(0.5 * bay.width, sill, window)
    page.course("b", 0.16, 0.16)
    page.course("c", 0.12, 0.1)
    for bay in bays(page, "end"):
        if bay.index in (1, 4):
            bay.window(0.5 * bay.width, 1.2, Window(0.6, 0.8, frame="#d9d2c2", mullions=(0.5,), surround=0.08))
        if bay.index in (2, 3):
            for k in range(6):  # where plaster fell off, bricks show
                a, z = bay.chance.uniform(0.1, 1.8, f"x{k}"), bay.chance.uniform(0.2, 2.6, f"z{k}")
                bay.fill(a, z, a + 0.6, z + 0.12, "#a9715a", 0.5)
                bay.fill(a + 0.15, z + 0.12, a + 0.5, z + 0.22, "#a0684f", 0.45)
    return page


def tenement() -> Page:
    """Town houses of four storeys: hoods, pediments, pilasters."""
    page = start("oldtown_tenement", "plaster", 6)
    for strip, window, sill in (
        ("a", FRAME(1.08, 1.75, transoms=(0.36,), hood="flat"), 0.7),
        ("b", FRAME(1.1, 1.75, transoms=(0.36,), hood="pediment"), 0.68),
        ("c", FRAME(1.15, 1.95, transoms=(0.36,), arch=0.5), 0.6),
        ("d", FRAME(1.05, 1.5, transoms=(0.36,)), 0.8),
    ):
        for bay in bays(page, strip):
            bay.window(0.5 * bay.width, sill, window)
            bay.shade(0.0, 0.0, 0.16, bay.height, 1.05)
            bay.shade(bay.width - 0.16, 0.0, bay.width, bay.height, 1.05)
            if strip in "bc":  # a parapet of small columns under the window
                for k in range(7):
                    x = 0.5 * bay.width - 0.55 + 0.17 * k
                    bay.shade(x, 0.2, x + 0.07, 0.58, 0.78)
    page.course("b", 0.2, 0.18)
    page.course("d", 0.18, 0.16)
    plain_end(page, Window(0.7, 1.2, frame="#d9d2c2", transoms=(0.35,)), 1.0, 2)
    return page


OLDTOWN_PAGES: dict[str, Callable[[], Page]] = {"facade/oldtown_row": row, "facade/oldtown_tenement": tenement}
