"""Wall: drawing on a facade in its own coordinates (u along, z up, out in front)."""

from collections.abc import Sequence

import numpy as np

from citysim.build.draft import CityDraft
from citysim.build.facade import Facade
from citysim.build.mesh import Detail
from citysim.build.props.model import Model, Uv


class Wall:
    """Collects what is put on one facade under one label."""

    def __init__(self, facade: Facade) -> None:
        self.facade = facade
        self.model = Model(Detail.FINE)

    def point(self, u: float, z: float, out: float) -> tuple[float, float, float]:
        """Local metres of a point `u` along the wall, at height z, `out` metres in front."""
        x, y = self.facade.at(u, out)
        return x, y, z

    def panel(
        self,
        u: tuple[float, float],
        z: tuple[float, float],
        out: float,
        *,
        uv: Uv | None = None,
        material: str = "paint",
        color: str = "#ffffff",
        sill: tuple[float, float] | None = None,
    ) -> None:
        """A rectangle facing outwards; `sill` gives other lower heights at its left and right end."""
        low = sill or (z[0], z[0])
        p = self.point
        corners = [p(u[0], low[0], out), p(u[1], low[1], out), p(u[1], z[1], out), p(u[0], z[1], out)]
        self.model.quad(corners, uv, material=material, color=color)

    def panels(
        self, patches: Sequence[tuple[tuple[float, float, float, float], Uv]], out: float, material: str
    ) -> None:
        """Many rectangles facing outwards in one plane: ((u0, z0, u1, z1), uv) each."""
        boxes = np.array([box for box, _ in patches])
        uvs = np.array([uv for _, uv in patches])
        (ax, ay), (bx, by), (nx, ny) = self.facade.a, self.facade.b, self.facade.normal
        t = boxes[:, [0, 2, 2, 0]] / self.facade.length
        x, y = ax + (bx - ax) * t + nx * out, ay + (by - ay) * t + ny * out
        points = np.stack([x, y, boxes[:, [1, 1, 3, 3]]], axis=2).reshape(-1, 3)
        where = np.stack([uvs[:, [0, 2, 2, 0]], uvs[:, [3, 3, 1, 1]]], axis=2).reshape(-1, 2)
        first = 4 * np.arange(len(boxes))[:, None]
        faces = np.concatenate([first + np.array([0, 1, 2]), first + np.array([0, 2, 3])], axis=1).reshape(-1, 3)
        self.model.add(points, faces, where, material=material)

    def box(
        self,
        u: tuple[float, float],
        z: tuple[float, float],
        out: tuple[float, float],
        *,
        material: str = "paint",
        color: str = "#ffffff",
        faces: str = "flrtd",
    ) -> None:
        """A box on the wall: f front, l left, r right, t top, d underside."""
        (u0, u1), (z0, z1), (o0, o1) = u, z, out
        p = self.point
        quads = {
            "f": (p(u0, z0, o1), p(u1, z0, o1), p(u1, z1, o1), p(u0, z1, o1)),
            "l": (p(u0, z0, o0), p(u0, z0, o1), p(u0, z1, o1), p(u0, z1, o0)),
            "r": (p(u1, z0, o1), p(u1, z0, o0), p(u1, z1, o0), p(u1, z1, o1)),
            "t": (p(u0, z1, o1), p(u1, z1, o1), p(u1, z1, o0), p(u0, z1, o0)),
            "d": (p(u0, z0, o0), p(u1, z0, o0), p(u1, z0, o1), p(u0, z0, o1)),
        }
        self.model.quads([quads[face] for face in faces], material=material, color=color)

    def stand(self, draft: CityDraft, label: int) -> tuple[float, ...]:
        """Add everything to the draft under an object id; returns the bounds."""
        return self.model.stand(draft, (0.0, 0.0, 0.0), 0.0, label)
