"""The page that verifies a record in the browser has the same findings as `spelunke verify`, at the same ply."""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from spelunke.records.claims import Kept
from spelunke.records.fairness import verify
from spelunke.records.record import parse_record, write_record
from spelunke.records.sealing import sign
from spelunke.records.signing import Signer, words_of

from .conftest import Guest, Server
from .test_live import Web

sys.path.insert(0, str(Path(__file__).parents[1] / "records"))
from random_games import SIGNER, sealed_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="module")
def played(server: Server) -> dict[str, Any]:
    """Return the record of some rounds between two people, one of whom then resigned."""
    web = Web(server)
    anna, bert = Guest(web), Guest(web, "Bert")
    table = anna.table("me", "open")
    bert.post(f"/tables/{table}/join", {})
    for guest in (anna, bert):
        guest.post(f"/tables/{table}/nonce", {"nonce": f"share-of-{guest.token[:4]}".replace(".", "")})
    for turn in range(60):
        look = anna.wait(table, lambda look: look["status"] == "playing" and look["actors"])
        guest = (anna, bert)[look["actors"][0]]
        look = guest.look(table)
        move = look["legal"][turn % len(look["legal"])]["text"]
        assert guest.play(table, move, look["ply"]).status_code == 200
    anna.post(f"/tables/{table}/resign", {"key": "enough-now"})
    record: dict[str, Any] = anna.get(f"/tables/{table}/record").json()
    web.http.close()
    return record


def first(record: dict[str, Any], word: str, after: int = 0) -> int:
    """Return the number of the first ply of chance, from `after` on, whose text begins with `word`."""
    return next(
        n for n, ply in enumerate(record["plies"]) if n >= after and ply[0] == -1 and ply[1].startswith(word)
    )


def change_roll(record: dict[str, Any]) -> int:
    ply = first(record, "dice", 30)
    record["plies"][ply][1] = "dice 1 2" if record["plies"][ply][1] != "dice 1 2" else "dice 3 4"
    return ply


def change_card(record: dict[str, Any]) -> int:
    ply = first(record, "deal", 2)
    other = first(record, "deal", ply + 4)
    card = "deal red 4" if record["plies"][ply][1] != "deal red 4" else "deal red 3"
    record["plies"][ply][1] = record["plies"][other][1] = card
    return ply


def change_share(record: dict[str, Any]) -> int:
    ply = first(record, "dice", 20)
    low, high, total = record["plies"][ply][3]
    record["plies"][ply][3] = [0, low, total] if low else [high, total, total]
    return ply


def change_seed(record: dict[str, Any]) -> None:
    seed = record["fairness"]["seed"]
    record["fairness"]["seed"] = seed[:-1] + ("0" if seed[-1] != "0" else "1")


def change_nonce(record: dict[str, Any]) -> None:
    record["fairness"]["nonces"][1] += "x"


def change_move(record: dict[str, Any]) -> int:
    """Change the time of a move and of all later ones; return the ply of the move."""
    ply = next(n for n, one in enumerate(record["plies"]) if n > 30 and one[0] >= 0)
    for later in record["plies"][ply:]:
        later[2] += 1
    return ply


def cut_short(record: dict[str, Any]) -> None:
    record["plies"] = record["plies"][:-6]
    record["result"]["ply"] -= 6
    record["proof"]["notes"] = [[len(record["plies"]) + 1, *record["proof"]["notes"][-1][1:]]]


def change_loser(record: dict[str, Any]) -> None:
    record["result"] |= {"seat": 1, "ranks": [1, 2]}


def change_commitment(record: dict[str, Any]) -> None:
    record["fairness"]["commitment"] = "0" * 64


def judge(page: Page, record: dict[str, Any]) -> tuple[str, str]:
    """Return the page's verdict, and its sentence."""
    page.locator("#ask").uncheck()
    page.locator("#verdict").evaluate("place => { place.replaceChildren(); delete place.dataset.verdict; }")
    page.locator("#file").set_input_files(
        {"name": "record.json", "mimeType": "application/json", "buffer": json.dumps(record).encode()}
    )
    expect(page.locator("#verdict[data-verdict]")).not_to_be_empty()
    return page.locator("#verdict").get_attribute("data-verdict") or "", page.locator("#verdict").inner_text()


