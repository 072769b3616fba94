"""Facade pages: the painted strips of every style."""

from collections.abc import Callable

from citysim.build.buildings.paint.canvas import rgb
from citysim.build.buildings.paint.page import M, Page
from citysim.build.buildings.paint.pages_akiba import AKIBA_PAGES
from citysim.build.buildings.paint.pages_garden import GARDEN_PAGES
from citysim.build.buildings.paint.pages_grid import GRID_PAGES
from citysim.build.buildings.paint.pages_harbour import HARBOUR_PAGES
from citysim.build.buildings.paint.pages_oldtown import OLDTOWN_PAGES
from citysim.build.buildings.paint.shopfront import shopfronts
from citysim.build.buildings.paint.windows import Window, draw
from citysim.build.buildings.strips import NAVE_ROWS


def _row(page: Page, strip: str, window: Window, sill: float, *, skip_first: bool = False) -> None:
    """The same window in every bay, its sill `sill` metres above the strip's foot."""
    for k, middle, _, bottom in page.bay_middles(strip):
        if skip_first and k == 0:
            continue
        x, y = middle - window.width * M / 2, bottom - (sill + window.height) * M
        draw(page.canvas, x, y, window, page.chance.child(f"{strip}/{k}"))


def classical() -> Page:
    """Nineteenth-century plaster: rusticated foot, sashes with surrounds, hoods and pediments."""
    page = Page("classical", "plaster", 6)
    for strip in ("a", "b", "attic", "ground", "shop"):
        page.weather(strip)
    page.line("b", 1.0, 1.0, 0.975)
    page.course("b", 0.18, 0.18)
    casement = {"mullions": (0.5,), "transoms": (0.36,), "surround": 0.17, "frame": "#e8e4d8"}
    _row(page, "a", Window(1.08, 1.75, hood="", **casement), 0.72)  # type: ignore[arg-type]
    _row(page, "b", Window(1.12, 1.72, hood="pediment", **casement), 0.70)  # type: ignore[arg-type]
    for _, middle, _, bottom in page.bay_middles("b"):
        page.canvas.shade(middle - 40, bottom - 0.62 * M, middle + 40, bottom - 0.25 * M, 1.05)
        page.canvas.shade(middle - 40, bottom - 0.25 * M, middle + 40, bottom - 0.22 * M, 0.85)
    for strip in ("a", "b"):
        top, low = page.rows[strip]
        for k in range(page.bays):
            x = k * page.canvas.width / page.bays
            page.canvas.shade(x - 9, top, x + 9, low, 1.025)
    _row(page, "attic", Window(0.9, 0.62, mullions=(0.5,), surround=0.1), 0.5)
    page.course("attic", 1.55, 0.16)
    for strip in ("ground", "shop"):
        for z in (0.95, 1.35, 1.75, 2.15, 2.55, 2.95, 3.35, 3.7):
            page.line(strip, z, 0.045, 0.78)
            page.line(strip, z - 0.045, 0.03, 1.06)
        page.course(strip, 3.98, 0.24)
        page.plinth(strip)
    _row(page, "ground", Window(1.12, 1.75, transoms=(0.36,), surround=0.14, frame="#e0dccf"), 1.15, skip_first=True)
    shopfronts(page, 0.6, 0.55, 2.95)
    return page


