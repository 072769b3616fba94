"""Columns: what carries the roofs of arcades and covered walks; a plan's tag `columns` says how far apart they are."""

from citysim.build.buildings.solid import Solid

COLUMN = 0.36  # width, metres
STONE = (206, 198, 184, 255)


def spacing(solid: Solid) -> float:
    """Metres between the columns below a roof, 0 where it has posts at its corners alone."""
    text = solid.plan.tags.get("columns", "")
    return float(text) if text.replace(".", "", 1).isdigit() else 0.0
