"""A small city served the way Hong Kong's services are documented to answer, quirks included."""

import io
import json
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.geo.frames import LocalFrame
from tests.geo.content.samples import GltfMaker, b3dm
from tests.geo.web import Reply, Request

FRAME = LocalFrame(114.17, 22.3, 0.0)
OFFSET_M = -2.35  # WGS84 height less height above the principal datum
KEY = "SECRET-KEY"
BLOCK_M = 100.0  # side of a leaf tile
BLOCKS = 4  # a side of each middle tileset
MIDDLES = 17
TILES_PATH = "/api/3d-data/3dtiles/f2"
LAYER_PATH = "/server/rest/services/common/landsd_rcd_1637222018065_52265/FeatureServer/0"
FILE_PATH = "/csdi-webpage/file-api"
TRANSLATION = np.array([-2_387_000.0, 5_407_000.0, 2_388_000.0])
"""Pure translation, as of the real tileset 11: tile axes stay parallel to the Earth-centred ones."""


def ground_up(east: Any, north: Any) -> Any:
    """Ellipsoidal height of the ground, metres."""
    return 8.0 + 0.03 * np.asarray(east) + 2.0 * np.sin(np.asarray(north) / 60.0)


def jpeg(color: tuple[int, int, int]) -> bytes:
    from PIL import Image

    out = io.BytesIO()
    Image.new("RGB", (64, 64), color).save(out, format="JPEG", quality=90)
    return out.getvalue()


