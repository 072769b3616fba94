"""The numba software rasteriser: a visibility buffer, shaded once a pixel, bit-exact."""

from citysim.render.raster.renderer import RasterRenderer

__all__ = ["RasterRenderer"]
