"""Faces of signs: the largest letters that fit a board, and plates of hours."""

from citysim.build.chance import Chance
from citysim.build.places.categories import SCHEMES, Scheme, group_of, word_of
from citysim.build.plans import PlacePlan
from citysim.fonts.layout import drawable, fold, wrap
from citysim.build.text.sign import SignFace

LARGEST, GOOD = 0.42, 0.27  # metres: capitals of a fascia, and the height above which nothing else is tried
TALLEST = 0.95  # metres: a fascia board
CAP = 32  # texels


def scheme_of(place: PlacePlan, chance: Chance) -> Scheme:
    """Colours and typeface: places of one name look alike, as branches of a chain do."""
    return chance.child(f"scheme/{place.name}").choice(SCHEMES[group_of(place.category)])


def shown_name(place: PlacePlan) -> str:
    """The name, or the first alias that can be drawn, or what can be folded of it, or its category."""
    for name in (place.name, *place.aliases):
        if drawable(name):
            return name
    return fold(place.name) or word_of(place.category, "en") or "SHOP"


def fascia(name: str, scheme: Scheme, width: float, capitals: bool) -> tuple[SignFace, float]:
    """The face of a board `width` metres long and the height of its capitals in metres."""
    text = name.upper() if capitals or scheme.face == "poster" else name
    best: tuple[SignFace, float] | None = None
    for face in dict.fromkeys((scheme.face, "narrow", "poster")):
        for lines in (1, 2, 3):
            rows = wrap(text.upper() if face == "poster" else text, 6, lines) if lines > 1 else (text,)
            sign = SignFace(rows, face, scheme.ink, scheme.ground, CAP)
            w, h = sign.size
            cap = min(LARGEST, width * CAP / w, TALLEST * CAP / h)
            if best is None or cap > best[1] * 1.15:
                best = sign, cap
            if best[1] >= GOOD:
                return best
    assert best is not None
    return best


def hours_plate(place: PlacePlan, locale: str) -> SignFace | None:
    """A small plate with what the place is and when it is open; None where neither is known."""
    word = word_of(place.category, locale)
    hours = [part.strip() for part in place.opening_hours.split(";") if part.strip()]
    rows = [part[:24] for part in hours if drawable(part)][:4]
    if not rows:
        return None
    return SignFace((*([word] if word else []), *rows), "narrow", "#1c1e20", "#f2efe6", 11, 0.6, left=True)


def blade(place: PlacePlan, scheme: Scheme, locale: str) -> SignFace | None:
    """A small face for a projecting sign: the category's word, else a short name."""
    word = word_of(place.category, locale)
    if word and len(word) <= 11:
        return SignFace((word,), "narrow", scheme.ink, scheme.ground, 28, 0.6, frame=scheme.ink)
    if len(place.name) <= 12:
        return SignFace(wrap(place.name, 7), "narrow", scheme.ink, scheme.ground, 28, 0.6, frame=scheme.ink)
    return None
