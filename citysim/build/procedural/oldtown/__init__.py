"""The preset `oldtown`: bending lanes round a square, a church on a mound, a river with quays."""

from citysim.build.procedural.oldtown.plan import plan_oldtown

__all__ = ["plan_oldtown"]
