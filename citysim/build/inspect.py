"""What is inside a city package, and whether all of it is sound."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from citysim.build.adding import plain_sum
from citysim.city import City, open_city
from citysim.city.loading import load_objects, load_places, open_tiles
from citysim.city.manifest import DIGESTS, Manifest, read_manifest, verify
from citysim.city.sealing import appearance_of, file_digests, measure_tiles, tree_digest
from citysim.errors import CitySimError
from citysim.geo.network import PedestrianNetwork
from citysim.geo.network_io import read_network

MARGIN_M = 500.0  # how far ways and doors may reach over the bounds: imported networks are not cut exactly
SHOWN = 5  # examples a kind of problem


def package_info(path: Path) -> dict[str, Any]:
    """Names, sizes and counts of a package; raises like `open_city`."""
    city = open_city(path)
    data = read_manifest(path).data
    e0, n0, e1, n1 = city.bounds
    lengths = [float(np.linalg.norm(np.diff(edge.line, axis=0), axis=1).sum()) for edge in city.network.edges]
    categories = Counter(thing.category for thing in city.objects)
    return {
        "name": city.name,
        "title": city.title,
        "source": city.source,
        "licence": city.licence,
        "attribution": city.attribution,
        "origin": {"lon": city.frame.lon, "lat": city.frame.lat, "height": city.frame.height},
        "georeferenced": data.get("placement") is None,
        "placement": data.get("placement_note") or "",
        "bounds_m": [round(v, 1) for v in city.bounds],
        "size_m": [round(e1 - e0, 1), round(n1 - n0, 1)],
        "tiles": sum(tile.has_content for tile in city.tiles),
        "triangles": sum(len(city.chunk(index).triangles) for index in city.finest),
        "materials": len(city.materials),
        "textures": len(city.texture_keys),
        "objects": len(city.objects),
        "categories": dict(sorted(categories.items(), key=lambda item: (-item[1], item[0]))),
        "places": len(city.places),
        "network_edges": len(lengths),
        "network_km": round(plain_sum(lengths) / 1000.0, 3),
        "height_offset_m": data.get("height_offset_m", 0.0),
        "notes": len(data.get("warnings") or ()),
        "missing_tiles": len(data.get("missing") or ()),
        "faults": dict(data.get("faults") or {}),
        "bytes": sum(p.stat().st_size for p in sorted(path.rglob("*")) if p.is_file()),
        "content_sha256": city.content_sha256,
        "appearance_sha256": city.appearance_sha256,
    }


def validate_package(path: Path) -> list[str]:
    """Everything wrong with a package, one sentence each; an empty list for a sound one.

    Every hash is computed again from the decoded data, every reference followed, the network and the georeference
    checked. Never raises for a bad package.
    """
    try:
        manifest = read_manifest(path)
        verify(manifest, thorough=True)
        city = open_city(path)
        problems = _hashes(manifest)
        problems += _objects(manifest, city)
        problems += _places(manifest, city)
        problems += _network(read_network(manifest.path("network"), manifest.frame), city)
        return problems + _georeference(city)
    except CitySimError as error:
        return [str(error)]


def _hashes(manifest: Manifest) -> list[str]:
    """Recorded digests against the decoded data."""
    store = open_tiles(manifest)
    problems = []
    tiles, _ = measure_tiles(store)
    recorded = {str(uri): digest for uri, digest in manifest.content.get("tiles", [])}
    for uri, digest in tiles:
        if recorded.get(uri) != digest:
            problems.append(f"tile '{uri}': its decoded geometry has another hash than {DIGESTS} says")
    problems += [f"tile '{uri}' in {DIGESTS} is not in the tileset" for uri in sorted(recorded.keys() - dict(tiles))]
    if manifest.content.get("tree") != tree_digest(store):
        problems.append(f"the tree of tiles has another hash than {DIGESTS} says")
    appearance = appearance_of(store)
    for key, digest in appearance["textures"].items():
        if (manifest.appearance.get("textures") or {}).get(key) != digest:
            problems.append(f"texture '{key}': its decoded pixels have another hash than {DIGESTS} says")
    for name in ("materials", "keys"):
        if appearance[name] != manifest.appearance.get(name):
            what = "materials" if name == "materials" else "order of textures"
            problems.append(f"the {what} of the tiles is not what {DIGESTS} lists")
    for key in ("network", "places", "objects"):
        if manifest.content.get(key) != manifest.files.get(str(manifest.data[key])):
            problems.append(f"the {key} digest in {DIGESTS} is not that of '{manifest.data[key]}'")
    extra = sorted(file_digests(manifest.root).keys() - manifest.files.keys())
    return problems + [f"file '{name}' is not listed in {DIGESTS}" for name in extra]


def _objects(manifest: Manifest, city: City) -> list[str]:
    objects = load_objects(manifest)
    ids = {thing.id for thing in objects}
    problems = []
    if len(ids) != len(objects):
        problems.append(f"objects: {len(objects) - len(ids)} ids are used more than once")
    if ids and min(ids) < 1:
        problems.append("objects: ids must be 1 or more (0 is the label of nothing)")
    orphans = [o.id for o in objects if o.parent is not None and o.parent not in ids]
    problems += _listed("objects", "name a parent that does not exist", orphans)
    labels = {int(v) for index in city.finest for v in np.unique(city.chunk(index).labels)} - {0}
    return problems + _listed("labels", "in the tiles have no object", sorted(labels - ids))


def _places(manifest: Manifest, city: City) -> list[str]:
    places = load_places(manifest)
    ids = {thing.id for thing in city.objects}
    problems = _listed("places", "share their id", sorted(k for k, n in Counter(p.id for p in places).items() if n > 1))
    lost = [p.id for p in places if any(v is not None and v not in ids for v in (p.building, p.sign))]
    problems += _listed("places", "name a building or sign that does not exist", lost)
    return problems + _listed("places", "lie outside the bounds", [p.id for p in places if _outside(p.entrance, city)])


def _network(network: PedestrianNetwork, city: City) -> list[str]:
    edges = network.edges
    problems = _listed("network edges", "have no length", [e.id for e in edges if not np.ptp(e.line, axis=0).any()])
    repeated = sorted(k for k, n in Counter(e.id for e in edges).items() if n > 1)
    problems += _listed("network edges", "share their id", repeated)
    outside = [e.id for e in edges if all(_outside(point, city) for point in e.line)]
    return problems + _listed("network edges", "lie outside the bounds", outside)


def _georeference(city: City) -> list[str]:
    """Whether the tiles stand where city.json says."""
    e0, n0, e1, n1 = city.bounds
    if not (e1 > e0 and n1 > n0):
        return ["the bounds are empty"]
    away = []
    for index in city.finest:
        chunk = city.chunk(index)
        if len(chunk.positions):
            points = chunk.positions + chunk.origin
            if _outside(points.min(axis=0), city) and _outside(points.max(axis=0), city):
                away.append(city.tiles[index].uri)
            middle = np.linalg.norm((points.min(axis=0) + points.max(axis=0)) / 2.0 - city.tiles[index].center)
            if middle > 2.0 * city.tiles[index].radius + 1.0:
                away.append(f"{city.tiles[index].uri} (bounding volume)")
    return _listed("tiles", "lie outside the bounds or their bounding volumes", away)


def _outside(point: Any, city: City) -> bool:
    e0, n0, e1, n1 = city.bounds
    return not (e0 - MARGIN_M <= point[0] <= e1 + MARGIN_M and n0 - MARGIN_M <= point[1] <= n1 + MARGIN_M)


def _listed(what: str, verb: str, found: list[Any]) -> list[str]:
    """One sentence naming the first few of what was found, none for nothing."""
    names = ", ".join(str(value) for value in found[:SHOWN]) + (", …" if len(found) > SHOWN else "")
    return [f"{what}: {len(found)} {verb}: {names}"] if found else []
