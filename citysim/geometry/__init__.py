"""Queries on triangles in numba: hierarchies, rays, contacts and sweeps of upright capsules, vertical lines."""
