"""The board of Shanghaien on a page. It uses only a seat's view.

Every legal move is a ``<button name="move">``. Some choices have two steps: a die and then one of its two cards, or a
trick and then its target. The first step is a radio button. While this button is chosen, the CSS selector ``:has()``
makes its targets visible, so no script is needed. Cards and dice are small pictures in an HTML grid. In this grid,
targets are real buttons, and the row wraps to the width of a phone.
"""

from __future__ import annotations

from collections.abc import Callable

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, flag, html, join
from spelunke.boards.scene import Scene
from spelunke.boards.stage import cap, keyed
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
from spelunke.games.shanghaien.ui.halves import HALVES
from spelunke.games.shanghaien.ui.panels import (
    render_overviews,
    render_scoring,
    render_settlement,
    render_standings,
    render_sums,
)
from spelunke.games.shanghaien.ui.tricks import render_held, render_in_row, render_tricks


def render_board(scene: Scene) -> Markup:
    """Return the whole board, with a button for each move of ``scene.legal``."""
    frame = Frame(scene)
    seen = frame.view
    over = seen.phase == "over"
    scored = over and not seen.row
    return html(
        '<div class="shanghaien" id="{}" data-phase="{}" data-me="{}">'
        '<section class="sh-table night" aria-label="{}">{}'
        "{}{}{}</section>"
        "{}{}"
        "{}{}</div>",
        frame.id,
        seen.phase,
        frame.me,
        _round(frame),
        art.tavern(),
        _kept_party(frame, 1),
        _last_row(frame) if scored else _kept_row(frame),
        _kept_party(frame, 0),
        NOTHING if over else render_controls(frame),
        render_scoring(frame, _settled(frame)) if scored else _kept(frame, "standings", render_standings),
        NOTHING if scored else _settled(frame),
        _kept(frame, "overviews", render_overviews),
    )


def _settled(frame: Frame) -> Markup:
    return frame.kept("settled", (frame.settled, frame.view.games), lambda: render_settlement(frame))


def _kept(frame: Frame, part: str, draw: Callable[[Frame], Markup]) -> Markup:
    """Return a panel below the row.

    If crews, trick cards, points and cards to come have not changed, the panel comes from the cache.
    """
    seen = frame.view
    rests = (seen.crews, seen.to_come, seen.tricks, seen.tricks_to_come, seen.points)
    return frame.kept(part, rests, lambda: draw(frame))


def _round(frame: Frame) -> Markup:
    return frame.say("Tavern {tavern} of 8", tavern=frame.view.tavern)


def _played(frame: Frame) -> Markup:
    """Render the trick that the other player has played since the viewer's own last action."""
    return html(
        '<small class="sh-played">{}</small>',
        frame.say(
            # Translators: {trick} is the name of a trick, as “2 sailors” or “roll again”.
            "{name} played “{trick}”",
            name=frame.name(frame.seats[1]),
            trick=frame._(HALVES[frame.played].word),
        ),
    )


# ---- the players above and below the row -------------------------------------------------------------------------


def _kept_party(frame: Frame, side: int) -> Markup:
    """Return the line of a player. If nothing that the line shows has changed, it comes from the cache."""
    seen, seat = frame.view, frame.seats[side]
    has = (seen.supply[seat], seen.spent[seat], seen.tricks[seat], seen.points[seat], seen.crazy[seat])
    before = (seen.match, seen.wins[seat], seen.totals[seat])
    rests = (has, before, seat in frame.scene.actors, seen.tavern, side and frame.played)
    return frame.kept(("party", side), rests, lambda: _party(frame, side))


def _party(frame: Frame, side: int) -> Markup:
    """Render the line of a player: remaining dice, captain, trick cards and points."""
    seen, seat = frame.view, frame.seats[side]
    left = seen.supply[seat]
    dice = html('<span data-piece="supply-{}">{}</span>', side, art.die(side)) * left
    label = frame.say_many("{name}: {n} die left", "{name}: {n} dice left", left, name=frame.name(seat))
    to_act = " acts" if seat in frame.scene.actors else ""
    spent = seen.spent[seat]
    captain = art.captain(
        None if spent else side,
        frame.say("trick played: no more tricks in this round")
        if spent
        else frame.say("no trick played yet: one may be played in this round"),
    )
    notes = join(
        html('<span id="{}-tag-{}-{}" class="sh-tag">{}</span>', frame.id, side, k, note)
        for k, note in enumerate(frame.notes(seat))
    )
    tricks = render_held(frame, seat) if side or frame.scene.seat is None else ""
    strip = f"{frame.id}-party-{side}"
    played = _played(frame) if side and frame.played else NOTHING
    middle = (
        html('<span id="{}-round" class="sh-round">{}{}</span>', strip, _round(frame), played)
        if side
        else NOTHING
    )
    return html(
        '<div class="sh-party s{}{}"><b class="sh-who">{}</b>'
        '<span class="sh-captain">{}</span>'
        '<span id="{}-supply" class="sh-supply" role="img" aria-label="{}">{}</span>{}{}{}'
        '<span id="{}-points" class="sh-points"><b>{}</b> {}</span></div>',
        side,
        to_act,
        frame.called(seat),
        captain,
        strip,
        label,
        dice,
        tricks,
        notes,
        middle,
        strip,
        seen.points[seat],
        frame.say_many("point", "points", seen.points[seat]),
    )


