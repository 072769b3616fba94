"""Fuzzy matching of options with text that was read in a picture, letter errors allowed."""

import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import pairwise

ALIKE = str.maketrans("013458", "oieasb")
"""Digits that readers of letters confuse with letters; both sides are written with the letters."""


WHOLE = 0.25
"""How much more a name counts that stands on one sign than one whose words stand on several."""


def plain(text: str) -> str:
    """Lower-case letters and digits alone, words one space apart, accents dropped."""
    parts = unicodedata.normalize("NFKD", text).casefold()
    kept = "".join(c if c.isalnum() else " " for c in parts if not unicodedata.combining(c))
    return " ".join(kept.translate(ALIKE).split())


def likeness(option: str, read: Sequence[str]) -> float:
    """How well an option agrees with lines of text, 0 to 1.

    The better of two ways: the option against every line and every two neighbouring lines, and word by word against
    all words read, weighted by their lengths (a sign may be read in pieces, and beside other signs).
    """
    wanted, lines = plain(option), [line for line in map(plain, read) if line]
    if not wanted or not lines:
        return 0.0
    pairs = [f"{a} {b}" for a, b in pairwise(lines)]
    whole = max(_ratio(wanted.replace(" ", ""), line.replace(" ", "")) for line in [*lines, *pairs])
    words = [word for line in lines for word in (*line.split(), line.replace(" ", ""))]
    weight = sum(map(len, wanted.split()))
    found = sum(len(word) * max(_ratio(word, other) for other in words) for word in wanted.split()) / weight
    return (max(whole, found) + WHOLE * whole) / (1.0 + WHOLE)


def best_option(options: Sequence[str], read: Sequence[str], least: float, margin: float) -> int | None:
    """The option that agrees best with what was read; None where none does well, or two nearly as well."""
    scores = [likeness(option, read) for option in options]
    order = sorted(range(len(options)), key=lambda k: (-scores[k], k))
    if not order or scores[order[0]] < least:
        return None
    if len(order) > 1 and scores[order[0]] - scores[order[1]] < margin:
        return None
    return order[0]


def _ratio(a: str, b: str) -> float:
    return SequenceMatcher(None, a, b, autojunk=False).ratio()
