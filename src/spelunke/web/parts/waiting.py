"""The place of the board before the game starts: free seats, the invitation, each player's share in chance."""

from __future__ import annotations

import io
from functools import lru_cache

import segno
from markupsafe import Markup

from spelunke.core.game import Game
from spelunke.house.messages import Look
from spelunke.web.parts.buttons import render_buttons
from spelunke.web.parts.markup import flag, html, join
from spelunke.web.words import translate as _


@lru_cache(maxsize=256)
def render_qr(text: str) -> Markup:
    """A QR code as SVG without sizes or styles of its own."""
    out = io.BytesIO()
    code = segno.make(text, error="m", micro=False)
    code.save(
        out,
        kind="svg",
        xmldecl=False,
        svgns=False,
        omitsize=True,
        border=2,
        nl=False,
        svgclass=None,
        lineclass=None,
    )
    return Markup(out.getvalue().decode())  # made of numbers alone


def render_waiting(look: Look, game: Game, invitation: str | None) -> Markup:
    """What there is to do before the start; an empty element afterwards. `invitation` is the whole link, if the viewer may give it."""
    if look.status not in ("open", "ready"):
        return Markup('<div id="waiting"></div>')
    pieces: list[Markup] = [
        html(
            '<div class="panel-head"><h2>{}</h2></div>',
            _("Waiting for players") if look.status == "open" else _("Ready"),
        )
    ]
    body: list[Markup] = []
    if "join" in look.may and any(seat.kind == "open" for seat in look.seats):
        body.append(_join(look))
    elif "join" in look.may:
        body.append(
            html('<p class="lead">{}</p>', _("The free seats are for friends who were sent the link."))
        )
    if invitation and look.status == "open":
        body.append(_invite(invitation, several=len(look.seats) > 2))
    if "nonce" in look.may:
        body.append(_nonce(look))
    body.append(_start(look, game))
    pieces.append(html('<div class="panel-body stack">{}</div>', join(body)))
    return html('<section id="waiting" class="panel waiting">{}</section>', join(pieces))


def _join(look: Look) -> Markup:
    return html(
        '<form method="post" action="/t/{}/join" class="stack tight"><p class="lead">{}</p>'
        '<button class="button primary big">{}</button></form>',
        look.table,
        _("A seat is free for you."),
        _("Sit down"),
    )


def _invite(invitation: str, *, several: bool) -> Markup:
    return html(
        '<div id="invitation" class="invitation" hx-morph-skip><div class="stack tight"><label for="invite-link"><strong>{title}</strong></label>'
        '<p class="muted">{help}</p>'
        '<div class="share"><input id="invite-link" readonly value="{link}">'
        '<button type="button" class="button" data-copy="invite-link" data-done="{done}" hidden>{copy}</button></div></div>'
        '<figure class="qr" role="img" aria-label="{qr}">{code}</figure></div>',
        title=_("Invite friends") if several else _("Invite a friend"),
        help=_("Send this link, or let them scan the code. Whoever opens it sits down at this table.")
        if several
        else _("Send this link, or let them scan the code. Whoever opens it sits down opposite you."),
        link=invitation,
        copy=_("Copy"),
        done=_("Copied"),
        qr=_("QR code of the link"),
        code=render_qr(invitation),
    )


def _nonce(look: Look) -> Markup:
    own = look.fairness.nonces[look.seat] if look.seat is not None else None
    bound = look.fairness.nonce_commitments[look.seat] if look.seat is not None else None
    given = bound is not None
    return html(
        '<details id="share-in-chance" class="options" data-kept><summary>{title}</summary>'
        '<form id="nonce" method="post" action="/t/{table}/nonce" hx-post="/t/{table}/nonce" hx-swap="none" class="stack tight" data-given="{given}"'
        ' data-table="{table}" data-bound="{bound}" data-opened="{opened}" data-opening="{opening}">'
        '<div class="field"><label class="sr" for="nonce-field">{title}</label>'
        '<span class="hint" id="nonce-hint">{help}</span>'
        '<div class="share"><input id="nonce-field" name="nonce" maxlength="64" autocomplete="off" spellcheck="false"'
        ' aria-describedby="nonce-hint" value="{value}" data-nonce required>'
        '<button class="button fixed">{give}</button></div></div></form></details>',
        table=look.table,
        given="true" if given else "false",
        bound=bound or "",
        opened="true" if own is not None else "false",
        opening="true" if look.fairness.opening else "false",
        title=_("Your share in chance"),
        help=_(
            "The house has fixed its secret seed already (see its commitment under “About this table”). Whatever you add here goes into every "
            "roll and every card, so the house can't have chosen them. Leave it as it is, or type letters and digits of your own. Your browser first "
            "gives its SHA-256 alone, and the text itself when everybody has given theirs: so nobody can choose theirs to go with yours."
        ),
        value=own or "",
        give=_("Replace") if given else _("Give it"),
    )


def _start(look: Look, game: Game) -> Markup:
    out: list[Markup] = []
    free = any(seat.kind in ("open", "link") for seat in look.seats)
    if "fill" in look.may or ("start" in look.may and free):
        levels = join(
            html(
                '<option value="{}"{}>{}</option>',
                name,
                flag("selected", bool(level.get("default"))),
                level.get("title", name),
            )
            for name, level in game.levels.items()
        )
        out.append(
            html(
                '<form method="post" action="/t/{}/fill" class="inline-form"><div class="field"><label for="fill-level">{}</label>'
                '<select id="fill-level" name="level">{}</select></div><button class="button">{}</button></form>',
                look.table,
                _("Fill the free seats with bots"),
                levels,
                _("Fill"),
            )
        )
    if not free:
        out += render_buttons(look, game, "waiting")
    if not out and look.seat is not None:
        out.append(
            html('<p class="muted">{}</p>', _("The game starts by itself as soon as everybody is ready."))
        )
    return join(out)
