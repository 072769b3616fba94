"""Cutting ways at the border of the plan and at nodes that the extract lacks."""

from dataclasses import dataclass, field

from citysim.build.osm.localmap import LATTICE, LocalMap
from citysim.build.plans import Xy

Run = list[int]


@dataclass
class Clipper:
    """Cuts chains of nodes; border nodes get negative ids in the order in which they are made."""

    source: LocalMap
    border: dict[int, Xy] = field(default_factory=dict)
    _made: dict[tuple[int, int, int], int] = field(default_factory=dict)

    def runs(self, refs: tuple[int, ...], name: str) -> list[Run]:
        """The pieces of a way inside the bounds, each of two or more nodes, no two neighbours at one spot."""
        pieces: list[Run] = []
        current: Run = []
        if any(ref not in self.source.xy for ref in refs):
            self.source.faults.add("way with absent nodes cut", name)
        for ref in refs:
            if ref not in self.source.xy:
                pieces.append(current)
                current = []
            elif not current or self.source.xy[current[-1]] != self.source.xy[ref]:
                current.append(ref)
        pieces.append(current)
        return [run for piece in pieces for run in self._clip(piece) if len(run) >= 2]

    def at(self, node: int) -> Xy:
        """Where a node of a run lies."""
        return self.border[node] if node in self.border else self.source.xy[node]

    def _clip(self, nodes: Run) -> list[Run]:
        inside = [self.source.inside(self.source.xy[n]) for n in nodes]
        if all(inside):
            return [nodes]
        runs: list[Run] = []
        current: Run = [nodes[0]] if inside[0] else []
        for k in range(1, len(nodes)):
            a, b = nodes[k - 1], nodes[k]
            if inside[k - 1] and inside[k]:
                current.append(b)
                continue
            span = self._span(self.source.xy[a], self.source.xy[b])
            if span is not None:
                if not inside[k - 1]:
                    current = [self._border_node(a, b, 0, span[0])]
                current.append(b if inside[k] else self._border_node(a, b, 1, span[1]))
            if not inside[k] and current:
                runs.append(current)
                current = []
        if current:
            runs.append(current)
        return [self._distinct(run) for run in runs]

    def _distinct(self, run: Run) -> Run:
        kept = run[:1]
        for node in run[1:]:
            if self.at(node) != self.at(kept[-1]):
                kept.append(node)
        return kept

    def _border_node(self, a: int, b: int, which: int, xy: Xy) -> int:
        key = (min(a, b), max(a, b), which if a < b else 1 - which)
        if key not in self._made:
            self._made[key] = -1 - len(self.border)
            self.border[self._made[key]] = xy
        return self._made[key]

    def _span(self, a: Xy, b: Xy) -> tuple[Xy, Xy] | None:
        """The two ends of segment ab within the bounds (Liang-Barsky), or None where it misses them."""
        e0, n0, e1, n1 = self.source.bounds
        de, dn = b[0] - a[0], b[1] - a[1]
        enter, leave = 0.0, 1.0
        for step, room in ((-de, a[0] - e0), (de, e1 - a[0]), (-dn, a[1] - n0), (dn, n1 - a[1])):
            if step == 0.0:
                if room < 0.0:
                    return None
            elif step < 0.0:
                enter = max(enter, room / step)
            else:
                leave = min(leave, room / step)
        if enter >= leave:
            return None
        first, last = ((a[0] + t * de, a[1] + t * dn) for t in (enter, leave))
        return self._held(first), self._held(last)

    def _held(self, xy: Xy) -> Xy:
        """Snapped to the lattice without leaving the bounds (which are on it)."""
        e0, n0, e1, n1 = self.source.bounds
        east, north = round(xy[0] * LATTICE) / LATTICE, round(xy[1] * LATTICE) / LATTICE
        return min(max(east, e0), e1), min(max(north, n0), n1)
