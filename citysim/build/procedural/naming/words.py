"""Reading word lists."""


def pairs(text: str) -> dict[str, str]:
    """The pairs of a text such as "Crane=鶴 Lotus=蓮"."""
    return dict(pair.split("=") for pair in text.split())
