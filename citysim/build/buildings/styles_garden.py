"""Styles of the preset `garden`: slabs, galleries, points and rows in green."""

from citysim.build.buildings.style import Mass, made_of

WHITE = (
    "#d9d9d3", "#b8bab6", "#cdcbc2", "#d6d2c6", "#c4c6c4", "#d0cdbf", "#c9c2b4", "#bfc4c6", "#d8cfc4", "#c6cabd",
)  # fmt: skip
BRICK = ("#c2a15f", "#b5946a", "#a8765a", "#9b6a50", "#c9b07c", "#8f6a56")
HOMES = (("window", 3.0), ("blank", 2.0), ("garage", 1.0))
FLAT = (("lifthouse", 0.9), ("vents", 1.0))

GARDEN = (
    made_of(
        "garden_slab", "panel", "#d8d6cf", WHITE, bays=3, fronts="front/garden", floor=2.8, ground_height=2.9,
        uppers=("a", "b"), levels=(4, 4), shops=(("glass2", 1.0),), homes=HOMES,
        attachments=(("balcony", 0.5), ("door_canopy", 1.0)), plant=(("vents", 1.0),),
    ),
    made_of(
        "garden_gallery", "panel", "#d8d6cf", WHITE, bays=3, fronts="front/garden", floor=2.8, ground_height=3.0,
        uppers=("a", "b"), levels=(9, 11), page="facade/garden_slab", shops=(("glass2", 1.0),), homes=HOMES,
        attachments=(("gallery", 1.0), ("balcony", 1.0), ("door_canopy", 1.0)), plant=FLAT,
    ),
    made_of(
        "garden_point", "panel", "#d8d6cf", WHITE, bays=3, fronts="front/garden", floor=2.8, ground_height=3.0,
        uppers=("c", "d"), levels=(12, 16), page="facade/garden_slab", shops=(("glass2", 1.0),), homes=HOMES,
        attachments=(("balcony", 0.6), ("door_canopy", 1.0)), plant=FLAT,
    ),
    made_of(
        "garden_row", "brick_pale", "#b89a72", BRICK, bays=3, fronts="front/garden", floor=2.8, ground_height=2.8,
        uppers=("a", "b"), levels=(2, 2), shops=(("glass2", 1.0),), homes=(("window", 1.0),), vivid=0.5,
        attachments=(("door_canopy", 1.0),), forms=(("gabled", 0.7), ("flat", 0.3)), pitch=38.0, roofs=("tile",),
        plant=(("chimney", 0.8), ("dormer", 0.3)),
    ),
    made_of(
        "garden_centre", "panel", "#d8d6cf", ("#cdcbc2", "#c2a15f", "#b8bab6"), bays=4, fronts="front/garden",
        floor=3.6, ground_height=4.0, uppers=("a", "b"), levels=(1, 3),
        shops=(("glass", 2.0), ("glass2", 2.0)), homes=(("blank", 1.0), ("glass2", 1.0)), retail=1.0,
        attachments=(("canopy", 1.0),), plant=(("plant", 1.0), ("vents", 1.0)),
    ),
    made_of(
        "garden_school", "brick_pale", "#b89a72", BRICK, bays=4, fronts="front/garden", floor=3.6,
        ground_height=3.6, uppers=("c", "b"), levels=(1, 3), page="facade/garden_centre", vivid=0.5,
        shops=(("window", 1.0),), homes=(("window", 2.0), ("lobby", 1.0)), plant=(("vents", 1.0), ("plant", 0.6)),
        mass=Mass("block"),
    ),
)  # fmt: skip
