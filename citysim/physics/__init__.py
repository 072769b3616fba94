"""Collision queries and the capsule walker; the only place that knows PyBullet."""
