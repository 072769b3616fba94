"""The table of content hashes of embedded cities.

`python -m tests.build.procedural.hashes` builds every row anew and writes the table; do that, and raise
GENERATOR_VERSION, whenever a city's bytes change on purpose.
"""

import json
import sys
import tempfile
from pathlib import Path

TABLE = Path(__file__).with_name("hashes.json")
ROWS = [
    *(("mini", seed, 200.0) for seed in (0, 7)),
    *((name, seed, 200.0) for name in ("akiba", "garden", "grid", "harbour", "oldtown") for seed in (0, 7)),
    *((name, 0, 600.0) for name in ("garden", "grid", "harbour", "oldtown")),
    ("akiba", 0, 750.0),
]
Row = tuple[str, int, float]


def hash_of(row: Row, folder: Path) -> str:
    """Build a city in a folder and return its content hash."""
    from citysim.build.make import make_preset

    name, seed, size = row
    made = make_preset(name, folder / f"{name}-{seed}-{size:g}", seed=seed, size=size)
    return str(json.loads((made / "city.json").read_bytes())["content_sha256"])


def table() -> dict[Row, str]:
    """The committed hashes."""
    return {(r["preset"], r["seed"], r["size"]): r["content_sha256"] for r in json.loads(TABLE.read_text())["rows"]}


def main() -> None:
    """Write the table, or with arguments `preset seed size` print one hash."""
    from citysim.build.make import GENERATOR_VERSION

    with tempfile.TemporaryDirectory() as folder:
        if len(sys.argv) == 4:
            print(hash_of((sys.argv[1], int(sys.argv[2]), float(sys.argv[3])), Path(folder)))
            return
        rows = []
        for row in ROWS:
            rows.append(
                {"preset": row[0], "seed": row[1], "size": row[2], "content_sha256": hash_of(row, Path(folder))}
            )
            print(rows[-1], flush=True)
    TABLE.write_text(json.dumps({"generator_version": GENERATOR_VERSION, "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
