"""Landmarks by name, and what makes them."""

from collections.abc import Callable

from citysim.build.chance import Chance
from citysim.build.props import monuments, towers
from citysim.build.props.model import Model

LANDMARKS: dict[str, Callable[[Chance, float | None], Model]] = {
    "clock_tower": towers.clock_tower,
    "ferris_wheel": towers.ferris_wheel,
    "observation_tower": towers.observation_tower,
    "chimney": towers.chimney,
    "big_screen": towers.big_screen,
    "radio_mast": towers.radio_mast,
    "water_tower": towers.water_tower,
    "windmill": towers.windmill,
    "lighthouse": towers.lighthouse,
    "harbour_crane": towers.harbour_crane,
    "gate": monuments.gate,
    "torii": monuments.torii,
    "sculpture": monuments.sculpture,
    "obelisk": monuments.obelisk,
    "pagoda": monuments.pagoda,
    "arch": monuments.arch,
    "column": monuments.column,
    "bandstand": monuments.bandstand,
}
