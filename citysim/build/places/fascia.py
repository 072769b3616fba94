"""Faces of signs: the largest letters that fit a board, and plates of hours."""

from citysim.build.chance import Chance
from citysim.build.places.categories import SCHEMES, Scheme, group_of, word_of
from citysim.build.plans import PlacePlan
from citysim.build.text.lettering import measure
from citysim.build.text.sign import SignFace, luminance
from citysim.fonts.layout import drawable, fold, wrap

LARGEST, GOOD = 0.42, 0.27  # metres: capitals of a fascia, and the height above which nothing else is tried
TALLEST = 0.95  # metres: a fascia board
CAP = 32  # texels
NARROW = (
    Scheme("#20262b", "#f4f0e4", "narrow"),
    Scheme("#f3efe4", "#22262c", "narrow"),
    Scheme("#1f3550", "#f4f1e6", "narrow"),
    Scheme("#6b1a22", "#f6ead0", "narrow"),
    Scheme("#1d4434", "#f2ead2", "narrow"),
)


def scheme_of(place: PlacePlan, chance: Chance) -> Scheme:
    """Colours and typeface: places of one name look alike, as branches of a chain do."""
    return chance.child(f"scheme/{place.name}").choice(SCHEMES[group_of(place.category)])


def shown_name(place: PlacePlan) -> str:
    """The name, or the first alias that can be drawn, or what can be folded of it, or its category."""
    for name in (place.name, *place.aliases):
        if drawable(name):
            return name
    return fold(place.name) or word_of(place.category, "en") or "SHOP"


def fascia(name: str, scheme: Scheme, width: float, capitals: bool, tallest: float = TALLEST) -> tuple[SignFace, float]:
    """The face of a board `width` metres long and at most `tallest` high, and the height of its capitals in metres.

    Names too long for their own typeface are set narrow, in one of a few colours, so that styles stay few.
    """
    plain = NARROW[sum(map(ord, scheme.ground)) % len(NARROW)]
    best: tuple[SignFace, float] | None = None
    for style in (scheme, plain):
        text = name.upper() if capitals or style.face == "poster" else name
        for lines in (1, 2, 3):
            rows = wrap(text, 6, lines) if lines > 1 else (text,)
            sign = SignFace(rows, style.face, style.ink, style.ground, CAP)
            w, h = measure(sign)
            cap = min(LARGEST, width / w, tallest / h)
            if best is None or cap > best[1] * 1.15:
                best = sign, cap
            if best[1] >= GOOD:
                return best
    assert best is not None
    return best


def bilingual(
    name: str, local: str, scheme: Scheme, local_face: str, width: float, tallest: float
) -> tuple[list[tuple[SignFace, float]], float]:
    """Rows of a board with the local name over the Latin one: (face, capitals in metres) from top to bottom, height.

    Both rows are in one pair of colours; a name too long for its typeface is set narrow.
    """
    above = SignFace((local,), local_face, scheme.ink, scheme.ground, CAP)
    below = SignFace((name,), scheme.face, scheme.ink, scheme.ground, CAP)
    if width / measure(below)[0] < 0.24:
        below = SignFace((name,), "narrow", scheme.ink, scheme.ground, CAP)
    (w0, h0), (w1, h1) = measure(above), measure(below)
    low = min(0.36, width / w1, 0.5 * tallest / h1)
    high = min(0.42, width / w0, (tallest - low * h1) / h0)
    return [(above, high), (below, low)], high * h0 + low * h1


def hours_plate(place: PlacePlan) -> SignFace | None:
    """A small plate with the hours of a place; None where they are not known."""
    hours = [part.strip() for part in place.opening_hours.split(";") if part.strip()]
    rows = [part[:24] for part in hours if drawable(part)][:3]
    if not rows:
        return None
    return SignFace(tuple(rows), "narrow", "#1c1e20", "#f2efe6", 9, 0.5, left=True)


def blade(place: PlacePlan, scheme: Scheme, locale: str) -> SignFace | None:
    """A small face for a projecting sign: the category's word, light on dark or dark on light as the board is."""
    word = word_of(place.category, locale)
    if not word or len(word) > 11:
        return None
    ink, ground = ("#f4f0e4", "#23282d") if luminance(scheme.ground) < 0.5 else ("#23282d", "#f4f0e4")
    return SignFace((word,), "narrow", ink, ground, 24, 0.6, frame=ink)
