"""Draw the panel before the start of a game: free seats, invitation, the viewer's nonce, and the start button."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import lru_cache

import segno
from markupsafe import Markup

from spelunke.boards.markup import NOTHING, fill, flag, html, join
from spelunke.games.game import Game
from spelunke.house.messages import Look
from spelunke.web.parts.buttons import render_buttons
from spelunke.web.words import translate as _
from spelunke.web.words import translator


@lru_cache(maxsize=256)
def render_qr(text: str) -> Markup:
    """Draw a QR code of the text, as SVG without a fixed size."""
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
    path = out.getvalue().decode().partition(' d="')[2].partition('"')[0]
    size = code.symbol_size(border=2)[0]
    return html('<svg viewBox="0 0 {0} {0}"><path stroke="#000" d="{1}"/></svg>', size, path)


@dataclass(frozen=True)
class Invitation:
    """The link with which friends join a table.

    If ``here_only``, the server accepts no connections from other computers, so the link works only on the server's
    own computer.
    """

    link: str
    here_only: bool = False


def render_waiting(look: Look, game: Game, invitation: Invitation | None) -> Markup:
    """Draw the panel with all that the viewer can do before the start.

    If `invitation` is given and a seat is free, show the link.
    """
    pieces: list[Markup] = [
        html(
            '<div class="panel-head"><h2>{}</h2></div>',
            _title(look),
        )
    ]
    body: list[Markup] = []
    if "sit_down" in look.may:
        body.append(_join(look))
    elif "join" in look.may and any(seat.kind == "link" for seat in look.seats):
        body.append(
            html('<p class="lead">{}</p>', _("The free seats are kept for friends who have the link."))
        )
    if kept := [seat.name for seat in look.seats if seat.kind == "kept" and look.seat is not None]:
        said = _.many(
            "{names} has not accepted yet.",
            "{names} have not accepted yet.",
            len(kept),
        )
        body.append(html('<p class="lead">{}</p>', said.format(names=_.list(kept))))
    if invitation and any(seat.kind in ("open", "link") for seat in look.seats):
        body.append(_invite(invitation, several=len(look.seats) > 2))
        if "invite" in look.may:
            body.append(_invite_member(look))
    if "nonce" in look.may:
        body.append(_nonce(look))
    body.append(_start(look, game))
    pieces.append(html('<div class="panel-body stack">{}</div>', join(body)))
    # Against bots, a script sends the nonce immediately, and this panel would be visible only for an instant. So the
    # style sheet shows it after a delay.
    alone = " alone" if _alone(look) else ""
    return html('<section id="waiting" class="panel waiting{}">{}</section>', alone, join(pieces))


def _alone(look: Look) -> bool:
    """Return whether the table waits only for this viewer's nonce: a random text on which dice and draws depend."""
    people = [seat for seat in look.seats if seat.kind != "bot"]
    return look.status == "ready" and len(people) == 1 and people[0].you


def _title(look: Look) -> str:
    if look.status != "open":
        return _("Ready")
    if any(seat.kind in ("open", "link") for seat in look.seats):
        return _("Waiting for players")
    return _("Waiting for the others to accept")


def _join(look: Look) -> Markup:
    return html(
        '<form method="post" action="/t/{0}/join" hx-post="/t/{0}/join" hx-swap="none" class="stack tight"><p class="lead">{1}</p>'
        '<button class="button primary big">{2}</button></form>',
        look.table,
        _("There is a free seat for you."),
        _("Sit down"),
    )


def _invite_member(look: Look) -> Markup:
    return html(
        '<form method="post" action="/t/{}/tell" class="inline-form" id="invite-member" hx-morph-skip>'
        '<div class="field"><label for="invited-name">{}</label>'
        '<input id="invited-name" name="name" maxlength="24" required autocomplete="off"></div>'
        '<button class="button">{}</button></form>',
        look.table,
        _("Or invite a member of this site"),
        _("Invite them"),
    )


