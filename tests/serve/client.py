"""A client of UrbanGround's interface, written from its description alone: nothing of citysim is used here.

It plays one task over HTTP with a model, keeps the order of calls of the public client, and returns a report that
`tests.serve.metrics` computes the figures of.
"""

import base64
import time
from collections.abc import Callable
from typing import Any, Protocol

import httpx

from tests.serve.globe import crossed_edges, haversine, real

Json = dict[str, Any]
RADIUS = 15.0
TYPES = {
    0: "ShortNav", 2: "LongNav", 3: "PlaceSearch", 5: "ScheduleWindowNav", 7: "LandmarkQA", 8: "OrientationQA",
    9: "SpatialQA", 10: "InstructionNav", 11: "ConstrainedNav", 12: "DynamicClosureNav", 13: "MultipointNav",
}  # fmt: skip
STARTS = {3: "searchOrigin", 5: "scheduleStart", 7: "qaStartPoint", 8: "qaStartPoint", 9: "qaStartPoint"} | {
    13: "multiRouteStart"
}
CONDITIONS: dict[str, tuple[str, tuple[int, int] | None]] = {
    "TSQ": ("thunderstorm", None), "TSN": ("thunderstorm", None), "OCQ": ("overcast", None), "OCN": ("overcast", None),
    "CLQ": ("cloudy", None), "CLN": ("cloudy", None), "EVQ": ("sunny", (18, 30)), "EVN": ("sunny", (18, 30)),
    "NTQ": ("sunny", (23, 30)), "NTN": ("sunny", (23, 30)),
}  # fmt: skip
MAP_ACTIONS = ("open_map", "map_select", "map_pan", "map_zoom", "map_orbit", "close_map")


class Model(Protocol):
    """What a language model is asked for."""

    def turn(self, mode: str, image: bytes, notes: str) -> Json: ...

    def answer(self, image: bytes) -> str: ...

    def found(self, request: str, surface: str, image: bytes) -> bool: ...

    def schedule(self, description: str, stops: int) -> Json: ...


