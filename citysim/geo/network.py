"""The pedestrian network: 3D lines with Hong Kong's attribute names, as a graph with a spatial index."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class NetworkEdge:
    """One walkable line. Attribute names and codes are those of the Hong Kong 3D Pedestrian Network.

    line (K, 3) float64 local metres; edges that share an end point bit for bit are joined there.
    """

    id: int
    line: NDArray[np.float64]
    attributes: dict[str, Any] = field(default_factory=dict)


class PedestrianNetwork:
    """The graph of all edges; see the methods for what it answers."""

    def __init__(self, edges: Sequence[NetworkEdge]) -> None:
        self.edges = tuple(edges)
