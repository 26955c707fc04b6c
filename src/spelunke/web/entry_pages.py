"""The pages for logging in and signing up: by password, by a link, by a recovery code, or by an invitation.

Some links work only once. A GET request shows a page with a button, and only the button uses the link. Otherwise
programs that fetch previews would use up the link.
"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from spelunke.core.errors import SpelunkeError
from spelunke.house.people import keys_of
from spelunke.web.entering import (
    count_try,
    end_current,
    forget_device,
    forget_guest,
    is_open_wire,
    label_of,
    let_in,
    place_of,
)
from spelunke.web.forms import need, read_form
from spelunke.web.pages import local, site_of
from spelunke.web.refusal import find_status, write_refusal
from spelunke.web.threads import call

ACCOUNT = "/me/account"


# --- log in -----------------------------------------------------------------------------------------------------


async def show_log_in(request: Request) -> Response:
    """Show the login form, for a name and password or a passkey."""
    return await _log_in_page(request)


async def _log_in_page(
    request: Request, name: str = "", sentence: str = "", status: int = 200, back: str = ""
) -> Response:
    site = site_of(request)
    return await site.page(
        request,
        "log_in.html",
        status=status,
        name=name,
        sentence=sentence,
        back=local(back or request.query_params.get("back", ""), "/me"),
        passkeys=place_of(site, request) is not None,
        open_wire=is_open_wire(request),
    )


async def log_in(request: Request) -> Response:
    """Log in by name and password, and redirect to the wanted page.

    If that fails, show the form again with the error.
    """
    site = site_of(request)
    form = await read_form(request)
    name, password = need(form, "name"), need(form, "password")
    try:
        await count_try(site, request, keys_of(name)[-1])
        token = await call(site.house.members.log_in, name, password, label=label_of(request))
    except SpelunkeError as error:
        sentence = write_refusal(error)
        return await _log_in_page(request, name[:64], sentence, find_status(error), form.get("back", ""))
    return await let_in(site, request, token, local(form.get("back", ""), "/me"))


async def log_out(request: Request) -> Response:
    """Log out the device that sent the request."""
    await end_current(site_of(request), request)
    response = RedirectResponse("/", 303)
    forget_device(request, response)
    return response


# --- a link from another device ---------------------------------------------------------------------------------


async def show_link(request: Request) -> Response:
    """Show the page of a login link, with the name of its account and a button. Refuse a link that is not valid."""
    site = site_of(request)
    code = request.path_params["code"]
    person = await call(site.house.members.codes.look, "device", code)
    whose = await call(site.house.people.find, person or "")
    me = await site.guest(request)
    return await site.page(
        request, "come_by_link.html", name=whose.name, same=me is not None and me.id == whose.id, code=code
    )


async def come_by_link(request: Request) -> Response:
    """Log this device in to the account of the link, and redirect to the person's page."""
    site = site_of(request)
    await count_try(site, request)
    token = await call(site.house.devices.come_by_link, request.path_params["code"], label_of(request))
    return await let_in(site, request, token, "/me")


# --- a recovery code --------------------------------------------------------------------------------------------


async def show_recovery(request: Request) -> Response:
    """Show the form for a recovery code."""
    return await _recovery_page(request)


async def _recovery_page(request: Request, sentence: str = "", status: int = 200) -> Response:
    site = site_of(request)
    by_mail = site.house.notifications.outside.mail is not None
    return await site.page(request, "recover.html", status=status, sentence=sentence, by_mail=by_mail)


async def recover(request: Request) -> Response:
    """Log in by a recovery code, and redirect to the account page to set another password.

    If that fails, show the form again with the error.
    """
    site = site_of(request)
    code = need(await read_form(request), "code")
    try:
        await count_try(site, request)
        token = await call(site.house.devices.come_by_recovery, code, label_of(request))
    except SpelunkeError as error:
        return await _recovery_page(request, write_refusal(error), find_status(error))
    return await let_in(site, request, token, ACCOUNT)


# --- signing up
# -------------------------------------------------------------------------------------------------


async def show_become(request: Request) -> Response:
    """Show the sign-up form. The address may contain an invitation, or the code for the first host."""
    return await become_page(request)


async def become_page(
    request: Request, name: str | None = None, sentence: str = "", status: int = 200
) -> Response:
    """Show the sign-up form, with the error in `sentence` if there is one.

    If `status` is 200, first check the invitation or code in the address, and refuse the request if it is not valid.
    """
    site = site_of(request)
    me = await site.guest(request)
    members = site.house.members
    code, as_host = request.path_params.get("code", ""), request.url.path.startswith("/host/")
    if code and status == 200:
        await call(members.codes.look, "host" if as_host else "invitation", code)
    doors = await call(members.doors)
    return await site.page(
        request,
        "become.html",
        status=status,
        me=me,
        name=name if name is not None else me.name if me else "",
        sentence=sentence,
        code=code,
        as_host=as_host,
        invited=bool(code) or doors.members == "open",
        passkeys=place_of(site, request) is not None,
        open_wire=is_open_wire(request),
    )


async def become(request: Request) -> Response:
    """Sign up with name and password. If that fails, show the form again with the error."""
    site = site_of(request)
    form = await read_form(request)
    name, password = need(form, "name"), need(form, "password")
    me = await site.guest(request)
    code, as_host = request.path_params.get("code", ""), request.url.path.startswith("/host/")
    try:
        await count_try(site, request)
        token = await call(
            site.house.members.become,
            me.id if me else None,
            name,
            label=label_of(request),
            password=password,
            invitation="" if as_host else code,
            host_code=code if as_host else "",
        )
    except SpelunkeError as error:
        return await become_page(request, name[:64], write_refusal(error), find_status(error))
    response = await let_in(site, request, token, "/house" if as_host else f"{ACCOUNT}?new=1")
    forget_guest(request, response)
    return response


async def become_host(request: Request) -> Response:
    """Make the person a host of the server. If they are not a member yet, sign them up first."""
    site = site_of(request)
    me = await site.guest(request)
    if me is None or not me.member:
        return await become(request)
    await count_try(site, request)
    await call(site.house.members.become_host, me.id, request.path_params["code"])
    return RedirectResponse("/house", 303)


ROUTES = [
    Route("/login", show_log_in),
    Route("/login", log_in, methods=["POST"]),
    Route("/logout", log_out, methods=["POST"]),
    Route("/link/{code}", show_link),
    Route("/link/{code}", come_by_link, methods=["POST"]),
    Route("/recover", show_recovery),
    Route("/recover", recover, methods=["POST"]),
    Route("/member", show_become),
    Route("/member", become, methods=["POST"]),
    Route("/invited/{code}", show_become),
    Route("/invited/{code}", become, methods=["POST"]),
    Route("/host/{code}", show_become),
    Route("/host/{code}", become_host, methods=["POST"]),
]
