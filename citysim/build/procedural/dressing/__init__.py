"""The last layer of an embedded city: what shops put outside, playthings, signs, vehicles, poles and landmarks."""

from citysim.build.procedural.dressing.dress import dress

__all__ = ["dress"]
