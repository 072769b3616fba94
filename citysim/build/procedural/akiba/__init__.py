"""The embedded city `akiba`: narrow buildings with stacked signs, a railway viaduct, back streets."""

from citysim.build.procedural.akiba.plan import plan_akiba

__all__ = ["plan_akiba"]
