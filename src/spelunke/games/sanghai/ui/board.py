"""The board of Sanghai on a page. It shows only what the viewer may see.

The hand is a row of checkboxes that wraps. If a card is checked, its discard button appears. CSS does this with
``:has()``, so no script is needed. If several cards are checked, the server compares them with the contract, and
renders the buttons that lay them or set them aside as a meld. If cards of the hand fit a meld on the table, this meld
has highlighted buttons for them.
"""

from __future__ import annotations

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, escape, fill, html, join
from spelunke.boards.scene import Scene
from spelunke.boards.stage import cap, render_name
from spelunke.games.sanghai import moves
from spelunke.games.sanghai.cards import RANKS, SUITS, Card
from spelunke.games.sanghai.happenings import RoundScored
from spelunke.games.sanghai.sentences import say, say_lack
from spelunke.games.sanghai.state import HEP_WINDOW
from spelunke.games.sanghai.ui import art
from spelunke.games.sanghai.ui.drafts import render_picked
from spelunke.games.sanghai.ui.frame import Frame, button
from spelunke.games.sanghai.ui.hand import (
    find_fitting,
    render_cards,
    render_sorting,
    render_top,
    sort_by_suit,
)
from spelunke.games.sanghai.ui.melds import render_adds, render_fits, render_melds
from spelunke.games.sanghai.ui.orders import render_orders
from spelunke.games.sanghai.ui.panels import (
    render_call,
    render_scores,
    render_tray,
    render_votes,
    say_laying,
)
from spelunke.games.sanghai.ui.steps import LAYING, render_steps, say_steps


def render_board(scene: Scene) -> Markup:
    """Return the whole board, with controls for the moves of ``scene.legal``."""
    frame = Frame(scene)
    seen = frame.view
    if scene.past:
        mine = frame.kept("hands", (seen.phase, seen.shown, seen.hand), lambda: _hands(frame))
    else:
        mine = NOTHING if frame.me is None else _kept_hand(frame)
    # beside the hand, the vote and the call are always visible
    beside = frame.me is not None and bool(seen.hand) and not scene.past
    vote, call = (NOTHING, NOTHING) if beside else (render_votes(frame), render_call(frame))
    # The Enter key in a field presses the first button of a form, so the first button changes nothing.
    first = html('<button type="submit" name="draft" value="enter" hidden tabindex="-1"></button>')
    return html(
        '<div class="sanghai" id="{}" data-phase="{}" data-seats="{}" data-lays="{}">'
        "{}"
        '<div class="sg-whole"><div class="sg-main"><section class="sg-table night" tabindex="-1" data-rest aria-label="{}">'
        "{}{}{}{}</section>"
        '{}{}{}</div><div class="sg-side">'
        "{}{}</div></div></div>",
        frame.id,
        seen.phase,
        seen.seats,
        seen.contract.sets + seen.contract.runs,
        NOTHING if frame.me is None else first,
        frame.say("The table"),
        frame.kept("contract", (seen.lap, seen.contracts), lambda: _contract(frame)),
        _players(frame),
        _kept_middle(frame),
        render_melds(frame) or _ended(frame),
        mine,
        vote,
        call,
        NOTHING if scene.past else render_tray(frame) + render_orders(frame),
        render_scores(frame),
    )


# ---- the contract of the round -----------------------------------------------------------------------------------


def _contract(frame: Frame) -> Markup:
    seen = frame.view
    contract = seen.contract
    slots = join(html('<i class="sg-slot set"><b></b><b></b><b></b></i>') for _ in range(contract.sets))
    slots += join(
        html('<i class="sg-slot run">{}</i>', html("<b></b>") * contract.length) for _ in range(contract.runs)
    )
    return html(
        '<header class="sg-contract"><span class="sg-round">'
        "{}</span>"
        '<strong>{}</strong><span class="sg-slots" aria-hidden="true">{}</span></header>',
        frame.say("Round {n} of {all}", n=seen.lap, all=len(seen.contracts)),
        frame.contract(contract),
        slots,
    )


