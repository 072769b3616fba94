"""Makers of UrbanGround's instances: each draws a goal whose truth comes from the city's geometry and labels."""
