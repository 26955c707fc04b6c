"""The pages of notifications: the list behind the bell symbol, channels, quiet hours, and the links in e-mails.

The pages work without scripts. Only push notifications need a script.
"""

from __future__ import annotations

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from spelunke.core.errors import SpelunkeError
from spelunke.core.words import plain
from spelunke.house.messages import Person
from spelunke.house.notifications import Choices, read_time, write_time, zones
from spelunke.house.outbox import KINDS, WAYS, Kind, Way, say
from spelunke.web.endpoints import read_body
from spelunke.web.entering import count_try, label_of, let_in, need_member, need_person
from spelunke.web.forms import need, read_form
from spelunke.web.pages import site_of
from spelunke.web.parts.games import render_day
from spelunke.web.refusal import Refusal, find_status, translate_refusal, write_refusal, write_sentence
from spelunke.web.threads import call
from spelunke.web.words import LANGUAGE
from spelunke.web.words import translate as _

LIST = "/me/notifications"
CHOICES = "/me/notifications/choices"

NAMES: dict[Way, str] = {
    "push": plain("On my devices"),
    "mail": plain("By e-mail"),
    "webhook": plain("By webhook"),
    "ntfy": plain("By ntfy"),
    "service": plain("By messenger"),
}


class Subscription(msgspec.Struct, frozen=True):
    """A browser's push subscription. If the keys are empty, the server removes the subscription."""

    endpoint: str
    p256dh: str = ""
    auth: str = ""


async def show_list(request: Request) -> Response:
    """Show a person's notifications, newest first. Redirect unknown visitors to the login."""
    site = site_of(request)
    me = await site.guest(request)
    if me is None:
        return RedirectResponse(f"/login?back={LIST}", 303)
    told = await call(site.house.notifications.inbox.of, me.id)
    return await site.page(
        request,
        "notifications.html",
        me=me,
        here=LIST,
        told=[(one, say(one, _)) for one in told],
        day=render_day,
    )


async def show_bell(request: Request) -> Response:
    """Send the bell symbol with the number of unread notifications. Send nothing to unknown visitors."""
    site = site_of(request)
    me = await site.guest(request)
    if me is None:
        return Response(status_code=204, headers={"cache-control": "no-store"})
    return await site.page(request, "bell.html", me=me)


async def read_all(request: Request) -> Response:
    """Mark all notifications as read."""
    site = site_of(request)
    me = await need_person(site, request)
    await call(site.house.notifications.inbox.saw, me.id)
    return RedirectResponse(LIST, 303)


# --- choices --------------------------------------------------------------------------------------------------------


async def show_choices(request: Request) -> Response:
    """Show the page with the person's notification channels and quiet hours. Redirect unknown visitors to the login."""
    site = site_of(request)
    me = await site.guest(request)
    if me is None:
        return RedirectResponse(f"/login?back={CHOICES}", 303)
    return await _choices_page(request, me)


async def _choices_page(
    request: Request, me: Person, sentence: str = "", status: int = 200, given: dict[str, str] | None = None
) -> Response:
    site = site_of(request)
    room = site.house.notifications
    lines = await call(room.channels.of, me.id)
    offered = [way for way in WAYS if way in room.outside.ways and (way != "push" or room.push_key)]
    used = [way for way in WAYS if any(line.way == way for line in lines)]
    return await site.page(
        request,
        "notification_choices.html",
        status=status,
        me=me,
        here=CHOICES,
        channels=lines,
        say_problem=lambda problem: write_sentence(translate_refusal(problem)),
        names={way: _(name) for way, name in NAMES.items()},
        kinds={kind: _(about.title) for kind, about in KINDS.items()},
        ways=used,
        offered=offered,
        services=sorted(room.outside.services),
        push_key=room.push_key or "",
        choices=await call(room.channels.choices, me.id),
        zones=zones(),
        time=write_time,
        day=render_day,
        sentence=sentence,
        given={"way": "", "address": "", "from": "", "to": "", **(given or {})},
    )