@dataclass
class HongKong:
    """Answers requests; `broken` maps paths to other replies, `coded` says whether coded values come as names."""

    middles: int = MIDDLES
    image: tuple[bytes, str] = field(default_factory=lambda: (jpeg((120, 110, 100)), "image/jpeg"))
    broken: dict[str, Reply] = field(default_factory=dict)
    names: bool = False
    page: int = 7

    def __post_init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self._tree()
        self.features = network()

    def __call__(self, request: Request) -> Reply:
        if request.path in self.broken:
            return self.broken[request.path]
        if request.path.startswith(TILES_PATH):
            if request.query.get("key") != KEY:
                return Reply(status=401)
            body = self.files.get(request.path.removeprefix(TILES_PATH + "/"))
            if body is None:
                return Reply(status=404)
            etag = f'"{len(body)}"'
            if request.headers.get("if-none-match") == etag:
                return Reply(status=304)
            return Reply(body, headers={"ETag": etag})
        if "key" in request.query:
            return Reply(status=400)  # the key was none of this host's business
        if request.path == LAYER_PATH:
            return _json({"name": "PedestrianRoute", "maxRecordCount": self.page})
        if request.path == LAYER_PATH + "/query":
            return self._query(request.query)
        if request.path == FILE_PATH and request.query.get("format") == "geojson":
            return _json({"type": "FeatureCollection", "features": [self._geojson(f) for f in self.features]})
        return Reply(status=404)

    def _query(self, query: dict[str, str]) -> Reply:
        if query.get("outSR") != "4326" or query.get("returnZ") != "true" or query.get("outFields") != "*":
            return _json({"error": {"code": 400, "message": "Invalid query parameters"}})
        first, count = int(query.get("resultOffset", 0)), min(int(query["resultRecordCount"]), self.page)
        rows = self.features[first : first + count]
        more = first + count < len(self.features)
        if query["f"] == "geojson":
            body: dict[str, Any] = {"type": "FeatureCollection", "features": [self._geojson(f) for f in rows]}
            return _json(body | ({"properties": {"exceededTransferLimit": True}} if more else {}))
        esri = [
            {"attributes": self._attributes(f, "Shape__Length"), "geometry": {"hasZ": True, "paths": [f["line"]]}}
            for f in rows
        ]
        reference = {"wkid": 4326, "latestWkid": 4326}
        body = {"geometryType": "esriGeometryPolyline", "hasZ": True, "spatialReference": reference, "features": esri}
        return _json(body | ({"exceededTransferLimit": True} if more else {}))

    def _geojson(self, feature: dict[str, Any]) -> dict[str, Any]:
        geometry = {"type": "LineString", "coordinates": feature["line"]}
        properties = self._attributes(feature, "SHAPE_Length")
        return {"type": "Feature", "id": feature["codes"]["OBJECTID"], "geometry": geometry, "properties": properties}

    def _attributes(self, feature: dict[str, Any], length: str) -> dict[str, Any]:
        values = feature["named"] if self.names else feature["codes"]
        return {**values, "Gradient": feature["gradient"], length: feature["length"]}

    def _tree(self) -> None:
        """ADD root in absolute coordinates over external tilesets, these over external leaf tilesets."""
        children = []
        for number in range(1, self.middles + 1):
            east, north = 450.0 * ((number - 1) % 5), 450.0 * ((number - 1) // 5)
            box = _box(east, north, BLOCKS * BLOCK_M, np.zeros(3))
            entry = {"boundingVolume": {"box": box}, "geometricError": 160.0}
            children.append({**entry, "content": {"uri": f"{number}/tileset.json"}})
            self._middle(number, east, north)
        whole = {"boundingVolume": {"box": _box(0.0, 0.0, 2300.0, np.zeros(3))}, "geometricError": 10_000.0}
        root = {**whole, "refine": "ADD", "children": children}
        copyright_ = "The Government of the Hong Kong SAR, Lands Department"
        asset = {"version": "1.1", "copyright": copyright_, "gltfUpAxis": "Y"}
        self._put("tileset.json", {"asset": asset, "geometricError": 20_000.0, "root": root})

    def _middle(self, number: int, east: float, north: float) -> None:
        children = []
        name = f"Tile_{number}_{number + 5}_L4.json"
        box = _box(east, north, BLOCKS * BLOCK_M, TRANSLATION)
        # a reference with "../" and "./", as the real ones have
        uri = f"../{number}/./Data/temp0/{name}"
        children.append({"boundingVolume": {"box": box}, "geometricError": 81.9, "content": {"uri": uri}})
        transform = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, *TRANSLATION.tolist(), 1]
        root = {"boundingVolume": {"box": box}, "geometricError": 160.0, "refine": "ADD", "transform": transform}
        document = {"asset": {"version": "1.0"}, "geometricError": 160.0, "root": {**root, "children": children}}
        self._put(f"{number}/tileset.json", document)
        self._leaf(f"{number}/Data/temp0", name, east, north)

    def _leaf(self, folder: str, name: str, east: float, north: float) -> None:
        """A leaf tileset: no transform of its own, one coarse tile replaced by finer ones."""
        side = BLOCKS * BLOCK_M
        coarse = name.replace(".json", ".b3dm")
        self.files[f"{folder}/{coarse}"] = self._tile(east, north, side, 8)
        children = []
        for row in range(BLOCKS):
            for column in range(BLOCKS):
                e, n = east + column * BLOCK_M, north + row * BLOCK_M
                fine = coarse.replace("_L4", f"_{column}_{row}_L21")
                self.files[f"{folder}/{fine}"] = self._tile(e, n, BLOCK_M, 10)
                volume = {"box": _box(e, n, BLOCK_M, TRANSLATION)}
                children.append({"boundingVolume": volume, "geometricError": 0.0, "content": {"uri": f"./{fine}"}})
        volume = {"box": _box(east, north, side, TRANSLATION)}
        root = {"boundingVolume": volume, "geometricError": 81.9, "refine": "REPLACE", "content": {"uri": coarse}}
        asset = {"version": "1.0", "gltfUpAxis": "Y"}
        self._put(f"{folder}/{name}", {"asset": asset, "geometricError": 81.9, "root": {**root, "children": children}})

    def _tile(self, east: float, north: float, side: float, cells: int) -> bytes:
        """A b3dm: one mesh, one unlit material whose texture points at its image through core `source`."""
        steps = np.linspace(0.0, side, cells + 1)
        e, n = (a.ravel() for a in np.meshgrid(east + steps, north + steps))
        points = np.stack([e, n, ground_up(e, n)], axis=1)
        i = (np.arange(cells)[:, None] * (cells + 1) + np.arange(cells)).ravel()
        faces = np.concatenate([np.stack([i, i + 1, i + cells + 2], 1), np.stack([i, i + cells + 2, i + cells + 1], 1)])
        if side == BLOCK_M:
            points, faces = _with_block(points, faces, east + 60.0, north + 60.0)
        tile = FRAME.to_ecef(points) - TRANSLATION
        center = np.round(tile.mean(axis=0))
        up_y = (tile - center)[:, [0, 2, 1]] * (1.0, 1.0, -1.0)
        maker = GltfMaker()
        uvs = np.stack([(points[:, 0] - east) / side, (points[:, 1] - north) / side], axis=1)
        maker.primitive(up_y.astype("<f4"), faces.astype("<u2"), TEXCOORD_0=uvs.astype("<f4"))["material"] = 0
        data, mime = self.image
        maker.array(np.frombuffer(data, "<u1"))
        view = maker.gltf["accessors"].pop()["bufferView"]
        pbr = {"baseColorTexture": {"index": 0}}
        maker.gltf |= {
            "extensionsUsed": ["KHR_materials_unlit"],
            "materials": [{"pbrMetallicRoughness": pbr, "extensions": {"KHR_materials_unlit": {}}}],
            "textures": [{"source": 0}],
            "images": [{"bufferView": view, "mimeType": mime}],
        }
        return b3dm(maker.glb(), {"BATCH_LENGTH": 0, "RTC_CENTER": center.tolist()})

    def _put(self, name: str, document: dict[str, Any]) -> None:
        self.files[name] = json.dumps(document).encode()


