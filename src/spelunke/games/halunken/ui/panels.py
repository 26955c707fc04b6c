"""The panel beside the harbour: the viewer's decision, or the players that the table waits for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, html, join
from spelunke.boards.stage import cap, keyed
from spelunke.core.words import plain
from spelunke.games.halunken import moves
from spelunke.games.halunken.cards import Sailor, Step
from spelunke.games.halunken.orders import made_offer
from spelunke.games.halunken.state import JACK
from spelunke.games.halunken.ui import art
from spelunke.games.halunken.ui.frame import HAND, TWELVE, Frame, button, render_move
from spelunke.games.halunken.view import Figure


def render_controls(frame: Frame) -> Markup:
    """Render the buttons for the viewer's decision, and the cards that the viewer has sealed.

    If the viewer has nothing to decide, render the names of the players that the table waits for, or a note that the
    game is over.
    """
    seen, scene = frame.view, frame.scene
    asked = (seen.phase, scene.legal, scene.revise, scene.actors, scene.over, seen.asked_about)
    bids = (seen.offer, seen.bidder, seen.passed, seen.hirer, seen.mode, scene.private)
    laid = (seen.ready, seen.sealed, seen.sealed_jack, seen.opened, seen.captains, seen.jack)
    return frame.kept("controls", (asked, bids, laid), lambda: _controls(frame))


def _controls(frame: Frame) -> Markup:
    seen = frame.view
    parts = {
        "bidding": _bidding,
        "choosing": _choosing,
        "naming": _naming,
        "landed": _taking,
        "passing": _taking,
        "picking": _picking,
        "placing": _placing,
        "hiding": _placing,
    }
    body = parts.get(seen.phase, _waiting)(frame)
    # another id for each kind of decision, so that the page replaces the old element and does not morph it
    name = f"{frame.id}-do-{seen.phase}-{'mine' if frame.scene.legal else 'other'}"
    return html(
        '<section id="{}" class="hk-controls{}" tabindex="-1" data-rest aria-label="{}" data-meanwhile="{}">{}</section>',
        name,
        " asked" if frame.scene.legal else "",
        frame.say("What to do"),
        _meanwhile(frame),
        body,
    )


def _meanwhile(frame: Frame) -> Markup:
    """Return the text that is shown instead of the decision while the page replays the hour."""
    return frame.say("The board is showing the latest steps. The next decision comes after them.")


def _waiting(frame: Frame) -> Markup:
    if frame.scene.over:
        return html('<p class="hk-wait">{}</p>', frame.say("The game is over."))
    if awaited := _awaited(frame):
        return html('<p class="hk-wait">{}</p>', awaited)
    names = frame._.list([frame.name(seat) for seat in frame.scene.actors])
    text = frame.say("Waiting for {names}.", names=names) if names else frame.say("Others are deciding …")
    return html('<p class="hk-wait">{}</p>', text)


def _awaited(frame: Frame) -> str:
    """Return a sentence about the decision of the one seat that is to act.

    If no seat or several seats are to act, or if the phase has no such sentence, return an empty text.
    """
    if len(frame.scene.actors) != 1:
        return ""
    seen, names = frame.view, frame.scene.names
    texts = {
        "naming": plain("{name} is choosing the number of the Rum."),
        "picking": plain("{name} is choosing how far Black Jack goes."),
        "placing": plain("{name} is choosing where the captain starts."),
        "hiding": plain("{name} is choosing where Black Jack starts."),
    }
    text = texts.get(seen.phase, "")
    if seen.phase in ("passing", "landed"):
        if seen.asked_about is not None and frame.meets_jack and seen.harbour:
            text = plain("{name} may rob {victim} or take a sailor out of the harbour.")
        elif seen.asked_about is not None:
            text = plain("{name} may rob {victim}.")
        elif seen.hirer is None and seen.mover == JACK:
            text = plain("{name} is choosing a sailor to hand over to Black Jack.")
        else:
            text = plain("{name} may take a sailor out of the harbour.")
    victim = "" if seen.asked_about is None else names[seen.asked_about]
    return frame._(text).format(name=names[frame.scene.actors[0]], victim=victim) if text else ""


def _placing(frame: Frame) -> Markup:
    if not frame.legal:
        return _waiting(frame)
    if frame.view.phase == "hiding":
        first = [crew.sailors[0].value for crew in frame.view.crews]
        why = (
            plain("Your first sailor is the lowest of all, so you choose a free field for Black Jack.")
            if first.count(min(first)) == 1
            else plain(
                "Several first sailors have the lowest number of all. Of these sailors, yours has the colour that comes "
                "first in the order yellow, grey, violet, red, so you choose a free field for Black Jack."
            )
        )
        return html("<h2>{}</h2><p>{}</p>", frame.say("Where does Black Jack begin?"), frame.say(why))
    return html(
        "<h2>{}</h2><p>{}</p>{}",
        frame.say("Where does your captain begin?"),
        frame.say(
            "Choose a field around the harbour. You get the top sailor there without seeing him first."
        ),
        html('<p class="hk-about">{}</p>', told) if (told := explain_jack(frame)) else NOTHING,
    )


def explain_jack(frame: Frame) -> str:
    """Return a short explanation of Black Jack, or an empty text if he is not in the game."""
    if frame.view.mode == "beginner":
        return ""
    if frame.view.mode == "two_player":
        return frame._(
            "Each hour, the player who offers the highest sailor hires Black Jack, and lays a second card for him. He "
            "moves in order of the numbers, and takes sailors for his hirer. If nobody hires him, his top card is "
            "turned up, and the sailors that he takes go into the harbour."
        )
    return frame._(
        "Each hour, the player who offers the highest sailor hires Black Jack. He moves last, and robs the captains "
        "that he passes for his hirer. If nobody hires him, they hand over a sailor each, into the harbour."
    )


def label_field(frame: Frame) -> str:
    """Return the label of the button for a free field, with a placeholder for the field."""
    if frame.view.phase == "hiding":
        return frame._("put Black Jack on field {field}")
    return frame._("start on field {field}")


# ---- the auction -------------------------------------------------------------------------------------------------


def _bidding(frame: Frame) -> Markup:
    seen, scene = frame.view, frame.scene
    names = frame._.list(
        [frame.name(seat) for seat in sorted(seen.passed, key=lambda seat: not frame.is_mine(seat))]
    )
    passed = html(" <small>{}</small>", frame.say("Passed: {names}.", names=names)) if names else NOTHING
    if seen.offer is not None and seen.bidder is not None:
        offer = html(
            '<div class="hk-offer"><span>{}</span><p>{}{}</p></div>',
            art.sailor(seen.offer),
            (
                frame.say("Your order offers {sailor}.", sailor=frame.sailor(seen.offer))
                if made_offer(scene.private, seen)
                else frame.say("You offer {sailor}.", sailor=frame.sailor(seen.offer))
                if frame.is_mine(seen.bidder)
                else frame.say(
                    "{name} offers {sailor}.",
                    name=frame.named(seen.bidder),
                    sailor=frame.sailor(seen.offer),
                )
            ),
            passed,
        )
    else:
        offer = html('<p class="hk-offer">{}{}</p>', frame.say("No offer yet."), passed)
    title = html("<h2>{}</h2>", frame.say("Who hires Black Jack?"))
    if not frame.legal:
        return title + offer + _waiting(frame)
    bids = join(
        _sailor_button(frame, action.sailor, text, frame._("offer {sailor}"))
        for action, text in frame.legal.get(moves.Bid, [])
    )
    if bids:
        cards = html(
            '<p class="hk-how">{} <span>{} {}</span></p><div class="hk-picks">{}</div>',
            frame.say("Press a sailor to offer him."),
            frame.say("If you win the bidding, the sailor that you offer goes into the harbour."),
            frame.say("Each player has only one turn.") if len(seen.crews) > 2 else NOTHING,
            bids,
        )
    elif frame.me is not None and not seen.crews[frame.me].sailors:
        cards = html("<p>{}</p>", frame.say("You have no sailor to offer."))
    else:
        cards = html("<p>{}</p>", frame.say("None of your sailors is worth more than the last offer."))
    kind = "button big" if bids else "button big primary"
    passing = join(
        button(text, frame._("pass"), html("{} {}", frame.say("Pass"), cap("P")), kind, keyed("p"))
        for _a, text in frame.legal.get(moves.Pass, [])
    )
    return join((title, offer, cards, passing))


def _sailor_button(frame: Frame, sailor: Sailor, text: str, label: str) -> Markup:
    return button(text, label.format(sailor=frame.sailor(sailor)), art.sailor(sailor), "bare hk-pick")


# ---- movement cards ----------------------------------------------------------------------------------------------


def _choosing(frame: Frame) -> Markup:
    seen = frame.view
    out = [html("<h2>{}</h2>", frame.say("Everybody lays a card face down")), _lamps(frame)]
    if frame.view.opened:
        out.append(_opened(frame))
    if frame.me is None:
        return join(out)
    if frame.free:
        equal = frame.say("Equal cards cancel each other.")  # phones have room for the other sentence only
        until = frame.say(_say_laying(frame, frame.me))
        out.append(html('<p class="hk-note"><span>{}</span> <span>{}</span></p>', equal, until))
    mine = seen.captains[frame.me]
    asked = {action.card: text for action, text in frame.free.get(moves.Choose, [])}
    commands = seen.mode == "two_player" and seen.hirer == frame.me
    # A key picks the captain's card. It picks Black Jack's card only if that card is the only one missing.
    jacks_turn = commands and seen.sealed is not None and seen.sealed_jack is None
    out.append(_hand(frame, mine, asked, seen.sealed, HAND, jack=False, keys=not jacks_turn))
    if commands and seen.jack is not None:
        jacks = {action.card: text for action, text in frame.free.get(moves.ChooseJack, [])}
        out.append(_hand(frame, seen.jack, jacks, seen.sealed_jack, HAND, jack=True, keys=jacks_turn))
    return join(out)


def _say_laying(frame: Frame, me: int) -> str:
    """Return the sentence that says until when the viewer's choice can change."""
    seen = frame.view
    if not all(seen.ready[seat] for seat in range(seen.seats) if seat != me):
        return plain("You can change yours until all are ready.")
    if seen.mode == "two_player" and seen.hirer == me and (seen.sealed is None or seen.sealed_jack is None):
        return plain("You are the last: with both cards laid, all are revealed.")
    return plain("You are the last: your card is revealed at once.")


