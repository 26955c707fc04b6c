"""What is sent to each route: the table that the attacks run over. A route without a row fails a test.

A row is the body of a request, or None. `{name}` in it and in paths stands for something of the victim's
(`world.World.things`). `MINE` are requests with which the victim changes something of hers: they show that an attack
would be noticed if it got through.
"""

from __future__ import annotations

Row = dict[str, object] | None

KEY = {"key": "attack-0001"}
AT_TABLE: dict[str, Row] = {
    "act": {"move": "{move}", "ply": "{ply}", **KEY},
    "again": {"level": "mate"},
    "analyse": {},
    "chat": {"text": "attack", **KEY},
    "come-back": KEY,
    "decline-rematch": {},
    "dismiss-summary": {"round": 1},
    "draft": {"card": "3"},
    "draw": {"answer": "offer", **KEY},
    "fill": {"level": "mate"},
    "go-on": {"how": "win", **KEY},
    "hint": {},
    "invite": {"name": "Mallory"},
    "join": {"invite": "{guess}"},
    "leave": {},
    "lesson": {"go_on": "alone"},
    "nonce": {"nonce": "attack"},
    "nudge": {},
    "play-on": {"ply": 1},
    "recall": {},
    "react": {"word": "bravo"},
    "rematch": {},
    "resign": KEY,
    "stand-in": KEY,
    "start": {},
    "standing": {"orders": {}},
    "take-back": KEY,
}
"""By the last word of the path, at pages and in the API alike."""
TO_PAGES: dict[str, Row] = {
    "POST /analysis/{game}/position": {"position": "{}"},
    "POST /back/{code}": {"password": "{password}"},
    "POST /daily/{game}/{day}": {},
    "POST /host/{code}": {"name": "Mallory", "password": "{password}"},
    "POST /house/doors": {"doors": "closed"},
    "POST /house/invitations": {},
    "POST /house/people/{person}/host": {"host": "yes"},
    "POST /house/people/{person}/in": {},
    "POST /house/people/{person}/out": {"lasting": "day"},
    "POST /house/tables/{table}/off": {},
    "POST /invited/{code}": {"name": "Mallory II", "password": "{password}"},
    "POST /j/{table}/{invite}": {},
    "POST /lessons": {"game": "shanghaien"},
    "POST /link/{code}": {},
    "POST /login": {"name": "Anna", "password": "wrong but long enough"},
    "POST /logout": {},
    "POST /mail/confirm/{channel}/{code}": {},
    "POST /mail/stop/{stop}": {},
    "POST /me": {"name": "Anna"},
    "POST /me/changes": {},
    "POST /me/channels": {"way": "mail", "address": "anna@victim.example"},
    "POST /me/channels/{channel}/remove": {},
    "POST /me/channels/{channel}/resume": {},
    "POST /me/coach": {"coach": "on"},
    "POST /me/confirm": {"password": "wrong but long enough", "back": "/me"},
    "POST /me/confirm/passkey": {},
    "POST /me/devices/others/end": {},
    "POST /me/devices/{device}/end": {},
    "POST /me/explain": {"explain": "no"},
    "POST /me/language": {"language": "en"},
    "POST /me/leave": {"sure": "yes"},
    "POST /me/link": {},
    "POST /me/notifications/choices": {"zone": "Europe/Berlin"},
    "POST /me/notifications/read": {},
    "POST /me/passkeys": {},
    "POST /me/passkeys/{key}/remove": {},
    "POST /me/password": {"password": "{password}"},
    "POST /me/portrait": {"figure": "1", "colour": "1"},
    "POST /me/push": {},
    "POST /me/recovery": {},
    "POST /me/shown": {"shown": "games"},
    "POST /me/theme": {"theme": "dark"},
    "POST /member": {"name": "Anna", "password": "{password}"},
    "POST /passkeys/log-in": {},
    "POST /passkeys/log-in/options": {},
    "POST /passkeys/member": {},
    "POST /passkeys/options": {},
    "POST /password/grade": {"password": "{password}"},
    "POST /problems/{game}/{problem}": {"move": "roll"},
    "POST /recover": {"name": "Anna", "code": "{guess}", "password": "{password}"},
    "POST /recover/mail": {"name": "Anna"},
    "POST /t/{table}/tell": {"name": "Anna"},
    "POST /t/{table}/tip": {},
    "POST /t/{table}/{deed}": {},
    "POST /tables": {"game": "shanghaien", "quick": "link"},
}
TO_API: dict[str, Row] = {
    "PATCH /api/v1/me": {"name": "Anna"},
    "POST /api/v1/guests": {"name": "Anna"},
    "POST /api/v1/lessons": {"game": "shanghaien"},
    "POST /api/v1/me/devices": {"label": "attack"},
    "POST /api/v1/me/devices/{device}/end": {},
    "POST /api/v1/members": {"name": "Anna", "password": "{password}"},
    "POST /api/v1/verdicts": {"record": "{}"},
    "POST /api/v1/tables": {"game": "shanghaien", "seats": ["me", "link"]},
}
READ = frozenset(
    {
        "GET /",
        "GET /analysis/{game}",
        "GET /api/v1/games",
        "GET /api/v1/games/{game}",
        "GET /api/v1/key",
        "GET /api/v1/me",
        "GET /api/v1/me/devices",
        "GET /api/v1/openapi.json",
        "GET /api/v1/tables",
        "GET /api/v1/tables/{table}",
        "GET /api/v1/tables/{table}/analysis",
        "GET /api/v1/tables/{table}/chain",
        "GET /api/v1/tables/{table}/record",
        "GET /back/{code}",
        "GET /health",
        "GET /host/{code}",
        "GET /house",
        "GET /house/log",
        "GET /house/people",
        "GET /house/people/{person}",
        "GET /house/tables",
        "GET /invited/{code}",
        "GET /j/{table}/{invite}",
        "GET /link/{code}",
        "GET /login",
        "GET /mail/confirm/{channel}/{code}",
        "GET /mail/stop/{stop}",
        "GET /manifest.webmanifest",
        "GET /me",
        "GET /me/account",
        "GET /me/confirm",
        "GET /me/export.json",
        "GET /me/leave",
        "GET /me/next",
        "GET /me/notifications/bell",
        "GET /me/notifications",
        "GET /me/notifications/choices",
        "GET /me/settings",
        "GET /member",
        "GET /metrics",
        "GET /new/{game}",
        "GET /offline",
        "GET /p/{address}",
        "GET /problems/{game}",
        "GET /problems/{game}/today",
        "GET /problems/{game}/{problem}",
        "GET /recover",
        "GET /rules/{game}",
        "GET /static/{name}",
        "GET /t/{table}",
        "GET /t/{table}/here",
        "GET /t/{table}/hint",
        "GET /t/{table}/position.json",
        "GET /t/{table}/record.json",
        "GET /t/{table}/replay",
        "GET /t/{table}/tip",
        "GET /t/{table}/turn",
        "GET /verify",
        "GET /verify/words.json",
        "GET /worker.js",
    }
)
ENDLESS = frozenset({"GET /api/v1/tables/{table}/stream", "GET /t/{table}/stream"})
"""Streams do not end: `test_streams_tell_nothing_hidden` reads them."""
MINE = (
    "POST /t/{table}/act",
    "POST /t/{table}/resign",
    "POST /api/v1/tables/{table}/stand-in",
    "POST /me",
    "POST /me/password",
    "POST /me/recovery",
    "POST /me/devices/others/end",
    "POST /me/channels/{channel}/remove",
    "POST /me/leave",
    "POST /logout",
)


def row_of(route: str) -> Row:
    """Return what is sent to a route, which is given as `METHOD /path`. Raises KeyError for one without a row."""
    if route in TO_PAGES or route in TO_API:
        return (TO_PAGES | TO_API)[route]
    if route in READ or route in ENDLESS:
        return None
    start, _, word = route.rpartition("/")
    if start.endswith(("/tables/{table}", "/t/{table}")):
        return AT_TABLE[word]
    raise KeyError(route)
