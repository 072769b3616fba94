"""What a picture carries besides colour: depth, labels and normals, read out of the visibility buffer."""

import numpy as np

from citysim.render.raster.groups import ROW_LABEL
from citysim.render.raster.jit import kernel
from citysim.render.raster.layout import Array, F, Scratch, Target, U


@kernel
def read_out(
    cam: Array,
    rect: Array,
    target: Target,
    scratch: Scratch,
    depth: Array,
    labels: Array,
    normals: Array,
) -> None:
    """Fill depth (H * W,) float32, labels (H * W,) int32 and normals (H * W * 3,) float32 of `rect`.

    An empty array is left alone. `shade` was there before: labels stand in its rows.
    """
    ortho = cam[18] != 0.0
    far, one = F(np.inf), F(1.0)
    nearness, record = target.nearness, target.record
    for y in range(rect[2], rect[3]):
        first, last = U(y * rect[4] + rect[0]), U(y * rect[4] + rect[1])
        if len(depth):
            if ortho:
                for at in range(first, last):
                    depth[at] = F(cam[17] - nearness[at]) if record[at] >= 0 else far
            else:
                for at in range(first, last):
                    depth[at] = one / nearness[at]  # the sky's 0 gives inf
        if len(labels):
            for at in range(first, last):
                index = record[at]
                labels[at] = scratch.row_bits[U(index), U(ROW_LABEL)] if index >= 0 else 0
        if len(normals):
            for at in range(first, last):
                index = record[at]
                for k in range(3):
                    normals[U(3) * at + U(k)] = F(scratch.records[U(index), U(9 + k)]) if index >= 0 else F(0.0)
