"""Part: the beginning of a body that was cut off, so that the rest can be asked for."""

import contextlib
import json
from pathlib import Path
from typing import BinaryIO

WORTH = 1 << 20  # bytes from which on a part is kept on disk


class Part:
    """Bytes of one resource so far, and the validator (a strong ETag, else Last-Modified) that they belong to.

    With a `path` a part of some size outlives the process; without, it serves the next try. A part that cannot be
    written is only kept in memory, one that cannot be read counts as none.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self.validator, self.data = "", bytearray()
        self._file: BinaryIO | None = None
        if path is not None and path.is_file():
            with contextlib.suppress(OSError, ValueError, TypeError):
                head, _, body = path.read_bytes().partition(b"\n")
                self.validator, self.data = str(json.loads(head)), bytearray(body)

    def begin(self, validator: str) -> None:
        """Start anew for a body of this validator; "" for one that cannot be gone on with."""
        self.drop()
        self.validator = validator

    def add(self, piece: bytes) -> None:
        """Append what has come."""
        self.data += piece
        if self.path is None or not self.validator or len(self.data) < WORTH:
            return
        with contextlib.suppress(OSError):
            if self._file is None:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._file = self.path.open("wb", buffering=0)
                self._file.write(json.dumps(self.validator).encode() + b"\n" + self.data)
            else:
                self._file.write(piece)

    def drop(self) -> None:
        """Forget everything."""
        self.close()
        self.validator, self.data = "", bytearray()
        if self.path is not None:
            with contextlib.suppress(OSError):
                self.path.unlink()

    def close(self) -> None:
        """Leave the file as it is."""
        if self._file is not None:
            self._file.close()
            self._file = None
