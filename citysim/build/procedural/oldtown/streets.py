"""Streets of the old town: gates' streets that lead to the square, bending lanes round it, a street along the quay."""

import itertools
import math
from dataclasses import dataclass

import networkx as nx

from citysim.build.chance import Chance
from citysim.build.plans import Xy
from citysim.build.procedural.district.classes import StreetClass
from citysim.build.procedural.district.graph import StreetGraph
from citysim.build.procedural.naming import Names

GATE = StreetClass("residential", 6.0, 2.2, 2, 2, "zebra", surface="sett")
RING = StreetClass("tertiary", 7.0, 2.8, 2, 3, "signals", parking=True)
QUAY = StreetClass("residential", 6.2, 3.0, 2, 3, "zebra", surface="sett")
LANE = StreetClass("living_street", 4.4, 0.0, 0, 1, "unmarked", surface="sett")
SQUARE = StreetClass("pedestrian", 6.0, 0.0, 0, 1, "unmarked", surface="sett")

GATES = 6
FIRST = 41.0  # radius of the lane round the square, metres
SHORTEST = 13.0  # metres of a street between two junctions
SHARPEST = 0.82  # cosine of the sharpest angle between two streets
RIM = 16.0  # metres that junctions keep from the edge of the map


@dataclass(frozen=True)
class Town:
    """Where things are: the middle of the square, the church's mound, the quay's axis and the river's banks (y)."""

    half: float
    center: Xy
    mound: Xy
    quay: float
    bank: float
    far: float

    def level(self, xy: Xy) -> float:
        """Height of the ground at a junction, metres."""
        away = math.dist(xy, self.mound) / 118.0
        t = max(1.0 - away, 0.0)
        rise = 3.4 * t * t * (3.0 - 2.0 * t)
        z = 3.2 + 0.02 * max(xy[1] - self.quay, 0.0) + rise
        return round(z * 64) / 64


def found(half: float, chance: Chance) -> Town:
    """Lay out the town on a square of 2 x `half` metres."""
    size = 2 * half
    far, bank = -half + max(0.035 * size, 9.0), -half + max(0.1 * size, 24.0)
    quay = bank + 11.0
    center = (round(chance.uniform(-0.03, 0.03, "x") * size), round(quay + 0.44 * (half - quay)))
    turn = chance.uniform(1.9, 2.5, "mound")
    away = min(118.0, 0.52 * half)
    mound = (center[0] + away * math.cos(turn), center[1] + away * math.sin(turn))
    return Town(half, center, mound, quay, bank, far)


def lay_streets(town: Town, graph: StreetGraph, names: Names, chance: Chance) -> None:
    """Add all streets of the town to the graph."""
    web = _web(town, chance)
    _quay(town, web)
    _tidy(web)
    _name(town, web, graph, names)


