"""Closures: lines across the ground that may not be crossed, and what they do to the pedestrian network.

Semantics of UrbanGround: an open polyline; a movement crosses it where its segment meets an edge of the line, touching
included; nothing is enforced before its notice is given.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from citysim.errors import InputError
from citysim.geo.network import NetworkEdge, PedestrianNetwork
from citysim.geo.routing import Route
from citysim.living.meeting import meetings

Array = NDArray[np.float64]
TRIM_M = 0.5  # a way ends this far before a closure


@dataclass(frozen=True, slots=True)
class Closure:
    """A stretch of ground that is closed from the moment its notice is given.

    vertices     two or more (east, north, up) of an open line, local metres, up on the ground
    label        a name, unlike others of the same episode
    notice_text  what the walker is told once, `notice_at_s` seconds after the start (0: before the first step)
    """

    vertices: tuple[tuple[float, float, float], ...]
    label: str
    notice_text: str
    notice_at_s: float = 0.0

    def __post_init__(self) -> None:
        try:
            line = np.array(self.vertices, dtype=np.float64)
        except (TypeError, ValueError):
            line = np.empty(0)
        if line.ndim != 2 or line.shape[1] != 3 or len(line) < 2 or not np.isfinite(line).all():
            raise InputError(
                "two or more finite (east, north, up) of a closure", f"{self.vertices}", "a line on a street"
            )
        if not self.label:
            raise InputError("a closure's label", "an empty one", "label='closure_1'")
        if not (math.isfinite(self.notice_at_s) and self.notice_at_s >= 0.0):
            raise InputError("a notice at 0 s or later", f"notice_at_s={self.notice_at_s}", "notice_at_s=30")
        object.__setattr__(self, "vertices", tuple(tuple(map(float, v)) for v in self.vertices))

    @property
    def line(self) -> Array:
        """(K, 3) float64 vertices."""
        return np.array(self.vertices, dtype=np.float64)


def crosses(path: ArrayLike, closure: Closure) -> bool:
    """Whether a path (N, 3) of foot points meets the closure's line at its height (within 2.5 m), touching included."""
    return bool(len(meetings(np.asarray(path, dtype=np.float64), closure.line)))


def closed_edges(network: PedestrianNetwork, closures: Sequence[Closure]) -> frozenset[int]:
    """Ids of the network's edges that closures cut."""
    return frozenset(edge.id for edge in network.edges if any(crosses(edge.line, closure) for closure in closures))


def cut_network(network: PedestrianNetwork, closures: Sequence[Closure]) -> PedestrianNetwork:
    """The network without what is closed: edges that closures cut end half a metre before them, on both sides."""
    edges: list[NetworkEdge] = []
    for edge in network.edges:
        cuts = [cut for closure in closures for cut in meetings(edge.line, closure.line)]
        edges += [NetworkEdge(edge.id, piece, edge.attributes) for piece in _pieces(edge.line, cuts)]
    return PedestrianNetwork(edges)


def closure_leaves_detour(
    network: PedestrianNetwork, closure: Closure | Sequence[Closure], start: ArrayLike, goal: ArrayLike
) -> Route:
    """The shortest walk from start to goal, both (3,) local metres, that crosses no closure.

    Raises InputError, with the reason, where there is none: such a closure must not be part of a task.
    """
    closures = (closure,) if isinstance(closure, Closure) else tuple(closure)
    names = ", ".join(repr(c.label) for c in closures)
    before = network.route(start, goal)
    cut = closed_edges(network, closures)
    if not cut:
        return before
    try:
        return cut_network(network, closures).route(start, goal)
    except InputError:
        raise InputError(
            f"a way from start to goal round {names}",
            f"none: the closure cuts all of them, at {len(cut)} edges of the network",
            "a closure on one of several ways",
        ) from None


def _pieces(line: Array, cuts: Sequence[float]) -> list[Array]:
    """What is left of a line, given where along it (in numbers of segments, fractions between) it is cut."""
    if not cuts:
        return [line]
    metres = np.r_[0.0, np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))]
    at = sorted(float(np.interp(cut, np.arange(len(line)), metres)) for cut in cuts)
    starts, ends = [0.0, *(m + TRIM_M for m in at)], [*(m - TRIM_M for m in at), float(metres[-1])]
    pieces = []
    for start, end in zip(starts, ends, strict=True):
        if end - start > 1e-6:
            inner = line[(metres > start) & (metres < end)]
            first, last = (
                line[0] if m <= 0.0 else line[-1] if m >= metres[-1] else np.array(
                    [np.interp(m, metres, line[:, c]) for c in range(3)]
                )
                for m in (start, end)
            )  # fmt: skip
            pieces.append(np.vstack([first[None], inner, last[None]]))
    return pieces
