"""The panel below the row: the decision, the player who has to make it, the rolled dice, and the large buttons."""

from __future__ import annotations

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, flag, html, join
from spelunke.boards.stage import cap, keyed
from spelunke.core.words import plain
from spelunke.games.shanghaien.moves import (
    Allow,
    Direct,
    Object,
    Place,
    Reroll,
    Roll,
    Shanghai,
)
from spelunke.games.shanghaien.state import DICE
from spelunke.games.shanghaien.ui import art
from spelunke.games.shanghaien.ui.frame import Frame, button, plain_button
from spelunke.games.shanghaien.ui.tricks import render_panels, render_tricks
from spelunke.games.shanghaien.view import View


def render_controls(frame: Frame) -> Markup:
    """Return the panel with the decision and the player who has to make it.

    The panel also has the viewer's trick cards.
    """
    seen, scene = frame.view, frame.scene
    now = (seen.phase, seen.turn, seen.tavern, seen.end, seen.rolled, seen.named, frame.stamp)
    has = (seen.supply, seen.spent, seen.tricks, seen.crews)
    rests = (now, has, scene.legal, scene.over, seen.row, frame.thrown)
    return frame.kept("controls", rests, lambda: _controls(frame))


def _controls(frame: Frame) -> Markup:
    """Render the rolled dice, the large buttons, the viewer's trick cards, and a text about the decision."""
    seen, watching = frame.view, frame.scene.seat is None
    tricks = NOTHING if watching else render_tricks(frame)
    return html(
        '<section class="sh-controls" aria-label="{}">'
        '<p class="sh-ask{}" id="{}-ask" tabindex="-1" data-rest>{}</p><div id="{}-act-{}-{}" class="sh-act">{}{}</div>'
        "{}{}</section>",
        frame.say("What to do") if not watching else frame.say("The dice"),
        " asked" if frame.scene.legal else "",
        frame.id,
        _ask(frame),
        frame.id,
        seen.phase,
        "mine" if frame.scene.legal else "other",
        render_cast(frame),
        _big(frame),
        tricks,
        render_panels(frame),
    )


def _ask(frame: Frame) -> Markup:
    """Return a text about the rolled dice, the decision, and the player who has to make it."""
    seen = frame.view
    turn = frame.named(seen.turn)
    rolled = NOTHING
    if seen.rolled and seen.phase in ("rolled", "direction", "changed"):
        low, high = seen.rolled
        rolled = frame.say("{name}: {low} and {high}.", name=frame.name(seen.turn), low=low, high=high) + " "
    return rolled + _asked(frame, turn)


def _asked(frame: Frame, turn: str) -> Markup:
    seen, legal = frame.view, frame.legal
    if frame.scene.over:
        return frame.say("The game is over.")
    if not frame.scene.legal:
        doing = {
            "turn": _may(seen),
            "rolling": plain("The dice are falling."),
            "dealing": plain("Six cards are turned up."),
            "starter": plain("Chance decides who starts."),
            "direction": plain("{name} chooses which end is number 1."),
            "objection": plain("{name} has chosen a die, and the other player may object."),
        }.get(seen.phase, plain("{name} chooses a die."))
        return frame.say(doing, name=turn)
    if Roll in legal and Shanghai in legal:
        return frame.say("Roll two dice, or call Shanghai and end the round.")
    if Roll in legal:
        return frame.say("Roll two dice. To call Shanghai, you need two of your dice on cards.")
    if Shanghai in legal:
        return frame.say("You have too few dice left to roll: call Shanghai.")
    if Direct in legal:
        return frame.say("Choose which end is number 1 in this round.")
    if Object in legal:
        return frame.say(
            "{name} wants to lay the {value}. Should they lay the other die instead?",
            name=turn,
            value=seen.named,
        )
    if seen.phase == "changed":
        return frame.say("Lay the changed die.")
    if seen.end is None and seen.rolled and seen.rolled[0] == seen.rolled[1]:
        return frame.say(
            "Choose one of two cards for the die. Your choice decides which end of the row is number 1."
        )
    if seen.end is None:
        return frame.say(
            "Choose a die, then one of its two cards. Your choice decides which end of the row is number 1."
        )
    return (
        frame.say("Choose a die to lay, or play a trick first.")
        if frame.view.tricks[frame.me] and not seen.spent[frame.me]
        else frame.say("Choose the die to lay.")
    )


