"""Job: one picture on its way, with all that drawing it needs and nothing that changes while it is drawn."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.render.atmosphere import Atmosphere
from citysim.render.base import Frame, View
from citysim.render.raster.layout import Array, Extras, Scratch, Shadows, Tables
from citysim.render.raster.roofs import Roofs
from citysim.render.raster.spare import Spare


class Job(NamedTuple):
    """What a view became; `rgb`, `depth`, `labels` and `normals` are flat and fresh, empty where not asked for."""

    view: View
    cam: Array
    ranges: Array
    tables: Tables
    light: Array
    atmosphere: Atmosphere
    shadows: Shadows
    extras: Extras | None
    roofs: Roofs | None
    rgb: NDArray[np.uint8]
    depth: NDArray[np.float32]
    labels: NDArray[np.int32]
    normals: NDArray[np.float32]
    scratches: dict[int, Scratch]  # of each rectangle that is drawn

    def frame(self) -> Frame:
        """The finished picture."""
        view = self.view
        width, height = view.camera.size
        return Frame(
            self.rgb.reshape(height, width, 3),
            self.depth.reshape(height, width) if view.depth else None,
            self.labels.reshape(height, width) if view.labels else None,
            self.normals.reshape(height, width, 3) if view.normals else None,
        )


def outputs_of(
    view: View, spare: Spare
) -> tuple[NDArray[np.uint8], NDArray[np.float32], NDArray[np.int32], NDArray[np.float32]]:
    """Memory for the outputs that a view asks for."""
    count = view.camera.size[0] * view.camera.size[1]
    return (
        spare.array(3 * count, np.uint8),
        spare.array(count if view.depth else 0, np.float32),
        spare.array(count if view.labels else 0, np.int32),
        spare.array(3 * count if view.normals else 0, np.float32),
    )
