"""Draw the six words that identify everything that the viewer's page has received. The viewer can note them."""

from __future__ import annotations

from functools import cache

import msgspec
from markupsafe import Markup

from spelunke.boards.markup import escape, fill, html
from spelunke.house.messages import Look
from spelunke.web.words import LANGUAGE
from spelunke.web.words import translate as _


def render_chain(look: Look) -> Markup:
    """Draw the words of the newest link (hash) of the viewer's chain, and a button that copies the link.

    Before the game starts, draw an empty element.
    """
    chain = look.chain
    if chain is None:
        return html('<div id="chain"></div>')
    texts = _texts(LANGUAGE.get())
    step = html('<span class="chain-step">{}</span><span class="seam"></span>', chain.ply)
    return html(
        # Each changing value ends just before a class attribute, so that a patch does not repeat the rest
        # (web/patches.py).
        '<section id="chain" data-ply="{ply}" data-link="{link}" data-over="{over}"'
        ' class="chain stack tight" aria-labelledby="chain-title" data-table="{table}" data-viewer="{viewer}" data-warn="{warn}">'
        '<h3 id="chain-title" class="chain-title">{title}</h3>'
        '<p id="chain-words" class="chain-words">{words}</p>'
        '<div class="share"><input id="chain-copy" value="{copied}" class="chain-copy" readonly aria-label="{all}">'
        '<button type="button" class="button" data-copy="chain-copy" data-head="/api/v1/tables/{table}/chain?since=" data-done="{done}" hidden>{copy}</button></div>'
        '<p class="muted small">{help}</p></section>',
        table=look.table,
        viewer="spectator" if look.seat is None else look.seat,
        ply=chain.ply,
        link=chain.link,
        words=chain.words,
        over="true" if look.status == "over" else "false",
        # in the format of `records.kept.read_link`
        copied=msgspec.json.encode(
            {
                "table": look.table,
                "viewer": look.seat,
                "seen": chain.ply,
                "link": chain.link,
                "words": chain.words,
                "key": chain.key,
                "signature": chain.signature,
            }
        ).decode(),
        **{**texts, "help": fill(texts["help"], ply=step)},
    )


@cache
def _texts(_language: str) -> dict[str, Markup]:
    """Return the translated texts. They are escaped once for each language, because that takes time."""
    return {
        "warn": escape(
            _(
                "The server's record of this game no longer matches what this device saw up to step {ply}. "
                "For that step, this device has the six words “{mine}”. Stop playing, write down these "
                "words and the step, and ask the other players for theirs."
            )
        ),
        "title": escape(_("Six words that stand for what you have seen")),
        "all": escape(_("The six words, the newest hash, and the server's signature")),
        "done": escape(_("Copied")),
        "copy": escape(_("Copy")),
        "help": escape(
            _(
                "These six words stand for everything that this page has shown you up to step {ply}. If you keep them, you can later find out whether the server has changed anything: the page “Verify a game” compares your words with the record."
            )
        ),
    }
