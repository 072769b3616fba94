"""Writes a CityDraft as a city package: 3D Tiles 1.1, network, places, objects, hashes."""

import dataclasses
import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.build.draft import CityDraft
from citysim.build.gltf import MeshPart, glow_key, write_glb
from citysim.build.target import check_target
from citysim.build.tiler import CELL_M, Cell, cut, label_bounds, soup_of
from citysim.city import CityObject
from citysim.city.cache import ChunkCache
from citysim.city.manifest import SCHEMA
from citysim.city.objects import objects_text
from citysim.city.sealing import LAYOUT, appearance_of, pretty_json, seal
from citysim.city.tiles import TileStore
from citysim.errors import InputError
from citysim.geo.frames import LocalFrame
from citysim.geo.network_io import network_geojson
from citysim.geo.places import places_geojson
from citysim.geo.store import FolderSource
from citysim.geo.tileset import read_tileset
from citysim.storage import folder_atomic, sha256_hex

PLAIN = 250_000  # triangles in all levels up to which tiles are not compressed: any glTF reader opens them
WRITER = 1  # raised whenever the same draft would give other bytes


def write_package(draft: CityDraft, out: Path) -> Path:
    """Write a draft as a city package and return its folder.

    The folder appears whole or not at all; a city package already there is replaced, anything else is refused.
    Raises StorageError for an unwritable place and InputError for a draft that cannot be written.
    """
    check_target(out)
    plan, aside = draft.plan, draft.textures.aside
    if aside.elsewhere:
        aside.submit(_ready)
    soup = soup_of(draft.mesh.parts)
    unknown = sorted(set(soup.names) - draft.materials.keys())
    if unknown:
        raise InputError("materials that the draft knows", f"{unknown[:3]}", "draft.material before draft.mesh.add")
    cells = cut(soup, plan.bounds)
    with ExitStack() as stack:
        root = stack.enter_context(folder_atomic(out, replace=True))
        cache = stack.enter_context(ChunkCache.staged())
        uris = _write_textures(draft, root / "tiles", cells)
        _write_tiles(draft, root / "tiles", cells, uris)
        looks = aside.submit(_looks, root, plan.frame, cache) if aside.elsewhere else None
        bounds = label_bounds(soup)
        objects = [_with_bounds(thing, bounds) for thing in draft.objects]
        _write(root / LAYOUT["objects"], objects_text(objects))
        places = [{f.name: getattr(p, f.name) for f in dataclasses.fields(p)} for p in draft.places]
        _write(root / LAYOUT["places"], places_geojson(places, plan.frame))
        _write(root / LAYOUT["network"], network_geojson(draft.edges, plan.frame))
        write_readme(root, plan.title or plan.name, plan.attribution, plan.licence)
        store = _store(root, plan.frame)
        data: dict[str, Any] = {
            "schema": SCHEMA,
            "name": plan.name,
            "title": plan.title or plan.name,
            "source": plan.source,
            "licence": plan.licence,
            "attribution": plan.attribution,
            "height_offset_m": 0.0,
            "utc_offset_h": plan.utc_offset_h,
            "locale": plan.locale,
            "generator": {"writer": WRITER, "seed": plan.seed, **plan.generator},
            "warnings": list(draft.warnings),
        }
        seal(root, plan.frame, store, data, plan.bounds, cache=cache, looks=looks)
    return out


def _store(root: Path, frame: LocalFrame) -> TileStore:
    """The tiles that were written, to be decoded."""
    source = FolderSource(root)
    return TileStore(source, read_tileset(source, LAYOUT["tileset"]), frame)


def _looks(root: Path, frame: LocalFrame, cache: ChunkCache) -> dict[str, Any]:
    """What `seal` needs to know about textures and materials; run aside, while tiles are decoded here."""
    return appearance_of(_store(root, frame), cache)


def _ready() -> None:
    """Run aside, has this module and all that it imports loaded before `_looks` is asked for."""


def write_readme(root: Path, title: str, attribution: str, licence: str) -> None:
    """The package's README.txt: what it is and whom to name."""
    lines = [
        title,
        "",
        "A city package of citysim; its geometry is a 3D Tiles 1.1 tileset in tiles/.",
        "",
        attribution,
        f"Licence: {licence}",
    ]
    _write(root / "README.txt", "\n".join(lines) + "\n")


