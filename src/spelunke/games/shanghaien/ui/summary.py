"""The end of a round: who got which card and why, the neighbouring dice that counted, and what the crews are worth now."""

from __future__ import annotations

from markupsafe import Markup

from spelunke.boards.markup import escape
from spelunke.boards.scene import Scene, Summary
from spelunke.games.shanghaien.cards import NATIONS
from spelunke.games.shanghaien.claims import Claim
from spelunke.games.shanghaien.events import Settled
from spelunke.games.shanghaien.ui import art
from spelunke.games.shanghaien.ui.frame import Frame
from spelunke.games.shanghaien.view import View


def near_dice(row: tuple[Claim, ...], claim: Claim, seat: int) -> tuple[int, ...]:
    """The values of the seat's dice at the neighbours of a card (S-R14): they add up to its neighbour pips."""
    return tuple(
        other.number
        for other in sorted(row, key=lambda other: other.number)
        if abs(other.number - claim.number) == 1
        for _ in range(other.dice[seat])
    )


def render_summary(summary: Summary[View]) -> Markup | None:
    """The settlement card by card, from left to right as they lay; None for a game that was given up."""
    settled = next((event for event in reversed(summary.events) if isinstance(event, Settled)), None)
    if settled is None:
        return None
    frame = Frame(
        Scene(
            view=summary.view,
            seat=summary.seat,
            names=summary.names,
            translate=summary.translate,
            table=summary.table,
        )
    )
    items = "".join(
        _card(frame, settled.claims, claim) for claim in sorted(settled.claims, key=lambda claim: claim.place)
    )
    order = frame.say("The cards from left to right, as they lay:")
    title = frame.say("{name} called Shanghai.", name=frame.name(settled.seat))
    return Markup(
        f'<div class="shanghaien sh-summary"><p class="sh-caller">{title} <span class="muted">{order}</span></p>'
        f'<ol class="sh-shares">{items}</ol>{_crews(frame, summary)}</div>'
    )


def _card(frame: Frame, row: tuple[Claim, ...], claim: Claim) -> str:
    assert claim.card is not None
    fate = frame.fate(claim)
    dice = "".join(
        _dice(frame, side, claim.number, claim.dice[seat])
        for side, seat in ((1, frame.seats[1]), (0, frame.seats[0]))
    )
    near = ""
    if claim.rule in ("neighbours", "tie") and any(claim.pips):
        near = "".join(_near(frame, row, claim, side) for side in (1, 0))
        near = f'<span class="sh-nears">{near}</span>'
    return (
        f'<li class="{fate}"><span class="sh-no">{claim.number}</span>{frame.render_card(claim.card)}'
        f'<span class="sh-on" aria-hidden="true">{dice or "–"}</span>'
        f'<span class="sh-verdict"><b>{escape(frame.card(claim.card))}</b> {escape(frame.verdict(claim))}</span>{near}</li>'
    )


def _dice(frame: Frame, side: int, number: int, count: int) -> str:
    return f'<span class="sh-pile">{str(art.die(side, number)) * count}</span>' if count else ""


def _near(frame: Frame, row: tuple[Claim, ...], claim: Claim, side: int) -> str:
    """The dice of one side at the neighbours, and their sum."""
    seat = frame.seats[side]
    values = near_dice(row, claim, seat)
    dice = "".join(str(art.die(side, value)) for value in values)
    sums = f"{dice} = " if values else ""
    told = " + ".join(map(str, values)) or "0"
    said = frame.say("{name}, next to it: {sum}", name=frame.name(seat), sum=f"{told} = {claim.pips[seat]}")
    return (
        f'<span class="sh-near s{side}"><span aria-hidden="true">{sums}<b>{claim.pips[seat]}</b></span>'
        f'<span class="sr">{said}</span></span>'
    )


def _crews(frame: Frame, summary: Summary[View]) -> str:
    """The crews that the round changed: their strength before and now, and what they bring."""
    before, now = summary.before, summary.view
    first, second = frame.seats
    rows = []
    for nation in NATIONS:
        cells = []
        changed = False
        for seat in (first, second):
            old, new = before.crews[seat][nation.number], now.crews[seat][nation.number]
            changed |= old.strength != new.strength or old.gain != new.gain
            grew = (
                f"{old.strength} → <b>{new.strength}</b>"
                if old.strength != new.strength
                else f"{new.strength}"
            )
            cells.append(
                f'<td class="s{frame.side(seat)}">{grew}</td><td class="s{frame.side(seat)}"><b>{new.gain}</b></td>'
            )
        if changed:
            rows.append(
                f'<tr><th scope="row">{art.emblem(nation.number)}<span>{escape(frame.nation(nation))}</span></th>{"".join(cells)}</tr>'
            )
    if not rows or now.games != before.games:  # in a match the next game has begun: all crews are gone
        return ""
    heads = "".join(
        f'<th scope="col">{escape(frame.name(seat))}</th><th scope="col">{frame.say("scores")}</th>'
        for seat in (first, second)
    )
    return (
        f'<table class="sh-sums"><caption class="sr">{frame.say("Crews that changed: strength, and the points that they bring")}</caption>'
        f"<thead><tr><td></td>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )
