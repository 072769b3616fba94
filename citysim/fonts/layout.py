"""Text before it is drawn: which face draws which letter, and where a long name breaks."""

import unicodedata
from functools import lru_cache

from citysim.fonts.faces import FALLBACK, coverage

# letters that Unicode does not decompose but every reader can do with
IDEOGRAPHS = 0x2E80  # from here on a letter is a word, and a name without one of them is another name
FOLDS = {
    "ß": "ss",
    "ø": "o",
    "Ø": "O",
    "æ": "ae",
    "Æ": "AE",
    "đ": "d",
    "Đ": "D",
    "ł": "l",
    "Ł": "L",
    "’": "'",
    "–": "-",
}


def fold(text: str) -> str:
    """`text` in ASCII: accents dropped, what has no counterpart left out."""
    spread = unicodedata.normalize("NFKD", "".join(FOLDS.get(c, c) for c in text))
    return " ".join("".join(c for c in spread if 32 <= ord(c) < 127).split())


def runs(text: str, face: str) -> list[tuple[str, str]]:
    """[(face, letters)] that draw `text` without an empty box.

    A letter the face lacks is drawn by the first fallback that has it, else folded to ASCII, else left out.
    """
    return list(_runs(text, face))


@lru_cache(maxsize=4096)
def _runs(text: str, face: str) -> tuple[tuple[str, str], ...]:
    out: list[tuple[str, str]] = []
    for letter in unicodedata.normalize("NFC", " ".join(text.split())):
        options = (face, *FALLBACK)
        chosen = next((f for f in options if ord(letter) in coverage(f)), None)
        drawn = letter
        if chosen is None:
            chosen, drawn = face, fold(letter)
        if not drawn:
            continue
        if out and out[-1][0] == chosen:
            out[-1] = (chosen, out[-1][1] + drawn)
        else:
            out.append((chosen, drawn))
    return tuple(out)


def drawable(text: str, face: str = "sans") -> bool:
    """Whether at least half of the letters of `text` can be drawn as they are or folded, and all of its ideographs."""
    letters = [c for c in text if not c.isspace()]
    if any(ord(c) >= IDEOGRAPHS and not any(ord(c) in coverage(f) for f in FALLBACK) for c in letters):
        return False
    shown = sum(len(part.replace(" ", "")) for _, part in runs(text, face))
    return bool(letters) and 2 * shown >= len(letters)


def wrap(text: str, limit: int, lines: int = 2) -> tuple[str, ...]:
    """`text` in at most `lines` lines, broken at spaces (or after hyphens) so that the longest line is shortest.

    Text of up to `limit` letters stays on one line; words are never broken.
    """
    words = text.replace("-", "- ").split() if len(text) > limit else []
    if len(words) < 2 or lines < 2:
        return (text,)
    best: tuple[str, ...] = (text,)
    for cut in range(1, len(words)):
        head, tail = _join(words[:cut]), wrap(_join(words[cut:]), limit, lines - 1)
        option = (head, *tail)
        if max(map(len, option)) < max(map(len, best)):
            best = option
    return best


def _join(words: list[str]) -> str:
    """Words with spaces between them, none after a hyphen that ended a part of a compound."""
    out = ""
    for word in words:
        glued = out.endswith("-") and not out.endswith(" -") and out != "-"
        out += word if not out or glued else f" {word}"
    return out
