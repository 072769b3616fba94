"""A small draft made by hand: ground, boxes with two levels of detail, a sign, a place, a way."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from citysim.build.draft import CityDraft, MaterialSpec, Texture
from citysim.build.mesh import Detail
from citysim.build.package import write_package
from citysim.build.plans import CityPlan
from citysim.city import Place
from citysim.geo.frames import LocalFrame
from citysim.geo.network import NetworkEdge

FRAME = LocalFrame(24.94, 60.17, 0.0)
CUBE = [(0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7), (4, 5, 6, 7)]


def make_draft(boxes: int = 12, **plan: Any) -> CityDraft:
    """A draft of 400 m x 400 m; the same call gives the same draft."""
    options: dict[str, Any] = {
        "name": "mini", "title": "Mini", "source": "tests", "licence": "CC0-1.0", "attribution": "nobody",
        "frame": FRAME, "bounds": (-200.0, -200.0, 200.0, 200.0), "seed": 1, "generator": {"kind": "test"}, "nodes": {},
    }  # fmt: skip
    draft = CityDraft(CityPlan(**(options | plan)))
    noise = np.random.default_rng(0).integers(0, 256, (8, 16, 4), dtype=np.uint8)
    draft.texture("stone/grey", lambda: Texture(noise[..., :3]))
    draft.texture("leaf", lambda: Texture(noise))
    draft.material("stone", MaterialSpec("stone/grey"))
    draft.material("leaf", MaterialSpec("leaf", alpha_cutoff=0.5, double_sided=True))
    draft.material("lamp", MaterialSpec(color=(1.0, 0.5, 0.25, 1.0), emissive=(1.0, 1.0, 0.5), unlit=True))
    ground = draft.add_object("ground", (0.0, 0.0, 0.0))
    for east in range(-200, 200, 50):
        for north in range(-200, 200, 50):
            square = [(east, north, 0), (east + 50, north, 0), (east + 50, north + 50, 0), (east, north + 50, 0)]
            draft.mesh.quad(square, "stone", ground, color=(200, 255, 255, 255))
    for number in range(boxes):
        x, y = -170.0 + 31.7 * number, 100.3 * float(np.sin(number))
        box = draft.add_object("box", (x, y, 0.0), name=f"box {number}", parent=ground, floors=number % 4)
        low = [(0, 0, 0), (6, 0, 0), (6, 8, 0), (0, 8, 0)]
        corners = np.array([*low, *((e, n, 9) for e, n, _ in low)]) + np.array([x, y, 0.0])
        for face in CUBE:
            draft.mesh.quad(corners[list(face)], "stone", box)
        knob = corners[[0, 1, 5, 4]] - (0.0, 0.3, 0.0)
        draft.mesh.quad(knob, "leaf" if number % 2 else "lamp", box, Detail.FINE)
        draft.mesh.quad(knob, "lamp", box, Detail.COARSE)
    draft.places.append(Place("p1", "Café", "cafe", (10.0, 20.0, 0.0), building=2, aliases=("Kahvila",)))
    attributes = {"FeatureType": 1, "Location": 1}
    draft.edges.append(NetworkEdge(1, np.array([(-150.0, 0.0, 0.0), (0.0, 0.0, 0.0)]), attributes))
    draft.edges.append(NetworkEdge(2, np.array([(0.0, 0.0, 0.0), (0.0, 150.0, 2.0)]), attributes))
    return draft


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A written package with a cache of its own."""
    monkeypatch.setenv("CITYSIM_CACHE", str(tmp_path / "cache"))
    return write_package(make_draft(), tmp_path / "mini")
