"""Identity: streets, pavements, crossings, parks, squares and water as objects, and which triangle belongs to which."""

from collections import defaultdict

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry import LineString

from citysim.build.adding import plain_sum
from citysim.build.draft import CityDraft
from citysim.build.streets.edges import CROSSINGS
from citysim.build.streets.ground import BRIDGE, GroundMesh
from citysim.build.streets.roads import Roads
from citysim.build.streets.surface import GroundSurface
from citysim.build.streets.walks import Walk

AREA_KINDS = (
    "square",
    "park",
    "garden",
    "grass",
    "scrub",
    "sand",
    "cemetery",
    "playground",
    "pitch",
    "parking",
    "water",
    "platform",
    "construction",
)
ROAD_LABELS = ("carriageway", "lane", "kerb")
WAYSIDE = ("path", "passage")  # ways through an area belong to it
STREET_REACH = 25.0  # metres within which a triangle belongs to a street


def identify(
    draft: CityDraft, mesh: GroundMesh, ground: GroundSurface, roads: Roads, pieces: list[Walk]
) -> NDArray[np.int64]:
    """Add the objects of the ground; the (T,) object ids of its triangles, 0 for none, which `ground` keeps."""
    centers = mesh.corners[:, :, :2].mean(axis=1)
    kinds = np.array([name.split("/")[0] for name in mesh.names])[mesh.label]
    ids = np.zeros(len(centers), dtype=np.int64)
    streets = _streets(draft, ground, roads)
    _nearest(ids, centers, np.isin(kinds, ROAD_LABELS), *streets, STREET_REACH)
    lines, owners = _crossings(draft, ground, pieces)
    _nearest(ids, centers, kinds == "crossing", lines, owners, 8.0)
    _nearest(ids, centers, (kinds == "crossing") & (ids == 0), *streets, STREET_REACH)
    for area in draft.plan.areas:
        if area.kind not in AREA_KINDS:
            continue
        at = area.polygon.representative_point()
        box = area.polygon.bounds
        z = float(ground.height([(at.x, at.y)])[0])
        ident = draft.add_object(
            area.kind,
            (at.x, at.y, z),
            name=area.name,
            bounds=(box[0], box[1], z - 0.5, box[2], box[3], z + 0.5),
            plan_id=area.id,
            area_m2=round(area.polygon.area, 1),
        )
        inside = np.flatnonzero(
            (centers[:, 0] >= box[0])
            & (centers[:, 0] <= box[2])
            & (centers[:, 1] >= box[1])
            & (centers[:, 1] <= box[3])
        )
        shapely.prepare(area.polygon)
        inside = inside[shapely.contains_xy(area.polygon, centers[inside, 0], centers[inside, 1])]
        ids[inside[(kinds[inside] == area.kind) | (np.isin(kinds[inside], WAYSIDE) & (ids[inside] == 0))]] = ident
    _pavements(draft, mesh, ids, np.flatnonzero(kinds == "pavement"), streets)
    ground.ids = ids
    return ids


def _pavements(
    draft: CityDraft,
    mesh: GroundMesh,
    ids: NDArray[np.int64],
    chosen: NDArray[np.int64],
    streets: tuple[list[LineString], list[int]],
) -> None:
    """One pavement a street, of all triangles nearest to it; those of decks are their bridges'."""
    spanning = np.array([name.endswith(BRIDGE) for name in mesh.names])[mesh.label[chosen]]
    chosen = chosen[~spanning]
    nearest = np.zeros(len(ids), dtype=np.int64)
    wanted = np.zeros(len(ids), dtype=bool)
    wanted[chosen] = True
    _nearest(nearest, mesh.corners[:, :, :2].mean(axis=1), wanted, *streets, STREET_REACH)
    for street in np.unique(nearest[nearest > 0]).tolist():
        mine = np.flatnonzero(nearest == street)
        corners = mesh.corners[mine]
        (west, south, low), (east, north, high) = corners.min(axis=(0, 1)).tolist(), corners.max(axis=(0, 1)).tolist()
        sides = corners[:, 1:, :2] - corners[:, :1, :2]
        areas = np.abs(sides[:, 0, 0] * sides[:, 1, 1] - sides[:, 0, 1] * sides[:, 1, 0]) / 2
        x, y, z = (round(float(v), 3) for v in corners[int(np.argmax(areas))].mean(axis=0))
        of = draft.objects[street - 1]
        ids[mine] = draft.add_object(
            "pavement",
            (x, y, z),
            name=of.name,
            bounds=(west, south, low, east, north, high),
            parent=street,
            plan_id=f"pavement/{of.attributes['source']}",
            area_m2=round(float(areas.sum()), 1),
        )


def _nearest(
    ids: NDArray[np.int64],
    centers: NDArray[np.float64],
    chosen: NDArray[np.bool_],
    lines: list[LineString],
    owners: list[int],
    reach: float,
) -> None:
    index = np.flatnonzero(chosen)
    if not lines or not len(index):
        return
    tree = shapely.STRtree(lines)
    found = tree.query_nearest(shapely.points(centers[index]), max_distance=reach, all_matches=False)
    ids[index[found[0]]] = np.array(owners)[found[1]]


def _streets(draft: CityDraft, ground: GroundSurface, roads: Roads) -> tuple[list[LineString], list[int]]:
    by_name: dict[tuple[str, str], list[LineString]] = defaultdict(list)  # lanes without a name stand for themselves
    for way, line in roads.ways:
        by_name[(way.name, "" if way.name else way.id)].append(line)
    lines, owners = [], []
    for name, source in sorted(by_name):
        parts = by_name[name, source]
        longest = max(parts, key=lambda part: (part.length, part.coords[0]))
        middle = longest.interpolate(0.5, normalized=True)
        z = float(ground.height([(middle.x, middle.y)])[0])
        box = shapely.total_bounds(parts)
        ident = draft.add_object(
            "street",
            (middle.x, middle.y, z),
            name=name,
            bounds=(float(box[0]), float(box[1]), z - 0.5, float(box[2]), float(box[3]), z + 0.5),
            plan_id=source or f"street/{name}",
            length_m=round(plain_sum(part.length for part in parts), 1),
        )
        lines += parts
        owners += [ident] * len(parts)
    return lines, owners


def _crossings(draft: CityDraft, ground: GroundSurface, pieces: list[Walk]) -> tuple[list[LineString], list[int]]:
    by_source: dict[str, list[Walk]] = defaultdict(list)
    for piece in pieces:
        if piece.feature in CROSSINGS and piece.source != "link":
            by_source[piece.source].append(piece)
    lines, owners = [], []
    kinds = {30: "signals", 31: "zebra", 32: "unmarked", 33: "other"}
    for source in sorted(by_source):
        parts = [piece.line for piece in by_source[source]]
        box = shapely.total_bounds(parts)
        x, y = float(box[0] + box[2]) / 2, float(box[1] + box[3]) / 2
        z = float(ground.height([(x, y)])[0])
        ident = draft.add_object(
            "crossing",
            (x, y, z),
            name=by_source[source][0].name,
            bounds=(float(box[0]), float(box[1]), z - 0.1, float(box[2]), float(box[3]), z + 0.2),
            plan_id=source,
            crossing=kinds[by_source[source][0].feature],
        )
        lines += parts
        owners += [ident] * len(parts)
    return lines, owners
