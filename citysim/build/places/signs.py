"""Boards of places beyond their fascia: hanging boards, columns, stacks of tenants, banners and signs on roofs."""

from collections.abc import Sequence
from dataclasses import dataclass

from citysim.build.chance import Chance
from citysim.build.draft import CityDraft, Ground
from citysim.build.facade import Facade
from citysim.build.places.clearance import Box, Clearance
from citysim.build.places.fascia import shown_name
from citysim.build.places.projecting import Hook, draw_hook, find_hook, size_of
from citysim.build.places.styles import Hung, SignStyle
from citysim.build.places.undersides import Undersides
from citysim.build.places.wall import Wall
from citysim.build.plans import PlacePlan
from citysim.build.text.atlas import TextAtlas
from citysim.build.text.panel import Panel

STOREY = 3.25  # metres between storeys above the ground floor
CALLS = ("SALE", "OPEN", "NEW", "TODAY", "HOT", "BEST")
DENSE, COARSE = 64, 26  # texels a metre: boards read from the pavement, cloths and signs read from afar


@dataclass(slots=True)
class Hanging:
    """A board that found its place, waiting for its picture."""

    hook: Hook
    kind: str
    text: str
    name: str
    edge: str
    ticket: int
    color: str


@dataclass(slots=True)
class Flat:
    """A board in the plane of a wall, or standing on a roof when `posts`: u and z intervals, `out` in front."""

    facade: Facade
    u: tuple[float, float]
    z: tuple[float, float]
    out: float
    kind: str
    text: str
    name: str
    ticket: int
    color: str
    posts: bool = False