def _opened(frame: Frame) -> Markup:
    """Render the cards that were laid face down, for a viewer from whom nothing is hidden."""
    figures = [*range(frame.view.seats), *([JACK] if len(frame.view.opened) > frame.view.seats else [])]
    return _cards(frame, zip(figures, frame.view.opened, strict=True), frame.say("Face down"))


def _cards(frame: Frame, laid: Iterable[tuple[int, Step | None]], label: Markup, kind: str = "") -> Markup:
    """Render the cards of several figures with their names. Leave out figures without a card."""
    items = join(
        html(
            '<li class="{}"><span class="hk-move">{}<span class="sr">{}</span></span><small>{}</small></li>',
            "jack" if who == JACK else f"k{who}",
            render_move(frame, card),
            frame.card(card),
            frame.name(who),
        )
        for who, card in laid
        if card is not None
    )
    return html('<ul class="hk-opened{}" aria-label="{}">{}</ul>', kind, label, items) if items else NOTHING


def label_laying(frame: Frame, *, jack: bool, known: bool) -> str:
    """Return the label of the button for a card to lay. It is a text with placeholders.

    If ``known`` is true, the label also names the field to which the card leads.
    """
    if jack:
        return (
            frame._("Black Jack: lay {card}, to field {field}")
            if known
            else frame._("Black Jack: lay {card}")
        )
    return frame._("lay {card}, to field {field}") if known else frame._("lay {card}")


