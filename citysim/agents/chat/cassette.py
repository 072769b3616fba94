"""Cassette: answers of a model in a file, found again by the hash of the request."""

import json
import os
from pathlib import Path
from typing import Any

from citysim.city.checks import strict_json
from citysim.errors import FormatError, InputError, StorageError
from citysim.storage import unwritable

SCHEMA = "citysim.cassette/1"


class Cassette:
    """JSON lines `{"schema", "key", "about", "response"}`; the first line of a key counts.

    Neither requests nor headers are stored, so that no key and no picture is. Several processes may record in one file:
    a line is one write.
    """

    def __init__(self, path: Path, mode: str) -> None:
        """`mode` "record" or "replay"; raises StorageError, or FormatError for a damaged file."""
        self.path, self.mode = path, mode
        self._known: dict[str, dict[str, Any]] = {}
        self._torn = False  # whether the last line lacks its end: its recording was killed
        if mode == "replay" and not path.is_file():
            raise StorageError("a recorded cassette", f"none at '{path}'", "--cassette-mode record first")
        if path.exists():
            self._read()

    def find(self, key: str, about: str) -> dict[str, Any] | None:
        """The answer to a request, None for a new one while recording; raises InputError for a miss in replay."""
        found = self._known.get(key)
        if found is None and self.mode == "replay":
            advice = "recording it again: prompts, pictures, options and the model's name must be those of then"
            raise InputError(f"request {key[:16]} ({about}) in cassette '{self.path.name}'", "no such request", advice)
        return found

    def keep(self, key: str, about: str, response: dict[str, Any]) -> None:
        """Write down an answer; raises StorageError."""
        self._known[key] = response
        line = {"schema": SCHEMA, "key": key, "about": about, "response": response}
        data = (json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n").encode("utf-8", "replace")
        data, self._torn = (b"\n" + data if self._torn else data), False
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
            try:
                os.write(handle, data)
            finally:
                os.close(handle)
        except OSError as error:
            raise unwritable(self.path, error) from None

    def _read(self) -> None:
        try:
            text = self.path.read_text(encoding="utf-8", errors="replace")
        except OSError as error:
            raise StorageError(
                "a readable cassette", f"'{self.path.name}' ({error.strerror})", "another file"
            ) from None
        self._torn = bool(text) and not text.endswith("\n")
        for number, part in enumerate(text.split("\n"), 1):
            try:
                line = strict_json(part)
            except ValueError:  # empty, or torn by a kill: if it is needed, the miss will be named
                continue
            if not isinstance(line, dict) or line.get("schema") != SCHEMA or not isinstance(line.get("response"), dict):
                found = f"another line {number} in '{self.path.name}'"
                raise FormatError(f"lines of schema {SCHEMA}", found, "the file of --cassette-mode record")
            self._known.setdefault(str(line.get("key")), line["response"])
