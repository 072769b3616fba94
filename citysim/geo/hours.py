"""Opening hours in OpenStreetMap's notation: read, asked and written again.

The part of the specification that the embedded cities use and most mapped places keep to: days ("Mo-Fr", "Sa,Su"),
times ("09:00-18:00,19:00-22:00", also past midnight), "off", "24/7", rules separated by ";", of which later ones win.
https://wiki.openstreetmap.org/wiki/Key:opening_hours/specification
"""

import re
from dataclasses import dataclass

from citysim.errors import FormatError

DAYS = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
DAY = 24 * 60  # minutes
_RULE = re.compile(
    r"^(?:(?P<days>[A-Z][a-z](?:[-,][A-Z][a-z])*)\s+)?(?P<times>off|closed|\d\d:\d\d-\d\d:\d\d(?:,\d\d:\d\d-\d\d:\d\d)*)$"
)


@dataclass(frozen=True, slots=True)
class Rule:
    """Days (0 Monday to 6 Sunday) and their spans (start, end) in minutes; ends over DAY reach into the next day."""

    days: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]

    def __str__(self) -> str:
        times = ",".join(f"{_clock(a)}-{_clock(b)}" for a, b in self.spans) or "off"
        days = _days_text(self.days)
        return f"{days} {times}" if days else times


@dataclass(frozen=True, slots=True)
class OpeningHours:
    """When a place is open in the week; `str` gives the notation back."""

    rules: tuple[Rule, ...]
    always: bool = False

    @classmethod
    def parse(cls, text: str) -> "OpeningHours":
        """Raises FormatError for what lies outside the part of the notation that is read."""
        if text.strip() == "24/7":
            return cls((), always=True)
        rules = tuple(_rule(part.strip(), text) for part in text.split(";") if part.strip())
        if not rules:
            raise FormatError("opening hours such as 'Mo-Fr 09:00-18:00'", repr(text), "OpenStreetMap's notation")
        return cls(rules)

    def __str__(self) -> str:
        return "24/7" if self.always else "; ".join(map(str, self.rules))

    def spans(self, day: int) -> tuple[tuple[int, int], ...]:
        """Spans in minutes of a day (0 Monday) that begin on it."""
        if self.always:
            return ((0, DAY),)
        found: tuple[tuple[int, int], ...] = ()
        for rule in self.rules:
            if day in rule.days:
                found = rule.spans
        return found

    def is_open(self, day: int, minute: float) -> bool:
        """Whether the place is open on a day of the week (0 Monday) at a minute after midnight."""
        today = any(a <= minute < b for a, b in self.spans(day))
        return today or any(a <= minute + DAY < b for a, b in self.spans((day - 1) % 7))


def _rule(part: str, whole: str) -> Rule:
    match = _RULE.match(part)
    if match is None:
        raise FormatError("opening hours such as 'Mo-Fr 09:00-18:00; Sa off'", repr(whole), "OpenStreetMap's notation")
    days = _days(match["days"], whole) if match["days"] else tuple(range(7))
    if match["times"] in ("off", "closed"):
        return Rule(days, ())
    spans = []
    for piece in match["times"].split(","):
        start, end = (60 * int(t[:2]) + int(t[3:]) for t in piece.split("-"))
        if start >= DAY or end > 2 * DAY or int(piece[3:5]) > 59 or int(piece[9:11]) > 59:
            raise FormatError("times from 00:00 to 48:00", repr(whole), "OpenStreetMap's notation")
        spans.append((start, end if end > start else end + DAY))
    return Rule(days, tuple(spans))


def _days(text: str, whole: str) -> tuple[int, ...]:
    found: list[int] = []
    for piece in text.split(","):
        ends = piece.split("-")
        if len(ends) > 2 or any(d not in DAYS for d in ends):
            raise FormatError(f"days of {', '.join(DAYS)}", repr(whole), "OpenStreetMap's notation")
        first, last = DAYS.index(ends[0]), DAYS.index(ends[-1])
        found += [(first + k) % 7 for k in range((last - first) % 7 + 1)]
    return tuple(dict.fromkeys(found))


def _days_text(days: tuple[int, ...]) -> str:
    """Runs of days as "Mo-Fr", others with commas; "" for the whole week in its order."""
    if days == tuple(range(7)):
        return "Mo-Su"
    runs: list[list[int]] = []
    for day in days:
        if runs and day == (runs[-1][-1] + 1) % 7:
            runs[-1].append(day)
        else:
            runs.append([day])
    return ",".join(DAYS[r[0]] if len(r) == 1 else f"{DAYS[r[0]]}-{DAYS[r[-1]]}" for r in runs)


def _clock(minute: int) -> str:
    """Minutes as OpenStreetMap writes them: an end within the next day goes back to its clock, midnight is 24:00."""
    shown = minute - DAY if minute > DAY else minute
    return f"{shown // 60:02d}:{shown % 60:02d}"
