"""build_streets: the order in which ground, structures and network come about."""

import numpy as np
import shapely

from citysim.build.draft import CityDraft
from citysim.build.streets.edges import chains, edge, lifted
from citysim.build.streets.ground import ground_mesh
from citysim.build.streets.kerbs import Kerbs
from citysim.build.streets.partition import cells, layers
from citysim.build.streets.paving import lay
from citysim.build.streets.roads import Roads
from citysim.build.streets.sidewalks import door_links, node_crossings, pavement_lines, square_links
from citysim.build.streets.site import Site
from citysim.build.streets.surface import GroundSurface
from citysim.build.streets.terrain import Terrain
from citysim.build.streets.walks import Walk, mapped_walks, nudged_nodes
from citysim.build.streets.weave import component_links, loose_end_links, noded, pruned

LEAST_PART = 60.0  # metres: separate parts of the network shorter than this are dropped


def build_streets(draft: CityDraft) -> GroundSurface:
    """Build ground, streets, stairs, bridges, tunnels and barriers of the draft's plan, and its walkable network.

    Adds meshes to draft.mesh, streets, crossings, parks, water, stairs and bridges to draft.objects, lines to
    draft.edges and what could not be built to draft.warnings. Returns the ground every later builder stands on.
    """
    plan = draft.plan
    site = Site.of(plan)
    roads = Roads.of(site)
    terrain = Terrain.flat(plan.bounds)
    nodes = nudged_nodes(site, plan)
    openings = shapely.MultiPolygon()
    pieces = network_pieces(draft, site, roads, nodes, set())
    kerbs = Kerbs.of(roads, pieces)
    mesh = ground_mesh(cells(site, layers(site, roads, pieces, openings), kerbs, terrain), kerbs, terrain, {})
    ground = GroundSurface(mesh.corners, mesh.label, mesh.names, terrain)
    lay(draft, mesh, np.zeros(len(mesh.label), dtype=np.int64))
    for number, walk in enumerate(chains(pieces, set()), start=1):
        draft.edges.append(edge(number, walk, lifted(walk.line, ground.height)))
    return ground


def network_pieces(
    draft: CityDraft, site: Site, roads: Roads, nodes: dict[int, tuple[float, float]], fixed: set[tuple[int, int]]
) -> list[Walk]:
    """All walks on the ground, noded and joined; `fixed` are addresses where structures end."""
    walks = mapped_walks(site, roads, nodes)
    walks += pavement_lines(site, roads, walks)
    walks += node_crossings(site, roads, walks)
    walks = [w for w in walks if site.bounds.intersects(w.line)]
    pieces = noded(walks)
    pieces = noded(pieces + loose_end_links(site, pieces, fixed) + square_links(site, pieces))
    for _ in range(3):
        links = component_links(site, pieces)
        if not links:
            break
        pieces = noded(pieces + links)
    doors, missed = door_links(site, roads, pieces)
    pieces = noded(pieces + doors)
    pieces, lost = pruned(pieces, LEAST_PART, fixed)
    if missed:
        draft.warnings.append(f"{missed} doors without a clear line to a walking line")
    if lost:
        draft.warnings.append(f"{lost:.0f} m of walking lines in small separate parts dropped")
    return pieces
