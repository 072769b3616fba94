"""Front: the pages of ground floors, one bay of a street wall a cell, with what lies deeper than the wall."""

from dataclasses import dataclass

PIXELS = 128.0  # a metre
WIDE, HIGH = 16.0, 8.0  # metres of a page: two rows of cells 4 m high
CELL = 4.0  # metres: height of a cell
DEEP = ("glass", "open", "lobby")
ORDER = ("blank", "glass", "glass2", "open", "shutter", "window", "lobby", "garage")
SMALL = (
    "blank", "glass", "glass2", "window", "window.1", "lobby", "shutter", "garage", "glass.1", "glass2.1", "blank.1",
    "window.2",
)  # fmt: skip

TOWN = ("blank", "glass", "glass2", "window", "window.1", "lobby", "garage", "glass.1", "glass2.1", "window.2")


@dataclass(frozen=True, slots=True)
class Opening:
    """A rectangle of a bay that lies `depth` metres behind the wall: x from the bay's left, z from the pavement."""

    x0: float
    z0: float
    x1: float
    z1: float
    depth: float


@dataclass(frozen=True, slots=True)
class Front:
    """A page of bays `bay` metres wide; `order` names its cells from the upper left, row by row."""

    name: str
    bay: float
    openings: dict[str, Opening]
    order: tuple[str, ...] = ORDER

    def variants(self, kind: str) -> list[str]:
        """The cells of a kind ("glass", "glass.1"); those of shop windows for kinds that the page lacks."""
        found = [cell for cell in self.order if cell.partition(".")[0] == kind]
        return found or [cell for cell in self.order if cell.startswith("glass")]

    def opening(self, cell: str) -> Opening | None:
        """The opening of a cell; None for blank wall."""
        return self.openings.get(cell.partition(".")[0])

    def deep(self, cell: str) -> Opening | None:
        """What is built deep of a cell: shops and halls; windows of dwellings, shutters and garages are painted."""
        return self.opening(cell) if cell.partition(".")[0] in DEEP else None

    @property
    def columns(self) -> int:
        """Cells in a row."""
        return round(WIDE / self.bay)

    def corner(self, kind: str) -> tuple[float, float]:
        """Metres from the page's upper left corner to that of a cell."""
        index = self.order.index(kind)
        return (index % self.columns * self.bay, index // self.columns * CELL)


def _front(name: str, bay: float, head: float, pier: float, riser: float, order: tuple[str, ...] = ORDER) -> Front:
    """Openings between piers of `pier` metres (half on each side), windows from `riser` to `head`."""
    half = 0.5 * pier
    low = min(head, 2.75)
    return Front(
        name,
        bay,
        {
            "glass": Opening(half, riser, bay - half, head, 0.24),
            "glass2": Opening(half + 0.12, riser + 0.15, bay - half - 0.12, head - 0.1, 0.18),
            "open": Opening(half, 0.0, bay - half, head, 0.28),
            "shutter": Opening(half + 0.1, 0.0, bay - half - 0.1, head - 0.1, 0.14),
            "window": Opening(0.5 * bay - 0.62, 1.0, 0.5 * bay + 0.62, min(head, 2.65), 0.16),
            "lobby": Opening(half + 0.2, 0.0, bay - half - 0.2, head, 0.28),
            "garage": Opening(half + 0.15, 0.0, bay - half - 0.15, low, 0.2),
        },
        order,
    )


FRONTS: dict[str, Front] = {
    "front/harbour": _front("front/harbour", 4.0, 3.15, 0.5, 0.45),
    "front/akiba": _front("front/akiba", 4.0, 2.8, 0.4, 0.15),
    "front/oldtown": _front("front/oldtown", 16.0 / 6.0, 2.95, 0.6, 0.55, SMALL),
    "front/town": _front("front/town", 3.2, 3.05, 0.7, 0.55, TOWN),
    "front/grid": _front("front/grid", 4.0, 3.2, 0.6, 0.5),
    "front/garden": _front("front/garden", 4.0, 2.45, 0.6, 0.4),
}
