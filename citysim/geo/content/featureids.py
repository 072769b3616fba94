"""Which feature each vertex or triangle of a primitive belongs to."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.errors import CitySimError
from citysim.geo.content.document import Document, Json, extension_of, is_natural
from citysim.geo.content.features import batch_count, feature_block, feature_count, numbered
from citysim.geo.content.propertytables import OLD, old_table_number

Arrays = dict[str, NDArray[Any]]


def feature_ids(document: Document, primitive: Json, arrays: Arrays, count: int) -> NDArray[np.int64]:
    """(count,) feature numbers of the vertices of a primitive, -1 for none.

    The first set of EXT_mesh_features that has a property table counts, else b3dm's _BATCHID, else the first set as it
    is where the document has no tables at all.
    """
    none = np.broadcast_to(np.int64(-1), (count,))
    sets = _sets(document, primitive)
    for entry in sets:
        block = feature_block(document, entry)
        values = None if block is None else _values(entry, arrays, count)
        if values is not None:
            return numbered(values, block, entry.get("nullFeatureId"))
    batch = arrays.get("_BATCHID")
    if batch is not None and len(batch) == count and (batch_count(document.payload) or not sets):
        size = batch_count(document.payload)
        return numbered(batch[:, 0], (0, size) if size else None)
    for entry in sets:
        values = _values(entry, arrays, count)
        if values is not None:
            return none if feature_count(document) else numbered(values, None, entry.get("nullFeatureId"))
    return none


def has_feature_texture(document: Document, primitive: Json) -> bool:
    """Whether a primitive has a set of feature ids in a texture."""
    return any("texture" in entry for entry in _sets(document, primitive))


def texture_features(
    document: Document, primitive: Json, arrays: Arrays, triangles: NDArray[np.uint32]
) -> NDArray[np.int64] | None:
    """(T,) feature numbers read from a texture in the middle of each triangle; None where no texture tells them.

    `triangles` (T, 3) index the vertices.
    """
    from citysim.geo.content.images import load_image

    for entry in _sets(document, primitive):
        texture = entry.get("texture")
        if not isinstance(texture, dict):
            continue
        block = feature_block(document, entry)
        uvs = arrays.get(f"TEXCOORD_{texture.get('texCoord', 0)}")
        if uvs is None or uvs.shape[1] != 2 or (block is None and feature_count(document)):
            continue
        try:
            image = document.item("textures", texture.get("index")).get("source")
            pixels = load_image(document, image if is_natural(image) else -1, document.uri)
        except CitySimError as error:
            document.notices.add(f"features without {error.expected}: {error.found}")
            continue
        middle = np.nan_to_num(uvs.astype(np.float64)[triangles].mean(axis=1))
        size = np.array([pixels.shape[1], pixels.shape[0]])
        column, row = np.floor((middle - np.floor(middle)) * size).astype(np.int64).clip(0, size - 1).T
        channels = texture.get("channels", [0])
        sound = isinstance(channels, list) and 0 < len(channels) <= 4 and all(c in (0, 1, 2, 3) for c in channels)
        ids = np.zeros(len(triangles), np.int64)
        for place, channel in enumerate(channels if sound else [0]):
            ids += pixels[row, column, channel].astype(np.int64) << (8 * place)
        return numbered(ids, block, entry.get("nullFeatureId"))
    return None


def _sets(document: Document, primitive: Json) -> list[Json]:
    """Entries of `featureIds`; those of EXT_feature_metadata in the terms of its successor."""
    sets = (extension_of(primitive, "EXT_mesh_features") or {}).get("featureIds")
    found = [entry for entry in sets if isinstance(entry, dict)] if isinstance(sets, list) else []
    old = (extension_of(primitive, OLD) or {}).get("featureIdAttributes")
    for entry in old if isinstance(old, list) else []:
        ids = entry.get("featureIds") if isinstance(entry, dict) else None
        if not isinstance(ids, dict):
            continue
        named = {"propertyTable": old_table_number(document, entry.get("featureTable"))}
        attribute = str(ids.get("attribute", "")).removeprefix("_FEATURE_ID_")
        if attribute.isdecimal():
            found.append({**named, "attribute": int(attribute)})
        elif is_natural(ids.get("constant", 0)) and is_natural(ids.get("divisor", 0)):
            found.append({**named, "constant": ids.get("constant", 0), "divisor": ids.get("divisor", 0)})
    return found


def _values(entry: Json, arrays: Arrays, count: int) -> NDArray[Any] | None:
    """(count,) ids as a set states them, None where it has none for vertices."""
    if "texture" in entry:
        return None
    if "constant" in entry:
        steps = np.arange(count) // entry["divisor"] if entry["divisor"] else np.zeros(count, np.int64)
        return np.asarray(entry["constant"] + steps)
    if "attribute" not in entry:
        return np.arange(count)
    values = arrays.get(f"_FEATURE_ID_{entry['attribute']}")
    return values[:, 0] if values is not None and len(values) == count else None
