"""citysim.envs."""
