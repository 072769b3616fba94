"""Geometry to pixels: the numba rasteriser, the OpenGL renderer and the views."""