def _ended(frame: Frame) -> Markup:
    """Render a sentence about the end of the previous round, until the viewer acts in the next round.

    It is needed because the cards of the previous round leave the table at once.
    """
    scored = [event for event in frame.scene.last if isinstance(event, RoundScored)]
    if not scored or frame.view.phase == "over":
        return NOTHING
    return html('<p class="sg-ended">{}</p>', say(scored[-1], frame.scene.names, frame._))


def _players(frame: Frame) -> Markup:
    return html('<ul class="sg-players">{}</ul>', join(_kept_player(frame, seat) for seat in frame.seats))


def _kept_player(frame: Frame, seat: int) -> Markup:
    """Return a player's line. If nothing that it shows has changed, return the markup of the last rendering."""
    seen = frame.view
    has = (seen.held[seat], seen.heps[seat], seen.laid[seat], seen.totals[seat], seen.hep_limit)
    turn = (seat == seen.turn and seen.phase != "over", seat == seen.dealt_by, seat in frame.scene.actors)
    return frame.kept(
        ("player", seat), (has, turn, seat in seen.calls and seen.calls), lambda: _player(frame, seat)
    )


def _player(frame: Frame, seat: int) -> Markup:
    seen = frame.view
    classes = ["sg-player", f"seat-{seat}"]
    if seat == frame.me:
        classes.append("me")
    if seat == seen.turn and seen.phase != "over":
        classes.append("on-turn")
    if seat in frame.scene.actors:
        classes.append("asked")
    if seen.laid[seat]:
        classes.append("laid")
    calls = frame.say_many(
        "{n} of at most {all} call won",
        "{n} of at most {all} calls won",
        seen.hep_limit,
        n=seen.heps[seat],
        all=seen.hep_limit,
    )
    left = frame.say_many("{n} card left", "{n} cards left", seen.held[seat])
    heps = join(
        html('<i class="sg-pip{}"></i>', " used" if k < seen.heps[seat] else "")
        for k in range(seen.hep_limit)
    )
    marks = NOTHING
    if seat in seen.calls:
        order = seen.calls.index(seat) + 1
        marks += html(
            '<span class="sg-shout">{}{}</span>',
            frame.say("hep!"),
            f" {order}" if len(seen.calls) > 1 else "",
        )
    dealer = NOTHING
    if seat == seen.dealt_by:
        dealer = html(
            '<span class="sg-dealer" title="{0}"><span aria-hidden="true">{1}</span><span class="sr">{0}</span></span>',
            frame.say("dealer"),
            frame.say("D"),
        )
    if seen.laid[seat]:
        marks += html('<span class="sg-laid">{}</span>', frame.say("laid"))
    return html(
        '<li class="{}"><span class="sg-who"><b class="sg-name">{}</b>{}{}</span>'
        '<span class="sg-left" data-place="{}" title="{}">{}<b aria-hidden="true">{}</b>'
        '<span class="sr">{}</span></span>'
        '<span class="sg-heps" title="{}"><small aria-hidden="true">{}</small>{}<span class="sr">{}</span></span>'
        '<span class="sg-total"><span aria-hidden="true">{}</span><span class="sr">{}</span></span></li>',
        " ".join(classes),
        render_name(frame.name(seat), frame.scene.names),
        dealer,
        marks,
        f"left-{seat} acting" if seat == seen.turn else f"left-{seat}",
        left,
        art.back(),
        seen.held[seat],
        left,
        calls,
        frame.say("hep"),
        heps,
        calls,
        seen.totals[seat],
        frame.say_many("{n} point", "{n} points", seen.totals[seat]),
    )


# ---- stock and discards ------------------------------------------------------------------------------------------


