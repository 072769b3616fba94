"""Arms: boards on posts that lie along streets (street names) or point where something is (direction signs)."""

import math
from collections.abc import Sequence

from citysim.build.plans import PropPlan, Xy
from citysim.build.props.model import Model
from citysim.build.text.atlas import Printed, TextAtlas
from citysim.build.text.sign import SignFace
from citysim.fonts.layout import drawable

TAG = "arms"  # "text@bearing;text@bearing", bearings in degrees clockwise from north
STEP = 0.3  # metres between boards
CAPITAL, LONGEST = 0.15, 1.9  # metres
LOW = {"street_sign": 2.35, "direction_sign": 2.3}
THICK = 0.02


def arms_of(prop: PropPlan) -> list[tuple[str, float]]:
    """(text, bearing) of each board; empty where a prop has none or its text cannot be drawn."""
    found = []
    for part in filter(None, prop.tags.get(TAG, "").split(";")):
        text, _, bearing = part.rpartition("@")
        if drawable(text):
            found.append((text, float(bearing)))
    return found


def want_arms(atlas: TextAtlas, prop: PropPlan, xy: Xy, colours: tuple[str, str]) -> list[int]:
    """Ask for the pictures of a prop's boards; `colours` are ground and ink."""
    ground, ink = colours
    faces = [SignFace((text,), "narrow", ink, ground, 20, 0.45, frame=ink) for text, _ in arms_of(prop)]
    return [atlas.want(face, xy) for face in faces]


def hang_arms(model: Model, prop: PropPlan, heading: float, printed: Sequence[Printed]) -> Model:
    """The model with its boards, readable from both sides."""
    model = model.copy()
    for k, ((_, bearing), face) in enumerate(zip(arms_of(prop), printed, strict=True)):
        cap = min(CAPITAL, LONGEST / face.width)
        w, h = face.width * cap, face.height * cap
        a = math.radians(bearing - heading)
        ux, uy = math.sin(a), math.cos(a)  # along the board, in the model's axes
        start = -w / 2 if prop.kind == "street_sign" else 0.06
        low = LOW[prop.kind] + STEP * k
        for side in (1.0, -1.0):
            ox, oy = -uy * side * (THICK + 0.045), ux * side * (THICK + 0.045)
            # seen from the side the board's picture runs from left to right
            ends = (start, start + w) if side < 0 else (start + w, start)
            (x0, y0), (x1, y1) = ((ux * e + ox, uy * e + oy) for e in ends)
            corners = [(x0, y0, low), (x1, y1, low), (x1, y1, low + h), (x0, y0, low + h)]
            model.quad(corners, face.uv, material=f"@{face.material}")
    return model
