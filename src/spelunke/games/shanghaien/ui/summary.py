"""The summary of a round: the taker of each card and the reason, the neighbouring dice, and the crews' points."""

from __future__ import annotations

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, html, join
from spelunke.boards.scene import Scene, Summary
from spelunke.games.shanghaien.cards import NATIONS
from spelunke.games.shanghaien.claims import Claim
from spelunke.games.shanghaien.events import Settled
from spelunke.games.shanghaien.ui import art
from spelunke.games.shanghaien.ui.frame import Frame
from spelunke.games.shanghaien.view import View


def near_dice(row: tuple[Claim, ...], claim: Claim, seat: int) -> tuple[int, ...]:
    """Return the values of the seat's dice on the cards next to a card.

    If both seats have equal numbers of dice on the card, the sums of these values decide (S-R14).
    """
    return tuple(
        other.number
        for other in sorted(row, key=lambda other: other.number)
        if abs(other.number - claim.number) == 1
        for _ in range(other.dice[seat])
    )


def render_summary(summary: Summary[View]) -> Markup | None:
    """Render the settlement card by card, from left to right. Return None if the round ended without a settlement."""
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
    before, now = summary.before, summary.view
    rests = (settled, before.crews, before.games, now.crews, now.games)
    return frame.kept("summary", rests, lambda: _summary(frame, summary, settled))


def _summary(frame: Frame, summary: Summary[View], settled: Settled) -> Markup:
    row = f"{summary.before.games}-{settled.tavern}"
    items = join(
        _card(frame, settled.claims, claim, row)
        for claim in sorted(settled.claims, key=lambda claim: claim.place)
    )
    order = frame.say("The cards from left to right:")
    title = (
        frame.say("You called Shanghai.")
        if frame.is_mine(settled.seat)
        else frame.say("{name} called Shanghai.", name=frame.named(settled.seat))
    )
    return html(
        '<div class="shanghaien sh-summary" data-dusk><p class="sh-caller">{} <span class="muted">{}</span></p>'
        '<ol class="sh-shares">{}</ol>{}</div>',
        title,
        order,
        items,
        _crews(frame, summary),
    )


def _card(frame: Frame, row: tuple[Claim, ...], claim: Claim, name: str) -> Markup:
    assert claim.card is not None
    fate = frame.fate(claim)
    dice = join(
        _dice(frame, side, claim.number, claim.dice[seat])
        for side, seat in ((1, frame.seats[1]), (0, frame.seats[0]))
    )
    near = NOTHING
    if claim.rule in ("neighbours", "tie") and any(claim.pips):
        near = join(_near(frame, row, claim, side) for side in (1, 0))
        near = html('<span class="sh-nears">{}</span>', near)
    return html(
        '<li class="{}"><span class="sh-no">{}</span>'
        '<span id="{}-share-{}-{}" data-from="card-{}-{}">{}</span>'
        '<span class="sh-on" aria-hidden="true">{}</span>'
        '<span class="sh-verdict"><b>{}</b> {}</span>{}</li>',
        fate,
        claim.number,
        frame.id,
        name,
        claim.place,
        name,
        claim.place,
        frame.render_card(claim.card),
        dice or "–",
        frame.card(claim.card),
        frame.verdict(claim),
        near,
    )


def _dice(frame: Frame, side: int, number: int, count: int) -> Markup:
    return html('<span class="sh-pile">{}</span>', art.die(side, number) * count) if count else NOTHING


def _near(frame: Frame, row: tuple[Claim, ...], claim: Claim, side: int) -> Markup:
    """Render the dice of one side on the neighbouring cards, and their sum."""
    seat = frame.seats[side]
    values = near_dice(row, claim, seat)
    dice = join(art.die(side, value) for value in values)
    sums = html("{} = ", dice) if values else NOTHING
    told = " + ".join(map(str, values)) or "0"
    said = frame.say(
        "{name}, on the neighbouring cards: {sum}", name=frame.name(seat), sum=f"{told} = {claim.pips[seat]}"
    )
    return html(
        '<span class="sh-near s{}"><span aria-hidden="true">{}<b>{}</b></span>'
        '<span class="sr">{}</span></span>',
        side,
        sums,
        claim.pips[seat],
        said,
    )


def _crews(frame: Frame, summary: Summary[View]) -> Markup:
    """Render the crews that the round changed: their strength before and after it, and their points.

    Render nothing if no crew has changed, or if the game has ended.
    """
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
                html("{} → <b>{}</b>", old.strength, new.strength)
                if old.strength != new.strength
                else f"{new.strength}"
            )
            cells.append(
                html(
                    '<td class="s{}">{}</td><td class="s{}"><b>{}</b></td>',
                    frame.side(seat),
                    grew,
                    frame.side(seat),
                    new.gain,
                )
            )
        if changed:
            rows.append(
                html(
                    '<tr><th scope="row">{}<span>{}</span></th>{}</tr>',
                    art.emblem(nation.number),
                    frame.nation(nation),
                    join(cells),
                )
            )
    if (
        not rows or now.games != before.games
    ):  # in a match, the next game may have begun, so that all crews are empty
        return NOTHING
    heads = join(
        html('<th scope="col">{}</th><th scope="col">{}</th>', frame.name(seat), frame.say("scores"))
        for seat in (first, second)
    )
    return html(
        '<table class="sh-sums"><caption class="sr">{}</caption>'
        "<thead><tr><td></td>{}</tr></thead><tbody>{}</tbody></table>",
        frame.say("Crews that changed: their strength, and what they score"),
        heads,
        join(rows),
    )