# ---- the row -----------------------------------------------------------------------------------------------------


def _kept_row(frame: Frame) -> Markup:
    """Return the row. If nothing on which the row depends has changed, it comes from the cache."""
    seen, scene = frame.view, frame.scene
    fresh = {(e.place, frame.side(e.seat)) for e in scene.last[-4:] if isinstance(e, Laid)}
    # phase and roll affect only the viewer's moves and the arrows of an analysis in the row
    now = (seen.phase, seen.turn, seen.rolled) if scene.legal or scene.arrows else None
    rests = (
        (now, seen.tavern, seen.games, seen.row, seen.end, seen.spent, frame.played),
        (fresh, scene.legal, scene.arrows, scene.over),
    )
    return frame.kept("row", rests, lambda: _row(frame, fresh))


def _row(frame: Frame, fresh: set[tuple[int, int]]) -> Markup:
    targets, arrows = _targets(frame), render_arrows(frame)
    by_place = {claim.place: claim for claim in frame.view.row}
    places = join(
        _kept_place(frame, by_place[p], targets.get(p, NOTHING), fresh, arrows.get(p, NOTHING))
        if p in by_place
        else _empty(frame, p)
        for p in range(1, 7)
    )
    return html(
        '<div class="sh-row"><span class="sh-round" aria-hidden="true">{}{}</span>{}'
        '<ol class="sh-cards" aria-label="{}">{}</ol>{}</div>',
        _round(frame),
        _played(frame) if frame.played else NOTHING,
        _kept_end(frame, End.LEFT),
        frame.say("The row, from left to right"),
        places,
        _kept_end(frame, End.RIGHT),
    )


def _last_row(frame: Frame) -> Markup:
    """Render the points of the last game. At the end of the match, they replace the row of cards.

    This part is as high as the row of cards, so the rest of the page does not move.
    """
    places = join(_empty(frame, place) for place in range(1, 7))
    theirs, mine = (
        html('<b class="s{}">{}</b>', side, frame.view.points[frame.seats[side]]) for side in (1, 0)
    )
    return html(
        '<div class="sh-row sh-after" aria-hidden="true"><span class="sh-round">{}</span>{}'
        '<ol class="sh-cards">{}</ol>{}<p class="sh-score">{}{}</p></div>',
        _round(frame),
        _kept_end(frame, End.LEFT),
        places,
        _kept_end(frame, End.RIGHT),
        theirs,
        mine,
    )


def _empty(frame: Frame, place: int) -> Markup:
    return html(
        '<li class="sh-place blank"><div class="sh-dice theirs"></div><div class="sh-card">{}'
        '<span class="sr">{}</span></div>'
        '<div class="sh-foot"></div><div class="sh-dice mine"></div></li>',
        art.back(),
        frame.say("Place {place}: still face down", place=place),
    )


def _kept_place(
    frame: Frame, claim: Claim, targets: Markup, fresh: set[tuple[int, int]], arrows: Markup
) -> Markup:
    """Return one place of the row.

    If its card, dice, buttons and marks have not changed, the place comes from the cache.
    """
    new = {(place, side) for place, side in fresh if place == claim.place}
    seen = frame.view
    rests = (claim, targets, arrows, new, seen.games, seen.tavern, frame.scene.over)
    return frame.kept(("place", claim.place), rests, lambda: _place(frame, claim, targets, new, arrows))


