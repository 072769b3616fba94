"""Bodies: what moves in a view besides its camera, above all the walkers of a crowd, as many small jointless meshes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from citysim.errors import InputError
from citysim.render.camera import Camera

MOST_VERTICES = 512
MOST_PARTS = 16
COARSE_PX = (135.0, 72.0, 36.0, 24.0, 12.0)
"""Figures of 2 m that are less high in a picture are drawn by simpler ones, one step for each limit."""

LAMP_LIGHT = (1.0, 0.44, 0.05)
"""Linear light of lamps that stand in a street for a while, at night: amber."""

LEG_TOP_M, LEG_END_M = 0.86, 0.10  # heights of what stays and of what goes all the way with a foot that is shifted
BETWEEN_M = 0.015  # from the middle between the legs to where a leg begins


@dataclass(frozen=True, eq=False)
class BodyMesh:
    """A low-poly figure with key poses.

    frames     (C K, V, 3) float32 metres of vertices in each key pose; x ahead, y left, z up, origin between the feet
    triangles  (T, 3) int32, counter-clockwise from outside
    parts      (V,) int32 which colour of a body each vertex has (skin, shirt, ...), below 16
    cycles     C, how many gaits of K key poses follow each other: of one who stands, goes slowly, walks fast
    lamp       which part shines at night, in LAMP_LIGHT; below 0 for none
    """

    frames: NDArray[np.float32]
    triangles: NDArray[np.int32]
    parts: NDArray[np.int32]
    cycles: int = 1
    lamp: int = -1

    def __post_init__(self) -> None:
        count = self.frames.shape[1] if self.frames.ndim == 3 and self.frames.shape[2] == 3 else 0
        if not (len(self.frames) and 3 <= count <= MOST_VERTICES):
            raise InputError(
                f"(K, 3 to {MOST_VERTICES} vertices, 3) key poses", f"{self.frames.shape}", "a simpler figure"
            )
        if self.cycles < 1 or len(self.frames) % self.cycles:
            raise InputError("as many key poses in each gait", f"{len(self.frames)} in {self.cycles}", "cycles=1")
        if self.triangles.ndim != 2 or self.triangles.shape[1] != 3 or not len(self.triangles):
            raise InputError("(T, 3) triangles", f"{self.triangles.shape}", "three vertex numbers each")
        if self.triangles.min() < 0 or self.triangles.max() >= count:
            raise InputError(f"vertex numbers below {count}", f"{self.triangles.max()}", "triangles of this mesh")
        if self.parts.shape != (count,) or self.parts.min() < 0 or self.parts.max() >= MOST_PARTS:
            raise InputError(
                f"a part below {MOST_PARTS} for each of {count} vertices", f"{self.parts.shape}", "one number a vertex"
            )


@dataclass(frozen=True, eq=False)
class Bodies:
    """All moving bodies of a view, as arrays of N, so that a crowd can hand over its state as it is.

    meshes  the figures; keep one tuple for many views: what is made of it is kept as long as the tuple is the same
    mesh    (N,) int32 which figure
    place   (N, 4) float64 east, north, up of the feet in local metres, yaw in radians as in Pose
    phase   (N,) float64 key poses gone through, fractions in between; wraps
    labels  (N,) int32 object id in label pictures
    colors  (N, P, 3) uint8 sRGB of each part
    scale   (N,) float64 size, 1 as modelled
    coarser (M,) int32 the simpler figure that stands for each one where it is seen small, itself for none; or None
    gait    (N,) float64 which of the figure's gaits, from 0 to the last, fractions in between; None: the first one
    feet    (N, 2, 3) float64 metres in the world by which the left and the right foot are beside their place; legs
            follow as `leg_shares` says; or None
    """

    meshes: tuple[BodyMesh, ...]
    mesh: NDArray[np.int32]
    place: NDArray[np.float64]
    phase: NDArray[np.float64]
    labels: NDArray[np.int32]
    colors: NDArray[np.uint8]
    scale: NDArray[np.float64]
    coarser: NDArray[np.int32] | None = None
    gait: NDArray[np.float64] | None = None
    feet: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        count = len(self.mesh)
        shapes = (self.place.shape, self.phase.shape, self.labels.shape, self.scale.shape)
        if shapes != ((count, 4), (count,), (count,), (count,)) or len(self.colors) != count:
            raise InputError(f"arrays of {count} bodies", f"{shapes}, {self.colors.shape}", "one row a body in each")
        if count and not (int(self.mesh.min()) >= 0 and int(self.mesh.max()) < len(self.meshes)):
            raise InputError(f"figures 0 to {len(self.meshes) - 1}", f"{self.mesh.max()}", "a number of `meshes`")
        if self.colors.ndim != 3 or self.colors.shape[2] != 3 or self.colors.shape[1] > MOST_PARTS:
            raise InputError(f"(N, up to {MOST_PARTS}, 3) colours", f"{self.colors.shape}", "a colour for each part")

        if self.gait is not None and self.gait.shape != (count,):
            raise InputError(f"a gait for each of {count} bodies", f"{self.gait.shape}", "gait=None")
        if self.feet is not None and self.feet.shape != (count, 2, 3):
            raise InputError(f"two feet for each of {count} bodies", f"{self.feet.shape}", "feet=None")
        if self.coarser is not None and self.coarser.shape != (len(self.meshes),):
            raise InputError(f"a figure for each of {len(self.meshes)}", f"{self.coarser.shape}", "numbers of `meshes`")

    def __len__(self) -> int:
        return len(self.mesh)

    def seen_by(self, camera: Camera) -> NDArray[np.int32]:
        """(N,) which figure stands for each body in a picture."""
        if self.coarser is None:
            return self.mesh
        if camera.ortho_height_m is not None:
            metres = np.full(len(self), camera.focal_px * 2.0)
        else:
            way = self.place[:, :3] - camera.pose.position
            metres = camera.focal_px * 2.0 / np.sqrt(np.maximum((way * way).sum(axis=1), 1e-6))
        high, mesh = metres * self.scale, self.mesh
        for limit in COARSE_PX:
            mesh = np.where(high < limit, self.coarser[mesh], mesh)
        return mesh


def leg_shares(mesh: BodyMesh) -> NDArray[np.float64]:
    """(V, 2) how far each vertex goes along with the left and the right foot; as high as the hip it does not."""
    still = mesh.frames[0].astype(np.float64)
    down = np.clip((LEG_TOP_M - still[:, 2]) / (LEG_TOP_M - LEG_END_M), 0.0, 1.0)
    left = np.clip(0.5 + still[:, 1] / (2.0 * BETWEEN_M), 0.0, 1.0)
    return np.stack([down * left, down * (1.0 - left)], axis=1)


def joined(bodies: Sequence[Bodies]) -> Bodies:
    """Bodies of the same figures as one: a crowd and the barriers it walks round."""
    first = bodies[0]
    if any(other.meshes is not first.meshes for other in bodies):
        raise InputError("bodies of one tuple of figures", "several", "people_bodies and barrier_bodies")
    feet = [b.feet if b.feet is not None else np.zeros((len(b), 2, 3)) for b in bodies]
    gaits = [b.gait if b.gait is not None else np.zeros(len(b)) for b in bodies]
    return Bodies(
        first.meshes,
        np.concatenate([b.mesh for b in bodies]),
        np.concatenate([b.place for b in bodies]),
        np.concatenate([b.phase for b in bodies]),
        np.concatenate([b.labels for b in bodies]),
        np.concatenate([b.colors for b in bodies]),
        np.concatenate([b.scale for b in bodies]),
        first.coarser,
        np.concatenate(gaits),
        np.concatenate(feet),
    )
