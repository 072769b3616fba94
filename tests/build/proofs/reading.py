"""Reading signs as a passer-by: where to stand, what is seen, and what an OCR engine makes of it."""

import math
import re
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from citysim.city import Place
from citysim.conditions import Conditions
from citysim.pose import Pose
from citysim.render.base import Renderer, View
from citysim.render.camera import Camera
from tests.build.proofs.solid import Solid

Array = NDArray[np.float64]
SIZE = (1280, 720)
EYE = 1.6
DISTANCES = (4.0, 4.8, 5.6, 6.5, 7.5, 8.7, 10.0, 11.2, 12.5, 14.0, 15.0)
FARTHEST = 15.0  # metres from an eye to a sign, which may hang high
ASIDE = (0.0, 7.0, -7.0, 14.0, -14.0, 21.0, -21.0)  # degrees off the sign's axis: in front of it
MARGIN = 30  # pixels around the sign that the engine is shown


@dataclass(frozen=True)
class Stand:
    """A place to read a sign from."""

    place: Place
    label: int
    eye: Array
    target: Array
    board: Array  # (T, 3, 3) the triangles with the text, as seen from the front


def stands(solid: Solid, place: Place) -> list[Stand]:
    """Points 4 to 15 m before a place's sign, on a floor, from which most of the sign can be seen."""
    own = solid.of(place.sign or 0)
    text = [t for t in own if solid.city.materials[int(solid.material[t])].name.startswith("places/")]
    if not text:
        return []
    corners = solid.corners[text]
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = np.linalg.norm(cross, axis=1)
    first = cross[area.argmax()] / area.max()
    facing = (cross / np.maximum(area, 1e-9)[:, None]) @ first > 0.95  # one of the two sides of a hanging board
    points = corners[facing].reshape(-1, 3)
    center = (points.min(axis=0) + points.max(axis=0)) / 2.0
    across = np.array([-first[1], first[0], 0.0])
    half = float(np.abs((points - center) @ across).max()) * 0.9
    tall = float(np.abs(points[:, 2] - center[2]).max()) * 0.6
    spread = [center + across * half * (k / 5.0) + [0.0, 0.0, t * tall] for k in range(-5, 6) for t in (-1, 1)]
    found = []
    for distance in DISTANCES:
        for aside in ASIDE:
            turn = math.radians(aside)
            way = np.array([first[0] * math.cos(turn) - first[1] * math.sin(turn),
                            first[0] * math.sin(turn) + first[1] * math.cos(turn)])  # fmt: skip
            if np.hypot(*way) < 0.5:
                continue
            at = center[:2] + way / np.hypot(*way) * distance
            heights, ups, _ = solid.plumb(float(at[0]), float(at[1]))
            floors = heights[(ups > 0.7) & (heights < center[2] - 0.8) & (heights > center[2] - 9.0)]
            if not len(floors):
                continue
            eye = np.array([at[0], at[1], float(floors[np.abs(floors - place.entrance[2]).argmin()]) + EYE])
            if float(np.linalg.norm(center - eye)) > FARTHEST + 0.1:
                continue
            aims = np.vstack([center, spread])
            hits = solid.space.cast_rays(np.repeat(eye[None], len(aims), axis=0), aims)
            away = np.linalg.norm(aims - eye, axis=1)
            if (hits.distance > away - 0.25).all():  # a step aside is enough to look past a post
                found.append(Stand(place, int(place.sign or 0), eye, center, corners[facing]))
    return found


