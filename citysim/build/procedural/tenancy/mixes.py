"""Mix: which trades a preset lets its frontages to, and how many."""

from collections.abc import Mapping
from dataclasses import dataclass

from citysim.build.procedural.tenancy.trades import BUSINESSES, Business


@dataclass(frozen=True, slots=True)
class Mix:
    """Weights by category (1 where not named, 0 for never), widths of units in metres, and share of upper storeys."""

    weights: Mapping[str, float]
    unit: tuple[float, float]  # usual width of a unit from narrowest to widest
    let: float = 0.94  # share of ground floor units in use
    upper: float = 0.0  # share of upper storeys with tenants of their own
    top: int = 4  # highest storey with tenants

    def options(self, floor: str) -> list[tuple[Business, float]]:
        """(trade, weight) pairs for "g" or "u"."""
        found = [(b, self.weights.get(b.category, 1.0)) for b in BUSINESSES if floor in b.floors]
        return [(b, w) for b, w in found if w > 0.0]


MIXES: dict[str, Mix] = {
    "harbour": Mix(
        {"restaurant": 7, "cafe": 3, "pharmacy": 3, "herbalist": 3, "seafood": 3, "jewelry": 3, "hardware": 2,
         "mobile_phone": 2, "convenience": 3, "clothes": 3, "estate_agent": 3, "pub": 0, "hobby": 0.5,
         "video_games": 0.5, "company": 5, "doctors": 2, "dentist": 2, "massage": 2, "educational_institution": 3,
         "fast_food": 3, "bakery": 3, "comics": 0.5},
        (3.6, 5.2), 0.95, 0.45, 5,
    ),
    "akiba": Mix(
        {"electronics": 12, "computer": 6, "hobby": 7, "comics": 5, "games": 4, "video_games": 5, "camera": 3,
         "mobile_phone": 3, "restaurant": 8, "cafe": 5, "fast_food": 3, "convenience": 3, "karaoke_box": 4, "bar": 3,
         "toys": 3, "pawnbroker": 0.4, "fabric": 0.3, "furniture": 0.3, "herbalist": 0.4, "seafood": 0.3,
         "butcher": 0.3, "greengrocer": 0.3, "massage": 2, "language_school": 2},
        (3.4, 6.0), 0.97, 0.6, 6,
    ),
    "oldtown": Mix(
        {"cafe": 6, "restaurant": 6, "bakery": 3, "books": 3, "art": 4, "gift": 3, "clothes": 2, "bar": 2, "pub": 3,
         "florist": 2, "tea": 2, "hobby": 0.3, "video_games": 0.1, "karaoke_box": 0, "comics": 0.3, "computer": 0.3,
         "mobile_phone": 0.5, "lawyer": 2, "hostel": 2},
        (4.0, 6.0), 0.85, 0.12, 2,
    ),
    "grid": Mix(
        {"restaurant": 5, "cafe": 4, "bank": 2, "clothes": 3, "pharmacy": 2, "supermarket": 1.5, "hardware": 1.5,
         "laundry": 2, "company": 5, "lawyer": 3, "fitness_centre": 2, "herbalist": 0.2, "karaoke_box": 0.3,
         "comics": 0.6, "hobby": 0.5},
        (5.6, 7.6), 0.9, 0.25, 3,
    ),
    "garden": Mix(
        {"supermarket": 2, "bakery": 2, "doctors": 4, "dentist": 3, "music_school": 3, "video_games": 0.1,
         "pawnbroker": 0, "karaoke_box": 0, "cinema": 0.2, "jewelry": 0.4, "comics": 0.3},
        (4.3, 5.6), 0.96, 0.8, 2,
    ),
}  # fmt: skip
MIXES["mini"] = MIXES["grid"]
