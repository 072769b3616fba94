"""build_streets: the order in which ground, structures and network come about."""

from dataclasses import replace

from citysim.build.adding import plain_sum
from citysim.build.draft import CityDraft
from citysim.build.plans import WayPlan, Xy
from citysim.build.streets.barriers import build_barriers
from citysim.build.streets.cliffs import build_cliffs
from citysim.build.streets.covers import split_at_covers
from citysim.build.streets.decks import build_level, build_well
from citysim.build.streets.edges import chains, edge, level_edges, lifted, overpass_edge, stair_edge
from citysim.build.streets.flights import Flight, ground_flights
from citysim.build.streets.ground import BRIDGE, TERRACE, ground_mesh
from citysim.build.streets.identity import identify
from citysim.build.streets.kerbs import Kerbs
from citysim.build.streets.levels import find_levels
from citysim.build.streets.markings import paint
from citysim.build.streets.overpasses import plan_overpasses
from citysim.build.streets.partition import cells, layers
from citysim.build.streets.paving import lay
from citysim.build.streets.planar import area_of, key_of
from citysim.build.streets.ramps import Body, build_overpass
from citysim.build.streets.rim import build_rim
from citysim.build.streets.roads import Roads
from citysim.build.streets.shafts import build_lift, lift_edges
from citysim.build.streets.shaping import STEP, risen_flights, shaped
from citysim.build.streets.sidewalks import door_links, node_crossings, pavement_lines, square_links
from citysim.build.streets.site import BODY, Site
from citysim.build.streets.spanning import build_spans
from citysim.build.streets.spans import find_decks, risen, spanned
from citysim.build.streets.stairs import build_flight
from citysim.build.streets.surface import GroundSurface
from citysim.build.streets.terraces import Terrace, build_terrace, find_terraces, settled
from citysim.build.streets.terrain import Terrain
from citysim.build.streets.walks import Walk, led_round, mapped_walks, nudged_nodes, stairs_as_paths
from citysim.build.streets.weave import Bond, component_links, loose_end_links, noded, pruned, served

LEAST_PART = 60.0  # metres: separate parts of the network shorter than this are dropped

Keys = tuple[int, int]


def build_streets(draft: CityDraft) -> GroundSurface:
    """Build ground, streets, stairs, bridges, tunnels and barriers of the draft's plan, and its walkable network.

    Adds meshes to draft.mesh, streets, crossings, parks, water, stairs and bridges to draft.objects, lines to
    draft.edges and what could not be built to draft.warnings. Returns the ground every later builder stands on.
    """
    plan = draft.plan
    site = Site.of(plan)
    plan, overpasses, roomless = plan_overpasses(site)
    site = replace(site, plan=plan)
    roads = Roads.of(site)
    nodes = nudged_nodes(site, plan)
    untouched = Terrain.flat(plan.bounds, STEP, plan.terrain)
    levels, grounded, unbuilt = find_levels(site, roads, nodes, untouched, [])
    site = replace(site, grounded=frozenset(grounded))
    decks = find_decks(site)
    base = risen(untouched, decks)
    over = spanned(decks)
    terrain, flights, terraces, walkable = _stairs(
        draft, site, roads, nodes, [f for level in levels for f in level.flights], base
    )
    if levels:
        levels, _, unbuilt = find_levels(site, roads, nodes, terrain, flights)
    if unbuilt:
        length = plain_sum(site.line(way).length for way in unbuilt)
        draft.warnings.append(
            f"{len(unbuilt)} ways above or below ground ({length:.0f} m) without stairs that fit dropped"
        )
    if roomless:
        length = plain_sum(plan.line(way).length for way in roomless)
        draft.warnings.append(f"{len(roomless)} bridges ({length:.0f} m) without room for ramps dropped")
    bodies = [Body.of(o, terrain) for o in overpasses]
    apart = [f for level in levels for f in level.flights]
    lifts = [x for level in levels for x in level.lifts]
    openings = area_of(
        [*(f.outline for f in [*flights, *apart] if not f.raised), *(p for b in bodies for p in b.grounded)]
    )
    taken = area_of(
        [
            *(f.keepout(BODY) for f in [*flights, *apart]),
            *(p for b in bodies for p in b.keepouts),
            *(t.keepout for t in terraces),
            *(x.keepout for x in lifts),
        ]
    )
    bonds = [(key_of(f.foot), key_of(f.head)) for f in [*flights, *apart]]
    bonds += [(key_of(a), key_of(b)) for level in levels for _, a, b in level.stretches]
    bonds += [(key_of(x.ground), key_of(x.deck)) for x in lifts]
    passed = [b.side(track) for b in bodies for track in b.tracks]
    bonds += [(key_of(line[0]), key_of(line[-1])) for line in passed]
    fixed = {key_of(end) for f in flights for end in (f.foot, f.head)}
    fixed |= {key_of(f.foot if f.raised else f.head) for f in apart if f.meets_ground}
    fixed |= {key_of(end) for line in passed for end in (line[0], line[-1])}
    fixed |= {key_of(x.ground) for x in lifts}
    pieces = network_pieces(draft, site.without(taken), roads, walkable, fixed, bonds)
    kerbs = Kerbs.of(roads, pieces)
    raised = {f.way.id for t in terraces for f in t.flights}
    marks = [(BRIDGE, over), *((f"{TERRACE}{k}", t.area) for k, t in enumerate(terraces))]
    ends = [(f.end_edge(False), f.low) for f in flights]
    ends += [(f.end_edge(True), f.high) for f in flights if f.way.id not in raised]
    ends += [(f.end_edge(not f.raised), f.low if f.raised else f.high) for f in apart]
    parts = cells(site, layers(site, roads, pieces, openings, over, [x.outline for x in lifts]), kerbs, terrain, marks)
    mesh = ground_mesh(parts, kerbs, terrain, ends, [t.level for t in terraces])
    ground = GroundSurface(mesh.corners, mesh.label, mesh.names, terrain)
    lay(draft, mesh, build_spans(draft, mesh, terrain, decks, identify(draft, mesh, ground, roads, pieces)))
    paint(draft, ground, roads, pieces)
    build_barriers(draft, site, roads, ground, pieces)
    build_cliffs(draft, site, ground)
    build_rim(draft, site, ground)
    walks = chains(pieces, fixed)
    for walk, line in zip(walks, lifted([w.line for w in walks], ground.height), strict=True):
        draft.edges.append(edge(len(draft.edges) + 1, walk, line))
    reached = served(pieces, bonds)
    for level in levels:
        ident = build_level(draft, level, ground.height, roads, pieces)
        for flight in level.flights:
            if flight.sunken and flight.low == level.z:
                build_well(draft, flight, ground.height, ident)
        if key_of(level.stretches[0][1]) in reached:
            draft.edges += level_edges(len(draft.edges) + 1, level)
    for terrace in terraces:
        build_terrace(draft, site, terrace, ground)
    for body in bodies:
        build_overpass(draft, body, ground.height, roads, pieces)
        for line in body.lines(ground.height):
            if key_of(line[0]) in reached:
                draft.edges.append(overpass_edge(len(draft.edges) + 1, body.overpass.ways[0], line))
    for lift in lifts:
        build_lift(draft, lift, ground.height)
        if key_of(lift.ground) in reached:
            draft.edges += lift_edges(len(draft.edges) + 1, lift, ground.height)
    for flight in [*flights, *apart]:
        build_flight(draft, flight, ground.height)
        if key_of(flight.foot) in reached:
            draft.edges.append(stair_edge(len(draft.edges) + 1, flight))
    return ground


