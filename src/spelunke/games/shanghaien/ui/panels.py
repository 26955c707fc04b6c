"""Below the row: the last settlement, the standing, and the overviews that open from it."""

from __future__ import annotations

from markupsafe import Markup

from spelunke.boards.markup import escape
from spelunke.games.shanghaien.cards import NATIONS, Nation, Sailor, Trick
from spelunke.games.shanghaien.events import TRICK_NAMES
from spelunke.games.shanghaien.ui import art
from spelunke.games.shanghaien.ui.frame import Frame
from spelunke.games.shanghaien.view import Crew


def render_settlement(frame: Frame) -> str:
    """Numbers and arrows: who got what at the last Shanghai, and why (S-R14)."""
    event = frame.settled
    if event is None:
        return ""
    items = []
    for claim in sorted(event.claims, key=lambda c: c.place):
        assert claim.card is not None
        fate = frame.fate(claim)
        figure = (
            f'{art.emblem(claim.card.nation.number)}<b class="sh-value">{claim.card.value}</b>'
            if isinstance(claim.card, Sailor)
            else str(art.half(art.TRICKS[claim.card.trick][-1]))
        )
        theirs, mine = claim.dice[frame.seats[1]], claim.dice[frame.seats[0]]
        near = ""
        if claim.rule in ("neighbours", "tie"):
            near = f'<small class="sh-near">{escape(frame._("pips"))} {frame.score(claim)}</small>'
        items.append(
            f'<li class="{fate}"><span class="sr">{escape(frame.card(claim.card))}: {escape(frame.verdict(claim))}</span>'
            f'<span aria-hidden="true" class="sh-got"><span class="s1 n">{theirs or "·"}</span>'
            f'{art.sign("up") if fate == "up" else ""}<span class="sh-mini" id="{frame.id}-got-{event.tavern}-{claim.place}" data-from="card-{frame.view.games}-{event.tavern}-{claim.place}">{figure}</span>'
            f'{art.sign(fate) if fate != "up" else ""}<span class="s0 n">{mine or "·"}</span>{near}</span></li>'
        )
    title = frame.say(
        "{name} called Shanghai: Tavern {tavern}", name=frame.name(event.seat), tavern=event.tavern
    )
    return (
        f'<section class="sh-settled" aria-label="{frame.say("The last settlement")}"><h2>{title}</h2>'
        f'<ol>{"".join(items)}</ol><p class="sh-legend" aria-hidden="true"><span class="up">{art.sign("up")} {escape(frame.name(frame.seats[1]))}</span>'
        f'<span class="down">{art.sign("down")} {escape(frame.name(frame.seats[0]))}</span><span>{art.sign("out")} {frame.say("out")}</span></p></section>'
    )


def _coming(frame: Frame, nation: Nation) -> tuple[int, int]:
    """Cards and points of a nation that may still be won."""
    to_come = frame.view.to_come[nation.number]
    values = (*to_come.row, *to_come.deck)
    return len(values), sum(values)


def _figure(count: int, points: int) -> str:
    """How many there are, and small what they bring."""
    return f"{count or '–'}" + (f"<small>+{points}</small>" if points else "")


def _to_come(frame: Frame, points: int, cards: int) -> tuple[str, Markup]:
    """Points and cards that may still be won: what is shown, and what is said."""
    if not cards:
        return "–", frame.say("nothing")
    told = (
        frame.say("{points} in 1 card", points=points)
        if cards == 1
        else frame.say("{points} in {n} cards", points=points, n=cards)
    )
    return f'{points}<small class="of">{cards}</small>', told


def _cell(shown: str, told: Markup, state: str = "") -> str:
    """A cell whose figures stand for words, which a tooltip and a screen reader tell."""
    return f'<td class="{state}" title="{told}"><span aria-hidden="true">{shown}</span><span class="sr">{told}</span></td>'


