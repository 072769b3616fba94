"""Loads every tileset below a folder and says what came of it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from citysim.build.placing import place_tileset
from citysim.errors import CitySimError, FormatError
from citysim.geo.archive import ARCHIVES
from citysim.geo.content.container import unpack
from citysim.geo.content.images import load_texture
from citysim.geo.content.meshes import decode_meshes
from citysim.geo.content.notices import Notices
from citysim.geo.store import FolderSource, TileSource
from citysim.geo.tileset import Tileset, read_tileset


@dataclass(slots=True)
class Row:
    """What came of one tileset."""

    name: str
    tiles: int = 0
    triangles: int = 0
    textures: int = 0
    notices: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    refused: str = ""

    @property
    def state(self) -> str:
        return "refused" if self.refused else "in part" if self.faults else "yes"


def tops(root: Path) -> Iterator[Path]:
    """Every document or archive that could be the top of a tileset."""
    for path in sorted(root.rglob("*")):
        if path.suffix[1:] in ARCHIVES:
            yield path
        elif path.suffix == ".json" and path.is_file():
            text = path.read_bytes()
            if (b'"root"' in text and b'"asset"' in text) or "tileset" in path.name.lower():
                yield path


def survey(root: Path, path: Path) -> Row:
    """Read, decode and count one tileset; it may refer to anything below `root`."""
    name = path.relative_to(root).as_posix()
    row = Row(name)
    try:
        packed = ARCHIVES.get(path.suffix[1:])
        source: TileSource = FolderSource(root) if packed is None else packed(path)
        tree = read_tileset(source, name if packed is None else "tileset.json", allow_missing=True)
        to_local = _to_local(source, tree)
    except CitySimError as error:
        row.refused = said(error, root)
        return row
    notices = Notices()
    row.tiles = len(tree.tiles)
    row.faults += [_relative(reason, root) for _, reason in tree.faults]
    keys: dict[str, None] = {}
    for node in tree.tiles:
        for uri in node.uris:
            try:
                meshes = decode_meshes(source, uri, to_local @ node.matrix, node.up_axis, notices)
            except CitySimError as error:
                row.faults.append(said(error, root))
                continue
            row.triangles += sum(len(mesh.faces) for mesh in meshes)
            keys |= dict.fromkeys(m.metadata["surface"].texture for m in meshes if m.metadata["surface"].texture)
    for key in keys:
        try:
            load_texture(source, key)
            row.textures += 1
        except CitySimError as error:
            row.faults.append(said(error, root))
    row.notices = [_relative(notice, root) for notice in notices]
    return row


def said(error: CitySimError, root: Path) -> str:
    """What an error says, without folders of this machine."""
    return _relative(f"expected {error.expected}, found {error.found}", root)


def _to_local(source: TileSource, tree: Tileset) -> NDArray[np.float64]:
    try:
        placing = place_tileset(_Tolerant(source), tree)
    except FormatError:  # no content
        return np.eye(4)
    return placing.frame.inverse if placing.placement is None else placing.placement


class _Tolerant:
    """A source that gives empty contents for what cannot be read."""

    def __init__(self, inner: TileSource) -> None:
        self.inner = inner

    def read(self, uri: str) -> bytes:
        try:
            data = self.inner.read(uri)
            unpack(data, uri)
            return data
        except CitySimError:
            return b""


def _relative(text: str, root: Path) -> str:
    for folder in (root.resolve(), root):
        text = text.replace(f"{folder}/", "").replace(str(folder), ".")
    return text
