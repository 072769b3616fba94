"""City: everything about a place that never changes during an episode, shared by many worlds and processes.

`City` and its parts are plain data (`model`); `open_city` reads a city package from disk (`loading`).
"""

from pathlib import Path

from citysim.city.model import Chunk, City, CityObject, Material, Place, Tile

__all__ = ["Chunk", "City", "CityObject", "Material", "Place", "Tile", "open_city"]


def open_city(path: Path | str) -> City:
    """Read a city package (a folder with a `city.json`).

    The package's hashes are checked: file by file on the first opening on a machine, by size and time stamp of every
    file afterwards. Raises StorageError for what cannot be read and FormatError for what is not a sound package.
    """
    from citysim.city.loading import load_package

    return load_package(Path(path))
