"""Bad input gets one clear sentence and the right status, and the table stays as it was."""

from __future__ import annotations

import json
from typing import Any

import pytest
from starlette.testclient import TestClient

from .conftest import GAME, Guest, make_settings


def told(answer: Any, status: int, word: str = "") -> str:
    """Return the sentence of a refusal. Check its status and, if ``word`` is given, its error code."""
    assert answer.status_code == status, answer.text
    fault = answer.json()
    assert set(fault) == {"error", "message"}
    sentence: str = fault["message"]
    assert sentence[0] == sentence[0].upper()
    assert sentence[-1] in ".!?"
    assert "Traceback" not in sentence
    if word:
        assert fault["error"] == word
    return sentence


@pytest.mark.parametrize(
    ("options", "place"),
    [
        ({"colour": "red"}, "colour"),
        ({"tiebreak": "coin"}, "tiebreak"),
        ({"trick_split": "9/9/9"}, "trick_split"),
        ({"doubles_reroll": 7}, "doubles_reroll"),
        ({"match": None}, "match"),
    ],
)
def test_unknown_options_and_values(anna: Guest, options: dict[str, Any], place: str) -> None:
    answer = anna.post("/tables", {"game": GAME, "seats": ["me", "open"], "options": options})
    assert place in told(answer, 400, "bad_option")


def test_wrong_plans(anna: Guest) -> None:
    told(anna.post("/tables", {"game": "chess", "seats": ["me", "open"]}), 400, "unknown_game")
    told(anna.post("/tables", {"game": GAME, "seats": ["me", "open", "open"]}), 400)
    told(anna.post("/tables", {"game": GAME, "seats": ["me", "king"]}), 400)
    told(anna.post("/tables", {"game": GAME, "seats": ["me", "bot:nobody"]}), 400)
    told(anna.post("/tables", {"game": GAME, "seats": ["me", "open"], "secret": 1}), 400, "body_wrong")
    told(anna.post("/tables", {"game": GAME, "seats": ["me", "open"], "clock": {"minutes": -1}}), 400)


def test_illegal_stale_repeated_and_out_of_turn_moves_change_nothing(
    anna: Guest, bert: Guest, game_for_two: str
) -> None:
    table = game_for_two
    look = anna.look(table)
    move = look["legal"][0]["text"]
    act = f"/tables/{table}/act"
    told(
        anna.post(act, {"move": "fly to the moon", "ply": look["ply"], "key": "key-illegal"}), 400, "bad_text"
    )
    told(anna.post(act, {"move": "shanghai", "ply": look["ply"], "key": "key-too-soon"}), 409, "illegal_move")
    told(bert.post(act, {"move": move, "ply": look["ply"], "key": "key-of-bert"}), 409, "not_your_turn")
    told(anna.post(act, {"move": move, "ply": look["ply"] + 5, "key": "key-from-afar"}), 409, "stale")
    assert anna.look(table)["version"] == look["version"], "nothing has changed"

    first = anna.post(act, {"move": move, "ply": look["ply"], "key": "key-of-anna"})
    assert first.json()["status"] == "done"
    moved = anna.look(table)
    again = anna.post(act, {"move": move, "ply": look["ply"], "key": "key-of-anna"})
    assert again.status_code == 200
    assert again.json()["status"] == "repeated"
    told(anna.post(act, {"move": move, "ply": look["ply"], "key": "another-key"}), 409, "stale")
    assert len(anna.look(table)["log"]) == len(moved["log"])


def test_somebody_without_a_seat_changes_nothing(client: TestClient, anna: Guest, game_for_two: str) -> None:
    stranger = Guest(client, "Eve")
    look = anna.look(game_for_two)
    table = f"/tables/{game_for_two}"
    body = {"move": look["legal"][0]["text"], "ply": look["ply"], "key": "key-of-eve"}
    told(stranger.post(f"{table}/act", body), 403, "not_seated")
    told(stranger.post(f"{table}/resign", {"key": "key-of-eve"}), 403, "not_seated")
    told(stranger.post(f"{table}/draw", {"answer": "offer"}), 403, "not_seated")
    told(stranger.post(f"{table}/take-back", {"ply": look["ply"], "key": "key-of-eve"}), 403, "not_seated")
    told(stranger.post(f"{table}/stand-in", {}), 403, "not_seated")
    told(stranger.post(f"{table}/nonce", {"nonce": "eve"}), 409)
    assert anna.look(game_for_two)["version"] == look["version"]


