"""A client of a server's HTTP API. It uses only the parts that are open to every client (docs/protocol.md)."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import AsyncIterator, Mapping
from typing import Any, TypeAlias, TypeVar
from urllib.parse import urlsplit

import httpx2

from spelunke.core.digits import is_number
from spelunke.core.letters import use_letters
from spelunke.tui.desk import Refused
from spelunke.tui.words import translate as _

TRIES = 6
"""The maximum number of attempts to send an action. It is sent again if no answer arrives."""
SILENCE_S = 40.0
"""The seconds without data after which a stream counts as lost. The server sends a heartbeat every 15 s."""

USUAL_WAIT_S, LONGEST_WAIT_S = 5.0, 60.0
"""The time to wait after too many requests, if the server says none, and the longest one."""


class Unreachable(Refused):
    """The server did not answer."""


class Unavailable(Refused):
    """The server or a proxy can't answer at present.

    After too many requests, ``wait_s`` is the time to wait in seconds. Otherwise it is 0.
    """

    wait_s = 0.0


class LoggedOut(Refused):
    """The token is no longer valid, or there is none."""


def read_house(text: str) -> str:
    """Return the address of a server from a typed text. Raise Refused if the text is not an address."""
    text = text.strip().rstrip("/")
    if "://" not in text:
        text = ("http://" if text.split(":")[0] in ("localhost", "127.0.0.1") else "https://") + text
    wrong = Refused(_("An address looks like https://spelunke.example."))
    try:
        httpx2.URL(text)
        parts = urlsplit(text)
    except (httpx2.InvalidURL, ValueError):
        raise wrong from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise wrong
    return f"{parts.scheme}://{parts.netloc}{parts.path}"


def read_link(text: str) -> tuple[str, str]:
    """Return the id of the table and the invitation in a link. Without an invitation, the second text is empty.

    The link may also be the id of a table alone.
    """
    parts = text.strip().split("?")[0].rstrip("/").split("/")
    if "j" in parts[:-2]:
        place = parts.index("j")
        return parts[place + 1], parts[place + 2]
    return parts[-1], ""


Json: TypeAlias = Any
"""A value decoded from JSON. `docs/openapi.json` describes the server's answers."""


