"""Decoders that come as packages of their own, imported when a tile first needs them."""

import importlib
from typing import Any

from citysim.errors import DependencyError

# import name -> (what to install, what it reads)
PACKAGES = {
    "DracoPy": ("DracoPy", "Draco compressed geometry"),
    "meshopt": ("meshopt", "EXT_meshopt_compression"),
    "opengl_basisu": ("--pre opengl_basisu", "KTX2 textures"),
}


def decoder(name: str) -> Any:
    """The module `name` of the table; raises DependencyError that says what to install."""
    install, purpose = PACKAGES[name]
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise DependencyError(
            f"the package {name}, which reads {purpose}", str(error)[:80], f"pip install {install}"
        ) from None
