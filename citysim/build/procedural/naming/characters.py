"""The characters of Chinese and Japanese signs: a fixed list, from the word lists that names are made of."""

from collections.abc import Iterable

from citysim.build.procedural.naming import chinese, japanese
from citysim.build.procedural.tenancy.trades import BY_CATEGORY

MOST = 600  # characters in all


def _ordered(words: Iterable[str]) -> str:
    return "".join(sorted({c for word in words for c in word if not c.isascii()}))


_WORDS = [word for business in BY_CATEGORY.values() for word in business.words]
CHINESE = _ordered(
    [*chinese.ROOTS.values(), *chinese.MODIFIERS.values(), *chinese.STREETS.values(), chinese.SIGNS, chinese.LUCK,
     chinese.SHOP, *(w.chinese for w in _WORDS)]
)  # fmt: skip
JAPANESE = _ordered(
    [*japanese.ROOTS.values(), *japanese.MODIFIERS.values(), *japanese.STREETS.values(), japanese.SIGNS,
     *(w.japanese for w in _WORDS)]
)  # fmt: skip
