"""The line of words that `include_ui` lays over a picture: clock, weather, heading."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


def with_overlay(rgb: NDArray[np.uint8], state: dict[str, Any]) -> NDArray[np.uint8]:
    """(H, W, 3) uint8 with what a phone would show on its upper edge."""
    from PIL import Image, ImageDraw, ImageFont

    picture = Image.fromarray(rgb)
    draw = ImageDraw.Draw(picture, "RGBA")
    size = max(10, rgb.shape[0] // 30)
    text = f"{state['time'][:5]}   {state['weather_label']}   {state['yaw']:.0f}°   {state['mode'].replace('_', ' ')}"
    draw.rectangle((0, 0, rgb.shape[1], size * 2), fill=(0, 0, 0, 140))
    draw.text((size // 2, size // 2), text, fill=(255, 255, 255), font=ImageFont.load_default(size))
    return np.asarray(picture, dtype=np.uint8)
