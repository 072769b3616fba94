"""Buildings: masses, walls, roofs, doors and their textures."""

from citysim.build.buildings.build import build_buildings
from citysim.build.buildings.looks import begin_painting

__all__ = ["begin_painting", "build_buildings"]
