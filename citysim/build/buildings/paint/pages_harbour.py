"""Facade pages of the preset `harbour`."""

from collections.abc import Callable
from functools import partial

from citysim.build.buildings.paint.page import Page
from citysim.build.buildings.paint.strokes import bays, curtain, plain_end, start
from citysim.build.buildings.paint.windows import Window

STEEL = partial(Window, frame="#cdd2c8", bar=0.045)
ALU = partial(Window, frame="#b9bdbd", bar=0.05)
SMALL = Window(0.55, 0.6, frame="#c4c6c0", mullions=())


def tonglau() -> Page:
    """Shop houses of the fifties: steel windows under sun shades, closed balconies, units under every window."""
    page = start("harbour_tonglau", "plaster", 5)
    for bay in bays(page, "a"):
        bay.fill(0.3, 2.42, bay.width - 0.3, 2.54, "#cfcabb")
        bay.shade(0.3, 2.3, bay.width - 0.3, 2.42, 0.7)
        bay.window(0.5 * bay.width, 0.95, STEEL(2.1, 1.35, mullions=(0.25, 0.5, 0.75), transoms=(0.3,)))
        if bay.chance.unit("unit") < 0.7:
            bay.unit(0.4 + bay.chance.uniform(0.0, 1.3, "x"), 0.25)
    for bay in bays(page, "b"):
        tone = bay.chance.choice(("#8fa79a", "#b59a86", "#9aa6b0", "#c4bda6"), "tone")
        bay.fill(0.12, 0.1, bay.width - 0.12, 0.98, tone)
        bay.shade(0.12, 0.86, bay.width - 0.12, 0.98, 1.15)
        for k in range(6):
            bay.shade(0.2 + 0.47 * k, 0.16, 0.24 + 0.47 * k, 0.84, 0.8)
        bay.window(
            0.5 * bay.width,
            1.0,
            ALU(bay.width - 0.3, 1.7, mullions=(0.2, 0.4, 0.6, 0.8), transoms=(0.28,), sill=False),
        )
        if bay.chance.unit("laundry") < 0.45:
            bay.laundry(0.4, bay.width - 0.4, 1.95)
    for bay in bays(page, "c"):
        for middle in (0.85, 2.35):
            bay.window(middle, 0.95, STEEL(1.05, 1.3, mullions=(0.5,), transoms=(0.3,)))
        if bay.chance.unit("cage") < 0.6:
            bay.bars(0.25, 0.85, 1.45, 2.35)
        bay.unit(1.25, 0.3 + 0.5 * bay.chance.unit("z"))
    for bay in bays(page, "d"):
        bay.window(0.5 * bay.width, 1.0, ALU(1.5, 1.3, mullions=(0.5,)))
    for strip in "abcd":
        page.line(strip, 0.1, 0.1, 0.86)
    plain_end(page, SMALL, 1.5, 3, 1)
    return page


def walkup() -> Page:
    """Slabs of the sixties in small tiles: aluminium windows, racks with clothes, units, pipes in every second bay."""
    page = start("harbour_walkup", "mosaic", 5)
    for bay in bays(page, "a"):
        bay.window(1.15, 0.95, ALU(1.5, 1.35, mullions=(0.34, 0.67)))
        bay.window(2.6, 1.3, ALU(0.6, 0.8, mullions=()))
        bay.unit(0.5, 0.28)
        if bay.index % 2:
            bay.pipe(3.0)
    for bay in bays(page, "b"):
        bay.window(0.95, 0.95, ALU(1.3, 1.35, mullions=(0.5,)))
        bay.window(2.4, 0.95, ALU(1.0, 1.35, mullions=(0.5,)))
        if bay.chance.unit("laundry") < 0.6:
            bay.laundry(0.3, 1.8, 1.85)
        bay.unit(1.95, 0.25)
    for bay in bays(page, "c"):
        bay.fill(0.3, 0.0, bay.width - 0.3, bay.height, "#c7c2b4", 0.55)
        bay.shade(0.3, 0.0, 0.38, bay.height, 0.75)
        bay.window(0.5 * bay.width, 0.9, ALU(2.3, 1.5, mullions=(0.25, 0.5, 0.75), transoms=(0.7,)))
    for bay in bays(page, "d"):
        bay.window(0.5 * bay.width, 1.1, ALU(0.9, 1.0, mullions=(0.5,)))
        bay.pipe(0.3)
    for strip in "abcd":
        page.line(strip, 0.06, 0.06, 0.8)
    plain_end(page, SMALL, 1.5, 4, 1)
    return page


