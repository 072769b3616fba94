"""Reading text in pictures with RapidOCR, whose models come in its wheel (extra `ocr`)."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from citysim.errors import DependencyError

ENLARGED = 2
"""Pictures are enlarged so many times before they are read: letters of ten pixels are too small for the engine."""


class TextReader:
    """An OCR engine on one thread, so that equal pictures give equal text whatever the machine's load."""

    def __init__(self) -> None:
        """Raises DependencyError where the engine is not installed or its libraries are missing."""
        try:
            from rapidocr_onnxruntime import RapidOCR
        except ImportError as error:
            found = f"no rapidocr-onnxruntime ({error})"
            raise DependencyError("an OCR engine", found, "pip install 'citysim[ocr]' on Python below 3.13") from None
        self._engine: Any = RapidOCR(intra_op_num_threads=1, inter_op_num_threads=1, det_limit_side_len=480)

    def lines(self, rgb: NDArray[np.uint8]) -> Sequence[str]:
        """Lines of text in a (H, W, 3) uint8 picture, from top to bottom and left to right."""
        from PIL import Image

        picture = Image.fromarray(rgb)
        size = (picture.width * ENLARGED, picture.height * ENLARGED)
        large = np.asarray(picture.resize(size, Image.Resampling.LANCZOS))[:, :, ::-1]  # the engine takes BGR
        found, _ = self._engine(np.ascontiguousarray(large), use_cls=False)
        return [str(text) for _, text, _ in found or ()]
