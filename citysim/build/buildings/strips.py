"""Strip: one storey of a facade, as a row of bays in a texture page."""

from dataclasses import dataclass

PAGE = 1024  # pixels: height of every facade page, and width unless a style says otherwise
DENSITY = 64.0  # pixels per metre
ROWS = {  # pixel rows of the strips in an ordinary page; "nave" pages are laid out by NAVE_ROWS
    "shop": (0, 256),
    "ground": (256, 512),
    "a": (512, 717),
    "b": (717, 922),
    "attic": (922, 1024),
}
NAVE_ROWS = {"nave": (0, 512), "ground": (512, 768), "a": (768, 973), "attic": (973, 1024)}
# Pages without ground floors, which come from a page of shop fronts: five storeys of 3.2 m.
FIVE_ROWS = {"a": (0, 205), "b": (205, 410), "c": (410, 614), "d": (614, 819), "end": (819, 1024)}


@dataclass(frozen=True, slots=True)
class Strip:
    """`bays` equal bays of `bay` metres side by side, `height` metres high, wrapping around horizontally.

    v0 and v1 are the top and bottom of the strip in texture units, half a texel inside its rows. Bay 0 of a
    ground-floor strip (`blank_first`) has neither window nor door, for walls behind real doors.
    """

    bays: int
    bay: float
    height: float
    v0: float
    v1: float
    blank_first: bool
    storeys: int = 1


def strip(row: str, bays: int, width: int = PAGE, rows: dict[str, tuple[int, int]] | None = None) -> Strip:
    """The strip of a named row in a page `width` pixels wide with `bays` bays."""
    top, bottom = (rows or ROWS)[row]
    return Strip(
        bays,
        width / DENSITY / bays,
        (bottom - top) / DENSITY,
        (top + 0.5) / PAGE,
        (bottom - 0.5) / PAGE,
        row in ("shop", "ground"),
    )


def stack(rows: str, bays: int, width: int = PAGE) -> Strip:
    """Several storeys in one strip: neighbouring rows of a page of five, the highest first, as "abcd"."""
    first, last = strip(rows[0], bays, width, FIVE_ROWS), strip(rows[-1], bays, width, FIVE_ROWS)
    bottom = FIVE_ROWS[rows[-1]][1] - FIVE_ROWS[rows[0]][0]
    return Strip(bays, first.bay, bottom / DENSITY, first.v0, last.v1, False, len(rows))
