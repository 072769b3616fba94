"""What this reader understands beyond core glTF 2.0: one table.

A later codec is added here: its name into `SUPPORTED` and its decoder into the table that the step concerned asks,
`PRIMITIVES` (compressed primitives), `VIEWS` (compressed buffer views) or `IMAGES` (by the first bytes).
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.errors import FormatError
from citysim.geo.content import draco, ktx2, meshopt

# what changes neither the shape nor the picture of a surface as it is drawn here is supported by leaving it alone
SUPPORTED = frozenset(
    {
        "EXT_mesh_gpu_instancing",
        "EXT_mesh_manifold",
        "KHR_lights_punctual",
        "KHR_materials_anisotropy",
        "KHR_materials_diffuse_transmission",
        "KHR_materials_dispersion",
        "KHR_materials_iridescence",
        "KHR_materials_transmission",
        "KHR_materials_variants",
        "KHR_materials_volume",
        "KHR_techniques_webgl",
        "KHR_texture_basisu",
        "KHR_xmp_json_ld",
        "MAXAR_image_ortho",
        "MAXAR_temporal_light_traits",
        "NGA_gpm_local",
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
PRIMITIVES: dict[str, Callable[[dict[str, Any], bytes], Arrays]] = {
    "KHR_draco_mesh_compression": draco.decode_primitive,
}
# extension name -> (its JSON object, bytes of the compressed range) -> bytes of the buffer view
VIEWS: dict[str, Callable[[dict[str, Any], bytes], bytes]] = {
    "EXT_meshopt_compression": meshopt.decode_view,
    "KHR_meshopt_compression": meshopt.decode_view,
}
# first bytes -> bytes -> (H, W, 4) uint8 sRGB with straight alpha; others go to Pillow. What a picture is called does
# not count: Hong Kong's KTX2 images hide behind plain texture sources.
IMAGES: dict[bytes, Callable[[bytes], NDArray[np.uint8]]] = {ktx2.MAGIC: ktx2.decode_ktx2}


def refuse_unknown(gltf: dict[str, Any], uri: str) -> None:
    """Raise FormatError naming every required extension that is not in the table."""
    required = gltf.get("extensionsRequired")
    names = {str(name) for name in required} if isinstance(required, list) else set()
    unknown = sorted(names - SUPPORTED - PRIMITIVES.keys() - VIEWS.keys())
    if unknown:
        raise FormatError(
            "a glTF that needs no unknown extension",
            f"{', '.join(unknown)} in '{uri}'",
            "exporting without it",
        )
