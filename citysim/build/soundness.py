"""Finds the contents and textures of a tileset that are there but cannot be decoded."""

import numpy as np

from citysim.errors import CitySimError
from citysim.geo.content.whole import decode_content
from citysim.geo.store import TileSource
from citysim.geo.tileset import Tileset


def find_broken(source: TileSource, tree: Tileset, known: dict[str, str]) -> dict[str, str]:
    """Reasons by content URI or texture key; what is in `known` already is not tried again.

    A broken texture leaves its tile in place (drawn in plain grey), a broken content leaves a gap.
    """
    faults: dict[str, str] = {}
    textures = set(known)
    for node in tree.tiles:
        for uri in node.uris:
            if uri in known or uri in faults:
                continue
            try:
                found = decode_content(source, uri, np.eye(4), node.up_axis, known=textures)
            except CitySimError as error:
                faults[uri] = _reason(error)
            else:
                faults |= {key: _reason(error) for key, error in found.faults.items()}
                textures |= found.textures.keys() | found.faults.keys()
    return faults


def _reason(error: CitySimError) -> str:
    return f"expected {error.expected}, found {error.found}"
