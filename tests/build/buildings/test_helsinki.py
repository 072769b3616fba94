"""All buildings of the real extract, on level ground."""

from pathlib import Path

import numpy as np
import pytest

from citysim.build.mesh import Detail
from citysim.build.osm.plan import plan_from_osm
from tests.build.buildings.street import built, texels_per_metre


@pytest.mark.slow
def test_real_buildings_within_budget(shared_data: Path) -> None:
    plan = plan_from_osm(shared_data / "osm-helsinki" / "Helsinki.osm.pbf")
    draft, facades = built(plan)
    outlines = [b for b in plan.buildings if b.parent is None]
    buildings = [o for o in draft.objects if o.category == "building"]
    assert len(buildings) >= 0.98 * len(outlines)
    assert draft.mesh.triangle_count <= 260_000
    assert len(facades) > 4 * len(buildings)
    assert all(np.isfinite(p.positions).all() for p in draft.mesh.parts)
    given = {e.id for b in plan.buildings for e in b.entrances}
    found = {o.attributes["source"] for o in draft.objects if o.category == "entrance"}
    assert len(given & found) >= 0.97 * len(given)
    near = (Detail.ALL, Detail.MIDDLE)
    walls = [p for p in draft.mesh.parts if p.material.startswith("facade/") and p.detail in near]
    for part in walls:
        edges = part.positions[part.triangles]
        sides = np.linalg.norm(np.roll(edges, 1, axis=1) - edges, axis=2)
        singular = texels_per_metre(draft, part)[sides.min(axis=1) > 0.05]
        assert singular.max(initial=64.0) <= 64.0 * 1.25
        assert singular.min(initial=64.0) >= 64.0 * 0.79
