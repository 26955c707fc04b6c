"""The summary of a round: the last discard, and the cards left in each hand with their points."""

from __future__ import annotations

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, html, join
from spelunke.boards.scene import Scene, Summary
from spelunke.games.sanghai.cards import Card, kind_of
from spelunke.games.sanghai.happenings import Discarded, RoundScored
from spelunke.games.sanghai.sentences import say, say_why
from spelunke.games.sanghai.state import worth_of
from spelunke.games.sanghai.ui.frame import Frame
from spelunke.games.sanghai.view import View, start_table


def worths(view: View, cards: tuple[Card, ...]) -> tuple[int, ...]:
    """Return the points of each of these cards, by the options of the table (N-R12)."""
    table = start_table(view.setup)
    return tuple(int(worth_of(table, kind_of(card))) for card in cards)


def render_summary(summary: Summary[View]) -> Markup | None:
    """Render the cards that are left in each hand. Return None if the game ended before the round was scored."""
    scored = next((event for event in reversed(summary.events) if isinstance(event, RoundScored)), None)
    if scored is None:
        return None
    frame = Frame(
        Scene(
            view=summary.view,
            seat=None,
            names=summary.names,
            translate=summary.translate,
            table=summary.table,
            past=True,
        )
    )
    laid = summary.view.downs[scored.lap - 1]
    discards = (event for event in reversed(summary.events) if isinstance(event, Discarded))
    last = None if scored.winner is None else next(discards, None)
    return frame.kept(
        "summary",
        (scored, last, laid, summary.view.setup, summary.seat),
        lambda: _summary(frame, scored, last, laid, summary.seat or 0),
    )


def _summary(
    frame: Frame, scored: RoundScored, last: Discarded | None, laid: tuple[bool, ...], first: int
) -> Markup:
    """Draw the summary, beginning with the hand of seat `first`, like the totals above it."""
    order = (*range(first, len(scored.points)), *range(first))
    hands = join(_hand(frame, scored, seat, laid[seat]) for seat in order)
    # The summary covers the board at once, so nobody has seen this card on the pile.
    card, told = NOTHING, say_why(scored, frame.scene.names, frame._)
    if last is not None:
        card, told = frame.face(last.card), f"{say(last, frame.scene.names, frame._)} {told}"
    return html(
        '<div class="sanghai sg-summary"><p class="sg-out">{}<span>{}</span></p><ol class="sg-counted">{}</ol></div>',
        card,
        told,
        hands,
    )


def _hand(frame: Frame, scored: RoundScored, seat: int, laid: bool) -> Markup:
    cards = scored.hands[seat]
    points = worths(frame.view, cards)
    items = join(
        html(
            '<li>{}<span class="sg-worth" aria-hidden="true">{}</span><span class="sr">{}</span></li>',
            frame.face(card),
            worth,
            frame.say("{card}: {n}", card=frame.spoken(card), n=worth),
        )
        for card, worth in zip(cards, points, strict=True)
    )
    won = seat == scored.winner
    note = frame.say("won the round") if won else frame.say("had laid nothing") if not laid else NOTHING
    nothing = html('<li class="none">{}</li>', frame.say("no cards left"))
    brought = scored.points[seat]
    # the option go_out_blind_bonus: points for laying and finishing in one turn
    bonus = brought - sum(points)
    if bonus:
        said = frame.say("bonus {n}", n=_number(bonus))
        note = join([note, said], ", ") if note else said
    # The page shows the totals above, in the same way for all games.
    one = frame.say_many("{n} point", "{n} points", brought, n=_number(brought))
    return html(
        '<li class="{}"><p class="sg-count-head"><b>{}</b> <em>{}</em>'
        '<span class="sg-count-sum"><b>{}</b></span></p>'
        '<ol class="sg-cards left">{}</ol></li>',
        "won" if won else "",
        frame.name(seat),
        note,
        one,
        items or nothing,
    )


def _number(n: int) -> str:
    return f"\N{MINUS SIGN}{-n}" if n < 0 else str(n)
