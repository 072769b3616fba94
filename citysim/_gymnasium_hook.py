"""Registers the environment ids with Gymnasium without importing Gymnasium.

Gymnasium has no plug-in entry points since 1.0, and importing it takes as long as everything else here. So the ids are
registered at once where Gymnasium is already loaded, and otherwise right after the program imports it.
"""

import importlib.abc
import importlib.machinery
import sys
from collections.abc import Sequence
from types import ModuleType


def _register() -> None:
    from citysim.envs.registration import register_all

    register_all()


class _Loader(importlib.abc.Loader):
    """Runs Gymnasium's own loader, then registers."""

    def __init__(self, loader: importlib.abc.Loader) -> None:
        self.loader = loader

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self.loader.exec_module(module)
        _register()


class _Finder(importlib.abc.MetaPathFinder):
    """Waits for the first import of Gymnasium and then takes itself out."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name != "gymnasium":
            return None
        sys.meta_path.remove(self)
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader)
        return spec


def install() -> None:
    """Register now if Gymnasium is loaded, else as soon as it is."""
    if "gymnasium" in sys.modules:
        _register()
    else:
        sys.meta_path.insert(0, _Finder())