def _invite(invitation: Invitation, *, several: bool) -> Markup:
    here_only = NOTHING
    if invitation.here_only:
        here_only = html(
            '<div class="notice warn" id="here-only"><p>{}</p><details class="options"><summary>{}</summary><p>{}</p></details></div>',
            _("This link only works on this computer for now."),
            _("For the operator of this server"),
            fill(
                _(
                    "To let other devices connect, start the server with {make} (or {serve}). It then "
                    "listens on your network, and the link and the code work there."
                ),
                make=html("<code>make play HOST=0.0.0.0</code>"),
                serve=html("<code>spelunke serve --host 0.0.0.0</code>"),
            ),
        )
    return html(
        '<div id="invitation" class="invitation" hx-morph-skip><div class="stack tight"><label for="invite-link"><strong>{title}</strong></label>'
        '<p class="muted">{help}</p>'
        '<div class="share"><input id="invite-link" readonly value="{link}">'
        '<button type="button" class="button primary" data-share="invite-link" data-says="{says}" hidden>{share}</button>'
        '<button type="button" class="button" data-copy="invite-link" data-done="{done}" hidden>{copy}</button></div></div>'
        '<figure class="qr" role="img" aria-label="{qr}">{code}</figure>{here_only}</div>',
        title=_("Invite friends") if several else _("Invite a friend"),
        help=_(
            "Send this link to your friends, or let them scan the code. Anyone who opens the link can sit down at this table."
        )
        if several
        else _(
            "Send this link to a friend, or let them scan the code. The person who opens the link can sit down opposite you."
        ),
        link=invitation.link,
        here_only=here_only,
        share=_("Share"),
        says=_("Come and play with me:"),
        copy=_("Copy"),
        done=_("Copied"),
        qr=_("QR code of the link"),
        code=render_qr(invitation.link),
    )


def _nonce(look: Look) -> Markup:
    own = look.fairness.nonces[look.seat] if look.seat is not None else None
    bound = look.fairness.nonce_commitments[look.seat] if look.seat is not None else None
    given = bound is not None
    return html(
        '<details id="share-in-chance" class="options" data-kept><summary>{title}</summary>'
        '<form id="nonce" method="post" action="/t/{table}/nonce" hx-post="/t/{table}/nonce" hx-swap="none" class="stack tight" data-given="{given}"'
        ' data-alone="{alone}" data-table="{table}" data-bound="{bound}" data-opened="{opened}" data-opening="{opening}">'
        '<div class="field"><label class="sr" for="nonce-field">{title}</label>'
        '<span class="hint" id="nonce-hint">{help}</span>'
        '<div class="share"><input id="nonce-field" name="nonce" maxlength="64" autocomplete="off" spellcheck="false"'
        ' aria-describedby="nonce-hint" value="{value}" data-nonce required>'
        '<button class="button fixed">{give}</button></div></div></form></details>',
        table=look.table,
        given="true" if given else "false",
        alone="true" if _alone(look) else "false",
        bound=bound or "",
        opened="true" if own is not None else "false",
        opening="true" if look.fairness.opening else "false",
        title=_("Add your own randomness"),
        help=_(
            "The server has already fixed its secret seed (the SHA-256 of the seed is under “About "
            "this table”). Your text goes into every roll and every card, so the server can't have "
            "chosen them. Leave the text as it is, or type letters and digits of your own. Your "
            "browser first sends only a fingerprint (SHA-256) of your text. It sends the text itself "
            "when the fingerprints of all players have arrived. So nobody can pick a text to match yours. "
            "If scripts are off, or if this page goes into the background, your browser sends the text "
            "earlier, and only the server knows it until the game starts."
        ),
        value=own or "",
        give=_("Replace") if given else _("Send"),
    )


def _say_start() -> str:
    return _(
        "The game starts as soon as every player's browser has added its randomness. If you choose “Start now”, the game starts without the randomness that is still missing."
    )


def _start(look: Look, game: Game) -> Markup:
    out: list[Markup] = []
    free = any(seat.kind in ("open", "link", "kept") for seat in look.seats)
    if "fill" in look.may or ("start" in look.may and free):
        levels = join(
            html(
                '<option value="{}"{}>{}</option>',
                name,
                flag("selected", bool(level.get("default"))),
                translator(game)(str(level.get("title", name))),
            )
            for name, level in game.levels.items()
        )
        out.append(
            html(
                '<form method="post" action="/t/{0}/fill" hx-post="/t/{0}/fill" hx-swap="none" class="inline-form"><div class="field"><label for="fill-level">{1}</label>'
                '<select id="fill-level" name="level">{2}</select></div><button class="button">{3}</button></form>',
                look.table,
                _("Fill the free seats with bots"),
                levels,
                _("Fill"),
            )
        )
    if not free and (buttons := render_buttons(look, game, "waiting", {"start"})):
        out += [html('<p class="muted">{}</p>', _say_start()), *buttons]
    if not out and look.seat is not None:
        out.append(
            html(
                '<p class="muted">{}</p>', _("The game starts automatically as soon as all seats are taken.")
            )
        )
    return join([*out, *render_buttons(look, game, "waiting", {"leave"})])