def _may(seen: View) -> str:
    """Return a text about the choices of the seat on turn before it rolls.

    To roll, the seat needs two dice in its supply. To call Shanghai, the seat needs two dice on cards.
    """
    left = seen.supply[seen.turn]
    if left < 2:
        return plain("{name} must call Shanghai.")
    return (
        plain("{name} may roll or call Shanghai.") if DICE - left >= 2 else plain("{name} is about to roll.")
    )


def prompt(frame: Frame) -> str:
    """Return a short prompt for the viewer."""
    _, legal = frame._, frame.legal
    if Roll in legal:
        return _("roll, or call Shanghai") if Shanghai in legal else _("roll two dice")
    if Shanghai in legal:
        return _("call Shanghai: you have too few dice to roll")
    if Direct in legal:
        return _("choose at which end of the row card 1 lies")
    if Object in legal:
        return _("object to the {value}, or let it pass").format(value=frame.view.named)
    return _say_laying(frame)


def _say_laying(frame: Frame) -> str:
    """Return the prompt for laying a die. It mentions a choice of die, card or trick only if there is one."""
    seen, _ = frame.view, frame._
    if seen.phase == "changed":
        return _("lay the changed die")
    if seen.end is None and seen.rolled and seen.rolled[0] == seen.rolled[1]:
        return _("choose one of two cards for the die")
    if seen.end is None:
        return _("choose a die, then one of its two cards")
    if seen.tricks[frame.me] and not seen.spent[frame.me]:
        return _("choose a die to lay, or play a trick first")
    return _("choose the die to lay")


def _ends(frame: Frame) -> Markup:
    """Return an HTML attribute with the result of calling Shanghai now.

    The page shows the result when it asks the viewer to confirm the call.
    """
    fates = [frame.fate(claim) for claim in frame.view.row]
    told = frame.say(
        # Translators: the numbers of cards.
        "Call Shanghai and end the round. Cards for you: {mine}, for {name}: {theirs}, out of the game: {out}",
        mine=fates.count("down"),
        theirs=fates.count("up"),
        name=frame.name(frame.seats[1]),
        out=fates.count("out") + fates.count("sharked"),
    )
    return html(' data-says="{}"', told)


def render_cast(frame: Frame) -> Markup:
    """Render the rolled dice.

    If the viewer can lay a die on one card only, the die is a button. If two cards are possible, the buttons are on
    these cards. Then the die is a radio button if it is shown beside a die of another value, and otherwise a picture.
    Dice that the viewer can't lay are pictures too.
    """
    seen = frame.view
    if seen.phase == "rolling":
        side = frame.side(seen.turn)
        return html(
            '<div class="sh-cast falling" aria-hidden="true">{}{}</div>', art.die(side), art.die(side)
        )
    if not seen.rolled or seen.phase == "turn":
        return NOTHING
    side = frame.side(seen.turn)
    places = frame.moves(Place)
    values: list[tuple[str, int]] = [("low", seen.rolled[0]), ("high", seen.rolled[1])]
    if seen.phase == "changed" and seen.named:
        values = [("low", seen.named)]
    unread = Markup(" data-final data-lands") if frame.thrown else NOTHING
    parts = []
    for pick, value in values:
        moves = [(action, move) for action, move in places if action.value == value]
        picture = art.die(side, value)
        cut = " other" if seen.phase == "objection" and value != seen.named else ""
        if len(moves) == 1:
            claim = next(c for c in seen.row if c.place == frame.place(value, moves[0][0].end))
            label = frame._("Lay the {value} on {card}").format(value=value, card=frame.card(claim.card))  # type: ignore[arg-type]
            parts.append(
                button(
                    frame,
                    pick,
                    moves[0][1],
                    label,
                    picture + cap(str(value)),
                    "bare sh-rolled sh-glow",
                    html(' data-drag data-piece="die-{}-{}"{}{}', side, value, keyed(str(value)), unread),
                )
            )
        elif moves and len({v for _, v in values}) == 2:
            label = frame.say("Choose die {value}, then one of its two cards", value=value)
            parts.append(
                html(
                    '<label id="{}-die-{}-{}" class="sh-rolled sh-glow sh-pick" data-drag data-piece="die-{}-{}"><input id="{}-pick-{}-{}" class="pick-{}" type="radio" name="{}-pick" form="{}-none" aria-label="{}"{}>{}{}</label>',
                    frame.id,
                    pick,
                    frame.stamp,
                    side,
                    value,
                    frame.id,
                    pick,
                    frame.stamp,
                    pick,
                    frame.id,
                    frame.id,
                    label,
                    keyed(str(value)),
                    picture,
                    cap(str(value)),
                )
            )
        else:
            label = (
                frame.say("You rolled a {value}", value=value)
                if frame.is_mine(seen.turn)
                else frame.say("{name} rolled a {value}", name=frame.named(seen.turn), value=value)
            )
            parts.append(
                html(
                    '<span class="sh-rolled{}" data-piece="die-{}-{}" role="img" aria-label="{}">{}</span>',
                    cut,
                    side,
                    value,
                    label,
                    picture,
                )
            )
    again = NOTHING
    for _action, move in frame.moves(Reroll):
        again = plain_button(
            frame, move, html("{} {}", frame.say("Roll the double again"), cap("R")), more=keyed("r") + unread
        )
    return html(
        '<div class="sh-cast s{}{}" id="{}-cast-{}">{}{}</div>',
        side,
        " thrown" if frame.thrown else "",
        frame.id,
        frame.stamp,
        join(parts),
        again,
    )


