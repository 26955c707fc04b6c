"""Beside the harbour: what is asked of the viewer, and the final count."""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup

from spelunke.boards.markup import escape
from spelunke.boards.stage import cap, keyed
from spelunke.core.words import plain
from spelunke.games.halunken import moves
from spelunke.games.halunken.cards import Sailor, Step
from spelunke.games.halunken.sentences import COLOUR_NAMES
from spelunke.games.halunken.state import JACK
from spelunke.games.halunken.ui import art
from spelunke.games.halunken.ui.frame import HAND, TWELVE, Frame, button, render_move
from spelunke.games.halunken.view import Figure


def render_controls(frame: Frame) -> str:
    """What is asked of the viewer, or for whom the table waits."""
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
    # One question is not made of another: what is new is there at once, and nothing of the old one wanders.
    name = f"{frame.id}-do-{seen.phase}-{'mine' if frame.scene.legal else 'other'}"
    return f'<section id="{escape(name)}" class="hk-controls{" asked" if frame.scene.legal else ""}" aria-label="{frame.say("What to do")}" data-meanwhile="{_meanwhile(frame)}">{body}</section>'


def _meanwhile(frame: Frame) -> Markup:
    """What stands here while the hour is told, step by step: the question waits for it."""
    return frame.say("The hour is being played out. What comes next waits for it.")


def _waiting(frame: Frame) -> str:
    if frame.scene.over:
        return f'<p class="hk-wait">{frame.say("The game is over.")}</p>'
    names = ", ".join(frame.name(seat) for seat in frame.scene.actors)
    text = frame.say("Waiting for {names}.", names=names) if names else frame.say("Others are deciding …")
    return f'<p class="hk-wait">{text}</p>'


def _placing(frame: Frame) -> str:
    if not frame.legal:
        return _waiting(frame)
    if frame.view.phase == "hiding":
        return f"<h2>{frame.say('Where does Black Jack lurk?')}</h2><p>{frame.say('Your first sailor is the lowest: choose a free field for him on the harbour.')}</p>"
    return f"<h2>{frame.say('Where does your captain begin?')}</h2><p>{frame.say('Choose a field on the harbour. You take the top sailor there, whoever he is.')}</p>"


# ---- the auction -------------------------------------------------------------------------------------------------


def _bidding(frame: Frame) -> str:
    seen = frame.view
    if seen.offer is not None and seen.bidder is not None:
        offer = f'<div class="hk-offer"><span>{art.sailor(seen.offer)}</span><p>{frame.say("{name} offers {sailor}.", name=frame.name(seen.bidder), sailor=frame.sailor(seen.offer))}</p></div>'
    else:
        offer = f'<p class="hk-offer">{frame.say("No offer yet.")}</p>'
    title = f"<h2>{frame.say('Who hires Black Jack?')}</h2>"
    if not frame.legal:
        return title + offer + _waiting(frame)
    bids = "".join(
        _sailor_button(frame, action.sailor, text, frame._("offer {sailor}"))
        for action, text in frame.legal.get(moves.Bid, [])
    )
    if bids:
        how = frame.say("One press offers a sailor; whoever wins the bidding pays theirs into the harbour.")
        cards = f'<p class="hk-how">{how}</p><div class="hk-picks">{bids}</div>'
    else:
        cards = f"<p>{frame.say('None of your sailors is worth more.')}</p>"
    kind = "button big" if bids else "button big primary"
    passing = "".join(
        button(text, frame._("pass"), f"{frame.say('Pass')} {cap('P')}", kind, keyed("p"))
        for _a, text in frame.legal.get(moves.Pass, [])
    )
    return f"{title}{offer}{cards}{passing}"


def _sailor_button(frame: Frame, sailor: Sailor, text: str, label: str) -> str:
    return button(text, label.format(sailor=frame.sailor(sailor)), art.sailor(sailor), "bare hk-pick")


def render_orders(frame: Frame) -> str:
    """The order that bids for its owner; nobody else sees it."""
    seen = frame.view
    if frame.me is None or seen.opener is None or seen.phase == "over" or frame.scene.past:
        return ""
    orders = frame.scene.private if isinstance(frame.scene.private, Mapping) else {}
    now = str(orders.get("up_to") or "")
    choices = [("pass", frame._("always pass"))]
    choices += [
        (str(s), frame.sailor(s))
        for s in sorted(seen.crews[frame.me].sailors, key=lambda s: (s.value, s.colour.number))
    ]
    if now and now not in [value for value, _text in choices]:
        choices.append((now, now))
    options = "".join(
        f'<option value="{escape(value)}"{" selected" if value == now else ""}>{escape(text)}</option>'
        for value, text in choices
    )
    said = frame.say("Standing order: up to {sailor}", sailor=now) if now and now != "pass" else ""
    if now == "pass":
        said = frame.say("Standing order: pass")
    clear = (
        f'<button class="button quiet" name="standing" value="clear">{frame.say("Forget it")}</button>'
        if now
        else ""
    )
    return (
        f'<details class="hk-standing"{" open" if now else ""}><summary>{said or frame.say("Let an order bid for you")}</summary>'
        f'<div class="hk-order"><label>{frame.say("Bid for me, as little as it takes, up to")} <select name="order.up_to">{options}</select></label>'
        f'<button class="button" name="standing" value="set">{frame.say("Save this order")}</button>{clear}</div></details>'
    )


