"""BoxGrid: which axis-aligned boxes are near a point, by a hash of square cells."""

from typing import NamedTuple

CELL_M = 16.0


class Box(NamedTuple):
    """Axis-aligned bounds in local metres."""

    east0: float
    north0: float
    up0: float
    east1: float
    north1: float
    up1: float

    def overlaps(self, other: "Box") -> bool:
        """Whether two boxes share a point."""
        return (
            self.east0 <= other.east1
            and other.east0 <= self.east1
            and self.north0 <= other.north1
            and other.north0 <= self.north1
            and self.up0 <= other.up1
            and other.up0 <= self.up1
        )


class BoxGrid:
    """Boxes under integer keys; answers come sorted by key, so that no order of insertion can show through."""

    def __init__(self) -> None:
        self._boxes: dict[int, Box] = {}
        self._cells: dict[tuple[int, int], list[int]] = {}

    def put(self, key: int, box: Box) -> None:
        """Insert a box, or replace the one of the same key."""
        old = self._boxes.get(key)
        if old is not None:
            if _cells(old) == _cells(box):
                self._boxes[key] = box
                return
            self.drop(key)
        self._boxes[key] = box
        for cell in _cells(box):
            self._cells.setdefault(cell, []).append(key)

    def drop(self, key: int) -> None:
        """Take a box out."""
        for cell in _cells(self._boxes.pop(key)):
            self._cells[cell].remove(key)

    def near(self, box: Box) -> list[int]:
        """Keys of the boxes that overlap `box`, ascending."""
        cells = _cells(box)
        if len(cells) == 1:
            keys: set[int] | list[int] = self._cells.get(cells[0], [])
        else:
            keys = {key for cell in cells for key in self._cells.get(cell, ())}
        boxes = self._boxes
        return sorted(key for key in keys if boxes[key].overlaps(box))


def _cells(box: Box) -> list[tuple[int, int]]:
    i0, i1 = int(box.east0 // CELL_M), int(box.east1 // CELL_M)
    j0, j1 = int(box.north0 // CELL_M), int(box.north1 // CELL_M)
    return [(i, j) for i in range(i0, i1 + 1) for j in range(j0, j1 + 1)]
