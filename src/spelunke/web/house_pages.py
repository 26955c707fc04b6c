"""The pages for hosts: access for new people, lists of people and tables, reports, and the log of hosts' actions.

This module also changes the calendar and the days of vacation, and closes and opens the site.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import get_args, get_type_hints

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from spelunke.core.digits import is_number
from spelunke.core.words import plain
from spelunke.house.hosting import (
    LINES_A_PAGE,
    PEOPLE_A_PAGE,
    REPORTS_A_PAGE,
    Decision,
    Deed,
    DeedLine,
    Group,
    State,
)
from spelunke.house.messages import Person
from spelunke.house.people import Doors
from spelunke.web.entering import need_member, place_of
from spelunke.web.forms import need, read_form
from spelunke.web.numbers import write_day
from spelunke.web.pages import local, site_of
from spelunke.web.parts.games import render_day
from spelunke.web.profile_pages import last_page, read_page, read_searched_name
from spelunke.web.refusal import Refusal
from spelunke.web.threads import call
from spelunke.web.words import translate as _

GROUPS: dict[Group, str] = {
    "members": plain("Members"),
    "guests": plain("Guests"),
    "shut out": plain("Shut out"),
}
STATES: dict[State, str] = {
    "running": plain("Being played"),
    "idle": plain("Idle"),
    "waiting": plain("Waiting for players"),
}
ACTIONS: dict[Deed, str] = {
    "doors": plain("changed who may join"),
    "invitation": plain("invited a member"),
    "host": plain("made host:"),
    "host no longer": plain("took the role of host from:"),
    "shut out": plain("shut out:"),
    "let in": plain("let in again:"),
    "called off": plain("called off a table"),
    "report": plain("decided a report about"),
    "evening": plain("changed the calendar"),
    "vacation": plain("set the days of vacation"),
    "closed": plain("closed the site"),
    "opened": plain("opened the site"),
}
DOORS = {
    "guests open": plain("Anybody can play"),
    "guests closed": plain("No new guests"),
    "members open": plain("Anybody can become a member"),
    "members invited": plain("By invitation"),
}
"""The settings for new people as `house.hosting` logs them, in words."""
DECISIONS: dict[Decision, str] = {
    "nothing": plain("Nothing was done"),
    "removed": plain("The messages were removed"),
    "warned": plain("A host has talked to this person"),
}
DAY_MS = 24 * 60 * 60 * 1000
LASTING = {"day": 1, "week": 7, "month": 30, "good": 0}
"""The lengths of a ban that a host can choose, in days. 0 means until a host lifts the ban."""


async def _need_host(request: Request) -> Person:
    """Return the host who sent the request. Refuse everybody else, and a host without a recent proof of identity."""
    site = site_of(request)
    me, _device = await need_member(site, request)
    await call(site.house.members.require_host, me.id)
    await need_member(site, request, proven=True)
    return me


# --- doors
# ------------------------------------------------------------------------------------------------------


async def show_house(request: Request) -> Response:
    """Show the first page for hosts: settings for guests and new members, invitations, and links to the other pages."""
    return await _house_page(request, await _need_host(request))


async def _house_page(request: Request, me: Person, invitation: str = "") -> Response:
    site = site_of(request)
    member = await call(site.house.members.of, me.id)
    return await site.page(
        request,
        "house.html",
        me=me,
        here="/house",
        doors=await call(site.house.members.doors),
        closed=await call(site.house.closing.look_again),
        vacation_days=await call(site.house.vacations.days_a_year),
        invitation=invitation,
        # A password may be guessed or phished; a passkey can't.
        wants_key=member is not None and not member.passkeys and place_of(site, request) is not None,
    )


async def invite(request: Request) -> Response:
    """Make a link with which one person can become a member, and show it once."""
    site = site_of(request)
    me = await _need_host(request)
    code = await call(site.house.hosting.invite, me.id)
    return await _house_page(request, me, site.link(request, f"/invited/{code}"))


async def set_doors(request: Request) -> Response:
    """Set whether people may play as guests, and whether new members need an invitation."""
    site = site_of(request)
    form = await read_form(request)
    me = await _need_host(request)
    hints = get_type_hints(Doors)
    given = {name: need(form, name) for name in hints}
    if any(value not in get_args(hints[name]) for name, value in given.items()):
        raise Refusal(
            400,
            "field_wrong",
            _("Choose “open” or “closed” for guests, and “open” or “invited” for members."),
        )
    doors = Doors(
        guests="closed" if given["guests"] == "closed" else "open",
        members="invited" if given["members"] == "invited" else "open",
    )
    await call(site.house.hosting.set_doors, me.id, doors)
    return RedirectResponse("/house", 303)


# --- people -----------------------------------------------------------------------------------------------------


async def show_people(request: Request) -> Response:
    """Show a list of members, guests or banned people, filtered by name."""
    site = site_of(request)
    me = await _need_host(request)
    given = request.query_params
    group = next((one for one in GROUPS if one == given.get("group", "members")), None)
    if group is None:
        raise Refusal(400, "field_wrong", _("Choose members, guests or people who are shut out."))
    name = read_searched_name(given.get("name", ""))
    page = read_page(given.get("page", ""))
    lines, count = await call(site.house.registry.people, group, name, page)
    return await site.page(
        request,
        "house_people.html",
        me=me,
        here="/house/people",
        groups=[(value, _(word)) for value, word in GROUPS.items()],
        group=group,
        name=name,
        people=lines,
        count=count,
        page=page,
        pages=last_page(count, page, PEOPLE_A_PAGE),
        day=render_day,
    )


async def show_person(request: Request) -> Response:
    """Show the page of a person, with buttons for hosts, for example to ban the person."""
    site = site_of(request)
    me = await _need_host(request)
    person = await call(site.house.registry.person, request.path_params["person"])
    own = await call(site.house.profiles.of, me.id)
    return await site.page(
        request,
        "house_person.html",
        me=me,
        here="/house/people",
        person=person,
        own=own.address == person.address,
        figures=await call(site.house.measuring.of, person.address),
        day=render_day,
    )


async def set_host(request: Request) -> Response:
    """Make a member a host, or remove the permissions of a host."""
    site = site_of(request)
    form = await read_form(request)
    me = await _need_host(request)
    person = request.path_params["person"]
    await call(site.house.hosting.set_host, me.id, person, to_be=need(form, "host") == "yes")
    still = await call(site.house.members.of, me.id)
    back = f"/house/people/{person}" if still is not None and still.host else "/me/account"
    return RedirectResponse(local(back), 303)


async def shut_out(request: Request) -> Response:
    """Ban a person, for a time or permanently."""
    site = site_of(request)
    form = await read_form(request)
    me = await _need_host(request)
    lasting = LASTING.get(need(form, "lasting"))
    if lasting is None:
        raise Refusal(400, "field_wrong", _("Choose a day, a week, a month, or for good."))
    until = site.house.store.now() + lasting * DAY_MS if lasting else None
    person = request.path_params["person"]
    await call(site.house.hosting.shut_out, me.id, person, until)
    return RedirectResponse(local(f"/house/people/{person}"), 303)


async def let_in(request: Request) -> Response:
    """Lift a ban."""
    site = site_of(request)
    me = await _need_host(request)
    person = request.path_params["person"]
    await call(site.house.hosting.let_in, me.id, person)
    return RedirectResponse(local(f"/house/people/{person}"), 303)


# --- tables -----------------------------------------------------------------------------------------------------


async def show_tables(request: Request) -> Response:
    """Show the tables in the chosen state: being played, idle, or waiting for players."""
    site = site_of(request)
    me = await _need_host(request)
    given = request.query_params
    state = next((one for one in STATES if one == given.get("state", "running")), None)
    if state is None:
        raise Refusal(400, "field_wrong", _("Choose running, idle or waiting."))
    page = read_page(given.get("page", ""))
    lines, count = await call(site.house.registry.tables, state, page)
    return await site.page(
        request,
        "house_tables.html",
        me=me,
        here="/house/tables",
        states=[(value, _(word)) for value, word in STATES.items()],
        state=state,
        tables=lines,
        count=count,
        page=page,
        pages=last_page(count, page, PEOPLE_A_PAGE),
        day=render_day,
    )


async def call_off(request: Request) -> Response:
    """Call a game off, or close a waiting table."""
    site = site_of(request)
    form = await read_form(request)
    me = await _need_host(request)
    await call(site.house.hosting.call_off, me.id, request.path_params["table"])
    state = form.get("state", "running")
    return RedirectResponse(f"/house/tables?state={state if state in STATES else 'running'}", 303)


# --- the log ----------------------------------------------------------------------------------------------------


async def show_log(request: Request) -> Response:
    """Show the log of hosts' actions."""
    site = site_of(request)
    me = await _need_host(request)
    page = read_page(request.query_params.get("page", ""))
    lines, count = await call(site.house.hosting.log, page)
    return await site.page(
        request,
        "house_log.html",
        me=me,
        here="/house/log",
        lines=[(line, _tell(line)) for line in lines],
        count=count,
        page=page,
        pages=last_page(count, page, LINES_A_PAGE),
        day=render_day,
    )


