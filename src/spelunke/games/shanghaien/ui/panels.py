"""The panels below the row: the last settlement, the table of points, and the overviews that open from this table."""

from __future__ import annotations

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, escape, html, join
from spelunke.games.shanghaien.cards import NATIONS, Nation, Sailor, Trick
from spelunke.games.shanghaien.events import TRICK_NAMES
from spelunke.games.shanghaien.lesson import COUNTING
from spelunke.games.shanghaien.ui import art
from spelunke.games.shanghaien.ui.frame import Frame
from spelunke.games.shanghaien.view import Crew


def render_settlement(frame: Frame) -> Markup:
    """Render the taker of each card in the last settlement, with numbers, arrows and the reason (S-R14).

    Render nothing if the board does not have to show a settlement.
    """
    event = frame.settled
    if event is None:
        return NOTHING
    items = []
    for claim in sorted(event.claims, key=lambda c: c.place):
        assert claim.card is not None
        fate = frame.fate(claim)
        figure = (
            html('{}<b class="sh-value">{}</b>', art.emblem(claim.card.nation.number), claim.card.value)
            if isinstance(claim.card, Sailor)
            else art.half(art.TRICKS[claim.card.trick][-1])
        )
        theirs, mine = claim.dice[frame.seats[1]], claim.dice[frame.seats[0]]
        near = NOTHING
        if claim.rule in ("neighbours", "tie"):
            near = html('<small class="sh-near">{} {}</small>', frame._("pips"), frame.score(claim))
        items.append(
            html(
                '<li class="{}"><span class="sr">{}: {}</span>'
                '<span aria-hidden="true" class="sh-got"><span class="s1 n">{}</span>'
                '{}<span class="sh-mini" id="{}-got-{}-{}" data-from="card-{}-{}-{}">{}</span>'
                '{}<span class="s0 n">{}</span>{}</span></li>',
                fate,
                frame.card(claim.card),
                frame.verdict(claim),
                theirs or "·",
                art.sign("up") if fate == "up" else "",
                frame.id,
                event.tavern,
                claim.place,
                frame.view.games,
                event.tavern,
                claim.place,
                figure,
                art.sign(fate) if fate != "up" else "",
                mine or "·",
                near,
            )
        )
    return html(
        '<section class="sh-settled" aria-label="{}"><h2>{}</h2>'
        '<ol>{}</ol><p class="sh-legend" aria-hidden="true"><span class="up">{} {}</span>'
        '<span class="down">{} {}</span><span>{} {}</span></p></section>',
        frame.say("The result of the previous round"),
        frame.caller,
        join(items),
        art.sign("up"),
        frame.name(frame.seats[1]),
        art.sign("down"),
        frame.name(frame.seats[0]),
        art.sign("out"),
        frame.say("out of the game"),
    )


def _coming(frame: Frame, nation: Nation) -> tuple[int, int]:
    """Return the number of a nation's cards that the players may still win, and the sum of the cards' values."""
    to_come = frame.view.to_come[nation.number]
    values = (*to_come.row, *to_come.deck)
    return len(values), sum(values)


def _figure(count: int, points: int) -> Markup:
    """Render a crew's strength or a number of trick cards, and beside it the points in small type."""
    return html("{}<small>+{}</small>", count or "–", points) if points else escape(count or "–")


def _to_come(frame: Frame, points: int, cards: int) -> tuple[Markup, Markup]:
    """Return the points and cards that the players may still win, first as numbers and then in words."""
    if not cards:
        return escape("–"), frame.say("nothing")
    told = frame.say_many("{n} card, value {points}", "{n} cards, total value {points}", cards, points=points)
    return html('{}<small class="of">{}</small>', points, cards), told


def _cell(shown: Markup, told: Markup, state: str = "") -> Markup:
    """Render a table cell with numbers. Its tooltip and its text for screen readers say the same in words."""
    return html(
        '<td class="{}" title="{}"><span aria-hidden="true">{}</span><span class="sr">{}</span></td>',
        state,
        told,
        shown,
        told,
    )


