"""Glow: masks from packages, and pictures that carry them in alpha."""

import dataclasses

import numpy as np

from citysim.city import City, Material
from citysim.city.glow import glow_mask, glows_of, with_glow


def test_a_mask_is_alpha_or_else_light() -> None:
    pixels = np.zeros((2, 2, 4), dtype=np.uint8)
    pixels[..., :3] = [[(10, 200, 30), (0, 0, 0)], [(5, 5, 5), (255, 1, 1)]]
    pixels[..., 3] = 255
    assert glow_mask(pixels).tolist() == [[200, 0], [5, 255]]
    pixels[0, 1, 3] = 40
    assert glow_mask(pixels).tolist() == [[255, 40], [255, 255]]


def test_pictures_take_masks_of_any_size() -> None:
    picture = np.full((4, 8, 4), 77, dtype=np.uint8)
    mask = np.zeros((2, 2, 4), dtype=np.uint8)
    mask[:, 1, 3] = 200
    made = with_glow(picture, mask)
    assert (made[..., :3] == 77).all()
    assert made[0, :, 3].tolist() == [0, 0, 0, 0, 200, 200, 200, 200]


def test_a_texture_with_holes_keeps_its_alpha() -> None:
    glowing = Material(0, emissive=(1.0, 1.0, 1.0), glow=1)
    with_holes = Material(0, alpha_cutoff=0.5)
    textures = [np.zeros((2, 2, 4), np.uint8)] * 2
    assert glows_of(City.in_memory([], [glowing], textures)) == {0: 1}
    assert glows_of(City.in_memory([], [glowing, with_holes], textures)) == {}
    assert glows_of(City.in_memory([], [dataclasses.replace(glowing, glow=-1)], textures)) == {}
