"""Styles of the preset `harbour`: a steep, dense port city."""

from citysim.build.buildings.style import Mass, made_of

PALE = ("#d9c3b5", "#c7d3c8", "#e3d9c3", "#b9c4c9", "#cdb9a8", "#d6cfb4", "#b5bfb0", "#d0c4c6", "#c9b8a0", "#bcc7c4")
GREY = ("#a9a39a", "#8e8a83", "#b5b0a6", "#9fa3a1", "#bdb6a8", "#a59c94")
TILE = (
    "#d6cdbb", "#c9b7a6", "#b7c3bd", "#ccc2ab", "#b9aea4", "#d4bfae", "#aebbc2", "#c2c9b2", "#d9c9c2", "#b3a894",
    "#c7bfc9", "#a9b5a8", "#d8d4c8", "#bfae96",
)  # fmt: skip
GLASS = ("#c8d2d6", "#b4c2c4", "#a9b6bb", "#cfd4d2", "#b9c8c1")
STREET = (("open", 3.0), ("glass", 2.0), ("glass2", 2.0), ("shutter", 2.0))
FLAT = (("hut", 0.6), ("tank", 0.6), ("aerial", 0.6), ("lines", 0.4), ("plant", 0.4))
HIGH = (("lifthouse", 1.0), ("tank", 1.0), ("aerial", 0.6), ("plant", 0.7))

HARBOUR = (
    made_of(
        "harbour_tonglau", "plaster", "#e6e2da", PALE, bays=5, fronts="front/harbour", floor=3.1, ground_height=4.6,
        uppers=("a", "b", "c"), levels=(4, 6), shops=STREET, homes=(("shutter", 2.0), ("glass2", 1.0), ("blank", 1.0)),
        retail=0.8, attachments=(("aircon", 0.3), ("cage", 0.14), ("pipe", 0.35), ("canopy", 0.5)), plant=FLAT,
        mass=Mass("stepped", crown=1, inset=3.0), vivid=0.33,
    ),
    made_of(
        "harbour_walkup", "mosaic", "#d3d0c6", TILE, bays=5, fronts="front/harbour", floor=3.0, ground_height=4.5,
        uppers=("a", "b", "c"), stacks=("abc",), levels=(6, 16), shops=STREET,
        homes=(("shutter", 1.0), ("lobby", 1.0), ("blank", 1.0)),
        retail=0.7, attachments=(("aircon", 0.3), ("bay_window", 0.25), ("pipe", 0.35), ("canopy", 0.6)), plant=FLAT,
    ),
    made_of(
        "harbour_podium_tower", "stone", "#dcd5c9", GREY, bays=4, fronts="front/harbour", floor=3.8,
        ground_height=5.0, levels=(26, 44), shops=(("glass", 3.0), ("glass2", 2.0), ("lobby", 1.0)),
        homes=(("lobby", 1.0), ("blank", 1.0), ("garage", 1.0)), retail=0.9, plant=HIGH,
        attachments=(("canopy", 0.8),), cornice=0.12,
        mass=Mass("podium", podium=3, inset=4.0, plan=28.0, tower="cross", upper="harbour_estate"),
    ),
    made_of(
        "harbour_estate", "mosaic", "#d3d0c6", TILE, bays=5, fronts="front/harbour", floor=2.9, ground_height=4.5,
        uppers=("a", "b", "c", "d"), stacks=("abcd",), levels=(20, 36),
        shops=(("glass2", 1.0), ("shutter", 1.0), ("lobby", 1.0)),
        homes=(("lobby", 2.0), ("blank", 2.0), ("garage", 1.0)), retail=0.2, plant=HIGH,
        mass=Mass("podium", podium=1, inset=1.5, plan=27.0, tower="aitch"),
    ),
    made_of(
        "harbour_office", "metal", "#d5d9da", GLASS, bays=10, fronts="front/harbour", floor=3.8,
        ground_height=5.0, stacks=("ab", "cd"), levels=(15, 35), shops=(("glass", 2.0), ("lobby", 2.0)),
        homes=(("lobby", 1.0),), retail=0.6,
        plant=(("lifthouse", 1.0), ("plant", 1.0), ("aerial", 0.5)), attachments=(("canopy", 0.35),),
        mass=Mass("setback", podium=4, inset=2.5),
    ),
    made_of(
        "harbour_market", "concrete", "#dedbd2", GREY, bays=4, fronts="front/harbour", floor=3.8,
        ground_height=4.8, levels=(2, 4), shops=(("open", 3.0), ("shutter", 1.0)),
        homes=(("open", 1.0), ("blank", 1.0)), retail=1.0, plant=(("plant", 1.0), ("tank", 0.8)),
        attachments=(("canopy", 0.9), ("pipe", 0.3)),
    ),
    made_of(
        "harbour_civic", "stone", "#dcd5c9", ("#cfc4ae", "#c3b49c", "#d6cdbc", "#b9b0a2"), bays=4,
        fronts="front/harbour", floor=3.8, ground_height=4.8, levels=(3, 5),
        shops=(("lobby", 1.0), ("window", 2.0)), homes=(("window", 1.0),), cornice=0.45,
        forms=(("flat", 0.5), ("hipped", 0.5)), pitch=28.0, roofs=("tile",),
    ),
)  # fmt: skip
