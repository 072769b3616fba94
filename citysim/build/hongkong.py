"""Hong Kong: the Lands Department's territory-wide mesh and its 3D Pedestrian Network as a city package."""

import json
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from citysim.build.terms import Terms
from citysim.build.tiles import download_folder, import_tiles
from citysim.errors import InputError
from citysim.geo import uris
from citysim.geo.arcgis import FORMATS, Bbox, fetch_lines
from citysim.geo.downloads import Download, refuse_odd_urls
from citysim.geo.http import HttpSource

TILES_URL = "https://data.map.gov.hk/api/3d-data/3dtiles/f2/tileset.json"
"""3D Visualisation Map (mesh from photographs); portal.csdi.gov.hk/csdi-webpage/apidoc/3d-visualisation-map-api."""

NETWORK_URL = "https://portal.csdi.gov.hk/server/rest/services/common/landsd_rcd_1637222018065_52265/FeatureServer/0"
"""Layer PedestrianRoute of the 3D Pedestrian Network; the same as one GeoJSON file is at NETWORK_FILE_URL."""

NETWORK_FILE_URL = (
    "https://portal.csdi.gov.hk/csdi-webpage/file-api"
    "?dataset_id=landsd_rcd_1637222018065_52265&format=geojson&layer_name=PedestrianRoute"
)

TERRITORY: Bbox = (113.82, 22.13, 114.45, 22.58)
MOST_MISSING = 0.2  # more failures than that are not a few bad tiles
TERMS = Terms(
    licence="DATA.GOV.HK and CSDI terms of use: free of charge, commercial or not, with attribution",
    attribution="(c) Government of the Hong Kong SAR, Lands Department (3D Visualisation Map, 3D Pedestrian Network)",
    most_missing=MOST_MISSING,
)


@dataclass(frozen=True, slots=True)
class HongKongService:
    """Where the data come from. The key goes to the host of `tiles_url` only; the services also answer without one."""

    tiles_url: str = TILES_URL
    network_url: str = NETWORK_URL
    network_form: str = "geojson"
    key: str = ""

    def __post_init__(self) -> None:
        refuse_odd_urls(self.tiles_url, *([self.network_url] if self.network_url else []))
        if self.network_form not in FORMATS:
            raise InputError("geojson or json as the network's form", repr(self.network_form), "geojson")


def fetch_hongkong(
    out: Path,
    bbox: Bbox,
    service: HongKongService | None = None,
    *,
    height_offset_m: float | None = None,
    downloads: Path | None = None,
    offline: bool = False,
    attempts: int = 4,
    name: str | None = None,
) -> Path:
    """Download the tiles and the network of a bbox (west, south, east, north in degrees) and make a city package.

    Tiles are WGS84, the network's heights above Hong Kong's principal datum: `height_offset_m` is added to these, None
    estimates it from the surfaces under the network; city.json says which. An empty `network_url` leaves the network
    out. Everything read stays in `downloads` (default: in the cache folder), where a stopped call goes on; `offline`
    uses nothing else. The package itself needs no network ever after. Tiles that cannot be had are left out and named
    in city.json with the reason, up to a fifth of them.
    Raises InputError for a bbox outside the territory, StorageError for what cannot be had.
    """
    service = service or HongKongService()
    west, south, east, north = bbox
    if not (west < east and south < north):
        raise InputError("a bbox of west, south, east, north in degrees", f"{bbox}", "--bbox 114.15,22.28,114.16,22.29")
    if service.tiles_url == TILES_URL and not (
        west < TERRITORY[2] and east > TERRITORY[0] and south < TERRITORY[3] and north > TERRITORY[1]
    ):
        raise InputError(f"a bbox in Hong Kong, {TERRITORY}", f"{bbox}", "--bbox 114.15,22.28,114.16,22.29")
    params = {"key": service.key} if service.key else {}
    with ExitStack() as stack:

        def source(url: str, params: dict[str, str]) -> Download:
            folder = (downloads / uris.host(url).replace(":", "_")) if downloads else download_folder(url)
            web = None if offline else HttpSource(params=params, root=url, attempts=attempts)
            made = Download(folder, web)
            stack.callback(made.close)
            return made

        tiles = source(service.tiles_url, params)
        network = lines = None
        if service.network_url:
            lines = source(service.network_url, {})
            features = fetch_lines(lines, service.network_url, bbox, form=service.network_form)
            network = lines.folder / "network.geojson"
            network.parent.mkdir(parents=True, exist_ok=True)
            network.write_text(json.dumps({"type": "FeatureCollection", "features": features}), encoding="utf-8")
        made = import_tiles(
            service.tiles_url,
            out,
            network=network,
            height_offset_m=0.0 if network is None and height_offset_m is None else height_offset_m,
            bbox=bbox,
            name=name,
            allow_missing=True,
            source=tiles,
            terms=TERMS,
        )
        if lines is not None:
            lines.finish()
        return made
