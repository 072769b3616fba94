"""What was wrong in the source, counted by kind so that a bad extract gives a few lines, not thousands."""


class Faults:
    """Counts of survived faults, each with the first offender as an example."""

    def __init__(self) -> None:
        self._count: dict[str, int] = {}
        self._first: dict[str, str] = {}

    def add(self, kind: str, example: str = "", count: int = 1) -> None:
        """Count one fault. `kind` is a lower-case phrase; `example` an id such as "way/12"."""
        if count > 0:
            self._count[kind] = self._count.get(kind, 0) + count
            self._first.setdefault(kind, example)

    def lines(self) -> tuple[str, ...]:
        """One short line a kind, in alphabetical order: "3 x open ring closed (first: way/12)"."""
        return tuple(
            f"{self._count[kind]} x {kind}" + (f" (first: {self._first[kind]})" if self._first[kind] else "")
            for kind in sorted(self._count)
        )
