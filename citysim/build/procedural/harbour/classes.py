"""The streets of the preset `harbour`."""

from citysim.build.procedural.district.classes import StreetClass

DISTRIBUTOR = StreetClass("primary", 16.8, 4.8, 4, 3, "signals", 2.2, tracks=1.85)
LOCAL = StreetClass("tertiary", 7.3, 3.25, 2, 2, "signals", parking=False)
CONTOUR = StreetClass("residential", 7.0, 3.0, 2, 2, "zebra", parking=True)
CROSS = StreetClass("residential", 7.0, 3.0, 2, 2, "zebra", parking=True)
ONE_WAY = StreetClass("residential", 5.6, 2.6, 1, 1, "zebra")
MARKET = StreetClass("pedestrian", 6.0, 0.0, 0, 1, "unmarked", surface="paving_stones")
LINK = StreetClass("residential", 6.6, 2.4, 2, 1, "zebra")
