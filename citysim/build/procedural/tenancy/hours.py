"""Opening hours by kind of place, in OpenStreetMap's notation, each place's own by half an hour."""

import re

from citysim.build.chance import Chance

TEMPLATES: dict[str, tuple[str, ...]] = {
    "day": ("Mo-Fr 09:00-18:00; Sa 10:00-16:00", "Mo-Fr 10:00-19:00; Sa 10:00-17:00", "Mo-Sa 09:30-18:30",
            "Mo-Su 11:00-20:00"),
    "early": ("Mo-Sa 06:30-17:00", "Mo-Fr 07:00-18:00; Sa 08:00-15:00", "Mo-Su 07:30-17:30"),
    "long": ("Mo-Su 08:00-22:00", "Mo-Sa 07:00-21:00; Su 10:00-20:00", "Mo-Su 10:00-23:00"),
    "meals": ("Mo-Sa 11:30-22:30", "Tu-Su 12:00-23:00", "Mo-Fr 11:00-22:00; Sa-Su 12:00-23:00",
              "Mo-Su 11:30-14:30,17:30-22:00"),
    "night": ("Mo-Th 16:00-23:30; Fr-Sa 16:00-02:00", "We-Su 18:00-01:00"),
    "office": ("Mo-Fr 09:00-16:30", "Mo-Fr 10:00-16:00", "Mo-Fr 08:30-17:30"),
    "evening": ("Mo-Fr 14:00-21:00; Sa 10:00-18:00", "Tu-Sa 13:00-20:30"),
    "culture": ("Tu-Su 10:00-18:00", "We-Su 11:00-19:00"),
    "always": ("24/7",),
}  # fmt: skip
_OPENING = re.compile(r"(\d\d):(\d\d)-(\d\d):(\d\d)")


def hours_of(kind: str, chance: Chance) -> str:
    """A template of a kind, its first opening and last closing moved by up to 30 minutes."""
    text = chance.choice(TEMPLATES[kind], "template")
    earlier, later = (30 * chance.integer(-1, 2, name) for name in ("open", "close"))

    def moved(match: re.Match[str]) -> str:
        a, b, c, d = (int(part) for part in match.groups())
        start, end = 60 * a + b + earlier, 60 * c + d + later
        if end > 24 * 60 - 15 or end == 0 or c < a:  # never across midnight by accident
            end = 60 * c + d
        return f"{start // 60:02d}:{start % 60:02d}-{end // 60:02d}:{end % 60:02d}"

    return text if text == "24/7" or "," in text else _OPENING.sub(moved, text)