def test_forged_and_foreign_cookies(client: TestClient, anna: Guest, game_for_two: str) -> None:
    look = anna.look(game_for_two)
    body = {"move": look["legal"][0]["text"], "ply": look["ply"], "key": "key-of-eve"}
    payload, dot, signature = anna.token.rpartition(".")
    for token in ("", "x", payload + dot + signature[::-1], payload, "é", "a.b.c", anna.token + "x"):
        answer = client.post(
            f"/api/v1/tables/{game_for_two}/act",
            json=body,
            headers={"authorization": f"Bearer {token}".encode("latin-1").decode("latin-1")}
            if token.isascii()
            else {"cookie": "guest=%C3%A9"},
        )
        told(answer, 401, "unknown_person")
    assert anna.look(game_for_two)["version"] == look["version"]


def test_unknown_tables_games_and_pages_are_not_found(client: TestClient, anna: Guest) -> None:
    told(anna.get("/tables/nowhere123"), 404, "unknown_table")
    told(anna.get("/tables/nowhere123/record"), 404, "unknown_table")
    told(anna.get("/tables/nowhere123/stream"), 404, "unknown_table")
    told(anna.get("/games/chess"), 404, "unknown_game")
    told(anna.get("/nothing"), 404, "not_found")
    told(
        anna.post("/tables/nowhere123/act", {"move": "roll", "ply": 0, "key": "12345678"}),
        404,
        "unknown_table",
    )
    for path in ("/t/nowhere123", "/t/nowhere123/stream", "/nope", "/j/nowhere123/x", "/new/chess", "/t/%00"):
        answer = client.get(path)
        assert answer.status_code == 404, path
        assert 'role="alert"' in answer.text


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'{"move": 1, "ply": 0, "key": "12345678"}',
        b'{"move": "roll"}',
        b"\xff\xfe",
        b"[" * 5000,
    ],
)
def test_malformed_bodies(anna: Guest, game_for_two: str, body: bytes) -> None:
    answer = anna.client.post(
        f"/api/v1/tables/{game_for_two}/act",
        content=body,
        headers={**anna.headers, "content-type": "application/json"},
    )
    told(answer, 400)


def test_bodies_of_the_wrong_type_are_refused(anna: Guest, client: TestClient, game_for_two: str) -> None:
    act = f"/api/v1/tables/{game_for_two}/act"
    told(anna.client.post(act, content=b"move=roll", headers=anna.headers), 415, "not_json")
    answer = client.post(f"/t/{game_for_two}/act", json={"move": "roll"})
    assert answer.status_code == 415
    for content in (b"%zz=%zz&\xff\xfe", b"&&&==", b""):
        answer = client.post(
            f"/t/{game_for_two}/act",
            content=content,
            headers={"content-type": "application/x-www-form-urlencoded"},
        )
        assert answer.status_code in (400, 401)
    answer = client.post(
        f"/t/{game_for_two}/act",
        content=b"--x\r\nbroken",
        headers={"content-type": "multipart/form-data; boundary=x"},
    )
    assert 400 <= answer.status_code < 500


def test_oversized_bodies(anna: Guest, client: TestClient, game_for_two: str) -> None:
    huge = json.dumps({"move": "x" * 100_000, "ply": 0, "key": "12345678"}).encode()
    headers = {**anna.headers, "content-type": "application/json"}
    act = f"/api/v1/tables/{game_for_two}/act"
    told(client.post(act, content=huge, headers=headers), 413)

    def drip() -> Any:
        for start in range(0, len(huge), 1000):
            yield huge[start : start + 1000]

    told(client.post(act, content=drip(), headers=headers), 413)
    told(client.post(act, content=b"", headers={**headers, "content-length": "-5"}), 400)


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    "charset",
    ["undefined", "punycode", "idna", "hex", "unicode_escape", "utf-16", "nope", "a\x00b", "", "x" * 300],
)
@pytest.mark.parametrize("kind", ["multipart/form-data; boundary=b", "application/x-www-form-urlencoded"])
def test_forms_in_other_encodings(client: TestClient, charset: str, kind: str) -> None:
    part = b'--b\r\nContent-Disposition: form-data; name="%s"\r\n\r\n%s\r\n'
    body = b"".join(part % field for field in ((b"game", GAME.encode()), (b"quick", b"link"))) + b"--b--\r\n"
    headers = {"content-type": f"{kind}; charset={charset}", "accept": "application/json"}
    told(client.post("/tables", content=body, headers=headers), 400, "charset_unknown")
    if kind.startswith("multipart"):
        for known in ("utf-8", "UTF-8", '"utf-8"', "iso-8859-1"):
            headers["content-type"] = f"{kind}; charset={known}"
            assert client.post("/tables", content=body, headers=headers).status_code == 303