def _kept_middle(frame: Frame) -> Markup:
    seen, top = frame.view, render_top(frame)
    rests = (seen.stock, seen.pile, top, seen.discards, frame.choices, frame.scene.past)
    return frame.kept("middle", rests, lambda: _middle(frame, top))


def _middle(frame: Frame, top: Markup) -> Markup:
    seen = frame.view
    stock = html('{}<span class="sg-count">{}</span>', art.back(), seen.stock)
    for _action, text in frame.legal[moves.Stock]:
        stock = button(text, frame.say("Draw from the stock"), stock, "bare sg-pile lit", "s", final=True)
    if not frame.legal[moves.Stock]:
        stock = html('<span class="sg-pile">{}</span>', stock)
    label = frame.say("Take the {card}", card=frame.spoken(seen.top)) if seen.top else NOTHING
    count = html('<b class="sg-count">{}</b>', seen.pile) if seen.pile else NOTHING
    pile = html('<span class="sg-pile">{}{}</span>', top, count)
    for _action, text in frame.legal[moves.Take]:
        pile = button(text, label, top + count, "bare sg-pile lit", "t", final=True)
    spoken = frame.spoken(seen.top) if seen.top else frame._("nothing")
    under = NOTHING
    if seen.discards is not None:  # if there are none, their place is kept, so that the piles don't move
        cards = join(html("<li>{}</li>", frame.card(card)) for card in seen.discards[:-1])
        under = html(
            '<details class="sg-under{}"><summary>{}</summary><ul>{}</ul></details>',
            "" if cards else " bare-pile",
            frame.say("all discards"),
            cards,
        )
    return html(
        '<div class="sg-middle"><figure class="sg-stock" data-place="stock">{}<figcaption>{}</figcaption></figure>'
        '<figure class="sg-discard"{}><span class="sr">{}</span>'
        "{}<figcaption>{}</figcaption></figure>{}{}</div>",
        stock,
        frame.say("stock"),
        frame.takes("discard *"),
        frame.say("On top of the discards: {card}", card=spoken),
        pile,
        frame.say("discards"),
        _wait(frame),
        under,
    )


def _wait(frame: Frame) -> Markup:
    """Render the button with which the next player waits for calls, or its empty place.

    The empty place is as large as the button, so that the piles do not move when the button appears. Otherwise a pile
    could move under a finger that is about to press something. If this viewer never gets the button, return nothing.
    """
    seen, text = frame.view, frame.say("wait for calls")
    for _action, move in frame.legal[moves.Wait]:
        return button(move, frame.say("Let the others answer first"), text, "button sg-wait", "w")
    never = frame.me is None or frame.scene.past or seen.seats == 2 or seen.option(HEP_WINDOW)
    return NOTHING if never else html('<span class="button sg-wait-place" aria-hidden="true">{}</span>', text)


# ---- the hand ----------------------------------------------------------------------------------------------------


def _kept_hand(frame: Frame) -> Markup:
    """Return the viewer's hand with its controls."""
    seen = frame.view
    # before the deal, an empty section keeps the space, so that nothing moves when the hand comes
    if not seen.hand:
        return NOTHING if seen.phase == "over" else html('<section class="sg-mine blank"></section>')
    call = render_votes(frame) or render_call(frame)
    parts = (render_cards(frame), call, render_adds(frame), render_picked(frame))
    rests = (parts, seen.hand, frame.choices, frame.hints, seen.phase, seen.top, frame.say_empty())
    return frame.kept("hand", rests, lambda: _hand(frame, *parts))


def _discards(frame: Frame) -> Markup:
    """Render the buttons that discard a card, add it to a meld or swap it. They are below the hand."""
    seen = frame.view
    discards = []
    drops = {action.card: text for action, text in frame.legal[moves.Discard]}
    fitting = find_fitting(frame)
    for at, card in enumerate(sort_by_suit(seen.hand)):
        if card in fitting:
            discards += render_fits(frame, card, at)
        if card in drops:
            kind, key = ("button", "") if card in fitting else ("button primary", "enter")
            label = frame.say("Discard the {card}", card=frame.spoken(card))
            body = fill(frame._("Discard {card}"), card=html("<b>{}</b>", frame.short(card)))
            body += html(" {}", cap("Enter")) if key else NOTHING
            discards.append(button(drops[card], label, body, f"{kind} sg-drop d{at}", key, f"-{at}"))
    return join(discards)


