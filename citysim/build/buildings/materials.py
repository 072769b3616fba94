"""The materials of buildings: each is one texture, painted on first use and tinted by vertex colours."""

from citysim.build.draft import CityDraft, MaterialSpec, Texture


def register(draft: CityDraft, name: str) -> str:
    """Make the material (and the texture) `name` known to the draft; returns the name."""
    if name not in draft.materials:
        draft.texture(name, lambda: make(name))
        draft.material(name, MaterialSpec(texture=name))
    return name


def make(name: str) -> Texture:
    """Paint the texture `name`."""
    from citysim.build.buildings.paint import facades, sheets, surfaces

    if name.startswith("facade/"):
        canvas = facades.PAINTERS.get(name, facades.functional)().canvas
        return Texture(canvas.finished(), (canvas.width / 64.0, canvas.height / 64.0))
    if name == "door/sheet":
        return Texture(sheets.doors(), (512 / sheets.D, 512 / sheets.D))
    if name == "plate/digits":
        return Texture(sheets.digits(), (8 * 0.13, 4 * 0.24))
    metres = surfaces.METRES.get(name, 4.0)
    return Texture(surfaces.paint(name), (metres, metres))
