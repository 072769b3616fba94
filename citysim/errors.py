"""Every error citysim raises on purpose.

::

    CitySimError
    ├── InputError (also ValueError)   what the caller gave is wrong           exit code 2
    │   ├── UnknownNameError           a name that is not in a table
    │   └── FormatError                a file does not hold what its format says
    ├── DependencyError                an optional library is missing here     exit code 2
    ├── StorageError (also OSError)    a file cannot be read or written        exit code 2
    └── SimulationFault                something of ours failed: the episode is `unscored`, not lost

Each message is one sentence of three parts: *expected …, found …; try …*.
"""

from collections.abc import Iterable
from difflib import get_close_matches


class CitySimError(Exception):
    """Root of the tree; carries the three parts of its message as attributes."""

    def __init__(self, expected: str, found: str, advice: str) -> None:
        super().__init__(f"expected {expected}, found {found}; try {advice}")
        self.expected, self.found, self.advice = expected, found, advice

    def __reduce__(self) -> tuple[type, tuple[str, str, str]]:
        """Pickle by the three parts, so that errors cross process pools."""
        return type(self), (self.expected, self.found, self.advice)


class InputError(CitySimError, ValueError):
    """Raised when an argument or a file given by the caller cannot be used."""


class UnknownNameError(InputError):
    """Raised when a name is not in a table; the message lists near or all names."""

    @classmethod
    def of(cls, kind: str, name: str, known: Iterable[str]) -> "UnknownNameError":
        """Build the message for `name`, which is not among the `known` names of this `kind`."""
        names = sorted(known)
        near = get_close_matches(name, names, n=3)
        return cls(
            f"{kind} among {', '.join(names) or '(none)'}", repr(name), f"{near[0]!r}" if near else "one of these"
        )


class FormatError(InputError):
    """Raised when a file or payload does not hold what its format promises."""


class DependencyError(CitySimError):
    """Raised when an optional library or driver is not available on this machine."""


class StorageError(CitySimError, OSError):
    """Raised when a file or folder cannot be read or written."""


class SimulationFault(CitySimError):
    """Raised when a part of the simulator itself failed (a missing tile, a dead renderer)."""
