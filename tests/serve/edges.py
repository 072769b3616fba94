"""The readiness measure of the public client: Canny edges (50/150, 3x3 Sobel, L1 norm) over all pixels."""

import io

import numpy as np
from PIL import Image
from scipy import ndimage

LOADED = 0.010


def edge_share(jpeg: bytes) -> float:
    """Share of edge pixels of a picture at its own size (Canny 1986)."""
    grey = np.asarray(Image.open(io.BytesIO(jpeg)).convert("L"), dtype=np.int32)
    padded = np.pad(grey, 1, mode="edge")
    right, left, low, high = padded[:, 2:], padded[:, :-2], padded[2:], padded[:-2]
    dx = right[:-2] + 2 * right[1:-1] + right[2:] - left[:-2] - 2 * left[1:-1] - left[2:]
    dy = low[:, :-2] + 2 * low[:, 1:-1] + low[:, 2:] - high[:, :-2] - 2 * high[:, 1:-1] - high[:, 2:]
    size = np.abs(dx) + np.abs(dy)
    ring = np.pad(size, 1)
    rows, columns = grey.shape

    def beside(down: int, along: int) -> np.ndarray:
        return ring[1 + down : 1 + down + rows, 1 + along : 1 + along + columns]

    angle = np.degrees(np.arctan2(dy, dx)) % 180.0
    flat, steep = (angle < 22.5) | (angle >= 157.5), (angle >= 67.5) & (angle < 112.5)
    falling = (angle >= 22.5) & (angle < 67.5)
    before = np.where(
        flat, beside(0, -1), np.where(steep, beside(-1, 0), np.where(falling, beside(-1, -1), beside(-1, 1)))
    )
    after = np.where(flat, beside(0, 1), np.where(steep, beside(1, 0), np.where(falling, beside(1, 1), beside(1, -1))))
    thin = (size > before) & (size >= after)
    weak, strong = thin & (size > 50), thin & (size > 150)
    labels, _ = ndimage.label(weak, structure=np.ones((3, 3)))
    kept = np.isin(labels, np.unique(labels[strong])) & weak
    return float(kept.mean())
