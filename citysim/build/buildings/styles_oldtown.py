"""Styles of the preset `oldtown`: rows under steep roofs, a church, a town hall."""

from citysim.build.buildings.strips import NAVE_ROWS, PAGE, strip
from citysim.build.buildings.style import Mass, Style, made_of

PASTEL = (
    "#d9b36c", "#c98a5a", "#ead9b5", "#d9a893", "#b5bd9a", "#aab6bd", "#dcc79a", "#cf9f86", "#e3cfae", "#c6c3a6",
    "#d4b09a", "#bcc4b4", "#dbb884", "#b9a98e", "#c9b6b0", "#e0d0a0",
)  # fmt: skip
STONE = ("#b7aa95", "#c4b8a2", "#a89b88", "#cabfae")
SHOPS = (("glass", 3.0), ("glass2", 3.0), ("shutter", 1.0), ("window", 1.0))
HOMES = (("window", 4.0), ("blank", 1.0), ("shutter", 0.4))

OLDTOWN = (
    made_of(
        "oldtown_row", "plaster", "#e6e2da", PASTEL, bays=6, fronts="front/oldtown", floor=3.1, ground_height=3.7,
        uppers=("a", "b"), levels=(3, 5), shops=SHOPS, homes=HOMES, retail=0.35, vivid=0.42, cornice=0.22,
        attachments=(("shutters", 0.6), ("oriel", 0.05), ("awning", 0.35), ("pipe", 0.25)),
        forms=(("gabled", 0.8), ("mansard", 0.12), ("hipped", 0.08)), pitch=45.0, roofs=("tile",),
        plant=(("dormer", 0.75), ("chimney", 1.0)),
    ),
    made_of(
        "oldtown_merchant", "plaster", "#e6e2da", PASTEL, bays=6, fronts="front/oldtown", floor=3.2, ground_height=3.9,
        uppers=("c", "d"), levels=(3, 4), page="facade/oldtown_row", shops=SHOPS, homes=HOMES, retail=0.5, vivid=0.42,
        cornice=0.3, attachments=(("awning", 0.3), ("oriel", 0.1)), forms=(("gable_front", 1.0),),
        pitch=52.0, roofs=("tile",), plant=(("chimney", 1.0),),
    ),
    made_of(
        "oldtown_tenement", "plaster", "#e6e2da", STONE, bays=6, fronts="front/oldtown", floor=3.3, ground_height=4.0,
        uppers=("a", "b", "c"), levels=(4, 5), shops=SHOPS, homes=HOMES, retail=0.5, cornice=0.45,
        attachments=(("awning", 0.3), ("balcony_iron", 0.2), ("pipe", 0.3)),
        forms=(("mansard", 0.6), ("hipped", 0.4)), pitch=40.0, roofs=("tile", "seam"),
        plant=(("dormer", 0.9), ("chimney", 1.0)),
    ),
    Style(
        "oldtown_church", "facade/nave", "stone", "#dcd5c9", STONE, (strip("a", 4, PAGE, NAVE_ROWS),),
        strip("ground", 4, PAGE, NAVE_ROWS), strip("ground", 4, PAGE, NAVE_ROWS),
        nave=strip("nave", 4, PAGE, NAVE_ROWS), cornice=0.3, levels=(4, 5), forms=(("gabled", 1.0),), pitch=52.0,
        roofs=("tile",), mass=Mass("church", plan=8.5),
    ),
    made_of(
        "oldtown_hall", "stone", "#dcd5c9", STONE, bays=6, fronts="front/oldtown", floor=3.8, ground_height=4.2,
        uppers=("c", "d"), levels=(3, 3), page="facade/oldtown_tenement", shops=(("window", 1.0), ("lobby", 1.0)),
        homes=(("window", 1.0),), cornice=0.45, forms=(("hipped", 1.0),), pitch=48.0, roofs=("tile",),
        mass=Mass("hall", plan=6.5), plant=(("dormer", 0.8),),
    ),
)  # fmt: skip
