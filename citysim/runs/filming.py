"""Films: pictures one after the other into an mp4 (PyAV) or a gif (Pillow), whole or not at all."""

import contextlib
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.errors import DependencyError, InputError, StorageError
from citysim.storage import unwritable

Picture = NDArray[np.uint8]
Add = Callable[[Picture], None]

FORMATS = (".mp4", ".gif")
QUALITY = "21"  # of x264: smaller is better


def check_film(path: Path) -> None:
    """Raise InputError for an ending no film has, DependencyError where mp4 cannot be written here."""
    if path.suffix.lower() not in FORMATS:
        raise InputError("a film's name that ends in .mp4 or .gif", f"'{path}'", f"{path.with_suffix('.mp4').name}")
    if path.suffix.lower() == ".mp4":
        _av()


@contextmanager
def film(path: Path, size: tuple[int, int], rate: int, *, title: str = "", comment: str = "") -> Iterator[Add]:
    """Yields a function that takes pictures (H, W, 3) uint8 of `size` (width, height), `rate` of them a second.

    The file appears under its name when the block ends without an error; title and comment (a licence) stand in it.
    Raises what `check_film` raises, InputError for odd sizes of an mp4 and StorageError for an unwritable place.
    """
    check_film(path)
    with _replacing(path) as temporary:
        write = _mp4 if path.suffix.lower() == ".mp4" else _gif
        with write(temporary, size, rate, {"title": title, "comment": comment}) as add:
            yield add


@contextmanager
def _mp4(path: Path, size: tuple[int, int], rate: int, words: dict[str, str]) -> Iterator[Add]:
    """H.264 with 4:2:0 colours, which every browser plays; its index comes first, so that it starts at once."""
    if size[0] % 2 or size[1] % 2:
        raise InputError("an even width and height for mp4", f"{size[0]}x{size[1]}", "one pixel more")
    av = _av()
    with av.open(str(path), "w", format="mp4", options={"movflags": "+faststart"}) as container:
        container.metadata.update({key: value for key, value in words.items() if value})
        stream = container.add_stream("libx264", rate=Fraction(rate))
        stream.width, stream.height, stream.pix_fmt = *size, "yuv420p"
        stream.options = {"crf": QUALITY, "preset": "veryfast"}
        stream.thread_count = 1  # the same bytes on every machine with this encoder

        def add(picture: Picture) -> None:
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(picture), format="rgb24")
            container.mux(stream.encode(frame))

        yield add
        container.mux(stream.encode())


@contextmanager
def _gif(path: Path, size: tuple[int, int], rate: int, words: dict[str, str]) -> Iterator[Add]:
    """One palette for all pictures, so that what stands still does not flicker."""
    from PIL import Image

    frames: list[Any] = []

    def add(picture: Picture) -> None:
        image = Image.fromarray(picture)
        if not frames:
            frames.append(image.quantize(256, dither=Image.Dither.NONE))
        else:
            frames.append(image.quantize(palette=frames[0], dither=Image.Dither.NONE))

    yield add
    if not frames:
        raise InputError("at least one picture", "none", "an episode with steps")
    text = ". ".join(word for word in words.values() if word).encode("latin-1", "replace")
    frames[0].save(
        path, "GIF", save_all=True, append_images=frames[1:], duration=round(1000 / rate), loop=0, comment=text
    )


@contextmanager
def _replacing(path: Path) -> Iterator[Path]:
    """A temporary file beside `path` that takes its name at the end, or vanishes."""
    temporary: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        os.close(handle)
        temporary = Path(name)
        yield temporary
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except StorageError:
        raise
    except OSError as error:
        raise unwritable(path, error) from None
    finally:
        if temporary is not None:
            with contextlib.suppress(FileNotFoundError):
                temporary.unlink()


def _av() -> Any:
    try:
        import av
    except ImportError as error:
        raise DependencyError(
            "PyAV, which writes mp4", f"{error}", "pip install 'citysim[video]', or a name that ends in .gif"
        ) from None
    return av
