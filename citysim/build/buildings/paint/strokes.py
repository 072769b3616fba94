"""Strokes: what the facade pages of the embedded cities are painted with; positions in metres of a bay."""

from citysim.build.buildings.paint.canvas import rgb
from citysim.build.buildings.paint.page import M, Page
from citysim.build.buildings.paint.windows import Window, draw
from citysim.build.chance import Chance

CLOTHES = ("#c2596a", "#d6cfbe", "#3f6f9a", "#d0a83a", "#5a6f5a", "#8a4f7a", "#b8c4cc")


class Bay:
    """One bay of one strip: x from its left edge, z from its floor, both in metres."""

    def __init__(self, page: Page, strip: str, index: int) -> None:
        self.page, self.strip, self.index = page, strip, index
        self.width = page.canvas.width / page.bays / M
        self.left = index * page.canvas.width / page.bays
        self.top, self.foot = (float(v) for v in page.rows[strip])
        self.height = (self.foot - self.top) / M
        self.chance: Chance = page.chance.child(f"{strip}/{index}")

    def box(self, x0: float, z0: float, x1: float, z1: float) -> tuple[float, float, float, float]:
        """Pixels (x0, y0, x1, y1) of a rectangle."""
        return (self.left + x0 * M, self.foot - z1 * M, self.left + x1 * M, self.foot - z0 * M)

    def fill(self, x0: float, z0: float, x1: float, z1: float, color: str, alpha: float = 1.0) -> None:
        """A rectangle of one colour."""
        self.page.canvas.rect(*self.box(x0, z0, x1, z1), rgb(color), alpha)

    def shade(self, x0: float, z0: float, x1: float, z1: float, factor: float) -> None:
        """A darker or lighter rectangle."""
        self.page.canvas.shade(*self.box(x0, z0, x1, z1), factor)

    def window(self, middle: float, sill: float, window: Window, name: str = "") -> None:
        """A window by its middle and the height of its sill."""
        x, y, _, _ = self.box(middle - window.width / 2, sill, middle, sill + window.height)
        draw(self.page.canvas, x, y, window, self.chance.child(f"w{name}{round(middle * 8)}"))

    def unit(self, x: float, z: float) -> None:
        """An air conditioner's outdoor unit, 0.8 x 0.55, with its drip."""
        self.shade(x + 0.05, z - 0.9, x + 0.13, z, 0.84)
        self.fill(x, z, x + 0.8, z + 0.55, "#c9c8c0")
        self.fill(x + 0.3, z + 0.07, x + 0.72, z + 0.48, "#7d8080", 0.8)
        for k in range(4):
            self.shade(x + 0.3, z + 0.12 + 0.1 * k, x + 0.72, z + 0.14 + 0.1 * k, 1.25)
        self.shade(x, z - 0.1, x + 0.8, z, 0.6)
        self.shade(x, z + 0.5, x + 0.8, z + 0.55, 1.1)

    def pipe(self, x: float, color: str = "#8d8f88", wide: float = 0.1) -> None:
        """A drain pipe from floor to floor."""
        self.fill(x, 0.0, x + wide, self.height, color)
        self.shade(x + 0.7 * wide, 0.0, x + 1.3 * wide, self.height, 0.72)
        self.fill(x - 0.03, 1.6, x + wide + 0.03, 1.7, "#6f716c")

    def laundry(self, x0: float, x1: float, z: float) -> None:
        """Clothes on a rack before a window."""
        self.fill(x0, z, x1, z + 0.025, "#55585a")
        at, n = x0 + 0.08, 0
        while at < x1 - 0.3:
            one = self.chance.child(f"cloth/{n}")
            wide, long = one.uniform(0.2, 0.4, "w"), one.uniform(0.35, 0.75, "l")
            if one.unit("there") < 0.7:
                self.fill(at, z - long, at + wide, z, one.choice(CLOTHES, "c"), 0.95)
                self.shade(at + 0.7 * wide, z - long, at + wide, z, 0.8)
            at += wide + 0.05
            n += 1

    def bars(self, x0: float, z0: float, x1: float, z1: float) -> None:
        """A window cage."""
        count = max(3, round((x1 - x0) / 0.16))
        for k in range(count + 1):
            x = x0 + (x1 - x0) * k / count
            self.fill(x - 0.012, z0, x + 0.012, z1, "#b9bab4", 0.9)
        for z in (z0, 0.5 * (z0 + z1), z1 - 0.03):
            self.fill(x0, z, x1, z + 0.03, "#a9aaa4", 0.9)

    def louvre(self, x0: float, z0: float, x1: float, z1: float, color: str = "#8a8f90") -> None:
        """Slats."""
        self.fill(x0, z0, x1, z1, color)
        for k in range(int((z1 - z0) / 0.14)):
            self.shade(x0 + 0.04, z0 + 0.14 * k, x1 - 0.04, z0 + 0.14 * k + 0.06, 0.6)


def bays(page: Page, strip: str) -> list[Bay]:
    """All bays of a strip."""
    return [Bay(page, strip, k) for k in range(page.bays)]


def curtain(
    page: Page,
    strip: str,
    *,
    sill: float,
    head: float = 0.1,
    frame: str = "#8c9296",
    spandrel: tuple[str, str] = ("#77858d", "#5d6a72"),
    fin: float = 0.05,
    panes: int = 1,
    glow: float = 145.0,
) -> None:
    """A curtain wall: a pane over a spandrel of `sill` metres in every bay, upright fins of `fin` metres."""
    for bay in bays(page, strip):
        mullions = tuple(k / panes for k in range(1, panes))
        pane = Window(bay.width - 0.04, bay.height - sill - head, frame=frame, mullions=mullions, sill=False, glow=glow)
        bay.fill(0.0, 0.0, bay.width, bay.height, frame)
        bay.window(0.5 * bay.width, sill, pane)
        x0, y0, x1, y1 = bay.box(0.03, 0.04, bay.width - 0.03, sill - 0.03)
        if sill > 0.15:
            page.canvas.gradient(x0, y0, x1, y1, rgb(spandrel[0]), rgb(spandrel[1]))
        bay.shade(0.0, bay.height - head, bay.width, bay.height, 0.8)
        if fin > 0.0:
            bay.fill(bay.width - fin, 0.0, bay.width, bay.height, frame)
            bay.shade(bay.width - 0.5 * fin, 0.0, bay.width, bay.height, 0.7)
            bay.shade(0.0, 0.0, 0.02, bay.height, 1.15)


def start(name: str, wall: str, count: int, width: int = 1024) -> Page:
    """A page of five weathered storeys."""
    from citysim.build.buildings.strips import FIVE_ROWS

    page = Page(name, wall, count, width, FIVE_ROWS)
    for strip in FIVE_ROWS:
        page.weather(strip)
    return page


def plain_end(page: Page, window: Window | None = None, sill: float = 1.3, pipes: int = 1, units: int = 0) -> None:
    """An end wall: a small window in every other bay, pipes, a few units."""
    for bay in bays(page, "end"):
        if window is not None and bay.index % 2 == 0:
            bay.window(0.5 * bay.width, sill, window)
        if bay.index < pipes:
            bay.pipe(0.12 * bay.width)
        if bay.index % 3 == 1 and units:
            bay.unit(0.6 * bay.width - 0.4, 0.7)
