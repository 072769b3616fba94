"""The embedded city `garden`: slabs in green, canals with low bridges, a local centre."""

from citysim.build.procedural.garden.plan import plan_garden

__all__ = ["plan_garden"]