def jugend() -> Page:
    """Granite foot, rough plaster above, paired and arched windows with small upper panes."""
    page = Page("jugend", "stone", 5)
    for strip in ("a", "b", "attic"):
        page.clad(strip, "plaster")
        page.weather(strip)
    small = {"mullions": (0.5,), "transoms": (0.18, 0.36), "bar": 0.04, "frame": "#dfe0d6", "surround": 0.1}
    for k, middle, _, bottom in page.bay_middles("a"):
        for side in (-0.52, 0.52):
            w = Window(0.86, 1.7, **small)  # type: ignore[arg-type]
            x = middle + side * M - w.width * M / 2
            draw(page.canvas, x, bottom - (0.75 + w.height) * M, w, page.chance.child(f"a/{k}/{side}"))
    wide = Window(
        1.9, 1.85, frame="#dfe0d6", mullions=(0.28, 0.72), transoms=(0.36,), surround=0.14, surround_tone=0.93, arch=0.5
    )
    _row(page, "b", wide, 0.7)
    page.course("b", 0.16, 0.14)
    _row(page, "attic", Window(1.2, 0.6, mullions=(0.33, 0.66), surround=0.08, surround_tone=0.93), 0.55)
    for strip in ("ground", "shop"):
        page.weather(strip)
        page.canvas.pixels[page.rows[strip][0] : page.rows[strip][1]] *= 0.80
        page.course(strip, 3.98, 0.2)
        page.plinth(strip, "#85817a")
    arch = Window(1.5, 2.1, frame="#4b4238", mullions=(0.5,), transoms=(0.3,), surround=0.2, arch=0.55)
    _row(page, "ground", arch, 0.95, skip_first=True)
    shopfronts(page, 0.75, 0.5, 3.0)
    return page


def functional() -> Page:
    """Twentieth-century: smooth wall, wide windows in dark or white frames, balcony doors."""
    page = Page("functional", "concrete", 4)
    for strip in ("a", "b", "attic", "ground", "shop"):
        page.weather(strip)
    for strip in ("a", "b"):
        page.line(strip, 0.06, 0.05, 0.8)
    _row(page, "a", Window(2.7, 1.42, frame="#d9d9d4", mullions=(0.3, 0.7), bar=0.07), 0.9)
    for k, middle, _, bottom in page.bay_middles("b"):
        w = Window(1.7, 1.42, frame="#5d4c3e", mullions=(0.62,), bar=0.07)
        draw(page.canvas, middle - 1.45 * M, bottom - (0.9 + w.height) * M, w, page.chance.child(f"b/{k}"))
        door = Window(0.85, 2.2, frame="#5d4c3e", mullions=(), transoms=(0.72,), sill=False)
        draw(page.canvas, middle + 0.55 * M, bottom - 2.32 * M, door, page.chance.child(f"bd/{k}"))
    _row(page, "attic", Window(2.4, 0.6, mullions=(0.33, 0.67)), 0.5)
    for strip in ("ground", "shop"):
        page.plinth(strip, "#7d7d7a", 0.45)
        page.line(strip, 3.95, 0.12, 0.82)
    _row(page, "ground", Window(2.3, 1.5, frame="#d0d0cb", mullions=(0.5,), bar=0.07), 1.0, skip_first=True)
    shopfronts(page, 0.45, 0.35, 2.85)
    return page


def glass() -> Page:
    """Office curtain wall: 1.6 m panes, dark spandrels, a glazed foot."""
    page = Page("glass", "metal", 5, 512)
    canvas = page.canvas
    wide = canvas.width / page.bays
    for strip, sill in (("a", 0.75), ("b", 0.35), ("attic", 0.5), ("ground", 0.12), ("shop", 0.12)):
        top, bottom = page.rows[strip]
        canvas.rect(0, top, canvas.width, bottom, rgb("#c9ced0"))
        for k in range(page.bays):
            pane = Window(
                wide / M - 0.07, (bottom - top) / M - sill - 0.08, frame="#8c9296", mullions=(),
                transoms=(0.78,) if strip in ("ground", "shop") else (), sill=False,
            )  # fmt: skip
            if k == 0 and strip in ("ground", "shop"):
                canvas.rect(2, top + 4, wide - 2, bottom - 6, rgb("#7d858a"))
                canvas.gradient(6, top + 10, wide - 6, bottom - 12, rgb("#8f999f"), rgb("#6d757a"))
                continue
            draw(canvas, k * wide + 2.2, top + 3, pane, page.chance.child(f"{strip}/{k}"))
            if sill > 0.2:
                low = bottom - sill * M
                canvas.gradient(k * wide + 2.5, low, (k + 1) * wide - 2.5, bottom - 2, rgb("#77858d"), rgb("#5d6a72"))
        for j in range(page.bays):
            canvas.shade(j * wide - 2.2, top, j * wide + 0.6, bottom, 1.08)
            canvas.shade(j * wide + 0.6, top, j * wide + 2.4, bottom, 0.72)
        canvas.shade(0, top, canvas.width, top + 3, 0.85)
    return page


