"""Bodies: what moves in a view besides its camera, above all the walkers of a crowd, as many small jointless meshes."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from citysim.errors import InputError

MOST_VERTICES = 512
MOST_PARTS = 16


@dataclass(frozen=True, eq=False)
class BodyMesh:
    """A low-poly figure with key poses.

    frames     (K, V, 3) float32 metres of the vertices in each key pose; x ahead, y left, z up, origin between the feet
    triangles  (T, 3) int32, counter-clockwise from outside
    parts      (V,) int32 which colour of a body each vertex has (skin, shirt, ...), below 16
    """

    frames: NDArray[np.float32]
    triangles: NDArray[np.int32]
    parts: NDArray[np.int32]

    def __post_init__(self) -> None:
        count = self.frames.shape[1] if self.frames.ndim == 3 and self.frames.shape[2] == 3 else 0
        if not (len(self.frames) and 3 <= count <= MOST_VERTICES):
            raise InputError(
                f"(K, 3 to {MOST_VERTICES} vertices, 3) key poses", f"{self.frames.shape}", "a simpler figure"
            )
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
    """

    meshes: tuple[BodyMesh, ...]
    mesh: NDArray[np.int32]
    place: NDArray[np.float64]
    phase: NDArray[np.float64]
    labels: NDArray[np.int32]
    colors: NDArray[np.uint8]
    scale: NDArray[np.float64]

    def __post_init__(self) -> None:
        count = len(self.mesh)
        shapes = (self.place.shape, self.phase.shape, self.labels.shape, self.scale.shape)
        if shapes != ((count, 4), (count,), (count,), (count,)) or len(self.colors) != count:
            raise InputError(f"arrays of {count} bodies", f"{shapes}, {self.colors.shape}", "one row a body in each")
        if count and not (int(self.mesh.min()) >= 0 and int(self.mesh.max()) < len(self.meshes)):
            raise InputError(f"figures 0 to {len(self.meshes) - 1}", f"{self.mesh.max()}", "a number of `meshes`")
        if self.colors.ndim != 3 or self.colors.shape[2] != 3 or self.colors.shape[1] > MOST_PARTS:
            raise InputError(f"(N, up to {MOST_PARTS}, 3) colours", f"{self.colors.shape}", "a colour for each part")

    def __len__(self) -> int:
        return len(self.mesh)