def _hand(
    frame: Frame,
    figure: Figure,
    asked: Mapping[Step, str],
    sealed: Step | None,
    cards: tuple[Step, ...],
    *,
    jack: bool,
    keys: bool,
) -> Markup:
    """Render the movement cards of a figure.

    Mark the cards that can be chosen, the sealed card, and the used cards. ``asked`` has the move text of each card
    that can be chosen. ``jack`` is true for Black Jack's cards. If ``keys`` is true, the cards that can be chosen have
    keyboard shortcuts, except cards with a number of two digits.
    """
    title = frame.say("Black Jack's card") if jack else frame.say("Your card")
    back = [text for action, text in frame.free.get(moves.TakeBack, []) if action.jack is jack]
    items = []
    for card in cards:
        name = frame.card(card)
        if card == sealed and back:
            label = frame._("take Black Jack's {card} back") if jack else frame._("take the {card} back")
            body = html("{}<small>{}</small>", render_move(frame, card), frame.say("take back"))
            more = Markup(" data-final")  # a double press lays a card, and does not take it back
            items.append(button(back[0], label.format(card=name), body, "bare hk-move sealed", more))
        elif card in asked:
            key = NOTHING
            if keys and len(str(card)) != 2:
                key = keyed("r" if card == "rum" else str(card), hold=True)
            field = frame.lead(JACK if jack else frame.me or 0, card)
            label = label_laying(frame, jack=jack, known=field is not None)
            body, kind = render_move(frame, card), "bare hk-move"
            if field is not None:
                body += html('<small class="hk-to" aria-hidden="true">→\u2009{}</small>', field)
                kind += f" {'jack-' if jack else ''}to{card}"
            items.append(button(asked[card], label.format(card=name, field=field), body, kind, key))
        else:
            state = told = ""
            if card == sealed:
                state, told = "sealed", frame._("lies face down")
            elif card == figure.laid or card in figure.used:
                state, told = "used", frame._("used")
            items.append(
                html(
                    '<span class="hk-move {}">{}<span class="sr">{}</span></span>',
                    state,
                    render_move(frame, card),
                    told,
                )
            )
    who = "jack" if jack else f"k{frame.me}"
    return html(
        '<div class="hk-hand {}"><h3>{}</h3><div class="hk-moves">{}</div></div>', who, title, join(items)
    )


