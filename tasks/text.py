"""Text from outside (agents, their errors) as text that can always be written down."""

LONGEST = 500
"""Characters kept of a value or message given by an agent."""


def encodable(text: str) -> str:
    """The same text with what UTF-8 cannot hold (lone surrogates) replaced by question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")


def shown(value: object) -> str:
    """The `repr` of a value, shortened; its type where it has no working `repr`."""
    try:
        return encodable(repr(value)[:LONGEST])
    except Exception:  # code of an agent, a number too long to print, nesting too deep
        return f"a {type(value).__name__} that cannot be shown"


def told(error: BaseException) -> str:
    """Type and message of an error in one line, shortened."""
    try:
        message = " ".join(str(error).split())[:LONGEST]
    except Exception:  # an error of an agent whose own message fails
        message = "its message cannot be shown"
    return encodable(f"{type(error).__name__}: {message}" if message else type(error).__name__)
