"""What a film of an episode shows: the view, a small map with the way so far, and what was done and said."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.city import City
from citysim.fonts.drawing import text_image
from citysim.fonts.faces import font
from citysim.fonts.layout import runs
from citysim.pose import Pose
from citysim.render.base import Renderer
from citysim.render.mapmarks import MapPoint
from citysim.render.mapview import MapView
from citysim.render.overhead import draw_map
from citysim.tasks.base import Goal
from citysim.tasks.record import StepRecord

Picture = NDArray[np.uint8]

GROUND, INK, DIM, AMBER, GREEN, RED = "#14171c", "#f2f2ee", "#9aa3ad", "#f2b84b", "#63c58a", "#ef6f6a"
WAY = (225, 60, 40)
MARGIN_M, LEAST_M = 25.0, 120.0
LINES = 3  # of what was said
LONGEST = 400


class Panels:
    """Puts pictures together; `size` is that of the whole, even numbers, `view` that of what is seen in it."""

    def __init__(self, city: City, renderer: Renderer, goal: Goal, ways: Sequence[Pose], view: tuple[int, int]) -> None:
        self.view = view
        self._cap = max(8, view[1] // 42)
        self._strip = 10 * self._cap
        self._side = (view[0] // 2, view[1])
        self.size = (view[0] + self._side[0], view[1] + self._strip)
        self._map = _map_of(city, goal, ways, self._side)
        start, end = goal.start, goal.position
        ends = [MapPoint(start.east, start.north, "start"), MapPoint(end[0], end[1], "goal")]
        closures = [zone.vertices for zone in goal.zones]
        self._drawn = draw_map(renderer, city, self._map, points=ends, closures=closures).rgb
        self._credit = f"{city.attribution} ({city.licence})" if city.attribution else city.licence
        self._way: list[tuple[float, float, float]] = []
        self._strips: dict[tuple[str, ...], Picture] = {}

    def page(self, seen: Picture, pose: Pose, words: tuple[str, str, str]) -> Picture:
        """One picture: what is seen, where, and three texts (heading, what was said, notices)."""
        from PIL import Image, ImageDraw

        self._way.append((pose.east, pose.north, pose.up))
        sheet = Image.new("RGB", self.size, GROUND)
        shown = Image.fromarray(seen)
        if shown.size != self.view:
            shown.thumbnail(self.view) if shown.width > self.view[0] else None
            ratio = min(self.view[0] / shown.width, self.view[1] / shown.height)
            shown = shown.resize((int(shown.width * ratio), int(shown.height * ratio)), Image.Resampling.BILINEAR)
        sheet.paste(shown, ((self.view[0] - shown.width) // 2, (self.view[1] - shown.height) // 2))
        little = Image.fromarray(self._drawn)
        draw = ImageDraw.Draw(little)
        line = [(float(x), float(y)) for x, y in self._map.to_pixels(np.array(self._way))[:, :2]]
        if len(line) > 1:
            draw.line(line, fill=WAY, width=3, joint="curve")
        x, y = line[-1]
        ahead = np.array([np.sin(np.radians(pose.heading_deg)), -np.cos(np.radians(pose.heading_deg))]) * self._cap
        aside = np.array([-ahead[1], ahead[0]]) * 0.6
        tip = [(x + ahead[0], y + ahead[1])]
        back = [(x + s * aside[0] - 0.6 * ahead[0], y + s * aside[1] - 0.6 * ahead[1]) for s in (1, -1)]
        draw.polygon(tip + back, fill=WAY, outline=(255, 255, 255))
        sheet.paste(little, (self.view[0], 0))
        sheet.paste(Image.fromarray(self._caption(words)), (0, self.view[1]))
        return np.asarray(sheet, dtype=np.uint8)

    def card(self, lines: Sequence[str]) -> Picture:
        """A title of several lines on its own; the licence of the map data stands below."""
        from PIL import Image

        sheet = Image.new("RGB", self.size, GROUND)
        cap = self._cap
        y = self.size[1] // 4
        for number, text in enumerate(lines):
            for part in wrapped(text, cap + (cap // 2 if number == 0 else 0), self.size[0] - 6 * cap, 4):
                label = text_image(part, cap + (cap // 2 if number == 0 else 0), INK if number == 0 else DIM, GROUND)
                sheet.paste(label, (3 * cap, y), label)
                y += 3 * cap
        label = text_image(self._credit, max(7, cap - 3), DIM, GROUND)
        sheet.paste(label, (3 * cap, self.size[1] - 4 * cap), label)
        return np.asarray(sheet, dtype=np.uint8)

    def _caption(self, words: tuple[str, str, str]) -> Picture:
        from PIL import Image

        if words not in self._strips:
            strip = Image.new("RGB", (self.size[0], self._strip), GROUND)
            cap, room, y = self._cap, self.size[0] - 2 * self._cap, self._cap // 2
            heading, said, noticed = words
            texts = [(part, INK) for part in wrapped(heading, cap, room, 1)]
            texts += [(part, GREEN) for part in wrapped(said, cap - 1, room, LINES)]
            texts += [(part, AMBER) for part in wrapped(noticed, cap - 1, room, 1)]
            for text, ink in texts:
                label = text_image(text, cap if ink == INK else cap - 1, ink, GROUND)
                strip.paste(label, (cap, y), label)
                y += 2 * cap
            label = text_image(self._credit, max(6, cap - 4), DIM, GROUND)
            strip.paste(label, (self.size[0] - label.width - cap, self._strip - label.height), label)
            self._strips = {words: np.asarray(strip, dtype=np.uint8)}
        return self._strips[words]


def heading_of(record: StepRecord, count: int) -> str:
    """A step's number and its action in few words."""
    return f"{record.index} of {count}   {action_words(record.action)}" + ("   (refused)" if record.invalid else "")


