"""TextAtlas: sign faces packed into few pages, neighbours in the city on the same page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from citysim.build.draft import CityDraft, MaterialSpec, Texture
from citysim.build.plans import Xy
from citysim.build.text.packing import shelves, smallest_page
from citysim.errors import InputError

CELL = 4  # texels: sides of cells are multiples of this, so that two mip levels never mix two signs
GUTTER = 2  # texels of repeated border around a sign
PAGE = 1024  # texels, the largest page


class Picture(Protocol):
    """What an atlas can print: a hashable picture that knows how many texels one unit of its size has."""

    @property
    def pixels(self) -> NDArray[np.uint8]:
        """(H, W, 3) uint8 sRGB."""

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) in texels."""

    @property
    def cap(self) -> int:
        """Texels of a capital's height, or of a metre: the unit that Printed measures in."""

    @property
    def key(self) -> tuple[object, ...]:
        """Sorts pictures of one kind."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A sign face in a page: material, (left, top, right, bottom) texture units, and its size in capital heights."""

    material: str
    uv: tuple[float, float, float, float]
    width: float
    height: float


class TextAtlas:
    """Collects faces with where they are used, packs them once, then answers where each one is printed.

    `glow` is how brightly the pages shine at night, 0 to 255.
    """

    def __init__(self, draft: CityDraft, name: str, glow: int = 0) -> None:
        self.draft, self.name, self.glow = draft, name, glow
        self._wanted: list[tuple[Picture, Xy]] = []
        self._printed: list[dict[Picture, Printed]] = []
        self._page_of: list[int] = []
        self.pages = 0

    def want(self, face: Picture, xy: Xy) -> int:
        """Ask for a face used at `xy` (local metres); returns a ticket for `printed` after `pack`."""
        self._wanted.append((face, xy))
        return len(self._wanted) - 1

    def pack(self) -> None:
        """Fill the pages, along a curve through the city so that each page serves one area."""
        order = sorted(range(len(self._wanted)), key=lambda i: (_morton(self._wanted[i][1]), i))
        self._page_of = [0] * len(order)
        start = 0
        while start < len(order):
            count = self._fit(order, start)
            faces = sorted({self._wanted[i][0] for i in order[start : start + count]}, key=lambda face: face.key)
            self._page(faces)
            for i in order[start : start + count]:
                self._page_of[i] = len(self._printed) - 1
            start += count
        self.pages = len(self._printed)

    def printed(self, ticket: int) -> Printed:
        """Where the face of a ticket stands."""
        return self._printed[self._page_of[ticket]][self._wanted[ticket][0]]

    def _fit(self, order: Sequence[int], start: int) -> int:
        """How many tickets from `start` on fit one page together."""
        seen: set[Picture] = set()
        area, end = 0, start
        while end < len(order):
            face = self._wanted[order[end]][0]
            if face not in seen:
                width, height = _cell(face)
                if width > PAGE or height > PAGE:
                    raise InputError(
                        f"a sign of at most {PAGE} texels", f"one of {width} x {height}", "a smaller `cap`"
                    )
                area += width * height
                if area > PAGE * PAGE:
                    break
                seen.add(face)
            end += 1
        while True:
            faces = sorted({self._wanted[i][0] for i in order[start:end]}, key=lambda face: face.key)
            if shelves([_cell(f) for f in faces], PAGE, PAGE) is not None:
                return end - start
            end -= max(1, (end - start) // 24)

    def _page(self, faces: Sequence[Picture]) -> None:
        found = smallest_page([_cell(f) for f in faces], PAGE)
        if found is None:
            raise InputError("signs that fit one page", f"{len(faces)} that do not", "packing fewer at a time")
        (width, height), places = found
        key = f"{self.name}/{len(self._printed)}"
        here: dict[Picture, Printed] = {}
        for face, (x, y) in zip(faces, places, strict=True):
            w, h = face.size
            left, top = x + GUTTER + 0.5, y + GUTTER + 0.5
            uv = (left / width, top / height, (left + w - 1) / width, (top + h - 1) / height)
            here[face] = Printed(key, uv, w / face.cap, h / face.cap)
        self.draft.painted(key, _print, (width, height), list(zip(faces, places, strict=True)), self.glow)
        self.draft.material(key, MaterialSpec(key))
        self._printed.append(here)


def _print(size: tuple[int, int], faces: Sequence[tuple[Picture, tuple[int, int]]], glow: int) -> Texture:
    """A page of faces, each in its cell with its border repeated around it."""
    width, height = size
    picture: NDArray[np.uint8] = np.zeros((height, width, 3), dtype=np.uint8)
    for face, (x, y) in faces:
        w, h = face.size
        cell_w, cell_h = _cell(face)
        after = ((GUTTER, cell_h - h - GUTTER), (GUTTER, cell_w - w - GUTTER), (0, 0))
        picture[y : y + cell_h, x : x + cell_w] = np.pad(face.pixels, after, mode="edge")
    return Texture(picture, glow=np.full((height, width), glow, dtype=np.uint8) if glow else None)


def _cell(face: Picture) -> tuple[int, int]:
    width, height = face.size
    return _up(width + 2 * GUTTER), _up(height + 2 * GUTTER)


def _up(size: int) -> int:
    return -(-size // CELL) * CELL


def _morton(xy: Xy) -> int:
    """The place of a point on a Z-shaped curve through 16 m cells."""
    code = 0
    x, y = (int(v // 16.0) + (1 << 14) for v in xy)
    for bit in range(15):
        code |= ((x >> bit & 1) << (2 * bit)) | ((y >> bit & 1) << (2 * bit + 1))
    return code
