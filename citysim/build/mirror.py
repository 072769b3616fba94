"""Copies a tileset into a folder as it is: documents, contents, and what the contents refer to."""

import json
import posixpath
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import numpy as np
from numpy.typing import NDArray

from citysim.errors import FormatError, StorageError
from citysim.geo import uris
from citysim.geo.content.container import unpack
from citysim.geo.store import TileSource, fetch, inflate
from citysim.geo.tileset import (
    MAX_EXTERNAL_DEPTH,
    content_reference,
    contents_of,
    is_external,
    matrix_of,
    parse_document,
)
from citysim.storage import canonical_json, sha256_hex

Keep = Callable[[dict[str, Any], NDArray[np.float64]], bool]
_STEP = tuple[int, ...]  # a tile's place in its document: child numbers from the root


@dataclass(slots=True)
class Mirrored:
    """What a mirror holds: the top document's name in it, and names of contents that the source lacked."""

    tileset: str
    missing: list[str] = field(default_factory=list)
    contents: int = 0


class Mirror:
    """Copies one tileset; documents stay byte for byte what they are unless tiles are left out or URLs must change."""

    def __init__(self, source: TileSource, top: str, target: Path, *, keep: Keep | None, allow_missing: bool) -> None:
        self.source, self.top, self.target = source, top, target
        self.keep, self.allow_missing = keep, allow_missing
        self.base = top.partition("?")[0].rpartition("/")[0] + "/" if uris.is_url(top) else ""
        self._names: dict[str, str] = {}  # URI -> name in the mirror
        self._taken: dict[str, str] = {}  # the reverse
        self._raw: dict[str, bytes] = {}  # documents
        self._kept: dict[str, set[_STEP]] = {}
        self._contents: dict[str, None] = {}
        self.result = Mirrored(self.name_of(top))

    def run(self) -> Mirrored:
        """Copy everything; raises StorageError for what is missing, FormatError for what cannot be understood."""
        self._survey(self.top, np.eye(4), ())
        for uri in self._raw:
            self.name_of(uri)  # before any document is written: they refer to each other
        for uri in self._contents:
            self._copy_content(uri)
        for uri in self._raw:
            self._write(self.name_of(uri), self._document(uri))
        self.result.contents = len(self._contents)
        return self.result

    def name_of(self, uri: str) -> str:
        """Slash-separated path of a URI in the mirror: as in the source where that is possible and unique."""
        if uri not in self._names:
            name = _local_name(uri, self.base) if uris.is_url(uri) else uri
            if not name or name in self._taken:  # the same path with another query, or no path to speak of
                name = f"elsewhere/{sha256_hex(uri)[:12]}/{posixpath.basename(name) or 'data'}"
            self._names[uri], self._taken[name] = name, uri
        return self._names[uri]

    def _survey(self, uri: str, matrix: NDArray[np.float64], chain: tuple[str, ...]) -> None:
        """Read a document and all below it; note which tiles and contents are wanted."""
        if uri in chain or len(chain) >= MAX_EXTERNAL_DEPTH:
            raise FormatError("external tilesets without cycles", f"'{uri}' below itself", "removing the link")
        if uri not in self._raw:
            self._raw[uri] = fetch(self.source, uri)
        root = parse_document(self._raw[uri], uri)["root"]
        kept = self._kept.setdefault(uri, set())
        stack: list[tuple[Any, NDArray[np.float64], _STEP]] = [(root, matrix, ())]
        while stack:
            tile, above, step = stack.pop()
            if not isinstance(tile, dict):
                continue
            here = above @ matrix_of(tile.get("transform"), uri)
            volume = tile.get("boundingVolume")
            wanted = self.keep is None or not isinstance(volume, dict) or self.keep(volume, here)
            if not wanted:
                continue
            kept.add(step)
            for content in contents_of(tile):
                reference = content_reference(content)
                if reference is not None:
                    self._reference(uris.join(uri, reference), here, (*chain, uri))
            children = tile.get("children")
            for number, child in enumerate(children if isinstance(children, list) else []):
                stack.append((child, here, (*step, number)))

    def _reference(self, uri: str, matrix: NDArray[np.float64], chain: tuple[str, ...]) -> None:
        if uri.startswith("data:") or uri in self._contents:
            return
        try:
            data = (
                None if uri in self._raw or uris.extension(uri) in ("b3dm", "glb", "gltf") else fetch(self.source, uri)
            )
        except StorageError:
            if not self.allow_missing:
                raise
            self.result.missing.append(self.name_of(uri))
            return
        if uri in self._raw or (data is not None and is_external(uri, data)):
            self._survey(uri, matrix, chain)
        else:
            self._contents[uri] = None

    def _copy_content(self, uri: str) -> None:
        try:
            raw = self.source.read(uri)
        except StorageError:
            if not self.allow_missing:
                raise
            self.result.missing.append(self.name_of(uri))
            return
        self._write(self.name_of(uri), raw)
        for payload in unpack(inflate(raw, uri) if raw[:2] == b"\x1f\x8b" else raw, uri):
            for collection in ("buffers", "images"):
                entries = payload.gltf.get(collection)
                for entry in entries if isinstance(entries, list) else []:
                    reference = entry.get("uri") if isinstance(entry, dict) else None
                    if isinstance(reference, str) and not reference.startswith("data:"):
                        self._copy_resource(uri, reference)

    def _copy_resource(self, content: str, reference: str) -> None:
        """A buffer or image beside a content; the content stays unchanged, so its reference must fit the mirror."""
        uri = uris.join(content, reference)
        known = uri in self._names
        name = self.name_of(uri)
        fits = not uris.is_url(reference) and uris.join(self.name_of(content), reference) == name
        if not fits:
            raise FormatError(
                "contents that refer to files beside them",
                f"'{reference[:80]}' in '{content}'",
                "a local copy of the tileset",
            )
        if not known:
            self._write(name, self.source.read(uri))

    def _document(self, uri: str) -> bytes:
        """The document's bytes for the mirror: the original ones whenever they can stay."""
        document = json.loads(self._raw[uri].decode("utf-8-sig"))
        if () not in self._kept[uri]:  # nothing of it is wanted, but something refers to it
            bare = {
                key: document["root"][key]
                for key in ("boundingVolume", "geometricError", "refine")
                if key in document["root"]
            }
            return canonical_json({**document, "root": bare}).encode()
        changed = self._prune(document["root"], uri, ())
        return canonical_json(document).encode() if changed else self._raw[uri]

    def _prune(self, tile: dict[str, Any], uri: str, step: _STEP) -> bool:
        changed = False
        here = self.name_of(uri)
        stack = [(tile, step)]
        while stack:
            tile, step = stack.pop()
            for content in contents_of(tile):
                reference = content_reference(content)
                resolved = None if reference is None else uris.join(uri, reference)
                if reference is None or resolved is None or resolved.startswith("data:") or resolved not in self._names:
                    continue
                name = self.name_of(resolved)
                if uris.is_url(reference) or reference.startswith("/") or uris.join(here, reference) != name:
                    content.pop("url", None)
                    content["uri"] = posixpath.relpath(name, posixpath.dirname(here) or ".").replace("%", "%25")
                    changed = True
            children = tile.get("children")
            if isinstance(children, list):
                left = [(child, (*step, n)) for n, child in enumerate(children) if (*step, n) in self._kept[uri]]
                if len(left) != len(children):
                    tile["children"], changed = [child for child, _ in left], True
                stack += left
        return changed

    def _write(self, name: str, data: bytes) -> None:
        path = self.target / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def _local_name(url: str, base: str) -> str:
    """Path in the mirror for a URL: relative to the top document's folder, else by host; "" when it has none."""
    parts, plain = urlsplit(url), url.partition("?")[0]
    below = plain.startswith(base)
    name = unquote(plain[len(base) :] if below else f"elsewhere/{parts.hostname}{parts.path}")
    odd = "\x00" in name or "\\" in name or any(piece in ("", ".", "..") for piece in name.split("/"))
    return "" if odd else name
