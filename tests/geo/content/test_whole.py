"""Contents with their pictures, decoded side by side, and the threads that this takes."""

import io
import os
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from citysim.errors import FormatError
from citysim.geo.content import aside, whole
from citysim.geo.content.aside import Aside
from citysim.geo.content.images import load_texture
from citysim.geo.content.meshes import decode_meshes
from citysim.geo.content.whole import decode_content
from citysim.geo.store import FolderSource, MemorySource
from tests.geo.content.samples import GltfMaker

EYE = np.eye(4)


def noisy(seed: int, side: int = 96) -> bytes:
    out = io.BytesIO()
    pixels = np.random.default_rng(seed).integers(0, 255, (side, side, 3), dtype=np.uint8)
    Image.fromarray(pixels).save(out, format="PNG")
    return out.getvalue()


def view(maker: GltfMaker, data: bytes) -> int:
    """Add bytes of their own."""
    return int(maker.gltf["accessors"][maker.array(np.frombuffer(data, np.uint8))]["bufferView"])


def textured(*pictures: bytes | str) -> GltfMaker:
    """Squares side by side, each with its picture: embedded bytes or the name of a file."""
    maker = GltfMaker()
    images = [{"uri": p} if isinstance(p, str) else {"bufferView": view(maker, p)} for p in pictures]
    for number in range(len(pictures)):
        maker.primitive()["material"] = number
    maker.gltf |= {
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": n}}} for n in range(len(images))],
        "textures": [{"source": n} for n in range(len(images))],
        "images": images,
    }
    return maker


@pytest.mark.parametrize("helped", [0, 1 << 30])
def test_the_same_as_one_after_the_other(monkeypatch: pytest.MonkeyPatch, helped: int) -> None:
    monkeypatch.setattr(whole, "HELPED", helped)
    maker = textured(noisy(0), noisy(1), "far.png", noisy(2))
    source = MemorySource({"t.glb": maker.glb(), "far.png": noisy(3)})
    found = decode_content(source, "t.glb", EYE)
    meshes = decode_meshes(source, "t.glb", EYE)
    assert [m.metadata["surface"] for m in found.meshes] == [m.metadata["surface"] for m in meshes]
    assert list(found.textures) == [m.metadata["surface"].texture for m in meshes]
    assert found.faults == {}
    for key, pixels in found.textures.items():
        assert np.array_equal(pixels, load_texture(source, key))


def test_a_broken_picture_costs_itself_only() -> None:
    source = MemorySource({"t.glb": textured(noisy(0), b"no picture", "gone.png").glb()})
    found = decode_content(source, "t.glb", EYE)
    assert len(found.meshes) == 3
    assert len(found.textures) == 1
    assert list(found.faults) == ["t.glb#1", "gone.png"]


def test_what_is_known_is_left_out() -> None:
    source = MemorySource({"t.glb": textured(noisy(0), noisy(1)).glb()})
    assert list(decode_content(source, "t.glb", EYE, known={"t.glb#0"}).textures) == ["t.glb#1"]


def test_broken_geometry_is_an_error_and_leaves_no_thread_at_work() -> None:
    maker = textured(noisy(0), noisy(1))
    maker.gltf["accessors"][maker.gltf["meshes"][0]["primitives"][0]["attributes"]["POSITION"]]["count"] = 10_000
    before = set(threading.enumerate())
    with pytest.raises(FormatError):
        decode_content(MemorySource({"t.glb": maker.glb()}), "t.glb", EYE)
    assert all(thread.name == "citysim-aside" for thread in set(threading.enumerate()) - before)


def test_real_tiles_are_the_same_as_one_after_the_other(shared_data: Path) -> None:
    folder = shared_data / "loaders.gl/modules/gltf/test/data/3d-tiles"
    source = FolderSource(folder)
    found, again = decode_content(source, "tile.glb", EYE), decode_meshes(source, "tile.glb", EYE)
    assert [m.vertices.tobytes() for m in found.meshes] == [m.vertices.tobytes() for m in again]
    for key, pixels in found.textures.items():
        assert np.array_equal(pixels, load_texture(source, key))


def test_what_is_done_aside_answers_or_fails() -> None:
    assert Aside(lambda: 7).result() == 7
    assert Aside(lambda: None).result() is None
    with pytest.raises(ZeroDivisionError):
        Aside(lambda: 1 // 0).result()


def test_threads_are_kept_for_the_next_call() -> None:
    Aside(threading.get_ident).result()
    idle = len(aside._idle)
    idents = {Aside(threading.get_ident).result() for _ in range(20)}
    assert len(idents) == 1
    assert len(aside._idle) == idle


def test_what_takes_too_long_is_left_alone_and_its_thread_ends() -> None:
    threads: list[threading.Thread] = []

    def slow() -> None:
        threads.append(threading.current_thread())
        time.sleep(0.3)

    with pytest.raises(TimeoutError):
        Aside(slow).result(0.05)
    assert Aside(lambda: 1).result(5.0) == 1
    threads[0].join(5.0)
    assert not threads[0].is_alive()


def test_a_forked_process_has_threads_of_its_own() -> None:
    Aside(lambda: 1).result()
    child = os.fork()
    if child == 0:
        os._exit(0 if Aside(lambda: 2).result(5.0) == 2 else 1)
    assert os.waitpid(child, 0)[1] == 0
