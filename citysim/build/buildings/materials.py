"""The materials of buildings: each is one texture, painted on first use and tinted by vertex colours."""

from citysim.build.buildings.fronts import FRONTS, HIGH, WIDE
from citysim.build.draft import CityDraft, MaterialSpec, Texture
from citysim.build.looks import look


def register(draft: CityDraft, name: str) -> str:
    """Make the material (and the texture) `name` known to the draft; returns the name."""
    if name.startswith("look/"):
        return look(draft, name.removeprefix("look/")).material
    if name == "kit/lamp":
        return draft.material(name, MaterialSpec(color=(0.9, 0.86, 0.74, 1.0), emissive=(1.0, 0.86, 0.6)))
    if name not in draft.materials:
        draft.painted(name, make, name)
        draft.material(name, MaterialSpec(texture=name))
    return name


def make(name: str) -> Texture:
    """Paint the texture `name`."""
    from citysim.build.buildings.paint import facades, frontpages, kit, sheets, surfaces

    if name.startswith("facade/"):
        page = facades.PAINTERS[name]()
        canvas = page.canvas
        return Texture(canvas.finished(), (canvas.width / 64.0, canvas.height / 64.0), canvas.glow, page.cells)
    if name in FRONTS:
        canvas = frontpages.paint(FRONTS[name])
        return Texture(canvas.finished(), (WIDE, HIGH), canvas.glow)  # shines in its own colours
    if name == "kit/sheet":
        pixels, glow = kit.sheet()
        return Texture(pixels, (8.0, 8.0), glow)
    if name == "door/sheet":
        return Texture(sheets.doors(), (512 / sheets.D, 512 / sheets.D))
    if name == "plate/digits":
        return Texture(sheets.digits(), (8 * 0.13, 4 * 0.24))
    metres = surfaces.METRES.get(name, 4.0)
    return Texture(surfaces.paint(name), (metres, metres))
