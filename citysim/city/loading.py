"""Opens a city package: manifest, tiles, objects, places, network."""

import dataclasses
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from citysim.city.ahead import Ahead
from citysim.city.cache import ChunkCache
from citysim.city.checks import are, is_number, is_text, is_whole, strict_json
from citysim.city.manifest import Manifest, read_manifest, verify
from citysim.city.model import Chunk, City, CityObject, Place
from citysim.city.objects import parse_objects
from citysim.city.pruning import budget_bytes, note_use, prune
from citysim.city.recent import Recent
from citysim.city.sealing import cache_key
from citysim.city.tiles import TileStore
from citysim.errors import CitySimError, SimulationFault, StorageError
from citysim.geo.content.surfaces import Surface
from citysim.geo.network_io import read_network
from citysim.geo.places import parse_places
from citysim.geo.store import FolderSource
from citysim.geo.tileset import matrix_of, read_tileset
from citysim.storage import canonical_json

V = TypeVar("V")
CHUNK_BYTES, CHUNKS = 192 << 20, 320
PIXEL_BYTES, PICTURES = 96 << 20, 64
"""What one process keeps of a city: its spaces and renderers have copies, so that only repeated asking would gain."""


def load_package(root: Path) -> City:
    """The city of a package folder; see `citysim.city.open_city`."""
    manifest = read_manifest(root)
    verify(manifest)
    root = root.absolute()  # the working directory may change while tiles are still to be read
    manifest = dataclasses.replace(manifest, root=root)
    data = manifest.data
    west, south, east, north = data["bounds_m"]
    cache = ChunkCache(cache_key(str(data["content_sha256"]), str(data["appearance_sha256"])))
    if not note_use(cache.folder):
        prune(budget_bytes())
    store = open_tiles(manifest, cache)
    chunks = Recent[Chunk](chunk_bytes, budget=CHUNK_BYTES, entries=CHUNKS)
    pixels = Recent[NDArray[np.uint8]](_array_bytes, budget=PIXEL_BYTES, entries=PICTURES)

    def make_ahead(index: int) -> bool:
        cache.chunk(*store.chunk_entry(index))
        return cache.hint(store.chunk_entry(index)[0])

    ahead = Ahead(make_ahead)

    def expect_chunk(index: int) -> None:
        if not cache.hint(store.chunk_entry(index)[0]):
            ahead.expect(index)

    def load_chunk(index: int) -> Chunk:
        def make() -> Chunk:
            ahead.settle(index)
            return _simulated(root, lambda: cache.chunk(*store.chunk_entry(index)))

        return chunks.get(index, make)

    def load_texture(index: int) -> NDArray[np.uint8]:
        def make() -> NDArray[np.uint8]:
            return _simulated(root, lambda: cache.pixels(*store.pixels_entry(index)))

        return pixels.get(index, make)

    return City(
        name=str(data["name"]),
        title=str(data["title"]),
        frame=manifest.frame,
        bounds=(float(west), float(south), float(east), float(north)),
        tiles=store.tiles,
        materials=store.materials,
        texture_keys=store.texture_keys,
        objects=load_objects(manifest),
        places=load_places(manifest),
        network=read_network(manifest.path("network"), manifest.frame),
        load_chunk=load_chunk,
        load_texture=load_texture,
        source=str(data.get("source", "")),
        licence=str(data.get("licence", "")),
        attribution=str(data.get("attribution", "")),
        content_sha256=str(data["content_sha256"]),
        appearance_sha256=str(data["appearance_sha256"]),
        utc_offset_h=float(data.get("utc_offset_h") or 0.0),
        path=root,
        hint_chunk=expect_chunk,
        seams=_imported(data),
    )


def _imported(data: Mapping[str, Any]) -> bool:
    """Whether the tiles were not cut by citysim, whose levels meet."""
    made = data.get("generator")
    return isinstance(made, dict) and made.get("kind") == "import-tiles"


def chunk_bytes(chunk: Chunk) -> int:
    """Bytes of a chunk's arrays."""
    arrays = (chunk.positions, chunk.uvs, chunk.colors, chunk.triangles, chunk.materials, chunk.labels)
    return sum(array.nbytes for array in arrays)


def _array_bytes(array: NDArray[np.uint8]) -> int:
    return array.nbytes


def open_tiles(manifest: Manifest, cache: ChunkCache | None = None) -> TileStore:
    """The tiles of a package; a cache saves reading every content for its materials."""
    source = FolderSource(manifest.root)
    bases = manifest.data.get("label_bases")
    known = None if cache is None else _known_surfaces(cache)
    tileset = read_tileset(source, str(manifest.data["tileset"]), allow_missing=bool(manifest.data.get("missing")))
    if known is not None and len(known) != len(tileset.tiles):
        known = None
    store = TileStore(
        source,
        tileset,
        manifest.frame,
        placement=placement_of(manifest.data),
        label_bases=bases if isinstance(bases, dict) else None,
        missing=manifest.data.get("missing") or (),
        surfaces=known,
    )
    if cache is not None and known is None:
        rows = [[_row(surface) for surface in tile] for tile in store.surfaces]
        cache.keep_text("surfaces.json", canonical_json(rows))
    return store


def placement_of(data: Mapping[str, Any]) -> NDArray[np.float64] | None:
    """(4, 4) tileset to local metres, None for a georeferenced tileset.

    Under "placement" city.json holds 16 column-major numbers when the tileset has no place on Earth of its own.
    """
    return None if data.get("placement") is None else matrix_of(data["placement"], "city.json")


def load_objects(manifest: Manifest) -> tuple[CityObject, ...]:
    """Objects of a package; raises FormatError or StorageError."""
    return parse_objects(read_part(manifest, "objects"), manifest.path("objects"))


def load_places(manifest: Manifest) -> tuple[Place, ...]:
    """Places of a package; raises FormatError or StorageError."""
    rows = parse_places(read_part(manifest, "places"), manifest.path("places"), manifest.frame)
    return tuple(Place(**row) for row in rows)


def read_part(manifest: Manifest, name: str) -> bytes:
    """Bytes of the file behind a key of city.json; raises StorageError."""
    try:
        return manifest.path(name).read_bytes()
    except OSError as error:
        reason = error.strerror or "an error"
        raise StorageError(f"the package file '{manifest.path(name)}'", reason, "building the package again") from None


def _simulated(root: Path, make: Callable[[], V]) -> V:
    """A failure to decode during a run is the simulator's fault, not the agent's."""
    try:
        return make()
    except CitySimError as error:
        advice = f"citysim city validate {root}"
        raise SimulationFault(error.expected, error.found, advice) from error


def _row(surface: Surface) -> list[Any]:
    return [getattr(surface, name) for name in Surface.__slots__]


def _known_surfaces(cache: ChunkCache) -> list[list[Surface]] | None:
    text = cache.text("surfaces.json")
    try:
        return None if text is None else [[_surface(row) for row in tile] for tile in strict_json(text)]
    except (ValueError, TypeError):
        return None  # of another shape than this version writes: made anew


def _surface(row: list[Any]) -> Surface:
    texture, color, cutoff, unlit, double_sided, emissive, name, glow, cells = row
    texts, flags = are(is_text, [texture, name, glow]), isinstance(unlit, bool) and isinstance(double_sided, bool)
    numbers = is_number(cutoff) and are(is_number, color, 4) and are(is_number, emissive, 3) and are(is_whole, cells, 2)
    if not (texts and flags and numbers):
        raise ValueError("no surface")
    return Surface(texture, tuple(color), cutoff, unlit, double_sided, tuple(emissive), name, glow, tuple(cells))