def _hand(frame: Frame, cards: Markup, call: Markup, adds: Markup, picked: Markup) -> Markup:
    seen = frame.view
    helps = set(frame.hints["helps"].cards) if "helps" in frame.hints else set()
    best = NOTHING
    lay = NOTHING
    if "lay" in frame.hints and (frame.legal[moves.OpenSet] or frame.legal[moves.OpenRun]):
        text = frame.hints["lay"].text  # on a phone the tray is out of sight
        label = say_laying(frame, text)
        lay = button(text, label, frame.say("Lay the contract"), "button primary sg-lay-here", nth="-here")
    if "best" in frame.hints and frame.legal[moves.Discard]:
        best = html(
            '<span class="sg-hint best">{}</span>',
            frame.say("Best now: {move}.", move=_tell_best(frame)),
        )
    helping = NOTHING
    if helps and seen.phase not in LAYING:
        helping = html(
            '<span class="sg-hint">{}</span>',
            frame.say("Would help: {cards}", cards=_list_cards(frame, helps)),
        )
    asked = " asked" if frame.scene.legal else ""
    return html(
        '<section class="sg-mine" tabindex="-1" data-rest aria-label="{}">{}'
        '<div class="sg-acts"><span class="sg-prompt{}" role="status">{}</span>{}{}{}{}{}{}{}'
        '<div class="sg-hints">{}{}</div></div><div class="sg-bar">{}</div></section>',
        frame.say("Your hand"),
        cards,
        asked,
        say_asked(frame),
        call,
        render_steps(frame),
        adds,
        lay,
        frame.kept("discards", (seen.hand, frame.choices), lambda: _discards(frame)),
        picked,
        _check_button(frame),
        helping,
        best,
        frame.kept("sorting", None, lambda: render_sorting(frame)),
    )


def _hands(frame: Frame) -> Markup:
    """Render the hands that the viewer may see in a replay. They have no buttons."""
    seen = frame.view
    if seen.phase == "over":  # the score table shows the remaining cards
        return NOTHING
    hands = enumerate(seen.shown) if seen.shown is not None else [(frame.me, seen.hand)]
    rows = join(
        html(
            '<div class="sg-owner seat-{}"><span class="sg-whose">{}</span><ol class="sg-cards">{}</ol></div>',
            seat,
            frame.name(seat),
            join(_shown_card(frame, card) for card in cards),
        )
        for seat, cards in hands
        if seat is not None and cards
    )
    return (
        html('<section class="sg-hands" aria-label="{}">{}</section>', frame.say("Hands"), rows)
        if rows
        else NOTHING
    )


def _shown_card(frame: Frame, card: Card) -> Markup:
    return html('<li>{}<span class="sr">{}</span></li>', frame.face(card), frame.spoken(card))


def _list_cards(frame: Frame, cards: set[Card]) -> str:
    """Return a short text that lists the cards. For all four suits of a rank, the text names only the rank."""
    words = []
    for rank in RANKS:
        own = [rank + suit for suit in SUITS if rank + suit in cards]
        words += (
            [frame._("any {rank}").format(rank=frame.rank(rank))]
            if len(own) == 4
            else [frame.card(c) for c in own]
        )
    return ", ".join([*([frame.card("*")] if "*" in cards else []), *words])


def _check_button(frame: Frame) -> Markup:
    """Render two buttons for pages without a script.

    One compares the picked cards with the contract. The other sets them aside as a meld.
    """
    title = frame.say("Check the picked cards")
    aside = frame.say("Put the picked cards aside as a meld")
    return html(
        '<noscript><button name="draft" value="cards" class="button quiet">{}</button>'
        '<button name="draft" value="aside" class="button quiet">{}</button></noscript>',
        title,
        aside,
    )


