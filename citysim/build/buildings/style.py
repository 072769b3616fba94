"""Style: how the walls, the body and the roof of a kind of building look, as data."""

from dataclasses import dataclass

from citysim.build.buildings.strips import FIVE_ROWS, PAGE, Strip, stack, strip

Shares = tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Mass:
    """How a footprint becomes solids. Lengths in metres, `podium` and `crown` in storeys.

    kinds: "block" fills the footprint; "podium" a base with a tower set back by `inset` that is at most `plan` wide and
    has the form `tower` ("box", "cross", "aitch"); "setback" a shaft that draws back by `inset` above `podium` storeys
    and again near its top; "stepped" a box whose `crown` topmost storeys draw back from the street; "church" a nave
    with a tower and a spire; "hall" a block with a clock tower; "shed" a market or station hall.
    """

    kind: str = "block"
    podium: int = 0
    inset: float = 0.0
    plan: float = 0.0
    crown: int = 0
    tower: str = "box"
    upper: str = ""  # style of what stands on the podium, "" the same


@dataclass(frozen=True, slots=True)
class Style:
    """`page` names the texture of all strips, `plain` that of blank walls; `base` is the mean colour of its wall.

    Heights and widths in metres. `cornice` is how far it stands out, 0 for none; `vivid` the saturation its colours may
    have; `balconies` the share of bays that have one (a rule for styles without `attachments`).

    Styles of the embedded cities also say: `fronts` the page of ground floors with the kinds of bays that shops
    (`shops`) and dwellings (`homes`) have there; `floor` the height of an upper storey; `levels` the fewest and most
    storeys that planners should give; `end` the strip of walls that face no street; `forms` of roofs with the `pitch`
    in degrees; `attachments` (kind, share of the bays); `plant` what stands on flat roofs (kind, share of the roofs).

    Far above the street a wall is made of whole stacks of storeys, which lie one below the other in the page: `stacks`
    are the sets of strips (all storeys, then one) to choose from.
    """

    name: str
    page: str
    plain: str
    base: str
    palette: tuple[str, ...]
    uppers: tuple[Strip, ...]
    ground: Strip
    shop: Strip
    attic: Strip | None = None
    nave: Strip | None = None
    ground_height: float = 4.0
    cornice: float = 0.0
    balconies: float = 0.0
    vivid: float = 0.27
    roofs: tuple[str, ...] = ("seam",)
    fronts: str = ""
    shops: Shares = ()
    homes: Shares = ()
    retail: float = 0.0  # share of street walls that have shop bays even without a named place behind
    floor: float = 0.0
    levels: tuple[int, int] = (3, 6)
    end: Strip | None = None
    stacks: tuple[tuple[Strip, ...], ...] = ()  # strips of one and of several storeys that go together, high up
    forms: Shares = (("flat", 1.0),)
    pitch: float = 40.0
    mass: Mass = Mass()
    attachments: Shares = ()
    plant: Shares = ()

    @property
    def embedded(self) -> bool:
        """Whether it belongs to an embedded city: its planners give heights and storeys that fit it."""
        return self.floor > 0.0 or self.mass.kind != "block"

    @property
    def stretch(self) -> float:
        """How much wider or narrower than drawn a bay may be; towers have no blank piers for it."""
        return 0.2 if self.stacks else 0.12


def made_of(
    name: str,
    plain: str,
    base: str,
    palette: tuple[str, ...],
    *,
    bays: int,
    fronts: str,
    floor: float,
    uppers: tuple[str, ...] = ("a", "b"),
    width: int = PAGE,
    page: str = "",
    stacks: tuple[str, ...] = (),
    **rest: object,
) -> Style:
    """A style whose page has five storeys and no ground floor of its own; `stacks` as "abcd"."""
    strips = tuple(strip(row, bays, width, FIVE_ROWS) for row in uppers)
    piles = tuple((stack(rows, bays, width), strip(rows[0], bays, width, FIVE_ROWS)) for rows in stacks)
    return Style(
        name, page or f"facade/{name}", plain, base, palette, strips, strips[0], strips[0], fronts=fronts, floor=floor,
        end=strip("end", bays, width, FIVE_ROWS), stacks=piles, **rest,  # type: ignore[arg-type]
    )  # fmt: skip
