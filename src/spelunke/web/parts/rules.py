"""Convert the rules of a game from Markdown to HTML, with pictures that the game's board draws.

The Markdown may contain two special comments. ``<!-- picture: name | A sentence. -->`` inserts a picture.
``<!-- folded -->`` before a heading hides the chapter until the reader opens it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from spelunke.boards.markup import NOTHING, html, join, rewrite, trusted
from spelunke.boards.scene import Scene
from spelunke.core.words import Translator
from spelunke.games import find_game
from spelunke.games.game import Game
from spelunke.games.illustration import Illustration
from spelunke.records.position import apply, build_match
from spelunke.web.words import LANGUAGE

REFERENCE = re.compile(r"\s?\((?:<code>[A-Z]-[A-Z]\d+</code>(?:,\s+)?)+\)")
"""Matches citations of rule numbers, such as ``(A-B1)`` in code style."""
PICTURE = re.compile(r"^<!-- picture: (?P<name>[\w-]+) \| (?P<caption>.+?) -->$", re.MULTILINE | re.DOTALL)
FOLDED = re.compile(r"^<!-- folded -->$", re.MULTILINE)
MARK = "\x9f"
"""A control character that occurs in no text. It marks places to fill after parsing."""
_FOLDED = f"{MARK}folded{MARK}"
_READER = MarkdownIt("commonmark", {"html": False}).enable("table")
NOT_HERE = re.compile(
    r'\s(?:id|for|form|name|value|href|data-key|aria-keyshortcuts|aria-describedby|popovertarget|tabindex)="(?!#)[^"]*"'
)
"""Matches attributes of a board's controls. A picture must not have these attributes."""


@dataclass(frozen=True)
class Rules:
    """The parsed rules of a game.

    `body` is HTML with a mark in place of each picture. `pictures` has the names and captions of the pictures, and
    `contents` the ids and titles of the chapters.
    """

    body: Markup
    pictures: tuple[tuple[str, str], ...]
    contents: tuple[tuple[str, str], ...]

    @property
    def has_numbers(self) -> bool:
        """Whether the text cites rules by number."""
        return REFERENCE.search(self.body) is not None


@lru_cache(maxsize=32)
def read_rules(text: str) -> Rules:
    """Return a game's rules, parsed from Markdown. Leave out their title, which the page shows already."""
    pictures: list[tuple[str, str]] = []

    def keep(found: re.Match[str]) -> str:
        pictures.append((found["name"], " ".join(found["caption"].split())))
        return f"{MARK}{len(pictures) - 1}{MARK}"

    text = FOLDED.sub(_FOLDED, PICTURE.sub(keep, text))
    tokens = _READER.parse(text)
    contents: list[tuple[str, str]] = []
    for token, inside in pairwise(tokens):
        if token.type == "heading_open" and token.tag == "h2":
            name = f"part-{len(contents) + 1}"
            token.attrSet("id", name)
            contents.append((name, inside.content))
    body = _draw(tokens).replace(
        "<table>", html('<div class="table-wrap" tabindex="0"><table class="table">')
    )
    body = body.replace("</table>", html("</table></div>"))
    _title, _mark, chapters = body.partition("</h1>")
    return Rules(_fold(chapters or body), tuple(pictures), tuple(contents))


@lru_cache(maxsize=64)
def render_card(text: str) -> Markup:
    """Draw the short version of a game's rules (`Game.card`)."""
    return _draw(_READER.parse(text))


def _draw(tokens: Sequence[Token]) -> Markup:
    """Return parsed Markdown as HTML. HTML tags within the Markdown appear as text."""
    return trusted(_READER.renderer.render(tokens, _READER.options, {}))


def _fold(body: Markup) -> Markup:
    """Return the HTML with the marked chapters folded: hidden until the reader opens them."""
    first, *chapters = body.split("<h2 ")
    out, folded = [], _is_folded(first)
    out.append(_unmark(first))
    for chapter in chapters:
        inner = html("<h2 {}", _unmark(chapter))
        if folded:
            heading, _, rest = inner.partition("</h2>")
            inner = html('<details class="rules-more"><summary>{}</h2></summary>{}</details>', heading, rest)
        out.append(inner)
        folded = _is_folded(chapter)
    return join(out)


def _is_folded(part: str) -> bool:
    """Return whether this piece of HTML contains the mark that folds the next chapter."""
    return _FOLDED in part


def _unmark(part: Markup) -> Markup:
    return part.replace(html("<p>{}</p>\n", _FOLDED), NOTHING)


def render_rules(rules: Rules, game: Game, translate: Translator, *, numbers: bool) -> Markup:
    """Draw the rules with their pictures. If `numbers` is false, leave out the rule numbers that the text cites."""
    body = rewrite(rules.body, REFERENCE, _mark_number if numbers else lambda _found: NOTHING)
    for number, (name, caption) in enumerate(rules.pictures):
        picture = render_picture(game, name, caption, translate)
        body = body.replace(html("<p>{}</p>", f"{MARK}{number}{MARK}"), picture)
    return body


def _mark_number(cited: Markup) -> Markup:
    return html('<small class="rule-number">{}</small>', cited)


def render_picture(game: Game, name: str, caption: str, translate: Translator) -> Markup:
    """Draw a picture with its caption. The game's board draws the picture, without working buttons."""
    return html(
        '<figure class="rules-picture" id="picture-{}"><div class="rules-drawing" inert aria-hidden="true">{}</div>'
        "<figcaption>{}</figcaption></figure>",
        name,
        _drawing(game.name, name, LANGUAGE.get(), translate),
        caption,
    )


@lru_cache(maxsize=256)
def _drawing(game_name: str, name: str, _language: str, translate: Translator) -> Markup:
    """Return an illustration, drawn by the game.

    `_language` is only a part of the cache's key. The key needs it, because a board also shows the site's texts in this
    language.
    """
    game = find_game(game_name)
    picture = game.illustrations[name]
    scene = make_scene(game, picture, name, translate)
    drawn = game.hooks.render_illustration(picture.part, scene) or game.hooks.render_board(scene)
    return rewrite(drawn or NOTHING, NOT_HERE, lambda _found: NOTHING)


def make_scene(game: Game, picture: Illustration, name: str, translate: Translator) -> Scene:
    """Return the scene of an illustration: a position after some moves, as one viewer sees it."""
    match = build_match(game, picture.position)
    apply(match, picture.moves)
    legal = () if picture.seat is None else match.legal(picture.seat)
    return Scene(
        view=match.view(picture.seat),
        seat=picture.seat,
        names=picture.names or tuple(f"{seat + 1}" for seat in range(match.seats)),
        legal=tuple((action, game.notation.write(action)) for action in legal),
        last=match.events(picture.seat),
        actors=match.actors,
        over=match.over,
        translate=translate,
        table=f"picture-{name}",
    )
