"""Draw the preview pictures that messengers show beside a link, as SVG, and convert them to PNG.

The pictures show only what every spectator may see. For the choice of resvg and fontTools, see docs/why/pictures.md.
"""

from __future__ import annotations

import importlib.resources
import io
import re
import tempfile
from functools import cache
from pathlib import Path

from spelunke.boards.drawing import HEIGHT, WIDTH, shorten
from spelunke.boards.markup import html, join
from spelunke.games.game import Game

STATIC = Path(__file__).parent / "static"
FONTS = ("bitter.woff2", "bitter-extended.woff2", "alegreya.woff2", "alegreya-extended.woff2")
_RULE = re.compile(r"([^{}@;]+)\{([^{}]*)\}")
_VAR = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,\s*([^()]*))?\)")
_CLASS = re.compile(r"\.[\w-]+")
_FONT = re.compile(r"font:\s*(\d+)\s+([\d.]+px)[^;]*;?")
_PAIR = re.compile(r"light-dark\([^,()]*,\s*([^()]*)\)")
_FAMILY = re.compile(r'font-family="[^"]*"')
_OPEN = re.compile(r"<svg\b([^>]*)>")
SHADE = (
    '<defs><linearGradient id="card-shade" x1="0" y1="0" x2="0" y2="1">'
    '<stop offset="0.3" stop-color="#070e17" stop-opacity="0"/>'
    '<stop offset="0.48" stop-color="#070e17" stop-opacity="0.93"/>'
    '<stop offset="1" stop-color="#070e17" stop-opacity="0.98"/></linearGradient></defs>'
)


@cache
def _variables() -> dict[str, str]:
    """Return the custom properties (variables) of the site's style sheet, with the colours of both themes."""
    sheet = (STATIC / "house.css").read_text(encoding="utf-8")
    found: dict[str, str] = {}
    for name, value in re.findall(r"(--[\w-]+):\s*([^;{}]+);", sheet):
        found.setdefault(name, value.strip())
    return found


def _resolve(value: str, known: dict[str, str]) -> str:
    """Return a CSS value with each variable replaced by its value, and each `light-dark()` by its dark colour."""
    for _ in range(4):
        value = _PAIR.sub(r"\1", _VAR.sub(lambda found: known.get(found[1], found[2] or "none"), value))
    return value


