"""Draw the notices above the board: absent players, nudges, a bot in the viewer's seat, offers, and undo requests."""

from __future__ import annotations

from datetime import UTC, datetime

from markupsafe import Markup

from spelunke.boards.markup import NOTHING, escape, fill, html, join
from spelunke.games.game import Game
from spelunke.house.messages import Look, SeatLook, Wait
from spelunke.web.numbers import write_time
from spelunke.web.parts.buttons import render_buttons, render_form
from spelunke.web.words import translate as _


def render_news(look: Look, game: Game) -> Markup:
    """Draw each notice with its buttons. Screen readers announce new notices."""
    pieces = []
    if look.seat is not None and (look.seats[look.seat].absent or look.nudged_by is not None):
        pieces += _own_seat(look, game)
    if "accept_draw" in look.may:
        pieces.append(_offers(look, game))
    elif look.seat is not None and look.seats[look.seat].offers_draw:
        said = [_("You offer a draw."), say_undecided(look)]
        if any(seat.here for seat in look.seats):
            said.append(_("Players who share a device answer on their next turn."))
        pieces.append(_piece("draw", "", join(said, " ")))
    elif look.draw_declined:
        pieces.append(_piece("draw", "", _("Your offer of a draw was declined.")))
    if look.undo_by is not None:
        pieces += _undo(look, game)
    pieces += [_wait(look, wait) for wait in look.waits]
    return html('<div id="news" class="news" role="status">{}</div>', join(pieces))


def render_time(at_ms: int) -> Markup:
    """Draw a time of day, which a script localizes."""
    at = datetime.fromtimestamp(at_ms / 1000, UTC)
    return html('<time datetime="{}">{}</time>', at.isoformat(timespec="seconds"), write_time(at))


def render_presence(seat: SeatLook) -> Markup:
    """Draw a mark if a seat's person is present. Otherwise draw “away” or “offline”.

    If the server knows since when the person is away or offline, add this time. If `seat.presence` is None, draw
    nothing.
    """
    if seat.presence is None:
        return NOTHING
    state = {"here": _("here"), "away": _("away"), "offline": _("offline")}[seat.presence]
    if seat.presence == "here":
        return html(
            '<span id="seat-{1}-presence" class="presence" data-state="here" title="{0}"><span class="sr">{0}</span></span>',
            state,
            seat.seat,
        )
    since = {"away": _("away since {time}"), "offline": _("offline since {time}")}[seat.presence]
    words = escape(state) if seat.away_ms is None else fill(since, time=render_time(seat.away_ms))
    return html(
        '<span id="seat-{}-presence" class="presence" data-state="{}"><span class="presence-words">{}</span></span>',
        seat.seat,
        seat.presence,
        words,
    )


def _piece(ident: str, tone: str, sentence: object, *buttons: Markup) -> Markup:
    row = html('<div class="row">{}</div>', join(buttons)) if buttons else NOTHING
    return html('<div id="news-{}" class="news-piece {}"><p>{}</p>{}</div>', ident, tone, sentence, row)


def _own_seat(look: Look, game: Game) -> list[Markup]:
    """Draw the notice that a bot plays in the viewer's seat, or that somebody nudged the viewer."""
    if "come_back" in look.may:
        return [_piece("bot", "warn", _("A bot plays for you."), *_answers(look, game, "come_back"))]
    if look.status == "playing" and look.seats[look.seat or 0].absent and "resign" not in look.may:
        return [_piece("bot", "", _("A bot plays for you to the end of the game."))]
    if look.nudged_by is not None:
        said = _("{name} nudges you: the table is waiting for you.")
        return [_piece("nudge", "lit", said.format(name=look.names[look.nudged_by]))]
    return []


def _offers(look: Look, game: Game) -> Markup:
    """Draw the notice that other players offer a draw, with the buttons to answer."""
    return _piece("draw", "lit", say_offers(look), *_answers(look, game, "accept_draw", "decline_draw"))


