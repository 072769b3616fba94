"""Trees: a trunk with limbs, crossed leaf cards, and a light stand-in for the distance."""

import math

from citysim.build.chance import Chance
from citysim.build.draft import CityDraft, MaterialSpec, Texture
from citysim.build.mesh import Detail
from citysim.build.props.model import Model
from citysim.build.textures.foliage import CARDS, card, page

LEAVES = "props/foliage"
CLEAR = 2.4  # metres: no leaf hangs lower
PRUNED = 3.7  # metres: nor before shops, whose signs are read below the leaves
LEAST_PRUNED = 7.5  # metres: the height of a tree with so long a trunk
TINTS = ("#ffffff", "#f2f4dc", "#dfe9d2", "#fff3d6", "#e6e0c8")
BARKS = ("#ffffff", "#d8d2c8", "#b9a893")


def register(draft: CityDraft) -> None:
    """Make the leaf cards known to the draft."""
    draft.painted(LEAVES, _texture)
    draft.material(LEAVES, MaterialSpec(LEAVES, alpha_cutoff=0.5, double_sided=True))


def _texture() -> Texture:
    return Texture(page(), (4.0, 4.0))


def tree(chance: Chance, height: float, clear: float = CLEAR) -> Model:
    """A broad-leaved tree of `height` metres (at least 4), its lowest leaves `clear` metres up."""
    model = Model()
    height = max(4.0, height)
    base = max(clear, 0.26 * height)
    width = (height - base) * chance.uniform(0.82, 1.08, "width")
    radius = min(0.3, 0.05 + 0.019 * height)
    lean = chance.uniform(-0.025, 0.025, "lean") * height, chance.uniform(-0.025, 0.025, "lean_y") * height
    bark = chance.choice(BARKS, "bark")
    fork = base + 0.25 * (height - base)
    top = (lean[0], lean[1], fork)
    model.tube((0.0, 0.0, -0.08), top, (radius * 1.25, radius * 0.6), bark, sides=5, material="bark", caps="")
    turn = chance.uniform(0.0, math.pi, "turn")
    for i in range(2):
        a = turn + i * 2.5
        end = (top[0] + 0.28 * width * math.cos(a), top[1] + 0.28 * width * math.sin(a), fork + 0.32 * (height - base))
        model.tube(
            (top[0], top[1], fork - 0.3), end, (radius * 0.5, radius * 0.16), bark, sides=3, material="bark", caps=""
        )
    tint = chance.choice(TINTS, "tint")
    first = chance.integer(0, CARDS, "card")
    center = (lean[0], lean[1])
    model.detail = Detail.FINE
    _crown(model, center, base, height, width, turn, tint, first)
    model.detail = Detail.BETWEEN  # far off a trunk is thinner than a pixel
    model.tube((0.0, 0.0, -0.08), top, (radius * 1.2, radius * 0.7), bark, sides=3, material="bark", caps="")
    model.detail = Detail.COARSE
    for i in range(2):
        _upright(model, center, (base, height), width, turn + i * math.pi / 2, tint, first)
    model.detail = Detail.FINE
    return model


def _crown(
    model: Model,
    center: tuple[float, float],
    base: float,
    height: float,
    width: float,
    turn: float,
    tint: str,
    first: int,
) -> None:
    deep = height - base
    for i in range(4):
        _upright(model, center, (base, height), width, turn + i * math.pi / 4, tint, first + i)
    # leaning cards fill the view from below and from above; small and shaded, so that edge-on they are no streaks
    shaded = "#" + "".join(f"{int(tint[k : k + 2], 16) * 3 // 4:02x}" for k in (1, 3, 5))
    for i in range(2):
        a = turn + 0.5 + i * 2.6
        x, y = center[0] + 0.05 * width * math.cos(a), center[1] + 0.05 * width * math.sin(a)
        _lying(model, (x, y, base + deep * (0.42 + 0.26 * i)), width * (0.56 - 0.08 * i), a, shaded, first + i)


def _upright(
    model: Model, center: tuple[float, float], z: tuple[float, float], width: float, angle: float, tint: str, index: int
) -> None:
    dx, dy = 0.5 * width * math.cos(angle), 0.5 * width * math.sin(angle)
    x, y = center
    corners = [(x - dx, y - dy, z[0]), (x + dx, y + dy, z[0]), (x + dx, y + dy, z[1]), (x - dx, y - dy, z[1])]
    model.quad(corners, card(index), material=f"@{LEAVES}", color=tint)


def _lying(model: Model, at: tuple[float, float, float], size: float, angle: float, tint: str, index: int) -> None:
    c, s = 0.5 * size * math.cos(angle), 0.5 * size * math.sin(angle)
    rise = 0.16 * size
    x, y, z = at
    corners = [
        (x - c + s, y - s - c, z + rise),
        (x + c + s, y + s - c, z - rise),
        (x + c - s, y + s + c, z - rise),
        (x - c - s, y - s + c, z + rise),
    ]
    model.quad(corners, card(index), material=f"@{LEAVES}", color=tint)
