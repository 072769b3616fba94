"""Evidence: what in a picture is large, whole and square enough to be recognised, measured in its label picture."""

from dataclasses import dataclass

import numpy as np

from citysim.city import CityObject
from citysim.pose import Pose
from citysim.render.base import Camera, Frame, VisibleObject
from citysim.tasks.urbanground.making.scout import Scout

SIGN_PX = (72, 24)
"""A sign counts as readable from so many pixels wide and high at 640x480: letters of about ten pixels."""
THING_PX = (24, 24)
WHOLE = 0.72
"""Share of its outline that must be unhidden, and of the box it would fill alone."""
MARGIN_PX = 6
SHOWN_PX = 12
"""Fewer pixels than these of something are as good as none."""


@dataclass(frozen=True, slots=True)
class Sight:
    """A label picture with what it shows."""

    frame: Frame
    camera: Camera
    shown: dict[int, VisibleObject]


def sight(scout: Scout, pose: Pose) -> Sight:
    """What is seen from a foot pose at noon."""
    frame = scout.see(pose)
    camera = scout.world.camera(scout.size, scout.fov_deg)
    return Sight(frame, camera, {seen.id: seen for seen in frame.visible_objects()})


def is_clear(seen: Sight, thing: CityObject, least: tuple[int, int]) -> bool:
    """Whether an object is at least so wide and high (pixels), inside the picture, and hardly hidden by others."""
    found = seen.shown.get(thing.id)
    if found is None:
        return False
    wide, high = found.x1 - found.x0, found.y1 - found.y0
    width, height = seen.camera.size
    inside = found.x0 >= MARGIN_PX and found.y0 >= MARGIN_PX
    inside &= found.x1 <= width - MARGIN_PX and found.y1 <= height - MARGIN_PX
    if not inside or wide < least[0] or high < least[1]:
        return False
    box = outline(seen.camera, thing)
    if box is None:
        return False
    x0, y0, x1, y1 = box
    both = max(0.0, min(x1, found.x1) - max(x0, found.x0)) * max(0.0, min(y1, found.y1) - max(y0, found.y0))
    either = (x1 - x0) * (y1 - y0) + wide * high - both
    return both / max(either, 1.0) >= WHOLE


def outline(camera: Camera, thing: CityObject) -> tuple[float, float, float, float] | None:
    """The box in pixels that an object's bounds fill, None where part of them lies behind the camera."""
    e0, n0, u0, e1, n1, u1 = thing.bounds
    corners = np.array([(e, n, u) for e in (e0, e1) for n in (n0, n1) for u in (u0, u1)])
    pixels = camera.project(corners)
    if pixels[:, 2].min() < 0.2:
        return None
    (x0, y0), (x1, y1) = pixels[:, :2].min(axis=0), pixels[:, :2].max(axis=0)
    return float(x0), float(y0), float(x1), float(y1)


def is_readable(seen: Sight, sign: CityObject) -> bool:
    """Whether a flat sign is large, whole and square enough to the view to be read."""
    found = seen.shown.get(sign.id)
    if found is None or not is_clear(seen, sign, SIGN_PX):
        return False
    return found.pixels >= 0.5 * (found.x1 - found.x0) * (found.y1 - found.y0)
