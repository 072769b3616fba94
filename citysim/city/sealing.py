"""Seals a package: decodes all of it, and writes what it holds into digests.json and city.json."""

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.city.cache import ChunkCache
from citysim.city.chunks import geometry_digest, pixels_digest
from citysim.city.extents import Box, stand, widen
from citysim.city.manifest import DIGESTS, SCHEMA, file_digest, frame_digest
from citysim.city.model import CityObject, Material
from citysim.city.objects import objects_text
from citysim.city.tiles import TileStore
from citysim.errors import InputError
from citysim.geo.frames import LocalFrame
from citysim.storage import canonical_json, sha256_hex, write_atomic

LAYOUT = {
    "tileset": "tiles/tileset.json",
    "network": "network.geojson",
    "places": "places.geojson",
    "objects": "objects.jsonl",
}
WORKERS = 4
LEAST_M = 1.0  # width and depth of a city
Bounds = tuple[float, float, float, float]


def seal(
    root: Path,
    frame: LocalFrame,
    store: TileStore,
    data: dict[str, Any],
    bounds: Bounds | None = None,
    *,
    within: Bounds | None = None,
    objects: Sequence[CityObject] | None = None,
    cache: ChunkCache | None = None,
    looks: Future[dict[str, Any]] | None = None,
) -> None:
    """Write digests.json and city.json into a folder that holds all other files of a package.

    `data` are the keys of city.json without schema, origin, bounds and hashes; `bounds` (e0, n0, e1, n1) local metres
    default to those of the finest tiles, cut to `within` where only that part is whole. `objects` without a place get
    that of their triangles and are written to the package. What decoding left out is added to "warnings". `looks` is
    what `appearance_of` gives, to come from elsewhere, and `cache` the staged one that it fills.

    Raises FormatError or StorageError when a tile cannot be decoded, InputError when none has a surface.
    """
    layout = LAYOUT | {key: data[key] for key in LAYOUT if key in data}
    boxes: dict[int, Box] | None = None if objects is None else {}
    with ExitStack() as stack:
        cache = cache or stack.enter_context(ChunkCache.staged())
        if looks is None:  # decoders of pictures give Python's lock back, those of tiles hold it
            beside = stack.enter_context(ThreadPoolExecutor(1, thread_name_prefix="citysim-seal"))
            looks = beside.submit(appearance_of, store, cache)
        tiles, extent = measure_tiles(store, cache, boxes)
        if objects is not None:
            placed = [stand(thing, (boxes or {}).get(thing.id)) for thing in objects]
            (root / layout["objects"]).write_text(objects_text(placed), encoding="utf-8")
        parts = {key: file_digest(root / layout[key]) for key in ("network", "places", "objects")}
        content = {"frame": frame_digest(frame), "tiles": tiles, "tree": tree_digest(store), **parts}
        appearance = looks.result()
        hashes = sha256_hex(canonical_json(content)), sha256_hex(canonical_json(appearance))
        cache.adopt(cache_key(*hashes))
    said = [*data.get("warnings", ()), *sorted(store.notices)]  # tiles are decoded in no set order
    if bounds is None and extent is None:
        raise InputError("tiles with surfaces", "; ".join(["none", *said])[:200], "a tileset of triangles or points")
    digests = {"content": content, "appearance": appearance, "files": file_digests(root)}
    city = {
        **data,
        **layout,
        "schema": SCHEMA,
        "origin": {"lon": frame.lon, "lat": frame.lat, "height": frame.height},
        "bounds_m": [round(float(v), 3) + 0.0 for v in bounds or _cut(extent or (0.0, 0.0, 0.0, 0.0), within)],
        "content_sha256": hashes[0],
        "appearance_sha256": hashes[1],
        **({"warnings": said} if said else {}),
    }
    write_atomic(root / DIGESTS, canonical_json(digests) + "\n")
    write_atomic(root / "city.json", pretty_json(city))


def _cut(extent: Bounds, within: Bounds | None) -> Bounds:
    """What two rectangles share; the extent itself when that is nothing. A wall seen from above gets some width."""
    e0, n0, e1, n1 = extent
    wide, deep = max(LEAST_M - (e1 - e0), 0.0) / 2.0, max(LEAST_M - (n1 - n0), 0.0) / 2.0
    extent = e0 - wide, n0 - deep, e1 + wide, n1 + deep
    if within is None:
        return extent
    e0, n0 = max(extent[0], within[0]), max(extent[1], within[1])
    e1, n1 = min(extent[2], within[2]), min(extent[3], within[3])
    return (e0, n0, e1, n1) if e0 < e1 and n0 < n1 else extent


