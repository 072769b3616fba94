"""Depth, labels and normals as pictures for people."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from citysim.render.base import Frame

_ANCHORS = np.array(
    [(255, 245, 190), (250, 190, 100), (225, 110, 80), (140, 55, 110), (60, 30, 100), (15, 15, 45)], dtype=np.float64
)


def readable(frame: Frame) -> Frame:
    """The frame with a readable picture of its depth, labels or normals as rgb, where it has one of them."""
    if frame.depth is not None:
        return replace(frame, rgb=depth_picture(frame.depth))
    if frame.labels is not None:
        return replace(frame, rgb=label_picture(frame.labels))
    return frame if frame.normals is None else replace(frame, rgb=normal_picture(frame.normals))


def depth_picture(depth: NDArray[np.float32], nearest_m: float = 0.5, farthest_m: float = 500.0) -> NDArray[np.uint8]:
    """(H, W) metres -> (H, W, 3) uint8: near bright, far dark on a logarithmic scale, sky black."""
    clipped = np.clip(np.nan_to_num(depth, posinf=farthest_m), nearest_m, farthest_m).astype(np.float64)
    scale = np.log(clipped / nearest_m) / np.log(farthest_m / nearest_m) * (len(_ANCHORS) - 1)
    index = np.minimum(scale.astype(int), len(_ANCHORS) - 2)
    part = (scale - index)[..., None]
    picture = _ANCHORS[index] * (1 - part) + _ANCHORS[index + 1] * part
    picture[~np.isfinite(depth)] = 0.0
    return np.round(picture).astype(np.uint8)


def label_picture(labels: NDArray[np.int32]) -> NDArray[np.uint8]:
    """(H, W) object ids -> (H, W, 3) uint8: a fixed colour an id, 0 black."""
    bits = labels.astype(np.uint32) * np.uint32(2654435761)
    channels = [(bits >> np.uint32(shift)) & np.uint32(0xFF) for shift in (8, 16, 24)]
    picture = (np.stack(channels, axis=-1) // 2 + 96).astype(np.uint8)
    picture[labels == 0] = 0
    return picture


def normal_picture(normals: NDArray[np.float32]) -> NDArray[np.uint8]:
    """(H, W, 3) unit vectors -> (H, W, 3) uint8: east red, north green, up blue, -1 to 1 as 0 to 255; none black."""
    picture = np.clip(normals * 127.5 + 128.0, 0.0, 255.0).astype(np.uint8)
    picture[~normals.any(axis=2)] = 0
    return picture
