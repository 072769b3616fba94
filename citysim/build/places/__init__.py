"""Named places: shop fronts, signs, boards and street name plates."""

from citysim.build.places.build import build_places

__all__ = ["build_places"]
