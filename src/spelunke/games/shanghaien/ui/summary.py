"""The summary of a round: the taker of each card, the reason, the neighbouring dice, and the changes of the points."""

from __future__ import annotations

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, html, join
from spelunke.boards.scene import Scene, Summary
from spelunke.games.shanghaien.cards import NATIONS
from spelunke.games.shanghaien.claims import Claim
from spelunke.games.shanghaien.events import Settled
from spelunke.games.shanghaien.ui import art
from spelunke.games.shanghaien.ui.changes import Holding, follow_round
from spelunke.games.shanghaien.ui.frame import Frame
from spelunke.games.shanghaien.ui.panels import render_counting, render_sums
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
    steps = follow_round(summary.before, summary.events)
    rests = (settled, steps, summary.before.games, summary.over)
    return frame.kept("summary", rests, lambda: _summary(frame, summary, settled, steps))


def _summary(
    frame: Frame, summary: Summary[View], settled: Settled, steps: tuple[Holding, Holding, Holding]
) -> Markup:
    items = join(
        _card(frame, settled.claims, claim) for claim in sorted(settled.claims, key=lambda claim: claim.place)
    )
    order = frame.say("The cards from left to right:")
    title = (
        frame.say("You called Shanghai.")
        if frame.is_mine(settled.seat)
        else frame.say("{name} called Shanghai.", name=frame.named(settled.seat))
    )
    counting, final = frame.say("How the points are counted"), NOTHING
    if summary.over:
        final = html('<h3 class="sh-caller">{}</h3>{}', counting, render_sums(frame))
    elif (
        summary.view.games == summary.before.games
    ):  # the summary hides the board, which has this overview too
        final = html(
            '<div class="sh-tabs"><button type="button" class="button quiet" popovertarget="{}-round-sums">{}</button></div>{}',
            frame.id,
            counting,
            render_counting(frame, "round-sums"),
        )
    return html(
        '<div class="shanghaien sh-summary" data-dusk="{}">{}<p class="sh-caller">{} <span class="muted">{}</span></p>'
        '<ol class="sh-shares">{}</ol>{}</div>',
        title,
        final,
        title,
        order,
        items,
        _changes(frame, *steps),
    )


def _card(frame: Frame, row: tuple[Claim, ...], claim: Claim) -> Markup:
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
        '<span class="sh-face">{}</span>'
        '<span class="sh-on" aria-hidden="true">{}</span>'
        '<span class="sh-verdict"><b>{}</b> {}</span>{}</li>',
        fate,
        claim.number,
        frame.render_card(claim.card),
        dice or "–",
        frame.card(claim.card),
        frame.verdict(claim),
        near,
    )


def _dice(frame: Frame, side: int, number: int, count: int) -> Markup:
    return html('<span class="sh-pile">{}</span>', art.die(side, number) * count) if count else NOTHING


def _near(frame: Frame, row: tuple[Claim, ...], claim: Claim, side: int) -> Markup:
    """Render the dice that one side has on the neighbouring cards, and the sum of these dice."""
    seat = frame.seats[side]
    values = near_dice(row, claim, seat)
    dice = join(art.die(side, value) for value in values)
    sums = html("{} = ", dice) if values else NOTHING
    told = " + ".join(map(str, values)) or "0"
    said = frame.say(
        "{name}, pips on the neighbouring cards: {sum}",
        name=frame.name(seat),
        sum=f"{told} = {claim.pips[seat]}",
    )
    return html(
        '<span class="sh-near s{}"><span aria-hidden="true">{} {}<b>{}</b></span>'
        '<span class="sr">{}</span></span>',
        side,
        frame.name(seat),
        sums,
        claim.pips[seat],
        said,
    )


def _changes(frame: Frame, start: Holding, played: Holding, settled: Holding) -> Markup:
    """Render the crews and trick cards that the round changed, with the points of each before and after the round.

    The changes add up to the change of all points, which is in the last row. If tricks changed the points before the
    cards were shared out, two more rows show the changes by tricks and by cards. Return nothing if nothing changed.
    """
    rows = [
        _change(
            art.emblem(nation.number),
            frame.nation(nation),
            [
                (start.strengths[seat][nation.number], settled.strengths[seat][nation.number])
                for seat in frame.seats
            ],
            [(start.gain(seat, nation.number), settled.gain(seat, nation.number)) for seat in frame.seats],
        )
        for nation in NATIONS
    ]
    cards = [(start.tricks[seat], settled.tricks[seat]) for seat in frame.seats]
    rows.append(_change(art.captain(None), frame.say("Trick cards"), [], cards))
    if not any(rows):
        return NOTHING
    steps = [(frame.say("Points"), start, settled)]
    if any(start.points(seat) != played.points(seat) for seat in frame.seats):
        steps = [
            (frame.say("Tricks played"), start, played),
            (frame.say("Cards of the row"), played, settled),
            *steps,
        ]
    sums = join(
        html(
            '<tr><th scope="row">{}</th>{}</tr>',
            title,
            join(
                html('<td class="s{}" colspan="2">{}</td>', side, _grow(old.points(seat), new.points(seat)))
                for side, seat in enumerate(frame.seats)
            ),
        )
        for title, old, new in steps
    )
    heads = join(
        html('<th scope="colgroup" colspan="2" class="s{}">{}</th>', side, frame.name(seat))
        for side, seat in enumerate(frame.seats)
    )
    kinds = html('<th scope="col">{}</th><th scope="col">{}</th>', frame.say("Strength"), frame.say("Points"))
    return html(
        '<table class="sh-sums sh-changes"><caption>{}</caption>'
        '<colgroup></colgroup><colgroup span="2"></colgroup><colgroup span="2"></colgroup>'
        "<thead><tr><td></td>{}</tr><tr><td></td>{}</tr></thead><tbody>{}</tbody><tfoot>{}</tfoot></table>",
        frame.say("The changes: each crew's strength, and the points that it scores"),
        heads,
        kinds * len(frame.seats),
        join(rows),
        sums,
    )


def _change(
    sign: Markup, name: object, strengths: list[tuple[int, int]], points: list[tuple[int, int]]
) -> Markup:
    """Render a row of the changes: the strength and the points of both sides. Return nothing if nothing changed.

    In the row of the trick cards, ``strengths`` is empty. Each trick card is worth one point, so ``points`` has the
    numbers of trick cards.
    """
    if all(old == new for old, new in (*strengths, *points)):
        return NOTHING
    shown = [html("{} → <b>{}</b>", old, new) if old != new else new for old, new in strengths]
    cells = join(
        html(
            '<td class="s{0}">{1}</td><td class="s{0}">{2}</td>',
            side,
            strength,
            _grow(*scored),
        )
        for side, (strength, scored) in enumerate(zip(shown or [NOTHING] * len(points), points, strict=True))
    )
    return html('<tr><th scope="row">{}<span>{}</span></th>{}</tr>', sign, name, cells)


def _grow(old: int, new: int) -> Markup:
    """Render points before and after a change, and the difference."""
    if old == new:
        return html("<small>{}</small>", new)
    sign = "+" if new > old else "\N{MINUS SIGN}"
    return html("<small>{} → {}</small> <b>{}{}</b>", old, new, sign, abs(new - old))
