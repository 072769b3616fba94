"""Feature and batch tables of the 1.0 tile formats: a JSON header over a binary body."""

import json
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.errors import FormatError

TYPES = {
    "BYTE": "<i1", "UNSIGNED_BYTE": "<u1", "SHORT": "<i2", "UNSIGNED_SHORT": "<u2", "INT": "<i4",
    "UNSIGNED_INT": "<u4", "FLOAT": "<f4", "DOUBLE": "<f8",
}  # fmt: skip
MAX_COUNT = 50_000_000


@dataclass(frozen=True, slots=True)
class Table:
    """One table of the tile `uri`."""

    header: dict[str, Any]
    body: bytes
    uri: str

    def column(self, name: str, count: int, width: int, dtype: str) -> NDArray[Any] | None:
        """(count, width) of a property, from the binary body or listed in the header; None when it is absent.

        `dtype` is its numpy type unless the header names a `componentType`. Raises FormatError for broken columns.
        """
        value = self.header.get(name)
        if value is None:
            return None
        if isinstance(value, dict):
            offset, kind = value.get("byteOffset"), TYPES.get(str(value.get("componentType")), dtype)
            size = np.dtype(kind).itemsize * width
            if not isinstance(offset, int) or offset < 0 or count < 0 or offset + size * count > len(self.body):
                raise broken(self.uri, f"the property {name!r:.40} outside its table")
            return np.frombuffer(self.body, kind, count * width, offset).reshape(count, width)
        if not isinstance(value, list) or len(value) != count * width or not all(_is_number(n) for n in value):
            raise broken(self.uri, f"a broken property {name!r:.40}")
        return np.array(value, dtype=np.float64).astype(dtype).reshape(count, width)

    def vector(self, name: str, width: int) -> tuple[float, ...] | None:
        """A property of the whole tile as finite numbers, None when it is absent; raises FormatError."""
        row = self.column(name, 1, width, "<f4")
        if row is None:
            return None
        numbers = tuple(float(n) for n in (self.header[name] if isinstance(self.header[name], list) else row[0]))
        if not all(abs(n) < 1e12 for n in numbers):  # false for NaN too
            raise broken(self.uri, f"{name} {numbers!r:.60}")
        return numbers

    def count(self, name: str, default: int = 0) -> int:
        """A number of things; raises FormatError when it is not a whole number within reason."""
        value = self.header.get(name, default)
        if isinstance(value, dict) and isinstance(value.get("byteOffset"), int):
            row = self.column(name, 1, 1, "<u4")
            value = default if row is None else int(row[0, 0])
        if isinstance(value, bool) or not isinstance(value, int | float) or value != int(value):
            raise broken(self.uri, f"{name} {value!r:.20}")
        if not 0 <= value <= MAX_COUNT:
            raise broken(self.uri, f"{name} {value!r:.20}")
        return int(value)

    def center(self) -> tuple[float, float, float]:
        """RTC_CENTER, zeros without."""
        x, y, z = self.vector("RTC_CENTER", 3) or (0.0, 0.0, 0.0)
        return x, y, z


def split(data: bytes, layout: str, uri: str) -> tuple[tuple[int, ...], list[bytes], bytes]:
    """The numbers after a 1.0 header's magic, its four table sections, and what follows them.

    `layout` is the header's struct format: magic, version, length, four lengths, and then what the format adds. Raises
    FormatError for truncated data.
    """
    magic, version, length, *rest = header(data, layout, uri)
    if version != 1:
        raise broken(uri, f"{magic.decode('ascii', 'replace')} version {version}")
    if length > len(data):
        raise broken(uri, f"{len(data)} of {length} bytes")
    start = struct.calcsize(layout)
    pieces = []
    for size in rest[:4]:
        if start + size > length:
            raise broken(uri, "tables longer than the tile")
        pieces.append(data[start : start + size])
        start += size
    return tuple(rest), pieces, data[start:length]


def header(data: bytes, layout: str, uri: str) -> tuple[Any, ...]:
    """The fields of a fixed header; raises FormatError when the data is shorter."""
    if len(data) < struct.calcsize(layout):
        raise broken(uri, f"{len(data)} bytes, less than a header")
    return struct.unpack_from(layout, data)


def parse_json(data: bytes, uri: str) -> dict[str, Any]:
    """The JSON object in padded UTF-8 bytes, {} for nothing; raises FormatError."""
    try:
        value = json.loads(data.rstrip(b"\x00 ").decode("utf-8-sig") or "{}")
    except (ValueError, RecursionError) as error:
        raise broken(uri, f"JSON that cannot be parsed ({str(error)[:60]})") from None
    if not isinstance(value, dict):
        raise broken(uri, "JSON that is no object")
    return value


def broken(uri: str, what: str) -> FormatError:
    """The error for damaged tile content."""
    return FormatError("whole tile content", f"'{uri}' with {what}", "exporting or fetching the tile again")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300
