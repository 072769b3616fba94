import io
from typing import Any

import numpy as np
import pytest
from PIL import Image

from citysim.errors import FormatError
from citysim.geo.content.images import decode_image, load_texture
from citysim.geo.content.meshes import decode_meshes, surfaces_in
from citysim.geo.content.surfaces import BLEND_CUTOFF, Surface
from citysim.geo.store import MemorySource
from tests.geo.content.samples import GltfMaker


def picture(kind: str = "PNG", mode: str = "RGB", size: tuple[int, int] = (4, 2)) -> bytes:
    buffer = io.BytesIO()
    Image.new(mode, size, 90 if mode == "L" else (90, 10, 200)).save(buffer, format=kind)
    return buffer.getvalue()


def surface(material: dict[str, Any], **more: Any) -> Surface:
    maker = GltfMaker()
    maker.primitive(TEXCOORD_0=np.array([(0, 0), (1, 0), (1, 1), (0, 1)], "<f4"))["material"] = 0
    maker.gltf |= {"materials": [material], "textures": [{"source": 0}], "images": [{"uri": "../tex/a.png"}], **more}
    (found,) = surfaces_in(MemorySource({"d/t.glb": maker.glb()}), "d/t.glb")
    return found


def test_plain_and_textured_materials() -> None:
    assert surface({}) == Surface()
    found = surface(
        {
            "name": "wall",
            "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "baseColorFactor": [0.5, 0.5, 1, 1]},
            "doubleSided": True,
            "emissiveFactor": [0.1, 0, 0],
            "alphaMode": "MASK",
            "alphaCutoff": 0.3,
            "extensions": {"KHR_materials_unlit": {}},
        }
    )
    assert found == Surface("tex/a.png", (0.5, 0.5, 1, 1), 0.3, True, True, (0.1, 0, 0), "wall")


def test_alpha_modes() -> None:
    assert surface({"alphaMode": "MASK"}).alpha_cutoff == 0.5
    assert surface({"alphaMode": "BLEND"}).alpha_cutoff == BLEND_CUTOFF
    assert surface({"alphaMode": "OPAQUE", "alphaCutoff": 0.4}).alpha_cutoff == 0.0


def test_a_glow_masks_what_is_emitted() -> None:
    look = {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}, "emissiveTexture": {"index": 1}}
    two = {"textures": [{"source": 0}, {"source": 1}], "images": [{"uri": "../tex/a.png"}, {"uri": "../tex/b.png"}]}
    found = surface({**look, "emissiveFactor": [1, 0.5, 1], "extras": {"glow_cells": [6, 2]}}, **two)
    assert (found.texture, found.glow, found.emissive) == ("tex/a.png", "tex/b.png", (1, 0.5, 1))
    assert found.glow_cells == (6, 2)
    dark = surface(look, **two)  # glTF's default factor is black
    assert (dark.glow, dark.emissive) == ("", (0, 0, 0))


@pytest.mark.parametrize("cells", [None, [3], [0, 1], ["6", 2], [1 << 40, 1], {"a": 1}])
def test_odd_cells_of_a_glow_count_as_none(cells: Any) -> None:
    look = {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}, "emissiveTexture": {"index": 0}}
    assert surface({**look, "emissiveFactor": [1, 1, 1], "extras": {"glow_cells": cells}}).glow_cells == (0, 0)


def test_a_glow_that_lies_otherwise_than_its_picture_is_left_out() -> None:
    moved = {"index": 0, "extensions": {"KHR_texture_transform": {"scale": [2, 2]}}}
    look = {"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}, "emissiveFactor": [1, 1, 1]}
    found = surface({**look, "emissiveTexture": moved}, extensionsUsed=["KHR_texture_transform"])
    assert (found.glow, found.emissive) == ("", (0, 0, 0))


def test_pictures_that_are_only_emissive_are_shown_as_they_are() -> None:
    found = surface(
        {
            "pbrMetallicRoughness": {"baseColorFactor": [0, 0, 0, 0]},
            "emissiveTexture": {"index": 0},
            "emissiveFactor": [1, 1, 1],
        }
    )
    assert found == Surface("tex/a.png", unlit=True)


def test_specular_glossiness_and_webp_sources() -> None:
    gloss = {"extensions": {"KHR_materials_pbrSpecularGlossiness": {"diffuseTexture": {"index": 0}}}}
    assert surface(gloss).texture == "tex/a.png"
    webp = {"textures": [{"extensions": {"EXT_texture_webp": {"source": 0}}}]}
    assert surface({"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}, **webp).texture == "tex/a.png"


def test_texture_transforms_are_applied_to_the_coordinates() -> None:
    maker = GltfMaker()
    maker.primitive(TEXCOORD_0=np.array([(0, 0), (1, 0), (1, 1), (0, 1)], "<f4"))["material"] = 0
    moved = {
        "index": 0,
        "extensions": {"KHR_texture_transform": {"scale": [2, 3], "offset": [0.5, 0], "rotation": np.pi / 2}},
    }
    maker.gltf |= {
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": moved}}],
        "textures": [{"source": 0}],
        "images": [{"uri": "a.png"}],
    }
    (mesh,) = decode_meshes(MemorySource({"t.glb": maker.glb()}), "t.glb", np.eye(4))
    # KHR_texture_transform: offset + rotation (counter-clockwise in v-down space) of scaled coordinates
    assert np.allclose(mesh.vertex_attributes["uv"], [(0.5, 0), (0.5, -2), (3.5, -2), (3.5, 0)])


def embedded(data: bytes, mime: str) -> tuple[MemorySource, str]:
    maker = GltfMaker()
    maker.primitive()["material"] = 0
    view = maker.gltf["accessors"].pop(maker.array(np.frombuffer(data, "u1")))["bufferView"]
    maker.gltf["bufferViews"][view]["byteLength"] = len(data)
    maker.gltf |= {
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
        "textures": [{"source": 0}],
        "images": [{"bufferView": view, "mimeType": mime}],
    }
    source = MemorySource({"t.glb": maker.glb()})
    return source, surfaces_in(source, "t.glb")[0].texture


@pytest.mark.parametrize(("kind", "mode"), [("PNG", "RGB"), ("JPEG", "L"), ("JPEG", "RGB"), ("WEBP", "RGB")])
def test_embedded_pictures_become_rgba(kind: str, mode: str) -> None:
    source, key = embedded(picture(kind, mode), f"image/{kind.lower()}")
    assert key == "t.glb#0"
    pixels = load_texture(source, key)
    assert pixels.shape == (2, 4, 4)
    assert (pixels[..., 3] == 255).all()
    if mode == "L":
        assert np.ptp(pixels[0, 0, :3]) == 0


@pytest.mark.parametrize(
    "data", [b"", b"nonsense", picture()[:40], b"\xabKTX 20\xbb\r\n\x1a\n" + bytes(80), b"GIF89a" + bytes(20)]
)
def test_broken_pictures_are_named(data: bytes) -> None:
    with pytest.raises(FormatError, match=r"'a\.png'"):
        decode_image(data, "a.png")


def test_huge_pictures_are_refused() -> None:
    with pytest.raises(FormatError, match="20000"):
        decode_image(picture("PNG", "L", (20000, 1)), "a.png")
