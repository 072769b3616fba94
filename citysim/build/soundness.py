"""Finds the contents and textures of a tileset that are there but cannot be decoded."""

import numpy as np

from citysim.errors import CitySimError
from citysim.geo.content.images import load_texture
from citysim.geo.content.meshes import decode_meshes, surfaces_in
from citysim.geo.store import TileSource
from citysim.geo.tileset import Tileset


def find_broken(source: TileSource, tree: Tileset, known: dict[str, str]) -> dict[str, str]:
    """Reasons by content URI or texture key; what is in `known` already is not tried again.

    A broken texture leaves its tile in place (drawn in plain grey), a broken content leaves a gap.
    """
    faults: dict[str, str] = {}
    textures: dict[str, None] = {}
    for node in tree.tiles:
        for uri in node.uris:
            if uri in known or uri in faults:
                continue
            try:
                surfaces = surfaces_in(source, uri)
                decode_meshes(source, uri, np.eye(4), node.up_axis)
            except CitySimError as error:
                faults[uri] = f"expected {error.expected}, found {error.found}"
            else:
                textures.update(dict.fromkeys(s.texture for s in surfaces if s.texture))
    for key in textures:
        if key in known:
            continue
        try:
            load_texture(source, key)
        except CitySimError as error:
            faults[key] = f"expected {error.expected}, found {error.found}"
    return faults
