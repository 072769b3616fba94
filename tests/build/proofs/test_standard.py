"""Standard: Khronos' validator finds no error in any tile, and an independent viewer shows the city."""

import json
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import pytest

from tests.build.proofs.node import chromium, npm_install, run_node
from tests.build.proofs.solid import ALL_CITIES

HERE = Path(__file__).parent
Folders = Callable[[str], Path]
PICTURES = "CITYSIM_PROOF_PICTURES"  # a folder that keeps the pictures, for people to look at


@pytest.fixture(scope="session")
def validator(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return npm_install(tmp_path_factory.mktemp("validator"), "gltf-validator@2.0.0-dev.3.10")


@pytest.fixture(scope="session")
def viewer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the viewer's page, bundled."""
    chromium()
    folder = npm_install(
        tmp_path_factory.mktemp("viewer"),
        "three@0.180.0",
        "3d-tiles-renderer@0.5.3",
        "playwright-core@1",
        "esbuild@0.25",
    )
    (folder / "viewer.mjs").write_text((HERE / "viewer.mjs").read_text())
    bundle = (
        "import('esbuild').then((e) => e.build({entryPoints: ['viewer.mjs'], bundle: true, format: 'esm', "
        "outfile: 'site/viewer.js', logLevel: 'error'}))"
    )
    (folder / "bundle.mjs").write_text(bundle)
    run_node(folder, folder / "bundle.mjs")
    icon = '<link rel="icon" href="data:,">'
    page = (
        f'<!doctype html>{icon}<body style="margin:0;overflow:hidden"><script type="module" src="viewer.js"></script>'
    )
    (folder / "site" / "index.html").write_text(page)
    return folder


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def _served(folder: Path) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.parametrize("name", ALL_CITIES)
def test_the_validator_finds_no_error_in_any_tile(name: str, folder_of: Folders, validator: Path) -> None:
    tiles = sorted((folder_of(name) / "tiles").rglob("*.glb"))
    assert tiles
    found = json.loads(run_node(validator, HERE / "validate.mjs", *map(str, tiles)))
    assert len(found) == len(tiles)
    broken = {Path(file).name: row["first"] for file, row in found.items() if row["errors"]}
    assert not broken, broken
    assert all("EXT_mesh_features" in row["extensions"] for row in found.values())
    assert sum(row["triangles"] for row in found.values()) > 10_000


@pytest.mark.browser
@pytest.mark.parametrize("name", ALL_CITIES)
def test_an_independent_viewer_shows_the_city(name: str, folder_of: Folders, viewer: Path, tmp_path: Path) -> None:
    from PIL import Image

    site = viewer / "site"
    link = site / "package"
    link.unlink(missing_ok=True)
    link.symlink_to(folder_of(name).absolute())
    shots = Path(os.environ.get(PICTURES, "") or tmp_path)
    png = shots / f"viewer-{name}.png"
    with _served(site) as url:
        shoot = (HERE / "shoot.mjs", chromium(), f"{url}/index.html", str(png))
        report = json.loads(run_node(viewer, *shoot, timeout=600.0))
    assert not report["failures"], report
    assert not report["errors"], report
    assert report["visible"] >= 4
    assert report["triangles"] > 5_000
    assert report["features"] > 0
    picture = np.asarray(Image.open(png).convert("RGB"), dtype=np.int32)
    sky = np.abs(picture - picture[2, 2]).sum(axis=2) < 12
    assert sky.mean() < 0.7  # hills beyond the edge may fill it
    tones = np.unique((picture[~sky] // 16) @ np.array([256, 16, 1]))
    assert len(tones) > 150  # facades, streets, signs: not one grey mass
