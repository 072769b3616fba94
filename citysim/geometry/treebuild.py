"""Bounding-volume trees over boxes by the binned surface-area heuristic."""

from typing import Any

import numpy as np

from citysim.geometry.jit import helper, kernel

BINS = 16
MEDIAN_DEPTH = 40
"""Deeper than this, nodes are halved by count: no tree over 2^22 boxes gets deeper than 64 levels."""


@kernel
def build_tree(low: Any, high: Any, leaf: int) -> Any:
    """Order and nodes of a binary tree over (N, 3) float64 boxes with at most `leaf` (7 or fewer) boxes a leaf.

    Wald, "On fast construction of SAH-based bounding volume hierarchies" (2007), with 16 bins on each axis. Returns
    `order` (N,) int32, `boxes` (M, 12) float64 (lower and upper corner of the first child, then of the second),
    `links` (M, 2) int32 and the root's link. A link of 0 or more is a node; a negative one is `-1 - (8 * first + n)`
    for the leaf of boxes `order[first:first + n]`.
    """
    count = len(low)
    order = np.arange(count).astype(np.int32)
    boxes = np.empty((max(count - 1, 1), 12), np.float64)
    links = np.empty((max(count - 1, 1), 2), np.int32)
    if count <= leaf:
        return order, boxes[:0], links[:0], -1 - count
    jobs = np.empty((count + 2, 5), np.int32)  # first, count, depth, parent, side
    jobs[0, 0], jobs[0, 1], jobs[0, 2], jobs[0, 3], jobs[0, 4] = 0, count, 0, -1, 0
    waiting, made = 1, 0
    while waiting > 0:
        waiting -= 1
        first, number, depth = jobs[waiting, 0], jobs[waiting, 1], jobs[waiting, 2]
        parent, side = jobs[waiting, 3], jobs[waiting, 4]
        if number <= leaf:
            links[parent, side] = -1 - (8 * first + number)
            continue
        if parent >= 0:
            links[parent, side] = made
        middle = _split(low, high, order, first, number, depth)
        for child in range(2):
            start = first if child == 0 else middle
            end = middle if child == 0 else first + number
            for axis in range(3):
                lower, upper = np.inf, -np.inf
                for k in range(start, end):
                    lower = min(lower, low[order[k], axis])
                    upper = max(upper, high[order[k], axis])
                boxes[made, 6 * child + axis] = lower
                boxes[made, 6 * child + 3 + axis] = upper
            job = jobs[waiting]
            job[0], job[1], job[2], job[3], job[4] = start, end - start, depth + 1, made, child
            waiting += 1
        made += 1
    return order, boxes[:made], links[:made], 0


@helper
def _split(low: Any, high: Any, order: Any, first: int, number: int, depth: int) -> int:
    """Arrange `order[first:first + number]` into two parts; returns where the second begins."""
    base, extent = np.empty(3), np.empty(3)
    for axis in range(3):
        lower, upper = np.inf, -np.inf
        for k in range(first, first + number):
            center = low[order[k], axis] + high[order[k], axis]
            lower, upper = min(lower, center), max(upper, center)
        base[axis], extent[axis] = lower, upper - lower
    best_axis, best_bin, best_cost = -1, 0, np.inf
    if depth < MEDIAN_DEPTH:
        for axis in range(3):
            if extent[axis] > 0.0:
                cost, at = _best_cut(low, high, order, first, number, axis, base[axis], extent[axis])
                if cost < best_cost:
                    best_axis, best_bin, best_cost = axis, at, cost
    if best_axis < 0:
        return first + number // 2  # boxes about one point, or a tree already too deep: by count
    scale = BINS / extent[best_axis]
    left, right = first, first + number - 1
    while left <= right:
        box = order[left]
        center = low[box, best_axis] + high[box, best_axis]
        if min(int((center - base[best_axis]) * scale), BINS - 1) <= best_bin:
            left += 1
        else:
            order[left], order[right] = order[right], box
            right -= 1
    return left


@helper
def _best_cut(
    low: Any, high: Any, order: Any, first: int, number: int, axis: int, base: float, extent: float
) -> tuple[float, int]:
    """Cheapest cut after one of the bins of an axis; the cost is infinite where every box falls into one bin."""
    counts = np.zeros(BINS, np.int64)
    lower, upper = np.full((BINS, 3), np.inf), np.full((BINS, 3), -np.inf)
    scale = BINS / extent
    for k in range(first, first + number):
        box = order[k]
        at = min(int((low[box, axis] + high[box, axis] - base) * scale), BINS - 1)
        counts[at] += 1
        for i in range(3):
            lower[at, i] = min(lower[at, i], low[box, i])
            upper[at, i] = max(upper[at, i], high[box, i])
    costs = np.zeros(BINS)  # of everything up to and including a bin
    for direction in range(2):
        a, b = np.full(3, np.inf), np.full(3, -np.inf)
        total = 0
        for step in range(BINS - 1):
            at = step if direction == 0 else BINS - 1 - step
            total += counts[at]
            for i in range(3):
                a[i], b[i] = min(a[i], lower[at, i]), max(b[i], upper[at, i])
            x, y, z = b[0] - a[0], b[1] - a[1], b[2] - a[2]
            cut = at if direction == 0 else at - 1
            costs[cut] += np.inf if total == 0 else total * (x * y + y * z + z * x)
    best = int(np.argmin(costs[: BINS - 1]))
    return costs[best], best
