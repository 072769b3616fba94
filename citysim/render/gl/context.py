"""An offscreen OpenGL context through EGL: a GPU where there is one, Mesa's llvmpipe otherwise."""

import os
from typing import Any

from citysim.errors import DependencyError

ADVICE = "the raster renderer, or a driver such as Debian's libegl1 and libgl1-mesa-dri"


def pyrender_module() -> Any:
    """pyrender, told to use EGL; raises DependencyError when it or EGL cannot be loaded."""
    os.environ.setdefault("PYOPENGL_PLATFORM", "egl")  # PyOpenGL reads it once, on its first import
    try:
        import pyrender
    except Exception as error:  # PyOpenGL raises AttributeError and others for missing libraries
        found = f"no {error.name}" if isinstance(error, ModuleNotFoundError) else "no EGL library"
        raise DependencyError("pyrender and an EGL library", found, ADVICE) from error
    return pyrender


def offscreen(width: int, height: int) -> Any:
    """A pyrender.OffscreenRenderer of this size; raises DependencyError when no context can be made."""
    module = pyrender_module()
    try:
        return module.OffscreenRenderer(width, height)
    except Exception as error:
        raise DependencyError("an EGL context of OpenGL 4.1", "no EGL device that gives one", ADVICE) from error


def probe() -> str:
    """The GL_RENDERER of a context made here; raises DependencyError when there is none."""
    surface = offscreen(16, 16)
    try:
        from OpenGL import GL

        name = GL.glGetString(GL.GL_RENDERER)
        return name.decode() if isinstance(name, bytes) else str(name)
    finally:
        surface.delete()