# ---- movement cards ----------------------------------------------------------------------------------------------


def _choosing(frame: Frame) -> str:
    seen = frame.view
    out = [f"<h2>{frame.say('Everybody lays a card face down')}</h2>", _lamps(frame)]
    if frame.view.opened:
        out.append(_opened(frame))
    if frame.me is None:
        return "".join(out)
    if frame.free:
        out.append(f'<p class="hk-note">{frame.say("You can change it until the last one is ready.")}</p>')
    mine = seen.captains[frame.me]
    asked = {action.card: text for action, text in frame.free.get(moves.Choose, [])}
    commands = seen.mode == "two_player" and seen.hirer == frame.me
    # One key is one card: the keys are Black Jack's while only his card is missing.
    jacks_turn = commands and seen.sealed is not None and seen.sealed_jack is None
    out.append(_hand(frame, mine, asked, seen.sealed, HAND, jack=False, keys=not jacks_turn))
    if commands and seen.jack is not None:
        jacks = {action.card: text for action, text in frame.free.get(moves.ChooseJack, [])}
        out.append(_hand(frame, seen.jack, jacks, seen.sealed_jack, HAND, jack=True, keys=jacks_turn))
    return "".join(out)


def _opened(frame: Frame) -> str:
    """The cards that lie face down, for somebody from whom nothing is hidden."""
    figures = [*range(frame.view.seats), *([JACK] if len(frame.view.opened) > frame.view.seats else [])]
    items = "".join(
        f'<li class="{"jack" if who == JACK else f"k{who}"}"><span class="hk-move">{render_move(frame, card)}'
        f'<span class="sr">{escape(frame.card(card))}</span></span><small>{escape(frame.name(who))}</small></li>'
        for who, card in zip(figures, frame.view.opened, strict=True)
        if card is not None
    )
    return f'<ul class="hk-opened" aria-label="{frame.say("Face down")}">{items}</ul>' if items else ""


def _hand(
    frame: Frame,
    figure: Figure,
    asked: Mapping[Step, str],
    sealed: Step | None,
    cards: tuple[Step, ...],
    *,
    jack: bool,
    keys: bool,
) -> str:
    """A hand of movement cards: to be clicked, lying sealed, or used."""
    title = frame.say("Black Jack's card") if jack else frame.say("Your card")
    back = [text for action, text in frame.free.get(moves.TakeBack, []) if action.jack is jack]
    items = []
    for card in cards:
        name = frame.card(card)
        if card == sealed and back:
            label = frame._("take Black Jack's {card} back") if jack else frame._("take the {card} back")
            body = f"{render_move(frame, card)}<small>{frame.say('take back')}</small>"
            items.append(button(back[0], label.format(card=name), body, "bare hk-move sealed"))
        elif card in asked:
            key = (
                keyed("r" if card == "rum" else str(card), hold=True) if keys and len(str(card)) != 2 else ""
            )
            label = frame._("Black Jack: lay {card}") if jack else frame._("lay {card}")
            field = frame.lead(JACK if jack else frame.me or 0, card)
            body, kind = render_move(frame, card), "bare hk-move"
            if field is not None:
                label += frame._(", to field {field}").format(field=field)
                body += f'<small class="hk-to" aria-hidden="true">→\u2009{field}</small>'
                kind += f" {'jack-' if jack else ''}to{card}"
            items.append(button(asked[card], label.format(card=name), body, kind, key))
        else:
            state = "sealed" if card == sealed else "used"
            told = frame._("sealed") if card == sealed else frame._("used")
            items.append(
                f'<span class="hk-move {state}">{render_move(frame, card)}<span class="sr">{escape(told)}</span></span>'
            )
    who = "jack" if jack else f"k{frame.me}"
    return f'<div class="hk-hand {who}"><h3>{title}</h3><div class="hk-moves">{"".join(items)}</div></div>'


def _lamps(frame: Frame) -> str:
    seen = frame.view
    items = "".join(
        f'<li class="k{seat}" data-on="{"true" if seen.ready[seat] else "false"}"><i class="hk-lamp" aria-hidden="true"></i>'
        f"{escape(frame.name(seat))} <small>{frame.say('ready') if seen.ready[seat] else frame.say('choosing')}</small></li>"
        for seat in frame.order
    )
    return f'<ul class="hk-lamps">{items}</ul>'


def _picking(frame: Frame) -> str:
    seen = frame.view
    asked = {action.card: text for action, text in frame.legal.get(moves.ChooseJack, [])}
    if not asked or seen.jack is None:
        return _waiting(frame)
    return f"<h2>{frame.say('How far does Black Jack go?')}</h2>" + _hand(
        frame, seen.jack, asked, None, TWELVE, jack=True, keys=True
    )