def render_standings(frame: Frame) -> Markup:
    """Render the points of both players by nation.

    The last row shows the cards and points that are still to come (S-R25).
    """
    seen = frame.view
    heads = join(
        html(
            '<th scope="col" class="n{}">{}<span aria-hidden="true">{}</span><span class="sr">{}</span></th>',
            n.number,
            art.emblem(n.number),
            frame.letter(n),
            frame.nation(n),
        )
        for n in NATIONS
    )
    rows = []
    for side, seat in enumerate(frame.seats):
        other = seen.crews[1 - seat]
        cells = []
        for crew, against in zip(seen.crews[seat], other, strict=True):
            state = (
                "zero" if not crew.strength else "lead" if crew.gain else "lost" if against.strength else ""
            )
            told = (
                frame.say("strength {n}, scores {gain}", n=crew.strength, gain=crew.gain)
                if crew.strength
                else frame.say("nobody")
            )
            cells.append(_cell(_figure(crew.strength, crew.gain), told, state))
        tricks = len(seen.tricks[seat])
        told = frame.say_many("{n} trick card, 1 point", "{n} trick cards, 1 point each", tricks)
        rows.append(
            html(
                '<tr class="s{}"><th scope="row">{}{}</th>{}{}<td class="total">{}</td></tr>',
                side,
                art.die(side),
                _opener(frame, f"crew{side}", frame.called(seat), _crew_title(frame, side)),
                join(cells),
                _cell(_figure(tricks, tricks), told),
                _opener(
                    frame,
                    "sums",
                    html("<b>{}</b>", seen.points[seat]),
                    frame.say("How the points are counted"),
                ),
            )
        )
    coming = []
    for nation in NATIONS:
        cards, points = _coming(frame, nation)
        coming.append(_cell(*_to_come(frame, points, cards)))
    in_row, in_deck = seen.tricks_to_come
    tricks = len(in_row) + len(in_deck)
    left = sum(_coming(frame, n)[0] for n in NATIONS) + tricks
    points = sum(_coming(frame, n)[1] for n in NATIONS) + tricks
    rows.append(
        html(
            '<tr class="coming"><th scope="row">{}{}</th>{}{}{}</tr>',
            art.sign("right"),
            _opener(frame, "coming", frame.say("to come"), frame.say("Still to come")),
            join(coming),
            _cell(*_to_come(frame, tricks, tricks)),
            _cell(*_to_come(frame, points, left)),
        )
    )
    return html(
        '<section class="sh-standing" aria-label="{}"><table><caption class="sr">{}</caption>'
        '<thead><tr><td></td>{}<th scope="col" class="trick">{}<span class="sr">{}</span></th><th scope="col" class="sum"><span>{}</span></th></tr></thead>'
        "<tbody>{}</tbody></table>"
        '<p class="sh-adds">{}</p>'
        "{}</section>",
        frame.say("Table of the nations"),
        frame.say("The strength of each crew, what it scores, and what is still to come"),
        heads,
        art.half("again"),
        frame.say("Trick cards"),
        frame.say("points"),
        join(rows),
        frame.say(
            "Large number: a crew's strength. After +: its points. Last row: points to come, then the number of cards."
        ),
        _tabs(frame),
    )


def _opener(frame: Frame, key: str, shown: object, title: Markup) -> Markup:
    """Render a part of the table of points. If the reader presses this part, it opens an overview.

    In browsers that support ``interestfor``, the overview also opens while the part is hovered or focused. In a replay,
    only the overview with the key ``sums`` can be opened.
    """
    if key != "sums" and frame.scene.past:
        return html("<span>{}</span>", shown)
    return html(
        '<button type="button" class="bare sh-opens" popovertarget="{0}-{1}" interestfor="{0}-{1}" aria-haspopup="dialog">'
        '{2}<span class="sr"> – {3}</span></button>',
        frame.id,
        key,
        shown if key == "sums" else html("<span>{}</span>", shown),
        title,
    )


