"""Manner: what lies around a preset's city."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Manner:
    """Heights are metres from, to; shares are of the houses."""

    houses: tuple[float, float]  # heights of houses along streets
    towers: tuple[float, float]  # heights of those behind
    skyline: tuple[float, float]  # heights of those far away
    hills: tuple[float, float]  # heights of the crest of what ends the view
    palette: tuple[str, ...]
    wide: tuple[float, float] = (12.0, 26.0)  # fronts of houses
    strips: float = 0.5  # with windows in strips; the others have windows in walls
    gables: float = 0.0  # with a pitched roof
    greens: float = 0.0  # of plots that are left to trees
    plain: str = "grass"  # look of the ground beyond
    many: float = 1.0  # of the places of the skyline that have a tower


MANNERS = {
    "harbour": Manner((18.0, 44.0), (40.0, 105.0), (70.0, 190.0), (110.0, 260.0),
                      ("#d8cfc0", "#c9d2cd", "#c8b9ae", "#b7c3c6", "#ddd3bd", "#bfc8bd"), strips=0.35),
    "akiba": Manner((16.0, 32.0), (24.0, 58.0), (45.0, 130.0), (10.0, 26.0),
                    ("#c9c8c2", "#b9bab6", "#d6d2c6", "#a9aeb0", "#c6bfb2"), (9.0, 20.0), strips=0.65,
                    plain="asphalt_light"),
    "oldtown": Manner((9.0, 15.0), (11.0, 17.0), (16.0, 30.0), (40.0, 110.0),
                      ("#e2cf9f", "#d9a98a", "#e8dcc4", "#c9b48f", "#d8c3ab", "#e5d3b8"), (8.0, 16.0), strips=0.0,
                      gables=0.9, greens=0.1, many=0.3),
    "grid": Manner((16.0, 48.0), (36.0, 110.0), (80.0, 230.0), (8.0, 20.0),
                   ("#b0836a", "#c9b79c", "#a9a69e", "#93806f", "#cfc7b8"), (16.0, 34.0), strips=0.45,
                   plain="asphalt_light"),
    "garden": Manner((12.0, 19.0), (12.0, 22.0), (20.0, 46.0), (14.0, 34.0),
                     ("#d9d5cb", "#c9b9a6", "#b9785f", "#cfd4d0", "#e0d7c2"), (16.0, 40.0), strips=0.5, greens=0.45,
                     many=0.35),
    "mini": Manner((9.0, 16.0), (12.0, 24.0), (20.0, 50.0), (16.0, 40.0),
                   ("#d9cfbd", "#c9b39a", "#b98d74", "#cfd2cc"), (10.0, 18.0), strips=0.3, gables=0.3, greens=0.15,
                   many=0.5),
}  # fmt: skip
