"""Every fault of the list, served by a real web server: told once with its place and reason, and the siblings load."""

import gzip
import io
import json
import resource
import struct
import sys
import zipfile
from pathlib import Path
from typing import Any, ClassVar

import pytest

from citysim.build.inspect import validate_package
from citysim.build.tiles import import_tiles
from citysim.city import open_city
from citysim.errors import CitySimError
from citysim.geo import store
from citysim.geo.downloads import Download
from citysim.geo.http import HttpSource
from tests.build.test_faults import BOX, tile
from tests.geo.content.samples import GltfMaker, square_glb, tileset
from tests.geo.web import Reply, Request, serve


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CITYSIM_CACHE", str(tmp_path / "cache"))


def huge(number: int) -> bytes:
    """A glb whose accessors say that they have so many elements."""
    maker = GltfMaker()
    maker.primitive()
    for accessor in maker.gltf["accessors"]:
        accessor["count"] = number
    return maker.glb()


def unbacked(number: int) -> bytes:
    """The same without any data behind them."""
    maker = GltfMaker()
    maker.primitive()
    for accessor in maker.gltf["accessors"]:
        accessor["count"] = number
        del accessor["bufferView"]
    return maker.glb()


def legacy(magic: bytes, key: str) -> bytes:
    """A 1.0 tile whose feature table says that it has four thousand million things."""
    text = json.dumps({key: 4_000_000_000, "POSITION": {"byteOffset": 0}}).encode()
    text += b" " * (-len(text) % 8)
    more = struct.pack("<I", 1) if magic == b"i3dm" else b""
    head = struct.pack("<4s6I", magic, 1, 28 + len(more) + len(text), len(text), 0, 0, 0)
    return head + more + text


def implicit(levels: int) -> dict[str, Any]:
    """A tile with an implicit tree of so many levels, all there."""
    settings = {"subdivisionScheme": "OCTREE", "subtreeLevels": levels, "availableLevels": levels}
    settings["subtrees"] = {"uri": "s/{level}.{x}.{y}.{z}.json"}
    return {**BOX, "content": {"uri": "c/{level}/{x}/{y}/{z}.glb"}, "implicitTiling": settings}


ALL = {"constant": 1}
EVERYTHING = json.dumps(
    {"tileAvailability": ALL, "contentAvailability": [ALL], "childSubtreeAvailability": ALL}
).encode()
BOMB = gzip.compress(bytes(40 << 20))
OTHER_HOST = {"Location": "http://localhost:9/stolen"}