def _crew_title(frame: Frame, side: int) -> Markup:
    """Return the title of the overview of a crew."""
    seat = frame.seats[side]
    if frame.is_mine(seat):
        return frame.say("My crew")
    return frame.say("Crew of {name}", name=frame.name(seat))


def _tabs(frame: Frame) -> Markup:
    """Render the buttons that open the overviews."""
    return html(
        '<div class="sh-tabs">{}</div>',
        join(
            html(
                '<button type="button" class="button quiet" popovertarget="{}-{}">{}</button>',
                frame.id,
                key,
                text,
            )
            for key, text in (
                ("crew0", _crew_title(frame, 0)),
                ("crew1", _crew_title(frame, 1)),
                ("coming", frame.say("Still to come")),
                ("sums", frame.say("How the points are counted")),
            )
            if key == "sums" or not frame.scene.past
        ),
    )


def render_overviews(frame: Frame) -> Markup:
    """Render the overviews: both crews, the cards to come, and the calculation of the points.

    Each overview opens over the board. In a replay, render only the calculation of the points.
    """
    sums = render_counting(frame, "sums")
    if (
        frame.scene.past
        # The calculation lists all crews, and pages of the past should be small because there are many of them.
    ):
        return sums
    parts = []
    for side, seat in enumerate(frame.seats):
        title = _crew_title(frame, side)
        lines = join(_crew_line(frame, crew) for crew in frame.view.crews[seat] if crew.strength)
        tricks = _tricks(frame, frame.view.tricks[seat])
        parts.append(
            render_over(
                frame,
                f"crew{side}",
                title,
                (lines + tricks) or html("<p>{}</p>", frame.say("Nobody yet.")),
            )
        )
    lines = NOTHING
    for nation in NATIONS:
        to_come = frame.view.to_come[nation.number]
        if to_come.row or to_come.deck:
            row = join(_chip(nation, v, "in-row") for v in to_come.row)
            lines += _line(frame, nation, row + join(_chip(nation, v) for v in to_come.deck), "")
    in_row, in_deck = frame.view.tricks_to_come
    lines += _tricks(frame, (*in_row, *in_deck), len(in_row))
    note = html(
        '<p class="sh-note"><span class="sh-chip-card in-row">3</span> {}</p>',
        frame.say("lies in the row now"),
    )
    parts.append(
        render_over(
            frame,
            "coming",
            frame.say("Still to come"),
            lines + note if lines else html("<p>{}</p>", frame.say("Nothing: the game is over.")),
        )
    )
    return join([*parts, sums])


def render_counting(frame: Frame, key: str) -> Markup:
    """Render the overview with the rule of the points and their calculation."""
    rule = html('<p class="sh-rule">{}</p>', frame.say(COUNTING))
    return render_over(frame, key, frame.say("How the points are counted"), rule + render_sums(frame))


def render_over(frame: Frame, key: str, title: Markup, inner: Markup) -> Markup:
    """Render a part that opens over the board, with its title and a button that closes it."""
    return html(
        '<div popover id="{}-{}" class="sh-over" role="dialog" aria-label="{}"><div class="sh-over-head"><h2>{}</h2>'
        '<button type="button" class="button quiet icon" popovertarget="{}-{}" popovertargetaction="hide" aria-label="{}">{}</button></div>{}</div>',
        frame.id,
        key,
        title,
        title,
        frame.id,
        key,
        frame.say("Close"),
        art.sign("out"),
        inner,
    )


def _chip(nation: Nation, value: int, classes: str = "") -> Markup:
    return html('<span class="sh-chip-card n{} {}">{}</span>', nation.number, classes, value)


def _line(frame: Frame, nation: Nation, chips: Markup, total: str) -> Markup:
    return html(
        '<p class="sh-crew">{}<span class="sh-nation-name">{}</span>'
        '<span class="sh-chips">{}</span><b>{}</b></p>',
        art.emblem(nation.number),
        frame.nation(nation),
        chips,
        total,
    )


