"""Styles of the preset `akiba`: narrow shop buildings, an avenue, a viaduct."""

from citysim.build.buildings.style import Mass, made_of

WALLS = (
    "#d8d6d1",
    "#b7b5b0",
    "#8f9499",
    "#c9bda9",
    "#cfc9bc",
    "#a7a9a6",
    "#bdb09c",
    "#9aa3a6",
    "#c4b8b0",
    "#b0b7ab",
    "#d3c8ae",
    "#a39b94",
    "#bcc3c6",
)
TILES = (
    "#c9bda9", "#b98f6c", "#a39786", "#dcd6c8", "#8f6f5c", "#b3b1aa", "#7f8f96", "#d9c9a4", "#a8584a", "#9aa88f",
    "#e4e1d8", "#6f7478",
)  # fmt: skip
GLASS = ("#c8d2d6", "#b8c4c8", "#a9b6bb", "#d8dcd8")
SHOPS = (("open", 3.0), ("glass", 3.0), ("glass2", 2.0), ("shutter", 1.0))
ROOF = (("tank", 0.5), ("plant", 0.5), ("billboard", 0.35), ("aerial", 0.25), ("hut", 0.4))

AKIBA = (
    made_of(
        "akiba_pencil", "mosaic", "#d3d0c6", WALLS, bays=5, fronts="front/akiba", floor=3.4, ground_height=3.9,
        uppers=("a", "b", "c"), stacks=("abc",), levels=(5, 9), shops=SHOPS,
        homes=(("shutter", 1.0), ("glass2", 1.0), ("lobby", 1.0)),
        retail=0.9, attachments=(("aircon", 0.16), ("awning", 0.35), ("pipe", 0.2), ("ladder", 0.2)), plant=ROOF,
        mass=Mass("stepped", crown=1, inset=2.5),
    ),
    made_of(
        "akiba_avenue", "metal", "#d5d9da", GLASS, bays=8, fronts="front/akiba", floor=3.6,
        ground_height=4.2, uppers=("a", "b"), levels=(7, 10), shops=SHOPS, homes=(("lobby", 1.0), ("glass2", 1.0)),
        retail=1.0, attachments=(("awning", 0.3), ("aircon", 0.15)), plant=ROOF,
        mass=Mass("stepped", crown=2, inset=3.0),
    ),
    made_of(
        "akiba_tower", "metal", "#d5d9da", GLASS, bays=10, fronts="front/akiba", floor=3.7,
        ground_height=4.6, uppers=("a", "b"), stacks=("ab", "cd"), levels=(12, 22),
        shops=(("glass", 2.0), ("lobby", 1.0)),
        homes=(("lobby", 1.0),), retail=0.8, plant=(("lifthouse", 1.0), ("plant", 1.0), ("aerial", 0.6)),
        mass=Mass("setback", podium=3, inset=2.5),
    ),
    made_of(
        "akiba_station", "concrete", "#dedbd2", ("#b7b5b0", "#c4c1ba", "#a7a9a6"), bays=4, fronts="front/akiba",
        floor=3.8, ground_height=4.8, levels=(2, 4), shops=(("glass", 2.0), ("open", 1.0), ("lobby", 2.0)),
        homes=(("lobby", 1.0),), retail=1.0, plant=(("plant", 1.0),), attachments=(("canopy", 0.8),),
        mass=Mass("shed"),
    ),
    made_of(
        "akiba_backstreet", "plaster", "#e6e2da", TILES, bays=5, fronts="front/akiba", floor=3.3, ground_height=3.8,
        uppers=("a", "b", "c"), levels=(3, 5), shops=(("shutter", 2.0), ("glass2", 2.0), ("open", 2.0)),
        homes=(("blank", 0.7), ("window", 3.0), ("garage", 1.0), ("lobby", 0.6)), retail=0.6,
        page="facade/akiba_pencil",
        attachments=(("aircon", 0.25), ("awning", 0.4), ("pipe", 0.25), ("ladder", 0.2)), plant=ROOF,
    ),
)  # fmt: skip
