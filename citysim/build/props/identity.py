"""What can be said of every object once it is built: its colour, material and size."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from citysim.build.draft import CityDraft
from citysim.build.mesh import FINEST, Part

# names people use, with a typical colour
NAMES = {
    "black": (28, 28, 30), "dark grey": (78, 80, 82), "grey": (132, 134, 136), "light grey": (186, 188, 188),
    "white": (236, 236, 230), "red": (186, 40, 36), "orange": (226, 130, 40), "yellow": (234, 196, 60),
    "green": (62, 128, 72), "dark green": (30, 74, 52), "blue": (46, 96, 176), "dark blue": (32, 52, 96),
    "light blue": (140, 178, 214), "purple": (118, 62, 140), "pink": (222, 140, 166), "brown": (122, 84, 54),
    "beige": (206, 188, 154), "maroon": (104, 34, 34),
}  # fmt: skip
_ORDER = sorted(NAMES)
_TYPICAL = np.array([NAMES[name] for name in _ORDER])
_LINEAR = ((np.arange(256) / 255.0 + 0.055) / 1.055) ** 2.4
_LINEAR[:11] = np.arange(11) / 255.0 / 12.92


def describe_objects(draft: CityDraft, built: Sequence[Part]) -> None:
    """Give every object with triangles in `built` `color` ("#rrggbb", the mean over its surface), `color_name`,
    `material` (the look that covers most of it) and `size_m` (east, north, up), where it does not have them.

    It needs all pictures, some of which may be painted by another process still: the later it is called the better.
    """
    parts = [p for p in built if p.label > 0 and p.detail in FINEST]
    if not parts:
        return
    corners = np.concatenate([p.positions[p.triangles] for p in parts])
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas = np.sqrt((cross * cross).sum(axis=1)) / 2.0
    counts = np.array([len(p.triangles) for p in parts])
    by_part = np.add.reduceat(areas, np.cumsum(counts) - counts)
    names = sorted({p.material for p in parts})
    number = {name: i for i, name in enumerate(names)}
    means = np.array([_mean(draft, name) for name in names])
    material = np.array([number[p.material] for p in parts])
    tints = np.array([p.colors[0, :3] for p in parts], dtype=np.float64) / 255.0  # linear, as vertex colours are
    labels = np.array([p.label for p in parts])
    count = len(draft.objects) + 1
    colors = np.zeros((count, 3))
    np.add.at(colors, labels, means[material] * tints * by_part[:, None])
    total = np.bincount(labels, by_part, count)
    share = np.zeros((count, len(names)))
    np.add.at(share, (labels, material), by_part)
    for i, thing in enumerate(draft.objects):
        if total[thing.id] <= 0.0:
            continue
        given = thing.attributes.get("color")  # a sign's ground: the mean with its letters would be grey
        rgb = _parsed(given) if given else _display(colors[thing.id] / total[thing.id])
        e0, n0, u0, e1, n1, u1 = thing.bounds
        extra: dict[str, object] = {
            "color": "#" + "".join(f"{v:02x}" for v in rgb),
            "color_name": color_name(rgb),
            "material": _plain(names[int(share[thing.id].argmax())]),
        }
        if e1 > e0 or n1 > n0 or u1 > u0:
            extra["size_m"] = [round(e1 - e0, 2), round(n1 - n0, 2), round(u1 - u0, 2)]
        draft.objects[i] = replace(thing, attributes={**extra, **thing.attributes})


def color_name(rgb: tuple[int, int, int]) -> str:
    """The nearest of NAMES."""
    return _ORDER[int(((_TYPICAL - np.array(rgb)) ** 2).sum(axis=1).argmin())]


def _mean(draft: CityDraft, material: str) -> tuple[float, float, float]:
    """The mean linear colour of a material's texture times its own."""
    spec = draft.materials[material]
    base = np.array(spec.color[:3])
    if spec.texture:
        pixels = draft.textures[spec.texture].pixels[::4, ::4]
        shown = pixels.reshape(-1, pixels.shape[2])
        if shown.shape[1] == 4:
            shown = shown[shown[:, 3] > 127]
        if len(shown):
            base = base * _LINEAR[shown[:, :3]].mean(axis=0)
    return float(base[0]), float(base[1]), float(base[2])


def _display(linear: np.ndarray) -> tuple[int, int, int]:
    r, g, b = (int(np.searchsorted(_LINEAR, min(float(v), 1.0) - 1e-9)) for v in linear)
    return min(r, 255), min(g, 255), min(b, 255)


def _parsed(color: str) -> tuple[int, int, int]:
    r, g, b = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return r, g, b


def _plain(material: str) -> str:
    """The last word of a material's name, as people would say it."""
    word = material.rsplit("/", 1)[-1]
    if material.startswith(("places/", "props/", "door/")):
        return "painted"
    return {"paint": "painted metal", "look": "paint"}.get(word, word.replace("_", " "))
