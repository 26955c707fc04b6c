"""The checks before every request, and the secrecy of data."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import spelunke.web
from spelunke.web.app import create_app
from spelunke.web.limits import HEALTH_PER_MINUTE
from spelunke.web.pages import local
from spelunke.web.settings import BadSetting, read_settings
from spelunke.web.words import languages

from .conftest import AS_HOST, GAME, Guest, cards_of, make_settings, open_stream, to_sealed_cards


def test_headers_are_strict_on_every_answer(client: TestClient) -> None:
    for path in ("/", "/nope", "/api/v1/games", "/health", "/api/v1/tables/nowhere123"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"


def test_no_answer_that_depends_on_cookies_is_stored(client: TestClient) -> None:
    """A browser repeats a stored redirect if its reader goes back, even if the cookies are different now."""
    moved = [client.get(path) for path in ("/me/account", "/me/notifications", "/problems/halunken/today")]
    moved += [client.post("/tables", data={"game": GAME, "quick": "here", "names": "Bert"})]
    moved += [client.post("/me/theme", data={"theme": "dark"}), client.post("/me", data={"name": "Anna"})]
    place = moved[3].headers["location"]
    assert {answer.status_code for answer in moved} == {302, 303}
    for answer in (*moved, client.get("/api/v1/me"), client.get(place), client.get("/nope")):
        assert answer.headers["cache-control"] == "no-store", answer.url


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({"sec-fetch-site": "same-origin"}, True),
        ({"sec-fetch-site": "none"}, True),
        ({"sec-fetch-site": "same-site"}, False),
        ({"sec-fetch-site": "cross-site"}, False),
        ({"sec-fetch-site": "cross-site", "origin": "http://testserver"}, False),
        ({"origin": "http://testserver"}, True),
        ({"origin": "https://evil.example"}, False),
        ({"origin": "null"}, False),
        ({}, True),
    ],
)
def test_other_sites_can_change_nothing(client: TestClient, headers: dict[str, str], allowed: bool) -> None:
    answer = client.post("/tables", data={"game": GAME, "quick": "link"}, headers=headers)
    assert answer.status_code == (303 if allowed else 403)
    assert client.get("/", headers=headers).status_code == 200, "reading is never refused"


def test_the_cookie_of_a_guest(client: TestClient) -> None:
    answer = client.post("/tables", data={"game": GAME, "quick": "link"})
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    secure = client.post("https://testserver/tables", data={"game": GAME, "quick": "link"})
    assert "Secure" in secure.headers["set-cookie"]


def test_hidden_facts_are_never_revealed(
    client: TestClient, anna: Guest, bert: Guest, game_for_two: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The seed, people's ids and tokens are in no page, answer, stream or log before the game is over."""
    told = []
    streams = (f"/t/{game_for_two}/stream", f"/api/v1/tables/{game_for_two}/stream")
    for guest in (anna, bert, None):
        for path in streams:
            head, came = open_stream(client, path, authorization=f"Bearer {guest.token}" if guest else "")
            assert head["status"] == 200
            assert "data:" in came
            told.append(came)
        client.cookies.clear()
        if guest:
            client.cookies.set("guest", guest.token)
        told.append(client.get(f"/t/{game_for_two}").text)
        told.append(client.get(f"/api/v1/tables/{game_for_two}").text)
        told.append(client.get("/metrics", headers=AS_HOST).text)
        told.append(client.get(f"/t/{game_for_two}/record.json").text)
    client.cookies.clear()
    assert anna.post(f"/tables/{game_for_two}/resign", {"key": "give-it-up"}).status_code == 200
    seed = anna.look(game_for_two)["fairness"]["seed"]
    assert re.fullmatch("[0-9a-f]{64}", seed)
    out = capsys.readouterr()
    told += [out.out, out.err]
    ids = [client.app.state.site.read_token(guest.token) for guest in (anna, bert)]  # type: ignore[attr-defined]
    for text in told:
        assert seed not in text
        for guest, ident in zip((anna, bert), ids, strict=True):
            assert guest.token not in text
            assert ident
            assert ident not in text