def _stairs(
    draft: CityDraft, site: Site, roads: Roads, nodes: dict[int, Xy], apart: list[Flight], base: Terrain
) -> tuple[Terrain, list[Flight], list[Terrace], list[Walk]]:
    """The terrain, the stairs in it, terraces, and all mapped walks; stairs that find no place become level paths."""
    walks = mapped_walks(site, roads, nodes)
    flights, refused = ground_flights(site, roads, nodes, apart)
    if base.relief is not None:
        flights, lost = risen_flights(flights, base)
        return base, flights, [], walks + _level_paths(draft, site, nodes, flights, refused, lost)
    axes = [*(w.line for w in walks), *(line for _, line in roads.ways)]
    found = find_terraces(site, roads, flights, axes)
    found = [t for t in found if settled(t, base) is not None]
    apart_of = {f.way.id for t in found for f in t.flights}
    flights = [f for f in flights if f.way.id not in apart_of]
    terrain, flights, lost = shaped(site, roads, [w.line for w in walks], flights, base)
    terraces = [t for t in (settled(t, terrain) for t in found) if t is not None]
    flights += [f for t in terraces for f in t.flights]
    paths = _level_paths(draft, site, nodes, flights, refused, lost)
    level = {way.id for way in refused} | {f.way.id for f in lost}
    return terrain, [f for f in flights if f.way.id not in level], terraces, walks + paths


def _level_paths(
    draft: CityDraft, site: Site, nodes: dict[int, Xy], flights: list[Flight], refused: list[WayPlan],
    lost: list[Flight],
) -> list[Walk]:  # fmt: skip
    """Paths in place of the stairs that could not be built."""
    level = {way.id for way in refused} | {f.way.id for f in lost}
    if level:
        total = len(level | {f.way.id for f in flights})
        draft.warnings.append(f"{len(level)} of {total} stairs found no room or no rise and became level paths")
    return stairs_as_paths(site, nodes, level)


def network_pieces(
    draft: CityDraft, site: Site, roads: Roads, mapped: list[Walk], fixed: set[Keys], bonds: list[Bond]
) -> list[Walk]:
    """All walks on the ground, noded and joined; `fixed` are addresses where structures end, `bonds` join them."""
    walks = [walk.along(part) for walk in mapped for part in led_round(walk.line, site)]
    walks += pavement_lines(site, roads, walks)
    walks += node_crossings(site, roads, walks)
    walks = [w for w in walks if site.bounds.intersects(w.line)]
    pieces = noded(walks)
    pieces = noded(pieces + loose_end_links(site, pieces, fixed, roads.low) + square_links(site, pieces))
    for _ in range(3):
        links = component_links(site, pieces, roads.low, bonds)
        if not links:
            break
        pieces = noded(pieces + links)
    doors, missed = door_links(site, roads, pieces)
    pieces = noded(pieces + doors)
    pieces, lost = pruned(pieces, LEAST_PART, bonds)
    if missed:
        draft.warnings.append(f"{missed} doors without a clear line to a walking line")
    if lost:
        draft.warnings.append(f"{lost:.0f} m of walking lines in small separate parts dropped")
    return split_at_covers(site.plan, pieces)
