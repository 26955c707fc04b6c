"""The pages of events (tournaments and leagues): the list, a form, each event's page, and its results as files."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Literal

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from spelunke.core.option import OptionsText, write_value
from spelunke.core.words import plain
from spelunke.games import find_game
from spelunke.games.game import Game
from spelunke.house.events import EventLook, EventPlan, EventTable, Kind
from spelunke.house.plan import Clock
from spelunke.web.forms import need, read_form
from spelunke.web.pages import local, site_of
from spelunke.web.parts.games import render_day
from spelunke.web.profile_pages import read_page
from spelunke.web.refusal import Refusal
from spelunke.web.site import playable
from spelunke.web.threads import call
from spelunke.web.words import translate as _
from spelunke.web.words import translator

KINDS: dict[Kind, str] = {
    "swiss": plain("Swiss: in each round, you play somebody with about as many points as you"),
    "robin": plain(
        "Round robin: everybody plays everybody; at tables of 3 or 4, everybody plays as many others as possible"
    ),
    "knockout": plain("Knock-out: the loser at each table is out"),
    "league": plain(
        "League: you play in a division; after each season, its best players move up, and its last ones move down"
    ),
}
SHORT: dict[Kind, str] = {
    "swiss": plain("Swiss"),
    "robin": plain("Round robin"),
    "knockout": plain("Knock-out"),
    "league": plain("League"),
}
STATES = {
    "open": plain("open"),
    "running": plain("running"),
    "over": plain("over"),
    "off": plain("called off"),
}
SIZES: dict[str, tuple[int, ...]] = {"2": (2,), "3": (3,), "4": (4,), "4,3": (4, 3)}
PACES: dict[str, tuple[Clock, int]] = {
    "blitz": (Clock(kind="live", minutes=5, increment=5), 30),
    "live": (Clock(kind="live", minutes=15, increment=10), 75),
    "days": (Clock(kind="days", days=2), 60 * 24 * 14),
}
"""For each pace that the form offers: the clock, and the minutes per round."""
PACE_TEXTS = {
    "blitz": plain(
        "Live and quick: 5 minutes per player plus 5 seconds for each decision; a round ends after at most 30 minutes"
    ),
    "live": plain(
        "Live: 15 minutes per player plus 10 seconds for each decision; a round ends after at most 75 minutes"
    ),
    "days": plain("Over days: 2 days for each decision; a round ends after at most 14 days"),
}
SHOWN = 100
"""The maximum number of tables of a round, and of lines of the standings, on one page."""


async def show_events(request: Request) -> Response:
    """Show one page (`?page=`) of the list of events. The events that are not over come first."""
    site = site_of(request)
    page = read_page(request.query_params.get("page", ""))
    lines = await call(site.house.events.page, page)
    return await site.page(
        request,
        "events.html",
        here="/events",
        lines=lines,
        short={kind: _(word) for kind, word in SHORT.items()},
        states={state: _(word) for state, word in STATES.items()},
        moment=render_day,
        page=page,
    )


async def new_event(request: Request) -> Response:
    """Show the form for a new event."""
    site = site_of(request)
    me = await site.guest(request)
    return await site.page(
        request,
        "event_new.html",
        me=me,
        here="/events",
        games=[
            (game, _sizes(game)) for game in sorted(playable(), key=lambda game: (game.place, game.title))
        ],
        kinds=[(kind, _(word)) for kind, word in KINDS.items()],
        paces=[(pace, _(text)) for pace, text in PACE_TEXTS.items()],
    )


def _sizes(game: Game) -> list[tuple[str, tuple[int, ...]]]:
    """Return the table sizes that the form for a new event offers for this game.

    Each is a pair: the value of the form's field, such as "4,3", and the numbers of seats, such as (4, 3).
    """
    return [(name, sizes) for name, sizes in SIZES.items() if all(size in game.seats for size in sizes)]


async def make_event(request: Request) -> Response:
    """Make an event from the form, and redirect to its page.

    If the form has the field `enter`, the person who makes the event also enters it.
    """
    site = site_of(request)
    form = await read_form(request)
    me = await site.guest(request)
    if me is None:
        raise Refusal(401, "unknown_person", _("Log in first: only members can make tournaments."))
    name, _space, size = need(form, "game").partition(" ")
    game = find_game(name)
    sizes, pace = SIZES.get(size or form.get("seats", "2")), PACES.get(form.get("pace", "live"))
    kind = next((one for one in KINDS if one == form.get("kind", "swiss")), None)
    if sizes is None or pace is None or kind is None:
        raise Refusal(400, "field_wrong", _("Choose a kind, a number of players and a pace from the lists."))
    scoring: Literal["places", "points"] = "points" if form.get("scoring") == "points" else "places"
    preset = game.preset(game.daily)
    plan = EventPlan(
        game=game.name,
        name=" ".join(need(form, "name").split()),
        kind=kind,
        seats=sizes,
        rounds=_number(form.get("rounds", ""), _("Give the number of rounds, or leave the field empty.")),
        options=dict(preset.options) if preset and form.get("short") else {},
        clock=pace[0],
        begins_ms=_read_begin(form.get("begins", "")),
        round_minutes=pace[1],
        pause_minutes=_number(form.get("pause", ""), _("Give the minutes between two rounds.")),
        duplicate=bool(form.get("duplicate")),
        scoring=scoring,
    )
    event = await call(site.house.events.create, me.id, plan)
    if form.get("enter"):
        await call(site.house.events.enter, event, me.id)
    return RedirectResponse(f"/events/{event}", 303)


def _number(text: str, sentence: str) -> int:
    if not text.strip():
        return 0
    if not (text.strip().isascii() and text.strip().isdecimal() and len(text.strip()) < 6):
        raise Refusal(400, "field_wrong", sentence)
    return int(text)


def _read_begin(text: str) -> int | None:
    if not text.strip():
        return None
    try:
        at = datetime.fromisoformat(text.strip())
        # A time without an offset from UTC is in UTC.
        return int((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() * 1000)
    except ValueError:
        raise Refusal(
            400,
            "field_wrong",
            _("Write the start in UTC and in this form: 2026-11-24T20:00. Or leave the field empty."),
        ) from None


async def show_event(request: Request) -> Response:
    """Show an event's page: standings, the tables of a round, and the buttons that the person may use."""
    site = site_of(request)
    me = await site.guest(request)
    event = request.path_params["event"]
    # Read before the event itself: if the event changes in between, the page finds a new state, and updates.
    state = await call(site.house.events.state, event)
    look = await call(site.house.events.look, event, me.id if me else None)
    game = find_game(look.plan.game)
    chosen = request.query_params.get("round", "")
    if chosen and not (chosen.isascii() and chosen.isdecimal() and len(chosen) < 4 and int(chosen) > 0):
        raise Refusal(400, "field_wrong", _("Rounds are numbered from 1."))
    shown = int(chosen) if chosen else look.round
    options: OptionsText = look.plan.options
    paced = (look.plan.clock, look.plan.round_minutes)
    rows = [one for one in look.tables if one.round == shown]
    rows.sort(key=lambda one: len(one.players) == 1)  # byes last
    page = read_page(request.query_params.get("page", ""))
    start = SHOWN * (page - 1)
    return await site.page(
        request,
        "event.html",
        me=me,
        share=site.share(request, look.plan.name, f"/events/{look.id}/picture.png"),
        here="/events",
        look=look,
        event_state=state,
        pace=next((_(PACE_TEXTS[pace]) for pace, given in PACES.items() if given == paced), None),
        changed={name: write_value(value) for name, value in options.items()},
        link=site.link(request, f"/events/{event}"),
        game=game,
        tell=translator(game),
        kind=_(SHORT[look.plan.kind]),
        state=_(STATES[look.status]),
        names={str(one.number): one for one in look.players},
        mine=[one.number for one in look.players if one.you],
        running=_(STATES["running"]),
        over=_(STATES["over"]),
        standings=look.standings[start : start + SHOWN],
        tables=rows[start : start + SHOWN],
        shown=shown,
        page=page,
        pages=max(1, -(-max(len(look.standings), len(rows)) // SHOWN)),
        turn=f"/events/{look.id}?round={shown}&" if shown else f"/events/{look.id}?",
        moment=render_day,
        levels=[(name, translator(game)(str(told.get("title", name)))) for name, told in game.levels.items()],
    )


async def show_state(request: Request) -> Response:
    """Send a short text that differs after each change of an event. The event's open pages compare it."""
    state = await call(site_of(request).house.events.state, request.path_params["event"])
    return PlainTextResponse(state, headers={"cache-control": "no-store"})


def _do(what: str) -> Callable[[Request], object]:
    """Return the handler of the button `what` on an event's page."""

    async def endpoint(request: Request) -> Response:
        site = site_of(request)
        event = request.path_params["event"]
        form = await read_form(request)
        events = site.house.events
        if what == "enter":
            me = await site.welcome(request)
            await call(events.enter, event, me.id)
        else:
            known = await site.guest(request)
            if known is None:
                raise Refusal(
                    401,
                    "unknown_person",
                    _("Enter the tournament first. If you have already entered it, log in."),
                )
            me = known
        if what == "leave":
            await call(events.leave, event, me.id)
        elif what == "start":
            await call(events.start, event, me.id)
        elif what == "end":
            await call(events.end, event, me.id)
        elif what == "bot":
            await call(lambda: events.enter(event, me.id, level=need(form, "level")))
        elif what == "season":
            event = await call(events.next_season, event, me.id)
        response = RedirectResponse(local(f"/events/{event}"), 303)
        site.remember(request, response, me)
        return response

    return endpoint


def _result_rows(look: EventLook) -> list[dict[str, object]]:
    names = {str(one.number): one.name for one in look.players}
    return [
        {
            "rank": line.rank,
            "division": line.division,
            "name": names[line.name],
            "points": line.points,
            "buchholz": line.buchholz,
            "sonneborn_berger": line.sonneborn,
            "lead": line.lead,
            "played": line.played,
            "wins": line.wins,
            "byes": line.byes,
            "left": line.left,
        }
        for line in look.standings
    ]


def _table_rows(look: EventLook, rows: tuple[EventTable, ...]) -> list[dict[str, object]]:
    names = {one.number: one.name for one in look.players}
    return [
        {
            "round": one.round,
            "number": one.number,
            "table": one.table,
            "players": [names[number] for number in one.players],
            "places": list(one.ranks),
            "leads": list(one.leads),
        }
        for one in rows
    ]


async def results_json(request: Request) -> Response:
    """Send standings and tables of an event as JSON."""
    site = site_of(request)
    look = await call(site.house.events.look, request.path_params["event"])
    return JSONResponse(
        {
            "event": look.id,
            "name": look.plan.name,
            "game": look.plan.game,
            "kind": look.plan.kind,
            "status": look.status,
            "round": look.round,
            "rounds": look.rounds,
            "standings": _result_rows(look),
            "tables": _table_rows(look, look.tables),
            "commitment": look.commitment,
            "seed": look.seed,
        },
        headers={"cache-control": "no-store"},
    )


async def results_csv(request: Request) -> Response:
    """Send the standings of an event as CSV."""
    site = site_of(request)
    look = await call(site.house.events.look, request.path_params["event"])
    rows = _result_rows(look)
    out = io.StringIO()
    fields = ["rank", "division", "name", "points", "buchholz", "sonneborn_berger", "lead"]
    writer = csv.DictWriter(out, [*fields, "played", "wins", "byes", "left"])
    writer.writeheader()
    for row in rows:
        name = str(row["name"])
        # A spreadsheet would read a name that begins like this as a formula.
        writer.writerow({**row, "name": f"'{name}" if name[:1] in "=+-@\t\r" else name})
    return Response(
        out.getvalue(),
        media_type="text/csv; charset=utf-8",
        headers={
            "content-disposition": f'attachment; filename="{look.id}.csv"',
            "cache-control": "no-store",
        },
    )


def routes() -> list[Route]:
    """Return the routes of events."""
    return [
        Route("/events", show_events, methods=["GET"]),
        Route("/events", make_event, methods=["POST"]),
        Route("/events/new", new_event),
        Route("/events/{event}", show_event),
        Route("/events/{event}/state", show_state),
        Route("/events/{event}/results.json", results_json),
        Route("/events/{event}/results.csv", results_csv),
        *(
            Route(f"/events/{{event}}/{what}", _do(what), methods=["POST"])
            for what in ("enter", "leave", "start", "end", "bot", "season")
        ),
    ]
