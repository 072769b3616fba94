"""Texels in shared files: the same pictures, whatever happened to the files."""

import os
from pathlib import Path

import numpy as np
import pytest

from citysim.render.raster.texels import PAGE, WHITE_TEXELS, Chain, TexelStore, level_starts, save


def chain(seed: int, log_width: int = 6, log_height: int = 4) -> Chain:
    count = level_starts(log_width, log_height)[-1]
    return Chain(log_width, log_height, np.random.default_rng(seed).integers(0, 1 << 32, count, dtype=np.uint32))


def test_levels_have_borders() -> None:
    assert level_starts(0, 0) == [0, 4]
    assert level_starts(2, 1) == [0, 5 * 3, 5 * 3 + 3 * 2, 5 * 3 + 3 * 2 + 2 * 2]


def test_a_saved_chain_is_mapped_whole(tmp_path: Path) -> None:
    store, wanted = TexelStore(1 << 20), chain(1)
    assert save(tmp_path / "a", wanted)
    found = store.map(tmp_path / "a")
    assert found is not None
    assert found[1:] == (6, 4)
    assert (store.texels[found[0] : found[0] + len(wanted.texels)] == wanted.texels).all()
    assert (store.texels[:WHITE_TEXELS] == 0xFFFFFFFF).all()


@pytest.mark.parametrize("damage", ["short", "flipped", "version", "empty", "missing"])
def test_a_damaged_file_is_refused_and_leaves_nothing(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "a"
    save(path, chain(2))
    data = bytearray(path.read_bytes())
    if damage == "short":
        del data[-PAGE:]
    elif damage == "flipped":
        data[PAGE + 100] ^= 1
    elif damage == "version":
        data[16] ^= 1
    elif damage == "empty":
        data.clear()
    path.write_bytes(data)
    if damage == "missing":
        os.unlink(path)
    store = TexelStore(1 << 20)
    assert store.map(path) is None
    assert store.nbytes == 0
    wanted = chain(3)
    first = store.put(wanted)  # where the refused file had been
    assert (store.texels[first : first + len(wanted.texels)] == wanted.texels).all()


def test_places_are_used_again_and_never_overlap(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    store = TexelStore(1 << 20)
    held: dict[int, Chain] = {}
    for turn in range(60):
        made = chain(turn, int(rng.integers(0, 8)), int(rng.integers(0, 8)))
        if turn % 2:
            save(tmp_path / f"{turn}", made)
            found = store.map(tmp_path / f"{turn}")
            assert found is not None
            held[found[0]] = made
        else:
            held[store.put(made)] = made
        if len(held) > 8:
            gone = sorted(held)[int(rng.integers(0, len(held)))]
            store.drop(gone)
            del held[gone]
        for first, each in held.items():
            assert (store.texels[first : first + len(each.texels)] == each.texels).all()
    for first in list(held):
        store.drop(first)
    assert store.nbytes == 0
    with pytest.raises(MemoryError):
        store._place(1 << 40)
