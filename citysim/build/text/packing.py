"""Shelf packing of rectangles into a page."""

from collections.abc import Sequence

Size = tuple[int, int]


def shelves(sizes: Sequence[Size], width: int, height: int) -> list[tuple[int, int]] | None:
    """Top left corners (x, y) for rectangles (w, h) in a page, in the order given, or None where they do not fit.

    Tall ones first, each on the first shelf with room: the same input always gives the same layout.
    """
    places: list[tuple[int, int]] = [(0, 0)] * len(sizes)
    rows: list[list[int]] = []  # y, height, used width
    bottom = 0
    for i in sorted(range(len(sizes)), key=lambda i: (-sizes[i][1], -sizes[i][0], i)):
        w, h = sizes[i]
        if w > width:
            return None
        row = next((r for r in rows if h <= r[1] and r[2] + w <= width), None)
        if row is None:
            if bottom + h > height:
                return None
            row = [bottom, h, 0]
            rows.append(row)
            bottom += h
        places[i] = (row[2], row[0])
        row[2] += w
    return places


def smallest_page(sizes: Sequence[Size], limit: int) -> tuple[Size, list[tuple[int, int]]] | None:
    """The smallest power-of-two page up to `limit` on a side that holds all rectangles, with their corners."""
    area = sum(w * h for w, h in sizes)
    options = [(1 << a, 1 << b) for a in range(6, 13) for b in range(6, 13) if 1 << a <= limit and 1 << b <= limit]
    for page in sorted(options, key=lambda p: (p[0] * p[1], abs(p[0] - p[1]), p)):
        if page[0] * page[1] < area or max(page) > 4 * min(page):
            continue
        places = shelves(sizes, *page)
        if places is not None:
            return page, places
    return None
