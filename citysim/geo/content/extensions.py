"""What this reader understands beyond core glTF 2.0: one table.

A later codec (Draco, meshopt, KTX2) is added here: its name into `SUPPORTED` and its decoder into the table that the
step concerned asks, `PRIMITIVES` (compressed primitives), `VIEWS` (compressed buffer views) or `IMAGES` (by MIME type).
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.errors import FormatError

SUPPORTED = frozenset(
    {
        "CESIUM_RTC",
        "CESIUM_primitive_outline",
        "EXT_feature_metadata",
        "EXT_instance_features",
        "EXT_mesh_features",
        "EXT_structural_metadata",
        "EXT_texture_webp",
        "KHR_materials_clearcoat",
        "KHR_materials_emissive_strength",
        "KHR_materials_ior",
        "KHR_materials_pbrSpecularGlossiness",
        "KHR_materials_sheen",
        "KHR_materials_specular",
        "KHR_materials_unlit",
        "KHR_mesh_quantization",
        "KHR_texture_transform",
    }
)

Arrays = dict[str, NDArray[Any]]

# extension name -> (its JSON object, bytes of its buffer view) -> arrays by attribute name, and "indices"
PRIMITIVES: dict[str, Callable[[dict[str, Any], bytes], Arrays]] = {}
# extension name -> (its JSON object, bytes of the compressed range) -> bytes of the buffer view
VIEWS: dict[str, Callable[[dict[str, Any], bytes], bytes]] = {}
# MIME type -> bytes -> (H, W, 4) uint8 sRGB with straight alpha; other types go to Pillow
IMAGES: dict[str, Callable[[bytes], NDArray[np.uint8]]] = {}


def refuse_unknown(gltf: dict[str, Any], uri: str) -> None:
    """Raise FormatError naming every required extension that is not in the table."""
    required = gltf.get("extensionsRequired")
    names = {str(name) for name in required} if isinstance(required, list) else set()
    unknown = sorted(names - SUPPORTED - PRIMITIVES.keys() - VIEWS.keys())
    if unknown:
        raise FormatError(
            "a glTF that needs no unknown extension",
            f"{', '.join(unknown)} in '{uri}'",
            "exporting without compression",
        )