class Client:
    """Plays tasks one after another. `clock` reads the seconds that durations are measured in off a state."""

    def __init__(
        self,
        url: str,
        clock: Callable[[Json], float] | None = None,
        steps: int = 100,
        headers: dict[str, str] | None = None,
    ) -> None:
        self.http = httpx.Client(base_url=url.rstrip("/"), timeout=60.0, headers=headers or {}, trust_env=False)
        self.clock = clock if clock is not None else lambda _: time.monotonic()
        self.steps = steps
        self.pictures: list[bytes] = []

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def get(self, path: str) -> Json:
        reply = self.http.get(path)
        reply.raise_for_status()
        found: Json = reply.json()
        return found

    def screenshot(self) -> bytes:
        reply = self.http.get("/screenshot")
        reply.raise_for_status()
        return reply.content

    def action(self, value: Json, video: bool = False) -> Json:
        query = {"interval": 0.3, "max_frames": 60} if video else {}
        reply = self.http.post("/action", json=value, params=query)
        reply.raise_for_status()
        found: Json = reply.json()
        if video:
            images = found.get("images", [])
            assert isinstance(images, list)
            self.pictures += [base64.b64decode(url.split(",", 1)[1]) for url in images[:1]]
        return found

    def play(self, task: Json, model: Model, video: bool = False) -> Json:
        """One task from its file to its report, without metrics."""
        prefix, kind = task["id"].split("-")[0], int(task["type"])
        inferred = kind == 12 and prefix == "II"
        start = task["exploreStart" if inferred else STARTS.get(kind, "startPoint")]
        self.get("/state")
        plan = model.schedule(task["description"], len(task["schedule"])) if kind == 5 else None
        self.http.post("/task/enter", json={"id": task.get("sourceTaskId") or task["id"]}).raise_for_status()
        reply = self.action({"action": "teleport", **{k: float(start[k]) for k in ("lat", "lon", "height")}})
        off = (start.get("yaw", 0.0) - reply["state"].get("yaw", 0.0) + 180.0) % 360.0 - 180.0
        if abs(off) > 0.05:
            self.action({"action": "look", "yaw": off, "pitch": 0})
        self.screenshot()
        report: Json = {
            "task": task, "prefix": prefix, "kind": kind, "type": "ImplicitIntentNav" if inferred else TYPES[kind],
            "start": start, "initial": self.get("/state"), "steps": [], "baseline": {}, "event": "", "visited": {},
            "violations": [], "zones": task.get("restrictedZones", []), "violation": None, "plan": plan,
        }  # fmt: skip
        self.begun = self.clock(report["initial"])
        restore = self._set_up(report)
        self.screenshot()
        try:
            self._steps(report, model, video)
            self._end(report, model)
        finally:
            for value in restore:
                self.action(value)
            self.http.post("/task/exit")
        return report

    def _set_up(self, report: Json) -> list[Json]:
        """Weather, clock and people of the variant; returns what undoes them."""
        prefix, undo = report["prefix"], list[Json]()
        if prefix in ("RQ", "RN"):
            self.action({"action": "set_weather", "weather": "rainy"})
            report["baseline"] = self.get("/state")
            undo.append({"action": "set_weather", "weather": "sunny"})
        elif prefix == "PL":
            self.action({"action": "enable_pedestrians"})
            report["baseline"] = self.get("/state")
            undo.append({"action": "disable_pedestrians"})
        elif prefix in CONDITIONS:
            before = self.get("/state")
            weather, clock = CONDITIONS[prefix]
            self.action({"action": "set_weather", "weather": weather})
            undo.append({"action": "set_weather", "weather": before["weather"]})
            if clock is not None:
                self.action({"action": "set_time", "hour": clock[0], "minute": clock[1]})
                hour, minute = map(int, before["time"].split(":")[:2])
                undo.append({"action": "set_time", "hour": hour, "minute": minute})
            report["baseline"] = self.get("/state")
        elif report["kind"] == 5:
            self._schedule(report)
        return undo

    def _schedule(self, report: Json) -> None:
        plan = report["plan"]
        deadlines = [minutes(a["time"]) for a in plan["appointments"]]
        total = minutes(plan["total_deadline"])
        timed = [d for d in (*deadlines, total) if d is not None]
        now = minutes(plan["current_time"])
        if now is None and timed:
            now = timed[0] - 45.0
        report["clock"] = None
        if now is not None:
            self.action({"action": "set_time", "hour": int(now) // 60 % 24, "minute": int(now) % 60})
            first = minutes(report["initial"]["time"]) or 0.0
            report["clock_start"] = now
            report["clock"] = max(first, minutes(self.get("/state")["time"]) or 0.0)
            deadlines = [None if d is None else d + (1440.0 if d < now else 0.0) for d in deadlines]
            total = None if total is None else total + (1440.0 if total < now else 0.0)
        report["deadlines"], report["total_deadline"] = deadlines, total

    def _steps(self, report: Json, model: Model, video: bool) -> None:
        kind, notes = report["kind"], ""
        zones, dynamic = report["zones"], report["type"] == "DynamicClosureNav"
        report["checking"] = not dynamic
        report["disclosed_at"] = None
        self._progress(report, report["initial"])
        for number in range(1, self.steps + 1):
            if kind == 13 and len(report["visited"]) == len(report["task"]["multiRouteTargets"]):
                return
            before = self.get("/state")
            image = self.screenshot()
            if dynamic and report["disclosed_at"] is None and self.clock(before) - self.begun >= 30.0:
                report["disclosed_at"], report["checking"] = number, True
                notes = "a road has been closed"
            action = model.turn(before.get("mode", "first_person"), image, notes)
            step: Json = {"step": number, "before": before, "action": action, "checked": report["checking"]}
            report["steps"].append(step)
            if action["action"] == "terminate":
                step |= {"after": before, "seconds": 0.0, "terminated": True}
            else:
                reply = self.action(action, video)
                after = reply["state"]
                step |= {"after": after, "seconds": self.clock(after) - self.clock(before), "terminated": False}
            step["elapsed"] = self.clock(step["after"]) - self.begun
            self._progress(report, step["after"])
            if kind in (3, 7, 8, 9):
                report["event"] = "final_answer" if step["terminated"] else ""
            elif step["terminated"]:
                report["event"] = "agent_terminated"
            elif report["checking"] and (edges := crossed_edges(before, step["after"], zones, report["start"])):
                report["violation"] = {"step": number, "crossed_edges": edges}
                report["event"] = "closure_crossed"
            elif kind in (0, 2, 10, 11, 12) and haversine(step["after"], report["task"]["endPoint"]) <= RADIUS:
                report["event"] = "destination_reached"
            elif kind == 5 and len(report["visited"]) == len(report["task"]["schedule"]):
                report["event"] = "schedule_completed"
            elif kind == 13 and len(report["visited"]) == len(report["task"]["multiRouteTargets"]):
                report["event"] = "all_targets_visited"
            if report["event"]:
                return

    def _progress(self, report: Json, state: Json) -> None:
        """Stops and targets within reach of a state."""
        visited, task = report["visited"], report["task"]
        if report["kind"] == 13:
            for k, target in enumerate(task["multiRouteTargets"]):
                if k not in visited and haversine(state, target["point"]) <= RADIUS:
                    visited[k] = len(visited)
        if report["kind"] != 5:
            return
        if report["clock"] is not None and state is not report["initial"]:
            reading = minutes(state["time"]) or 0.0
            reading += 1440.0 if reading < report["clock_start"] - 720.0 else 0.0
            report["clock"] = max(report["clock"], reading)
        stops = [stop["target"] for stop in task["schedule"]]
        while len(visited) < len(stops) and haversine(state, stops[len(visited)]) <= RADIUS:
            visited[len(visited)] = report["clock"]
        for k in range(len(visited) + 1, len(stops)):
            if k not in report["violations"] and haversine(state, stops[k]) <= RADIUS:
                report["violations"].append(k)

    def _end(self, report: Json, model: Model) -> None:
        steps, kind = report["steps"], report["kind"]
        report["final"] = steps[-1]["after"] if steps else report["initial"]
        if kind in (7, 8, 9):
            self.get("/state")
            image = self.screenshot()
            report["final"] = self.get("/state")
            report["answer"] = model.answer(image)
        elif kind == 3:
            image = self.screenshot()
            told = self.action({"action": "where_am_i"})
            report["surface"] = told["action"] or told["state"]["surface"]
            report["found"] = bool(model.found(report["task"]["description"], report["surface"], image))
            report["answer"] = "found" if report["found"] else "not_found"
        elif not report["event"]:
            report["final"] = self.get("/state")


def minutes(text: str | None) -> float | None:
    """Minutes since midnight of HH:MM or HH:MM:SS."""
    if text is None:
        return None
    parts = [int(part) for part in text.split(":")]
    return parts[0] * 60.0 + parts[1] + (parts[2] / 60.0 if len(parts) > 2 else 0.0)


__all__ = ["MAP_ACTIONS", "Client", "Json", "Model", "minutes", "real"]