def test_other_seats_choices_do_not_change_what_a_spectator_gets(
    client: TestClient, anna: Guest, bert: Guest, hold_clock: Callable[[], None]
) -> None:
    """A sealed card changes no byte of the page for another seat, and no byte of its messages."""
    table = to_sealed_cards(anna, bert)

    def told(guest: Guest | None) -> list[str]:
        """Return page, look (state of the table) and streams, without the parts that change with each request."""
        client.cookies.clear()
        headers = guest.headers if guest else {}
        page = client.get(f"/t/{table}", headers=headers).text
        look = client.get(f"/api/v1/tables/{table}", headers=headers).text
        assert "beginner" in look
        streams = [
            open_stream(client, path, **headers)[1]
            for path in (f"/t/{table}/stream", f"/api/v1/tables/{table}/stream")
        ]
        assert all("data:" in came for came in streams)
        return [
            re.sub(r'nonce-[^"]*|name="key" value="[^"]*"|"now_ms":\d+', "", text.replace('\\"', '"'))
            for text in (page, look, *streams)
        ]

    hold_clock()
    for guest in (None, bert, anna):
        told(guest)  # from now on, each stream was open once, so presence stays the same
    first, *_, last = cards_of(anna, table)
    assert anna.play(table, first, anna.look(table)["ply"]).status_code == 200
    before = [told(guest) for guest in (None, bert, anna)]
    assert anna.play(table, last, anna.look(table)["ply"]).status_code == 200
    after = [told(guest) for guest in (None, bert, anna)]
    assert after[:2] == before[:2]
    assert after[2] != before[2], "who sealed it sees which it is"


def test_a_secret_is_made_once_and_kept(tmp_path: Path) -> None:
    environ = {"SPELUNKE_DATABASE": f"sqlite:///{tmp_path / 'deep' / 'h.sqlite3'}"}
    first = read_settings(environ)
    assert len(first.secret) >= 32
    assert read_settings(environ).secret == first.secret
    file = tmp_path / "deep" / "h.sqlite3.secret"
    assert file.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(
    ("environ", "name"),
    [
        ({"SPELUNKE_PORT": "many"}, "SPELUNKE_PORT"),
        ({"SPELUNKE_DATABASE": "postgresql://h/d"}, "SPELUNKE_SECRET"),
        (
            {"SPELUNKE_LOG_LEVEL": "loud", "SPELUNKE_DATABASE": "sqlite://"},
            "SPELUNKE_LOG_LEVEL.*choose one of",
        ),
        ({"SPELUNKE_SECRET": "short", "SPELUNKE_DATABASE": "sqlite://"}, "SPELUNKE_SECRET"),
        ({"SPELUNKE_BOT_PAUSE": "soon", "SPELUNKE_DATABASE": "sqlite://"}, "SPELUNKE_BOT_PAUSE"),
    ],
)
def test_settings_that_cannot_be_used_are_named(environ: dict[str, str], name: str) -> None:
    with pytest.raises(BadSetting, match=name):
        read_settings(environ)


def test_given_settings_win_over_the_environment(tmp_path: Path) -> None:
    environ = {"SPELUNKE_PORT": "1234", "SPELUNKE_DATABASE": f"sqlite:///{tmp_path / 'h'}", "OTHER": "x"}
    assert read_settings(environ).port == 1234
    assert read_settings(environ, port=4321, host=None).port == 4321


def test_language_by_browser_and_cookie(client: TestClient) -> None:
    answer = client.get("/", headers={"accept-language": "xx;q=0.9, en;q=nonsense, de-AT;q=0.5"})
    assert answer.headers["content-language"] == ("de" if "de" in languages() else "en")
    assert (
        client.get("/", headers={"accept-language": "de;q=0, fi;q=0.1"}).headers["content-language"] == "fi"
    )
    for wanted in ("fi; q=0.9", "fi;Q=0.9, de;q=0.5", "en;q=0.1 , FI ; q = 0.5", "de ; q=0, fi"):
        assert client.get("/", headers={"accept-language": wanted}).headers["content-language"] == "fi"
    assert client.post("/me/language", data={"language": "xx"}).status_code == 400
    assert client.post("/me/language", data={"language": "en", "back": "/me"}).status_code == 303


