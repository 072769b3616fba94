"""Small SVG drawings for reports: paths on the map, distances over actions, intervals."""

from collections.abc import Iterable, Sequence
from typing import Any

Xy = Sequence[float]


class MapFrame:
    """Local metres to SVG units: one unit a metre, y pointing down, origin at the north-west corner of the bounds."""

    def __init__(self, bounds: Sequence[float]) -> None:
        self.west, self.south, self.east, self.north = bounds
        self.width, self.height = self.east - self.west, self.north - self.south

    def path(self, points: Iterable[Xy]) -> str:
        """SVG path data of a polyline ("" for no points)."""
        pairs = [f"{x - self.west:.1f} {self.north - y:.1f}" for x, y in points]
        return "M" + "L".join(pairs) if pairs else ""

    def paths(self, lines: Iterable[Iterable[Xy]]) -> str:
        """SVG path data of many polylines."""
        return "".join(self.path(line) for line in lines)

    def brief(self, points: Sequence[Xy], tolerance: float = 1.0) -> str:
        """SVG path data of a polyline in whole metres, without points that lie within a tolerance of the line."""
        import shapely

        if len(points) < 2:
            return self.path(points)
        kept = shapely.get_coordinates(
            shapely.simplify(shapely.linestrings(points), tolerance, preserve_topology=False)
        )
        return "M" + "L".join(f"{x - self.west:.0f} {self.north - y:.0f}" for x, y in kept.tolist())

    def spot(self, point: Xy) -> dict[str, str]:
        """SVG coordinates of a point."""
        return {"x": f"{point[0] - self.west:.1f}", "y": f"{self.north - point[1]:.1f}"}

    def view(self, points: Sequence[Xy], margin: float = 25.0, least: float = 120.0) -> str:
        """A viewBox of 4:3 that shows the points with a margin."""
        xs, ys = [p[0] - self.west for p in points], [self.north - p[1] for p in points]
        width = max(max(xs) - min(xs) + 2 * margin, least)
        height = max(max(ys) - min(ys) + 2 * margin, least * 0.75)
        width, height = max(width, height * 4 / 3), max(height, width * 3 / 4)
        left, top = (min(xs) + max(xs) - width) / 2, (min(ys) + max(ys) - height) / 2
        return f"{left:.1f} {top:.1f} {width:.1f} {height:.1f}"


def curve(values: Sequence[float], most: float, count: int, width: float, height: float) -> str:
    """SVG path data of values over their index, scaled to a box; `most` is the top, `count` the last index."""
    across, up = width / max(count, 1), height / max(most, 1e-9)
    return "M" + "L".join(f"{k * across:.1f} {height - min(v, most) * up:.1f}" for k, v in enumerate(values))


def bars(groups: Sequence[tuple[str, dict[str, Any]]]) -> list[dict[str, Any]]:
    """Rows of a chart of success rates: name, share and interval in percent of the width."""
    return [
        {
            "name": name,
            "n": g["n"],
            "rate": round(100 * (g["success_rate"] or 0.0), 1),
            "low": round(100 * g["success_interval"][0], 1),
            "high": round(100 * g["success_interval"][1], 1),
        }
        for name, g in groups
        if g["n"]
    ]
