"""Subtrees of implicit tilesets: which tiles and contents there are, and what is said about them."""

import json
import struct
from collections.abc import Callable
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from citysim.errors import FormatError
from citysim.geo import uris
from citysim.geo.metadata import semantics, table_rows

Json = dict[str, Any]
Bits = NDArray[np.bool_]
MAX_BITS = 1 << 26
_HEADER = struct.Struct("<4sIQQ")


class Subtree:
    """One subtree of `levels` levels with `arity` children a tile (4 or 8).

    `tiles`, `children` (bool arrays) and `contents` (a list of them) say what is available, tiles level by level in
    Morton order. `read` gives the bytes of a URI; `uri` is the subtree's own. Raises FormatError for broken data.
    """

    def __init__(self, data: bytes, uri: str, levels: int, arity: int, read: Callable[[str], bytes]) -> None:
        self.uri, self._read = uri, read
        self.json, self._binary = _parts(data, uri)
        self._buffers: dict[int, bytes] = {}
        whole = (arity**levels - 1) // (arity - 1)
        if whole > MAX_BITS:
            raise self._broken(f"{levels} levels")
        self.tiles = self._bits(self.json.get("tileAvailability"), whole)
        self.children = self._bits(self.json.get("childSubtreeAvailability"), arity**levels)
        self.contents = [self._bits(entry, whole) for entry in self._content_availability()]

    def metadata(self, schema: Json) -> dict[int, Json]:
        """What is said about tiles by their place, by semantic name (TILE_BOUNDING_BOX and the like)."""
        table, tables = self.json.get("tileMetadata"), self.json.get("propertyTables")
        if not isinstance(table, int) or not isinstance(tables, list) or not 0 <= table < len(tables):
            return {}
        if not isinstance(tables[table], dict):
            return {}
        names = semantics(schema, tables[table].get("class"))
        rows = table_rows(tables[table], schema, self._view)
        places = np.flatnonzero(self.tiles).tolist()
        return {
            place: {meaning: row[name] for meaning, name in names.items() if name in row}
            for place, row in zip(places, rows, strict=False)
        }

    def _content_availability(self) -> list[Any]:
        extensions = self.json.get("extensions")
        several = extensions.get("3DTILES_multiple_contents") if isinstance(extensions, dict) else None
        found = self.json.get("contentAvailability")
        if found is None and isinstance(several, dict):
            found = several.get("contentAvailability")
        return found if isinstance(found, list) else [] if found is None else [found]

    def _bits(self, availability: Any, count: int) -> Bits:
        if not isinstance(availability, dict):
            raise self._broken("no availability")
        if "constant" in availability:
            return np.full(count, availability["constant"] in (1, True))
        stored = np.frombuffer(self._view(availability.get("bitstream", availability.get("bufferView"))), np.uint8)
        if len(stored) * 8 < count:
            raise self._broken(f"{len(stored) * 8} of {count} availability bits")
        return np.unpackbits(stored[: (count + 7) // 8], bitorder="little")[:count].astype(bool)

    def _view(self, index: Any) -> bytes:
        views, buffers = self.json.get("bufferViews"), self.json.get("buffers")
        view = views[index] if isinstance(views, list) and _natural(index) and index < len(views) else None
        number = view.get("buffer") if isinstance(view, dict) else None
        if (
            not isinstance(view, dict)
            or not isinstance(buffers, list)
            or not _natural(number)
            or number >= len(buffers)
        ):
            raise self._broken(f"no bufferView {index!r:.20}")
        start, length = view.get("byteOffset", 0), view.get("byteLength")
        data = self._buffer(number, buffers[number])
        if not _natural(start) or not _natural(length) or start + length > len(data):
            raise self._broken(f"a bufferView beyond the {len(data)} bytes of its buffer")
        return data[start : start + length]

    def _buffer(self, number: int, entry: Any) -> bytes:
        reference = entry.get("uri") if isinstance(entry, dict) else None
        if not isinstance(reference, str):
            return self._binary
        if number not in self._buffers:
            self._buffers[number] = self._read(uris.join(self.uri, reference))
        return self._buffers[number]

    def _broken(self, what: str) -> FormatError:
        return FormatError("a subtree of an implicit tileset", f"'{self.uri}' with {what}", "exporting it again")


def _parts(data: bytes, uri: str) -> tuple[Json, bytes]:
    """JSON and binary body of a subtree file, which may be plain JSON too."""
    text, binary = data, b""
    if data[:4] == b"subt":
        if len(data) < _HEADER.size:
            raise FormatError("a whole subtree", f"{len(data)} bytes in '{uri}'", "fetching it again")
        _, version, size, rest = _HEADER.unpack_from(data)
        if version != 1 or _HEADER.size + size + rest > len(data):
            raise FormatError("a whole subtree of version 1", f"'{uri}' (version {version})", "fetching it again")
        text = data[_HEADER.size : _HEADER.size + size]
        binary = data[_HEADER.size + size : _HEADER.size + size + rest]
    try:
        found = json.loads(text.rstrip(b"\x00 ").decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        detail = str(error).replace("\n", " ")[:60]
        raise FormatError("a subtree", f"'{uri}' ({detail})", "exporting the tileset again") from None
    if not isinstance(found, dict):
        raise FormatError("a subtree with a JSON object", f"'{uri}' without one", "exporting the tileset again")
    return found, binary


def _natural(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
