"""Names that nobody owns: streets, squares and shops, each unique in its city."""

from collections.abc import Sequence

from citysim.build.chance import Chance

# short, distinct, easily read in capitals; no two differ by one or two letters
ROOTS = (
    "Alder", "Bramble", "Cobalt", "Dovetail", "Ember", "Fennel", "Gosling", "Hazel", "Indigo", "Juniper", "Kestrel",
    "Lantern", "Maple", "Nettle", "Orchid", "Pelican", "Quince", "Rowan", "Saffron", "Teasel", "Umber", "Violet",
    "Willow", "Yarrow", "Zephyr", "Acorn", "Bluebell", "Clover", "Dahlia", "Falcon", "Garnet", "Heron", "Ivory",
    "Jasmine", "Kelp", "Linden", "Magpie", "Nutmeg", "Otter", "Poppy", "Rosemary", "Sparrow", "Thistle", "Walnut",
    "Badger", "Cricket", "Damson", "Elder", "Foxglove", "Ginger", "Hawthorn", "Lupin", "Marigold", "Osprey",
    "Puffin", "Swift", "Tansy", "Wren",
)  # fmt: skip
STREET_ROOTS = (
    "Mill", "Castle", "Harbour", "Orchard", "Station", "Chapel", "Bridge", "Garden", "Market", "Tower", "School",
    "Meadow", "Fountain", "Quarry", "Abbey", "Ferry",
)  # fmt: skip


def shuffled(names: Sequence[str], chance: Chance) -> list[str]:
    """The names in an order that depends on the chance alone."""
    return sorted(names, key=lambda name: (chance.unit(name), name))


class Namer:
    """Hands out unused names of one city."""

    def __init__(self, chance: Chance) -> None:
        self._roots = shuffled(ROOTS, chance.child("roots"))
        self._streets = shuffled(STREET_ROOTS, chance.child("streets"))

    def street(self, suffix: str) -> str:
        """A street or square: "Mill Street"."""
        return f"{self._streets.pop()} {suffix}"

    def shop(self, suffix: str, longest: int = 16) -> str:
        """A shop: "Alder Bakery", of at most `longest` letters where a root allows it."""
        for index in range(len(self._roots) - 1, -1, -1):
            if len(self._roots[index]) + 1 + len(suffix) <= longest:
                return f"{self._roots.pop(index)} {suffix}"
        return f"{self._roots.pop()} {suffix}"
