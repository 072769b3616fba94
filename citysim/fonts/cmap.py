"""Which characters a font file has, read from its `cmap` table (OpenType specification, formats 4 and 12)."""

import struct

from citysim.errors import FormatError


def characters(data: bytes) -> frozenset[int]:
    """Code points with a glyph of their own in a TrueType or OpenType file; raises FormatError on anything else."""
    try:
        count = struct.unpack_from(">H", data, 4)[0]
        records = [struct.unpack_from(">4sIII", data, 12 + 16 * i) for i in range(count)]
        start = next(offset for tag, _, offset, _ in records if tag == b"cmap")
        found: set[int] = set()
        for i in range(struct.unpack_from(">H", data, start + 2)[0]):
            _, _, offset = struct.unpack_from(">HHI", data, start + 4 + 8 * i)
            form = struct.unpack_from(">H", data, start + offset)[0]
            if form == 4:
                found |= _segments(data, start + offset)
            elif form == 12:
                found |= _groups(data, start + offset)
    except (struct.error, StopIteration) as error:
        raise FormatError(
            "a TrueType font with a cmap table", "other bytes", "reinstalling the font package"
        ) from error
    return frozenset(found)


def _segments(data: bytes, at: int) -> set[int]:
    """Format 4: segments of 16-bit codes."""
    n = struct.unpack_from(">H", data, at + 6)[0] // 2
    ends = struct.unpack_from(f">{n}H", data, at + 14)
    starts = struct.unpack_from(f">{n}H", data, at + 16 + 2 * n)
    deltas = struct.unpack_from(f">{n}H", data, at + 16 + 4 * n)
    ranges = at + 16 + 6 * n
    offsets = struct.unpack_from(f">{n}H", data, ranges)
    found: set[int] = set()
    for i, (first, last, delta, offset) in enumerate(zip(starts, ends, deltas, offsets, strict=True)):
        for code in range(first, min(last, 0xFFFE) + 1):
            glyph = code
            if offset:
                glyph = struct.unpack_from(">H", data, ranges + 2 * i + offset + 2 * (code - first))[0]
                if glyph == 0:
                    continue
            if (glyph + delta) & 0xFFFF:
                found.add(code)
    return found


def _groups(data: bytes, at: int) -> set[int]:
    """Format 12: groups of 32-bit codes."""
    found: set[int] = set()
    for i in range(struct.unpack_from(">I", data, at + 12)[0]):
        first, last, glyph = struct.unpack_from(">III", data, at + 16 + 12 * i)
        found.update(range(first + (glyph == 0), last + 1))
    return found
