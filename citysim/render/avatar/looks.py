"""Looks: what kinds of people there are: build, clothes, what they carry, and the colours that occur."""

from dataclasses import dataclass, field

# Parts of a figure: what has a colour of its own.
SKIN, HAIR, TOP, BOTTOM, SHOES, BAG, HAT, DETAIL, DARK, CANOPY, SOCKS, STRIPE = range(12)
PARTS = 12

Colors = tuple[str, ...]
SKINS: Colors = ("#f1cbb0", "#e8b896", "#d9a27c", "#c68a63", "#a86f4b", "#835437", "#5f3b27", "#eec3a2")
HAIRS: Colors = ("#1d1612", "#2c1f17", "#4a3222", "#6d4a2c", "#98703e", "#b99355", "#7a3b1e", "#151515")
GREYS: Colors = ("#c9c7c2", "#a9a7a3", "#8b8985", "#dddbd6")
SUITS: Colors = ("#22262f", "#2d3340", "#3c3f45", "#1b2a41", "#4a4640", "#55555a")
SHIRTS: Colors = ("#f2f2ee", "#dbe6f2", "#f0e3e6", "#e6efe0", "#cfd8e6")
BRIGHTS: Colors = (
    "#c23b34", "#2f6db3", "#3f8f57", "#d99a2b", "#7d4a94", "#e3dcd0", "#24303c", "#cf6f8f", "#3a9aa3", "#d8d24f",
    "#8a3324", "#5b6f83", "#f0f0ec", "#4f5b2f",
)  # fmt: skip
JEANS: Colors = ("#2b3a55", "#3a5070", "#1d232e", "#55657a", "#6b6459", "#8c7f68", "#26262a")
SKIRTS: Colors = ("#2a2a30", "#4b3a4f", "#7b2f36", "#3a4f62", "#8a7a5e", "#5a6b4a")
BAGS: Colors = ("#3a2a1e", "#17181c", "#5b3b26", "#7c2d2d", "#2c4a3e", "#8c6b3f", "#2b3f66", "#b5482a")
FEET: Colors = ("#1a1715", "#3a2a20", "#22242a", "#5c4632")
TRAINERS: Colors = ("#e8e8e6", "#2a2d33", "#b33c35", "#3c6fa8", "#d6d0c4")
UMBRELLAS: Colors = ("#16181d", "#1f2f4f", "#7a1f2b", "#2f5d46", "#b5402f", "#d8b03c", "#4a4a52", "#c7d3dc", "#5d3a6e")
HIVIS: Colors = ("#f07a1a", "#d8e022")
HELMETS: Colors = ("#f2c21c", "#f0f0ee", "#2f6db3", "#e0562b")
HATS: Colors = ("#e6dcc3", "#20242c", "#8c2f2a", "#2f4a6b", "#c9b48a", "#efefec")
TIES: Colors = ("#7a1f2b", "#1f2f5f", "#2f5d46", "#3a3a42")


@dataclass(frozen=True)
class Look:
    """One kind of person; sizes in metres for legs of size 1.

    name    what it is called
    ages    (youngest, oldest) who look like this
    broad   half the distance between the shoulders; slim: waist over chest; head: its size
    stoop   radians bent forward
    hair    "short", "long", "tail", "bun" or "none" (under a hat that covers it)
    hat     "", "cap", "brim" or "helmet"
    legs    "long", "short" trousers, "skirt", "long skirt"
    sleeves "long" or "short"
    hem     how far the top hangs below the waist: 0 for a shirt that is tucked in
    wears   of "tie", "vest" (bands), "collar"; carries: of "backpack", "shoulder", "case", "camera"
    grey: of hair; suit: whether the lower clothes have the colour of the top
    colors  part -> the colours that occur; hair, skin and umbrella have those of all people
    """

    name: str
    ages: tuple[float, float]
    broad: float = 0.185
    slim: float = 0.85
    head: float = 1.0
    stoop: float = 0.0
    hair: str = "short"
    hat: str = ""
    legs: str = "long"
    sleeves: str = "long"
    hem: float = 0.06
    wears: tuple[str, ...] = ()
    carries: tuple[str, ...] = ()
    grey: bool = False
    suit: bool = False
    colors: dict[int, Colors] = field(default_factory=dict)


ADULT, OLD = (17.0, 65.0), (65.0, 120.0)

