"""Styles of the preset `grid`: brick with cornices beside glass, row houses, set-back towers."""

from citysim.build.buildings.style import Mass, made_of

BRICK = (
    "#8a4a36",
    "#9b5642",
    "#7a3f30",
    "#a8634a",
    "#b58a64",
    "#8f5a44",
    "#a9785a",
    "#6f4236",
    "#9f6f5c",
    "#84503c",
    "#c09a78",
    "#955f52",
)
PALE = ("#c8bca4", "#b99a6b", "#a9a7a1", "#d0c6b2", "#b8ab94", "#c4b08c", "#beb8ac")
GLASS = ("#a9bac4", "#9db0b8", "#c2ccd0", "#b2b8b4", "#8fa3ac")
BROWN = ("#8a4a36", "#7a4a3a", "#96604a", "#a9775c", "#6e4538", "#b09078")
SHOPS = (("glass", 3.0), ("glass2", 3.0), ("shutter", 0.6))
HIGH = (("lifthouse", 1.0), ("plant", 1.0))

GRID = (
    made_of(
        "grid_brick", "brick", "#9b5642", BRICK, bays=4, fronts="front/grid", floor=3.3, ground_height=4.8,
        uppers=("a", "b", "c"), levels=(4, 8), shops=SHOPS, homes=(("window", 3.0), ("lobby", 1.0), ("blank", 1.0)),
        retail=0.6, vivid=0.75, cornice=0.7, attachments=(("fire_escape", 0.25), ("awning", 0.4), ("aircon", 0.12)),
        plant=(("watertower", 0.55), ("hut", 0.7), ("plant", 0.6)),
    ),
    made_of(
        "grid_limestone", "stone", "#dcd5c9", PALE, bays=4, fronts="front/grid", floor=3.6,
        ground_height=5.2, uppers=("a", "b"), stacks=("ab",), levels=(6, 12), shops=SHOPS,
        homes=(("lobby", 1.0), ("window", 1.0)),
        retail=0.6, cornice=0.8, attachments=(("awning", 0.3),), plant=(("watertower", 0.4), ("lifthouse", 0.8),
        ("plant", 0.6)),
    ),
    made_of(
        "grid_setback_tower", "stone", "#dcd5c9", PALE, bays=4, fronts="front/grid", floor=3.6,
        ground_height=5.4, uppers=("a", "b"), stacks=("ab",), levels=(14, 34), page="facade/grid_limestone",
        shops=SHOPS,
        homes=(("lobby", 1.0),), retail=0.7, cornice=0.4, plant=(("lifthouse", 1.0), ("aerial", 0.7)),
        mass=Mass("setback", podium=6, inset=3.5, crown=4),
    ),
    made_of(
        "grid_glass", "metal", "#d5d9da", GLASS, bays=10, fronts="front/grid", floor=3.9, ground_height=5.5,
        uppers=("a", "b"), stacks=("ab", "cd"), levels=(12, 40), shops=(("glass", 2.0), ("lobby", 2.0)),
        homes=(("lobby", 1.0),), retail=0.7,
        plant=HIGH, attachments=(("canopy", 0.3),), mass=Mass("podium", podium=2, inset=4.0, plan=34.0),
    ),
    made_of(
        "grid_row", "brick", "#9b5642", BROWN, bays=6, fronts="front/grid", floor=3.3, ground_height=3.6,
        uppers=("a", "b"), levels=(3, 4), shops=SHOPS, homes=(("window", 1.0),), vivid=0.7, cornice=0.5,
        attachments=(("bay_window", 0.35), ("aircon", 0.1)),
        plant=(("chimney_flat", 1.0), ("hut", 0.4)),
    ),
    made_of(
        "grid_garage", "concrete", "#dedbd2", ("#b5b2aa", "#a9a7a1", "#c0bcb2"), bays=3, fronts="front/grid",
        floor=3.0, ground_height=4.0, uppers=("a", "b"), levels=(3, 6), shops=(("glass2", 1.0), ("garage", 1.0)),
        homes=(("garage", 2.0), ("blank", 1.0)), plant=(("hut", 1.0), ("cars", 1.0)),
    ),
)  # fmt: skip
