"""From labels to the colours of a map."""

from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from citysim.city import City
from citysim.render.base import Frame
from citysim.render.raster.jit import helper, kernel
from citysim.render.raster.layout import I64, Array, F, Int, U

PAPER = (242, 239, 233)  # what has no category of its own: pavements and courts
NOTHING = (214, 218, 222)  # beyond the city
OUTLINE = (176, 163, 150)  # around buildings

# Colours of a map by object category; anything else standing on the ground is left out (drawn as what is under it).
INKS: dict[str, tuple[int, int, int]] = {
    "building": (214, 203, 192), "carriageway": (255, 255, 255), "street": (255, 255, 255), "crossing": (228, 226, 240),
    "park": (200, 226, 178), "grass": (205, 232, 182), "garden": (205, 232, 182), "scrub": (190, 214, 168),
    "cemetery": (190, 214, 168), "playground": (214, 240, 205), "pitch": (176, 224, 200), "water": (170, 211, 223),
    "square": (237, 230, 219), "pedestrian": (237, 230, 219), "parking": (238, 238, 238), "sand": (245, 233, 198),
    "pavement": PAPER,
    **dict.fromkeys(("car", "taxi", "van", "minibus", "motorcycle"), (255, 255, 255)),  # gone tomorrow
    "stairs": (250, 170, 150), "steps": (250, 170, 150), "footbridge": (250, 200, 170), "bridge": (245, 235, 215),
    "tree": (164, 204, 146), "hedge": (164, 204, 146),
    "rail": (200, 200, 205), "construction": (214, 208, 180), "platform": (226, 226, 230),
}  # fmt: skip

_PALETTES: "WeakKeyDictionary[City, NDArray[np.uint8]]" = WeakKeyDictionary()


def palette(city: City) -> NDArray[np.uint8]:
    """(labels, 4) uint8: ink of each label, and 1 for a building; what is on a building is the building on a map."""
    if city not in _PALETTES:
        by_id = {thing.id: thing for thing in city.objects}
        table = np.zeros((max(by_id, default=0) + 1, 4), dtype=np.uint8)
        table[:, :3] = PAPER
        for thing in city.objects:
            above = thing
            for _ in range(8):
                if above.category in INKS or above.parent is None or above.parent not in by_id:
                    break
                above = by_id[above.parent]
            table[thing.id] = (*INKS.get(above.category, PAPER), above.category == "building")
        _PALETTES[city] = table
    return _PALETTES[city]


def inked(frame: Frame, city: City, fine: int) -> NDArray[np.uint8]:
    """(H, W, 3) uint8: the map of a frame that is `fine` (1 or 2) times as large, with outlines around buildings.

    Where the frame has normals, walls are darker than roofs.
    """
    if frame.labels is None or frame.depth is None:
        raise TypeError("the renderer left out what was asked for")
    height, width = frame.labels.shape
    rgb = np.empty((height // fine, width // fine, 3), dtype=np.uint8)
    normals = np.zeros((0, 0, 3), dtype=np.float32) if frame.normals is None else frame.normals
    ink(frame.labels, frame.depth, normals, palette(city), np.array([NOTHING, OUTLINE], dtype=np.uint8), fine, rgb)
    return rgb


@helper
def lit_share(nx: float, ny: float, nz: float) -> float:
    """How bright a face is on a tilted map: 1 for ground and roofs, down to 0.7 for walls turned from the light."""
    if nx == 0.0 and ny == 0.0 and nz == 0.0:
        return 1.0
    share = 0.86 + 0.14 * nz + 0.07 * (nx - ny)
    return min(max(share, 0.6), 1.0)


@kernel
def ink(
    labels: Array, depth: Array, normals: Array, inks: Array, special: Array, fine: Int, rgb: Array
) -> None:  # fmt: skip
    """Fill rgb (h, w, 3) with the mean ink of fine x fine pixels each."""
    height, width = labels.shape
    total = fine * fine
    for row in range(rgb.shape[0]):
        for column in range(rgb.shape[1]):
            r, g, b = I64(0), I64(0), I64(0)
            for y in range(row * fine, row * fine + fine):
                for x in range(column * fine, column * fine + fine):
                    label = labels[U(y), U(x)]
                    if not depth[U(y), U(x)] < np.inf:
                        r, g, b = r + special[0, 0], g + special[0, 1], b + special[0, 2]
                        continue
                    if label < 0 or label >= len(inks):
                        label = 0
                    edge = inks[U(label), U(3)] != 0 and (
                        (y > 0 and labels[U(y - 1), U(x)] != label)
                        or (y + 1 < height and labels[U(y + 1), U(x)] != label)
                        or (x > 0 and labels[U(y), U(x - 1)] != label)
                        or (x + 1 < width and labels[U(y), U(x + 1)] != label)
                    )
                    s = F(1.0)
                    if len(normals):
                        s = F(
                            lit_share(normals[U(y), U(x), U(0)], normals[U(y), U(x), U(1)], normals[U(y), U(x), U(2)])
                        )
                    if edge:
                        r, g, b = r + I64(special[1, 0] * s), g + I64(special[1, 1] * s), b + I64(special[1, 2] * s)
                    else:
                        at = U(label)
                        r, g, b = r + I64(inks[at, U(0)] * s), g + I64(inks[at, U(1)] * s), b + I64(inks[at, U(2)] * s)
            rgb[U(row), U(column), U(0)] = (r + total // 2) // total
            rgb[U(row), U(column), U(1)] = (g + total // 2) // total
            rgb[U(row), U(column), U(2)] = (b + total // 2) // total
