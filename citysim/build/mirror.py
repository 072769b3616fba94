"""Copies a tileset into a folder as it is: documents, contents, and what the contents refer to."""

import json
import posixpath
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable
from urllib.parse import unquote, urlsplit

import numpy as np
from numpy.typing import NDArray

from citysim.errors import CitySimError, FormatError
from citysim.geo import uris
from citysim.geo.content.container import unpack
from citysim.geo.content.glb import read_gltf
from citysim.geo.content.references import copyrights, references
from citysim.geo.implicit import explicit_tile, implicit_tiling
from citysim.geo.store import TileSource, fetch, inflate
from citysim.geo.tilejson import (
    content_reference,
    contents_of,
    external_uri,
    is_content,
    is_external,
    matrix_of,
    parse_document,
    parse_object,
)
from citysim.geo.tileset import MAX_EXTERNAL_DEPTH
from citysim.geo.volumes import bounding_sphere
from citysim.storage import canonical_json, sha256_hex

Keep = Callable[[dict[str, Any], NDArray[np.float64]], bool]
_STEP = tuple[int, ...]  # a tile's place in its document: child numbers from the root
MAX_VISITS = 2_000_000  # tiles looked at, those of a document that is named twice counted twice
MAX_REPEATS = 10_000  # documents looked at again: tilesets that name each other twice would double at every level


@runtime_checkable
class Warm(Protocol):
    """A source that can read ahead."""

    def warm(self, wanted: Iterable[str]) -> None:
        """Make `read` of these URIs quick; failures are left to `read`."""


@dataclass(slots=True)
class Mirrored:
    """What a mirror holds: the top document's name in it, the number of its contents, and what could not be copied.

    `faults` gives, by name in the mirror, the reason; each name appears once however often it is referred to.
    `credits` counts how many contents name whom in `asset.copyright`.
    """

    tileset: str
    contents: int = 0
    credits: Counter[str] = field(default_factory=Counter)
    faults: dict[str, str] = field(default_factory=dict)

    @property
    def missing(self) -> list[str]:
        """Names that something in the mirror may refer to and that are not there."""
        return list(self.faults)