def test_a_new_language_needs_only_a_catalogue(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from babel.messages.catalog import Catalog
    from babel.messages.mofile import write_mo

    from spelunke.web import words

    catalogue = Catalog(locale="fi")
    catalogue.add("Play a bot", "Pelaa bottia vastaan")
    file = tmp_path / "fi" / "LC_MESSAGES" / "messages.mo"
    file.parent.mkdir(parents=True)
    with file.open("wb") as out:
        write_mo(out, catalogue)
    monkeypatch.setattr(words, "LOCALE", tmp_path)
    monkeypatch.setattr(words.translate, "_folder", tmp_path)
    page = client.get("/", headers={"accept-language": "sv, fi-FI;q=0.8, en;q=0.5"})
    assert page.headers["content-language"] == "fi"
    assert '<html lang="fi"' in page.text
    assert "Pelaa bottia vastaan" in page.text
    assert client.post("/me/language", data={"language": "en"}).status_code == 303
    assert "Play a bot" in client.get("/", headers={"accept-language": "fi"}).text, "the cookie wins"


BACKS = (
    "/\t/elsewhere.example/",
    "/\n/elsewhere.example/",
    "/\r/elsewhere.example/",
    "/\x00/elsewhere.example/",
    "/ /elsewhere.example/",
    "//elsewhere.example/",
    "/\\elsewhere.example/",
    "/me\\elsewhere.example",
    "/\x7f/elsewhere.example/",
    "/\u2028/elsewhere.example/",
    "/\u00a0/elsewhere.example/",
    "https://elsewhere.example/",
    "javascript:alert(1)",
    "me",
    "",
)


@pytest.mark.parametrize("back", BACKS)
def test_an_address_of_another_site_is_replaced_by_the_default(back: str) -> None:
    assert local(back, "/me") == "/me"


@pytest.mark.parametrize("back", ["/", "/me?new=1", "/t/abc#board", "/house/people/~%C3%A4", "/a//b"])
def test_addresses_of_this_site_are_accepted(back: str) -> None:
    assert local(back, "/me") == back


@pytest.mark.sampled(3)
@pytest.mark.usefixtures("quick_passwords")
@pytest.mark.parametrize("back", BACKS[:6])
def test_no_page_leads_out_of_the_house(client: TestClient, back: str) -> None:
    page = client.get("/login", params={"back": back})
    assert "elsewhere" not in page.text
    client.post("/member", data={"name": "Anna", "password": "lantern mussel quarry tin"})
    given = {"password": "lantern mussel quarry tin", "back": back}
    for path, form in (("/me/confirm", given), ("/login", given | {"name": "Anna"})):
        assert client.post(path, data=form).headers["location"] in {"/me", "/me/account"}
    # a form accepts more than an address does
    assert client.post("/me/theme", data={"theme": "dark", "back": back}).headers["location"] == "/"


TAKEN = re.compile(r"""(?:\.get\("back"|\bgiven\.back\b)""")


def test_every_module_checks_the_addresses_to_return_to() -> None:
    lines = [
        (file.name, line.strip())
        for file in sorted(Path(spelunke.web.__file__).parent.glob("*.py"))
        for line in file.read_text(encoding="utf-8").splitlines()
        if TAKEN.search(line)
    ]
    assert len(lines) >= 8
    # This page passes the text on to a function that checks it.
    passed_on = ("entry_pages.py", "return await _log_in_page(")
    for file, line in lines:
        assert "local(" in line or (file == passed_on[0] and line.startswith(passed_on[1])), (file, line)


def test_health_has_a_limit_of_its_own_and_answers_in_json(tmp_path: Path) -> None:
    settings = make_settings(tmp_path, reads_per_minute=3)
    with TestClient(create_app(settings), follow_redirects=False) as client:
        assert [client.get("/").status_code for _ in range(4)][-1] == 429
        answers = [client.get("/health") for _ in range(HEALTH_PER_MINUTE + 1)]
    assert {answer.status_code for answer in answers[:-1]} == {200}
    assert answers[-1].status_code == 429
    assert answers[-1].headers["content-type"] == "application/json"
    assert answers[-1].json()["error"] == "status_429"
