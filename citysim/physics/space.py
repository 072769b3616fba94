"""Space: the three questions a walker asks of the geometry around it."""

from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class RayHits(NamedTuple):
    """Answers of a ray batch, one row a ray."""

    distance: Array  # (N,) metres along the ray, inf for a miss
    normal: Array  # (N, 3) unit normal facing the ray's origin, zeros for a miss
    body: NDArray[np.int32]  # (N,) body id as returned by add_*, -1 for a miss


class Contacts(NamedTuple):
    """Surface points near a capsule, one row a contact: at least the nearest point of every triangle in reach.

    Each row's plane (through `point`, square to `normal`) separates the capsule from that triangle, both being
    convex: a capsule that stays on its side of every row's plane cannot touch anything.
    """

    distance: Array  # (N,) metres, negative where the capsule overlaps the surface
    normal: Array  # (N, 3) unit vector from the surface towards the capsule
    point: Array  # (N, 3) local metres, on the surface
    body: NDArray[np.int32]  # (N,)


class Space(Protocol):
    """Static triangles and moving capsules; ids are small non-negative integers chosen by the space."""

    @property
    def revision(self) -> int:
        """Grows whenever a body is added, moved or removed: answers kept from before are then stale."""

    def add_triangles(self, positions: Array, triangles: NDArray[np.int32]) -> int:
        """Add a static concave mesh ((V, 3) local metres, (T, 3)) and return its body id."""

    def add_capsule(self, radius: float, height: float, foot: Array) -> int:
        """Add a moving upright capsule by its foot point and return its body id."""

    def is_moving(self, body: int) -> bool:
        """Whether a body is a moving capsule (and not part of the city)."""

    def move(self, body: int, foot: Array) -> None:
        """Place a moving capsule's foot point."""

    def remove(self, body: int) -> None:
        """Take a body out."""

    def cast_rays(self, starts: Array, ends: Array) -> RayHits:
        """First hits of (N, 3) segments against everything in the space; both sides of a triangle are solid."""

    def capsule_contacts(self, foot: Array, radius: float, height: float, reach: float) -> Contacts:
        """Surface points within `reach` metres of an upright capsule standing at `foot`."""

    def close(self) -> None:
        """Free the engine; calling it twice is fine."""