@pytest.mark.deep
@pytest.mark.parametrize("own", [False, True], ids=["webcrypto", "own digest"])
def test_the_page_names_the_place_of_each_change_in_a_record(
    browser: Browser, server: Server, played: dict[str, Any], own: bool
) -> None:
    context = browser.new_context()
    page = context.new_page()
    if own:
        page.add_init_script("Object.defineProperty(Crypto.prototype, 'subtle', {get: () => undefined})")
    page.goto(server.url + "/verify")
    assert page.evaluate("Boolean(crypto.subtle)") is not own
    verdict, text = judge(page, played)
    # Without WebCrypto, as on plain http, signatures can't be checked.
    assert verdict == ("unproven" if own else "fair"), text
    assert verify(parse_record(json.dumps(played)), Kept(key=played["proof"]["key"])).verdict == "fair"
    changes: tuple[tuple[Callable[[dict[str, Any]], int | None], str], ...] = (
        (change_roll, "ply"),
        (change_card, "ply"),
        (change_share, "ply"),
        (change_seed, "fairness.seed"),
        (change_nonce, "fairness.nonces"),
        (change_commitment, "fairness.commitment"),
        (change_move, "ply"),
        (cut_short, "ply"),
        (change_loser, "did not end as the result says"),
    )
    for change, place in changes:
        record = copy.deepcopy(played)
        change(record)
        verdict, text = judge(page, record)
        assert verdict == "altered", f"{change.__name__}: {text}"
        assert place in text
        theirs = verify(parse_record(json.dumps(record))).deviation
        assert theirs
        if change is change_commitment:
            assert theirs.place == place
        elif change is change_loser:
            assert theirs.place == "result.seat"
        else:
            assert f"ply {theirs.ply}" in text, f"{change.__name__}: {text} / {theirs}"
    context.close()


def test_invalid_records_are_never_called_fair(
    browser: Browser, server: Server, played: dict[str, Any]
) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(server.url + "/verify")
    for bad in ({}, [], {**played, "format": "other"}, {**played, "plies": [1]}):
        assert judge(page, bad)[0] == "unread"
    unproven = copy.deepcopy(played)
    unproven["fairness"]["seed"] = None
    assert judge(page, unproven)[0] == "altered", "the house signed it with its seed"
    unproven |= {"format": "spelunke-record-1", "proof": None}
    assert judge(page, unproven)[0] == "unproven"
    context.close()


