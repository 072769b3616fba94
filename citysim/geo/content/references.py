"""What the parts of a tile's content refer to in other files, and whom they name as their owners."""

from typing import Any

from citysim.geo.content.payload import Payload
from citysim.geo.content.propertytables import NEW, OLD


def references(payload: Payload) -> list[str]:
    """References (not yet resolved, no `data:` ones) to buffers, pictures, schemas and to the model of an i3dm."""
    found: list[Any] = [payload.reference or None]
    for collection in ("buffers", "images"):
        entries = payload.gltf.get(collection)
        listed = entries if isinstance(entries, list) else []
        found += [entry.get("uri") for entry in listed if isinstance(entry, dict)]
    extensions = payload.gltf.get("extensions")
    for name in (NEW, OLD):
        entry = extensions.get(name) if isinstance(extensions, dict) else None
        found.append(entry.get("schemaUri") if isinstance(entry, dict) else None)
    return [reference for reference in found if isinstance(reference, str) and not reference.startswith("data:")]


def copyrights(document: dict[str, Any]) -> list[str]:
    """The names in `asset.copyright` of a glTF or tileset, which services separate by semicolons."""
    asset = document.get("asset")
    text = asset.get("copyright") if isinstance(asset, dict) else None
    pieces = (piece.strip() for piece in text.split(";")) if isinstance(text, str) else ()
    return [piece[:200] for piece in pieces if piece]
