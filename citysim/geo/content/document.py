"""One glTF document with its buffers: typed, checked access to its parts."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeGuard

from numpy.typing import NDArray

from citysim.errors import FormatError
from citysim.geo import uris
from citysim.geo.content import extensions
from citysim.geo.content.container import unpack
from citysim.geo.content.glb import read_gltf
from citysim.geo.content.notices import Notices
from citysim.geo.content.payload import Payload
from citysim.geo.store import TileSource, fetch

Json = dict[str, Any]
MAX_VIEWED = 1 << 30  # bytes that the compressed views of one document may become


def documents(source: TileSource, uri: str, notices: Notices | None = None) -> Iterator["Document"]:
    """The parts of one content (one, or several in a composite), each a glTF or a point cloud.

    Parts of a known kind without triangles are left out with a notice.
    """
    notices = Notices() if notices is None else notices
    payloads = unpack(fetch(source, uri), uri)
    models: dict[str, Payload] = {}
    for position, payload in enumerate(payloads):
        if payload.left_out:
            notices.add(f"left out {payload.left_out}")
            continue
        key, place = (f"{uri}#{position}" if len(payloads) > 1 else uri), uri
        if payload.reference:  # the model of an i3dm, in a file of its own
            key = place = uris.join(uri, payload.reference)
            if place not in models:
                models[place] = read_gltf(fetch(source, place), place)
            model = models[place]
            payload = replace(payload, gltf=model.gltf, binary=model.binary)
        yield Document(payload, place, source, key, notices)


class Document:
    """Looks things up in a glTF and says what is wrong with it when it cannot.

    `key` names it within its tile, `notices` take what is left out of it, `tables` are its property tables once read.
    """

    def __init__(
        self, payload: Payload, uri: str, source: TileSource, key: str = "", notices: Notices | None = None
    ) -> None:
        extensions.refuse_unknown(payload.gltf, uri)
        asset = payload.gltf.get("asset")
        if isinstance(asset, dict) and str(asset.get("version", "2.0")).startswith("1"):
            raise FormatError("glTF 2.0", f"glTF {asset['version']} in '{uri}'", "converting it to glTF 2.0")
        self.payload, self.gltf, self.uri, self.source = payload, payload.gltf, uri, source
        self.key = key or uri
        self.notices = Notices() if notices is None else notices
        self.tables: tuple[Json, list[Json]] | None = None
        self.arrays: dict[int, NDArray[Any]] = {}  # accessors that were read already
        self.surfaces: dict[int, Any] = {}  # materials that were read already
        self._buffers: dict[int, bytes] = {}
        self._decoded: dict[int, bytes] = {}
        self._viewed = 0

    def item(self, collection: str, index: Any) -> Json:
        """Entry `index` of a top-level list; raises FormatError when it is not there."""
        items = self.gltf.get(collection)
        if isinstance(items, list) and is_natural(index) and index < len(items):
            entry = items[index]
            if isinstance(entry, dict):
                return entry
        raise self.broken(f"no {collection} entry {index!r:.20}")

    def count(self, collection: str) -> int:
        """Number of entries of a top-level list."""
        items = self.gltf.get(collection)
        return len(items) if isinstance(items, list) else 0

    def buffer(self, index: Any) -> bytes:
        """Bytes of a buffer: the BIN chunk, a `data:` URI, or a file beside the document."""
        entry = self.item("buffers", index)
        if index not in self._buffers:
            reference = entry.get("uri")
            if isinstance(reference, str):
                self._buffers[index] = fetch(self.source, uris.join(self.uri, reference))
            elif index == 0 and self.payload.binary is not None:
                self._buffers[index] = self.payload.binary
            else:
                raise self.broken(f"buffer {index} without data")
        return self._buffers[index]

    def view(self, index: Any) -> tuple[memoryview, int | None]:
        """Bytes of a buffer view and its stride (None when tightly packed)."""
        entry = self.item("bufferViews", index)
        stride = entry.get("byteStride")
        if stride is not None and not (is_natural(stride) and 0 < stride <= 65536):
            raise self.broken(f"a byteStride of {stride!r:.20}")
        packed = entry.get("extensions")
        if isinstance(packed, dict):
            for name in sorted(extensions.VIEWS.keys() & packed.keys()):
                if index not in self._decoded:
                    decode, settings = extensions.VIEWS[name], packed[name]
                    if not isinstance(settings, dict):
                        raise self.broken(f"a broken {name}")
                    self._decoded[index] = decode(settings, bytes(self.range_of(settings)))
                    self._viewed += len(self._decoded[index])
                    if self._viewed > MAX_VIEWED:
                        raise self.broken("more compressed data than fits in memory")
                return memoryview(self._decoded[index]), stride
        return self.range_of(entry), stride

    def range_of(self, entry: Json) -> memoryview:
        """The bytes that an object with `buffer`, `byteOffset` and `byteLength` points at."""
        data = self.buffer(entry.get("buffer"))
        start, length = entry.get("byteOffset", 0), entry.get("byteLength")
        if not is_natural(start) or not is_natural(length):
            raise self.broken("a bufferView without an integer range")
        if start + length > len(data):
            raise self.broken(f"a bufferView to byte {start + length} of {len(data)}")
        return memoryview(data)[start : start + length]

    def broken(self, what: str) -> FormatError:
        """The error for a fault in this document."""
        return FormatError("a valid glTF 2.0", f"'{self.uri}' with {what}", "exporting the tile again")


def is_natural(value: Any) -> TypeGuard[int]:
    """Whether a JSON value is a whole number of 0 or more (and not a truth value)."""
    return type(value) is int and value >= 0


def extension_of(entry: Any, name: str) -> Json | None:
    """The object of one extension on a glTF entry, None without."""
    found = entry.get("extensions") if isinstance(entry, dict) else None
    value = found.get(name) if isinstance(found, dict) else None
    return value if isinstance(value, dict) else None
