"""Draw the panel at the end of a game: winner and margin, buttons for the next steps, and a tip."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, html, join
from spelunke.games.game import Game
from spelunke.house.messages import Look, Result, SeatLook
from spelunke.house.people import TieLine
from spelunke.web.parts import art
from spelunke.web.parts.again import render_again
from spelunke.web.parts.buttons import is_against_bots, render_buttons, render_form
from spelunke.web.parts.portraits import render_portrait
from spelunke.web.words import translate as _


def render_result(look: Look, result: Result, game: Game) -> Markup:
    """Draw the panel at the end of a game."""
    mood = find_mood(look, result)
    return html(
        '<section id="result" class="panel result ending {mood}" data-mood="{mood}" aria-labelledby="result-title">'
        '<div class="ending-art">{art}</div><div class="ending-words"><h2 id="result-title" tabindex="-1">{title}</h2>{how}</div>'
        '{table}<div class="ending-next stack tight">{offer}<div class="row ending-buttons">{buttons}</div>{friends}</div>'
        '<div class="row ending-links">{links}</div>{tip}</section>',
        mood=mood,
        art=art.ending(mood),
        title=say_ending(look, result),
        how=_render_how(result),
        table=_render_places(look, result),
        offer=_render_offer(look, game),
        buttons=_render_buttons(look, game),
        tip=_render_tip(look),
        friends=_render_friends(look),
        links=_render_links(look),
    )


def find_people(look: Look) -> tuple[int, ...]:
    """Return the viewer's seat, or all seats of people at a shared device. For a spectator, return an empty tuple."""
    if look.seat is None:
        return ()
    at_device = tuple(one.seat for one in look.seats if one.host or one.here)
    shared = any(one.here for one in look.seats) and look.seat in at_device
    return at_device if shared else (look.seat,)


def is_shared(look: Look) -> bool:
    """Return whether several people use the viewer's device."""
    return len(find_people(look)) > 1


def is_at_one_device(look: Look) -> bool:
    """Return whether several people play at the table, and all of them on one device."""
    return any(seat.here for seat in look.seats) and all(
        seat.here or seat.host or seat.kind == "bot" for seat in look.seats
    )


def find_mood(look: Look, result: Result) -> str:
    """Return the result for the people at the page: ``won``, ``lost``, ``even``, or ``seen`` for spectators.

    The result is ``even`` after an agreed draw, and if the game was called off. At a shared device, the result is
    ``won`` if at least one person there won.
    """
    people = find_people(look)
    if not people:
        return "seen"
    if result.reason in ("agreed", "called_off"):
        return "even"
    return "won" if any(result.ranks[seat] == 1 for seat in people) else "lost"


def say_ending(look: Look, result: Result) -> str:
    """Return the result in one line.

    If exactly one of the players uses the page, the line addresses this player as "you". If the result has points, the
    line contains the difference in points, unless the difference is 0 or the line announces a shared win.
    """
    people = find_people(look)
    me = people[0] if len(people) == 1 else None
    if result.reason == "called_off":
        return _("Nobody wins")
    if result.reason == "agreed":
        return _("A draw")
    winners = [seat for seat, rank in enumerate(result.ranks) if rank == 1]
    if me is not None and result.reason == "played" and _played_by_bot(look.seats[me]):
        return _say_bot(result, me, winners)
    if me is not None and me not in winners:
        by = _margin(result, winners[0], me)
        return _("You lost by {n}").format(n=by) if by else _("You lost")
    if len(winners) > 1:
        others = _.list([look.names[seat] for seat in winners if seat != me])
        if me in winners:
            return _("You share the win with {names}").format(names=others)
        return _("{names} share the win").format(names=others)
    second = min((seat for seat, rank in enumerate(result.ranks) if rank > 1), key=lambda s: result.ranks[s])
    by = _margin(result, winners[0], second)
    if me == winners[0]:
        return _("You won by {n}").format(n=by) if by else _("You won")
    name = look.names[winners[0]]
    return _("{name} won by {n}").format(name=name, n=by) if by else _("{name} won").format(name=name)


def _played_by_bot(seat: SeatLook) -> bool:
    """Return whether a bot plays for the seat's person, or did so at the end of the game."""
    return seat.kind == "person" and seat.level is not None


def _say_bot(result: Result, me: int, winners: list[int]) -> str:
    """Return the result in one line, for a person whose seat a bot played at the end of the game."""
    if me not in winners:
        by = _margin(result, winners[0], me)
        lost = _("The bot that played for you lost by {n}")
        return lost.format(n=by) if by else _("The bot that played for you lost")
    if len(winners) > 1:
        return _("The bot that played for you shares the win")
    second = min((seat for seat, rank in enumerate(result.ranks) if rank > 1), key=lambda s: result.ranks[s])
    by = _margin(result, me, second)
    return (
        _("The bot that played for you won by {n}").format(n=by)
        if by
        else _("The bot that played for you won")
    )


def _margin(result: Result, winner: int, other: int) -> int:
    """Return the difference in points between two seats, or 0 if the result has no points."""
    return 0 if result.scores is None else abs(result.scores[winner] - result.scores[other])


def _render_how(result: Result) -> Markup:
    """Draw the reason why the game ended early, or say that the tie-break decided between players with equal points.

    In other cases, draw nothing.
    """
    if result.reason != "played":
        return html('<p class="muted">{}</p>', result.text)
    scores = result.scores or ()
    tied = [
        rank
        for rank, score in zip(result.ranks, scores, strict=False)
        if score == scores[result.ranks.index(1)]
    ]
    if len(set(tied)) < 2:
        return NOTHING
    return html('<p class="muted">{}</p>', _("The points are equal, so the tie-break of this table decided."))


