"""Looks: the surfaces every builder may use, by name.

`look(draft, "paving")` registers texture and material on first use and says how many metres the texture covers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from citysim.build.draft import CityDraft, MaterialSpec, Texture
from citysim.build.textures.plain import noisy
from citysim.errors import UnknownNameError


@dataclass(frozen=True, slots=True)
class Look:
    """A material to give to MeshBuilder and the metres (width, height) one repetition of its texture covers."""

    material: str
    metres: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Recipe:
    """How one look is made: pixels on demand, the metres they cover, and the material's switches."""

    make: Callable[[], NDArray[np.uint8]]
    metres: tuple[float, float] = (2.0, 2.0)
    alpha_cutoff: float = 0.0
    double_sided: bool = False


def _noisy(name: str, color: str, low: float, span: float, speckle: float, metres: float = 4.0) -> Recipe:
    return Recipe(lambda: noisy(name, color, low, span, speckle), (metres, metres))


RECIPES: dict[str, Recipe] = {
    "asphalt": _noisy("asphalt", "#4a4b4d", 0.85, 0.30, 14),
    "asphalt_light": _noisy("asphalt_light", "#6b6a68", 0.85, 0.30, 14),
    "paving": _noisy("paving", "#a09b92", 0.9, 0.2, 8),
    "paving_large": _noisy("paving_large", "#aaa69d", 0.9, 0.2, 8),
    "setts": _noisy("setts", "#7d7a74", 0.8, 0.4, 12),
    "kerb": _noisy("kerb", "#8f8a85", 0.9, 0.2, 8),
    "curb_top": _noisy("curb_top", "#96918b", 0.9, 0.2, 8),
    "grass": _noisy("grass", "#5f7a3f", 0.75, 0.5, 16),
    "gravel": _noisy("gravel", "#9a9184", 0.85, 0.3, 22),
    "sand": _noisy("sand", "#c2ad85", 0.88, 0.24, 8),
    "soil": _noisy("soil", "#6b5642", 0.8, 0.4, 12),
    "water": _noisy("water", "#3f6670", 0.85, 0.3, 3),
    "concrete": _noisy("concrete", "#a3a09a", 0.9, 0.2, 6),
    "marking_white": _noisy("marking_white", "#d9d7cd", 0.88, 0.16, 6),
    "marking_yellow": _noisy("marking_yellow", "#d8b02e", 0.88, 0.16, 6),
    "tactile": _noisy("tactile", "#d9b93c", 0.9, 0.2, 6),
    "stairs": _noisy("stairs", "#8f8a85", 0.9, 0.2, 8),
    "metal": _noisy("metal", "#9aa0a4", 0.95, 0.1, 3),
    "metal_dark": _noisy("metal_dark", "#3a3f44", 0.95, 0.1, 3),
    "wood": _noisy("wood", "#8a6440", 0.85, 0.3, 6),
    "roof_bitumen": _noisy("roof_bitumen", "#5a5856", 0.88, 0.24, 10),
    "roof_tiles": _noisy("roof_tiles", "#8f4632", 0.85, 0.3, 8),
    "roof_metal": _noisy("roof_metal", "#5c6a63", 0.93, 0.14, 3),
    "plaster": _noisy("plaster", "#d8c7a5", 0.9, 0.2, 5),
    "brick": _noisy("brick", "#8a4a36", 0.85, 0.3, 8),
    "stone": _noisy("stone", "#b7aa95", 0.88, 0.24, 7),
    "glass": _noisy("glass", "#5f7a8c", 0.9, 0.2, 2),
    "hedge": _noisy("hedge", "#44602f", 0.6, 0.8, 20),
    "foliage": _noisy("foliage", "#4f6e35", 0.6, 0.8, 20),
    "bark": _noisy("bark", "#5d4c3c", 0.75, 0.5, 10),
    "paint": _noisy("paint", "#f2f2f2", 0.93, 0.12, 3, 2.0),
    "rail_panel": _noisy("rail_panel", "#3a3f44", 0.95, 0.1, 3),
    "fence": _noisy("fence", "#6a6f66", 0.95, 0.1, 3),
}


@cache
def _pixels(name: str) -> NDArray[np.uint8]:
    made = RECIPES[name].make()
    made.setflags(write=False)
    return made


def look(draft: CityDraft, name: str) -> Look:
    """The look called `name`, registered in the draft.

    Divide metres by `Look.metres` to get texture units. Raises UnknownNameError for a name not in RECIPES.
    """
    if name not in RECIPES:
        raise UnknownNameError.of("look", name, RECIPES)
    recipe = RECIPES[name]
    draft.texture(f"look/{name}", lambda: Texture(_pixels(name), recipe.metres))
    spec = MaterialSpec(f"look/{name}", alpha_cutoff=recipe.alpha_cutoff, double_sided=recipe.double_sided)
    return Look(draft.material(f"look/{name}", spec), recipe.metres)
