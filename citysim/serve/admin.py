"""Actions of the administration: they move the walker or change the city, and no agent may take them."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from citysim.city.checks import is_number, is_whole
from citysim.conditions import WEATHERS
from citysim.errors import InputError, UnknownNameError
from citysim.pose import Pose
from citysim.render.mapselect import map_select
from citysim.render.overhead import draw_map
from citysim.serve.session import Session
from citysim.serve.whereabouts import whereabouts
from citysim.tasks.actions import Action
from citysim.tasks.globe import haversine_m
from citysim.tasks.parts import lonlat_of
from citysim.tasks.text import shown

Given = Mapping[str, Any]
Told = tuple[str, dict[str, Any]]
MOST_SCALE = 3600.0
FARTHEST_M = 50_000.0


def administer(session: Session, name: str, given: Given) -> Told:
    """Carry out one of ADMIN; returns its text and what else the reply holds. Raises InputError."""
    session.keep_up()
    return ADMIN[name](session, given)


def _teleport(session: Session, given: Given) -> Told:
    lat, lon = _number(given, "lat", -90.0, 90.0), _number(given, "lon", -180.0, 180.0)
    height = _number(given, "height", -1e4, 1e5) if "height" in given else None
    heading = _number(given, "yaw", -1e6, 1e6) if "yaw" in given else session.world.pose.heading_deg
    session.place(_stand(session, lat, lon, height, heading % 360.0))
    return f"teleported to latitude {lat:.6f}, longitude {lon:.6f}", {}


def _map_teleport(session: Session, given: Given) -> Told:
    lat, lon, _ = _pointed(session, given)
    session.place(_stand(session, lat, lon, None, session.world.pose.heading_deg))
    return f"teleported to latitude {lat:.6f}, longitude {lon:.6f}", {}


def _stand(session: Session, lat: float, lon: float, height: float | None, heading: float) -> Pose:
    """Where one stands at a place on the globe."""
    world = session.world
    frame = world.city.frame
    if haversine_m((lon, lat), (frame.lon, frame.lat)) > FARTHEST_M:
        raise InputError(f"a place in '{world.city.name}'", f"latitude {lat:.6f}, longitude {lon:.6f}", "its own")
    known = frame.height if height is None else height
    east, north, up = (float(v) for v in frame.from_geodetic((lon, lat, known)))
    instance = session.instance
    if instance is not None and haversine_m((lon, lat), instance.start_lonlat) < 0.01:
        east, north, up = instance.start.east, instance.start.north, instance.start.up
        heading, height = instance.start.heading_deg, known
    try:
        return world.ground_pose(east, north, heading, up_hint=None if height is None else up)
    except InputError:  # no floor at that height: the ground then
        return world.ground_pose(east, north, heading)


def _set_weather(session: Session, given: Given) -> Told:
    weather = given.get("weather")
    if not isinstance(weather, str) or weather not in WEATHERS:
        raise UnknownNameError.of("weather", shown(weather), WEATHERS)
    session.set_conditions(weather=weather)
    return f"weather set to {weather}", {}


def _set_time(session: Session, given: Given) -> Told:
    hour, minute = _whole(given, "hour", 23), _whole(given, "minute", 59)
    session.set_conditions(clock_s=hour * 3600.0 + minute * 60.0)
    return f"time set to {hour:02d}:{minute:02d}", {}


def _set_time_scale(session: Session, given: Given) -> Told:
    key = "scale" if "scale" in given else "time_scale"
    scale = _number(given, key, 0.0, MOST_SCALE)
    session.set_conditions(clock_s=session.world.conditions.clock_s, time_scale=scale)
    return f"time scale set to {scale:g}", {}


def _enable_pedestrians(session: Session, given: Given) -> Told:
    session.have_people(True)
    crowd = session.world.crowd
    return f"{0 if crowd is None else int(crowd.active.sum())} pedestrians on the street", {}


def _disable_pedestrians(session: Session, given: Given) -> Told:
    session.have_people(False)
    return "no pedestrians on the street", {}


def _where_am_i(session: Session, given: Given) -> Told:
    pose = session.world.pose
    return whereabouts(session.world.city, (pose.east, pose.north, pose.up)), {}


def _navigate(session: Session, given: Given) -> Told:
    """The shortest way on foot, as places in the reply; the map never shows it."""
    lat, lon = _number(given, "lat", -90.0, 90.0), _number(given, "lon", -180.0, 180.0)
    world = session.world
    height = _number(given, "height", -1e4, 1e5) if "height" in given else world.city.frame.height
    goal = world.city.frame.from_geodetic((lon, lat, height))
    route = world.city.network.route(world.pose.position, goal)
    places = [lonlat_of(world.city.frame, point) for point in route.points]
    way = [{"lat": place[1], "lon": place[0]} for place in places]
    return f"{route.length_m:.0f} m on foot", {"route": way, "length_meters": round(route.length_m, 3)}


def _clear_route(session: Session, given: Given) -> Told:
    return "no route is kept", {}


def _identify_location(session: Session, given: Given) -> Told:
    """What stands at a pixel of the map, or what is around a place on the globe, or here."""
    if "x" in given or "y" in given:
        lat, lon, told = _pointed(session, given)
        return told, {"lat": lat, "lon": lon}
    if "lat" not in given and "lon" not in given:
        return _where_am_i(session, given)
    lat, lon = _number(given, "lat", -90.0, 90.0), _number(given, "lon", -180.0, 180.0)
    frame = session.world.city.frame
    east, north, up = (float(v) for v in frame.from_geodetic((lon, lat, frame.height)))
    return whereabouts(session.world.city, (east, north, up)), {}


def _network(session: Session, given: Given) -> Told:
    return "the map shows every footway of the pedestrian network at all times", {}


def _enter_task(session: Session, given: Given) -> Told:
    id = given.get("id")
    if not isinstance(id, str):
        raise InputError("a task's id as text", shown(id), '{"action": "enter_task", "id": "SN-…"}')
    instance = session.book.find(id)
    session.enter(instance)
    return f"entered {session.book.ids[instance.id]}", {"task": session.book.told(instance)}


def _exit_task(session: Session, given: Given) -> Told:
    session.leave()
    return "left the task", {}


ADMIN: dict[str, Callable[[Session, Given], Told]] = {
    "teleport": _teleport,
    "map_teleport": _map_teleport,
    "set_weather": _set_weather,
    "set_time": _set_time,
    "set_time_scale": _set_time_scale,
    "enable_pedestrians": _enable_pedestrians,
    "disable_pedestrians": _disable_pedestrians,
    "where_am_i": _where_am_i,
    "navigate": _navigate,
    "clear_route": _clear_route,
    "identify_location": _identify_location,
    "show_network": _network,
    "hide_network": _network,
    "toggle_network": _network,
    "enter_task": _enter_task,
    "exit_task": _exit_task,
}


def _pointed(session: Session, given: Given) -> tuple[float, float, str]:
    """Latitude, longitude and name of what a pixel of the open map shows."""
    tool = session.map
    if tool is None or tool.view is None or tool.renderer is None:
        raise InputError("an open map", "a closed one", "open_map first")
    x = _number(given, "x", 0.0, 1.0) if "x" in given else 0.5
    y = _number(given, "y", 0.0, 1.0) if "y" in given else 0.5
    frame = draw_map(tool.renderer, tool.city, tool.view)
    found = map_select(tool.city, tool.view, frame, x * tool.size[0], y * tool.size[1])
    (told,) = tool.act(Action("map_select", x=x, y=y), session.world.pose)
    return found.lonlat[1], found.lonlat[0], told


def _number(given: Given, key: str, low: float, high: float) -> float:
    value = given.get(key)
    if not is_number(value) or not low <= float(np.float64(value)) <= high:
        raise InputError(f"a number for '{key}' from {low:g} to {high:g}", shown(value), "one within")
    return float(value)  # type: ignore[arg-type]


def _whole(given: Given, key: str, most: int) -> int:
    value = given.get(key, 0)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not is_whole(value) or not 0 <= value <= most:
        raise InputError(f"a whole number for '{key}' from 0 to {most}", shown(value), "one within")
    return int(value)