LOOKS: tuple[Look, ...] = (
    Look("office man", ADULT, hem=0.16, suit=True, wears=("collar", "tie"), carries=("case",),
         colors={BAG: ("#17181c", "#3a2a1e", "#4a3020"), TOP: SUITS, BOTTOM: SUITS, SHOES: FEET, DETAIL: SHIRTS,
                 STRIPE: TIES}),
    Look("office woman", ADULT, 0.160, 0.76, hair="long", legs="skirt", hem=0.10, wears=("collar",),
         carries=("shoulder",), colors={TOP: SUITS, BOTTOM: SUITS + SKIRTS, SHOES: FEET, DETAIL: SHIRTS}),
    Look("man in jeans", ADULT, sleeves="short", hem=0.09, colors={TOP: BRIGHTS, BOTTOM: JEANS, SHOES: TRAINERS}),
    Look("woman in jeans", ADULT, 0.158, 0.78, hair="tail", hem=0.08, carries=("shoulder",),
         colors={TOP: BRIGHTS, BOTTOM: JEANS, SHOES: TRAINERS}),
    Look("woman in a dress", ADULT, 0.155, 0.74, hair="long", legs="skirt", sleeves="short", hem=0.0,
         suit=True, colors={TOP: BRIGHTS, SHOES: FEET}),
    Look("student", (15.0, 30.0), 0.178, 0.92, hem=0.12, carries=("backpack",),
         colors={TOP: BRIGHTS, BOTTOM: JEANS, SHOES: TRAINERS}),
    Look("runner", (17.0, 60.0), 0.175, 0.82, legs="short", sleeves="short", hem=0.05,
         colors={TOP: BRIGHTS, BOTTOM: JEANS, SHOES: TRAINERS}),
    Look("sportswoman", (17.0, 60.0), 0.155, 0.76, hair="tail", sleeves="short", hem=0.02,
         colors={TOP: BRIGHTS, BOTTOM: ("#1d1f26", "#33243f", "#1f3a4a"), SHOES: TRAINERS}),
    Look("tourist with a hat", ADULT, 0.19, 0.96, hat="brim", legs="short", sleeves="short", hem=0.12,
         carries=("backpack", "camera"), colors={TOP: BRIGHTS, BOTTOM: ("#a3926c", "#6b6f55", "#8c7f68"),
                                                 SHOES: TRAINERS, HAT: HATS}),
    Look("tourist with a cap", ADULT, 0.158, 0.80, hair="tail", hat="cap", legs="short", sleeves="short", hem=0.08,
         carries=("backpack",), colors={TOP: BRIGHTS, BOTTOM: JEANS, SHOES: TRAINERS, HAT: HATS}),
    Look("worker", (18.0, 65.0), 0.195, 0.95, hair="none", hat="helmet", hem=0.14, wears=("vest",),
         colors={TOP: HIVIS, BOTTOM: ("#22314a", "#3b3d40", "#4f4630"), SHOES: ("#4a3a28", "#1c1a18"), HAT: HELMETS,
                 STRIPE: ("#dfe6e6",)}),
    Look("woman in a coat", (20.0, 75.0), 0.165, 0.82, hair="bun", hem=0.48, carries=("shoulder",),
         colors={TOP: SUITS + SKIRTS + ("#b08a5c", "#7c2d2d"), BOTTOM: JEANS, SHOES: FEET}),
    Look("elderly man", OLD, 0.18, 1.0, stoop=0.10, hat="cap", hem=0.12, grey=True, wears=("collar",),
         colors={TOP: ("#5a5248", "#4a5560", "#6d5a43", "#3f4a3c"), BOTTOM: ("#4a463f", "#6b6459", "#33363c"),
                 SHOES: FEET, HAT: ("#4a463f", "#3b4048", "#6b5a45"), DETAIL: SHIRTS}),
    Look("elderly woman", OLD, 0.165, 0.96, stoop=0.14, hair="bun", legs="long skirt", hem=0.14, grey=True,
         carries=("shoulder",), colors={TOP: ("#8c6f86", "#5f7285", "#9c5b62", "#6f8068"), BOTTOM: SKIRTS,
                                        SHOES: FEET}),
    Look("boy", (0.0, 14.0), 0.162, 1.0, 1.22, legs="short", sleeves="short", hem=0.08, carries=("backpack",),
         colors={TOP: BRIGHTS, BOTTOM: JEANS, SHOES: TRAINERS}),
    Look("girl", (0.0, 14.0), 0.155, 0.92, 1.22, hair="tail", legs="skirt", sleeves="short", hem=0.0,
         suit=True, colors={TOP: BRIGHTS, SHOES: TRAINERS}),
    Look("schoolboy", (7.0, 18.0), 0.165, 0.94, 1.10, hem=0.0, wears=("collar", "tie"), carries=("backpack",),
         colors={TOP: ("#f4f4f0",), BOTTOM: ("#1f2a44", "#34373d"), SHOES: ("#141414",), DETAIL: ("#f4f4f0",),
                 STRIPE: ("#7a1f2b", "#1f2f5f")}),
    Look("schoolgirl", (7.0, 18.0), 0.155, 0.86, 1.10, hair="tail", legs="skirt", hem=0.0, wears=("collar", "tie"),
         carries=("shoulder",), colors={TOP: ("#f4f4f0",), BOTTOM: ("#1f2a44", "#5b2530", "#34473d"),
                                        SHOES: ("#141414",), SOCKS: ("#f2f2f2", "#20242c"), DETAIL: ("#f4f4f0",),
                                        STRIPE: ("#7a1f2b", "#1f2f5f")}),
)  # fmt: skip
