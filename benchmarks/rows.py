"""What a benchmark gives: rows, each with its peer, and the machine they were measured on.

A bench is a module of this folder with `rows(progress) -> Iterator[Row]`; its name is in `BENCHES`. `progress` takes
one line for people (it goes to stderr): what is running, and which peer is missing and how to install it.
"""

import importlib
import os
import platform
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, cast

from citysim.errors import UnknownNameError

Progress = Callable[[str], None]
BENCHES = ("render", "tiles", "crowd", "env", "evaluate", "serve")


@dataclass(frozen=True)
class Row:
    """One measured value beside that of a peer in the same run; `peer_value` is None where there is no peer here.

    Units with a slash in front of a time (`frames/s`) and `x` are better when greater, all others (`ms`, `s`, `MB`)
    when smaller.
    """

    name: str
    value: float
    unit: str
    peer: str | None = None
    peer_value: float | None = None

    @property
    def ratio(self) -> float | None:
        """How many times better than the peer: above 1 we win, whatever the unit."""
        if self.peer_value is None:
            return None
        better, worse = (self.value, self.peer_value) if greater_is_better(self.unit) else (self.peer_value, self.value)
        return better / worse if worse else None

    def as_json(self) -> dict[str, Any]:
        """The row with four significant digits."""
        return {
            "name": self.name, "value": _rounded(self.value), "unit": self.unit, "peer": self.peer,
            "peer_value": _rounded(self.peer_value), "ratio": _rounded(self.ratio),
        }  # fmt: skip


class Bench(Protocol):
    """A module that measures."""

    def rows(self, progress: Progress) -> Iterator[Row]:
        """Measure and give the rows one by one, as they are known."""
        ...


def names() -> list[str]:
    """The benches that are here."""
    return [name for name in BENCHES if Path(__file__).with_name(f"{name}.py").is_file()]


def bench(name: str) -> Bench:
    """The bench of this name; raises UnknownNameError, which lists the known ones."""
    if name not in names():
        raise UnknownNameError.of("a benchmark", name, names())
    return cast(Bench, importlib.import_module(f"citysim.benchmarks.{name}"))


def greater_is_better(unit: str) -> bool:
    """Whether the unit is a rate."""
    return unit.endswith("/s") or unit == "x"


def machine() -> dict[str, Any]:
    """What figures depend on, without saying whose machine it is."""
    import numba
    import numpy as np

    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {
        "cpu": _processor(),
        "cores": cores,
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "load_average": _rounded(load),
    }


def _processor() -> str:
    """The model of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(errors="replace").splitlines()
    except OSError:
        lines = []
    named = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()


def _rounded(value: float | None) -> float | None:
    """Four significant digits; whole numbers stay whole."""
    if value is None:
        return None
    short = float(f"{value:.4g}")
    return int(short) if short == int(short) else short