def _render_places(look: Look, result: Result) -> Markup:
    """Draw the players' places, with points if the game was played to its end. Draw nothing for a called-off game."""
    if result.reason == "called_off":
        return NOTHING
    points = result.scores is not None
    people = find_people(look)
    order = sorted(range(len(result.ranks)), key=lambda seat: (result.ranks[seat], seat))
    rows = join(
        html(
            '<tr{}><td class="num">{}.</td><th scope="row">{}{}{}</th>{}</tr>',
            html(' class="own"') if people == (seat,) else "",
            result.ranks[seat],
            render_portrait(look.seats[seat]),
            look.names[seat],
            _render_quit(result.quits[seat] if result.quits else None),
            html('<td class="num">{}</td>', result.scores[seat]) if result.scores is not None else "",
        )
        for seat in order
    )
    return html(
        '<table class="table result-table"><caption class="sr">{}</caption>'
        '<thead class="sr"><tr><th scope="col">{}</th><th scope="col">{}</th>{}</tr></thead><tbody>{}</tbody></table>',
        _("Result"),
        _.within("rank", "Place"),
        _("Player"),
        html('<th scope="col">{}</th>', _("Points")) if points else "",
        rows,
    )


def _render_quit(reason: str | None) -> Markup:
    """Draw the reason why a player gave the game up. If the player played it to its end, draw nothing."""
    if reason is None:
        return NOTHING
    words = {
        "resigned": _.within("player", "resigned"),
        "time": _.within("player", "out of time"),
        "left": _.within("player", "did not come back"),
    }
    return html(' <span class="badge">{}</span>', words[reason])


def _render_offer(look: Look, game: Game) -> Markup:
    """Draw another player's offer of a rematch, with the buttons to answer. If there is no offer, draw nothing."""
    if "accept_rematch" not in look.may or look.rematch_by is None:
        return NOTHING
    offers = _("{name} offers a rematch.")
    if look.origin is not None:
        offers = _("{name} offers a rematch: a whole game, from the normal start.")
    answers = render_buttons(look, game, "news", ("accept_rematch", "decline_rematch"))
    return html(
        '<div id="ending-offer"><p role="status">{}</p><div class="row">{}</div></div>',
        offers.format(name=look.names[look.rematch_by]),
        join(answers),
    )


def _render_buttons(look: Look, game: Game) -> Markup:
    """Draw the buttons for the next game and the analysis."""
    buttons = render_again(look, game)
    if look.rematch and "accept_rematch" not in look.may:
        label = _("To the next game") if is_against_bots(look) else _("To the rematch")
        buttons = [html('<a class="button primary" href="/t/{}">{}</a>', look.rematch, label)]
    elif not buttons:
        buttons = render_buttons(look, game, "result", ("rematch",))
    if "analyse" in look.may:
        lost = look.seat is not None and find_mood(look, look.result) == "lost" if look.result else False
        label = _("What went wrong?") if lost else _("Analyse the game")
        buttons.append(render_form(look, "analyse", {}, label))
    return join(buttons)


def _render_tip(look: Look) -> Markup:
    """Draw an empty element for the tip. The page fetches the tip after loading.

    Several people at one device get no tip, because it would be about one of them.
    """
    if len(find_people(look)) != 1 or "analyse" not in look.may:
        return NOTHING
    return html(
        '<div id="tip" class="ending-tip" role="status" hx-post="/t/{}/tip" hx-trigger="load" hx-swap="none"></div>',
        look.table,
    )


def _render_friends(look: Look) -> Markup:
    """Draw an empty element for buttons that send friend requests. The page fetches the buttons after loading."""
    people = [seat for seat in look.seats if seat.kind == "person" and not seat.here]
    if look.seat is None or len(people) < 2:
        return NOTHING
    return html(
        '<div id="friends" hx-get="/t/{}/friends" hx-trigger="load" hx-swap="none"></div>', look.table
    )


def render_others(table: str, others: Sequence[TieLine]) -> Markup:
    """Draw buttons: each asks one of the opponents to become a friend."""
    forms = join(
        html(
            '<form method="post" action="/p/{}/tie"><input type="hidden" name="back" value="/t/{}">'
            '<button class="button quiet" name="do" value="befriend">{}</button></form>',
            one.address,
            table,
            _("Add {name} as a friend").format(name=one.name),
        )
        for one in others
    )
    return html('<div id="friends" class="row">{}</div>', forms)


def _render_links(look: Look) -> Markup:
    return join(
        [
            html('<a class="button quiet" href="/t/{}/replay?ply=0">{}</a>', look.table, _("Replay")),
            html('<a class="button quiet" href="/new/{}">{}</a>', look.game, _("New table")),
            html(
                '<a class="button quiet" href="/t/{}/record.json" download="{}-{}.json">{}</a>',
                look.table,
                look.game,
                look.table,
                _("Download the record"),
            ),
            html('<a class="button quiet" href="/verify?table={}">{}</a>', look.table, _("Verify this game")),
            html(
                '<a class="button quiet" href="/t/{0}/picture.png" download="{0}.png">{1}</a>',
                look.table,
                _("Picture"),
            ),
        ]
    )
