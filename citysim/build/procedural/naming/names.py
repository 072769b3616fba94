"""Names: hands out the names of one embedded city, each of them once."""

from collections import Counter, defaultdict

import numpy as np
from numpy.typing import NDArray

from citysim.build.chance import Chance
from citysim.build.plans import Xy
from citysim.build.procedural.naming.similar import distance, is_brand, skeleton
from citysim.build.procedural.naming.styles import STYLES, NameStyle
from citysim.errors import InputError, UnknownNameError

NEAR = 150.0  # metres within which no two names of places are alike
APART = 4  # least Levenshtein distance between such names
SHORTEST, LONGEST = 8, 20  # letters of a place's name
SHARE = 12  # places that may share a root or a modifier, more in cities of very many: one in FEWEST
FEWEST = 45
TRIES = 60


class Names:
    """Street, building and place names of one city in the style of a preset.

    The same calls give the same names. Names are of A-Z, digits and spaces, unique in the city, free of brands;
    `local` has the Chinese or Japanese form of those that `street`, `house` and `place` gave.
    """

    def __init__(self, style: str, chance: Chance) -> None:
        if style not in STYLES:
            raise UnknownNameError.of("style of names", style, STYLES)
        self.style: NameStyle = STYLES[style]
        self._chance = chance
        self._count: Counter[str] = Counter()
        self._used: Counter[str] = Counter()
        self._streets: list[str] = []
        self._skeletons: set[str] = set()
        self._places: dict[tuple[int, int], list[tuple[Xy, str, NDArray[np.int16]]]] = defaultdict(list)
        self._local: dict[str, str] = {}

    def street(self, kind: str = "Street") -> str:
        """A street, square, park, bridge or station: a root nobody used and `kind`, such as "Lantern Street"."""
        roots = self.style.streets.get(kind, self.style.streets[""])
        number = self._count[kind]
        self._count[kind] += 1
        here = self._chance.child(f"street/{kind}/{number}")
        for attempt in range(400):
            root = here.choice(roots, attempt)
            first = f"{here.choice(tuple(self.style.modifiers), f'modifier/{attempt}')} " if attempt >= 120 else ""
            saint = "Saint " if kind in self.style.saint else ""
            name = f"{first}{saint}{root} {kind}"
            if self._new_street(name):
                self._keep(name, self._street_local(here, first.strip(), root, kind))
                self._streets.append(name)
                return name
        raise InputError("names left for streets", f"{number} {kind}s already", "a smaller --size")

    def numbered(self, number: int, kind: str = "Street") -> str:
        """The street of a number, such as "2nd Street": the same name whenever it is asked."""
        ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
        return f"{number}{ending} {kind}"

    def lettered(self, index: int, kind: str = "Avenue") -> str:
        """The avenue of a letter: "Avenue A" for 0, "Avenue B" for 1."""
        return f"{kind} {chr(ord('A') + index % 26)}"

    def house(self) -> str:
        """A building's name: "Golden Crane Building"."""
        number = self._count["house/"]
        self._count["house/"] += 1
        here = self._chance.child(f"house/{number}")
        for attempt in range(400):
            kind = here.choice(self.style.house, f"kind/{attempt}")
            found = self._compose(here.child(attempt), kind, "", 24)
            if found is not None and skeleton(found[0]) not in self._skeletons:
                self._keep(found[0], found[1] + self.style.street_words.get(kind, ""))
                return found[0]
        raise InputError("names left for buildings", f"{number} already", "a smaller --size")

    def place(self, word: str, xy: Xy, local_word: str = "", longest: int = LONGEST) -> str:
        """A shop or other place at `xy`: "Golden Crane Noodles", unlike every name within 150 m of it.

        `word` says what it is and ends the name; `local_word` ends its local form.
        """
        number = self._count[f"place/{word}"]
        self._count[f"place/{word}"] += 1
        here = self._chance.child(f"place/{word}/{number}")
        near = self._near(xy)
        share = max(SHARE, sum(self._count.values()) // FEWEST)
        for attempt in range(4 * TRIES):
            found = self._compose(here.child(attempt), word, local_word, max(longest, len(word) + 7))
            if found is None or (attempt < 3 * TRIES and max(self._used[w] for w in found[2]) >= share):
                continue
            name, local, words = found
            if skeleton(name) in self._skeletons or _alike(name, near):
                continue
            self._used.update(words)
            self._keep(name, local)
            self._places[_cell(xy)].append((xy, name, _letters(name)))
            return name
        raise InputError("names left for places", f"{number} that end in {word!r} already", "a smaller --size")

    def claim(self, name: str, xy: Xy) -> None:
        """Make a name given elsewhere (a landmark's) known, so that no place takes one like it."""
        self._keep(name, "")
        self._places[_cell(xy)].append((xy, name, _letters(name)))

    def local(self, name: str) -> str:
        """The Chinese or Japanese form of a name, "" where the style has none."""
        return self._local.get(name, "")

    def tags(self, name: str) -> dict[str, str]:
        """OpenStreetMap tags of a name in its languages."""
        local = self.local(name)
        return {"name": name, **({self.style.script: local} if local else {})}

    def _compose(
        self, here: Chance, word: str, local_word: str, longest: int
    ) -> tuple[str, str, tuple[str, ...]] | None:
        """(name, local name, words used) of a root, mostly with a modifier; None where it is too long or short."""
        root = here.choice(tuple(self.style.roots), "root")
        modifier = here.choice(tuple(self.style.modifiers), "modifier") if here.unit("plain") < 0.72 else ""
        name = " ".join(part for part in (modifier, root, word) if part)
        if not SHORTEST <= len(name) <= longest or modifier == root or is_brand(name):
            return None
        local = ""
        if self.style.script:
            local = self.style.modifiers.get(modifier, "") + self.style.roots[root]
            if not modifier and self.style.filler and local_word:
                local += "記"  # as in chinese.SHOP
            local += local_word
        return name, local, (root, modifier) if modifier else (root,)

    def _new_street(self, name: str) -> bool:
        known = self._streets
        return skeleton(name) not in self._skeletons and all(
            distance(name, other, APART - 1) >= APART for other in known
        )

    def _street_local(self, here: Chance, modifier: str, root: str, kind: str) -> str:
        if not self.style.script:
            return ""
        body = self.style.modifiers.get(modifier, "") + self.style.roots[root]
        if len(body) < 2 and self.style.filler:
            body += here.choice(self.style.filler, "filler")
        return body + self.style.street_words.get(kind, "")

    def _keep(self, name: str, local: str) -> None:
        self._skeletons.add(skeleton(name))
        if local:
            self._local[name] = local

    def _near(self, xy: Xy) -> list[tuple[str, NDArray[np.int16]]]:
        i, j = _cell(xy)
        return [
            (name, letters)
            for a in (i - 1, i, i + 1)
            for b in (j - 1, j, j + 1)
            for (x, y), name, letters in self._places.get((a, b), ())
            if (x - xy[0]) ** 2 + (y - xy[1]) ** 2 <= NEAR * NEAR
        ]


def street_local(name: str, style: str, chance: Chance) -> str:
    """The Chinese or Japanese form of a street's name made of a style's words; "" where it has none."""
    words = STYLES[style]
    parts = name.split()
    if not words.script or parts[-1] not in words.street_words:
        return ""
    known = {**words.modifiers, **words.roots}
    body = "".join(known.get(part, "") for part in parts[:-1])
    if len(body) == 1 and words.filler:
        body += chance.choice(words.filler, name)
    return body + words.street_words[parts[-1]] if body else ""


def _cell(xy: Xy) -> tuple[int, int]:
    return int(xy[0] // NEAR), int(xy[1] // NEAR)


def _letters(name: str) -> NDArray[np.int16]:
    """How often each letter stands in a name."""
    return np.bincount(np.frombuffer(name.encode("ascii"), dtype=np.uint8) & 31, minlength=32).astype(np.int16)


def _alike(name: str, near: list[tuple[str, NDArray[np.int16]]]) -> bool:
    """Whether a name is nearer than APART to one of others; letters are counted first, which rules most out."""
    if not near:
        return False
    gaps = np.array([letters for _, letters in near]) - _letters(name)
    least = np.maximum(np.maximum(gaps, 0).sum(axis=1), np.maximum(-gaps, 0).sum(axis=1))
    return any(distance(name, near[i][0], APART - 1) < APART for i in np.flatnonzero(least < APART).tolist())
