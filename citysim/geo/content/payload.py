"""What the wrapping of a tile's bytes holds."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Instances(NamedTuple):
    """Places of one model: matrices (N, 4, 4) float64 in z-up tile axes, features (N,) int64, -1 for none."""

    matrices: NDArray[np.float64]
    features: NDArray[np.int64]


class Points(NamedTuple):
    """A point cloud: positions (N, 3) float64 in its own axes, colors (N, 4) uint8, features (N,) int64, -1 none."""

    positions: NDArray[np.float64]
    colors: NDArray[np.uint8]
    features: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Payload:
    """One glTF document or point cloud found in a tile's bytes.

    `gltf` is its JSON ({} for points and for a model elsewhere), `binary` its BIN chunk (None without), `rtc_center`
    metres to add after the turn to z-up, `batch_length`, `batch_json` and `batch_binary` what a 1.0 tile says about its
    features. `reference` names the model of an i3dm that does not hold it, `instances` its places; `points` are those
    of a pnts. `left_out` names a known kind of content that has no triangles and is not read.
    """

    gltf: dict[str, Any] = field(default_factory=dict)
    binary: bytes | None = None
    rtc_center: tuple[float, float, float] = (0.0, 0.0, 0.0)
    batch_length: int = 0
    batch_json: dict[str, Any] = field(default_factory=dict)
    batch_binary: bytes = b""
    reference: str = ""
    instances: Instances | None = None
    points: Points | None = None
    left_out: str = ""