def test_json_is_always_read_as_utf_8(client: TestClient) -> None:
    for charset in ("undefined", "punycode", "utf-16", "a\x00b"):
        headers = {"content-type": f"application/json; charset={charset}"}
        assert (
            client.post("/api/v1/guests", content=b'{"name": "Zo\xc3\xab"}', headers=headers).json()["name"]
            == "Zoë"
        )
        told(client.post("/api/v1/guests", content=b'{"name": "\xff"}', headers=headers), 400)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("length", "status"), [("1" * 5000, 413), ("9" * 19, 413), ("²", 400), ("-1", 400), ("1_0", 400)]
)
def test_a_malformed_or_huge_content_length_is_refused(client: TestClient, length: str, status: int) -> None:
    headers = {b"content-length": length.encode(), b"accept": b"application/json"}
    told(client.post("/tables", headers=headers), status)


def test_wrong_methods_name_the_right_ones(client: TestClient) -> None:
    answer = client.delete("/api/v1/tables/abc")
    told(answer, 405)
    assert set(answer.headers["allow"].split(", ")) >= {"GET"}
    answer = client.put("/api/v1/me")
    assert set(answer.headers["allow"].split(", ")) >= {"GET", "PATCH"}
    assert client.get("/tables").status_code == 405
    assert client.post("/").status_code == 405


@pytest.mark.sampled(3)
@pytest.mark.parametrize("nonce", ["", "has space", "x" * 65, "tab\there", "naïve", "\u0000"])
def test_nonces_of_the_wrong_form(anna: Guest, nonce: str) -> None:
    table = anna.table("me", "open")
    told(anna.post(f"/tables/{table}/nonce", {"nonce": nonce}), 400)
    assert anna.look(table)["fairness"]["nonces"][0] is None


@pytest.mark.parametrize("name", ["", "   ", "x" * 100])
def test_names_of_the_wrong_form(client: TestClient, anna: Guest, name: str) -> None:
    answer = anna.client.patch("/api/v1/me", json={"name": name}, headers=anna.headers)
    told(answer, 400)
    assert client.post("/me", data={"name": name}).status_code == 400


def test_requests_at_the_wrong_time_are_refused(anna: Guest, bert: Guest, game_for_two: str) -> None:
    table = f"/tables/{game_for_two}"
    told(anna.post(f"{table}/nonce", {"nonce": "late"}), 409, "not_now")
    assert anna.post(f"{table}/start").status_code == 200, "a late press has got what it wanted"
    told(anna.post(f"{table}/leave"), 409, "not_now")
    told(anna.post(f"{table}/rematch"), 409, "not_now")
    told(anna.post(f"{table}/draw", {"answer": "accept"}), 409, "not_now")
    told(anna.post(f"{table}/take-back", {"ply": 0, "key": "12345678"}), 409)
    told(anna.get(f"{table}/record"), 409, "not_now")


def test_a_refused_form_gets_its_error_as_a_page_or_a_fragment(
    client: TestClient, anna: Guest, game_for_two: str
) -> None:
    client.cookies.set("guest", anna.token)
    look = anna.look(game_for_two)
    form = {"move": "shanghai", "ply": str(look["ply"]), "key": "page-key-1"}
    fragment = client.post(f"/t/{game_for_two}/act", data=form, headers={"hx-request": "true"})
    assert fragment.status_code == 409
    assert fragment.text.startswith('<p class="notice bad">')
    page = client.post(f"/t/{game_for_two}/act", data=form)
    assert page.status_code == 409
    assert f'href="/t/{game_for_two}"' in page.text, "the way back to the table"
    missing = client.post(f"/t/{game_for_two}/act", data={"move": "roll"})
    assert missing.status_code == 400
    assert "&#39;ply&#39;" in missing.text
    wrong = client.post(f"/t/{game_for_two}/act", data={"move": "roll", "ply": "-1", "key": "page-key-2"})
    assert wrong.status_code == 400


