"""Text as a picture with a halo, for maps."""

from typing import TYPE_CHECKING

from citysim.fonts.faces import font
from citysim.fonts.layout import runs

if TYPE_CHECKING:
    from PIL.Image import Image as Picture


def text_image(text: str, cap: int, ink: str, halo: str, face: str = "round") -> "Picture":
    """An RGBA picture just large enough for `text` with capitals `cap` pixels high, ink over a halo of 2 pixels."""
    from PIL import Image, ImageDraw

    parts = [(font(name, cap), letters) for name, letters in runs(text, face)]
    widths = [drawn.getlength(letters) for drawn, letters in parts]
    edge, baseline = 3, cap + cap // 2 + 3
    image = Image.new("RGBA", (int(sum(widths)) + 2 * edge + 1, baseline + cap // 2 + edge), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    for stroke, colour in ((2, halo), (0, ink)):
        x = float(edge)
        for (drawn, letters), width in zip(parts, widths, strict=True):
            draw.text((x, baseline), letters, font=drawn, fill=colour, stroke_width=stroke, anchor="ls")
            x += width
    return image
