"""How far apart names are, and which ones nobody may have."""

import re

# what a careless reader takes for another sign
_LOOKALIKE = str.maketrans("OILSBZ", "011582")
# operators and chains whose names a word list could hit by chance
BRANDS = (
    "apple", "shell", "target", "subway", "orange", "visa", "star ferry", "great eagle", "crystal jade", "new world",
    "wing on", "tai hing", "maxim", "watson", "mannings", "fairwood", "pret", "tesco", "lidl", "aldi", "ikea", "lego",
    "sony", "canon", "nikon", "casio", "yamaha", "honda", "toyota", "mazda", "asahi", "kirin", "sapporo", "suntory",
    "lawson", "familymart", "sofmap", "laox", "yodobashi", "mizuho", "tokyu", "toraya", "garden bakery", "red bull",
    "red bus", "golden arches", "white castle", "burger king", "dairy queen", "old navy", "blue bottle",
    "black sheep coffee", "green giant", "five guys", "seven eleven", "wheel of fortune", "silver cross", "pearl jam",
    "north face", "sky", "boots", "gap", "puma", "dove", "tide bank", "amazon", "oracle", "sprint", "corona",
)  # fmt: skip
_BRAND = re.compile("|".join(f" {re.escape(brand)} " for brand in BRANDS))


def distance(a: str, b: str, most: int = 99) -> int:
    """Levenshtein distance; any number above `most` may be given as most + 1."""
    if abs(len(a) - len(b)) > most:
        return most + 1
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row[0] = row[0], i
        least = i
        for j, y in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (x != y))
            least = min(least, row[j])
        if least > most:
            return most + 1
    return row[-1]


def skeleton(name: str) -> str:
    """A name with letters and digits that look alike made equal."""
    return name.upper().translate(_LOOKALIKE)


def is_brand(name: str) -> bool:
    """Whether a name is or contains one of BRANDS as whole words."""
    return _BRAND.search(f" {name.casefold()} ") is not None