def _place(
    frame: Frame, claim: Claim, targets: Markup, fresh: set[tuple[int, int]], arrows: Markup
) -> Markup:
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
    if claim.taker is None:  # the text follows a full stop, and does not begin with a name
        verdict = verdict[:1].upper() + verdict[1:]
    if verdict:
        told.append(verdict)
    fate = frame.fate(claim)
    has_dice = any(claim.dice)
    chip = NOTHING
    counted = "pips" if claim.rule in ("neighbours", "tie") else "dice"
    if claim.number and (has_dice or claim.down):
        chip = html(
            '<span class="sh-chip {} {}" title="{}">{}'
            '<span class="of-{}">{}</span>'
            '<i class="sh-why">{}</i></span>',
            fate,
            claim.rule,
            verdict,
            art.sign(fate),
            counted,
            frame.score(claim),
            _why(frame, claim),
        )
    number = (
        str(claim.number)
        if claim.number
        else html("<small>{}</small>/<small>{}</small>", claim.place, 7 - claim.place)
    )
    nation = f"n{claim.card.nation.number}" if isinstance(claim.card, Sailor) else "trick"
    return html(
        '<li class="sh-place {} {}{}{}" id="{}-p{}">'
        '<div class="sh-dice theirs">{}</div>'
        '<div class="sh-card" data-piece="card-{}-{}-{}">{}'
        "{}"
        '<span class="sr">{}</span><span class="sh-fate" aria-hidden="true">{}</span>{}{}</div>'
        '<div class="sh-foot" aria-hidden="true"><span class="sh-number">{}</span>{}</div>'
        '<div class="sh-dice mine">{}</div></li>',
        nation,
        fate if claim.number else "open",
        " down-card" if claim.down else "",
        " lit" if targets else "",
        frame.id,
        claim.place,
        _dice(frame, claim, 1, fresh),
        frame.view.games,
        frame.view.tavern,
        claim.place,
        art.back() if claim.down else render_in_row(frame, claim),
        html("<span class=sh-under>{}</span>", name) if claim.down else NOTHING,
        ". ".join(told),
        art.sign(fate),
        targets,
        arrows,
        number,
        chip,
        _dice(frame, claim, 0, fresh),
    )


def _why(frame: Frame, claim: Claim) -> Markup:
    """Return one or two words for the rule that decides about the card."""
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


def _dice(frame: Frame, claim: Claim, side: int, fresh: set[tuple[int, int]]) -> Markup:
    seat = frame.seats[side]
    count = claim.dice[seat]
    if not count:
        return NOTHING
    label = frame.say_many(
        "{name}: {n} die on card {number}",
        "{name}: {n} dice on card {number}",
        count,
        name=frame.name(seat),
        number=claim.number,
    )
    new = (claim.place, side) in fresh
    # A new die slides here from the rolled dice, or otherwise from its owner's supply.
    dice = join(
        html(
            '<span class="sh-die{}" id="{}-{}-d{}-{}-{}" data-from="die-{}-{} supply-{}">{}</span>',
            " fresh" if new and i == count - 1 else "",
            frame.id,
            frame.view.tavern,
            side,
            claim.place,
            i,
            side,
            claim.number,
            side,
            art.die(side, claim.number),
        )
        for i in range(count)
    )
    return html('<span class="sh-pile c{}" role="img" aria-label="{}">{}</span>', count, label, dice)


def _kept_end(frame: Frame, end: End) -> Markup:
    """Return an end of the row. If nothing that the end shows has changed, it comes from the cache.

    An end shows the direction, the used captains, and the viewer's button that chooses the direction.
    """
    rests = (frame.view.end, frame.view.spent, frame.moves(Direct))
    return frame.kept(("end", end), rests, lambda: _end(frame, end))


def _spent(frame: Frame, seat: int) -> Markup:
    if frame.is_mine(seat):
        return frame.say("You have played a trick in this round")
    return frame.say("{name} has played a trick in this round", name=frame.named(seat))


