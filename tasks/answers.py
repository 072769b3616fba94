"""Answers to questions with four options."""

import re
from collections.abc import Mapping
from typing import Any

_LETTER = re.compile(r"^\s*(?:option\s+)?[\[(]?([A-D])[\])]?\s*[.:]?\s*$", re.IGNORECASE)


def parse_answer(value: Any) -> str | None:
    """The letter A to D of an answer, or None when it is none.

    Accepts a letter, "option B", or an object with the letter under "answer", as UrbanGround's answer call does.
    """
    if isinstance(value, Mapping):
        value = value.get("answer")
    found = _LETTER.match(value) if isinstance(value, str) else None
    return found.group(1).upper() if found is not None else None
