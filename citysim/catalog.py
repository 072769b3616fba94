"""Cities by name: a package folder, an embedded preset (built on first use and cached), or real Helsinki."""

import fcntl
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from citysim.city import City, open_city
from citysim.errors import InputError, UnknownNameError
from citysim.storage import cache_dir, unwritable

HELSINKI = "helsinki"
log = logging.getLogger("citysim.build")


def city_names() -> dict[str, str]:
    """Every name `load_city` knows besides folders, with one line about each."""
    from citysim.build.procedural import PRESETS

    names = {name: preset.title for name, preset in PRESETS.items()}
    names[HELSINKI] = "central Helsinki from OpenStreetMap (extra 'helsinki'; © OpenStreetMap contributors, ODbL 1.0)"
    return names


def load_city(name: "str | Path | City", *, seed: int | None = None, size: float | None = None) -> City:
    """The city of a package folder, a preset name (`mini`, `mini@7`), or `helsinki`.

    A folder wins over a preset of the same name. Presets are built once under the cache folder. Raises
    UnknownNameError, FormatError for a broken package, DependencyError where `helsinki` is not installed.
    """
    if isinstance(name, City):
        return name
    folder = Path(name)
    if (folder / "city.json").is_file():
        return open_city(folder)
    return open_city(city_folder(str(name), seed=seed, size=size))


def city_folder(name: str, *, seed: int | None = None, size: float | None = None) -> Path:
    """The cached package folder of a preset or of `helsinki`, built now when it is not there."""
    from citysim.build.version import GENERATOR_VERSION

    preset, at, suffix = name.partition("@")
    counted = suffix.isascii() and suffix.isdigit()
    chosen = int(suffix) if counted else seed or 0
    parts = [preset, f"s{chosen}", *([f"{size:g}m"] if size else []), f"v{GENERATOR_VERSION}"]
    folder = cache_dir() / "cities" / "-".join(parts)
    if preset.isidentifier() and counted == bool(at) and (folder / "city.json").is_file():
        return folder  # built whole by an earlier call: the builders need not be imported
    from citysim.build.make import make_osm, make_preset
    from citysim.build.procedural import PRESETS

    if preset not in PRESETS and preset != HELSINKI:
        if Path(name).exists():
            raise InputError(
                "a city package (a folder with city.json)", f"'{name}'", "citysim city import-osm or build"
            )
        raise UnknownNameError.of("a city package folder or a city", name, city_names())
    if at and not counted:
        raise InputError("PRESET@SEED with a whole number", repr(name), f"{preset}@7")
    with _locked(folder):
        if not (folder / "city.json").is_file():
            log.info("building '%s' (once; kept in the cache) ...", name, extra={"headline": True})
            if preset == HELSINKI:
                from citysim.build.osm.helsinki import helsinki_extract

                make_osm(helsinki_extract(), folder, seed=chosen, name=HELSINKI)
            else:
                make_preset(preset, folder, seed=chosen, size=size)
    return folder


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Let one process build while the others wait, so that worker pools never build a city twice."""
    lock = folder.with_name(f".{folder.name}.lock")
    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
        handle = lock.open("w")
    except OSError as error:
        raise unwritable(lock.parent, error) from None
    with handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