def render_standings(frame: Frame) -> str:
    """The points of both by nation, and in a third tone the cards and points still to come (S-R25)."""
    seen = frame.view
    heads = "".join(
        f'<th scope="col" class="n{n.number}">{art.emblem(n.number)}<span aria-hidden="true">{escape(frame.letter(n))}</span>'
        f'<span class="sr">{escape(frame.nation(n))}</span></th>'
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
        told = (
            frame.say("1 trick card, 1 point")
            if tricks == 1
            else frame.say("{n} trick cards, 1 point each", n=tricks)
        )
        rows.append(
            f'<tr class="s{side}"><th scope="row">{art.die(side)}<span>{frame.called(seat)}</span></th>{"".join(cells)}'
            f'{_cell(_figure(tricks, tricks), told)}<td class="total"><b>{seen.points[seat]}</b></td></tr>'
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
        f'<tr class="coming"><th scope="row">{art.sign("right")}<span>{frame.say("to come")}</span></th>{"".join(coming)}'
        f"{_cell(*_to_come(frame, tricks, tricks))}{_cell(*_to_come(frame, points, left))}</tr>"
    )
    tabs = "".join(
        f'<button type="button" class="button quiet" popovertarget="{frame.id}-{key}">{text}</button>'
        for key, text in (
            (
                "crew0",
                frame.say("My crew")
                if frame.scene.seat is not None
                else frame.say("Crew of {name}", name=frame.name(frame.seats[0])),
            ),
            ("crew1", frame.say("Crew of {name}", name=frame.name(frame.seats[1]))),
            ("coming", frame.say("Still to come")),
            ("sums", frame.say("How the points are counted")),
        )
        if key == "sums" or not frame.scene.past
    )
    return (
        f'<section class="sh-standing" aria-label="{frame.say("Standing")}"><table><caption class="sr">{frame.say("Strength of the crews and what it scores; what is still to come")}</caption>'
        f'<thead><tr><td></td>{heads}<th scope="col" class="trick">{art.half("again")}<span class="sr">{frame.say("Trick cards")}</span></th><th scope="col" class="sum"><span>{frame.say("points")}</span></th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
        f'<p class="sh-adds">{frame.say("Large: crew strength. +: what it scores. To come: points left, and cards.")}</p>'
        f'<div class="sh-tabs">{tabs}</div></section>'
    )


def render_overviews(frame: Frame) -> str:
    """My crew, the other crew, the cards to come, and how the totals come about; each opens over the board."""
    sums = _popover(frame, "sums", str(frame.say("How the points are counted")), render_sums(frame))
    if frame.scene.past:  # it tells all crews, and a page of the past should be small: there are many of them
        return sums
    parts = []
    for side, seat in enumerate(frame.seats):
        title = (
            frame.say("My crew")
            if seat == frame.scene.seat
            else frame.say("Crew of {name}", name=frame.name(seat))
        )
        lines = "".join(_crew_line(frame, crew) for crew in frame.view.crews[seat] if crew.strength)
        tricks = _tricks(frame, frame.view.tricks[seat])
        parts.append(
            _popover(
                frame, f"crew{side}", str(title), (lines + tricks) or f"<p>{frame.say('Nobody yet.')}</p>"
            )
        )
    lines = ""
    for nation in NATIONS:
        to_come = frame.view.to_come[nation.number]
        if to_come.row or to_come.deck:
            row = "".join(_chip(nation, v, "in-row") for v in to_come.row)
            lines += _line(frame, nation, row + "".join(_chip(nation, v) for v in to_come.deck), "")
    in_row, in_deck = frame.view.tricks_to_come
    lines += _tricks(frame, (*in_row, *in_deck))
    note = f'<p class="sh-note"><span class="sh-chip-card in-row">3</span> {frame.say("lies in the row now")}</p>'
    parts.append(
        _popover(
            frame,
            "coming",
            str(frame.say("Still to come")),
            (lines + note) if lines else f"<p>{frame.say('Nothing: this is the end.')}</p>",
        )
    )
    return "".join([*parts, sums])


def _popover(frame: Frame, key: str, title: str, inner: str) -> str:
    return (
        f'<div popover id="{frame.id}-{key}" class="sh-over" role="dialog" aria-label="{title}"><div class="sh-over-head"><h2>{title}</h2>'
        f'<button type="button" class="button quiet icon" popovertarget="{frame.id}-{key}" popovertargetaction="hide" aria-label="{frame.say("Close")}">{art.sign("out")}</button></div>{inner}</div>'
    )


def _chip(nation: Nation, value: int, classes: str = "") -> str:
    return f'<span class="sh-chip-card n{nation.number} {classes}">{value}</span>'


def _line(frame: Frame, nation: Nation, chips: str, total: str) -> str:
    return (
        f'<p class="sh-crew">{art.emblem(nation.number)}<span class="sh-nation-name">{escape(frame.nation(nation))}</span>'
        f'<span class="sh-chips">{chips}</span><b>{total}</b></p>'
    )


def _crew_line(frame: Frame, crew: Crew) -> str:
    chips = "".join(_chip(crew.nation, v) for v in crew.values)
    for trick in crew.jokers:
        chips += f'<span class="sh-chip-card joker" title="{escape(frame._(TRICK_NAMES[trick]))}">{frame.say("J")} 2</span>'
    return _line(frame, crew.nation, chips, str(crew.strength))


def _tricks(frame: Frame, tricks: tuple[Trick, ...]) -> str:
    if not tricks:
        return ""
    chips = "".join(
        f'<span class="sh-chip-card joker">{escape(frame._(TRICK_NAMES[trick]))}</span>' for trick in tricks
    )
    return (
        f'<p class="sh-crew">{art.captain(None)}<span class="sh-nation-name">{frame.say("Trick cards")}</span>'
        f'<span class="sh-chips">{chips}</span><b>{len(tricks)}</b></p>'
    )


def render_sums(frame: Frame) -> str:
    """Nation by nation, what each crew brings if the game ended now (S-R25, S-R26)."""
    seen = frame.view
    first, second = frame.seats
    rows = []
    for nation in NATIONS:
        a, b = seen.crews[first][nation.number], seen.crews[second][nation.number]
        if not a.strength and not b.strength:
            continue
        if not (a.strength and b.strength):
            why = frame.say("own crew, nobody else has one")
        elif a.strength == b.strength:
            why = frame.say("nothing, the crews are equal")
        else:
            why = frame.say("the weaker crew")
        rows.append(
            f'<tr><th scope="row">{art.emblem(nation.number)}<span>{escape(frame.nation(nation))}</span></th><td class="s0">{a.strength}</td><td class="s1">{b.strength}</td>'
            f'<td class="why">{why}</td><td class="s0"><b>{a.gain or ""}</b></td><td class="s1"><b>{b.gain or ""}</b></td></tr>'
        )
    mine, theirs = len(seen.tricks[first]), len(seen.tricks[second])
    rows.append(
        f'<tr><th scope="row">{art.captain(None)}<span>{frame.say("Trick cards")}</span></th><td class="s0">{mine}</td><td class="s1">{theirs}</td>'
        f'<td class="why">{frame.say("1 each")}</td><td class="s0"><b>{mine or ""}</b></td><td class="s1"><b>{theirs or ""}</b></td></tr>'
    )
    names = [escape(frame.name(seat)) for seat in frame.seats]
    return (
        f'<table class="sh-sums"><thead><tr><td></td><th scope="col" colspan="2">{frame.say("crews")}</th><th scope="col" class="why">{frame.say("what counts")}</th><th scope="col">{names[0]}</th><th scope="col">{names[1]}</th></tr></thead>'
        f'<tbody>{"".join(rows)}</tbody><tfoot><tr><th scope="row" colspan="4">{frame.say("Points")}</th><td class="s0"><b>{seen.points[first]}</b></td><td class="s1"><b>{seen.points[second]}</b></td></tr></tfoot></table>'
    )


def render_scoring(frame: Frame) -> str:
    """The end of the game: how the points came about, on the table itself."""
    return f'<div class="sh-final"><h2>{frame.say("The last round is over")}</h2>{render_sums(frame)}</div>'
