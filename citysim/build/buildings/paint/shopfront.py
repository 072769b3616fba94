"""Shop fronts: glass bays with a glimpse of shelves behind, and blank bays for real doors."""

from citysim.build.buildings.paint.canvas import rgb
from citysim.build.buildings.paint.page import M, Page
from citysim.build.chance import Chance

FRAMES = ("#2f3a35", "#3b2f2a", "#2c3138", "#5a2f2c", "#4a4a46")


def shopfronts(page: Page, pier: float, foot: float, glass: float) -> None:
    """Fill the "shop" strip: piers of `pier` metres, windows from `foot` to `glass` metres above the pavement."""
    canvas = page.canvas
    wide = canvas.width / page.bays
    for k, middle, _, bottom in page.bay_middles("shop"):
        if k == 0:
            continue
        chance = page.chance.child(f"shop/{k}")
        x0, x1 = middle - wide / 2 + pier * M / 2, middle + wide / 2 - pier * M / 2
        top, low = bottom - glass * M, bottom - foot * M
        frame = rgb(FRAMES[k % len(FRAMES)])
        canvas.rect(x0 - 3, top - 4, x1 + 3, bottom, frame)
        canvas.shade(x0, low + 3, x1, bottom - 4, 1.25)
        canvas.shade(x0 + 4, low + 8, x1 - 4, bottom - 9, 0.85)
        _inside(page, x0, top, x1, low, chance)
        panes = 1 if x1 - x0 < 1.7 * M else 2
        for j in range(1, panes):
            x = x0 + (x1 - x0) * j / panes
            canvas.rect(x - 2, top, x + 2, low, frame)
        transom = top + 0.45 * M
        canvas.rect(x0, transom - 1.5, x1, transom + 1.5, frame)
        canvas.gradient(x0, top, x1, top + 12, (14.0, 14.0, 16.0), (60.0, 60.0, 60.0), 0.6)
        canvas.gradient(x0, top + 12, x1, low, rgb("#b4c4d0"), rgb("#8b98a0"), 0.16)


def _inside(page: Page, x0: float, y0: float, x1: float, y1: float, chance: Chance) -> None:
    """A lit back wall, shelves with goods, a ceiling lamp row and a dark floor."""
    canvas = page.canvas
    warm = chance.choice([rgb("#b9a480"), rgb("#9d9c92"), rgb("#a99a88"), rgb("#8f98a0")], "wall")
    dark = (warm[0] * 0.45, warm[1] * 0.45, warm[2] * 0.45)
    canvas.gradient(x0, y0, x1, y1, warm, dark)
    for k in range(3):
        x = x0 + (k + 0.5) * (x1 - x0) / 3
        canvas.rect(x - 8, y0 + 14, x + 8, y0 + 17, rgb("#fff0d0"), 0.9)
    shelves = 2 + chance.integer(0, 3, "shelves")
    for s in range(shelves):
        y = y0 + (y1 - y0) * (0.38 + 0.55 * s / shelves) + 12
        canvas.rect(x0 + 3, y, x1 - 3, y + 2, rgb("#4a4138"), 0.8)
        x = x0 + 4
        n = 0
        while x < x1 - 6:
            goods = chance.child(f"goods/{s}/{n}")
            wide, high = goods.uniform(4, 12, "w"), goods.uniform(6, 17, "h")
            color = (goods.uniform(60, 190, "r"), goods.uniform(60, 170, "g"), goods.uniform(55, 160, "b"))
            if goods.unit("there") < 0.75:
                canvas.rect(x, y - high, min(x + wide, x1 - 3), y, color, 0.75)
            x += wide + goods.uniform(1, 6, "gap")
            n += 1
    canvas.shade(x0, y1 - 10, x1, y1, 0.7)
