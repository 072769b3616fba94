"""Geometry to pixels: the numba rasteriser, the OpenGL renderer and the views."""

from citysim.render.make import RENDERERS, make_renderer

__all__ = ["RENDERERS", "make_renderer"]
