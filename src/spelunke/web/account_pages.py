"""The account pages: logins, devices, stored data, deletion. Only passkeys need scripts.

Sensitive changes need a recent proof of the member's identity. Without this proof, `need_member` raises NotProven, and
the application redirects to the page that asks the member for it.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Sequence

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from spelunke.core.errors import SpelunkeError
from spelunke.core.words import plain
from spelunke.house.messages import Person
from spelunke.house.notifications import ChannelLine
from spelunke.house.people import GOOD, LEAST, MOST, KeyChange, What, grade
from spelunke.records.record import to_plain
from spelunke.web.entering import (
    count_guess,
    forget_device,
    forget_guest,
    need_member,
    need_person,
    place_of,
)
from spelunke.web.forms import need, read_form
from spelunke.web.pages import local, site_of
from spelunke.web.parts.games import render_day
from spelunke.web.parts.waiting import render_qr
from spelunke.web.refusal import Refusal, find_status, write_refusal
from spelunke.web.security import network_of
from spelunke.web.site import Site
from spelunke.web.threads import call
from spelunke.web.words import translate as _

ACCOUNT = "/me/account"
CHANGES: dict[What, str] = {
    "password": plain("Your password was changed"),
    "passkey": plain("A passkey was added"),
    "unkey": plain("A passkey was removed"),
    "codes": plain("New recovery codes were made"),
    "recovery": plain("A recovery code was used"),
    "mailed": plain("Somebody logged in with a link from an e-mail"),
    "address": plain("An e-mail address was confirmed; a link sent there can log you in"),
    "device": plain("A new device logged in"),
}
GRADES = (
    plain("can be guessed at once"),
    plain("can be guessed quickly"),
    plain("too easy to guess"),
    plain("good"),
    plain("very good"),
)


def tell_changes(found: Sequence[KeyChange]) -> list[tuple[KeyChange, str]]:
    """Return the changes to a member's logins, each with a sentence for the member.

    Leave out the kinds of changes that have no sentence in `CHANGES`.
    """
    words = {str(what): _(text) for what, text in CHANGES.items()}
    return [(one, words[one.what]) for one in found if one.what in words]


async def show_account(request: Request) -> Response:
    """Show the account page. Redirect unknown visitors to the login."""
    site = site_of(request)
    me = await site.guest(request)
    if me is None:
        return RedirectResponse(f"/login?back={ACCOUNT}", 303)
    done = _("All other devices were logged out.") if "ended" in request.query_params else ""
    return await _account_page(request, me, done=done)


async def _account_page(
    request: Request, me: Person, sentence: str = "", status: int = 200, done: str = ""
) -> Response:
    site = site_of(request)
    visit = site.visit(request)
    house = site.house
    lines = await call(house.devices.of, me.id, visit.device if visit else None)
    member = await call(house.members.of, me.id)
    return await site.page(
        request,
        "account.html",
        status=status,
        me=me,
        here=ACCOUNT,
        member=member,
        doors=await call(house.members.doors),
        devices=lines,
        as_guest=visit is None,
        day=render_day,
        moment=render_day,
        sentence=sentence,
        done=done,
        address=await _address_of(site, me) if done else None,
        new="new" in request.query_params,
        passkeys=place_of(site, request) is not None,
        changes=tell_changes(await call(house.members.changes.of, me.id, visit.device if visit else None)),
    )


async def _address_of(site: Site, me: Person) -> ChannelLine | None:
    """Return the member's confirmed mail address, or None. A login link can be sent to this address."""
    lines = await call(site.house.notifications.channels.of, me.id)
    return next((line for line in lines if line.way == "mail" and line.confirmed), None)


async def confirm_page(request: Request, sentence: str = "", status: int = 200) -> Response:
    """Return the page on which members confirm their identity, with the error in `sentence` if there is one.

    Redirect everybody else to the login.
    """
    site = site_of(request)
    me = await site.guest(request)
    member = await call(site.house.members.of, me.id) if me else None
    if member is None:
        return RedirectResponse(f"/login?back={ACCOUNT}", 303)
    return await site.page(
        request,
        "confirm.html",
        status=status,
        me=me,
        here=ACCOUNT,
        has_password=member.has_password,
        back=local(request.query_params.get("back", ""), ACCOUNT),
        passkeys=bool(member.passkeys) and place_of(site, request) is not None,
        sentence=sentence,
    )


