"""Addresses that people enter give no access to the host's network."""

from __future__ import annotations

import ipaddress
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from outposts import Receiver, dead_port, make_certificate, stopwatch
from spelunke.core.errors import BadInput
from spelunke.house.notifications.addresses import (
    Allowed,
    NotReachable,
    is_public,
    read_allowed,
    read_place,
    resolve,
)
from spelunke.house.notifications.carriers import Undelivered
from spelunke.house.notifications.outside import Outside
from spelunke.house.notifications.sending import Sender
from spelunke.house.notifications.services import Service
from spelunke.house.notifications.webhooks import Ntfy, Webhook
from spelunke.house.outbox.kinds import Message

INSIDE = (
    "127.0.0.1",
    "127.255.255.254",
    "0.0.0.0",
    "10.1.2.3",
    "172.16.0.1",
    "192.168.178.1",
    "100.64.0.1",
    "169.254.169.254",
    "192.0.0.8",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:127.0.0.1",
    "::ffff:10.1.2.3",
    "::ffff:169.254.169.254",
    "::127.0.0.1",
    "::ffff:0:127.0.0.1",
    "64:ff9b::7f00:1",
    "64:ff9b:1::a01:203",
    "2002:7f00:1::1",
    "2002:a01:203::1",
    "2001:0:7f00:1::1",
    "fe80::1",
    "fc00::1",
    "fd12:3456::1",
    "ff02::1",
    "2001:db8::1",
)
OUTSIDE = ("1.1.1.1", "93.184.216.34", "2606:4700:4700::1111", "64:ff9b::101:101", "::ffff:1.1.1.1")
MESSAGE = Message(
    title="It is your turn",
    lines=("It is your turn: a game",),
    kinds=("turn",),
    path="/t/abc",
    url="https://house.example/t/abc",
    urls=("https://house.example/t/abc",),
)


@pytest.mark.parametrize("address", INSIDE)
def test_addresses_that_are_not_public(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))
    host = f"[{address}]" if ":" in address else address
    with pytest.raises(NotReachable, match=r"public internet|is not found") as error:
        resolve(read_place(f"https://{host}/"), Allowed())
    assert error.value.lasting or "not found" in str(error.value)


@pytest.mark.parametrize("address", OUTSIDE)
def test_addresses_that_are_public(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))
    host = f"[{address}]" if ":" in address else address
    assert resolve(read_place(f"https://{host}/"), Allowed()) == ipaddress.ip_address(address)


