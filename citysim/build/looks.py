"""Looks: the surfaces every builder may use, by name.

`look(draft, "paving")` registers texture and material on first use and says how many metres the texture covers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from citysim.build.draft import CityDraft, MaterialSpec, Texture
from citysim.build.textures import plain, rails, slabs
from citysim.errors import UnknownNameError


@dataclass(frozen=True, slots=True)
class Look:
    """A material to give to MeshBuilder and the metres (width, height) one repetition of its texture covers."""

    material: str
    metres: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Recipe:
    """How one look is made: pixels on demand, the metres they cover, and the material's switches.

    `glow` makes the mask of what shines at night, with `cells` as in `draft.Texture`.
    """

    make: Callable[[], NDArray[np.uint8]]
    metres: tuple[float, float] = (2.0, 2.0)
    alpha_cutoff: float = 0.0
    double_sided: bool = False
    glow: Callable[[], NDArray[np.uint8]] | None = None
    cells: tuple[int, int] = (0, 0)
    emissive: tuple[float, float, float] = (0.0, 0.0, 0.0)


def _noisy(name: str, color: str, low: float, span: float, speckle: float, metres: float = 4.0) -> Recipe:
    return Recipe(lambda: plain.noisy(name, color, low, span, speckle), (metres, metres))


RECIPES: dict[str, Recipe] = {
    "asphalt": Recipe(lambda: plain.asphalt("asphalt", "#4f5052"), (4.0, 4.0)),
    "asphalt_light": Recipe(lambda: plain.asphalt("asphalt_light", "#6e6d6a"), (4.0, 4.0)),
    "paving": Recipe(lambda: slabs.pieces("paving", "#a29d94", 12, 12, bevel=0.06), (3.6, 3.6)),
    "paving_large": Recipe(
        lambda: slabs.pieces("paving_large", "#aca79e", 6, 4, spread=0.1, tones=("#a19d96", "#b3aca0")), (4.0, 4.0)
    ),
    "paving_blocks": Recipe(
        lambda: slabs.pieces(
            "paving_blocks", "#918d86", 20, 10, spread=0.07, joint=1.5, joint_color="#6f6b65",
            tones=("#9b968e", "#88847d", "#938e87", "#8f7468"),
        ),
        (2.0, 2.0),
    ),
    "paving_scored": Recipe(
        lambda: slabs.pieces(
            "paving_scored", "#b4b0a7", 2, 2, bond=0.0, spread=0.06, joint=3.0, joint_color="#8b877f", bevel=0.03
        ),
        (3.0, 3.0),
    ),
    "paving_clinker": Recipe(
        lambda: slabs.pieces(
            "paving_clinker", "#957563", 20, 10, spread=0.1, joint=1.5, joint_color="#6b584c",
            tones=("#8b6b5a", "#a07f6b", "#99786a"),
        ),
        (2.0, 2.0),
    ),
    "paving_granite": Recipe(
        lambda: slabs.pieces("paving_granite", "#b3aa9c", 6, 4, spread=0.09, rough=0.2, tones=("#a9a093", "#bab2a6")),
        (3.6, 3.6),
    ),
    "setts": Recipe(
        lambda: slabs.pieces(
            "setts", "#7d7a74", 20, 20, joint=3.0, joint_color="#56524c", spread=0.16, dome=0.3,
            tones=("#8a857c", "#726c69"),
        ),
        (2.0, 2.0),
    ),
    "kerb": Recipe(
        lambda: slabs.pieces("kerb", "#918c86", 1, 2, size=256, bond=0.0, rough=0.22, speckle=14.0), (2.0, 0.5)
    ),
    "curb_top": Recipe(
        lambda: slabs.pieces("curb_top", "#98938c", 1, 2, size=256, bond=0.0, rough=0.22, speckle=14.0), (2.0, 0.5)
    ),
    "grass": Recipe(lambda: plain.grass("grass", "#617d3f", "#8a8a4e"), (4.0, 4.0)),
    "gravel": Recipe(lambda: plain.pebbles("gravel", "#9a9184"), (2.0, 2.0)),
    "sand": _noisy("sand", "#c2ad85", 0.88, 0.24, 9),
    "soil": Recipe(lambda: plain.pebbles("soil", "#6b5642"), (3.0, 3.0)),
    "water": Recipe(lambda: plain.water("water", "#3a5f69", "#86a4ad"), (8.0, 8.0)),
    "concrete": Recipe(lambda: plain.concrete("concrete", "#a3a09a"), (4.0, 4.0)),
    "marking_white": Recipe(lambda: plain.worn("marking_white", "#dddbd1", "#6a6a6a"), (4.0, 4.0)),
    "marking_yellow": Recipe(lambda: plain.worn("marking_yellow", "#d8b02e", "#6a6a62"), (4.0, 4.0)),
    "tactile": Recipe(lambda: slabs.tactile("tactile", "#d9b93c"), (0.3, 0.3)),
    "stairs": _noisy("stairs", "#948f89", 0.88, 0.24, 15, 2.0),
    "metal": _noisy("metal", "#9aa0a4", 0.93, 0.14, 3),
    "metal_dark": _noisy("metal_dark", "#3a3f44", 0.93, 0.14, 3),
    "wood": Recipe(
        lambda: slabs.pieces(
            "wood", "#8a6440", 8, 1, size=256, joint=2.0, joint_color="#3d2c1d", spread=0.14, rough=0.26, speckle=5.0
        ),
        (1.0, 1.0),
    ),
    "roof_bitumen": Recipe(
        lambda: slabs.pieces("roof_bitumen", "#5a5856", 4, 1, size=256, joint_color="#494745", speckle=9.0), (4.0, 4.0)
    ),
    "roof_tiles": Recipe(
        lambda: slabs.pieces(
            "roof_tiles", "#8f4632", 12, 16, size=256, joint=1.5, joint_color="#4a241a", spread=0.14, bevel=0.16,
            tones=("#9c5038", "#7f3d2c"),
        ),
        (4.0, 4.0),
    ),
    "roof_metal": Recipe(lambda: slabs.seams("roof_metal", "#5c6a63", 6), (3.6, 3.6)),
    "plaster": _noisy("plaster", "#d8c7a5", 0.9, 0.2, 5),
    "brick": Recipe(
        lambda: slabs.pieces(
            "brick", "#8a4a36", 48, 16, joint=2.0, joint_color="#b9ada0", spread=0.14,
            tones=("#9b5642", "#7a3f30", "#94503c"),
        ),
        (4.0, 3.84),
    ),
    "stone": Recipe(
        lambda: slabs.pieces("stone", "#b7aa95", 8, 4, joint_color="#8a8071", rough=0.22, bevel=0.1), (4.0, 4.0)
    ),
    "glass": _noisy("glass", "#5f7a8c", 0.9, 0.2, 2),
    "hedge": Recipe(lambda: plain.leaves("hedge", "#4a6a32"), (2.0, 2.0)),
    "foliage": Recipe(lambda: plain.leaves("foliage", "#55763a"), (2.0, 2.0)),
    "bark": Recipe(lambda: plain.streaked("bark", "#66543f", 24), (1.0, 1.0)),
    "paint": _noisy("paint", "#f2f2f2", 0.93, 0.12, 3, 2.0),
    "rail_panel": Recipe(lambda: rails.bars("rail_panel", "#3a3f44", 8), (1.1, 1.1), 0.5, True),
    "road_block": Recipe(lambda: rails.blocks("road_block", ("#c9482f", "#e4e2da")), (2.4, 0.75)),
    "boom": Recipe(lambda: rails.blocks("boom", ("#d9772b", "#d9772b")), (3.0, 0.6)),
    "clear": Recipe(rails.nothing, (4.0, 4.0), 0.5, True),
    "fence": Recipe(lambda: rails.mesh("fence", "#5f665c", 10), (1.2, 1.2), 0.5, True),
}  # fmt: skip


@cache
def _pixels(name: str) -> NDArray[np.uint8]:
    made = RECIPES[name].make()
    made.setflags(write=False)
    return made


def _texture(name: str) -> Texture:
    recipe = RECIPES[name]
    return Texture(_pixels(name), recipe.metres, recipe.glow() if recipe.glow else None, recipe.cells)


def look(draft: CityDraft, name: str) -> Look:
    """The look called `name`, registered in the draft.

    Divide metres by `Look.metres` to get texture units. Raises UnknownNameError for a name not in RECIPES.
    """
    if name not in RECIPES:
        raise UnknownNameError.of("look", name, RECIPES)
    recipe = RECIPES[name]
    draft.painted(f"look/{name}", _texture, name)
    spec = MaterialSpec(
        f"look/{name}",
        alpha_cutoff=recipe.alpha_cutoff,
        double_sided=recipe.double_sided,
        emissive=recipe.emissive,
    )
    return Look(draft.material(f"look/{name}", spec), recipe.metres)
