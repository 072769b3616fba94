"""What a picture carries besides colour: depth, labels and normals, read out of the visibility buffer."""

import numpy as np

from citysim.render.raster.jit import kernel
from citysim.render.raster.layout import Array, F, Geometry, Scratch, Target, U


@kernel
def read_out(
    cam: Array,
    rect: Array,
    geometry: Geometry,
    target: Target,
    scratch: Scratch,
    depth: Array,
    labels: Array,
    normals: Array,
) -> None:
    """Fill depth (H * W,) float32, labels (H * W,) int32 and normals (H * W * 3,) float32 of `rect`.

    An empty array is left alone.
    """
    ortho = cam[18] != 0.0
    for y in range(rect[2], rect[3]):
        for x in range(rect[0], rect[1]):
            at = U(y * rect[4] + x)
            index = target.record[at]
            if len(depth):
                near = target.nearness[at]
                if index < 0:
                    depth[at] = np.inf
                else:
                    depth[at] = F(cam[17] - near) if ortho else F(1.0) / near
            if len(labels):
                labels[at] = 0 if index < 0 else geometry.labels[scratch.record_triangle[U(index)]]
            if len(normals):
                for k in range(3):
                    normals[U(3) * at + U(k)] = F(0.0) if index < 0 else F(scratch.records[U(index), U(9 + k)])
