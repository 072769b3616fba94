"""city.json and digests.json: what a package says about itself, and whether it is true."""

import hashlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from citysim import storage
from citysim.city.checks import are, is_number, is_text, is_whole, strict_json
from citysim.errors import FormatError, InputError, StorageError
from citysim.geo.frames import LocalFrame
from citysim.storage import canonical_json, sha256_hex

SCHEMA = "citysim.city/1"
DIGESTS = "digests.json"
MAX_OFFSET_H = 24.0
DAMAGED = "building or importing the package again"


@dataclass(frozen=True, slots=True)
class Manifest:
    """A parsed city.json (`data`, all keys) with its digests.

    `content` holds the digest of every tile's geometry, of network, places and objects, and the frame; `appearance`
    that of every texture and of the materials; `files` the SHA-256 of every file of the package but city.json and
    digests.json. Their canonical JSON hashes to `content_sha256` and `appearance_sha256`.
    """

    root: Path
    data: Mapping[str, Any]
    frame: LocalFrame
    content: Mapping[str, Any]
    appearance: Mapping[str, Any]
    files: Mapping[str, str]

    def path(self, name: str) -> Path:
        """Absolute path of the part of the package named by a key of city.json, such as "network"."""
        return self.root / str(self.data[name])


def read_manifest(root: Path) -> Manifest:
    """Read and check the outline of a package; raises StorageError or FormatError."""
    if not root.is_dir():
        found = "a file" if root.exists() else "nothing there"
        raise StorageError(f"a city package at '{root}'", found, "citysim city build or import-osm with -o")
    data = _json(root, "city.json")
    if data.get("schema") != SCHEMA:
        raise FormatError(f"schema {SCHEMA!r} in '{root}/city.json'", repr(data.get("schema"))[:60], DAMAGED)
    digests = _json(root, DIGESTS)
    parts = [digests.get(name) for name in ("content", "appearance", "files")]
    if not all(isinstance(part, dict) for part in parts):
        raise FormatError(f"content, appearance and files in '{root}/{DIGESTS}'", "something else", DAMAGED)
    _check_outline(root, data)
    origin = data["origin"]
    try:
        frame = LocalFrame(float(origin["lon"]), float(origin["lat"]), float(origin["height"]))
    except InputError as error:
        raise FormatError(f"{error.expected} in '{root}/city.json'", error.found, DAMAGED) from None
    return Manifest(root, data, frame, *(part for part in parts if isinstance(part, dict)))


def verify(manifest: Manifest, *, thorough: bool = False) -> None:
    """Check the hashes of a package.

    The digests must hash to what city.json says, and every file to its digest. Hashing all files is done once: a
    stamp in the cache remembers sizes and time stamps, and `thorough` ignores it. Raises FormatError naming what does
    not agree and StorageError for missing files.
    """
    root = manifest.root
    for name, part in (("content_sha256", manifest.content), ("appearance_sha256", manifest.appearance)):
        stated, real = str(manifest.data[name]), sha256_hex(canonical_json(part))
        if stated != real:
            raise FormatError(f"{name} {real[:12]}… in '{root}/city.json'", f"{stated[:12]}…", DAMAGED)
    if manifest.content.get("frame") != frame_digest(manifest.frame):
        raise FormatError(f"the origin that '{root}/{DIGESTS}' was made for", "another one in city.json", DAMAGED)
    seen: list[object] = []
    for name in sorted(manifest.files):
        try:
            status = os.stat(root / _inside(name, root))
        except OSError as error:
            reason = error.strerror or "an error"
            raise StorageError(f"the package file '{name}' in '{root}'", reason, DAMAGED) from None
        seen.append([name, status.st_size, status.st_mtime_ns, status.st_ino, manifest.files[name]])
    stamp = storage.cache_dir() / "verified" / sha256_hex(canonical_json([str(root.resolve()), seen]))
    if not thorough and stamp.exists():
        return
    for name in sorted(manifest.files):
        if file_digest(root / name) != manifest.files[name]:
            raise FormatError(f"'{name}' in '{root}' with its recorded hash", "other contents", DAMAGED)
    try:
        storage.write_atomic(stamp, "")
    except StorageError:
        return  # an unwritable cache only means hashing again next time


def file_digest(path: Path) -> str:
    """SHA-256 of a file; raises StorageError when it cannot be read."""
    try:
        with path.open("rb") as handle:
            return hashlib.file_digest(handle, "sha256").hexdigest()
    except OSError as error:
        raise StorageError(f"a readable file '{path}'", error.strerror or "an error", DAMAGED) from None


def frame_digest(frame: LocalFrame) -> list[str]:
    """The origin as exact text, for the content digest."""
    return [float(value).hex() for value in (frame.lon, frame.lat, frame.height)]


def _check_outline(root: Path, data: Mapping[str, Any]) -> None:
    for key in ("name", "title", "tileset", "network", "places", "objects", "content_sha256", "appearance_sha256"):
        if not is_text(data.get(key)) or not data[key]:
            raise FormatError(f"a text under {key!r} in '{root}/city.json'", repr(data.get(key))[:60], DAMAGED)
    for key in ("tileset", "network", "places", "objects"):
        _inside(data[key], root)
    for key, (check, word) in _VALUES.items():
        value = data.get(key)
        if not check(value) and (value is not None or key in _NEEDED):
            raise FormatError(f"{word} under {key!r} in '{root}/city.json'", f"{value!r:.60}", DAMAGED)


def _is_box(value: Any) -> bool:
    return are(is_number, value, 4) and value[0] <= value[2] and value[1] <= value[3]


def _is_origin(value: Any) -> bool:
    return isinstance(value, dict) and all(is_number(value.get(key)) for key in ("lon", "lat", "height"))


def _is_offset(value: Any) -> bool:
    return is_number(value) and abs(value) <= MAX_OFFSET_H


def _is_table(value: Any) -> bool:
    return isinstance(value, dict) and all(map(is_whole, value.values()))


_NEEDED = ("bounds_m", "origin")
_VALUES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "bounds_m": (_is_box, "west, south, east and north"),
    "origin": (_is_origin, "lon, lat and height"),
    "utc_offset_h": (_is_offset, f"hours within {MAX_OFFSET_H:g}"),
    "height_offset_m": (is_number, "a number"),
    "placement": (lambda value: are(is_number, value, 16), "16 numbers"),
    "missing": (lambda value: are(is_text, value), "a list of texts"),
    "warnings": (lambda value: are(is_text, value), "a list of texts"),
    "label_bases": (_is_table, "whole numbers by name"),
    "faults": (lambda value: isinstance(value, dict), "faults by name"),
    **dict.fromkeys(("source", "licence", "attribution", "placement_note"), (is_text, "a text")),
}
"""Key of city.json -> what it must hold where it is there (those of `_NEEDED` must be). Other keys are free."""


def _inside(name: str, root: Path) -> str:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or "\x00" in name:
        raise FormatError(f"files inside '{root}'", repr(name)[:80], DAMAGED)
    return name


def _json(root: Path, name: str) -> dict[str, Any]:
    path = root / name
    try:
        value = strict_json(path.read_bytes())
    except OSError as error:
        raise StorageError(f"a city package with '{path}'", error.strerror or "an error", DAMAGED) from None
    except ValueError as error:
        raise FormatError(f"JSON in '{path}'", str(error)[:80], DAMAGED) from None
    if not isinstance(value, dict):
        raise FormatError(f"a JSON object in '{path}'", f"{value!r:.40}", DAMAGED)
    return value