@cache
def _styles(package: str) -> str:
    """Return the style rules for the shapes of a game's board, with values in place of the CSS variables.

    A picture file of a board has only these styles, and can't use variables. Sometimes the rule of one class uses a
    variable that the rule of another class sets. For such a pair, the result has one more rule, for elements with both
    classes. In this rule, the value replaces the variable.
    """
    file = importlib.resources.files(package).joinpath("ui/board.css")
    if not file.is_file():
        return ""
    sheet = re.sub(r"/\*.*?\*/", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
    sheet = re.sub(r"@(?:media|supports|keyframes)[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", sheet)
    known = dict(_variables())
    by_class: dict[str, list[tuple[str, str]]] = {}
    for selector, body in _RULE.findall(sheet):
        for name, value in re.findall(r"(--[\w-]+):\s*([^;{}]+);", body):
            known.setdefault(name, value.strip())
            if _CLASS.fullmatch(selector.strip()):
                by_class.setdefault(name, []).append((selector.strip(), value.strip()))
    rules = []
    for selector, body in _RULE.findall(sheet):
        selector = selector.strip()
        kept = ";".join(
            one.strip()
            for one in _FONT.sub(r"font-weight:\1;font-size:\2;", body).split(";")
            if re.match(
                r"\s*(color|fill|stroke|opacity|stop-|font-|text-anchor|letter-spacing|paint-order)", one
            )
        )
        if not kept or ":" in selector:
            continue
        rules.append(f"{selector}{{{_resolve(kept, known)}}}")
        rules += [
            f"{one}{other}{{{_resolve(kept, known | {name: value})}}}"
            for one in re.split(r",\s*", selector)
            if _CLASS.fullmatch(one)
            for name, _default in _VAR.findall(kept)
            for other, value in by_class.get(name, ())
        ]
    return "\n".join(rules)


def _nest(drawing: str, width: int, height: int, usual: str = "xMidYMid meet") -> str:
    """Return an SVG drawing with this width and height, for use inside another SVG drawing.

    If the drawing sets no `preserveAspectRatio`, it gets `usual`.
    """
    found = _OPEN.search(drawing)
    if found is None:
        return ""
    box = re.search(r'viewBox="([^"]*)"', found[1])
    ratio = re.search(r'preserveAspectRatio="([^"]*)"', found[1])
    kind = re.search(r'class="([^"]*)"', found[1])
    opening = f'<svg width="{width}" height="{height}"'
    opening += f' viewBox="{box[1]}"' if box else ""
    opening += f' preserveAspectRatio="{ratio[1] if ratio else usual}"'
    opening += f' class="{kind[1]}"' if kind else ""
    return drawing[: found.start()] + opening + ">" + drawing[found.end() :]


def draw_card(game: Game, title: str, kicker: str, lines: tuple[str, ...], drawing: str = "") -> str:
    """Return the preview picture of a link as SVG: a picture with words on it.

    The picture is `drawing`, or the game's own picture if `drawing` is empty. `kicker` is a short line above the title.
    The first three of `lines` are below the title.
    """
    fit = "xMidYMid slice"
    if not drawing:
        # The converter to PNG has only the site's own typefaces. A picture that is too wide is cut off at the left.
        drawing = _FAMILY.sub('font-family="House Slab"', str(game.hooks.render_picture()))
        fit = "xMaxYMid slice"
    rows = join(
        html(
            '<text x="64" y="{}" font-family="House Slab" font-weight="600" font-size="34" fill="#f6eedd">{}</text>',
            470 + 50 * number,
            shorten(line, 58),
        )
        for number, line in enumerate(lines[:3])
    )
    words = html(
        '<text x="64" y="330" font-family="House Slab" font-weight="700" font-size="30" fill="#f5b44c">{}</text>'
        '<text x="64" y="405" font-family="House Slab" font-weight="800" font-size="{}" fill="#f6eedd">{}</text>{}',
        kicker,
        64 if len(title) <= 26 else 46,
        shorten(title, 44),
        rows,
    )
    size = f'width="{WIDTH}" height="{HEIGHT}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" {size}>'
        f"<style>{_styles(game.package)}</style>{SHADE}"
        f'<rect {size} fill="#070e17"/>{_nest(drawing, WIDTH, HEIGHT, fit)}'
        f'<rect {size} fill="url(#card-shade)"/>{words}'
        f'<text x="{WIDTH - 64}" y="{HEIGHT - 34}" text-anchor="end" font-family="House Slab" font-weight="700"'
        ' font-size="26" fill="#f5b44c">Spelunke</text></svg>'
    )


def finish_drawing(game: Game, drawing: str) -> str:
    """Return a board's drawing as a complete SVG file, with its styles."""
    found = _OPEN.search(drawing)
    box = re.search(r'viewBox="([^"]*)"', found[1]) if found else None
    size = [float(one) for one in box[1].split()] if box else [0, 0, WIDTH, HEIGHT]
    width, height = round(size[2]), round(size[3])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
        f'<style>{_styles(game.package)}</style><rect width="{width}" height="{height}" fill="#0c1622"/>'
        f"{_nest(drawing, width, height)}</svg>"
    )


@cache
def _font_files() -> list[str]:
    """Write the site's fonts as TTF files, which resvg can read, and return their paths. Do so once per process."""
    from fontTools.ttLib import TTFont

    folder = Path(tempfile.mkdtemp(prefix="spelunke-fonts-"))
    files = []
    for name in FONTS:
        font = TTFont(io.BytesIO((STATIC / name).read_bytes()))
        font.flavor = None
        family = "House Slab" if name.startswith("bitter") else "House Text"
        for record in font["name"].names:
            if record.nameID in (1, 16):
                record.string = family
        file = folder / f"{Path(name).stem}.ttf"
        font.save(file)
        files.append(str(file))
    return files


def to_png(svg: str, width: int = WIDTH) -> bytes:
    """Return an SVG drawing as PNG, without use of the network or the system's fonts."""
    import resvg_py

    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            width=width,
            skip_system_fonts=True,
            font_files=_font_files(),
            font_family="House Text",
        )
    )
