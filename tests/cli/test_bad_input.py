"""Bad input at the command line: one clear line, the right exit code, nothing half-written."""

import json
import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from citysim.cli import run
from citysim.storage import canonical_json


def fails(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 2) -> str:
    """Run a command that must fail and return its one line."""
    assert run(list(arguments)) == code
    captured = capsys.readouterr()
    lines = captured.err.strip().splitlines()
    assert len(lines) == 1, captured.err
    assert lines[0].startswith("error: ")
    assert "Traceback" not in captured.err + captured.out
    return lines[0]


def left_over(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (None, "missing.osm.pbf"),
        (b"", "found"),
        (b"\x00\x00\x00\x0d\x0a\x09OSMHeader\x18", "found"),
        (b"hello" * 99, "found"),
    ],
    ids=["missing", "empty", "truncated", "text"],
)
def test_a_broken_extract(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None, word: str) -> None:
    source = tmp_path / "missing.osm.pbf"
    if content is not None:
        source.write_bytes(content)
    line = fails(capsys, "city", "import-osm", str(source), "-o", str(tmp_path / "out"))
    assert word in line
    assert "try" in line
    assert left_over(tmp_path) == ([source.name] if content is not None else [])


def test_a_truncated_real_extract(shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    real = (shared_data / "osm-helsinki" / "Helsinki.osm.pbf").read_bytes()
    source = tmp_path / "half.osm.pbf"
    source.write_bytes(real[: len(real) // 2])
    fails(capsys, "city", "import-osm", str(source), "-o", str(tmp_path / "out"))
    assert left_over(tmp_path) == ["half.osm.pbf"]


@pytest.mark.parametrize("bbox", ["0,0,1,1", "24.9,60.2", "24.95,60.17,24.93,60.18", "a,b,c,d", "nan,0,1,1"])
def test_a_box_that_is_wrong_or_elsewhere(
    shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], bbox: str
) -> None:
    source = shared_data / "osm-helsinki" / "Helsinki.osm.pbf"
    fails(capsys, "city", "import-osm", str(source), "--bbox", bbox, "-o", str(tmp_path / "out"))
    assert left_over(tmp_path) == []


def test_a_tileset_that_names_a_missing_tile(
    shared_data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = shared_data / "nasa-landform-tiles" / "example" / "public" / "data"
    copy = tmp_path / "scan"
    shutil.copytree(source, copy)
    for path in (copy, *copy.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    (copy / "0000.b3dm").unlink()
    line = fails(capsys, "city", "import-tiles", str(copy / "tileset.json"), "-o", str(tmp_path / "out"))
    assert "0000.b3dm" in line
    assert left_over(tmp_path) == ["scan"]


@pytest.mark.parametrize("text", [None, "", "{", "[]", '{"asset": {"version": "1.0"}}'])
def test_a_broken_tileset(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str | None) -> None:
    source = tmp_path / "tileset.json"
    if text is not None:
        source.write_text(text)
    fails(capsys, "city", "import-tiles", str(source), "-o", str(tmp_path / "out"))
    assert left_over(tmp_path) == ([] if text is None else ["tileset.json"])


@pytest.fixture(scope="module")
def mini(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cities") / "mini"
    assert run(["city", "build", "mini", "-o", str(folder), "--quiet"]) == 0
    return folder


def test_a_package_with_a_wrong_hash(mini: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = tmp_path / "city"
    shutil.copytree(mini, copy)
    description = json.loads((copy / "city.json").read_text())
    description["content_sha256"] = "0" * 64
    (copy / "city.json").write_text(canonical_json(description))
    for command in (
        ["render", str(copy), "--at", "0,0", "-o", str(tmp_path / "x.png")],
        ["eval", "starter", "--city", str(copy), "--agent", "random", "--out", str(tmp_path / "run")],
    ):
        fails(capsys, *command)
    assert run(["city", "validate", str(copy)]) == 1
    assert left_over(tmp_path) == ["city"]


def test_a_package_with_a_changed_tile(mini: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = tmp_path / "city"
    shutil.copytree(mini, copy)
    tile = next(iter(sorted((copy / "tiles").rglob("*.glb"))))
    data = bytearray(tile.read_bytes())
    data[-5] ^= 1
    tile.write_bytes(data)
    fails(capsys, "render", str(copy), "--at", "0,0", "-o", str(tmp_path / "x.png"))
    assert left_over(tmp_path) == ["city"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["city", "build", "minni", "-o", "OUT"],
        ["city", "build", "mini", "--size", "3", "-o", "OUT"],
        ["city", "build", "mini", "--size", "nan", "-o", "OUT"],
        ["city", "info", "nowhere"],
        ["render", "MINI", "--at", "1e6,0", "-o", "OUT.png"],
        ["render", "MINI", "--at", "0", "-o", "OUT.png"],
        ["render", "MINI", "--at", "0,0", "--lonlat", "0,0", "-o", "OUT.png"],
        ["render", "MINI", "--at", "0,0", "--pitch-deg", "500", "-o", "OUT.png"],
        ["render", "MINI", "--at", "0,0", "--eye", "-5", "-o", "OUT.png"],
        ["render", "MINI", "--at", "0,0", "--size", "0x10", "-o", "OUT.png"],
        ["render", "MINI", "--at", "0,0", "--size", "99999x10", "-o", "OUT.png"],
        ["render", "MINI", "--at", "0,0", "--size", "²x²", "-o", "OUT.png"],
        ["render", "MINI", "--at", "0,0", "--size", "9" * 5000 + "x4", "-o", "OUT.png"],
        ["render", "MINI", "--at", "0,0", "--time", "٣:٠٠", "-o", "OUT.png"],
        ["render", "mini@", "--at", "0,0", "-o", "OUT.png"],
        ["city", "build", "mini", "--seed", "-5", "-o", "OUT"],
        ["city", "build", "mini", "-o", "MINI/sub"],
        ["render", "MINI", "--at", "0,0", "--weather", "hail", "-o", "OUT.png"],
        ["render", "MINI", "--at", "0,0", "--time", "25:00", "-o", "OUT.png"],
        ["render", "MINI", "--at", "0,0", "--view", "sideways", "-o", "OUT.png"],
        ["render", "MINI", "--at", "0,0", "--renderer", "crayon", "-o", "OUT.png"],
        ["render", "MINI", "--at", "0,0", "--fov-deg", "0", "-o", "OUT.png"],
        ["render", "MINI", "--at", "0,0", "-o", "OUT.bmp"],
        ["eval", "starter", "--city", "MINI", "--agent", "nobody", "--out", "OUT"],
        ["eval", "starter", "--city", "MINI", "--agent", "no.module:make", "--out", "OUT"],
        ["eval", "finisher", "--city", "MINI", "--agent", "random", "--out", "OUT"],
        ["eval", "starter", "--city", "MINI", "--agent", "random", "--ids", "zzz", "--out", "OUT"],
        ["eval", "starter", "--city", "MINI", "--agent", "random", "--workers", "0", "--out", "OUT"],
        ["eval", "starter", "--city", "MINI", "--agent", "random", "--physics", "jelly", "--out", "OUT"],
        ["report", "nowhere"],
        ["score", "nowhere"],
        ["compare", "nowhere", "nowhere"],
        ["suite", "show", "nothing"],
        ["frobnicate"],
        ["city", "build"],
    ],
    ids=lambda words: " ".join(words)[:60],
)
def test_wrong_arguments(mini: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    words = [
        w.replace("MINI", str(mini))
        if w.startswith("MINI")
        else str(tmp_path / w.replace("OUT", "out"))
        if w.startswith("OUT")
        else w
        for w in arguments
    ]
    fails(capsys, *words)
    assert left_over(tmp_path) == []


def test_an_output_folder_in_the_way_is_kept(mini: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.txt").write_text("important")
    fails(capsys, "city", "build", "mini", "-o", str(mine))
    fails(capsys, "eval", "starter", "--city", str(mini), "--agent", "random", "--out", str(mine))
    assert left_over(mine) == ["thesis.txt"]


def test_a_folder_that_cannot_be_made(mini: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    fails(capsys, "city", "build", "mini", "-o", str(tmp_path / "file" / "city"))
    fails(capsys, "render", str(mini), "--at", "0,0", "-o", str(tmp_path / "file" / "x.png"))
    fails(
        capsys, "eval", "starter", "--city", str(mini), "--agent", "random", "--out", str(tmp_path / "file" / "run")
    )  # fmt: skip


def test_a_disk_that_fills_up(tmp_path: Path) -> None:
    # A limit on file size stands in for a full disk: writes fail half way, as they do there.
    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
        import signal

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

    done = subprocess.run(
        [sys.executable, "-m", "citysim", "city", "build", "mini", "-o", str(tmp_path / "city")],
        capture_output=True,
        text=True,
        preexec_fn=small_files,
        env={**os.environ, "CITYSIM_CACHE": str(tmp_path / "cache")},
    )
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("error: expected")
    assert len(done.stderr.strip().splitlines()) == 1
    assert not (tmp_path / "city").exists()
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".city")] == []


def test_ctrl_c(mini: Path, tmp_path: Path) -> None:
    import signal

    words = [
        "eval",
        "starter",
        "--city",
        str(mini),
        "--agent",
        "random",
        "--workers",
        "2",
        "--size",
        "640x480",
        "--out",
        "run",
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "citysim", *words],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a job in the background inherits SIG_IGN
    )
    until = time.monotonic() + 120
    while not list((tmp_path / "run").glob("steps/*.jsonl")) and process.poll() is None and time.monotonic() < until:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    lines = [line for line in errors.splitlines() if line.strip()]
    assert process.returncode == 1, errors
    assert "Traceback" not in errors
    assert lines[-1].startswith("error: interrupted")
    assert run([*words[:-1], str(tmp_path / "run"), "--resume", "--quiet"]) == 0


def test_a_standard_output_that_is_full(tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run([sys.executable, "-m", "citysim", "city", "list"], stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2
    assert done.stderr.decode().startswith("error: expected a standard output")
    assert len(done.stderr.decode().strip().splitlines()) == 1


def test_an_ascii_terminal() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([sys.executable, "-m", "citysim", "city", "list"], capture_output=True, env=environment)
    assert done.returncode == 0
    assert b"OpenStreetMap" in done.stdout


def test_a_place_outside_the_globe(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "bad.osm"
    source.write_text('<osm version="0.6"><node id="1" version="1" lat="600" lon="0"/></osm>')
    fails(capsys, "city", "import-osm", str(source), "-o", str(tmp_path / "out"))
