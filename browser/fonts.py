# /// script
# requires-python = ">=3.11"
# dependencies = ["fonttools==4.68.0", "brotli==1.2.1"]
# ///
"""Cut the two typefaces of the pages to what the pages need: `make fonts` (docs/why/type.md).

The sources are the packages of `@fontsource-variable` in the lock file. Each font gets one weight, the
letters of the languages that the pages may have, and kerning. Its digits get one width and one height (tabular
lining figures), so that numbers line up everywhere, even if a style sheet does not ask for it. Card suits,
marks and arrows are drawn here and added to both fonts, so that no page depends on the signs of a system's fonts.
"""

from __future__ import annotations

import ast
from pathlib import Path

from fontTools import subset
from fontTools.misc.transform import Transform
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.svgLib.path import parse_path
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "node_modules" / "@fontsource-variable"
STATIC = ROOT / "src" / "spelunke" / "web" / "static"

FACES = {"alegreya": 400, "bitter": 700}
"""The text face and the display face, with their weights."""
SPACE = {"alegreya": 40, "bitter": 40}
"""Both spaces are too narrow beside the wide figures and in small text, so they are widened by this."""
MARKS = "–—‘’‚“”„•…‹›€−Œœ"
LATIN = {*range(0x20, 0x7F), *range(0xA0, 0x100), *map(ord, MARKS)}
"""English, German, Dutch, French, Italian, and Finnish but for Š and Ž."""
EXTENDED = set(range(0x100, 0x180)) - LATIN
"""Latin Extended-A: a file of its own, which browsers fetch only for pages with one of these letters."""
FEATURES = ["kern", "liga", "ccmp", "mark", "locl"]
NAMES = [0, 1, 2, 3, 4, 5, 6, 13, 14]
"""Copyright, names and licence stay in the font."""


SIGNS = {
    "\u2713": "M4 24L9 19L16 27L32 7L37 11L17 36Z",
    "\u2717": "M8 8L13 4L20 15L28 4L33 8L24 20L34 33L28 37L20 26L12 37L6 33L16 20Z",
    "\u2605": "M20 3L25 15L38 16L28 24L31 37L20 30L9 37L12 24L2 16L15 15Z",
    "\u25cf": "M20 8C27 8 33 14 33 21C33 28 27 34 20 34C13 34 7 28 7 21C7 14 13 8 20 8Z",
    "\u25cb": "M20 8C27 8 33 14 33 21C33 28 27 34 20 34C13 34 7 28 7 21C7 14 13 8 20 8Z"
    "M20 12C15 12 11 16 11 21C11 26 15 30 20 30C25 30 29 26 29 21C29 16 25 12 20 12Z",
    "\u25c6": "M20 5L35 21L20 37L5 21Z",
    "\u25c2": "M28 8L28 34L10 21Z",
    "\u25b8": "M12 8L30 21L12 34Z",
    "\u25be": "M7 13L33 13L20 31Z",
    "\u2190": "M2 21L16 9L16 18L38 18L38 24L16 24L16 33Z",
    "\u2192": "M38 21L24 33L24 24L2 24L2 18L24 18L24 9Z",
    "\u2191": "M20 3L32 17L23 17L23 38L17 38L17 17L8 17Z",
    "\u2193": "M20 38L8 24L17 24L17 3L23 3L23 24L32 24Z",
    "\u21c4": "M38 13L28 21L28 16L4 16L4 10L28 10L28 5ZM2 30L12 22L12 27L36 27L36 33L12 33L12 38Z",
    "\u263e": "M14 5C28 5 36 14 36 22C36 32 28 39 18 39C13 39 8 37 5 33C17 34 24 28 24 20C24 13 20 8 14 5Z",
    "\u2600": "M20 13C25 13 29 17 29 22C29 27 25 31 20 31C15 31 11 27 11 22C11 17 15 13 20 13Z"
    "M18 3L22 3L22 10L18 10ZM18 34L22 34L22 41L18 41ZM1 20L8 20L8 24L1 24ZM32 20L39 20L39 24L32 24Z"
    "M6 5L11 10L8 13L3 8ZM34 5L37 8L32 13L29 10ZM3 36L8 31L11 34L6 39ZM32 31L37 36L34 39L29 34Z",
}
"""Paths of SVG in a box of 40 by 44, clockwise as on the screen; a hole runs the other way or lies within."""
CARDS = {"\u2660": "s", "\u2665": "h", "\u2666": "d", "\u2663": "c"}
DRAWN = ROOT / "src" / "spelunke" / "games" / "sanghai" / "ui" / "art.py"
"""The board's own drawings of the suits, ``SUITS``, which the text has as well."""


def suits() -> dict[str, str]:
    """Return the SVG paths of the card suits, by their characters."""
    for node in ast.parse(DRAWN.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "SUITS":
            paths = ast.literal_eval(node.value)
            return {sign: paths[suit] for sign, suit in CARDS.items()}
    raise ValueError(f"{DRAWN} has no SUITS")


def draw_signs(font: TTFont) -> None:
    """Add the pages' symbols, such as arrows and card suits, to a font. They are as high as its capitals."""
    scale = font["head"].unitsPerEm * 0.7 / 40
    for sign, path in {**SIGNS, **suits()}.items():
        name = f"uni{ord(sign):04X}"
        pen = TTGlyphPen(None)
        place = Transform(scale, 0, 0, -scale, scale * 2, scale * 38)
        parse_path(path, TransformPen(Cu2QuPen(pen, max_err=1.0), place))
        glyph = font["glyf"][name] = pen.glyph()
        width, bearing = round(scale * 44), round(scale * 2)
        if sign in CARDS:  # each as wide as it is drawn: otherwise there seems to be a space after “7♦”
            glyph.recalcBounds(font["glyf"])
            width = glyph.xMax - glyph.xMin + 2 * bearing
            glyph.coordinates.translate((bearing - glyph.xMin, 0))
        font["hmtx"][name] = (width, bearing)
        for table in font["cmap"].tables:
            if table.isUnicode():
                table.cmap[ord(sign)] = name


def line_up(font: TTFont) -> None:
    """Map the digits of a font to its tabular lining figures, which all have the same width and height."""
    glyphs = set(font.getGlyphOrder())
    for table in font["cmap"].tables:
        for code in range(ord("0"), ord("9") + 1):
            name = f"{table.cmap.get(code)}.tf"
            if name in glyphs:
                table.cmap[code] = name


def widen_spaces(font: TTFont, more: int) -> None:
    """Make the space between words wider, by ``more`` thousandths of the font's size."""
    for name in ("space", "uni00A0", "nbspace"):
        if name in font["hmtx"].metrics:
            width, bearing = font["hmtx"][name]
            font["hmtx"][name] = (width + more, bearing)


def cut(face: str, part: str, weight: int, codes: set[int], target: Path) -> None:
    """Write a font file of a typeface with one weight and only the given characters."""
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
    if codes == LATIN:
        draw_signs(font)
    font.flavor = "woff2"
    font.save(target)
    print(f"{target.name}: {target.stat().st_size:,} bytes")


def main() -> None:
    """Write all subsets of the fonts, and beside them the fonts' licences."""
    licences = []
    for face, weight in FACES.items():
        cut(face, "latin", weight, LATIN, STATIC / f"{face}.woff2")
        cut(face, "latin-ext", weight, EXTENDED, STATIC / f"{face}-extended.woff2")
        licences.append((SOURCES / face / "LICENSE").read_text(encoding="utf-8").strip())
    (STATIC / "fonts.LICENSES.txt").write_text("\n\n\n".join(licences) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
