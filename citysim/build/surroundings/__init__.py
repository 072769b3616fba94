"""What is seen beyond the edge of an embedded city: streets that go on, houses, parks, water, hills."""

from citysim.build.surroundings.build import build_surroundings

__all__ = ["build_surroundings"]
