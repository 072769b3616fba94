"""House number plates: one small quad a character from a digit atlas."""

from citysim.build.buildings.batch import Batch
from citysim.build.buildings.segments import Segment
from citysim.build.mesh import Detail

SHEET = "plate/digits"
CHARACTERS = "0123456789ABCDEFGHIJKLMN-/ abcde"
COLUMNS, SIZE = 8, 256  # atlas of 8 x 4 cells, 32 x 64 pixels each
WIDTH, HEIGHT, OUT = 0.13, 0.24, 0.06  # metres; capitals are 0.15 high


def cell(character: str) -> tuple[float, float, float, float]:
    """(left, top, right, bottom) of a character in texture units, half a texel inside."""
    index = CHARACTERS.index(character)
    column, row = index % COLUMNS, index // COLUMNS
    return (
        (column * 32 + 0.5) / SIZE,
        (row * 64 + 0.5) / SIZE,
        (column * 32 + 31.5) / SIZE,
        (row * 64 + 63.5) / SIZE,
    )


def drawable(number: str) -> str:
    """The number with what the atlas lacks left out, at most eight characters."""
    text = number.strip().replace("–", "-").replace(",", "/").replace(";", "/")
    text = "".join(c if c in CHARACTERS else c.upper() for c in text)
    return "".join(c for c in text if c in CHARACTERS)[:8].strip()


def emit_plate(batch: Batch, segment: Segment, u: float, z: float, number: str) -> None:
    """A plate with its lower edge at `z`, centred `u` metres along a wall; read from left to right from outside."""
    text = drawable(number)
    if not text:
        return
    start = u - 0.5 * WIDTH * len(text)
    for k, character in enumerate(text):
        # Seen from outside, the wall runs from left (a) to right (b).
        a, b = segment.at(start + k * WIDTH, OUT), segment.at(start + (k + 1) * WIDTH, OUT)
        left, top, right, bottom = cell(character)
        batch.quad(
            [(*a, z), (*b, z), (*b, z + HEIGHT), (*a, z + HEIGHT)],
            [(left, bottom), (right, bottom), (right, top), (left, top)],
            SHEET,
            (255, 255, 255, 255),
            Detail.FINE,
        )
