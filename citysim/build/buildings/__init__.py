"""Buildings: masses, walls, roofs, doors and their textures."""

from citysim.build.buildings.build import build_buildings

__all__ = ["build_buildings"]
