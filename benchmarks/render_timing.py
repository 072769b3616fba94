"""Timing of pictures: views of a city's streets, medians over them, and the stages of one picture."""

import statistics
import time
from collections.abc import Callable, Sequence

import numpy as np

from citysim.city import City
from citysim.conditions import Conditions
from citysim.pose import Pose
from citysim.render.base import Camera, View
from citysim.render.raster import RasterRenderer
from citysim.render.raster.layout import Array

FOV_DEG = 68.75  # 1.2 rad, that of the design study
NOON = Conditions(clock_s=12 * 3600.0)
EYE_M = 1.6


def least(call: Callable[[], object], turns: int = 3) -> float:
    """Milliseconds of the quickest of a few turns."""
    best = float("inf")
    for _ in range(turns):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best * 1e3


def views_of(poses: Sequence[Pose], size: tuple[int, int], *, outputs: bool = False) -> list[View]:
    """A view a pose at noon, with depth and labels when asked for."""
    return [View(Camera(pose, size, fov_deg=FOV_DEG), NOON, outputs, outputs) for pose in poses]


def median_ms(renderer: RasterRenderer, views: Sequence[View]) -> float:
    """Median over views of the quickest of a few turns each; everything is loaded first."""
    found = []
    for view in views:
        renderer.render(view)
        found.append(least(lambda view=view: renderer.render(view)))  # type: ignore[misc]
    return statistics.median(found)


def paired_ms(*sets: tuple[RasterRenderer, Sequence[View]]) -> list[float]:
    """`median_ms` of several renderers, each with its form of the same views, in turns."""
    found: list[list[float]] = [[] for _ in sets]
    for number in range(len(sets[0][1])):
        turns = [(renderer, views[number]) for renderer, views in sets]
        for renderer, view in turns:
            renderer.render(view)
        best = [float("inf")] * len(turns)
        for _ in range(5):
            for place, (renderer, view) in enumerate(turns):
                best[place] = min(best[place], least(lambda r=renderer, v=view: r.render(v), 1))  # type: ignore[misc]
        for times, value in zip(found, best, strict=True):
            times.append(value)
    return [statistics.median(times) for times in found]


def pavement_poses(city: City, count: int) -> list[Pose]:
    """Places along the pedestrian network, looking along it, half of them turned aside."""
    rng = np.random.default_rng(5)
    lines = [edge.line for edge in city.network.edges if len(edge.line) > 1]
    lengths = np.array([float(np.linalg.norm(np.diff(line[:, :2], axis=0), axis=1).sum()) for line in lines])
    made = []
    for number in rng.choice(len(lines), size=count, p=lengths / lengths.sum()):
        line: Array = lines[number]
        at = int(rng.integers(0, len(line) - 1))
        ahead = line[at + 1] - line[at]
        east, north, up = line[at].tolist()
        turn = float(rng.uniform(-0.8, 0.8)) + (np.pi if rng.random() < 0.5 else 0.0)
        made.append(Pose(east, north, up + EYE_M, float(np.arctan2(ahead[1], ahead[0])) + turn, -0.05))
    return made
