"""glTF materials reduced to what citysim draws."""

from dataclasses import dataclass
from typing import Any

from citysim.geo import uris
from citysim.geo.content.document import Document, Json, extension_of

BLEND_CUTOFF = 0.05  # there is no blending: nearly invisible texels are holes, the rest is solid

MOST_CELLS = 4096


@dataclass(frozen=True, slots=True)
class Surface:
    """A look, independent of the tile it was met in.

    `texture` is a key for `images.load_texture` ("" for none); `uv_set` and `uv_transform` (scale u, scale v,
    rotation rad, offset u, offset v) say how its coordinates are found and are applied while decoding. `glow` is the
    key of a picture with the same coordinates that masks `emissive` (alpha where it has one, else its light), "" for
    none; `glow_cells` the columns and rows of windows in it that are switched one by one, (0, 0) for none.
    """

    texture: str = ""
    color: tuple[float, float, float, float] = (1.0, 1.0, 1.0, 1.0)
    alpha_cutoff: float = 0.0
    unlit: bool = False
    double_sided: bool = False
    emissive: tuple[float, float, float] = (0.0, 0.0, 0.0)
    name: str = ""
    glow: str = ""
    glow_cells: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Mapping:
    """How a surface's texture coordinates are found: the set, and KHR_texture_transform."""

    uv_set: int = 0
    scale: tuple[float, float] = (1.0, 1.0)
    rotation: float = 0.0
    offset: tuple[float, float] = (0.0, 0.0)


DEFAULT = (Surface(), Mapping())


def surface_of(document: Document, index: Any) -> tuple[Surface, Mapping]:
    """Surface and texture mapping of one glTF material (None for the default one)."""
    if index is None:
        return DEFAULT
    material = document.item("materials", index)
    if index not in document.surfaces:
        document.surfaces[index] = _read(document, material)
    return document.surfaces[index]


def _read(document: Document, material: Json) -> "tuple[Surface, Mapping]":
    pbr = _dict(material.get("pbrMetallicRoughness"))
    picture, factor = pbr.get("baseColorTexture"), pbr.get("baseColorFactor")
    gloss = extension_of(material, "KHR_materials_pbrSpecularGlossiness")
    if gloss is not None and picture is None:
        picture, factor = gloss.get("diffuseTexture"), gloss.get("diffuseFactor", factor)
    shaded = extension_of(material, "KHR_techniques_webgl")
    if shaded is not None and picture is None:  # a shader of its own: its picture is as near as one gets
        values = _dict(shaded.get("values"))
        picture = next((v for v in values.values() if isinstance(v, dict) and "index" in v), None)
    color = _floats(factor, (1.0, 1.0, 1.0, 1.0))
    emissive = _floats(material.get("emissiveFactor"), (0.0, 0.0, 0.0))
    unlit = extension_of(material, "KHR_materials_unlit") is not None
    glow = material.get("emissiveTexture")
    if picture is None and isinstance(glow, dict) and max(color[:3]) <= 0.0:
        # photogrammetry exported as light of its own over a black base: show the picture as it is
        picture, color, emissive, unlit = glow, (1.0, 1.0, 1.0, 1.0), (0.0, 0.0, 0.0), True
        glow = None
    texture = _texture_key(document, picture)
    mask = _texture_key(document, glow)
    if isinstance(glow, dict) and not (mask and texture and _mapping(glow) == _mapping(picture)):
        # a glow that varies over the surface in another way than its picture is not drawn: none is nearer than a full
        # one
        mask, emissive = "", (0.0, 0.0, 0.0)
    mode = str(material.get("alphaMode", "OPAQUE")).upper()
    cutoff = BLEND_CUTOFF if mode == "BLEND" else 0.0
    if mode == "MASK":
        cutoff = _floats([material.get("alphaCutoff", 0.5)], (0.5,))[0]
    surface = Surface(
        texture=texture,
        color=(color[0], color[1], color[2], color[3]),
        alpha_cutoff=cutoff,
        unlit=unlit,
        double_sided=material.get("doubleSided") is True,
        emissive=(emissive[0], emissive[1], emissive[2]),
        name=str(material.get("name", "")),
        glow=mask if any(emissive) else "",
        glow_cells=_cells(material) if mask and any(emissive) else (0, 0),
    )
    return surface, _mapping(picture) if texture else Mapping()


def _texture_key(document: Document, picture: Any) -> str:
    """Key of the image a textureInfo shows, "" for none."""
    if not isinstance(picture, dict):
        return ""
    texture = document.item("textures", picture.get("index"))
    source = texture.get("source")
    for name in ("EXT_texture_webp", "KHR_texture_basisu", "MSFT_texture_dds"):  # the plain source is a fallback
        if source is None:
            source = (extension_of(texture, name) or {}).get("source")
    if source is None:
        return ""
    image = document.item("images", source)
    if image.get("mimeType") == "image/ktx2" and texture.get("source") is not None:
        document.notices.add("KTX2 pictures where glTF wants JPEG or PNG (read all the same)")
    reference = image.get("uri")
    if isinstance(reference, str) and not reference.startswith("data:"):
        return uris.join(document.uri, reference)
    return f"{document.key}#{source}"


def _cells(material: Json) -> tuple[int, int]:
    """Columns and rows of windows in the glow: `extras` of citysim's own materials."""
    cells = _dict(material.get("extras")).get("glow_cells")
    if isinstance(cells, list) and len(cells) == 2 and all(isinstance(n, int) and 0 < n <= MOST_CELLS for n in cells):
        return cells[0], cells[1]
    return 0, 0


def _mapping(picture: Any) -> Mapping:
    picture = _dict(picture)
    moved = extension_of(picture, "KHR_texture_transform") or {}
    uv_set = moved.get("texCoord", picture.get("texCoord", 0))
    scale, offset = _floats(moved.get("scale"), (1.0, 1.0)), _floats(moved.get("offset"), (0.0, 0.0))
    rotation = _floats([moved.get("rotation", 0.0)], (0.0,))[0]
    return Mapping(uv_set if isinstance(uv_set, int) else 0, (scale[0], scale[1]), rotation, (offset[0], offset[1]))


def _dict(value: Any) -> Json:
    return value if isinstance(value, dict) else {}


def _floats(value: Any, default: tuple[float, ...]) -> tuple[float, ...]:
    """A tuple as long as `default`; anything but finite numbers counts as absent."""
    if not isinstance(value, list) or len(value) != len(default):
        return default
    if not all(isinstance(n, int | float) and abs(n) < 1e6 for n in value):  # false for NaN too
        return default
    return tuple(float(n) for n in value)