def _crew_line(frame: Frame, crew: Crew) -> Markup:
    chips = join(_chip(crew.nation, v) for v in crew.values)
    for trick in crew.jokers:
        chips += html(
            '<span class="sh-chip-card joker" title="{}">{} 2</span>',
            frame._(TRICK_NAMES[trick]),
            frame.say("J"),
        )
    return _line(frame, crew.nation, chips, str(crew.strength))


def _tricks(frame: Frame, tricks: tuple[Trick, ...], in_row: int = 0) -> Markup:
    """Render trick cards by their names. The first ``in_row`` of them are marked as cards of the row."""
    if not tricks:
        return NOTHING
    chips = join(
        html(
            '<span class="sh-chip-card joker{}">{}</span>',
            " in-row" if n < in_row else "",
            frame._(TRICK_NAMES[trick]),
        )
        for n, trick in enumerate(tricks)
    )
    return html(
        '<p class="sh-crew">{}<span class="sh-nation-name">{}</span>'
        '<span class="sh-chips">{}</span><b>{}</b></p>',
        art.captain(None),
        frame.say("Trick cards"),
        chips,
        len(tricks),
    )


def render_sums(frame: Frame) -> Markup:
    """Render the points that each seat would get for each nation and for trick cards if the game ended now.

    Rules: S-R25, S-R26.
    """
    seen = frame.view
    first, second = frame.seats
    rows = []
    for nation in NATIONS:
        a, b = seen.crews[first][nation.number], seen.crews[second][nation.number]
        if not a.strength and not b.strength:
            continue
        if not (a.strength and b.strength):
            why = frame.say("the whole crew: the other player has no crew")
        elif a.strength == b.strength:
            why = frame.say("nothing, the crews are equal")
        else:
            why = frame.say("the weaker crew")
        rows.append(
            html(
                '<tr><th scope="row">{}<span>{}</span></th><td class="s0">{}</td><td class="s1">{}</td>'
                '<td class="why">{}</td><td class="s0"><b>{}</b></td><td class="s1"><b>{}</b></td></tr>',
                art.emblem(nation.number),
                frame.nation(nation),
                a.strength,
                b.strength,
                why,
                a.gain or "",
                b.gain or "",
            )
        )
    mine, theirs = len(seen.tricks[first]), len(seen.tricks[second])
    rows.append(
        html(
            '<tr><th scope="row">{}<span>{}</span></th><td class="s0">{}</td><td class="s1">{}</td>'
            '<td class="why">{}</td><td class="s0"><b>{}</b></td><td class="s1"><b>{}</b></td></tr>',
            art.captain(None),
            frame.say("Trick cards"),
            mine,
            theirs,
            frame.say("1 each"),
            mine or "",
            theirs or "",
        )
    )
    names = [escape(frame.name(seat)) for seat in frame.seats]
    return html(
        '<table class="sh-sums"><thead><tr><td></td><th scope="col" colspan="2">{}</th><th scope="col" class="why">{}</th><th scope="col">{}</th><th scope="col">{}</th></tr></thead>'
        '<tbody>{}</tbody><tfoot><tr><th scope="row" colspan="4">{}</th><td class="s0"><b>{}</b></td><td class="s1"><b>{}</b></td></tr></tfoot></table>',
        frame.say("crews"),
        frame.say("what counts"),
        names[0],
        names[1],
        join(rows),
        frame.say("Points"),
        seen.points[first],
        seen.points[second],
    )


def render_scoring(frame: Frame, settled: Markup) -> Markup:
    """Render the calculation of the last game's points, for the end of the match.

    The calculation replaces the decision and the table of points.
    """
    return html(
        '<section class="sh-final"><h2>{}</h2>{}{}{}</section>',
        frame.say("How the points are counted"),
        render_sums(frame),
        _tabs(frame),
        settled,
    )