def _end(frame: Frame, end: End) -> Markup:
    """Render one end of the row with its number, 1 or 6 (S-R8).

    Beside number 1 is a place for each player's captain, who moves there if this player plays a trick in this round.
    Until then, a grey captain is in the place. While the direction is not chosen, each end has both places. If the
    viewer can choose this end, it is a button.
    """
    seen = frame.view
    here = seen.end is end
    left = end is End.LEFT
    pieces = join(
        art.captain(
            side if seen.spent[seat] else None,
            _spent(frame, seat) if seen.spent[seat] else "",
        )
        for side, seat in ((1, frame.seats[1]), (0, frame.seats[0]))
    )
    if seen.end is None:
        for action, move in frame.moves(Direct):
            if action.end is end:
                label = (
                    frame._("Card 1 is at the left end") if left else frame._("Card 1 is at the right end")
                )
                return html(
                    '<div class="sh-end {}">{}</div>',
                    end,
                    button(frame, "end", move, label, html("{}<b>1</b>", pieces), "sh-glow sh-direct"),
                )
        told = frame.say("The player who begins the round chooses which end is number 1")
        return html(
            '<div class="sh-end {} maybe" aria-hidden="true" title="{}">{}<b>{}</b></div>',
            end,
            told,
            pieces,
            frame.say("Which end is 1?") if end is End.LEFT else "?",
        )
    if here:
        told = frame.say("Card 1 is at the left end") if left else frame.say("Card 1 is at the right end")
        return html(
            '<div class="sh-end {} one"><span class="sr">{}</span>{}<b aria-hidden="true">1 {}</b></div>',
            end,
            told,
            pieces,
            "→" if end is End.LEFT else "←",
        )
    return html('<div class="sh-end {} six" aria-hidden="true"><b>6</b></div>', end)


def _targets(frame: Frame) -> dict[int, Markup]:
    """Return the buttons on the cards, by place in the row."""
    found: dict[int, Markup] = {}
    for action, move in frame.moves(Place) + frame.moves(Sharks):
        place = frame.place(action.value, action.end)
        found[place] = found.get(place, NOTHING) + _target(frame, action, move)
    for exchange, move in frame.moves(Exchange):
        place, label = frame.place(exchange.number, None), frame.label_exchange(exchange)
        found[place] = found.get(place, NOTHING) + button(
            frame, "card", move, label, art.sign("down"), "sh-target for-exchange", keyed(str(place))
        )
    # A new roll makes new elements, so that they appear when its dice have landed.
    return {
        place: html(
            '<div id="{}-targets-{}-{}" class="sh-targets">{}</div>', frame.id, place, frame.stamp, inner
        )
        for place, inner in found.items()
    }


def _target(frame: Frame, action: Place | Sharks, move: str) -> Markup:
    """Return the button that lays a die on a card. The button is on this card.

    If the die can be laid only on this card, the die itself has the keyboard key. If two cards are possible, each card
    has two keys: an arrow, and the number of its place. If this number is the key of the other die, the card has only
    the arrow. A button that also feeds the card to the sharks has only the number of the place.

    While the die is not chosen, the button is hidden. Then a press on the card chooses the die.
    """
    seen, sharks, aim = frame.view, isinstance(action, Sharks), NOTHING
    place = frame.place(action.value, action.end)
    if sharks:
        classes = "sh-target for-sharks"
    elif action.end and seen.phase != "changed" and seen.rolled and seen.rolled[0] != seen.rolled[1]:
        pick = "low" if action.value == seen.rolled[0] else "high"
        classes = f"sh-target for-{pick}"
        aim = html(
            '<label class="sh-aim" for="{}-pick-{}-{}" aria-hidden="true"></label>',
            frame.id,
            pick,
            frame.stamp,
        )
    else:
        classes = "sh-target always"
    inner = art.die(0, action.value) + (art.sign("sharked") if sharks else NOTHING)
    keys = str(place) if sharks else ""
    if action.end and not sharks:
        keys, arrow = ("arrowleft", "←") if place <= 3 else ("arrowright", "→")
        if place == action.value or place not in (seen.rolled or ()):
            keys += f" {place}"
        inner += cap(arrow)
    more = flag("data-drop", True) + (keyed(keys) if keys else NOTHING)
    return button(frame, "card", move, frame.label_laying(action), inner, classes, more) + aim


# ---- pictures in the rules ----------------------------------------------------------------------------------------


def render_part(part: str, scene: Scene) -> Markup | None:
    """Return a part of the board by name: ``row``, ``roll``, ``settlement`` or ``sums``.

    ``roll`` is the row with the rolled dice and the viewer's trick cards below it. For any other name, return None.
    """
    frame = Frame(scene)
    inner = {
        "row": lambda: _tavern(frame, ""),
        "roll": lambda: _tavern(
            frame, html('<div class="sh-act">{}</div>{}', render_cast(frame), render_tricks(frame))
        ),
        "settlement": lambda: render_settlement(frame),
        "sums": lambda: render_sums(frame),
    }.get(part)
    return None if inner is None else html('<div class="shanghaien sh-picture">{}</div>', inner())


def _tavern(frame: Frame, below: str) -> Markup:
    return html('<div class="sh-table night">{}{}</div>{}', art.tavern(), _kept_row(frame), below)