async def choose(request: Request) -> Response:
    """Store the choices of the form: a checkbox for each kind and channel, and the quiet hours.

    If a choice is refused, show the form again with the error.
    """
    site = site_of(request)
    form = await read_form(request)
    me = await need_person(site, request)
    room = site.house.notifications
    try:
        known = await call(room.channels.choices, me.id)
        shown = form.get("ways", "").split()
        off: set[tuple[Kind, Way]] = {pair for pair in known.off if pair[1] not in shown}
        off |= {(kind, way) for kind in KINDS for way in WAYS if way in shown and f"{kind}:{way}" not in form}
        quiet = form.get("quiet") == "on"
        choices = Choices(
            off=frozenset(off),
            zone=form.get("zone", known.zone).strip() or "UTC",
            quiet_from=read_time(need(form, "from"), "from") if quiet else None,
            quiet_to=read_time(need(form, "to"), "to") if quiet else None,
            language=LANGUAGE.get(),
            letters=known.letters,
        )
        await call(room.channels.choose, me.id, choices)
    except SpelunkeError as error:
        return await _choices_page(request, me, write_refusal(error), find_status(error), form)
    room.wake()
    return RedirectResponse(CHOICES, 303)


# --- channels
# -------------------------------------------------------------------------------------------------------


async def change_push(request: Request) -> Response:
    """Add or remove a browser's push subscription, at the request of the page's script."""
    site = site_of(request)
    given = await read_body(request, Subscription)
    me = await need_person(site, request)
    room = site.house.notifications
    if room.push_key is None:
        raise Refusal(
            409,
            "no_push",
            _("This server has no key for notifications in the browser: its operator has to set one."),
        )
    visit = site.visit(request)
    if given.p256dh:
        await call(
            room.channels.add_push,
            me.id,
            given.endpoint,
            given.p256dh,
            given.auth,
            label=label_of(request),
            device=visit.device if visit else "",
        )
        room.wake()
    else:
        await call(room.channels.remove_push, me.id, given.endpoint)
    return JSONResponse({"to": CHOICES}, headers={"cache-control": "no-store"})


async def add_channel(request: Request) -> Response:
    """Add a notification channel of a member: a mail address, a webhook, or a messenger.

    If the channel is refused, show the form again with the error.
    """
    site = site_of(request)
    form = await read_form(request)
    me, _device = await need_member(site, request, proven=True)
    way, address = need(form, "way"), need(form, "address")
    room = site.house.notifications
    try:
        await count_try(site, request)
        if way == "mail":
            await call(room.channels.add_mail, me.id, address, LANGUAGE.get())
        else:
            await call(room.channels.add_hook, me.id, way, address)
    except SpelunkeError as error:
        return await _choices_page(request, me, write_refusal(error), find_status(error), form)
    room.wake()
    return RedirectResponse(CHOICES, 303)


async def remove_channel(request: Request) -> Response:
    """Remove one of the person's notification channels."""
    site = site_of(request)
    me = await need_person(site, request)
    await call(site.house.notifications.channels.remove, me.id, request.path_params["channel"][:32])
    return RedirectResponse(CHOICES, 303)


async def resume_channel(request: Request) -> Response:
    """Use a stopped or failed channel again.

    If the channel is an unconfirmed mail address, send another e-mail with a link that confirms it.
    """
    site = site_of(request)
    me = await need_person(site, request)
    room = site.house.notifications
    await call(room.channels.resume, me.id, request.path_params["channel"][:32], LANGUAGE.get())
    room.wake()
    return RedirectResponse(CHOICES, 303)


async def tell_member(request: Request) -> Response:
    """Invite a member to a free seat. Only the table's host may do this."""
    site = site_of(request)
    table = request.path_params["table"]
    name = need(await read_form(request), "name")
    me = await need_person(site, request)
    await call(site.house.inviting.invite, table, me.id, name)
    return await site.page(
        request,
        "letter.html",
        title=_("{name} was notified").format(name=name.strip()[:24]),
        text=_(
            "The invitation is in their list of notifications. If they chose other ways to be notified, they receive "
            "it in these ways too. But we send an e-mail only if the game gives several days for each move."
        ),
        button="",
        action="",
        back=f"/t/{table}",
    )


# --- links in e-mails
# -----------------------------------------------------------------------------------------------


async def show_confirm(request: Request) -> Response:
    """Show a button that confirms a mail address.

    Only the button confirms the address. So a mail program that opens this page for a preview confirms nothing.
    """
    return await _ask(
        request,
        _("Is this your address?"),
        _(
            "If you press “Yes”, we will send e-mails to the address where you received this link. "
            "You choose in your settings which ones we send."
        ),
        _("Yes"),
    )