def _tell(line: DeedLine) -> tuple[str, str | Markup]:
    """Return a sentence for a host's action, and a detail of the action, such as a table or the end of a ban.

    Details that people wrote, such as the title of an evening, are not translated.
    """
    said = next((_(words) for action, words in ACTIONS.items() if action == line.what), line.what)
    if line.what == "shut out":
        until = write_day(datetime.fromtimestamp(int(line.about) / 1000, UTC)) if line.about else ""
        return said, _("until {day}").format(day=until) if until else _("for good")
    if line.what in {"doors", "report"}:
        words, parts = (*DOORS.items(), *DECISIONS.items()), line.about.split(", ")
        return said, ", ".join(_(text) for one, text in words if one in parts)
    return said, line.about


# --- the calendar, vacations, and closing ---------------------------------------------------------------------------


def _whole(form: dict[str, str], name: str) -> int:
    text = need(form, name)
    if not is_number(text) or len(text) > 6:
        raise Refusal(
            400, "field_wrong", _("The field {name} must be a whole number.").format(name=repr(name))
        )
    return int(text)


async def add_evening(request: Request) -> Response:
    """Add a club evening to the public calendar."""
    site = site_of(request)
    form = await read_form(request)
    me = await _need_host(request)
    await call(
        site.house.evenings.add,
        me.id,
        need(form, "title"),
        form.get("about", ""),
        need(form, "begins"),
        _whole(form, "minutes"),
        need(form, "zone"),
        weekly=form.get("weekly") == "on",
    )
    return RedirectResponse("/evenings", 303)


