"""The board of Shanghaien on a page, from a seat's view alone.

Every legal move is a ``<button name="move">``. What takes two steps (a die, then an end; a trick, then its target) is a
radio button that lights its targets through ``:has()``, so nothing needs a script. Cards and dice are an HTML grid of
small pictures: targets are real buttons, and the row folds to a phone's width.
"""

from __future__ import annotations

from collections.abc import Callable

from markupsafe import Markup

from spelunke.boards.markup import escape
from spelunke.boards.scene import Scene
from spelunke.boards.stage import keyed
from spelunke.core.words import plain
from spelunke.games.shanghaien.cards import End, Sailor
from spelunke.games.shanghaien.claims import Claim
from spelunke.games.shanghaien.events import Laid
from spelunke.games.shanghaien.moves import (
    Direct,
    Exchange,
    Place,
    Sharks,
)
from spelunke.games.shanghaien.ui import art
from spelunke.games.shanghaien.ui.arrows import render_arrows
from spelunke.games.shanghaien.ui.controls import render_cast, render_controls
from spelunke.games.shanghaien.ui.frame import Frame, button
from spelunke.games.shanghaien.ui.panels import (
    render_overviews,
    render_scoring,
    render_settlement,
    render_standings,
    render_sums,
)
from spelunke.games.shanghaien.ui.tricks import render_held, render_tricks


def render_board(scene: Scene) -> Markup:
    """The whole board; ``scene.legal`` decides which buttons there are."""
    frame = Frame(scene)
    seen = frame.view
    over = seen.phase == "over"
    middle = render_scoring(frame) if over and not seen.row else _row(frame)
    return Markup(
        f'<div class="shanghaien" id="{escape(frame.id)}" data-phase="{seen.phase}">'
        f'<section class="sh-table night" aria-label="{_round(frame)}">{art.tavern()}'
        f"{_kept_party(frame, 1)}{middle}{_kept_party(frame, 0)}</section>"
        f"{'' if over else render_controls(frame)}{_kept(frame, 'standings', render_standings)}"
        f"{render_settlement(frame)}{_kept(frame, 'overviews', render_overviews)}</div>"
    )


def _kept(frame: Frame, part: str, draw: Callable[[Frame], str]) -> str:
    """A panel below the row; it changes when a round is settled."""
    seen = frame.view
    rests = (seen.crews, seen.to_come, seen.tricks, seen.tricks_to_come, seen.points)
    return frame.kept(part, rests, lambda: draw(frame))


def _round(frame: Frame) -> Markup:
    return frame.say("Tavern {tavern} of 8", tavern=frame.view.tavern)


# ---- the players above and below the row -------------------------------------------------------------------------


def _kept_party(frame: Frame, side: int) -> str:
    """The strip changes when its player lays dice or acts."""
    seen, seat = frame.view, frame.seats[side]
    has = (seen.supply[seat], seen.spent[seat], seen.tricks[seat], seen.points[seat], *frame.notes(seat))
    rests = (side, seat in frame.scene.actors, seen.tavern, has)
    return frame.kept("party", rests, lambda: _party(frame, side))


def _party(frame: Frame, side: int) -> str:
    """A player's strip: dice left, captain, trick cards, points."""
    seen, seat = frame.view, frame.seats[side]
    left = seen.supply[seat]
    dice = "".join(f'<span data-piece="supply-{side}">{art.die(side)}</span>' for _ in range(left))
    label = frame.say("{name}: {n} dice left", name=frame.name(seat), n=left)
    to_act = " acts" if seat in frame.scene.actors else ""
    spent = seen.spent[seat]
    captain = art.captain(
        None if spent else side,
        str(
            frame.say("captain spent: no more tricks in this round")
            if spent
            else frame.say("captain ready: one trick may be played")
        ),
    )
    notes = "".join(
        f'<span id="{frame.id}-tag-{side}-{k}" class="sh-tag">{escape(note)}</span>'
        for k, note in enumerate(frame.notes(seat))
    )
    tricks = render_held(frame, seat) if side or frame.scene.seat is None else ""
    strip = f"{frame.id}-party-{side}"
    middle = f'<span id="{strip}-round" class="sh-round">{_round(frame)}</span>' if side else ""
    return (
        f'<div class="sh-party s{side}{to_act}"><b class="sh-who">{frame.called(seat)}</b>'
        f'<span class="sh-captain">{captain}</span>'
        f'<span id="{strip}-supply" class="sh-supply" role="img" aria-label="{label}">{dice}</span>{tricks}{notes}{middle}'
        f'<span id="{strip}-points" class="sh-points"><b>{seen.points[seat]}</b> {frame.say("point") if seen.points[seat] == 1 else frame.say("points")}</span></div>'
    )


# ---- the row -----------------------------------------------------------------------------------------------------


