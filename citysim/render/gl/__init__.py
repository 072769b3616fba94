"""The OpenGL renderer: pyrender on an offscreen EGL context, with citysim's own light and air."""

from citysim.render.gl.context import probe
from citysim.render.gl.renderer import GlRenderer

__all__ = ["GlRenderer", "probe"]
