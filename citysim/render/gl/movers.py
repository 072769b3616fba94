"""The moving bodies of a view as one pyrender mesh, posed as the raster renderer poses them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.render.bodies import LAMP_LIGHT, Bodies, BodyMesh, leg_shares
from citysim.render.camera import Camera
from citysim.render.raster.tables import srgb_to_linear

_LINEAR = np.array([round(255.0 * srgb_to_linear(i / 255.0)) for i in range(256)], dtype=np.uint8)


class Movers:
    """Puts bodies into a scene for as long as a view is drawn; `number` is that of their material."""

    def __init__(self, scene: Any, pyrender: Any, number: int) -> None:
        self._scene, self._pyrender, self._number = scene, pyrender, number
        self._materials = [
            pyrender.MetallicRoughnessMaterial(
                baseColorFactor=(1.0, 1.0, 1.0, 0.0),
                emissiveFactor=light,
                metallicFactor=0.0,
                roughnessFactor=0.0,
                alphaMode="OPAQUE",
            )
            for light in ((0.0, 0.0, 0.0), LAMP_LIGHT)
        ]  # fmt: skip

    @contextmanager
    def shown(self, bodies: Bodies | None, camera: Camera) -> Iterator[None]:
        """The bodies that a camera sees stand in the scene inside this block."""
        if bodies is None or not len(bodies):
            yield
            return
        origin = np.round(bodies.place[:, :3].mean(axis=0))
        node = self._scene.add(
            self._pyrender.Mesh(self._primitives(bodies, bodies.seen_by(camera), origin)), pose=_moved(origin)
        )
        try:
            yield
        finally:
            self._scene.remove_node(node)

    def _primitives(self, bodies: Bodies, figures: NDArray[np.int32], origin: NDArray[np.float64]) -> list[Any]:
        """What only reflects, and what shines at night where there is any."""
        points, triangles, colors, labels, lamps = [], [], [], [], []
        gait = (bodies.gait if bodies.gait is not None else np.zeros(len(bodies))).tolist()
        feet = bodies.feet if bodies.feet is not None else [None] * len(bodies)
        first = 0
        for n in range(len(bodies)):
            mesh = bodies.meshes[int(figures[n])]
            points.append(
                posed(mesh, float(bodies.phase[n]), gait[n], bodies.place[n], float(bodies.scale[n]), feet[n]) - origin
            )
            triangles.append(mesh.triangles + first)
            lamps.append(mesh.parts[mesh.triangles[:, 0]] == mesh.lamp)
            colors.append(_LINEAR[bodies.colors[n][mesh.parts]])
            labels.append(np.full(len(mesh.parts), bodies.labels[n]))
            first += len(mesh.parts)
        ids = np.zeros((first, 2), dtype=np.float32)
        ids[:, 0], ids[:, 1] = np.concatenate(labels), self._number
        tints = np.ones((first, 4), dtype=np.float32)
        tints[:, :3] = np.concatenate(colors).astype(np.float32) / 255.0
        corners, shining = np.concatenate(triangles).astype(np.uint32), np.concatenate(lamps)
        return [
            self._pyrender.Primitive(
                positions=np.concatenate(points).astype(np.float32), texcoord_0=np.zeros((first, 2), dtype=np.float32),
                texcoord_1=ids, color_0=tints, indices=corners[chosen], material=material,
            )
            for material, chosen in zip(self._materials, (~shining, shining), strict=True)
            if chosen.any()
        ]  # fmt: skip


def posed(
    mesh: BodyMesh, phase: float, gait: float, place: NDArray[np.float64], scale: float,
    feet: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:  # fmt: skip
    """(V, 3) float64 local metres of a figure at a phase of a gait at (east, north, up, yaw), feet (2, 3) shifted."""
    whole, keys = int(np.floor(phase)), len(mesh.frames) // mesh.cycles
    steady = min(max(gait, 0.0), mesh.cycles - 1.0)
    cycle = int(steady)
    slow, fast = (
        here + (there - here) * np.float32(phase - whole)
        for first in (cycle * keys, min(cycle + 1, mesh.cycles - 1) * keys)
        for here, there in [(mesh.frames[first + whole % keys], mesh.frames[first + (whole + 1) % keys])]
    )
    shape = (slow + (fast - slow) * np.float32(steady - cycle)).astype(np.float64) * scale
    c, s = np.cos(place[3]), np.sin(place[3])
    turned = np.stack([shape[:, 0] * c - shape[:, 1] * s, shape[:, 0] * s + shape[:, 1] * c, shape[:, 2]], axis=1)
    if feet is not None:
        turned = turned + leg_shares(mesh) @ feet
    return np.asarray(turned + place[:3], dtype=np.float64)


def _moved(origin: NDArray[np.float64]) -> NDArray[np.float64]:
    pose = np.eye(4)
    pose[:3, 3] = origin
    return pose