def action_words(action: Any) -> str:
    """{"action": "move", "dir": "forward", "seconds": 2.0} as `move: dir forward, seconds 2`."""
    if isinstance(action, dict) and "action" in action:
        given = ", ".join(f"{key} {_short(value)}" for key, value in action.items() if key != "action")
        return f"{_short(action['action'])}: {given}" if given else _short(action["action"])
    return _short(action)


def wrapped(text: str, cap: int, width: int, most: int) -> list[str]:
    """A text in at most so many lines of so many pixels, at the end with dots when something is left out."""
    lines: list[str] = []
    words = " ".join(text.split())[:LONGEST].split(" ")
    while words and words != [""]:
        count = len(words)
        while count > 1 and _width(" ".join(words[:count]), cap) > width:
            count -= 1
        line = " ".join(words[:count])
        while len(line) > 1 and _width(line, cap) > width:
            line = line[:-1]
        words = words[count:]
        if len(lines) + 1 == most and words:
            return [*lines, f"{line[:-2]} ..."]
        lines.append(line)
    return lines


def _width(text: str, cap: int) -> float:
    """Pixels that `text_image` makes of a text."""
    return sum(font(name, cap).getlength(letters) for name, letters in runs(text, "round")) + 7.0


def _map_of(city: City, goal: Goal, ways: Sequence[Pose], size: tuple[int, int]) -> MapView:
    """A map with everything that happens on it."""
    spots = np.array([(p.east, p.north) for p in ways] + [goal.position[:2], goal.start.position[:2].tolist()])
    low, high = spots.min(axis=0) - MARGIN_M, spots.max(axis=0) + MARGIN_M
    metres = max(float(high[0] - low[0]) / size[0], float(high[1] - low[1]) / size[1], LEAST_M / max(size))
    middle = (low + high) / 2.0
    return MapView.of(city, size, center=(float(middle[0]), float(middle[1])), metres_px=metres)


def _short(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:g}"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