def _row(frame: Frame) -> str:
    targets, arrows = _targets(frame), render_arrows(frame)
    fresh = {(e.place, frame.side(e.seat)) for e in frame.scene.last[-4:] if isinstance(e, Laid)}
    by_place = {claim.place: claim for claim in frame.view.row}
    places = "".join(
        _kept_place(frame, by_place[p], targets.get(p, ""), fresh, arrows.get(p, ""))
        if p in by_place
        else _empty(frame, p)
        for p in range(1, 7)
    )
    return (
        f'<div class="sh-row"><span class="sh-round" aria-hidden="true">{_round(frame)}</span>{_end(frame, End.LEFT)}'
        f'<ol class="sh-cards" aria-label="{frame.say("The row, from left to right")}">{places}</ol>{_end(frame, End.RIGHT)}</div>'
    )


def _empty(frame: Frame, place: int) -> str:
    return (
        f'<li class="sh-place blank"><div class="sh-dice theirs"></div><div class="sh-card">{art.back()}'
        f'<span class="sr">{frame.say("Place {place}: still face down", place=place)}</span></div>'
        '<div class="sh-foot"></div><div class="sh-dice mine"></div></li>'
    )


def _kept_place(frame: Frame, claim: Claim, targets: str, fresh: set[tuple[int, int]], arrows: str) -> str:
    """A move changes one card or two."""
    new = {(place, side) for place, side in fresh if place == claim.place}
    seen = frame.view
    rests = (claim, targets, arrows, frozenset(new), seen.games, seen.tavern)
    return frame.kept("place", rests, lambda: _place(frame, claim, targets, new, arrows))


def _place(frame: Frame, claim: Claim, targets: str, fresh: set[tuple[int, int]], arrows: str) -> str:
    assert claim.card is not None
    _ = frame._
    name = frame.card(claim.card)
    told = [
        _("Card {number}: {card}").format(number=claim.number, card=name)
        if claim.number
        else _("Place {place}: {card}").format(place=claim.place, card=name)
    ]
    if claim.down:
        told.append(_("face down"))
    verdict = frame.verdict(claim) if claim.number else ""
    if verdict:
        told.append(verdict)
    fate = frame.fate(claim)
    has_dice = any(claim.dice)
    chip = ""
    counted = "pips" if claim.rule in ("neighbours", "tie") else "dice"
    if claim.number and (has_dice or claim.down):
        chip = (
            f'<span class="sh-chip {fate} {claim.rule}" title="{escape(verdict)}">{art.sign(fate)}'
            f'<span class="of-{counted}">{frame.score(claim)}</span>'
            f'<i class="sh-why">{_why(frame, claim)}</i></span>'
        )
    number = (
        str(claim.number)
        if claim.number
        else f"<small>{claim.place}</small>/<small>{7 - claim.place}</small>"
    )
    nation = f"n{claim.card.nation.number}" if isinstance(claim.card, Sailor) else "trick"
    return (
        f'<li class="sh-place {nation} {fate if claim.number else "open"}{" down-card" if claim.down else ""}{" lit" if targets else ""}" id="{frame.id}-p{claim.place}">'
        f'<div class="sh-dice theirs">{_dice(frame, claim, 1, fresh)}</div>'
        f'<div class="sh-card" data-piece="card-{frame.view.games}-{frame.view.tavern}-{claim.place}">{art.back() if claim.down else frame.render_card(claim.card)}'
        f"{f'<span class=sh-under>{escape(name)}</span>' if claim.down else ''}"
        f'<span class="sr">{escape(". ".join(told))}</span><span class="sh-fate" aria-hidden="true">{art.sign(fate)}</span>{targets}{arrows}</div>'
        f'<div class="sh-foot" aria-hidden="true"><span class="sh-number">{number}</span>{chip}</div>'
        f'<div class="sh-dice mine">{_dice(frame, claim, 0, fresh)}</div></li>'
    )


def _why(frame: Frame, claim: Claim) -> Markup:
    """One or two words for the rule that decides."""
    return frame.say(
        {
            "alone": plain("alone"),
            "majority": plain("more dice"),
            "neighbours": plain("neighbours"),
            "tie": plain("tie"),
            "nobody": plain("nobody"),
            "sharks": plain("sharks"),
        }[claim.rule]
    )


def _dice(frame: Frame, claim: Claim, side: int, fresh: set[tuple[int, int]]) -> str:
    seat = frame.seats[side]
    count = claim.dice[seat]
    if not count:
        return ""
    label = frame.say("{name}: {n} × die {number}", name=frame.name(seat), n=count, number=claim.number)
    new = (claim.place, side) in fresh
    # A die that is new here slides from the roll, or else from its owner's supply.
    dice = "".join(
        f'<span class="sh-die{" fresh" if new and i == count - 1 else ""}" id="{frame.id}-{frame.view.tavern}-d{side}-{claim.place}-{i}"'
        f' data-from="die-{side}-{claim.number} supply-{side}">{art.die(side, claim.number)}</span>'
        for i in range(count)
    )
    return f'<span class="sh-pile c{count}" role="img" aria-label="{label}">{dice}</span>'


