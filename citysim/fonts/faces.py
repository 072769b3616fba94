"""The typefaces of the city, all under the SIL Open Font License.

Latin families are installed from PyPI as fontpkg-* packages; the Chinese and Japanese ones are subsets of Noto Sans in
`data`, beside their licence (made by `citysim.build.text.subsetting`).
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from citysim.errors import DependencyError, UnknownNameError
from citysim.fonts.cmap import characters

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont


@dataclass(frozen=True, slots=True)
class Face:
    """A font file in a folder of an installed package; `axes` sets the axes of a variable font in its own order."""

    package: str
    file: str
    axes: tuple[int, ...] = ()
    folder: str = "files"


FACES: dict[str, Face] = {
    "sans": Face("fontpkg_archivo", "Archivo[wdth,wght].ttf", (700, 96)),
    "narrow": Face("fontpkg_barlow_condensed", "BarlowCondensed-SemiBold.ttf"),
    "slab": Face("fontpkg_bitter", "Bitter[wght].ttf", (700,)),
    "serif": Face("fontpkg_playfair_display", "PlayfairDisplay[wght].ttf", (800,)),
    "poster": Face("fontpkg_bebas_neue", "BebasNeue-Regular.ttf"),
    "round": Face("fontpkg_rubik", "Rubik[wght].ttf", (600,)),
    "wide": Face("fontpkg_archivo", "Archivo[wdth,wght].ttf", (800, 122)),
    "heavy": Face("fontpkg_barlow_condensed", "BarlowCondensed-ExtraBold.ttf"),
    "italic": Face("fontpkg_playfair_display", "PlayfairDisplay-Italic[wght].ttf", (800,)),
    "leaning": Face("fontpkg_rubik", "Rubik-Italic[wght].ttf", (700,)),
    "book": Face("fontpkg_bitter", "Bitter-Italic[wght].ttf", (700,)),
    "han": Face("citysim.fonts", "SignsTC-Bold.ttf", (), "data"),
    "kana": Face("citysim.fonts", "SignsJP-Bold.ttf", (), "data"),
}
FALLBACK = (
    "sans",
    "round",
    "narrow",
    "slab",
    "serif",
    "han",
    "kana",
)  # where a missing letter is looked for, in this order


def _bytes(face: Face) -> bytes:
    try:
        return (files(face.package) / face.folder / face.file).read_bytes()
    except (ModuleNotFoundError, FileNotFoundError) as error:
        wheel = face.package.replace("_", "-")
        raise DependencyError(f"the font {face.file}", f"no package {wheel}", f"pip install {wheel}") from error


def _face(name: str) -> Face:
    if name not in FACES:
        raise UnknownNameError.of("typeface", name, FACES)
    return FACES[name]


@cache
def coverage(name: str) -> frozenset[int]:
    """Code points the face `name` can draw."""
    return characters(_bytes(_face(name)))


@cache
def _sized(name: str, size: int) -> "FreeTypeFont":
    from io import BytesIO

    from PIL import ImageFont

    face = _face(name)
    made = ImageFont.truetype(BytesIO(_bytes(face)), size, layout_engine=ImageFont.Layout.BASIC)
    if face.axes:
        made.set_variation_by_axes(list(face.axes))
    return made


@cache
def _cap_ratio(name: str) -> float:
    return float(-_sized(name, 1000).getbbox("H", anchor="ls")[1]) / 1000.0


def font(name: str, cap: int) -> "FreeTypeFont":
    """The face `name` in the size whose capital letters are `cap` texels high."""
    return _sized(name, max(1, round(cap / _cap_ratio(name))))
