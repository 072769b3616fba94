"""The one protocol behind both renderers: a View goes in, a Frame comes out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from citysim.conditions import Conditions
from citysim.render.bodies import Bodies, BodyMesh
from citysim.render.camera import MAX_SIZE, Camera
from citysim.render.visible import VisibleObject, visible_objects

__all__ = ["MAX_SIZE", "Bodies", "BodyMesh", "Camera", "Frame", "Renderer", "View", "VisibleObject"]


@dataclass(frozen=True, slots=True)
class View:
    """What to draw: a camera, the conditions, which outputs are wanted, and what moves in the picture (`bodies`).

    `states` says by object id which of its pictures a thing shows that has several, such as a traffic signal
    (`citysim.crowd.lights`); the first one unless said.
    """

    camera: Camera
    conditions: Conditions = field(default_factory=Conditions)
    depth: bool = False
    labels: bool = False
    normals: bool = False
    bodies: Bodies | None = None
    states: Mapping[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Frame:
    """What a camera saw.

    rgb      (H, W, 3) uint8 sRGB
    depth    (H, W) float32 metres along the view axis (in panoramas from the eye), inf for sky; None unless asked
    labels   (H, W) int32 object ids as in objects.jsonl, 0 for none; None unless asked for
    normals  (H, W, 3) float32 unit vectors in local axes on the side that is seen, 0 for sky; None unless asked for
    """

    rgb: NDArray[np.uint8]
    depth: NDArray[np.float32] | None = None
    labels: NDArray[np.int32] | None = None
    normals: NDArray[np.float32] | None = None

    def visible_objects(self) -> list[VisibleObject]:
        """What is in the picture: id, pixel count and box of each object, largest first.

        Raises InputError for a frame without labels.
        """
        return visible_objects(self.labels)


class Renderer(Protocol):
    """Draws one city; arrays of a returned Frame are fresh and belong to the caller."""

    name: str

    def render(self, view: View) -> Frame:
        """Draw one view."""

    def close(self) -> None:
        """Free what the renderer holds; calling it twice is fine."""
