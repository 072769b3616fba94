"""NameStyle: from which words the names of one preset are put together."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from citysim.build.procedural.names import STREET_ROOTS
from citysim.build.procedural.naming import chinese, japanese, western


@dataclass(frozen=True, slots=True)
class NameStyle:
    """Word lists of a preset.

    roots and modifiers may carry local characters (empty strings where there are none); `streets` lists the roots of
    streets by the kind of street ("" for any), `street_words` the local words of kinds; `script` is the key of the
    local name in tags ("name:zh", "name:ja" or "").
    """

    roots: Mapping[str, str]
    modifiers: Mapping[str, str]
    streets: Mapping[str, tuple[str, ...]]
    script: str = ""
    street_words: Mapping[str, str] = field(default_factory=dict)
    filler: str = ""  # characters that make a street's local name two characters long
    saint: tuple[str, ...] = ()  # kinds of streets whose root is a saint
    house: tuple[str, ...] = ("House",)


def _plain(*words: str) -> dict[str, str]:
    return dict.fromkeys(words, "")


_WEST = _plain(*western.ROOTS)
_MODIFIERS = _plain(*western.MODIFIERS)
_NAMED = (*STREET_ROOTS, *western.TREES)

STYLES: dict[str, NameStyle] = {
    "harbour": NameStyle(
        chinese.ROOTS,
        chinese.MODIFIERS,
        {"": tuple(chinese.ROOTS)},
        "name:zh",
        chinese.STREETS,
        chinese.LUCK,
        house=("Building", "Mansion", "House", "Tower", "Centre", "Court"),
    ),
    "akiba": NameStyle(
        japanese.ROOTS,
        japanese.MODIFIERS,
        {"": tuple(japanese.ROOTS)},
        "name:ja",
        japanese.STREETS,
        house=("Bldg", "Kaikan", "Tower"),
    ),
    "oldtown": NameStyle(
        _WEST,
        {**_MODIFIERS, **_plain(*western.GUILDS[:12])},
        {
            "Gate": western.GATES,
            "Lane": western.GUILDS,
            "Row": western.GUILDS,
            "Square": western.SAINTS,
            "Steps": western.SAINTS,
            "": (*western.GUILDS, *western.GATES),
        },
        saint=("Square", "Steps", "Church"),
    ),
    "grid": NameStyle(
        {**_WEST, **_plain(*western.SURNAMES)},
        _MODIFIERS,
        {"Avenue": western.TREES, "": (*western.SURNAMES, *western.TREES)},
        house=("Building", "Tower", "Block", "Lofts"),
    ),
    "garden": NameStyle(
        _WEST,
        _MODIFIERS,
        {"Path": western.BIRDS, "Walk": western.BIRDS, "": (*western.COMPOSERS, *western.BIRDS)},
    ),
    "mini": NameStyle(_WEST, _MODIFIERS, {"": _NAMED}),
}