async def remove_evening(request: Request) -> Response:
    """Remove a club evening from the calendar."""
    site = site_of(request)
    me = await _need_host(request)
    await call(site.house.evenings.remove, me.id, request.path_params["evening"])
    return RedirectResponse("/evenings", 303)


async def set_vacation(request: Request) -> Response:
    """Set the number of vacation days that each player has in a year."""
    site = site_of(request)
    form = await read_form(request)
    me = await _need_host(request)
    await call(site.house.vacations.set_days, me.id, _whole(form, "days"))
    return RedirectResponse("/house", 303)


async def close_house(request: Request) -> Response:
    """Close the site with a message to all players. Live games pause until it is open again."""
    site = site_of(request)
    form = await read_form(request)
    me = await _need_host(request)
    await call(site.house.closing.close, me.id, need(form, "word"))
    return RedirectResponse("/house", 303)


async def open_house(request: Request) -> Response:
    """Open the site again."""
    site = site_of(request)
    me = await _need_host(request)
    await call(site.house.closing.open, me.id)
    return RedirectResponse("/house", 303)


# --- reports ----------------------------------------------------------------------------------------------------


async def show_reports(request: Request) -> Response:
    """Show the open reports. If the address contains `?show=decided`, show the decided reports instead."""
    site = site_of(request)
    me = await _need_host(request)
    decided = request.query_params.get("show", "") == "decided"
    page = read_page(request.query_params.get("page", ""))
    lines, count = await call(site.house.reports.list, decided=decided, page=page)
    return await site.page(
        request,
        "house_reports.html",
        me=me,
        here="/house/reports",
        reports=lines,
        decided=decided,
        decisions={value: _(word) for value, word in DECISIONS.items()},
        count=count,
        page=page,
        pages=last_page(count, page, REPORTS_A_PAGE),
        day=render_day,
    )


async def decide_report(request: Request) -> Response:
    """Store a host's decision on a report."""
    site = site_of(request)
    form = await read_form(request)
    me = await _need_host(request)
    decision = next((one for one in DECISIONS if one == need(form, "decision")), None)
    number = request.path_params["report"]
    if decision is None or not is_number(number):
        raise Refusal(400, "field_wrong", _("Choose “nothing”, “removed” or “warned”."))
    await call(site.house.reports.decide, me.id, int(number), decision)
    return RedirectResponse("/house/reports", 303)


ROUTES = [
    Route("/house/evenings", add_evening, methods=["POST"]),
    Route("/house/evenings/{evening}/remove", remove_evening, methods=["POST"]),
    Route("/house/vacation", set_vacation, methods=["POST"]),
    Route("/house/close", close_house, methods=["POST"]),
    Route("/house/open", open_house, methods=["POST"]),
    Route("/house/reports", show_reports),
    Route("/house/reports/{report}", decide_report, methods=["POST"]),
    Route("/house", show_house),
    Route("/house/invitations", invite, methods=["POST"]),
    Route("/house/doors", set_doors, methods=["POST"]),
    Route("/house/people", show_people),
    Route("/house/people/{person}", show_person),
    Route("/house/people/{person}/host", set_host, methods=["POST"]),
    Route("/house/people/{person}/out", shut_out, methods=["POST"]),
    Route("/house/people/{person}/in", let_in, methods=["POST"]),
    Route("/house/tables", show_tables),
    Route("/house/tables/{table}/off", call_off, methods=["POST"]),
    Route("/house/log", show_log),
]
