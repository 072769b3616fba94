"""Reading signs as a passer-by: where to stand, what is seen, and what an OCR engine makes of it."""

import math
import re
from dataclasses import dataclass
from typing import Any

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
DISTANCES = (4.0, 5.5, 7.5, 10.0, 12.5, 15.0)
ASIDE = (0.0, 18.0, -18.0, 36.0, -36.0)  # degrees off the sign's axis
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
    return picture, min(len(rows) / max(_pixels(stand, yaw, pitch, camera), 1.0), 1.0)


def _pixels(stand: Stand, yaw: float, pitch: float, camera: Camera) -> float:
    """How many pixels of the picture a board covers when nothing stands before it."""
    ahead = np.array([math.cos(pitch) * math.cos(yaw), math.cos(pitch) * math.sin(yaw), math.sin(pitch)])
    right = np.array([math.sin(yaw), -math.cos(yaw), 0.0])
    rays = stand.board - stand.eye
    far = np.maximum(rays @ ahead, 0.1)
    focal = SIZE[1] / 2.0 / math.tan(math.radians(camera.fov_deg) / 2.0)
    flat = np.stack([rays @ right / far, rays @ np.cross(right, ahead) / far], axis=-1) * focal
    frame = shapely.box(-SIZE[0] / 2, -SIZE[1] / 2, SIZE[0] / 2, SIZE[1] / 2)
    return float(shapely.area(shapely.intersection(shapely.polygons(flat), frame)).sum())


def squeezed(text: str) -> str:
    """Letters and digits alone, in one case: engines lose the gaps of condensed capitals.

    A capital I and a small l are one shape in most faces, so they count as the same letter.
    """
    return re.sub(r"[^a-z0-9]", "", text.replace("I", "l").casefold()).replace("i", "l")


def reads(engine: Any, picture: NDArray[np.uint8], name: str) -> tuple[bool, str]:
    """Whether an engine finds a name in a picture, whole or line by line in its order; and all it found."""
    found, _ = engine(picture[..., ::-1])
    boxes = []
    for box, text, _ in found or []:
        ys, xs = [p[1] for p in box], [p[0] for p in box]
        boxes.append((min(ys), max(ys), min(xs), squeezed(str(text))))
    rows = _rows(boxes)
    texts = [text for row in rows for text in row]
    wanted = squeezed(name)
    joined = "".join(texts)
    if wanted in joined or wanted in "".join(_merged(row) for row in rows):
        return True, joined
    # lines of the name may have other text (hours, another sign) between them
    rest = wanted
    for text in texts:
        if text and rest.startswith(text):
            rest = rest[len(text) :]
    return not rest, joined


def _merged(row: list[str]) -> str:
    """The texts of one line; a letter that the engine has seen in two boxes side by side counts once."""
    whole = ""
    for text in row:
        twice = bool(whole) and bool(text) and whole[-1] == text[0]
        whole += text[1:] if twice else text
    return whole


def _rows(boxes: list[tuple[float, float, float, str]]) -> list[list[str]]:
    """Texts by line, from left to right: boxes (top, bottom, left, text) whose heights overlap by half share a line."""
    rows: list[list[tuple[float, float, float, str]]] = []
    for box in sorted(boxes, key=lambda b: (b[0] + b[1]) / 2.0):
        for row in rows:
            shared = min(box[1], row[-1][1]) - max(box[0], row[-1][0])
            if shared > 0.5 * min(box[1] - box[0], row[-1][1] - row[-1][0]):
                row.append(box)
                break
        else:
            rows.append([box])
    return [[text for *_, text in sorted(row, key=lambda b: b[2])] for row in rows]
