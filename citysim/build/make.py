"""Whole builds: from a name or a file to a city package on disk."""

import contextlib
import gc
import logging
from collections.abc import Iterator
from pathlib import Path

from citysim.build.aside import Aside
from citysim.build.assemble import assemble
from citysim.build.plans import CityPlan
from citysim.build.target import check_folder, check_target
from citysim.build.version import GENERATOR_VERSION

__all__ = ["GENERATOR_VERSION", "make_osm", "make_package", "make_preset"]

log = logging.getLogger("citysim.build")


def make_package(plan: CityPlan, out: Path, stages: Path | None = None) -> Path:
    """Assemble a plan and write it as the city package `out`, and pictures of all stages; returns `out`."""
    from citysim.build.package import write_package

    with _unhurried(), Aside(None) as aside:
        draft = assemble(plan, aside)
        if stages is not None:
            from citysim.build.stages import write_stages

            log.info("pictures of the stages ...")
            write_stages(draft, stages)
        log.info("writing %s ...", out)
        return write_package(draft, out)


@contextlib.contextmanager
def _unhurried() -> Iterator[None]:
    """No search for cycles meanwhile: builders make millions of small things that stay, and next to no cycles.

    Looking through them again and again takes a tenth of the time and frees nothing.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def make_preset(name: str, out: Path, *, seed: int = 0, size: float | None = None, stages: Path | None = None) -> Path:
    """Build an embedded preset; `stages` is a folder for a picture of every generator stage.

    Raises UnknownNameError, InputError (size) or StorageError.
    """
    from citysim.build.procedural import plan_preset

    check_target(out)
    if stages is not None:
        check_folder(stages)
    with _unhurried():
        return make_package(plan_preset(name, seed=seed, size=size), out, stages)


def make_osm(
    pbf: Path,
    out: Path,
    *,
    bbox: tuple[float, float, float, float] | None = None,
    seed: int = 0,
    name: str | None = None,
) -> Path:
    """Import an OpenStreetMap extract. `bbox` is west, south, east, north in degrees."""
    from citysim.build.osm import plan_from_osm

    check_target(out)
    log.info("reading %s ...", pbf)
    return make_package(plan_from_osm(pbf, bbox=bbox, seed=seed, name=name), out)
