"""Where labelled things are, told by their triangles: for tilesets that say what a feature is, not where."""

import dataclasses

import numpy as np

from citysim.city.model import Chunk, CityObject

Box = tuple[float, float, float, float, float, float]  # min east, north, up, max east, north, up, local metres


def widen(boxes: dict[int, Box], chunk: Chunk) -> None:
    """Let the boxes of all labels of a chunk (0 is none) hold its triangles too."""
    if not len(chunk.triangles):
        return
    labels = np.repeat(np.asarray(chunk.labels), 3)
    order = np.argsort(labels, kind="stable")
    points = chunk.positions[np.asarray(chunk.triangles).reshape(-1)[order]].astype(np.float64) + chunk.origin
    starts = np.flatnonzero(np.r_[True, np.diff(labels[order]) != 0])
    low, high = np.minimum.reduceat(points, starts), np.maximum.reduceat(points, starts)
    for label, least, most in zip(labels[order][starts].tolist(), low.tolist(), high.tolist(), strict=True):
        if label > 0:
            held = boxes.get(label, (*least, *most))
            boxes[label] = (*map(min, held[:3], least), *map(max, held[3:], most))


def stand(thing: CityObject, box: Box | None) -> CityObject:
    """The object with its box, and its foot point in the middle of it; unchanged where it has a box already."""
    if box is None or thing.bounds[:3] != thing.bounds[3:]:
        return thing
    foot = ((box[0] + box[3]) / 2.0, (box[1] + box[4]) / 2.0, box[2])
    return dataclasses.replace(thing, bounds=box, position=foot)
