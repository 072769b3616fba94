"""Pedestrians: the movement model (`movement`), and the people of a city who walk its network (`crowd`)."""