def look(renderer: Renderer, stand: Stand, conditions: Conditions) -> tuple[NDArray[np.uint8], float] | None:
    """The part of a 1280 x 720 picture around the sign, and the share of the sign that nothing hides.

    None where the sign is not in the picture.
    """
    gap = stand.target - stand.eye
    yaw, pitch = math.atan2(gap[1], gap[0]), math.atan2(gap[2], math.hypot(gap[0], gap[1]))
    east, north, up = (float(v) for v in stand.eye)
    camera = Camera(Pose(east, north, up, yaw, pitch), SIZE)
    frame = renderer.render(View(camera, conditions, labels=True))
    assert frame.labels is not None
    rows, columns = np.nonzero(frame.labels == stand.label)
    if len(rows) < 40:
        return None
    y0, y1 = max(0, int(rows.min()) - MARGIN), int(rows.max()) + MARGIN
    x0, x1 = max(0, int(columns.min()) - MARGIN), int(columns.max()) + MARGIN
    picture = np.ascontiguousarray(frame.rgb[y0:y1, x0:x1])
    board = _outline(stand, yaw, pitch, camera)
    seen = int(shapely.contains_xy(board, columns + 0.5, rows + 0.5).sum())
    return picture, min(seen / max(float(shapely.area(board)), 1.0), 1.0)


def _outline(stand: Stand, yaw: float, pitch: float, camera: Camera) -> shapely.Geometry:
    """The pixels that a board covers when nothing stands before it, also beyond the picture."""
    ahead = np.array([math.cos(pitch) * math.cos(yaw), math.cos(pitch) * math.sin(yaw), math.sin(pitch)])
    right = np.array([math.sin(yaw), -math.cos(yaw), 0.0])
    rays = stand.board - stand.eye
    far = np.maximum(rays @ ahead, 0.1)
    focal = SIZE[1] / 2.0 / math.tan(math.radians(camera.fov_deg) / 2.0)
    flat = np.stack([rays @ right / far, rays @ np.cross(right, ahead) / far], axis=-1) * focal
    flat = flat * (1.0, -1.0) + (SIZE[0] / 2.0, SIZE[1] / 2.0)
    return shapely.union_all(shapely.buffer(shapely.polygons(flat), 0.01))


def squeezed(text: str) -> str:
    """Letters and digits alone, in one case: engines lose the gaps of condensed capitals.

    A capital I and a small l are one shape in most faces, so they count as the same letter.
    """
    return re.sub(r"[^a-z0-9]", "", text.replace("I", "l").casefold()).replace("i", "l")


class Box(NamedTuple):
    """What the engine has read in one box of a picture, pixels."""

    top: float
    bottom: float
    left: float
    right: float
    text: str


def reads(engine: Any, picture: NDArray[np.uint8], name: str) -> tuple[bool, str]:
    """Whether an engine finds a name in a picture, whole or line by line in its order; and all it found."""
    found, _ = engine(picture[..., ::-1])
    boxes = []
    for corners, text, _ in found or []:
        ys, xs = [p[1] for p in corners], [p[0] for p in corners]
        boxes.append(Box(min(ys), max(ys), min(xs), max(xs), squeezed(str(text))))
    rows = _rows(boxes)
    tilted = sorted(boxes, key=lambda box: box.left)  # one line seen at an angle
    wanted = squeezed(name)
    joined = "".join(box.text for row in rows for box in row)
    if any(wanted in order for order in (joined, "".join(map(_merged, rows)), _merged(tilted))):
        return True, joined
    # lines of the name may have other text (hours, another sign) between them
    rest = wanted
    for row in rows:
        for box in row:
            if box.text and rest.startswith(box.text):
                rest = rest[len(box.text) :]
    return not rest, joined


def _merged(row: list[Box]) -> str:
    """The texts of one line. Where boxes overlap, a letter is in both, and its first half may read as another."""
    whole, edge = "", -math.inf
    for box in row:
        if whole and box.text and box.left < edge:
            whole = whole[:-1]
        whole, edge = whole + box.text, box.right
    return whole


def _rows(boxes: list[Box]) -> list[list[Box]]:
    """Boxes by line, from left to right: those whose heights overlap by half share a line."""
    rows: list[list[Box]] = []
    for box in sorted(boxes, key=lambda b: (b.top + b.bottom) / 2.0):
        for row in rows:
            shared = min(box.bottom, row[-1].bottom) - max(box.top, row[-1].top)
            if shared > 0.5 * min(box.bottom - box.top, row[-1].bottom - row[-1].top):
                row.append(box)
                break
        else:
            rows.append([box])
    return [sorted(row, key=lambda b: b.left) for row in rows]