def _naming(frame: Frame) -> str:
    asked = {action.number: text for action, text in frame.legal.get(moves.Name, [])}
    if not asked:
        return _waiting(frame)
    items = []
    for number in range(1, 8):
        if number in asked:
            items.append(
                button(
                    asked[number],
                    frame._("Rum is {n}").format(n=number),
                    f"<span>{number}</span>",
                    "bare hk-move",
                    keyed(str(number), hold=True),
                )
            )
        else:
            items.append(
                f'<span class="hk-move struck"><s>{number}</s><span class="sr">{frame.say("laid by another")}</span></span>'
            )
    return f'<h2>{frame.say("Which number is the Rum?")}</h2><p>{frame.say("Not a number that another figure has laid.")}</p><div class="hk-hand k{frame.me}"><div class="hk-moves">{"".join(items)}</div></div>'


# ---- robbing, fishing, giving ------------------------------------------------------------------------------------


def _taking(frame: Frame) -> str:
    seen = frame.view
    if not frame.legal:
        return _waiting(frame)
    out = []
    gives = frame.legal.get(moves.Give, [])
    if gives:
        out.append(
            f"<h2>{frame.say('Black Jack wants a sailor')}</h2><p>{frame.say('Choose whom you hand over; he goes into the harbour.')}</p>"
        )
        out.append(_picks(frame, gives, frame._("give {sailor}")))
    robs = frame.legal.get(moves.Rob, [])
    if robs and seen.asked_about is not None:
        out.append(f"<h2>{frame.say('Rob {name}?', name=frame.name(seen.asked_about))}</h2>")
        out.append(_picks(frame, robs, frame._("rob {sailor}")))
    fishes = frame.legal.get(moves.Fish, [])
    if fishes:
        out.append(f"<h2>{frame.say('Hire a sailor from the harbour?')}</h2>")
        out.append(_picks(frame, fishes, frame._("take {sailor} from the harbour")))
    out += [
        button(text, frame._("take nothing"), f"{frame.say('Take nothing')} {cap('N')}", "button", keyed("n"))
        for _a, text in frame.legal.get(moves.Decline, [])
    ]
    return "".join(out)


def _picks(frame: Frame, found: list[tuple[moves.Rob | moves.Fish | moves.Give, str]], label: str) -> str:
    cards = "".join(_sailor_button(frame, action.sailor, text, label) for action, text in found)
    return f'<div class="hk-picks">{cards}</div>'


def render_score(frame: Frame) -> str:
    """The final count (H-R15)."""
    seen = frame.view
    several = seen.match > 1  # the total is that of all games
    rows = []
    for seat in sorted(frame.order, key=lambda who: -seen.totals[who]):
        crew = seen.crews[seat]
        plain = sum(s.value for s in crew.sailors)
        double = frame._(COLOUR_NAMES[crew.doubled]) if crew.doubled else "–"
        sign = art.emblem(crew.doubled.number) if crew.doubled else ""
        before = seen.totals[seat] - crew.worth
        told = f"<td>{before}</td>" if several else ""
        plus = "+" if several else ""
        rows.append(
            f'<tr class="k{seat}"><th scope="row">{art.captain(seat)}{frame.called(seat)}</th>{told}<td>{plus}{plain}</td>'
            f"<td>+{crew.worth - plain} {sign}<span class=sr>{escape(double)}</span></td><td>= <b>{seen.totals[seat]}</b></td></tr>"
        )
    earlier = f'<th scope="col">{frame.say("Before")}</th>' if several else ""
    return (
        f'<section class="hk-controls hk-score" data-meanwhile="{_meanwhile(frame)}"><h2>{frame.say("The ships put to sea")}</h2><table><thead><tr><th scope="col">{frame.say("Captain")}</th>{earlier}'
        f'<th scope="col">{frame.say("Sailors")}</th><th scope="col">{frame.say("One colour doubled")}</th><th scope="col">{frame.say("Total")}</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></section>"
    )


def prompt(frame: Frame) -> str:
    """What is asked of the viewer, in few words."""
    asked = {
        "bidding": plain("offer a sailor for Black Jack, or pass"),
        "choosing": plain("lay a card face down"),
        "naming": plain("name a number for the Rum"),
        "picking": plain("choose how far Black Jack goes"),
        "placing": plain("choose where your captain starts"),
        "hiding": plain("choose where Black Jack starts"),
    }
    if moves.Give in frame.legal:
        return frame._("hand over a sailor")
    if moves.Rob in frame.legal and frame.view.asked_about is not None:
        return frame._("rob {name}, or take nothing").format(name=frame.name(frame.view.asked_about))
    if moves.Fish in frame.legal:
        return frame._("take a sailor out of the harbour, or none")
    return frame._(asked[frame.view.phase]) if frame.view.phase in asked else ""