def test_the_page_verifies_a_record_without_a_connection(
    browser: Browser, server: Server, played: dict[str, Any]
) -> None:
    """If the connection is cut after the page has loaded, the result is the same."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(server.url + "/verify")
    page.locator("#file").wait_for()
    context.set_offline(True)
    assert judge(page, played)[0] == "fair"
    record = copy.deepcopy(played)
    ply = change_roll(record)
    verdict, text = judge(page, record)
    assert verdict == "altered"
    assert f"ply {ply}" in text
    context.close()


def states(page: Page) -> dict[str, str]:
    found: dict[str, str] = page.locator("#verdict > .claims dt").evaluate_all(
        "all => Object.fromEntries(all.map(one => [one.dataset.claim, one.dataset.state]))"
    )
    return found


def test_the_page_says_what_is_proven(browser: Browser, server: Server, played: dict[str, Any]) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(server.url + "/verify")
    page.locator("#file").wait_for()
    assert page.locator("#house-key").inner_text() == played["proof"]["key"]
    head = played["proof"]["heads"][1]
    page.locator("#kept").fill(words_of(bytes.fromhex(head["link"])))
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator("#ask").uncheck()
    page.evaluate("scrollTo(0, 0)")
    assert judge(page, played)[0] == "fair"
    expect(page.locator(".verdict")).to_be_in_viewport(ratio=1)
    due = dict.fromkeys(("chance", "moves", "result", "kept"), "proven")
    assert states(page) == {**due, "nonces": "not proven", "rules": "not proven"}
    known = Kept(key=played["proof"]["key"])
    theirs = {claim.claim: claim.state for claim in verify(parse_record(json.dumps(played)), known).claims}
    assert {name: theirs[name] for name in ("chance", "nonces", "moves", "result")} == {
        name: states(page)[name] for name in ("chance", "nonces", "moves", "result")
    }
    foreign = sign(parse_record(json.dumps(played)), Signer(bytes(32)))
    verdict, text = judge(page, json.loads(write_record(foreign)))
    assert verdict == "unproven"
    assert "can't check which outcome belongs" in text
    assert {states(page)[name] for name in ("nonces", "moves", "result")} == {"not proven"}
    unsigned = copy.deepcopy(played)
    unsigned["proof"] |= {"signature": None, "key": None}
    unsigned["proof"]["nonces"] = [
        [commitment, "committed"] for commitment, _how in unsigned["proof"]["nonces"]
    ]
    page.locator("#kept").fill("")
    assert judge(page, unsigned)[0] == "unproven"
    assert "proven" not in states(page).values()
    # Nothing ties the links in an unsigned record to its moves, so words that agree with such a link prove nothing.
    page.locator("#kept").fill(words_of(bytes.fromhex(head["link"])))
    assert judge(page, unsigned)[0] == "unproven"
    assert states(page)["kept"] == "not proven"
    assert judge(page, json.loads(write_record(foreign)))[0] == "unproven"
    assert states(page)["kept"] == "not proven"
    page.locator("#kept").fill("zoo zoo zoo zoo zoo zoo")
    verdict, text = judge(page, played)
    assert verdict == "altered"
    assert "your page showed you something else" in text
    right = words_of(bytes.fromhex(head["link"])).split()
    for wrong, said in (
        ("what is this", "entered: 3. Enter all six words"),
        (" ".join(right[:5]), "entered: 5. Enter all six words"),
        (" ".join([*right[:5], "motoin"]), "“motoin” is not one of the words"),
        ("{ cut off", "can't read the words"),
    ):
        page.locator("#kept").fill(wrong)
        assert judge(page, played)[0] == "unread"
        verdict, text = ask(page, played)
        assert verdict == "unread"
        assert said in text
        assert states(page) == {}, "a verdict would look as if it had compared the words"
    page.locator("#kept").fill(", ".join(right[:3]).title() + ",\n" + " ".join(right[3:]) + ".")
    assert judge(page, played)[0] == "fair"
    assert states(page)["kept"] == "proven"
    old = {**copy.deepcopy(played), "format": "spelunke-record-1"}
    del old["proof"]
    page.locator("#kept").fill("")
    assert judge(page, old)[0] == "unproven"
    assert "proven" not in states(page).values()
    context.close()


@pytest.mark.deep
def test_the_page_checks_the_origin_of_a_continued_game_against_its_chain(
    browser: Browser, server: Server, played: dict[str, Any]
) -> None:
    web = Web(server)
    guest = Guest(web)
    table = guest.post(f"/tables/{played['table']}/play-on", {"ply": 30}).json()["table"]
    guest.post(f"/tables/{table}/nonce", {"nonce": "a-share"})
    guest.wait(table, lambda look: look["status"] == "playing")
    guest.post(f"/tables/{table}/resign", {"key": "enough-now"})
    record: dict[str, Any] = guest.get(f"/tables/{table}/record").json()
    web.http.close()
    assert record["origin"]["chained"]
    context = browser.new_context()
    page = context.new_page()
    page.goto(server.url + "/verify")
    verdict, text = judge(page, record)
    known = Kept(key=record["proof"]["key"])
    assert verdict == verify(parse_record(json.dumps(record)), known).verdict == "fair", text
    assert states(page)["moves"] == states(page)["result"] == "proven"
    record["origin"]["ply"] += 1
    assert judge(page, record)[0] == "altered"
    assert states(page)["moves"] == "contradicted"
    context.close()


def ask(page: Page, record: dict[str, Any]) -> tuple[str, str]:
    """Let the page ask the house about the record. Return the verdict and the notices that the page then shows."""
    page.locator("#ask").check()
    page.locator("#verdict").evaluate("place => { place.replaceChildren(); delete place.dataset.verdict; }")
    page.locator("#file").set_input_files(
        {"name": "record.json", "mimeType": "application/json", "buffer": json.dumps(record).encode()}
    )
    expect(page.locator("#verdict[data-verdict]")).not_to_be_empty()
    notices = page.locator("#verdict > .notice").all_inner_texts()
    return page.locator("#verdict").get_attribute("data-verdict") or "", "\n".join(notices)


@pytest.mark.deep
def test_words_are_not_called_wrong_without_the_list_of_words(
    browser: Browser, server: Server, played: dict[str, Any]
) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.route("**/verify/words.json", lambda route: route.abort())
    page.goto(server.url + "/verify")
    page.locator("#kept").fill(words_of(bytes.fromhex(played["proof"]["heads"][1]["link"])))
    assert judge(page, played)[0] == "fair"
    assert states(page)["kept"] == "not proven"
    page.unroute("**/verify/words.json")
    judge(page, played)
    assert states(page)["kept"] == "proven", "the page asks again"
    context.close()


@pytest.mark.deep
def test_the_house_replays_by_the_rules_what_the_browser_cannot_judge(
    browser: Browser, server: Server, played: dict[str, Any]
) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(server.url + "/verify")
    bare = {**copy.deepcopy(played), "format": "spelunke-record-1", "proof": None}
    ply = next(n for n, entry in enumerate(bare["plies"]) if entry[0] >= 0)
    bare["plies"][ply][0] = 1 - bare["plies"][ply][0]
    assert judge(page, bare)[0] == "unproven", "without a chain only the rules contradict it"
    verdict, text = ask(page, bare)
    theirs = verify(parse_record(json.dumps(bare)), Kept(key=played["proof"]["key"]))
    assert (verdict, text) == ("altered", theirs.text)
    assert page.locator("#verdict").get_attribute("data-ply") == str(ply)
    assert page.locator(".own-verdict").get_attribute("data-verdict") == "unproven"
    head = played["proof"]["heads"][1]
    page.locator("#kept").fill(words_of(bytes.fromhex(head["link"])))
    assert ask(page, played)[0] == "fair"
    assert states(page) == dict.fromkeys(("chance", "rules", "moves", "result", "kept"), "proven") | {
        "nonces": "not proven"
    }
    assert ask(page, {**played, "format": "other"})[0] == "unread"
    context.close()


@pytest.mark.deep
def test_the_house_replays_the_record_of_a_browser_that_cannot_compress(
    browser: Browser, server: Server, played: dict[str, Any]
) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script("delete window.CompressionStream")
    page.goto(server.url + "/verify")
    assert ask(page, played)[0] == "fair"
    assert states(page)["rules"] == "proven", "only the server knows the rules"
    context.close()


@pytest.mark.deep
def test_a_house_that_cannot_or_will_not_judge_leaves_the_browsers_verdict(
    browser: Browser, server: Server, played: dict[str, Any]
) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(server.url + "/verify?table=running")
    answers: list[dict[str, Any]] = []
    page.route("**/record.json", lambda route: route.fulfill(**answers[0]) if answers else route.abort())
    page.locator("#fetch").click()
    page.get_by_text("The server can't be reached.", exact=True).wait_for()
    answers.append({"status": 409, "json": {"error": "not_now", "message": "The game is not over yet."}})
    page.locator("#fetch").click()
    page.get_by_text("The game is not over yet.", exact=True).wait_for()
    answers.clear()
    page.route("**/api/v1/verdicts", lambda route: route.fulfill(**answers[0]) if answers else route.abort())
    verdict, text = ask(page, played)
    assert verdict == "fair"
    assert "could not replay this record: the server can't be reached" in text
    answers.append({"status": 429, "json": {"error": "too_many_tries", "message": "Wait a minute."}})
    verdict, text = ask(page, played)
    assert verdict == "fair"
    assert "could not replay this record: Wait a minute." in text
    answers[0] = {
        "status": 200,
        "json": {"verdict": "fair", "text": "Fair.", "claims": [], "deviation": None},
    }
    forged = copy.deepcopy(played)
    ply = change_roll(forged)
    verdict, text = ask(page, forged)
    assert verdict == "altered", "a house can't talk a browser out of what it has computed"
    assert f"ply {ply}" in text
    assert "This browser and the server disagree. The server says: Fair." in text
    context.close()


HONEST: tuple[tuple[str, int, dict[str, object]], ...] = (
    ("halunken", 2, {}),
    ("halunken", 2, {"match": "3"}),
    ("halunken", 4, {}),
    ("sanghai", 4, {}),
    ("shanghaien", 2, {}),
    ("shanghaien", 2, {"match": "best_of_three"}),
    ("sanghai", 3, {"hep_tie": "random"}),
)


@pytest.fixture
def house_page(browser: Browser, server: Server) -> Iterator[Page]:
    """Yield the page of the house whose key signs the records of these tests."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(server.url + "/verify")
    page.locator("#file").wait_for()
    page.locator("#verify").evaluate("(place, key) => { place.dataset.key = key; }", SIGNER.public)
    yield page
    context.close()


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("game", "seats", "options"), [*HONEST[:-1], pytest.param(*HONEST[-1], marks=pytest.mark.deep)]
)
def test_page_and_command_call_honest_records_fair(
    house_page: Page, game: str, seats: int, options: dict[str, object]
) -> None:
    # test_verdicts.py verifies many more of each game; a record of Sanghai takes seconds.
    for seed in range(1, {"halunken": 7 if (seats, options) == (2, {}) else 3, "sanghai": 2}.get(game, 3)):
        record = sealed_of(game, seed, seats=seats, options=tuple(options.items()))
        verdict, text = judge(house_page, json.loads(write_record(record)))
        theirs = verify(record, Kept(key=SIGNER.public))
        assert verdict == theirs.verdict == "fair", (seed, text)
        found = states(house_page)
        for claim in theirs.claims:
            if claim.claim not in {"rules", "kept"}:
                assert found[claim.claim] == claim.state, (seed, claim)


