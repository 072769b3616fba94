import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from citysim.build.inspect import package_info, validate_package
from citysim.build.package import write_package
from citysim.city import CityObject, Place
from citysim.city.manifest import DIGESTS
from citysim.errors import StorageError
from citysim.geo.network import NetworkEdge
from tests.build.samples import make_draft, package

__all__ = ["package"]


def test_info_counts_what_was_drawn(package: Path) -> None:
    info = package_info(package)
    assert info["triangles"] == make_draft().mesh.triangle_count
    assert info["categories"] == {"box": 12, "ground": 1}
    assert (info["places"], info["network_edges"], info["size_m"]) == (1, 2, [400.0, 400.0])
    assert info["network_km"] == pytest.approx(0.300, abs=1e-3)
    json.dumps(info)


def test_a_sound_package_has_no_problems(package: Path) -> None:
    assert validate_package(package) == []


def test_what_is_no_package(tmp_path: Path) -> None:
    assert len(validate_package(tmp_path)) == 1
    with pytest.raises(StorageError):
        package_info(tmp_path / "gone")


def test_forged_digests_are_found_by_decoding(package: Path) -> None:
    """Someone who fixes every recorded hash but one decoded one is still found out."""
    from citysim.city.manifest import file_digest
    from citysim.storage import canonical_json, sha256_hex

    tile = next((package / "tiles").rglob("*_fine.glb"))
    data = bytearray(tile.read_bytes())
    start = 28 + int.from_bytes(data[12:16], "little")
    data[start : start + 4] = np.float32(3.5).tobytes()
    tile.write_bytes(data)
    digests = json.loads((package / DIGESTS).read_text())
    digests["files"][tile.relative_to(package).as_posix()] = file_digest(tile)
    (package / DIGESTS).write_text(canonical_json(digests))
    assert (
        sha256_hex(canonical_json(digests["content"]))
        == json.loads((package / "city.json").read_text())["content_sha256"]
    )
    assert any(tile.name in problem and "geometry" in problem for problem in validate_package(package))


def test_files_that_nobody_listed_are_reported(package: Path) -> None:
    (package / "tiles" / "stray.glb").write_bytes(b"x")
    assert validate_package(package) == [f"file 'tiles/stray.glb' is not listed in {DIGESTS}"]


def _orphan(draft: object) -> None:
    draft.objects.append(CityObject(99, "sign", parent=98))  # type: ignore[attr-defined]


def _twice(draft: object) -> None:
    draft.objects.append(CityObject(1, "sign"))  # type: ignore[attr-defined]


def _label(draft: object) -> None:
    draft.mesh.quad([(0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1)], "lamp", 77)  # type: ignore[attr-defined]


def _place(draft: object) -> None:
    draft.places.append(Place("p2", "Bar", "bar", (0.0, 0.0, 0.0), building=55))  # type: ignore[attr-defined]


def _far(draft: object) -> None:
    draft.places.append(Place("p3", "Far", "bar", (9000.0, 0.0, 0.0)))  # type: ignore[attr-defined]


def _edge(draft: object) -> None:
    draft.edges.append(NetworkEdge(3, np.array([(9e3, 0, 0), (9e3, 5, 0)])))  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (_orphan, "parent"),
        (_twice, "more than once"),
        (_label, "no object: 77"),
        (_place, "building"),
        (_far, "p3"),
        (_edge, "edges"),
    ],
)
def test_broken_references_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spoil: Callable[[object], None], words: str
) -> None:
    monkeypatch.setenv("CITYSIM_CACHE", str(tmp_path / "cache"))
    draft = make_draft()
    spoil(draft)
    problems = validate_package(write_package(draft, tmp_path / "bad"))
    assert len(problems) == 1
    assert words in problems[0]