def _big(frame: Frame) -> Markup:
    """Render the large buttons “Roll”, “Shanghai!” and “Object”, and a switch that shows who would take each card."""
    seen, legal = frame.view, frame.legal
    parts = []
    if Object in legal:
        for answer, text, classes, key in (
            (Object, plain("Object to this die"), "primary", "O"),
            (Allow, plain("Let it pass"), "", "P"),
        ):
            for _action, move in frame.moves(answer):
                inner = html("<span>{} {}</span>", frame.say(text), cap(key))
                parts.append(plain_button(frame, move, inner, f"button big {classes}", keyed(key.lower())))
        return html('<div class="sh-big" id="{}-big">{}</div>', frame.id, join(parts))
    if seen.phase == "turn" and frame.scene.legal:
        for kind, text, why, classes in (
            (Roll, plain("Roll"), plain("you have too few dice"), "sh-roll primary"),
            (Shanghai, plain("Shanghai!"), plain("needs two dice on cards"), "sh-shanghai"),
        ):
            key = "R" if kind is Roll else "S"
            if kind in legal:
                move = frame.moves(kind)[0][1]
                only = " primary" if kind is Shanghai and Roll not in legal else ""
                more = (
                    keyed("r") + flag("data-now", True)
                    if kind is Roll
                    else keyed("s", hold=True) + _ends(frame)
                )
                parts.append(
                    plain_button(
                        frame,
                        move,
                        html("<span>{} {}</span>", frame.say(text), cap(key)),
                        f"button big {classes}{only}",
                        more,
                    )
                )
            else:
                note = html("<small>{}</small>", frame.say(why))
                unlit = classes.replace(" primary", "")
                parts.append(
                    html(
                        '<button class="button big {}" type="button" disabled>{}{}</button>',
                        unlit,
                        frame.say(text),
                        note,
                    )
                )
    peek = NOTHING
    if any(any(claim.dice) for claim in seen.row):
        peek = html(
            '<label class="sh-peek"><input type="checkbox" class="peek" form="{}-none"{}>'
            "<span>{} {}</span></label>",
            frame.id,
            keyed("w"),
            frame.say("Who gets what now?"),
            cap("W"),
        )
    # The first button is at a distance from the others, so that nobody ends the round by mistake.
    first = parts[:1] if len(parts) > 1 else []
    # Without this id, a page update would turn the dice, which are in the same place before, into these buttons.
    return html(
        '<div class="sh-big" id="{}-big">{}{}{}</div>', frame.id, join(first), peek, join(parts[len(first) :])
    )