def network() -> list[dict[str, Any]]:
    """Ways over the first block: heights above the principal datum, a footbridge and a subway among them."""
    rows: list[tuple[list[tuple[float, float, float]], dict[str, Any], dict[str, Any]]] = []

    def way(points: list[tuple[float, float]], code: int, name: str, lift: float = 0.0, **more: Any) -> None:
        line = [(e, n, float(ground_up(e, n)) - OFFSET_M + lift) for e, n in points]
        rows.append((line, {"FeatureType": code, **more}, {"FeatureType": name, **_named(more)}))

    for n in range(5, 395, 26):
        way(
            [(float(e), float(n)) for e in range(2, 390, 23)],
            1,
            "Footway",
            Location=1,
            WheelchairBarrier=2,
            Direction=0,
        )
    way([(10.0, 10.0), (10.0, 390.0)], 2, "Footbridge", 6.0, Location=1, WheelchairBarrier=1, Direction=0)
    way([(20.0, 10.0), (20.0, 390.0)], 4, "Subway", -5.0, Location=2, WheelchairBarrier=2, Direction=0)
    way([(30.0, 10.0), (36.0, 10.0)], 8, "Escalator", Location=1, WheelchairBarrier=1, Direction=-1)
    features = []
    for number, (line, codes, named) in enumerate(rows, 1):
        flat = np.hypot(*np.diff(np.array(line)[:, :2], axis=0).T).sum()
        gradient = float(np.arctan2(abs(line[-1][2] - line[0][2]), flat))  # radians, unsigned
        common = {"OBJECTID": number, "PedestrianRouteID": 200_000_000 + number, "Enabled": 1, "AliasNameEN": None}
        geodetic = [[*_degrees(e, n), up] for e, n, up in line]
        features.append(
            {
                "line": geodetic,
                "gradient": gradient,
                "length": float(flat),
                "codes": {**common, **codes},
                "named": {**common, "Enabled": "True", **named},
            }
        )
    return features


def _named(more: dict[str, Any]) -> dict[str, Any]:
    names = {
        "Location": {1: "Outdoor", 2: "Indoor"},
        "WheelchairBarrier": {1: "True", 2: "False"},
        "Direction": {0: "Both Ways", -1: "One Way Backward"},
    }
    return {key: names[key][value] for key, value in more.items()}


def _degrees(east: float, north: float) -> tuple[float, float]:
    lon, lat, _ = FRAME.to_geodetic(np.array([east, north, 0.0]))
    return float(lon), float(lat)


def _box(east: float, north: float, side: float, origin: NDArray[np.float64]) -> list[float]:
    """An oriented box in Earth-parallel axes less `origin`, around a square of the local frame."""
    middle = FRAME.to_ecef(np.array([east + side / 2, north + side / 2, 20.0])) - origin
    turn = FRAME.matrix[:3, :3]
    half = side / 2 + 5.0
    return [
        *middle.tolist(),
        *(turn[:, 0] * half).tolist(),
        *(turn[:, 1] * half).tolist(),
        *(turn[:, 2] * 60.0).tolist(),
    ]


def _with_block(
    points: NDArray[np.float64], faces: NDArray[np.int64], east: float, north: float
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """A flat roof 20 m x 20 m, 30 m up: it must not mislead the estimate of the height offset."""
    up = float(ground_up(east, north)) + 30.0
    corners = [(east, north, up), (east + 20, north, up), (east + 20, north + 20, up), (east, north + 20, up)]
    first = len(points)
    return np.vstack([points, corners]), np.vstack(
        [faces, [(first, first + 1, first + 2), (first, first + 2, first + 3)]]
    )


def _json(value: dict[str, Any]) -> Reply:
    return Reply(json.dumps(value).encode(), headers={"Content-Type": "application/json"})