FAULTS: dict[str, tuple[Any, dict[str, Reply], str, str]] = {
    "404": (tile("a.glb"), {}, "a.glb", "no such file"),
    "500": (tile("a.glb"), {"a.glb": Reply(status=500)}, "a.glb", "HTTP status 500"),
    "stall": (tile("a.glb"), {"a.glb": Reply(square_glb(), fault="stall")}, "a.glb", "ReadTimeout"),
    "reset": (tile("a.glb"), {"a.glb": Reply(fault="reset")}, "a.glb", "Error"),
    "truncation": (tile("a.glb"), {"a.glb": Reply(square_glb(), fault="truncate")}, "a.glb", "RemoteProtocolError"),
    "cut file": (tile("a.glb"), {"a.glb": Reply(square_glb()[:-9])}, "a.glb", "bytes"),
    "wrong magic": (tile("a.glb"), {"a.glb": Reply(b"vtr0" + bytes(60))}, "a.glb", "vtr0"),
    "bad JSON": (tile("a.json"), {"a.json": Reply(b'{"root": ')}, "a.json", "JSON"),
    "deep JSON": (tile("a.json"), {"a.json": Reply(b'{"root":' + b"[" * 300_000)}, "a.json", "JSON"),
    "bad JSON in a tile": (tile("a.glb"), {"a.glb": Reply(b'{"asset": ')}, "a.glb", "JSON"),
    "huge counts": (tile("a.glb"), {"a.glb": Reply(huge(4_000_000_000))}, "a.glb", "4000000000"),
    "huge counts beyond a view": (tile("a.glb"), {"a.glb": Reply(huge(40_000_000))}, "a.glb", "beyond"),
    "huge counts of nothing": (tile("a.glb"), {"a.glb": Reply(unbacked(49_000_000))}, "a.glb", "without data"),
    "huge counts of instances": (tile("a"), {"a": Reply(legacy(b"i3dm", "INSTANCES_LENGTH"))}, "a", "4000000000"),
    "huge counts of points": (tile("a"), {"a": Reply(legacy(b"pnts", "POINTS_LENGTH"))}, "a", "4000000000"),
    "huge trees": (implicit(9), {"s/0.0.0.0.json": Reply(EVERYTHING)}, "t.json#1", "implicit tiles"),
    "endless trees": (implicit(60), {"s/0.0.0.0.json": Reply(EVERYTHING)}, "t.json#1", "subtreeLevels"),
    "cycle": (tile("a.json"), {"a.json": Reply(tileset(children=[tile("b.json")])),
                               "b.json": Reply(tileset(children=[tile("a.json")]))}, "a.json", "cycle"),
    "cycle through the top": (tile("a.json"), {"a.json": Reply(tileset(**tile("t.json")))}, "t.json", "cycle"),
    "gzip bomb": (tile("a.glb"), {"a.glb": Reply(BOMB)}, "a.glb", "gzip"),
    "gzip bomb on the way": (
        tile("a.glb"), {"a.glb": Reply(BOMB, headers={"Content-Encoding": "gzip"})}, "a.glb", "more than"
    ),
    "file: escape": (tile("file:///etc/passwd"), {}, "t.json#file:///etc/passwd", "file:///etc/passwd"),
    "redirect to another host": (
        tile("a.glb"), {"a.glb": Reply(status=302, headers=OTHER_HOST)}, "a.glb", "another host"
    ),
    "redirect to a file": (
        tile("a.glb"), {"a.glb": Reply(status=302, headers={"Location": "file:///etc/passwd"})}, "a.glb", "another host"
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_told_once_and_its_siblings_load(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    monkeypatch.setattr(store, "MAX_INFLATED", 16 << 20)
    child, bad, place, why = FAULTS[fault]
    good = {"t.json": tileset(children=[tile("good.glb"), child, child, tile("fine.glb")]), "good.glb": square_glb()}
    files = {name: Reply(data) for name, data in {**good, "fine.glb": square_glb()}.items()} | bad

    def answer(request: Request) -> Reply:
        return files.get(request.path.removeprefix("/d/"), Reply(status=404))

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with serve(answer) as site, watched() as opened:
        web = HttpSource(
            root=f"{site.url}/d/t.json", timeout_s=0.3, attempts=2, max_body=32 << 20, sleep=lambda seconds: None
        )
        source = Download(tmp_path / "downloads", web)
        out = import_tiles(f"{site.url}/d/t.json", tmp_path / "city", source=source, allow_missing=True)
        source.close()
    faults = json.loads((out / "city.json").read_text())["faults"]
    twice = {f"tiles/{place}", f"tiles/{place.replace('#1', '#2')}"}  # tiles without a name are two
    assert faults.keys() == twice, faults
    assert why in faults[f"tiles/{place}"]
    assert validate_package(out) == []
    city = open_city(out)
    assert sorted(city.tiles[i].uri for i in city.finest) == ["tiles/fine.glb", "tiles/good.glb"]
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 300_000  # KiB
    assert all(request.path.startswith("/d/") for request in site.seen)
    assert not [name for name in opened if name.startswith("/etc/passwd") or "stolen" in name]


@pytest.mark.parametrize("child", [tile("a.glb"), tile("file:///x"), tile("b.json"), tile("a.glb", transform=[1])])
def test_keys_in_addresses_are_never_told(tmp_path: Path, child: dict[str, Any]) -> None:
    files = {"/t.json": tileset(children=[tile("good.glb"), child]), "/good.glb": square_glb(), "/a.glb": b"b3dm"}

    def answer(request: Request) -> Reply:
        sound = request.path in files and request.query.get("key") == "SECRET"
        return Reply(files[request.path]) if sound else Reply(b"{", status=200)

    with serve(answer) as site:
        address = f"{site.url}/t.json?key=SECRET"
        with pytest.raises(CitySimError) as error:
            import_tiles(address, tmp_path / "city")
        out = import_tiles(address, tmp_path / "city", allow_missing=True)
    assert "SECRET" not in str(error.value)
    assert "SECRET" not in "".join(p.read_text("latin-1") for p in tmp_path.rglob("*") if p.is_file())
    assert len(json.loads((out / "city.json").read_text())["faults"]) == 1


def test_an_archive_of_bombs_and_slips(tmp_path: Path) -> None:
    """Zip bombs, and entries that would land elsewhere if anything were unpacked."""
    buffer = io.BytesIO()
    children = [tile(name) for name in ("good.glb", "bomb.glb", "../slip.glb", "..%2fslip.glb", "/etc/passwd")]
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("tileset.json", tileset(children=children))
        archive.writestr("good.glb", square_glb())
        archive.writestr("bomb.glb", bytes(1 << 24))
        archive.writestr("../slip.glb", square_glb())
        archive.writestr("/etc/passwd", square_glb())
    data = bytearray(buffer.getvalue())
    place = data.rfind(b"bomb.glb") - 46 + 24  # the size in the central directory
    data[place : place + 4] = (0xFFFFFF00).to_bytes(4, "little")
    with serve(lambda request: Reply(bytes(data))) as site, watched() as opened:
        out = import_tiles(f"{site.url}/a.3tz", tmp_path / "city", allow_missing=True)
    faults = json.loads((out / "city.json").read_text())["faults"]
    slips = {f"tiles/tileset.json#{name}" for name in ("../slip.glb", "..%2fslip.glb", "/etc/passwd")}
    assert faults.keys() == {"tiles/bomb.glb", *slips}
    assert not list(tmp_path.rglob("slip.glb"))
    assert "/etc/passwd" not in opened
    city = open_city(out)
    assert [city.tiles[i].uri for i in city.finest] == ["tiles/good.glb"]


class watched:  # noqa: N801 - used as a function
    """The names of all files opened within the block."""

    active: ClassVar[list[list[str]]] = []
    hooked = False

    def __enter__(self) -> list[str]:
        if not watched.hooked:
            watched.hooked = True
            sys.addaudithook(watched.hook)
        self.names: list[str] = []
        watched.active.append(self.names)
        return self.names

    def __exit__(self, *problem: object) -> None:
        watched.active.remove(self.names)

    @staticmethod
    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open" and watched.active:
            for names in watched.active:
                names.append(str(arguments[0]))