@pytest.mark.deep
@pytest.mark.parametrize(("game", "seats", "options"), HONEST[:4])
def test_a_forgery_of_outcomes_is_named_or_said_to_be_not_proven(
    house_page: Page, game: str, seats: int, options: dict[str, object]
) -> None:
    """If an outcome is changed, but not its share (interval of random numbers), the page names the ply of the outcome.

    It finds the ply by the proof's links (hashes). Without a proof, the page says that it can't check the outcome.
    """
    honest = sealed_of(game, 1, seats=seats, options=tuple(options.items()))
    plain = json.loads(write_record(honest))
    plies = [n for n, ply in enumerate(plain["plies"]) if ply[0] == -1]
    for ply in plies[:: max(1, len(plies) // 3)]:
        forged = copy.deepcopy(plain)
        others = [one[1] for one in plain["plies"] if one[0] == -1 and one[1] != plain["plies"][ply][1]]
        forged["plies"][ply][1] = others[0]
        verdict, text = judge(house_page, forged)
        assert verdict == "altered"
        assert f"ply {ply}" in text
        assert verify(parse_record(json.dumps(forged))).verdict == "altered"
        bare = {**forged, "format": "spelunke-record-1"}
        del bare["proof"]
        verdict, text = judge(house_page, bare)
        assert verdict == "unproven", text
        assert "can't check which outcome belongs" in text