@pytest.mark.parametrize(
    "written",
    ["localhost", "localhost.", "LOCALHOST", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0", "[::1]"],
)
def test_names_and_odd_spellings_of_this_machine(written: str) -> None:
    try:
        place = read_place(f"https://{written}/x")
    except BadInput:
        return
    with pytest.raises(NotReachable):
        resolve(place, Allowed())


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """Return the addresses that a name server gives for names. ``asked`` lists those names that were looked up."""
    known: dict[str, list[str]] = {}
    real = socket.getaddrinfo

    def look_up(host: str, port: int, *args: Any, **kwargs: Any) -> Any:
        if host not in known:
            return real(host, port, *args, **kwargs)
        asked.append(host)
        found = []
        for address in known[host]:
            family = socket.AF_INET6 if ":" in address else socket.AF_INET
            found.append((family, socket.SOCK_STREAM, 6, "", (address, port)))
        return found

    asked: list[str] = []
    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    known["asked"] = asked
    return known


@pytest.mark.parametrize("address", INSIDE)
def test_a_name_that_resolves_to_a_private_address_is_refused(
    names: dict[str, list[str]], address: str
) -> None:
    names["evil.example"] = [address]
    with pytest.raises(NotReachable, match="not on the public internet"):
        resolve(read_place("https://evil.example/"), Allowed())
    names["evil.example"] = ["1.1.1.1", address]
    with pytest.raises(NotReachable, match="not on the public internet"):
        resolve(read_place("https://evil.example/"), Allowed())


def test_a_host_name_is_resolved_once_and_kept_in_the_host_header(names: dict[str, list[str]]) -> None:
    receiver = Receiver()
    try:
        names["hook.example"] = ["127.0.0.1"]
        sender = Sender(read_allowed("127.0.0.1"))
        place = read_place(f"http://hook.example:{receiver.port}/deep?x=1")
        assert sender.post(place, {}, b"{}").status == 200
        assert names["asked"] == ["hook.example"]
        assert receiver.got[0].headers["host"] == f"hook.example:{receiver.port}"
        assert receiver.got[0].path == "/deep?x=1"
    finally:
        receiver.close()


@pytest.mark.parametrize(
    "address",
    [
        "",
        "example.org/x",
        "ftp://example.org/",
        "file:///etc/passwd",
        "gopher://example.org/",
        "https://",
        "https:///x",
        "https://name:secret@example.org/",
        "https://example.org:99999/",
        "https://exa mple.org/",
        "https://example.org/\r\nx-evil: 1",
        "https://example.org\\@127.0.0.1/",
        "https://[::1",
        "https://exämple.org/",
        "https://example.org/" + "x" * 2000,
    ],
)
def test_invalid_addresses(address: str) -> None:
    with pytest.raises(BadInput):
        read_place(address)


def test_places_must_be_allowed_by_the_host() -> None:
    allowed = read_allowed("hooks.lan, 10.1.2.0/24 127.0.0.1")
    assert resolve(read_place("http://10.1.2.3:8080/x"), allowed) == ipaddress.ip_address("10.1.2.3")
    assert resolve(read_place("http://[::ffff:10.1.2.3]/"), allowed)
    with pytest.raises(NotReachable):
        resolve(read_place("https://10.1.3.3/"), allowed)
    with pytest.raises(NotReachable, match="only https"):
        resolve(read_place("http://1.1.1.1/"), allowed)
    with pytest.raises(BadInput, match="neither the name of a server nor a network"):
        read_allowed("10.1.2.0/33/x")


# --- against servers on this machine ------------------------------------------------------------------------------


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.close()


def hook(hosts: str = "*", allowed: str = "127.0.0.1", seconds: float = 5.0) -> Webhook:
    outside = Outside(webhooks=frozenset({hosts}))
    return Webhook(outside, Sender(read_allowed(allowed), seconds=seconds))


def test_a_webhook_is_called(receiver: Receiver) -> None:
    hook().carry(receiver.url + "/here?a=b", {}, MESSAGE)
    assert receiver.got[0].path == "/here?a=b"
    assert receiver.got[0].json == {
        "title": "It is your turn",
        "url": "https://house.example/t/abc",
        "told": [{"kind": "turn", "text": "It is your turn: a game", "url": "https://house.example/t/abc"}],
    }


def test_ntfy_is_notified(receiver: Receiver) -> None:
    outside = Outside(webhooks=frozenset({"127.0.0.1"}))
    Ntfy(outside, Sender(read_allowed("127.0.0.1"))).carry(receiver.url + "/topic", {}, MESSAGE)
    got = receiver.got[0]
    assert (got.path, got.body.decode()) == ("/topic", "It is your turn: a game")
    assert got.headers["click"] == "https://house.example/t/abc"


def test_this_machine_is_not_reached_unless_it_is_allowed(receiver: Receiver) -> None:
    with pytest.raises(Undelivered, match="not on the public internet") as error:
        hook(allowed="").carry(receiver.url, {}, MESSAGE)
    assert error.value.lasting
    with pytest.raises(Undelivered, match="may no longer send notifications"):
        hook(hosts="example.org").carry(receiver.url, {}, MESSAGE)
    assert receiver.got == []


@pytest.mark.deep
def test_the_error_names_a_service_that_is_unreachable_or_refuses(receiver: Receiver) -> None:
    pytest.importorskip("apprise")
    service = Service(Outside(services=frozenset({"json"})))
    service.carry(receiver.url.replace("http", "json"), {}, MESSAGE)
    assert len(receiver.got) == 1
    receiver.status = 403
    for address in (receiver.url.replace("http", "json"), f"json://127.0.0.1:{dead_port()}"):
        with pytest.raises(Undelivered, match=r"^json could not be reached, or did not accept the message$"):
            service.carry(address, {}, MESSAGE)


@pytest.mark.parametrize(
    "location", ["http://169.254.169.254/latest", "http://127.0.0.1:1/", "http://[::1]/", "http://10.0.0.1/"]
)
def test_redirects_are_not_followed(receiver: Receiver, location: str) -> None:
    receiver.status, receiver.location = 302, location
    with pytest.raises(Undelivered, match="does not follow redirects") as error:
        hook().carry(receiver.url, {}, MESSAGE)
    assert error.value.lasting
    assert len(receiver.got) == 1


@pytest.mark.parametrize(
    ("status", "lasting"),
    [(404, True), (410, True), (401, True), (413, True), (429, False), (500, False), (503, False)],
)
def test_the_http_status_decides_whether_a_failure_is_lasting(
    receiver: Receiver, status: int, lasting: bool
) -> None:
    receiver.status = status
    with pytest.raises(Undelivered) as error:
        hook().carry(receiver.url, {}, MESSAGE)
    assert error.value.lasting is lasting


def test_an_unreachable_address_is_reported_at_once() -> None:
    with stopwatch(30), pytest.raises(Undelivered, match="can't be reached") as error:
        hook().carry(f"http://127.0.0.1:{dead_port()}/", {}, MESSAGE)
    assert not error.value.lasting


@pytest.mark.parametrize("way", ["silent", "drips"])
def test_a_slow_receiver_is_cut_off_at_the_time_limit(receiver: Receiver, way: str) -> None:
    setattr(receiver, way, True)
    with stopwatch(30), pytest.raises(Undelivered, match="in time") as error:
        hook(seconds=0.4).carry(receiver.url, {}, MESSAGE)
    assert not error.value.lasting


# --- over TLS -----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_certificate(tmp_path_factory.mktemp("tls"))


def test_a_tls_certificate_must_match_the_host_name(names: dict[str, list[str]], certificate: Path) -> None:
    receiver = Receiver(certificate)
    try:
        names["hook.example"] = names["other.example"] = ["127.0.0.1"]
        sender = Sender(
            read_allowed("127.0.0.1"), seconds=5, tls=ssl.create_default_context(cafile=str(certificate))
        )
        assert sender.post(read_place(f"https://hook.example:{receiver.port}/"), {}, b"{}").status == 200
        with pytest.raises(NotReachable, match=r"certificate of other\.example"):
            sender.post(read_place(f"https://other.example:{receiver.port}/"), {}, b"{}")
        with pytest.raises(NotReachable, match="certificate"):
            Sender(read_allowed("127.0.0.1")).post(
                read_place(f"https://hook.example:{receiver.port}/"), {}, b""
            )
        assert len(receiver.got) == 1
    finally:
        receiver.close()


def test_a_tls_handshake_without_an_answer_times_out() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        place = read_place(f"https://127.0.0.1:{silent.getsockname()[1]}/")
        with stopwatch(30), pytest.raises(NotReachable, match="in time"):
            Sender(read_allowed("127.0.0.1"), seconds=0.4).post(place, {}, b"")