class Client:
    """Requests to one server, in the name of the person who owns the token."""

    def __init__(
        self, house: str, token: str | None = None, transport: httpx2.AsyncBaseTransport | None = None
    ) -> None:
        self.house = house
        self.token = token
        limits = httpx2.Timeout(10.0, read=20.0)
        self._http = httpx2.AsyncClient(base_url=f"{house}/api/v1", timeout=limits, transport=transport)

    async def close(self) -> None:
        """End all connections."""
        await self._http.aclose()

    def _headers(self) -> dict[str, str]:
        from spelunke.core.catalogues import chosen_language

        found = {"accept-language": chosen_language()}
        if self.token:
            found["authorization"] = f"Bearer {self.token}"
        return found

    async def ask(
        self, method: str, path: str, body: Mapping[str, object] | None = None, **query: object
    ) -> Json:
        """Return the answer to one request.

        If the answer is an error, raise Refused with a sentence for people. If there is no answer, raise Unreachable.
        If the server or a proxy can't answer at present, raise Unavailable. If the token is not valid, raise LoggedOut.
        """
        try:
            answer = await self._http.request(
                method, path, json=body, headers=self._headers(), params={k: str(v) for k, v in query.items()}
            )
        except httpx2.HTTPError:
            raise self._unreachable() from None
        except httpx2.InvalidURL:
            raise Refused(_("An address looks like https://spelunke.example.")) from None
        return self._read(answer)

    def _unreachable(self) -> Unreachable:
        text = _("{house} can't be reached. Check the address and the connection.")
        return Unreachable(text.format(house=self.house))

    def _read(self, answer: httpx2.Response) -> Json:
        if answer.status_code in (429, 502, 503, 504):
            raise self._unavailable(answer)
        try:
            found = answer.json()
        except ValueError:
            text = _("There is no Spelunke server at {house}, or its version differs from yours.")
            raise Refused(text.format(house=self.house)) from None
        if answer.status_code == 401:
            text = _("You are not logged in at {house}, or your login has ended: log in again.")
            raise LoggedOut(text.format(house=self.house))
        if answer.status_code >= 400:
            raise _read_error(Refused, found)
        return found

    def _unavailable(self, answer: httpx2.Response) -> Unavailable:
        """Return the error :class:`Unavailable` with the server's own sentence.

        If the answer has no such sentence, because it is the page of a proxy, say that the server can't be reached.
        """
        try:
            found = answer.json()
        except ValueError:
            found = {"message": str(self._unreachable())}
        error = _read_error(Unavailable, found)
        if answer.status_code == 429:
            wait = answer.headers.get("retry-after", "")
            error.wait_s = min(float(wait), LONGEST_WAIT_S) if is_number(wait) else USUAL_WAIT_S
        return error

    async def ask_name(self) -> str:
        """Return the person's name from the server, and set the letters that stand for cards and nations in texts.

        The person has chosen these letters (:mod:`spelunke.core.letters`), and the server sends them with the name.
        """
        me = await self.ask("GET", "/me")
        use_letters(me.get("letters"))
        return str(me["name"])

    async def insist(self, path: str, body: Mapping[str, object]) -> Json:
        """Return the answer to an action. Send the action again until an answer arrives.

        Raise Unreachable or Unavailable after ``TRIES`` attempts. Raise the other errors of :meth:`ask` at once. All
        attempts send the same ``body``. If the body has the field ``key`` (:func:`new_key`), the server runs the
        action only once. If the body has no ``key``, or if the server got too many requests, raise Unavailable at once.
        """
        for attempt in range(TRIES):
            try:
                return await self.ask("POST", path, body)
            except (Unreachable, Unavailable) as error:
                final = isinstance(error, Unavailable) and ("key" not in body or error.wait_s)
                if final or attempt == TRIES - 1:
                    raise
                await asyncio.sleep(min(4.0, 0.25 * 2**attempt))
        raise AssertionError

    async def listen(self, table: str, since: str) -> AsyncIterator[tuple[str, dict[str, Json] | None]]:
        """Yield an event id and the table's state after each change. Raise Unreachable when the connection is lost.

        The first item comes as soon as the stream is open, and has None instead of a state. ``since`` is the id
        of the last event that was received before, or empty. If the server refuses the stream, raise an error as
        :meth:`ask` does.
        """
        headers = self._headers() | ({"last-event-id": since} if since else {})
        calm = httpx2.Timeout(10.0, read=SILENCE_S)
        try:
            async with self._http.stream(
                "GET", f"/tables/{table}/stream", headers=headers, timeout=calm
            ) as answer:
                if answer.status_code >= 400:
                    await answer.aread()
                    self._read(answer)
                yield since, None
                fields: dict[str, str] = {}
                async for line in answer.aiter_lines():
                    if line:
                        name, _colon, value = line.partition(":")
                        fields[name] = fields.get(name, "") + value.removeprefix(" ")
                    elif "data" in fields:
                        yield fields.get("id", since), json.loads(fields["data"])
                        fields = {}
                    else:
                        fields = {}
        except httpx2.HTTPError:
            pass
        raise self._unreachable()


_Kind = TypeVar("_Kind", bound=Refused)


def _read_error(kind: type[_Kind], found: Json) -> _Kind:
    fields = found if isinstance(found, dict) else {}
    error = kind(str(fields.get("message", "")))
    error.add_note(str(fields.get("error", "")))
    return error


def new_key() -> str:
    """Return a random key for one action. The server uses the key to recognize repeated requests."""
    return secrets.token_urlsafe(12)
