"""objects.jsonl: one JSON object a line for everything with an identity."""

import json
from collections.abc import Iterable
from pathlib import Path

from citysim.city.model import CityObject
from citysim.errors import FormatError
from citysim.storage import canonical_json

DECIMALS = 3  # millimetres


def objects_text(objects: Iterable[CityObject]) -> str:
    """The file's text, in the order given; positions in metres to the millimetre."""
    return "".join(canonical_json(_row(o)) + "\n" for o in objects)


def parse_objects(data: bytes, where: Path | str) -> tuple[CityObject, ...]:
    """Objects of a file's bytes; raises FormatError for broken lines."""
    lines = [line for line in data.split(b"\n") if line.strip()]
    try:
        # one parse of the whole file is several times faster than one a line
        rows = json.loads(b"[" + b",".join(lines) + b"]")
        return tuple(
            CityObject(
                row["id"],
                row["category"],
                row.get("name", ""),
                tuple(row["position"]),
                row.get("heading_deg", 0.0),
                tuple(row["bounds"]),
                row.get("attributes", {}),
                row.get("parent"),
            )
            for row in rows
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        detail = f"{type(error).__name__} {str(error)[:60]}"
        raise FormatError("one object a line in JSON", f"'{where}' ({detail})", "building the package again") from None


def _row(thing: CityObject) -> dict[str, object]:
    row: dict[str, object] = {
        "id": thing.id,
        "category": thing.category,
        "name": thing.name,
        "position": [round(float(v), DECIMALS) + 0.0 for v in thing.position],
        "heading_deg": round(float(thing.heading_deg), 2) + 0.0,
        "bounds": [round(float(v), DECIMALS) + 0.0 for v in thing.bounds],
    }
    if thing.attributes:
        row["attributes"] = thing.attributes
    if thing.parent is not None:
        row["parent"] = thing.parent
    return row