def texture_file(key: str) -> str:
    """File name of a texture key: letters, digits, '.', '_' and '-' are kept, others marked by a hash."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "_", key)[:80].strip(".")
    return f"{plain}.png" if plain == key else f"{plain}-{sha256_hex(key)[:8]}.png"


def _write_textures(draft: CityDraft, tiles: Path, cells: list[Cell]) -> dict[str, str]:
    """Write the textures in use; their URIs relative to tiles/cells by key."""
    used = {part.material for cell in cells for level in cell.levels for part in level.parts}
    keys = sorted({draft.materials[name].texture for name in used} - {""})
    absent = [key for key in keys if key not in draft.textures]
    if absent:
        raise InputError("textures that the draft holds", f"{absent[:3]}", "draft.texture before draft.material")
    opaque = {spec.texture for name in used if (spec := draft.materials[name]).alpha_cutoff == 0.0}
    written = []
    with ThreadPoolExecutor(2) as pool:  # zlib lets other threads run
        for key, (picture, glow) in zip(keys, pool.map(draft.textures.files, keys), strict=True):
            written.append(key)
            _write(tiles / "textures" / texture_file(key), picture)
            if glow is not None and key in opaque:
                written.append(glow_key(key))
                _write(tiles / "textures" / texture_file(written[-1]), glow)
    return {key: f"../textures/{texture_file(key)}" for key in written}


def _write_tiles(draft: CityDraft, tiles: Path, cells: list[Cell], uris: dict[str, str]) -> None:
    children = []
    windows = {key: texture.cells for key, texture in draft.textures.items() if any(texture.cells)}
    triangles = sum(len(part.triangles) for cell in cells for level in cell.levels for part in level.parts)
    for cell in cells:
        name = f"{cell.column}_{cell.row}"
        box = _box([part for level in cell.levels for part in level.parts])
        tile: dict[str, Any] = {}
        for level in cell.levels:
            below = [tile] if tile else []
            tile = {"boundingVolume": {"box": box}, "geometricError": level.error}
            if level.parts:
                title, large = f"{name}_{level.name}", triangles > PLAIN
                glb = write_glb(level.parts, draft.materials, uris, title, windows, compress=large)
                _write(tiles / "cells" / f"{name}_{level.name}.glb", glb)
                tile["content"] = {"uri": f"cells/{name}_{level.name}.glb"}
            if below:
                tile["children"] = below
        e, n, u = cell.origin
        children.append({**tile, "refine": "REPLACE", "transform": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, e, n, u, 1]})
    frame: LocalFrame = draft.plan.frame
    root = {
        "boundingVolume": {"box": _city_box(cells)},
        "geometricError": 2.0 * CELL_M,
        "refine": "ADD",
        "transform": frame.matrix.T.reshape(-1).tolist(),
        "children": children,
    }
    asset = {"version": "1.1", "generator": "citysim", "extras": {"attribution": draft.plan.attribution}}
    _write(tiles / "tileset.json", pretty_json({"asset": asset, "geometricError": 4.0 * CELL_M, "root": root}))


def _box(parts: list[MeshPart]) -> list[float]:
    """A tile's `box` around parts, relative to the tile's origin."""
    low = np.min([p.positions.min(axis=0) for p in parts], axis=0).astype(np.float64)
    high = np.max([p.positions.max(axis=0) for p in parts], axis=0).astype(np.float64)
    return _box_of(low, high)


def _city_box(cells: list[Cell]) -> list[float]:
    if not cells:
        return _box_of(np.zeros(3), np.zeros(3))
    boxes = [(np.array(c.origin), np.array(_box([p for v in c.levels for p in v.parts]))) for c in cells]
    low = np.min([origin + box[:3] - box[[3, 7, 11]] for origin, box in boxes], axis=0)
    high = np.max([origin + box[:3] + box[[3, 7, 11]] for origin, box in boxes], axis=0)
    return _box_of(low, high)


def _box_of(low: NDArray[np.float64], high: NDArray[np.float64]) -> list[float]:
    x, y, z = ((low + high) / 2.0).tolist()
    a, b, c = np.maximum((high - low) / 2.0, 1.0 / 1024.0).tolist()
    return [x, y, z, a, 0.0, 0.0, 0.0, b, 0.0, 0.0, 0.0, c]


def _with_bounds(thing: CityObject, bounds: dict[int, tuple[float, float, float, float, float, float]]) -> CityObject:
    """An object without an extent of its own gets that of its triangles."""
    if thing.id in bounds and thing.bounds[:3] == thing.bounds[3:]:
        return dataclasses.replace(thing, bounds=bounds[thing.id])
    return thing


def _write(path: Path, data: bytes | str) -> None:
    """Write into the folder under construction (which appears as a whole, so no file needs to on its own)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
