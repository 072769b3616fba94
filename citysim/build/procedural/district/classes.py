"""StreetClass: the cross-section of a street and what a mapper would call it."""

from dataclasses import dataclass

THROUGH = 1.5  # metres from a facade to the middle of the strip people walk along, where there is room
KERB_RADIUS = 3.0  # metres, at junctions


@dataclass(frozen=True, slots=True)
class StreetClass:
    """A sort of street. Widths in metres.

    A class without pavements (`pavement` 0) is one surface without kerbs, walked along its middle; its `kind` must then
    be "service", "living_street" or "pedestrian".
    """

    kind: str  # OpenStreetMap's highway=*
    carriageway: float  # kerb to kerb
    pavement: float = 0.0  # on either side
    lanes: int = 2
    rank: int = 1  # where two streets meet the higher rank is the main one
    crossing: str = "zebra"  # how it is crossed: "signals", "zebra", "unmarked"
    reserve: float = 0.0  # width of islands in its middle, 0 for none
    parking: bool = False  # cars stand along its kerbs
    surface: str = "asphalt"
    tactile: bool = False  # a line of tactile paving guides along its pavements
    edged: float = 0.0  # metres from its edges to white lines along it, 0 for none
    tracks: float = 0.0  # metres from its kerbs to the middles of tram tracks, 0 for none
    kerb_radius: float = KERB_RADIUS  # of kerbs at junctions; the largest of a city counts

    @property
    def flush(self) -> bool:
        """Whether it is one surface without kerbs."""
        return self.pavement <= 0.0

    @property
    def half(self) -> float:
        """Metres from the axis to the kerb (to the edge, without kerbs)."""
        return self.carriageway / 2

    @property
    def facade(self) -> float:
        """Metres from the axis to the building line."""
        return self.half + self.pavement

    @property
    def walk(self) -> float:
        """Metres from the axis to the pavement's line; the furniture stands between it and the kerb."""
        if self.flush:
            return 0.0
        return self.half + max(self.pavement - THROUGH - max(self.pavement - 4.0, 0.0) * 0.35, 0.55 * self.pavement)

    @property
    def walk_width(self) -> float:
        """Width of the strip people walk along, metres."""
        return min(3.0, self.pavement - 0.6)