def _web(town: Town, chance: Chance) -> nx.Graph:
    """Junctions on rings round the square and the pieces of street between them."""
    web = nx.Graph()
    rings: list[tuple[float, int]] = []
    r, n = FIRST, GATES
    while r < 1.45 * town.half:
        rings.append((r, n))
        r += 43.0 + 0.03 * r
        if 2 * math.pi * r / n > 92.0:
            n *= 2
    outer = max((k for k, (r, _) in enumerate(rings) if r < town.half - 22.0), default=0)
    last = len(rings) - 1
    offset = chance.uniform(0.0, 1.0, "turn")
    for k, (r, n) in enumerate(rings):
        bend = offset + 0.16 * math.sin(0.9 * k + 6.0 * offset)
        for j in range(n):
            here = chance.child(f"{k}/{j}")
            main = j % (n // GATES) == 0
            loose = 0.0 if k == 0 else 1.0
            t = 2 * math.pi * (j + loose * here.uniform(-0.14, 0.14, "t") * (0.5 if main else 1.0)) / n + bend
            q = r + loose * here.uniform(-6.0, 6.0, "r")
            xy = (town.center[0] + q * math.cos(t), town.center[1] + q * math.sin(t))
            web.add_node((k, j), xy=(round(xy[0], 2), round(xy[1], 2)), main=main)
    for k, (_, n) in enumerate(rings):
        kind = "square" if k == 0 else "ring" if k == outer else "lane"
        for j in range(n):
            if k in (0, outer) or chance.unit(f"ring/{k}/{j}") < 0.86:
                web.add_edge((k, j), (k, (j + 1) % n), kind=kind, part=f"{kind}/{k}/{(4 * j) // n}")
            if k == last:
                continue
            step = rings[k + 1][1] // n
            main = web.nodes[(k, j)]["main"]
            if main or chance.unit(f"ray/{k}/{j}") < 0.84:
                kind_of = "gate" if main else "lane"
                web.add_edge((k, j), (k + 1, j * step), kind=kind_of, part=f"ray/{j * 840 // n}")
    return web


def _inside(town: Town, xy: Xy) -> bool:
    x, y = xy
    return abs(x) < town.half - RIM and town.quay + 24.0 < y < town.half - RIM


def _quay(town: Town, web: nx.Graph) -> None:
    """Cut the web off at the rim and the quay: gate streets go on to it, everything else ends before."""
    gone = [n for n in web.nodes if not _inside(town, web.nodes[n]["xy"])]
    meets: list[tuple[float, tuple[object, ...]]] = []
    for node in sorted(gone):
        for near in sorted(web.neighbors(node)):
            if near in gone or web.edges[node, near]["kind"] not in ("gate", "ring"):
                continue
            a, b = web.nodes[near]["xy"], web.nodes[node]["xy"]
            exit_, at = _exit(town, a, b)
            if exit_ != "quay" and web.edges[node, near]["kind"] == "ring":
                continue
            new = ("exit", *node, *near)
            web.add_node(new, xy=at, main=True, rim=exit_ != "quay")
            web.add_edge(near, new, **web.edges[node, near])
            if exit_ == "quay":
                meets.append((at[0], new))
    web.remove_nodes_from(gone)
    y = round(town.quay, 2)
    line = [(-town.half, ("west",)), *sorted(meets), (town.half, ("east",))]
    kept = [line[0]]
    for x, node in line[1:]:
        if x - kept[-1][0] < 2 * SHORTEST and node != ("east",):
            web.remove_node(node)
            continue
        kept.append((x, node))
    for x, node in (kept[0], kept[-1]):
        web.add_node(node, xy=(x, y), main=True, rim=True)
    for (_, a), (_, b) in itertools.pairwise(kept):
        web.add_edge(a, b, kind="quay", part="quay")


def _exit(town: Town, a: Xy, b: Xy) -> tuple[str, Xy]:
    """Where the line from inside to outside leaves the town: at the rim, or on the quay's axis."""
    best: tuple[float, str] = (1.0, "rim")
    dx, dy = b[0] - a[0], b[1] - a[1]
    for value, start, step, what in (
        (town.half, a[0], dx, "rim"), (-town.half, a[0], dx, "rim"), (town.half, a[1], dy, "rim"),
        (town.quay, a[1], dy, "quay"),
    ):  # fmt: skip
        if abs(step) > 1e-9 and (t := (value - start) / step) > 0.0 and (t < best[0] or best[0] == 1.0):
            best = (t, what)
    t, what = best
    x, y = a[0] + dx * t, a[1] + dy * t
    return what, (round(min(max(x, -town.half), town.half), 2), round(min(max(y, town.quay), town.half), 2))


def _tidy(web: nx.Graph) -> None:
    """Drop short pieces, sharp forks and dead ends, and what hangs apart from the square."""
    rim = {n for n in web.nodes if web.nodes[n].get("rim")}
    rank = {"quay": 0, "ring": 1, "square": 1, "gate": 2, "lane": 3}

    def weight(edge: tuple[object, object]) -> tuple[int, str]:
        return -rank[web.edges[edge]["kind"]], str(edge)

    for a, b in sorted(web.edges, key=weight):
        if web.edges[a, b]["kind"] == "lane" and math.dist(web.nodes[a]["xy"], web.nodes[b]["xy"]) < SHORTEST:
            web.remove_edge(a, b)
    for node in sorted(web.nodes, key=str):
        x, y = web.nodes[node]["xy"]
        arms = sorted(web.neighbors(node), key=str)
        for i, a in enumerate(arms):
            for b in arms[i + 1 :]:
                if not (web.has_edge(node, a) and web.has_edge(node, b)):
                    continue
                (ax, ay), (bx, by) = web.nodes[a]["xy"], web.nodes[b]["xy"]
                dot = (ax - x) * (bx - x) + (ay - y) * (by - y)
                if dot > SHARPEST * math.dist((x, y), (ax, ay)) * math.dist((x, y), (bx, by)):
                    web.remove_edge(*min(((node, a), (node, b)), key=weight))
    while True:
        loose = [n for n in web.nodes if web.degree(n) < 2 and n not in rim]
        if not loose:
            break
        web.remove_nodes_from(loose)
    home = next((set(p) for p in nx.connected_components(web) if (0, 0) in p), set())
    web.remove_nodes_from([n for n in list(web.nodes) if n not in home])


def _name(town: Town, web: nx.Graph, graph: StreetGraph, names: Names) -> None:
    """Put the web into the street graph with classes and names."""
    classes = {"square": SQUARE, "ring": RING, "gate": GATE, "lane": LANE, "quay": QUAY}
    kinds = {"square": "Square", "ring": "Wall", "gate": "Gate", "lane": "Lane", "quay": "Quay"}
    known: dict[str, str] = {}
    order = sorted(web.edges, key=lambda e: (web.edges[e]["part"], str(e)))
    for a, b in order:
        edge = web.edges[a, b]
        part = "square" if edge["kind"] == "square" else edge["part"]
        if part not in known:
            known[part] = names.street(kinds[edge["kind"]])
        start, end = (graph.node(web.nodes[n]["xy"], rim=bool(web.nodes[n].get("rim"))) for n in (a, b))
        graph.edge(start, end, classes[edge["kind"]], known[part])
