"""Avatars: the people of a city as figures that walk, stand and carry umbrellas, and the barriers of closed streets."""

from citysim.render.avatar.looks import LOOKS
from citysim.render.avatar.people import people_bodies
from citysim.render.avatar.street import barrier_bodies, board_bodies, notice_places

__all__ = ["LOOKS", "barrier_bodies", "board_bodies", "notice_places", "people_bodies"]
