"""The preset `harbour`: a steep, dense port city between the sea and a hill."""

from citysim.build.procedural.harbour.plan import SIZE, SIZES, plan_harbour

__all__ = ["SIZE", "SIZES", "plan_harbour"]