def cache_key(content_sha256: str, appearance_sha256: str) -> str:
    """Name of a city's cache of decoded data."""
    return sha256_hex(content_sha256 + appearance_sha256)


def tree_digest(store: TileStore) -> str:
    """SHA-256 of how the tiles hang together: what refines what, how, and from where on.

    The same tiles are another city when they are shown together instead of in each other's place.
    """
    rows = [
        [n.parent, n.refine, n.geometric_error, len(n.uris), _stated(n.volume), _stated(n.request_volume)]
        for n in store.nodes
    ]
    return sha256_hex(canonical_json(rows))


def _stated(volume: Mapping[str, Any] | None) -> Any:
    """The numbers of a bounding volume as its tileset states them."""
    kind = next((kind for kind in ("box", "sphere", "region") if volume is not None and kind in volume), None)
    return volume[kind] if volume is not None and kind is not None else str(volume)


def measure_tiles(
    store: TileStore, cache: ChunkCache | None = None, boxes: dict[int, Box] | None = None
) -> tuple[list[list[str]], Bounds | None]:
    """[URI, geometry digest] of every tile with content, and the horizontal extent of all of them (None: no surface).

    With a cache what is decoded is kept there for those who open the city next. `boxes` gets the bounds of every label.
    """
    rows: list[list[str]] = []
    low, high = np.full(2, np.inf), np.full(2, -np.inf)
    for tile in store.tiles:
        if not tile.has_content:
            continue
        chunk = store.decode(tile.index) if cache is None else cache.chunk(*store.chunk_entry(tile.index))
        rows.append([tile.uri, geometry_digest(chunk)])
        if boxes is not None:
            widen(boxes, chunk)
        if len(chunk.positions):
            points = chunk.positions[:, :2]
            low = np.minimum(low, points.min(axis=0) + chunk.origin[:2])
            high = np.maximum(high, points.max(axis=0) + chunk.origin[:2])
    if not np.isfinite(low).all():
        return rows, None
    return rows, (float(low[0]), float(low[1]), float(high[0]), float(high[1]))


def appearance_of(store: TileStore, cache: ChunkCache | None = None) -> dict[str, Any]:
    """Digests of decoded textures by key, their order, and every material in order."""

    def pixels(index: int) -> NDArray[np.uint8]:
        return store.pixels(index) if cache is None else cache.pixels(*store.pixels_entry(index))

    def digest(index: int) -> str:
        return pixels_digest(pixels(index))

    keys = store.texture_keys
    with ThreadPoolExecutor(
        WORKERS, thread_name_prefix="citysim-seal"
    ) as pool:  # decoders and SHA-256 run side by side
        digests = list(pool.map(digest, range(len(keys))))
    return {
        "keys": list(keys),  # in the order by which materials number them
        "textures": dict(zip(keys, digests, strict=True)),
        "materials": [material_row(m) for m in store.materials],
    }


def material_row(material: Material) -> list[Any]:
    """A material as JSON values."""
    return [
        material.name,
        material.texture,
        [float(v) for v in material.color],
        float(material.alpha_cutoff),
        material.unlit,
        material.double_sided,
        [float(v) for v in material.emissive],
        *([material.glow, list(material.glow_cells)] if material.glow >= 0 else []),
    ]


def file_digests(root: Path) -> dict[str, str]:
    """SHA-256 by slash-separated relative path of every file but city.json and digests.json."""
    paths: Iterable[Path] = (path for path in root.rglob("*") if path.is_file())
    names = sorted(path.relative_to(root).as_posix() for path in paths)
    return {name: file_digest(root / name) for name in names if name not in ("city.json", DIGESTS)}


def pretty_json(value: dict[str, Any]) -> str:
    """JSON for people: one key a line, nested values on their line, keys in the order given."""
    rows = ",\n".join(f"  {canonical_json(key)}: {canonical_json(item)}" for key, item in value.items())
    return "{\n" + rows + "\n}\n"