def _lamps(frame: Frame) -> Markup:
    seen = frame.view
    items = join(
        html(
            '<li class="k{}" data-on="{}"><i class="hk-lamp" aria-hidden="true"></i>{} <small>{}</small></li>',
            seat,
            "true" if seen.ready[seat] else "false",
            frame.name(seat),
            frame.say("ready") if seen.ready[seat] else frame.say("choosing"),
        )
        for seat in frame.order
    )
    return html('<ul class="hk-lamps">{}</ul>', items)


def _picking(frame: Frame) -> Markup:
    seen = frame.view
    asked = {action.card: text for action, text in frame.legal.get(moves.ChooseJack, [])}
    if not asked or seen.jack is None:
        return _waiting(frame)
    return html("<h2>{}</h2>", frame.say("How far does Black Jack go?")) + _hand(
        frame, seen.jack, asked, None, TWELVE, jack=True, keys=True
    )


def _naming(frame: Frame) -> Markup:
    asked = {action.number: text for action, text in frame.legal.get(moves.Name, [])}
    if not asked:
        return _waiting(frame)
    items = []
    for number in range(1, 8):
        if number in asked:
            field = frame.lead(frame.rum_of, number)
            label = (
                frame._("Rum counts as {n}")
                if field is None
                else frame._("Rum counts as {n}, leads to field {field}")
            )
            body, kind = html("<span>{}</span>", number), "bare hk-move"
            if field is not None:
                body += html('<small class="hk-to" aria-hidden="true">→\u2009{}</small>', field)
                kind += f" {'jack-' if frame.rum_of == JACK else ''}to{number}"
            items.append(
                button(
                    asked[number],
                    label.format(n=number, field=field),
                    body,
                    kind,
                    keyed(str(number), hold=True),
                )
            )
        else:
            items.append(
                html(
                    '<span class="hk-move struck"><s>{}</s><span class="sr">{}</span></span>',
                    number,
                    frame.say("laid by another figure"),
                )
            )
    seen, jack = frame.view, frame.view.jack
    others = [(seat, seen.captains[seat].laid) for seat in frame.order if seat != frame.rum_of]
    if jack is not None and seen.mode == "two_player" and frame.rum_of != JACK:
        others.append((JACK, jack.laid))
    title = plain("Which number is the Rum?")
    if frame.rum_of == JACK:
        title = plain("Which number is Black Jack's Rum?")
    return html(
        '<h2>{}</h2><p>{}</p><div class="hk-hand {}"><div class="hk-moves">{}</div></div>{}',
        frame.say(title),
        frame.say("Choose a number that no other figure has laid."),
        "jack" if frame.rum_of == JACK else f"k{frame.me}",
        join(items),
        _cards(frame, others, frame.say("Cards of the others"), " hk-others"),
    )


