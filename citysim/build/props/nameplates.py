"""Name plates on furniture that carries a name: stops and sign posts."""

from citysim.build.draft import CityDraft
from citysim.build.places.styles import style_of
from citysim.build.plans import PropPlan, Xy
from citysim.build.props.arms import arms_of, hang_arms, want_arms
from citysim.build.props.model import Model
from citysim.build.text.atlas import TextAtlas
from citysim.build.text.sign import SignFace
from citysim.fonts.layout import drawable, wrap

# kind -> (ground, letters in metres, height of the plate's lower edge)
STYLES = {
    "bus_stop": ("#1c4f9c", 0.1, 2.12),
    "tram_stop": ("#22262a", 0.1, 2.12),
    "street_sign": ("#1f3d6b", 0.14, 2.3),
}


class Nameplates:
    """Collects the names, packs them into pages and hangs the plates on the models."""

    def __init__(self, draft: CityDraft) -> None:
        self.atlas = TextAtlas(draft, "props/names")
        self._tickets: dict[str, int] = {}
        self._arms: dict[str, list[int]] = {}
        self._plate = style_of(draft.plan).plate

    def want(self, prop: PropPlan, xy: Xy) -> None:
        """Ask for the plate of a prop, where its kind has one and its name can be drawn."""
        if arms_of(prop):
            colours = self._plate if prop.kind == "street_sign" else ("#23303a", "#f4f4f0")
            self._arms[prop.id] = want_arms(self.atlas, prop, xy, colours)
        elif prop.kind in STYLES and drawable(prop.name):
            face = SignFace(wrap(prop.name, 18), "narrow", "#f4f4f0", STYLES[prop.kind][0], 18)
            self._tickets[prop.id] = self.atlas.want(face, xy)

    def pack(self) -> None:
        """Fill the pages."""
        self.atlas.pack()

    def hung(self, prop: PropPlan, model: Model, heading: float) -> Model:
        """The model with its plate, readable from both sides; the model itself where it has none."""
        if prop.id in self._arms:
            return hang_arms(model, prop, heading, [self.atlas.printed(t) for t in self._arms[prop.id]])
        if prop.id not in self._tickets:
            return model
        model = model.copy()
        printed = self.atlas.printed(self._tickets[prop.id])
        _, cap, low = STYLES[prop.kind]
        w, h = printed.width * cap, printed.height * cap
        high = low + h
        for y, side in ((0.06, 1), (-0.06, -1)):
            x = side * w / 2
            corners = [(x, y, low), (-x, y, low), (-x, y, high), (x, y, high)]
            model.quad(corners, printed.uv, material=f"@{printed.material}")
        return model