class Mirror:
    """Copies one tileset.

    Documents stay byte for byte what they are unless tiles are left out, URLs must change, or tiles are implicit:
    these are written out, so that no subtree is needed any more.
    """

    def __init__(self, source: TileSource, top: str, target: Path, *, keep: Keep | None, allow_missing: bool) -> None:
        self.source, self.top, self.target = source, top, target
        self.keep, self.allow_missing = keep, allow_missing
        self.base = top.partition("?")[0].rpartition("/")[0] + "/" if uris.is_url(top) else ""
        self._names: dict[str, str] = {}  # URI -> name in the mirror
        self._taken: dict[str, str] = {}  # the reverse
        self._raw: dict[str, bytes] = {}  # documents
        self._explicit: dict[str, dict[str, Any]] = {}  # documents whose implicit tiles were written out
        self._kept: dict[str, set[_STEP]] = {}
        self._contents: dict[str, None] = {}
        self._refused: set[tuple[str, str]] = set()  # document, reference: tilesets that must not be followed
        self._visits = self._repeats = 0
        self.result = Mirrored(self.name_of(top))

    def run(self) -> Mirrored:
        """Copy everything; raises StorageError for what is missing, FormatError for what cannot be understood."""
        self._survey(self.top, np.eye(4), ())
        for uri in self._raw:
            self.name_of(uri)  # before any document is written: they refer to each other
        self._warm(self._contents)
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
        self._repeats += uri in self._raw
        if self._repeats > MAX_REPEATS:
            raise FormatError(f"documents named again at most {MAX_REPEATS} times", f"'{uri}'", "a sound tileset")
        data = self._raw[uri] if uri in self._raw else fetch(self.source, uri)
        document = self._explicit.get(uri) or parse_document(data, uri)
        root = document["root"]
        self._raw[uri] = data
        kept = self._kept.setdefault(uri, set())
        found: list[tuple[str, NDArray[np.float64]]] = []
        stack: list[tuple[Any, NDArray[np.float64], _STEP]] = [(root, matrix, ())]
        while stack:
            tile, above, step = stack.pop()
            self._visits += 1
            if self._visits > MAX_VISITS:
                raise FormatError(f"at most {MAX_VISITS} tiles", f"more below '{self.top}'", "a smaller --bbox")
            try:
                here = _sound(tile, above, uri)
                if implicit_tiling(tile) is not None:
                    self._write_out(tile, document, uri)
                wanted = self.keep is None or self.keep(tile["boundingVolume"], here)
            except CitySimError as error:
                self._fault(f"{uri}#{'/'.join(map(str, step)) or 'root'}", error)
                continue
            if not wanted:
                continue
            kept.add(step)
            for content in contents_of(tile):
                reference = content_reference(content)
                if reference is None:
                    continue
                try:
                    found.append((external_uri(uris.join(uri, reference)), here))
                except CitySimError as error:
                    self._fault(f"{uri}#{reference}", error)
                    self._refused.add((uri, reference))
            children = tile.get("children")
            for number, child in enumerate(children if isinstance(children, list) else []):
                stack.append((child, here, (*step, number)))
        self._warm(other for other, _ in found if not is_content(other))
        for other, here in found:
            try:
                self._reference(other, here, (*chain, uri))
            except CitySimError as error:
                self._fault(other, error)
                self._refused.add((uri, other))

    def _reference(self, uri: str, matrix: NDArray[np.float64], chain: tuple[str, ...]) -> None:
        """Follow what a tile refers to: another tileset, else a content."""
        if uri.startswith("data:") or uri in self._contents:
            return
        data = None if uri in self._raw or is_content(uri) else fetch(self.source, uri)
        if uri in self._raw or (data is not None and is_external(uri, data)):
            self._survey(uri, matrix, chain)
        else:
            self._contents[uri] = None

    def _write_out(self, tile: dict[str, Any], document: dict[str, Any], uri: str) -> None:
        """Put explicit tiles in the place of an implicit one."""
        schema, reference = document.get("schema"), document.get("schemaUri")
        if not isinstance(schema, dict) and isinstance(reference, str):
            schema = parse_object(fetch(self.source, uris.join(uri, reference)), reference)
        lost: dict[str, CitySimError] | None = {} if self.allow_missing else None
        explicit = explicit_tile(tile, uri, lambda other: fetch(self.source, other), schema or {}, lost)
        for other, error in (lost or {}).items():
            self._fault(other, error)
        tile.clear()
        tile.update(explicit)
        self._explicit[uri] = document

    def _fault(self, uri: str, error: CitySimError) -> None:
        """Note what could not be copied, or give up when nothing may be missing."""
        expected, found, advice = map(uris.without_queries, (error.expected, error.found, error.advice))
        if not self.allow_missing:
            raise type(error)(expected, found, advice) from None
        document, mark, place = uri.partition("#")
        name = self.name_of(document) + mark + uris.plain(place).partition("?")[0]
        self.result.faults.setdefault(name, f"expected {expected}, found {found}")

    def _warm(self, wanted: Iterable[str]) -> None:
        if isinstance(self.source, Warm):
            self.source.warm([uri for uri in wanted if not uri.startswith("data:") and uri not in self._raw])

    def _copy_content(self, uri: str) -> None:
        try:
            raw = self.source.read(uri)
            payloads = unpack(inflate(raw, uri) if raw[:2] == b"\x1f\x8b" else raw, uri)
        except CitySimError as error:
            self._fault(uri, error)
            return
        self._write(self.name_of(uri), raw)
        self.result.credits.update({name for payload in payloads for name in copyrights(payload.gltf)})
        for payload in payloads:
            for reference in references(payload):
                self._copy_resource(uri, reference)
            if payload.reference:  # the model of an i3dm may refer to more
                self._copy_model(uri, payload.reference)

    def _copy_model(self, content: str, reference: str) -> None:
        try:
            uri = uris.join(content, reference)
            for other in references(read_gltf(fetch(self.source, uri), uri)):
                self._copy_resource(uri, other)
        except CitySimError as error:
            self._fault(content, error)

    def _copy_resource(self, content: str, reference: str) -> None:
        """A buffer or image beside a content; the content stays unchanged, so its reference must fit the mirror."""
        uri = content
        try:
            uri = uris.join(content, reference)
            known = uri in self._names
            name = self.name_of(uri)
            if uris.is_url(reference) or uris.join(self.name_of(content), reference) != name:
                raise FormatError(
                    "contents that refer to files beside them",
                    f"'{reference[:80]}' in '{content}'",
                    "a local copy of the tileset",
                )
            if not known:
                self._write(name, self.source.read(uri))
        except CitySimError as error:
            self._fault(uri, error)

    def _document(self, uri: str) -> bytes:
        """The document's bytes for the mirror: the original ones whenever they can stay."""
        document = self._explicit.get(uri) or json.loads(self._raw[uri].decode("utf-8-sig"))
        if () not in self._kept[uri]:  # nothing of it is wanted, but something refers to it
            bare = {
                key: document["root"][key]
                for key in ("boundingVolume", "geometricError", "refine")
                if key in document["root"]
            }
            return canonical_json({**document, "root": bare}).encode()
        changed = self._prune(document["root"], uri, ()) or uri in self._explicit
        return canonical_json(document).encode() if changed else self._raw[uri]

    def _prune(self, tile: dict[str, Any], uri: str, step: _STEP) -> bool:
        changed = False
        here = self.name_of(uri)
        stack = [(tile, step)]
        while stack:
            tile, step = stack.pop()
            for content in contents_of(tile):
                reference = content_reference(content)
                if reference is None:
                    continue
                resolved = "" if (uri, reference) in self._refused else external_uri(uris.join(uri, reference))
                if not resolved or (uri, resolved) in self._refused:
                    content.clear()  # nothing to load, and nothing to follow
                    changed = True
                    continue
                if resolved.startswith("data:") or resolved not in self._names:
                    continue
                name = self.name_of(resolved)
                if (
                    uris.is_url(reference)
                    or reference.startswith("/")
                    or external_uri(uris.join(here, reference)) != name
                ):
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


def _sound(tile: Any, above: NDArray[np.float64], uri: str) -> NDArray[np.float64]:
    """(4, 4) of a tile that can be placed; raises FormatError for one that cannot."""
    volume = tile.get("boundingVolume") if isinstance(tile, dict) else None
    if not isinstance(volume, dict):
        raise FormatError("tiles with a boundingVolume", f"{tile!r:.40} in '{uri}'", "exporting the tileset again")
    matrix = above @ matrix_of(tile.get("transform"), uri)
    bounding_sphere(volume, matrix, np.eye(4))
    return matrix


def _local_name(url: str, base: str) -> str:
    """Path in the mirror for a URL: relative to the top document's folder, else by host; "" when it has none."""
    parts, plain = urlsplit(url), url.partition("?")[0]
    below = plain.startswith(base)
    name = unquote(plain[len(base) :] if below else f"elsewhere/{parts.hostname}{parts.path}")
    odd = "\x00" in name or "\\" in name or any(piece in ("", ".", "..") for piece in name.split("/"))
    return "" if odd else name