async def show_confirm(request: Request) -> Response:
    """Show the page on which members confirm their identity before a sensitive change."""
    return await confirm_page(request)


async def confirm(request: Request) -> Response:
    """Check the password with which a member confirms their identity.

    If the password is right, redirect to the page in the form's field `back`. If it is wrong, or after too many
    attempts, show the page again with the error.
    """
    site = site_of(request)
    form = await read_form(request)
    me, device = await need_member(site, request)
    try:
        await count_guess(site, me.id, device)
        await call(site.house.members.prove, me.id, device, need(form, "password"))
    except SpelunkeError as error:
        return await confirm_page(request, write_refusal(error), find_status(error))
    return RedirectResponse(local(form.get("back", ""), ACCOUNT), 303)


# --- logins
# -----------------------------------------------------------------------------------------------------


async def set_password(request: Request) -> Response:
    """Change the password, and log out the member's other devices.

    If the new password is refused, show the account page with the error.
    """
    site = site_of(request)
    password = need(await read_form(request), "password")
    me, device = await need_member(site, request, proven=True)
    try:
        await call(site.house.members.set_password, me.id, device, password)
    except SpelunkeError as error:
        return await _account_page(request, me, write_refusal(error), find_status(error))
    done = _("Your password is set. All other devices were logged out.")
    return await _account_page(request, me, done=done)


async def judge_password(request: Request) -> Response:
    """Send the strength of a password to the form's script. The server neither stores nor logs the password.

    Refuse the request after too many requests from the same network.
    """
    site = site_of(request)
    form = await read_form(request)
    client = request.client.host if request.client else "unknown"
    if not await site.limits.allow("grade", network_of(client)):
        raise Refusal(429, "too_many_tries", _("Too many attempts. Wait a minute."))
    password = form.get("password", "")
    given = await call(grade, password[: MOST + 1], form.get("name", "")[:64]) if password else 0
    short = len(password) < LEAST
    told = {"grade": min(given, 1) if short else given, "good": given >= GOOD and not short}
    said = _("too short") if short else _(GRADES[given])
    return JSONResponse(told | {"said": said}, headers={"cache-control": "no-store"})


async def dismiss_changes(request: Request) -> Response:
    """Confirm the changes to the member's logins, so that no page warns of them again.

    The account page still lists them.
    """
    site = site_of(request)
    form = await read_form(request)
    me, device = await need_member(site, request)
    await call(site.house.members.changes.dismiss, me.id, device)
    return RedirectResponse(local(form.get("back", ""), ACCOUNT), 303)


async def make_recovery(request: Request) -> Response:
    """Make new recovery codes and show them once. Older codes stop working."""
    site = site_of(request)
    me, device = await need_member(site, request, proven=True)
    codes = await call(site.house.members.codes.make_recovery, me.id, device)
    return await site.page(request, "recovery.html", me=me, here=ACCOUNT, codes=codes)


async def remove_key(request: Request) -> Response:
    """Remove one of the member's passkeys, and redirect to the account page."""
    site = site_of(request)
    me, device = await need_member(site, request, proven=True)
    await call(site.house.members.remove_key, me.id, request.path_params["key"][:64], device)
    return RedirectResponse(ACCOUNT, 303)


# --- devices ----------------------------------------------------------------------------------------------------


async def make_link(request: Request) -> Response:
    """Make a link with which another device can log in, and show it once, with a QR code. Refuse unknown visitors."""
    site = site_of(request)
    me = await need_person(site, request)
    code = await call(site.house.members.codes.make, "device", me.id)
    link = site.link(request, f"/link/{code}")
    return await site.page(
        request,
        "link.html",
        me=me,
        here=ACCOUNT,
        link=link,
        qr=render_qr(link),
        here_only=site.invite(request, "").here_only,
    )


