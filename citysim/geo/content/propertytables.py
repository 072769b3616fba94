"""Property tables of a glTF: EXT_structural_metadata, and EXT_feature_metadata before it."""

from typing import Any

from citysim.errors import CitySimError
from citysim.geo import uris
from citysim.geo.content.document import Document, Json, extension_of
from citysim.geo.content.tables import parse_json
from citysim.geo.metadata import COMPONENTS
from citysim.geo.store import fetch

NEW, OLD = "EXT_structural_metadata", "EXT_feature_metadata"


def property_tables(document: Document) -> tuple[Json, list[Json]]:
    """Schema and property tables of a glTF, in the terms of EXT_structural_metadata; {} and [] without.

    A schema that cannot be had leaves the features without properties.
    """
    if document.tables is None:
        document.tables = _read(document)
    return document.tables


def old_table_number(document: Document, name: Any) -> int | None:
    """Number of an EXT_feature_metadata feature table among `property_tables`."""
    found = (extension_of(document.gltf, OLD) or {}).get("featureTables")
    names = sorted(found) if isinstance(found, dict) else []
    return names.index(name) if name in names else None


def _read(document: Document) -> tuple[Json, list[Json]]:
    new, old = extension_of(document.gltf, NEW), extension_of(document.gltf, OLD)
    if new is not None:
        tables = new.get("propertyTables")
        listed = tables if isinstance(tables, list) else []
        return _schema(document, new), [t if isinstance(t, dict) else {} for t in listed]
    if old is not None:
        tables = old.get("featureTables")
        named = tables if isinstance(tables, dict) else {}
        return _modern(_schema(document, old)), [_modern_table(named[name]) for name in sorted(named)]
    return {}, []


def _schema(document: Document, extension: Json) -> Json:
    inline, reference = extension.get("schema"), extension.get("schemaUri")
    if isinstance(inline, dict):
        return inline
    if not isinstance(reference, str):
        return {}
    try:
        return parse_json(fetch(document.source, uris.join(document.uri, reference)), reference)
    except CitySimError as error:
        document.notices.add(f"properties without their schema: {error.found}")
        return {}


def _modern(schema: Json) -> Json:
    """A schema of EXT_feature_metadata, where a component type was a type, in today's terms."""
    classes = schema.get("classes")
    made: Json = {}
    for name, entry in classes.items() if isinstance(classes, dict) else ():
        properties = entry.get("properties") if isinstance(entry, dict) else None
        found = properties.items() if isinstance(properties, dict) else ()
        made[name] = {"properties": {key: _modern_property(d) for key, d in found if isinstance(d, dict)}}
    return {**schema, "classes": made}


def _modern_property(definition: Json) -> Json:
    array = definition.get("type") == "ARRAY"
    kind = definition.get("componentType") if array else definition.get("type")
    number = {"type": "SCALAR", "componentType": kind} if kind in COMPONENTS else {"type": kind}
    shape: Json = {"array": True} if array else {}
    if array and "componentCount" in definition:
        shape["count"] = definition["componentCount"]
    return {**definition, **number, **shape}


def _modern_table(table: Any) -> Json:
    if not isinstance(table, dict):
        return {}
    properties = table.get("properties")
    found = properties.items() if isinstance(properties, dict) else ()
    renamed = {key: {**entry, "values": entry.get("bufferView")} for key, entry in found if isinstance(entry, dict)}
    return {**table, "properties": renamed}
