"""The pages about people: friends, friend requests, reports to hosts, club evenings, and vacations."""

from __future__ import annotations

from typing import get_args

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from spelunke.core.digits import is_number
from spelunke.core.words import plain
from spelunke.house.hosting import write_calendar
from spelunke.house.notifications import zones
from spelunke.house.people import Change
from spelunke.web.entering import need_person
from spelunke.web.forms import need, read_fields, read_form
from spelunke.web.pages import local, site_of
from spelunke.web.parts.games import render_date, render_day
from spelunke.web.refusal import Refusal
from spelunke.web.threads import call
from spelunke.web.words import translate as _

HERE = "/people"
NO_LOG = 1 << 30
DONE: dict[str, str] = {
    "asked": plain("They are notified of your request."),
    "friends": plain("You are friends now."),
}


async def show_people(request: Request) -> Response:
    """Show friends, friend requests, and blocked and muted people. Redirect unknown visitors to the login."""
    site = site_of(request)
    me = await site.guest(request)
    if me is None:
        return RedirectResponse(f"/login?back={HERE}", 303)
    return await site.page(
        request,
        "people.html",
        me=me,
        here=HERE,
        company=await call(site.house.ties.of, me.id),
        done=_(DONE.get(request.query_params.get("done", ""), "")),
        link="",
        day=render_date,
    )


async def ask(request: Request) -> Response:
    """Send a friend request to the member whose name is in the form, and redirect to the list of friends.

    Refuse guests.
    """
    site = site_of(request)
    form = await read_form(request)
    me = await need_person(site, request)
    friends = await call(site.house.ties.befriend, me.id, need(form, "name"))
    return RedirectResponse(f"{HERE}?done={'friends' if friends else 'asked'}", 303)


async def make_link(request: Request) -> Response:
    """Make a link with which one person can become a friend, and show it once. Refuse guests."""
    site = site_of(request)
    me = await need_person(site, request)
    code = await call(site.house.ties.make_link, me.id)
    return await site.page(
        request,
        "people.html",
        me=me,
        here=HERE,
        company=await call(site.house.ties.of, me.id),
        done="",
        link=site.link(request, f"/friend/{code}"),
        day=render_date,
    )


async def show_link(request: Request) -> Response:
    """Show the page of a friend link: the name of the person who made it, and a button to accept.

    Refuse a link that is not valid, and a reader who made the link.
    """
    site = site_of(request)
    me = await site.guest(request)
    code = request.path_params["code"]
    name = await call(site.house.ties.whose_link, code, me.id if me else None)
    return await site.page(request, "friend_link.html", me=me, here=HERE, code=code, name=name)


async def take_link(request: Request) -> Response:
    """Make the reader a friend of the person who made the link. Refuse guests, and a link that is not valid."""
    site = site_of(request)
    me = await need_person(site, request)
    await call(site.house.ties.take_link, request.path_params["code"], me.id)
    return RedirectResponse(f"{HERE}?done=friends", 303)


async def change(request: Request) -> Response:
    """Do what the form says about another person, for example block or mute them, and redirect back."""
    site = site_of(request)
    form = await read_form(request)
    me = await need_person(site, request)
    what = next((one for one in get_args(Change) if one == need(form, "do")), None)
    if what is None:
        raise Refusal(
            400, "field_wrong", _("Choose one of {words}.").format(words=", ".join(get_args(Change)))
        )
    await call(site.house.ties.change, me.id, request.path_params["address"], what)
    return RedirectResponse(local(form.get("back", ""), HERE), 303)


async def show_report(request: Request) -> Response:
    """Show the form for a report, with the messages of others at a table. The reader chooses the messages to report."""
    site = site_of(request)
    me = await need_person(site, request)
    table = request.path_params["table"]
    look = await call(site.house.looks.look, table, me.id, since=NO_LOG)
    lines = [
        line for line in look.chat if line.seat != look.seat or (line.seat is None and line.name != me.name)
    ]
    return await site.page(request, "report.html", me=me, here=f"/t/{table}/report", look=look, lines=lines)


async def report(request: Request) -> Response:
    """Report messages at a table to the hosts."""
    site = site_of(request)
    fields = await read_fields(request)
    me = await need_person(site, request)
    table = request.path_params["table"]
    given = [text for name, text in fields if name == "line"]
    if not all(is_number(text) for text in given):
        raise Refusal(400, "field_wrong", _("Choose messages of this table."))
    text = dict(fields).get("text", "")
    await call(site.house.reports.report_lines, table, me.id, lines=[int(one) for one in given], text=text)
    return await site.page(
        request,
        "message.html",
        me=me,
        title=_("Thank you"),
        sentence=_("The hosts will read your report."),
        back=f"/t/{table}",
    )


async def report_person(request: Request) -> Response:
    """Report a person to the hosts, from the button on the person's page."""
    site = site_of(request)
    form = await read_form(request)
    me = await need_person(site, request)
    await call(site.house.reports.report_person, me.id, request.path_params["address"], need(form, "text"))
    return await site.page(
        request,
        "message.html",
        me=me,
        title=_("Thank you"),
        sentence=_("The hosts will read your report."),
        back="",
    )


async def show_evenings(request: Request) -> Response:
    """Show the calendar of club evenings. Hosts also see buttons to change it."""
    site = site_of(request)
    me = await site.guest(request)
    member = await call(site.house.members.of, me.id) if me and me.member else None
    return await site.page(
        request,
        "evenings.html",
        me=me,
        here="/evenings",
        dates=await call(site.house.evenings.coming),
        host=member is not None and member.host,
        zones=zones(),
        link=site.link(request, "/evenings.ics"),
        day=render_day,
    )


async def send_evenings(request: Request) -> Response:
    """Send the club evenings as an iCalendar file, to which calendar programs can subscribe."""
    site = site_of(request)
    dates = await call(site.house.evenings.coming)
    body = write_calendar(dates, "Spelunke", site.link(request, "/evenings"))
    kept = {"cache-control": "no-cache", "content-disposition": 'inline; filename="evenings.ics"'}
    return Response(body, headers=kept, media_type="text/calendar")


async def change_vacation(request: Request) -> Response:
    """Begin or end the person's vacation."""
    site = site_of(request)
    form = await read_form(request)
    me = await need_person(site, request)
    if form.get("do") == "end":
        await call(site.house.vacations.end, me.id)
    else:
        days = need(form, "days")
        if not is_number(days) or len(days) > 4:
            raise Refusal(400, "field_wrong", _("Choose a whole number of days."))
        await call(site.house.vacations.begin, me.id, int(days))
    return RedirectResponse("/me/settings#vacation", 303)


ROUTES = [
    Route("/evenings", show_evenings),
    Route("/evenings.ics", send_evenings),
    Route("/me/vacation", change_vacation, methods=["POST"]),
    Route("/t/{table}/report", show_report, methods=["GET"]),
    Route("/t/{table}/report", report, methods=["POST"]),
    Route("/p/{address}/report", report_person, methods=["POST"]),
    Route(HERE, show_people, methods=["GET"]),
    Route(HERE, ask, methods=["POST"]),
    Route("/people/link", make_link, methods=["POST"]),
    Route("/friend/{code}", show_link, methods=["GET"]),
    Route("/friend/{code}", take_link, methods=["POST"]),
    Route("/p/{address}/tie", change, methods=["POST"]),
]