def say_offers(look: Look) -> str:
    """Return a sentence that names the other players who offer a draw, or an empty text if none of them does."""
    names = [seat.name for seat in look.seats if seat.offers_draw and not seat.you]
    said = _.many("{name} offers a draw.", "{name} offer a draw.", len(names))
    return said.format(name=_.list(names)) if names else ""


def say_undecided(look: Look) -> str:
    """Return the sentence that names the people who neither offer a draw nor have accepted one."""
    names = [seat.name for seat in look.seats if seat.kind == "person" and not seat.offers_draw]
    return _("Players who have not agreed yet: {names}.").format(names=_.list(names))


def _undo(look: Look, game: Game) -> list[Markup]:
    """Draw a request to take a move back, for the player who must answer and for the player who asked."""
    if "answer_undo" in look.may:
        said = _("{name} asks to take back their last move.").format(name=look.names[look.undo_by or 0])
        return [_piece("undo", "lit", said, *_answers(look, game, "answer_undo"))]
    if look.undo_by == look.seat:
        return [_piece("undo", "", _("You have asked to take your move back."))]
    return []


def _answers(look: Look, game: Game, *words: str) -> list[Markup]:
    return render_buttons(look, game, "news", words)


def _wait(look: Look, wait: Wait) -> Markup:
    """Draw the notice that the table waits for an absent player: the time left, and the possible actions."""
    name = look.names[wait.seat]
    said = [_say_away(look, wait)]
    if wait.grace_ends_ms is not None and wait.grace_ends_ms > look.now_ms:
        left = (wait.grace_ends_ms - look.now_ms) // 1000
        clock = html(
            '<span class="clock" role="timer" data-until="{}" data-left="{}">{}:{}</span>',
            wait.grace_ends_ms // 1000,
            left,
            left // 60,
            f"{left % 60:02d}",
        )
        said.append(fill(_("In {time} you can go on without {name}."), name=name, time=clock))
    elif {"let_bot", "call_off"} & wait.may:
        said.append(fill(_("You don't have to wait any longer.")))
    elif wait.nudged_ms is None:
        said.append(fill(_("The table is waiting for them.")))
    if wait.nudged_ms is not None and not {"let_bot", "call_off"} & wait.may:
        said.append(fill(_("They were nudged at {time}."), time=render_time(wait.nudged_ms)))
    if wait.agreed:
        said.append(_say_agreed(look, wait))
    return _piece(f"away-{wait.seat}", "warn", join(said, " "), *_ways_on(look, wait))


def _say_away(look: Look, wait: Wait) -> Markup:
    seat = look.seats[wait.seat]
    if seat.away_ms is None:
        return fill(_("{name} is not here."), name=seat.name)
    said = {
        "away": _("{name} has been away since {time}."),
        "offline": _("{name} has been offline since {time}."),
    }
    text = said.get(seat.presence or "offline", said["offline"])
    return fill(text, name=seat.name, time=render_time(seat.away_ms))


def _say_agreed(look: Look, wait: Wait) -> Markup:
    def names(seats: tuple[int, ...]) -> str:
        return _.list([look.names[seat] for seat in seats])

    said = fill(_("Players who want to call the game off: {names}."), names=names(wait.agreed))
    if not wait.missing:
        return said
    return join([said, fill(_("Players who have not agreed yet: {names}."), names=names(wait.missing))], " ")


def _ways_on(look: Look, wait: Wait) -> list[Markup]:
    name = look.names[wait.seat]
    ways: tuple[tuple[str, str, dict[str, str], str, str], ...] = (
        ("nudge", "nudge", {}, _("Nudge {name}"), ""),
        ("let_bot", "go-on", {"how": "bot"}, _("Let a bot play for them"), "primary"),
        ("take_win", "go-on", {"how": "win"}, _("Claim the win"), ""),
        ("call_off", "go-on", {"how": "off"}, _("Call the game off"), ""),
    )
    return [
        render_form(look, operation, {"seat": str(wait.seat), **fields}, label.format(name=name), style)
        for word, operation, fields, label, style in ways
        if word in wait.may
    ]
