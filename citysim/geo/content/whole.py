"""A tile's content with its pictures: geometry and textures are decoded side by side."""

from collections import deque
from collections.abc import Container
from threading import Event
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from citysim.errors import CitySimError
from citysim.geo.content.aside import Aside
from citysim.geo.content.document import Document, documents
from citysim.geo.content.images import load_image, load_texture
from citysim.geo.content.meshes import document_surfaces, meshes_of
from citysim.geo.content.notices import Notices
from citysim.geo.store import TileSource

if TYPE_CHECKING:
    import trimesh

HEAD_START_S = 0.001
HELPED = 1 << 14  # bytes of pictures that are worth a thread


class Content(NamedTuple):
    """Meshes as `decode_meshes` gives them, textures by key, and by key the error of those that have none."""

    meshes: "list[trimesh.Trimesh]"
    textures: dict[str, NDArray[np.uint8]]
    faults: dict[str, CitySimError]


def decode_content(
    source: TileSource,
    uri: str,
    tile_to_local: NDArray[np.float64],
    up_axis: str = "Y",
    notices: Notices | None = None,
    *,
    known: Container[str] = (),
) -> Content:
    """Decode one content with every texture that its surfaces show, less those whose keys are in `known`.

    Picture decoders run without Python's lock, so that geometry is decoded meanwhile; the arrays are the same whatever
    finishes first.
    Raises as `decode_meshes` does; a texture that cannot be had is among `faults`.
    """
    notices = Notices() if notices is None else notices
    parts = list(documents(source, uri, notices))
    wanted: dict[str, Document | None] = {}
    for part in parts:
        embedded = f"{part.key}#"
        for surface in document_surfaces(part):
            if surface.texture and surface.texture not in known:
                wanted.setdefault(surface.texture, part if surface.texture.startswith(embedded) else None)
    todo, found, faults = deque(wanted), dict[str, NDArray[np.uint8]](), dict[str, CitySimError]()
    begun = Event()

    def work() -> None:
        while True:
            begun.set()
            try:
                key = todo.popleft()
            except IndexError:
                return
            part = wanted[key]
            try:
                found[key] = (
                    load_texture(source, key) if part is None else load_image(part, int(key.rpartition("#")[2]), key)
                )
            except CitySimError as error:
                faults[key] = error

    helper = Aside(work) if wanted and _large(parts) else None
    try:
        if helper is not None:  # a head start: while Draco decodes, nobody else gets Python's lock
            begun.wait(HEAD_START_S)
        meshes = meshes_of(parts, uri, tile_to_local, up_axis, notices)
        work()
    finally:
        todo.clear()
        if helper is not None:
            helper.result()
    return Content(
        meshes,
        {key: found[key] for key in wanted if key in found},
        {key: faults[key] for key in wanted if key in faults},
    )


def _large(parts: list[Document]) -> bool:
    """Whether the pictures are worth a thread; of those in other files, two are."""
    size = 0
    for part in parts:
        images = part.gltf.get("images")
        for image in images if isinstance(images, list) else ():
            view = image.get("bufferView") if isinstance(image, dict) else None
            size += HELPED // 2 if view is None else _length(part, view)
    return size >= HELPED


def _length(part: Document, view: object) -> int:
    views = part.gltf.get("bufferViews")
    entry = views[view] if isinstance(views, list) and isinstance(view, int) and 0 <= view < len(views) else None
    length = entry.get("byteLength") if isinstance(entry, dict) else None
    return length if isinstance(length, int) else 0
