"""SignStyle: which signs a preset hangs where, in which colours and typefaces, and the room they keep."""

from dataclasses import dataclass

from citysim.build.places.categories import Scheme
from citysim.build.plans import CityPlan

Range = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Hung:
    """Signs across the pavement: their share of places, sizes in metres, and how high they hang.

    `out` and `tall` are ranges of width and height; `low` is the least height of the underside over pavements, `road`
    over carriageways, `rails` over rails; `reach` is the furthest they go from the wall.
    """

    share: float
    out: Range
    tall: Range
    low: float
    road: float
    rails: float = 7.0
    reach: float = 4.2
    layouts: tuple[str, ...] = ("rows",)


@dataclass(frozen=True, slots=True)
class SignStyle:
    """Everything a preset decides about signs."""

    name: str = "plain"
    glow: int = 150  # of lit boards at night, 0 to 255
    head: float = 2.6  # metres: upper edge of doors and shop windows
    tallest: float = 0.95  # metres: a fascia board
    local_face: str = ""  # typeface of local letters on fascias
    palette: tuple[str, ...] = ()  # "ground ink accent", "" for the colours of the trade
    faces: tuple[str, ...] = ()
    blade: float = 0.4  # share of fronts with a small sign across the pavement
    hanging: Hung | None = None
    column: Hung | None = None
    stack: Hung | None = None  # for tenants of upper storeys
    banner: float = 0.0  # share of walls with a cloth over several storeys
    rooftop: float = 0.0  # share of tall buildings with a sign on the roof
    plate: tuple[str, str] = ("#173f8a", "#f6f6f2")  # street names: ground and ink
    plates_high: bool = False  # street names hang above the ground floor's windows wherever there is room

    def scheme(self, row: str, face: str) -> Scheme:
        """The fascia colours of a palette row."""
        ground, ink, _ = row.split()
        return Scheme(ground, ink, face)


_LATIN = ("sans", "round", "slab", "narrow", "wide", "heavy")
STYLES: dict[str, SignStyle] = {
    "plain": SignStyle(),
    "harbour": SignStyle(
        "harbour", 235, 2.95, 1.25, "han",
        ("#b3161e #ffe27a #f2c230", "#0b5a2e #fff3c4 #8fd08a", "#12345e #f6f3e6 #6fa4e6", "#f4f1e6 #a3121a #a3121a",
         "#f2c230 #7d0f14 #7d0f14", "#1a1a1e #ffd24a #e8413a", "#f4f1e6 #12345e #2f8f5c", "#5a1460 #ffe9b0 #d98ae0",
         "#0d5a62 #fdf6dc #f2c230", "#f7e3a0 #0b4a2e #a3121a"),
        _LATIN, 0.15,
        Hung(0.62, (1.1, 3.0), (0.9, 1.9), 3.5, 5.8, layouts=("rows", "rows", "plain")),
        Hung(0.3, (0.95, 1.4), (3.2, 7.0), 3.5, 5.8, layouts=("column",)),
        Hung(1.0, (1.1, 2.2), (0.9, 1.5), 3.5, 5.8, layouts=("rows", "floor")),
        0.06, 0.16, ("#f4f4ee", "#0b5a34"),
    ),
    "akiba": SignStyle(
        "akiba", 245, 2.7, 1.4, "kana",
        ("#e60033 #ffffff #ffd900", "#ffd900 #1a1a1a #e60033", "#0058a0 #ffffff #ffd900", "#00703a #ffffff #ffd900",
         "#ffffff #d0002e #0068b7", "#f6f6f2 #0058a0 #f39800", "#17171a #ffb531 #f39800", "#f6f6f2 #1a1a1a #00a960",
         "#f39800 #1c1206 #ffffff", "#ffffff #00602f #e60033"),
        ("sans", "wide", "heavy", "round", "narrow"), 0.1,
        Hung(0.4, (0.8, 1.2), (0.9, 1.6), 2.6, 4.75, reach=1.5, layouts=("rows", "plain")),
        Hung(0.5, (0.9, 1.2), (3.5, 8.0), 2.8, 4.75, reach=1.5, layouts=("column",)),
        Hung(1.0, (0.95, 1.2), (1.2, 1.5), 2.8, 4.75, reach=1.5, layouts=("floor",)),
        0.4, 0.3, ("#0b4f8a", "#f6f6f2"),
    ),
    "oldtown": SignStyle(
        "oldtown", 110, 2.7, 0.75, "", (), (), 0.2,
        Hung(0.55, (0.6, 0.85), (0.55, 0.9), 2.6, 4.5, reach=1.0, layouts=("plain",)),
        plate=("#e9e2cf", "#27303a"), plates_high=True,
    ),
    "grid": SignStyle(
        "grid", 200, 2.9, 0.95, "", (), (), 0.25,
        Hung(0.35, (0.7, 0.95), (0.7, 1.4), 2.7, 4.75, reach=1.3, layouts=("plain",)),
        Hung(0.06, (0.9, 1.2), (3.0, 6.0), 3.2, 4.75, reach=1.6, layouts=("plain",)),
        Hung(0.35, (0.8, 1.0), (0.8, 1.1), 3.0, 4.75, reach=1.3, layouts=("floor",)),
        rooftop=0.06, plate=("#1f4d3a", "#f6f6f2"), plates_high=True,
    ),
    "garden": SignStyle("garden", 150, 2.5, 0.7, "", (), (), 0.5, rooftop=0.0, plate=("#f4f4ee", "#1d2a52")),
}  # fmt: skip


def style_of(plan: CityPlan) -> SignStyle:
    """The style of a plan's preset; "plain" for cities that are no preset."""
    return STYLES.get(str(plan.generator.get("preset", "")), STYLES["plain"])