def _end(frame: Frame, end: End) -> str:
    """What stands at one end of the row: the captains at the 1, or the choice of it (S-R8)."""
    seen = frame.view
    here = seen.end is end
    word = frame._("left") if end is End.LEFT else frame._("right")
    pieces = "".join(
        str(
            art.captain(
                side if seen.spent[seat] else None,
                str(
                    frame.say("{name} has played a trick in this round", name=frame.name(seat))
                    if seen.spent[seat]
                    else ""
                ),
            )
        )
        for side, seat in ((1, frame.seats[1]), (0, frame.seats[0]))
    )
    if seen.end is None:
        for action, move in frame.moves(Direct):
            if action.end is end:
                label = frame._("The {end} end is 1").format(end=word)
                return f'<div class="sh-end {end}">{button(frame, "end", move, label, f"{pieces}<b>1</b>", "sh-glow sh-direct")}</div>'
        told = frame.say("The first die that is laid decides which end is number 1")
        asked = frame.say("Which end is 1?") if end is End.LEFT else "?"
        return (
            f'<div class="sh-end {end} maybe" aria-hidden="true" title="{told}">{pieces}<b>{asked}</b></div>'
        )
    if here:
        told = frame.say("Card 1 is at the {end} end", end=word)
        return f'<div class="sh-end {end} one"><span class="sr">{told}</span>{pieces}<b aria-hidden="true">1 {"→" if end is End.LEFT else "←"}</b></div>'
    return f'<div class="sh-end {end}" aria-hidden="true"><b>6</b></div>'


def _targets(frame: Frame) -> dict[int, str]:
    """The buttons that lie on the cards, by place."""
    found: dict[int, str] = {}
    for action, move in frame.moves(Place) + frame.moves(Sharks):
        place = frame.place(action.value, action.end)
        found[place] = found.get(place, "") + _target(frame, action, move)
    cards = {claim.place: claim for claim in frame.view.row}
    for exchange, move in frame.moves(Exchange):
        place = frame.place(exchange.number, None)
        label = frame._("Take a {number} back from {card}, then lay both dice").format(
            number=exchange.number,
            card=frame.card(cards[place].card),  # type: ignore[arg-type]
        )
        found[place] = found.get(place, "") + button(
            frame, "card", move, label, str(art.sign("down")), "sh-target for-exchange", keyed(str(place))
        )
    return {place: f'<div class="sh-targets">{inner}</div>' for place, inner in found.items()}


def _target(frame: Frame, action: Place | Sharks, move: str) -> str:
    """The button on the card to which a die may be laid."""
    seen, _ = frame.view, frame._
    place = frame.place(action.value, action.end)
    card = next(claim.card for claim in seen.row if claim.place == place)
    sharks = isinstance(action, Sharks)
    text = _("Lay the {value} and feed {card} to the sharks") if sharks else _("Lay the {value} at {card}")
    label = text.format(value=action.value, card=frame.card(card))  # type: ignore[arg-type]
    if action.end is not None:
        word = _("left") if action.end is End.LEFT else _("right")
        label += "; " + _("the {end} end is 1").format(end=word)
    if sharks:
        classes = "sh-target for-sharks"
    elif action.end and seen.phase != "changed" and seen.rolled and seen.rolled[0] != seen.rolled[1]:
        classes = f"sh-target for-{'low' if action.value == seen.rolled[0] else 'high'}"
    else:
        classes = "sh-target always"
    inner = str(art.die(0, action.value)) + (str(art.sign("sharked")) if sharks else "")
    return button(frame, "card", move, label, inner, classes, f" data-drop{keyed(str(place))}")


# ---- pictures in the rules ----------------------------------------------------------------------------------------


def render_part(part: str, scene: Scene) -> Markup | None:
    """A part of the board by name: ``row``, ``roll`` (with the dice that were rolled), ``settlement``, ``sums``."""
    frame = Frame(scene)
    inner = {
        "row": lambda: _tavern(frame, ""),
        "roll": lambda: _tavern(
            frame, f'<div class="sh-act">{render_cast(frame)}</div>{render_tricks(frame)}'
        ),
        "settlement": lambda: render_settlement(frame),
        "sums": lambda: render_sums(frame),
    }.get(part)
    return None if inner is None else Markup(f'<div class="shanghaien sh-picture">{inner()}</div>')


def _tavern(frame: Frame, below: str) -> str:
    return f'<div class="sh-table night">{art.tavern()}{_row(frame)}</div>{below}'