class SignMaker:
    """Finds room for the boards of one city and collects their pictures in one atlas."""

    def __init__(self, draft: CityDraft, ground: Ground, style: SignStyle, facades: Sequence[Facade]) -> None:
        self.draft, self.style = draft, style
        self.undersides = Undersides(ground, facades if style.hanging else ())
        self.clearance = Clearance(draft, bool(style.hanging) or style.blade > 0.0)
        self.blades = Clearance(draft, survey=False)
        self.atlas = TextAtlas(draft, "places/boards", style.glow)

    def hang(self, place: PlacePlan, facade: Facade, us: tuple[float, ...], hung: Hung, kind: str,
             least: float = -1e9) -> Hanging | None:  # fmt: skip
        """A board for a place at one of `us` on a facade, its underside at `least` or above."""
        chance = self.draft.chance.child(f"place/{place.id}/{kind}")
        hook = find_hook(facade, us, size_of(hung, chance), hung, self.undersides, self.clearance, least)
        if hook is None:
            return None
        size = (round(hook.out1 - hook.out0, 2), round(hook.high - hook.low, 2))
        panel = self.panel(place, chance.choice(hung.layouts, "layout"), size, chance, DENSE)
        ticket = self.atlas.want(panel, facade.at(hook.u))
        return Hanging(hook, kind, self._text(panel), place.name, panel.accent, ticket, panel.ground)

    def panel(self, place: PlacePlan, layout: str, size: tuple[float, float], chance: Chance, cap: int) -> Panel:
        """The picture of a place's board."""
        style = self.style
        local = local_name(place) if style.local_face else ""
        if style.palette:
            ground, ink, accent = chance.choice(style.palette, "colours").split()
        else:
            ground, ink, accent = self._trade_colours(place)
        face = chance.choice(style.faces or ("slab", "serif", "round", "sans"), "face")
        floor = f"{place.level}F" if style.local_face == "kana" else f"{place.level}/F"
        word = floor if layout == "floor" else chance.choice(CALLS, "call")
        return Panel(layout, shown_name(place), local, word, size, face, style.local_face or "han", ink, ground,
                     accent, cap)  # fmt: skip

    def banner(self, place: PlacePlan, facade: Facade, middle: float) -> Flat | None:
        """A cloth over the storeys above a place's front."""
        chance = self.draft.chance.child(f"place/{place.id}/banner")
        width = min(facade.length - 0.8, chance.uniform(3.0, 5.0, "width"))
        low = facade.base + facade.ground_floor + 0.9
        tall = min(facade.top - low - 0.8, chance.uniform(6.0, 13.0, "tall"))
        if width < 2.4 or tall < 4.5:
            return None
        width, tall = round(width * 4) / 4, round(tall * 4) / 4
        u = min(max(middle, width / 2 + 0.3), facade.length - width / 2 - 0.3)
        item = Flat(facade, (u - width / 2, u + width / 2), (low, low + tall), 0.14, "banner", "", place.name, -1, "")
        if not self.clearance.free(box_of(item), 0.1):
            return None
        self.clearance.take(box_of(item))
        panel = self.panel(place, "banner", (width, tall), chance, COARSE)
        item.text, item.ticket, item.color = self._text(panel), self.atlas.want(panel, facade.at(u)), panel.ground
        return item

    def rooftop(self, name: str, local: str, facade: Facade, chance: Chance) -> Flat | None:
        """A sign over the eaves, behind the parapet, readable from across the street and further."""
        width = round(min(14.0, 0.78 * facade.length) * 2) / 2
        if width < 4.5:
            return None
        tall = round(min(0.34 * width, 3.4) * 4) / 4
        middle = facade.length / 2
        low = facade.top + 1.3
        item = Flat(facade, (middle - width / 2, middle + width / 2), (low, low + tall), -0.79, "rooftop", name, name,
                    -1, "", posts=True)  # fmt: skip
        if not self.clearance.free(box_of(item), 0.1):
            return None
        self.clearance.take(box_of(item))
        ground, ink, accent = chance.choice(self.style.palette or PLAIN_ROOFS, "colours").split()
        layout = "rows" if local and self.style.local_face else "plain"
        panel = Panel(layout, name, local, "", (width, tall), chance.choice(("sans", "heavy", "wide"), "face"),
                      self.style.local_face or "han", ink, ground, accent, COARSE)  # fmt: skip
        item.text, item.ticket, item.color = self._text(panel), self.atlas.want(panel, facade.at(middle)), ground
        return item

    def draw_hanging(self, item: Hanging) -> Wall:
        """The mesh of a hanging board."""
        return draw_hook(item.hook, self.atlas.printed(item.ticket), item.edge)

    def draw_flat(self, item: Flat) -> Wall:
        """The mesh of a banner or a roof sign."""
        wall = Wall(item.facade)
        printed = self.atlas.printed(item.ticket)
        wall.panel(item.u, item.z, item.out, uv=printed.uv, material=f"@{printed.material}")
        if item.posts:
            u0, u1 = item.u
            wall.box((u0, u1), item.z, (item.out - 0.2, item.out - 0.01), color="#4a4f54", faces="lrtd")
            back = [
                wall.point(u, z, item.out - 0.2)
                for u, z in ((u1, item.z[0]), (u0, item.z[0]), (u0, item.z[1]), (u1, item.z[1]))
            ]
            wall.model.quad(back, color="#4a4f54")
            for k in range(3):
                u = u0 + (0.12 + 0.38 * k) * (u1 - u0)
                wall.box((u - 0.07, u + 0.07), (item.facade.top - 0.3, item.z[0]), (item.out - 0.2, item.out - 0.06),
                         color="#4a4f54", faces="flr")  # fmt: skip
        else:
            wall.box(item.u, item.z, (0.0, item.out), color="#3a3f44", faces="lrtd")
        return wall

    def _trade_colours(self, place: PlacePlan) -> tuple[str, str, str]:
        from citysim.build.places.fascia import scheme_of

        scheme = scheme_of(place, self.draft.chance)
        return scheme.ground, scheme.ink, scheme.ink

    @staticmethod
    def _text(panel: Panel) -> str:
        return f"{panel.name} {panel.local}".strip()


PLAIN_ROOFS = ("#23282d #f4f0e4 #f4f0e4", "#7a1f1f #f6ead0 #f6ead0", "#1f3550 #f4f1e6 #f4f1e6")


def local_name(place: PlacePlan) -> str:
    """The name in Chinese or Japanese letters, "" where the place has none."""
    return place.tags.get("name:zh") or place.tags.get("name:ja") or ""


def box_of(item: Flat) -> Box:
    """The room a flat board takes."""
    points = [item.facade.at(u, out) for u in item.u for out in (min(0.1, item.out), max(0.1, item.out))]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), item.z[0], max(xs), max(ys), item.z[1]