def test_too_many_requests_in_a_short_time_are_refused(tmp_path: Any) -> None:
    from spelunke.web.app import create_app

    settings = make_settings(tmp_path, writes_per_minute=5, tables_per_hour=1)
    with TestClient(create_app(settings)) as client:
        guest = Guest(client)
        body = {"game": GAME, "seats": ["me", "open"]}
        assert guest.post("/tables", body).status_code == 201
        refused = guest.post("/tables", body)
        told(refused, 429)
        assert int(refused.headers["retry-after"]) > 0
        for _ in range(5):
            last = guest.post("/guests", {})
        told(last, 429)
        assert client.get("/health").status_code == 200, "it counts as reading"


def test_a_rematch_counts_toward_the_hourly_limit_of_tables(tmp_path: Any) -> None:
    from spelunke.web.app import create_app

    with TestClient(create_app(make_settings(tmp_path, tables_per_hour=3))) as client:
        guest, bert = Guest(client), Guest(client, "Bert")
        table = guest.table("me", "open")
        bert.post(f"/tables/{table}/join", {})
        assert guest.post(f"/tables/{table}/start").status_code == 200
        assert guest.post(f"/tables/{table}/resign", {"key": "i-give-it-up"}).status_code == 200
        again = guest.post(f"/tables/{table}/rematch").json()["table"]
        assert bert.post(f"/tables/{table}/rematch").json()["table"] == again
        told(guest.post(f"/tables/{table}/rematch"), 429)
        client.cookies.set("guest", guest.token)
        seek = "/seeks/anything/bots"
        for path in (f"/t/{table}/rematch", f"/t/{table}/play-on", seek, f"/api/v1/me{seek}"):
            assert client.post(path).status_code == 429, path
        told(guest.post(f"/tables/{table}/play-on", {"ply": 1}), 429)


def test_health_requests_rarely_query_the_store(tmp_path: Any) -> None:
    from spelunke.web.app import create_app

    app = create_app(make_settings(tmp_path, reads_per_minute=60))
    with TestClient(app) as client:
        house = app.state.site.house
        asked = []
        health = house.health
        house.health = lambda *problems: asked.append(1) or health(*problems)
        answers = [client.get("/health").status_code for _ in range(130)]
        assert answers[:120] == [200] * 120
        assert answers[120:] == [429] * 10, "it has a limit of its own"
        assert 1 <= len(asked) <= 5


def test_the_export_of_personal_data_has_a_limit_of_its_own(client: TestClient) -> None:
    for _ in range(20):
        assert client.get("/me/export.json").status_code == 401
    told(client.get("/me/export.json", headers={"accept": "application/json"}), 429)
    assert client.get("/verify").status_code == 200


def test_drafts_do_not_count_toward_the_limit_of_moves(tmp_path: Any) -> None:
    from spelunke.web.app import create_app

    with TestClient(create_app(make_settings(tmp_path, writes_per_minute=6, bot_pause=60.0))) as client:
        guest = Guest(client)
        table = guest.table("me", "bot:deckhand", options={"first_starter": 0})
        assert guest.post(f"/tables/{table}/nonce", {"nonce": "mine"}).status_code == 200
        look = guest.wait(table, lambda look: look["legal"])
        for _ in range(8):
            assert guest.post(f"/tables/{table}/draft", {"fields": {}}).status_code == 200
            page = client.post(f"/t/{table}/draft", data={"draft": "live"}, headers=guest.headers)
            assert page.status_code == 200
        assert guest.play(table, "roll", look["ply"]).status_code == 200
        crossed = {**guest.headers, "sec-fetch-site": "cross-site"}
        refused = client.post(f"/t/{table}/draft", data={"draft": "live"}, headers=crossed)
        assert refused.status_code == 403, "a draft is still no safe request"
