"""Touch: counts a long push against something once."""

from typing import NamedTuple

AWAY_M = 0.06
IDLE_SUBSTEPS = 15  # 0.25 s


class Touch(NamedTuple):
    """The touch now going on, if any, and how many there were."""

    total: int = 0
    active: bool = False
    idle: int = 0  # substeps since the walker last pushed
    east: float = 0.0  # where it last pushed, and away from what
    north: float = 0.0
    away_east: float = 0.0
    away_north: float = 0.0

    def pushed(self, east: float, north: float, away: tuple[float, float]) -> "Touch":
        """After a substep in which motion was blocked by a surface with the horizontal normal `away`."""
        ongoing = self._still_near(east, north)
        return Touch(self.total + (not ongoing), True, 0, east, north, away[0], away[1])

    def released(self, east: float, north: float) -> "Touch":
        """After a substep without a push; ends the touch after 0.25 s of that, or 6 cm away."""
        if not self.active:
            return self
        if self.idle + 1 > IDLE_SUBSTEPS or not self._still_near(east, north):
            return Touch(self.total)
        return self._replace(idle=self.idle + 1)

    def _still_near(self, east: float, north: float) -> bool:
        gone = (east - self.east) * self.away_east + (north - self.north) * self.away_north
        return self.active and gone <= AWAY_M
