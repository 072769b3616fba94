"""Makes the typefaces of Chinese and Japanese signs: the characters the name lists use, cut from Noto Sans.

    pip install fonttools justmytype-intl-cjk
    python -m citysim.build.text.subsetting

The results are committed beside their licence, so that neither package is needed to build a city.
"""

from importlib.resources import files
from pathlib import Path

SOURCES = {  # face -> file in justmytype-intl-cjk
    "SignsTC-Bold.ttf": "notosanstc/NotoSansTC[wght].ttf",
    "SignsJP-Bold.ttf": "notosansjp/NotoSansJP[wght].ttf",
}
LICENCE = "notosansjp/OFL.txt"
WEIGHT = 700
LATIN = "".join(map(chr, range(32, 127)))


def wanted(file: str) -> str:
    """The characters that a face of SOURCES must have, in order, without Latin ones."""
    from citysim.build.procedural.naming.characters import CHINESE, JAPANESE

    return CHINESE if file.startswith("SignsTC") else JAPANESE


def main() -> None:
    """Write the subsets into citysim/fonts/data."""
    from fontTools import subset, ttLib
    from fontTools.varLib.instancer import instantiateVariableFont

    source = Path(str(files("justmytype_intl_cjk"))) / "fonts" / "ofl"
    target = Path(str(files("citysim"))) / "fonts" / "data"
    target.mkdir(exist_ok=True)
    for file, origin in SOURCES.items():
        font = ttLib.TTFont(source / origin, recalcTimestamp=False)
        options = subset.Options(layout_features=[], hinting=False, name_IDs=[0, 1, 2, 5, 13, 14], notdef_outline=True)
        cutter = subset.Subsetter(options)
        cutter.populate(text=wanted(file) + LATIN)
        cutter.subset(font)
        instantiateVariableFont(font, {"wght": WEIGHT}, inplace=True)
        for record in font["name"].names:
            if record.nameID == 1:
                record.string = f"Citysim {file.split('-')[0]}"
        font.save(target / file)
    (target / "OFL.txt").write_text((source / LICENCE).read_text())


if __name__ == "__main__":
    main()
