# /// script
# requires-python = ">=3.11"
# dependencies = ["fonttools==4.68.0", "brotli==1.2.1"]
# ///
"""Cut the two typefaces of the pages to what the pages need: `make fonts` (docs/why/type.md).

The sources are the packages of `@fontsource-variable` in the lock file. Each font gets one weight, the letters of the
languages that the house may speak, and kerning. Its figures become the tabular lining ones, so that numbers line up
everywhere, also where a style sheet says nothing of figures.
"""

from __future__ import annotations

from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "node_modules" / "@fontsource-variable"
STATIC = ROOT / "src" / "spelunke" / "web" / "static"

FACES = {"alegreya": 400, "bitter": 700}
"""The text face and the display face, with their weights."""
SPACE = {"alegreya": 0, "bitter": 40}
"""The spaces of Bitter are narrow for the small words on buttons and badges."""
MARKS = "–—‘’‚“”„•…‹›€−Œœ"
LATIN = {*range(0x20, 0x7F), *range(0xA0, 0x100), *map(ord, MARKS)}
"""English, German, Dutch, French, Italian, and Finnish but for Š and Ž."""
EXTENDED = set(range(0x100, 0x180)) - LATIN
"""Latin Extended-A: a file of its own, which browsers fetch only where a page has one of these letters."""
FEATURES = ["kern", "liga", "ccmp", "mark", "locl"]
NAMES = [0, 1, 2, 3, 4, 5, 6, 13, 14]
"""Copyright, names and licence stay in the font."""


def line_up(font: TTFont) -> None:
    """Make the tabular lining figures the figures of a font."""
    glyphs = set(font.getGlyphOrder())
    for table in font["cmap"].tables:
        for code in range(ord("0"), ord("9") + 1):
            name = f"{table.cmap.get(code)}.tf"
            if name in glyphs:
                table.cmap[code] = name


def widen_spaces(font: TTFont, more: int) -> None:
    """Add to the width of the space between words, in thousandths of the size."""
    for name in ("space", "uni00A0", "nbspace"):
        if name in font["hmtx"].metrics:
            width, bearing = font["hmtx"][name]
            font["hmtx"][name] = (width + more, bearing)


def cut(face: str, part: str, weight: int, codes: set[int], target: Path) -> None:
    """Write one subset of a face."""
    source = SOURCES / face / "files" / f"{face}-{part}-wght-normal.woff2"
    font = instantiateVariableFont(TTFont(source, recalcTimestamp=False), {"wght": weight})
    line_up(font)
    widen_spaces(font, SPACE[face])
    options = subset.Options(
        layout_features=FEATURES, hinting=False, name_IDs=NAMES, notdef_outline=True, recalc_timestamp=False
    )
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=codes)
    subsetter.subset(font)
    font.flavor = "woff2"
    font.save(target)
    print(f"{target.name}: {target.stat().st_size:,} bytes")


def main() -> None:
    """Write all subsets, and the licences beside them."""
    licences = []
    for face, weight in FACES.items():
        cut(face, "latin", weight, LATIN, STATIC / f"{face}.woff2")
        cut(face, "latin-ext", weight, EXTENDED, STATIC / f"{face}-extended.woff2")
        licences.append((SOURCES / face / "LICENSE").read_text(encoding="utf-8").strip())
    (STATIC / "fonts.LICENSES.txt").write_text("\n\n\n".join(licences) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