def podium() -> Page:
    """The base of towers: stone panels, louvres of car parks, large coloured fields between fins."""
    page = start("harbour_podium_tower", "stone", 4)
    for bay in bays(page, "a"):
        bay.louvre(0.2, 0.7, bay.width - 0.2, 2.5)
        bay.fill(0.2, 2.5, bay.width - 0.2, 2.62, "#6b6f70")
    for bay in bays(page, "b"):
        if bay.index % 2:
            bay.fill(
                0.25,
                0.45,
                bay.width - 0.25,
                2.85,
                bay.chance.choice(("#8a3b36", "#2f5d73", "#b08a3a", "#4f6b52"), "c"),
                0.85,
            )
            bay.shade(0.25, 0.45, bay.width - 0.25, 1.2, 0.86)
            bay.fill(0.2, 0.4, bay.width - 0.2, 0.46, "#5a5d5e")
        else:
            bay.window(
                0.5 * bay.width,
                0.5,
                Window(3.3, 2.3, frame="#5d6366", mullions=(0.25, 0.5, 0.75), transoms=(0.3,), sill=False),
            )
    curtain(page, "c", sill=0.5, panes=2)
    for strip in "abc":
        page.line(strip, 0.12, 0.12, 0.82)
    plain_end(page, None, pipes=2)
    return page


def estate() -> Page:
    """Towers: one living room window, one small one and a ledge for units in every bay; coloured uprights."""
    page = start("harbour_estate", "mosaic", 5)
    for strip, flip in (("a", False), ("b", True), ("c", False), ("d", True)):
        for bay in bays(page, strip):
            w = bay.width

            def x(v: float, mirror: bool = flip, wide: float = w) -> float:
                return wide - v if mirror else v

            if bay.index in (1, 3):
                a, b = sorted((x(0.05), x(0.5)))
                bay.fill(a, 0.0, b, bay.height, "#a8766a" if flip else "#7f9a96", 0.75)
            bay.window(x(1.35), 0.85, Window(1.5, 1.45, mullions=(0.34, 0.67), frame="#b9c0c0"))
            bay.window(x(2.65), 1.2, Window(0.55, 0.9, mullions=(), frame="#b9c0c0"))
            a = min(x(2.25), x(3.05))
            bay.unit(a, 0.35)
            if bay.chance.unit("laundry") < 0.25:
                bay.laundry(min(x(0.7), x(2.0)), max(x(0.7), x(2.0)), 1.6)
    for strip in "abcd":
        page.line(strip, 0.05, 0.05, 0.78)
    plain_end(page, SMALL, 1.5, 5, 1)
    return page


def office() -> Page:
    """Curtain walls of two kinds."""
    page = start("harbour_office", "metal", 10)
    for strip in "ab":
        curtain(page, strip, sill=0.8, spandrel=("#5f7d86", "#4a6670"))
    for strip in "cd":
        curtain(page, strip, sill=1.05, frame="#a3a8a8", spandrel=("#8a979b", "#6f7c80"))
    for bay in bays(page, "end"):
        if bay.index % 2:
            bay.louvre(0.2, 0.6, bay.width - 0.2, 2.6)
    return page


def market() -> Page:
    """A municipal building: ribbons, fins and pierced blocks."""
    page = start("harbour_market", "concrete", 4)
    for bay in bays(page, "a"):
        bay.window(0.5 * bay.width, 1.1, Window(3.4, 1.2, mullions=(0.2, 0.4, 0.6, 0.8), frame="#8f9694", sill=False))
        bay.fill(0.0, 2.4, bay.width, 2.6, "#c9c5b9")
        bay.shade(0.0, 2.25, bay.width, 2.4, 0.6)
    for bay in bays(page, "b"):
        for k in range(9):
            for j in range(5):
                x, z = 0.3 + 0.39 * k, 0.7 + 0.38 * j
                bay.fill(x, z, x + 0.26, z + 0.26, "#3f4344", 0.85)
        bay.shade(0.1, 0.0, 0.2, bay.height, 0.8)
    for strip in "ab":
        page.line(strip, 0.15, 0.15, 0.85)
    curtain(page, "c", sill=0.9, panes=2)
    plain_end(page, SMALL, 1.6, 3, 1)
    return page


def civic() -> Page:
    """Stone of the port's first century: arches between pilasters, shutters behind."""
    page = start("harbour_civic", "stone", 4)
    for strip, window in (
        ("a", Window(1.5, 2.2, arch=0.7, frame="#6f7f6f", transoms=(0.35,), surround=0.2, surround_tone=1.08)),
        ("b", Window(1.3, 1.9, frame="#6f7f6f", transoms=(0.3,), surround=0.2, hood="flat", surround_tone=1.08)),
        ("c", Window(1.3, 1.5, frame="#6f7f6f", surround=0.16)),
    ):
        for bay in bays(page, strip):
            bay.window(0.5 * bay.width, 0.55, window)
            bay.shade(0.0, 0.0, 0.32, bay.height, 1.07)
            bay.shade(0.32, 0.0, 0.38, bay.height, 0.8)
            bay.shade(bay.width - 0.06, 0.0, bay.width, bay.height, 0.8)
        page.course(strip, 0.2, 0.2)
    plain_end(page, Window(0.9, 1.4, frame="#6f7f6f"), 0.9, 1)
    return page


HARBOUR_PAGES: dict[str, Callable[[], Page]] = {
    "facade/harbour_tonglau": tonglau, "facade/harbour_walkup": walkup, "facade/harbour_podium_tower": podium,
    "facade/harbour_estate": estate, "facade/harbour_office": office, "facade/harbour_market": market,
    "facade/harbour_civic": civic,
}  # fmt: skip