async def end_device(request: Request) -> Response:
    """Log out one of the person's devices, possibly the one that sent the request."""
    site = site_of(request)
    me = await need_person(site, request)
    device = request.path_params["device"][:64]
    visit = site.visit(request)
    await call(site.house.devices.end, me.id, device, visit.device if visit else None)
    response = RedirectResponse(ACCOUNT, 303)
    if visit is not None and visit.device == device:
        response = RedirectResponse("/", 303)
        forget_device(request, response)
    return response


async def end_others(request: Request) -> Response:
    """Log out all of the person's devices except the one that sent the request."""
    site = site_of(request)
    me = await need_person(site, request)
    visit = site.visit(request)
    await call(site.house.devices.end_others, me.id, visit.device if visit else None)
    return RedirectResponse(f"{ACCOUNT}?ended=1", 303)


# --- stored data, and leaving
# -----------------------------------------------------------------------------------


async def export(request: Request) -> Response:
    """Send the data about the person (see `Leaving.about`), with the records of their finished games, as a file."""
    site = site_of(request)
    me = await need_person(site, request)
    about = await call(site.house.leaving.about, me)
    return StreamingResponse(
        _write_export(site, me, about),
        media_type="application/json",
        headers={
            "content-disposition": 'attachment; filename="spelunke.json"',
            "cache-control": "no-store",
        },
    )


async def _write_export(site: Site, me: Person, about: dict[str, object]) -> AsyncGenerator[str]:
    """Yield the export in parts, so that only one record at a time is in memory.

    If the record of a game can't be made, the export has the reason in its field ``left_out``. For example, this server
    lacks the rules of the game, the game's log is damaged, or the database can't be reached.
    """
    yield json.dumps(about, ensure_ascii=False)[:-1] + ', "records": ['
    comma = ""
    left_out = {}
    for table in await call(site.house.leaving.finished, me.id):
        try:
            record = await call(site.house.replays.record, table, me.id)
        except SpelunkeError as error:
            left_out[table] = str(error)
            continue
        yield comma + json.dumps(to_plain(record), ensure_ascii=False)
        comma = ",\n"
    yield f'], "left_out": {json.dumps(left_out, ensure_ascii=False)}}}\n'


async def show_leave(request: Request) -> Response:
    """Show the page that explains and offers the deletion of the account."""
    site = site_of(request)
    me = await need_person(site, request)
    return await site.page(request, "leave.html", me=me, here=ACCOUNT, sentence="")


async def leave(request: Request) -> Response:
    """Delete the person's account, and redirect to the front page. If the person has not ticked the box, ask again."""
    site = site_of(request)
    form = await read_form(request)
    me = await need_person(site, request)
    if me.member:
        await need_member(site, request, proven=True)
    if form.get("sure") != "yes":
        sentence = _("If you are sure, tick the box first. This can't be undone.")
        return await site.page(request, "leave.html", status=400, me=me, here=ACCOUNT, sentence=sentence)
    await call(site.house.leaving.leave, me.id)
    response = RedirectResponse("/", 303)
    forget_device(request, response)
    forget_guest(request, response)
    return response


ROUTES = [
    Route(ACCOUNT, show_account),
    Route("/me/confirm", show_confirm),
    Route("/me/confirm", confirm, methods=["POST"]),
    Route("/me/password", set_password, methods=["POST"]),
    Route("/password/grade", judge_password, methods=["POST"]),
    Route("/me/changes", dismiss_changes, methods=["POST"]),
    Route("/me/recovery", make_recovery, methods=["POST"]),
    Route("/me/passkeys/{key}/remove", remove_key, methods=["POST"]),
    Route("/me/link", make_link, methods=["POST"]),
    Route("/me/devices/others/end", end_others, methods=["POST"]),
    Route("/me/devices/{device}/end", end_device, methods=["POST"]),
    Route("/me/export.json", export),
    Route("/me/leave", show_leave),
    Route("/me/leave", leave, methods=["POST"]),
]
