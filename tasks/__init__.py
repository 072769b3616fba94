"""citysim.tasks."""