async def confirm(request: Request) -> Response:
    """Confirm a mail address."""
    site = site_of(request)
    channel, code = request.path_params["channel"][:32], request.path_params["code"][:64]
    await call(site.house.notifications.channels.confirm_mail, channel, code)
    site.house.notifications.wake()
    return await _tell(
        request,
        _("Your address is confirmed"),
        _("From now on, we send e-mails to this address. You choose in your settings which ones we send."),
    )


async def show_stop(request: Request) -> Response:
    """Show a button that stops a notification channel. Messages of the channel contain a link to this page."""
    await call(site_of(request).house.notifications.channels.look_stop, request.path_params["stop"])
    return await _ask(
        request,
        _("Stop these notifications?"),
        _(
            "You will no longer receive notifications at this address or on this device. "
            "You can turn them on again in your notification settings."
        ),
        _("Stop them"),
    )


async def stop(request: Request) -> Response:
    """Stop a notification channel. Mail programs with a one-click button (RFC 8058) send this request too."""
    await call(site_of(request).house.notifications.channels.stop, request.path_params["stop"])
    text = _(
        "We send no more notifications to this address or device. "
        "You still receive e-mails with a link to log in, and e-mails about changes to how you log in."
    )
    return await _tell(request, _("These notifications are stopped"), text)


async def ask_back(request: Request) -> Response:
    """Send a login link to the mail address in the form, if a member has confirmed this address.

    The answer is the same for known and unknown addresses, so that it does not reveal who has an account.
    """
    site = site_of(request)
    address = need(await read_form(request), "address")
    try:
        await count_try(site, request, f"mail {address.strip().lower()}")
        await call(site.house.notifications.channels.ask_back, address, LANGUAGE.get())
    except SpelunkeError as error:
        return await site.page(
            request,
            "recover.html",
            status=find_status(error),
            sentence=write_refusal(error),
            by_mail=site.house.notifications.outside.mail is not None,
        )
    site.house.notifications.wake()
    return await _tell(
        request,
        _("Check your e-mail"),
        _("If a member has confirmed that address, a link is on its way there; it works for half an hour."),
    )


async def show_back(request: Request) -> Response:
    """Show the name of the account that a login link belongs to, with a button to log in."""
    site = site_of(request)
    person = await call(site.house.members.codes.look, "back", request.path_params["code"])
    whose = await call(site.house.people.find, person or "")
    return await _ask(
        request,
        _("Log in as {name}?").format(name=whose.name),
        _(
            "With this link, you log in without a password. If you have forgotten yours, set a new one afterwards."
        ),
        _("Log in"),
    )


async def come_back(request: Request) -> Response:
    """Log the visitor's device in to the account that a login link belongs to. The visitor got this link by e-mail."""
    site = site_of(request)
    await count_try(site, request)
    token = await call(site.house.devices.come_by_mail, request.path_params["code"], label_of(request))
    return await let_in(site, request, token, "/me/account")


async def _ask(request: Request, title: str, text: str, button: str) -> Response:
    return await site_of(request).page(
        request, "letter.html", title=title, text=text, button=button, action=request.url.path, back=""
    )


async def _tell(request: Request, title: str, text: str) -> Response:
    return await site_of(request).page(
        request, "letter.html", title=title, text=text, button="", action="", back=""
    )


ROUTES = [
    Route(f"{LIST}/bell", show_bell),
    Route(LIST, show_list),
    Route(f"{LIST}/read", read_all, methods=["POST"]),
    Route(CHOICES, show_choices),
    Route(CHOICES, choose, methods=["POST"]),
    Route("/me/push", change_push, methods=["POST"]),
    Route("/me/channels", add_channel, methods=["POST"]),
    Route("/me/channels/{channel}/remove", remove_channel, methods=["POST"]),
    Route("/me/channels/{channel}/resume", resume_channel, methods=["POST"]),
    Route("/t/{table}/tell", tell_member, methods=["POST"]),
    Route("/mail/confirm/{channel}/{code}", show_confirm),
    Route("/mail/confirm/{channel}/{code}", confirm, methods=["POST"]),
    Route("/mail/stop/{stop}", show_stop),
    Route("/mail/stop/{stop}", stop, methods=["POST"]),
    Route("/recover/mail", ask_back, methods=["POST"]),
    Route("/back/{code}", show_back),
    Route("/back/{code}", come_back, methods=["POST"]),
]
