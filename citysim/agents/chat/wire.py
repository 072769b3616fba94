"""Messages of a chat request, with pictures known by their pixels."""

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.render.image import encode
from citysim.storage import canonical_json, sha256_hex

Message = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as a data URL; `sha256` is that of its pixels, so that keys do not hang on a JPEG library's version."""

    url: str
    sha256: str

    @classmethod
    def of(cls, rgb: NDArray[np.uint8]) -> "Picture":
        """From (H, W, 3) uint8."""
        digest = hashlib.sha256(f"{rgb.shape}".encode() + np.ascontiguousarray(rgb).tobytes()).hexdigest()
        data = base64.b64encode(encode(rgb, "JPEG", 90)).decode("ascii")
        return cls(f"data:image/jpeg;base64,{data}", digest)


def user(text: str, *pictures: Picture) -> Message:
    """A user's message; pictures stay objects until `sent` or `request_key`."""
    return {"role": "user", "content": text if not pictures else [text, *pictures]}


def sent(messages: Sequence[Message]) -> list[Message]:
    """The messages as they go over the wire."""
    return [_with(message, lambda picture: {"type": "image_url", "image_url": {"url": picture.url}})
            for message in messages]  # fmt: skip


def request_key(body: Message) -> str:
    """SHA-256 of a request (its `messages` with Picture objects), equal for equal words and pixels."""
    messages = [_with(m, lambda picture: {"picture": picture.sha256}) for m in body["messages"]]
    return sha256_hex(canonical_json(body | {"messages": messages}))


def _with(message: Message, shown: Any) -> Message:
    content = message.get("content")
    if not isinstance(content, list):
        return message
    parts = [{"type": "text", "text": part} if isinstance(part, str) else shown(part) for part in content]
    return message | {"content": parts}