def brick() -> Page:
    """Brick: segment-arched factory sashes and plain lights with pale sills."""
    page = Page("brick", "brick", 5)
    for strip in ("a", "b", "attic", "ground", "shop"):
        page.weather(strip)
    factory = Window(
        1.6, 1.9, frame="#cfd2cc", mullions=(0.25, 0.5, 0.75), transoms=(0.25, 0.5, 0.75), bar=0.035, arch=0.22,
        surround=0.13, surround_tone=0.86,
    )  # fmt: skip
    _row(page, "a", factory, 0.75)
    _row(page, "b", Window(1.75, 1.5, frame="#e2e0d8", mullions=(0.4,), bar=0.06), 0.85)
    for _, middle, _, bottom in page.bay_middles("b"):
        page.canvas.rect(middle - 62, bottom - 0.85 * M, middle + 62, bottom - 0.76 * M, rgb("#c8c2b4"))
        page.canvas.rect(middle - 62, bottom - 2.5 * M, middle + 62, bottom - 2.37 * M, rgb("#b9b2a4"))
    _row(page, "attic", Window(1.1, 0.6, mullions=(0.5,)), 0.5)
    for strip in ("ground", "shop"):
        page.plinth(strip, "#8d8a84", 0.5)
        page.line(strip, 3.95, 0.3, 0.9)
        page.canvas.rect(0, page.rows[strip][0] + 20, page.canvas.width, page.rows[strip][0] + 27, rgb("#c8c2b4"))
    tall = Window(
        1.7, 2.0, frame="#cfd2cc", mullions=(0.25, 0.5, 0.75), transoms=(0.25, 0.5, 0.75), bar=0.035, arch=0.22
    )
    _row(page, "ground", tall, 1.0, skip_first=True)
    shopfronts(page, 0.8, 0.5, 2.95)
    return page


def nave() -> Page:
    """Tall arched church lights; below, sheet-clad sheds with ribbon windows."""
    page = Page("nave", "plaster", 4, rows=NAVE_ROWS)
    lead = tuple(k / 12 for k in range(1, 12))
    light = Window(
        1.7, 6.2, frame="#5d5f60", mullions=(0.333, 0.667), transoms=lead, bar=0.03, arch=0.85, surround=0.26,
        surround_tone=1.05, lights=False,
    )  # fmt: skip
    page.weather("nave")
    _row(page, "nave", light, 0.9)
    for strip in ("ground", "a", "attic"):
        page.clad(strip, "metal")
        page.weather(strip)
    ribbon = {"frame": "#6c7173", "bar": 0.05, "sill": False, "mullions": (0.25, 0.5, 0.75)}
    _row(page, "ground", Window(3.0, 0.9, **ribbon), 2.5, skip_first=True)  # type: ignore[arg-type]
    _row(page, "a", Window(3.0, 0.9, **ribbon), 1.6)  # type: ignore[arg-type]
    page.plinth("ground", "#8d8d8a", 0.35)
    return page


PAINTERS: dict[str, Callable[[], Page]] = {
    "facade/classical": classical,
    "facade/jugend": jugend,
    "facade/functional": functional,
    "facade/glass": glass,
    "facade/brick": brick,
    "facade/nave": nave,
    **HARBOUR_PAGES,
    **AKIBA_PAGES,
    **OLDTOWN_PAGES,
    **GRID_PAGES,
    **GARDEN_PAGES,
}
