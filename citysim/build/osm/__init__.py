"""Real places: CityPlans from OpenStreetMap extracts."""

from citysim.build.osm.helsinki import helsinki_extract
from citysim.build.osm.plan import plan_from_osm

__all__ = ["helsinki_extract", "plan_from_osm"]
