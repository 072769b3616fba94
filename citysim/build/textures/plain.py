"""Surfaces without joints: asphalt, plaster, grass, water, paint worn off by wheels."""

import numpy as np
from numpy.typing import NDArray

from citysim.build.textures.noise import Field, fbm, grain, lattice, pixels, rgb, tinted, value_noise


def noisy(
    key: str, color: str, low: float, span: float, speckle: float, size: int = 256, cells: int = 4
) -> NDArray[np.uint8]:
    """(size, size, 3): `color` x (low + span x fbm) with grain of +-`speckle` levels."""
    tone = low + span * fbm(key, size, cells, 6)
    return pixels(tinted(color, tone) + grain(key + "/grain", size, speckle)[..., None])


def asphalt(key: str, color: str, size: int = 512) -> NDArray[np.uint8]:
    """(size, size, 3) for 4 m: stones in binder and faint cracks; nothing large, since it would be seen to repeat."""
    tone = 0.85 + 0.3 * fbm(key, size, 4, 6)
    surface = tinted(color, tone) + grain(f"{key}/grain", size, 13)[..., None]
    stones = lattice(f"{key}/stones", size, size)
    surface = surface + np.where(stones > 0.985, 26.0, 0.0)[..., None] - np.where(stones < 0.02, 14.0, 0.0)[..., None]
    seal = np.abs(value_noise(f"{key}/seal", size, size, 5, 5) - 0.5) < 0.003
    return pixels(np.where(seal[..., None], surface * 0.9, surface))


def grass(key: str, color: str, dry: str, size: int = 512) -> NDArray[np.uint8]:
    """(size, size, 3) for 4 m: blades seen from above, greener and drier spots."""
    blades = lattice(f"{key}/blades", size // 4, size)
    long = np.repeat(blades, 4, axis=0)
    across = np.repeat(lattice(f"{key}/across", size, size // 4), 4, axis=1)
    fine = 0.74 + 0.26 * long + 0.26 * across
    large = fbm(f"{key}/large", size, 3, 4)
    mix = np.clip((large - 0.45) * 1.2, 0.0, 0.28)[..., None]
    base = rgb(color) * (1 - mix) + rgb(dry) * mix
    return pixels(base * (fine * (0.84 + 0.32 * fbm(key, size, 12, 4)))[..., None])


def pebbles(key: str, color: str, size: int = 512) -> NDArray[np.uint8]:
    """(size, size, 3) for 2 m: loose stones of many tones."""
    coarse = value_noise(f"{key}/a", size, size, 96, 96)
    fine = value_noise(f"{key}/b", size, size, 160, 160)
    tone = 0.7 + 0.36 * coarse + 0.24 * fine
    tone = np.where(coarse < 0.16, tone * 0.66, tone) * (0.9 + 0.2 * fbm(key, size, 4, 4))
    return pixels(tinted(color, tone) + grain(f"{key}/grain", size, 9)[..., None])


def water(key: str, color: str, light: str, size: int = 256) -> NDArray[np.uint8]:
    """(size, size, 3) for 8 m: ripples stretched along one direction, paler where they catch the sky."""
    ripple = value_noise(f"{key}/a", size, size, 48, 14) * 0.6 + value_noise(f"{key}/b", size, size, 90, 30) * 0.4
    share = np.clip((ripple - 0.5) * 1.3, 0.0, 0.34)[..., None]
    tone = (0.9 + 0.2 * fbm(key, size, 3, 4))[..., None]
    return pixels((rgb(color) * (1 - share) + rgb(light) * share) * tone)


def worn(key: str, color: str, ground: str, size: int = 256) -> NDArray[np.uint8]:
    """(size, size, 3) for 4 m: road paint, worn through to the ground in places."""
    wear = fbm(f"{key}/wear", size, 6, 6)
    fine = lattice(f"{key}/fine", size, size)
    share = np.clip((wear - 0.6) * 3.2, 0.0, 0.6) + np.where(fine > 0.95, 0.25, 0.0)
    paint = tinted(color, 0.94 + 0.1 * fbm(key, size, 4, 4))
    mixed = paint * (1 - share[..., None]) + rgb(ground) * share[..., None]
    return pixels(mixed + grain(f"{key}/grain", size, 6)[..., None])


def concrete(key: str, color: str, size: int = 512) -> NDArray[np.uint8]:
    """(size, size, 3) for 4 m: cast panels of 2 m with joints and stains."""
    tone: Field = 0.9 + 0.2 * fbm(key, size, 4, 6)
    half = size // 2
    at = np.arange(size) % half
    joint = at < 2
    lit = (at >= 2) & (at < 4)
    tone = np.where(joint[:, None] | joint[None, :], tone * 0.74, tone)
    tone = np.where(lit[:, None] | lit[None, :], tone * 1.06, tone)
    stain = np.clip((fbm(f"{key}/stain", size, 3, 3) - 0.62) * 1.8, 0.0, 0.16)
    return pixels(tinted(color, tone * (1 - stain)) + grain(f"{key}/grain", size, 5)[..., None])


def streaked(key: str, color: str, count: int, size: int = 256) -> NDArray[np.uint8]:
    """(size, size, 3): fibres along the picture's height, as of bark or wood without joints."""
    fibre = value_noise(f"{key}/fibre", size, size, 6, count)
    fine = value_noise(f"{key}/fine", size, size, 12, count * 3)
    return pixels(tinted(color, 0.62 + 0.5 * fibre + 0.3 * fine) + grain(f"{key}/grain", size, 7)[..., None])


def leaves(key: str, color: str, size: int = 256) -> NDArray[np.uint8]:
    """(size, size, 3) for 2 m: clipped leaves, dark between them."""
    a = value_noise(f"{key}/a", size, size, 42, 42)
    b = value_noise(f"{key}/b", size, size, 84, 84)
    tone = 0.42 + 0.62 * a + 0.34 * b
    return pixels(tinted(color, np.where(a < 0.2, tone * 0.6, tone)) + grain(f"{key}/grain", size, 8)[..., None])