# ---- robbing, fishing, giving ------------------------------------------------------------------------------------


def _taking(frame: Frame) -> Markup:
    seen = frame.view
    if not frame.legal:
        return _waiting(frame)
    out = []
    gives = frame.legal.get(moves.Give, [])
    if gives:
        out.append(
            html(
                "<h2>{}</h2><p>{}</p>",
                frame.say("Black Jack wants a sailor"),
                frame.say("Black Jack overtakes you: give a sailor to the harbour.")
                if seen.phase == "passing"
                else frame.say("Black Jack lands on your field: give a sailor to the harbour."),
            )
        )
        out.append(_picks(frame, gives, frame._("give {sailor}")))
    robs = frame.legal.get(moves.Rob, [])
    if robs and seen.asked_about is not None:
        out.append(
            html(
                '<h2>{}</h2><p class="hk-why">{}</p>',
                frame.say("Rob {name}?", name=frame.name(seen.asked_about)),
                frame.say(_find_meeting(frame), name=frame.name(seen.asked_about)),
            )
        )
        out.append(_picks(frame, robs, frame._("rob {sailor}")))
    fishes = frame.legal.get(moves.Fish, [])
    if fishes:
        out.append(html("<h2>{}</h2>", frame.say("Hire a sailor from the harbour?")))
        out.append(_picks(frame, fishes, frame._("take {sailor} from the harbour")))
    out += [
        button(
            text,
            frame._("take nothing"),
            html("{} {}", frame.say("Take nothing"), cap("N")),
            "button",
            keyed("n"),
        )
        for _a, text in frame.legal.get(moves.Decline, [])
    ]
    return join(out)


def _find_meeting(frame: Frame) -> str:
    """Return the sentence that says why the viewer may rob a captain. It has a placeholder for the captain's name."""
    seen = frame.view
    if seen.phase == "passing":
        return plain("Black Jack overtook {name}: take one sailor.")
    if seen.mover == JACK:
        return plain("Black Jack landed on the field of {name}: take one sailor.")
    if frame.meets_jack:
        return plain(
            "You landed on the field of Black Jack. He works for {name}: take one of {name}'s sailors."
        )
    return plain("You landed on the field of {name}: take one sailor.")


def _picks(frame: Frame, found: list[tuple[moves.Rob | moves.Fish | moves.Give, str]], label: str) -> Markup:
    cards = join(_sailor_button(frame, action.sailor, text, label) for action, text in found)
    return html('<div class="hk-picks">{}</div>', cards)