def _tell_best(frame: Frame) -> str:
    """Return "add cards to melds" if the viewer can add any, or else a phrase for the planner's choice."""
    if frame.legal[moves.Add]:
        return frame._("add cards to melds")
    word, _space, rest = frame.hints["best"].text.partition(" ")
    if word == "lay":
        return frame._("lay the contract")
    return frame._("discard {card}").format(card=frame.card(rest))


def say_asked(frame: Frame) -> Markup:
    """Return a sentence about the viewer's decision, or about the progress of their hand if there is no decision."""
    seen = frame.view
    if frame.legal[moves.Discard]:
        if frame.legal[moves.OpenSet] or frame.legal[moves.OpenRun]:
            return frame.say("You can lay the contract. Or pick a card to discard.")
        if frame.legal[moves.Add]:
            return frame.say("Add cards to melds, or pick one to discard.")
        return frame.say("Pick a card to discard.")
    if frame.legal[moves.Wait]:
        return frame.say("Take the discard, or wait for calls.")
    if frame.legal[moves.Stock]:
        both = escape(frame.say_empty()) or frame.say("Draw from the stock, or take the discard.")
        return both if seen.top else frame.say("Draw a card.")
    if frame.legal[moves.Hep]:
        return frame.say("Do you want the {card}?", card=frame.card(seen.top or "*"))
    if "calls" in frame.hints:
        n = frame.hints["calls"].number
        return frame.say_many(
            "This contract needs {n} more card than you hold: call hep for one.",
            "This contract needs {n} more cards than you hold: call hep for some.",
            n,
        )
    if seen.phase in LAYING:
        return say_steps(frame)
    if "missing" in frame.hints:
        return escape(say_lack(frame.hints["missing"].number, frame._))
    return NOTHING


def say_short(frame: Frame) -> str:
    """Return the viewer's decision as a clause, or an empty text if there is none.

    The page shows the clause after "Your turn:".
    """
    seen, legal, _ = frame.view, frame.legal, frame._
    if legal[moves.Discard]:
        if legal[moves.OpenSet] or legal[moves.OpenRun]:
            return _("lay the contract, or discard")
        if legal[moves.Add]:
            return _("add cards to melds, or discard")
        return _("swap a card for a wild card, or discard") if legal[moves.Swap] else _("discard a card")
    if legal[moves.Wait]:
        return _("take the {card}, or wait for calls").format(card=frame.card(seen.top or "*"))
    if legal[moves.Stock]:
        return (
            _("take the {card}, or draw").format(card=frame.card(seen.top)) if seen.top else _("draw a card")
        )
    if legal[moves.Hep]:
        return _("call hep for the {card}, or pass").format(card=frame.card(seen.top or "*"))
    if seen.phase in LAYING:
        return _("lay the next card")
    return _("vote on who called first") if legal[moves.Vote] else ""


# ---- pictures in the rules ---------------------------------------------------------------------------------------


def render_part(part: str, scene: Scene) -> Markup | None:
    """Return a part of the board by name: ``hand``, ``melds``, ``call`` or ``scores``.

    ``call`` also shows the discard that seats may call for. Return None if there is no part with this name.
    """
    frame = Frame(scene)
    inner = {
        "hand": lambda: _felt(_contract(frame)) + _kept_hand(frame),
        "melds": lambda: _felt(_contract(frame) + render_melds(frame)),
        "call": lambda: _felt(_kept_middle(frame)) + render_call(frame),
        "scores": lambda: render_scores(frame),
    }.get(part)
    return None if inner is None else html('<div class="sanghai sg-picture">{}</div>', inner())


def _felt(inner: Markup) -> Markup:
    return html('<div class="sg-table night">{}</div>', inner)
