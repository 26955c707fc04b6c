"""The verification page itself replays a game by the rules, if the house has them as WebAssembly."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from compiling import library_folder, make_wasm, smallest
from golden import golden_files, read
from spelunke.ahead.link import NoCompiler
from spelunke.ahead.vocabulary import vocabulary_of
from spelunke.core.chance import Verifiable, commitment
from spelunke.games import find_game, shelf
from spelunke.games.match import Match
from spelunke.records.claims import Kept
from spelunke.records.fairness import decide, verify
from spelunke.records.record import parse_record
from spelunke.records.signing import words_of
from spelunke.web.modules import read_modules

from .conftest import Server, serve
from .test_verify import change_card, change_roll, judge, played, states

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["played"]
GAME = smallest()


@pytest.fixture(scope="module")
def module() -> Path:
    """Return the folder with the module of the game."""
    try:
        return make_wasm(GAME, library_folder()).parent
    except NoCompiler as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, module: Path) -> Iterator[Server]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPELUNKE_MODULES", str(module))
        with serve(tmp_path_factory.mktemp("house"), bot_pause=0.05) as server:
            yield server


def unchained(record: dict[str, Any]) -> dict[str, Any]:
    """Return a copy of the record in the first format, which has no proof.

    If a test changes a move of the copy, only the rules contradict the change.
    """
    return {**copy.deepcopy(record), "format": "spelunke-record-1", "proof": None}


@pytest.mark.deep
def test_the_browser_replays_by_the_rules(browser: Browser, server: Server, played: dict[str, Any]) -> None:
    context = browser.new_context()
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(server.url + "/verify")
    page.locator("#file").wait_for()
    assert not [url for url in asked if ".wasm" in url], "it is loaded when it is needed"
    verdict, text = judge(page, played)
    assert verdict == "fair", text
    assert states(page)["rules"] == states(page)["chance"] == "proven"
    assert "Your own browser replayed the game. Every move and every outcome of chance" in text
    assert f"Number of moves and outcomes: {len(played['plies'])}." in text
    assert [url for url in asked if ".wasm" in url]
    assert not [url for url in asked if "verdicts" in url]

    unsigned = {**played, "proof": {**played["proof"], "signature": None, "key": None}}
    page.locator("#kept").fill(words_of(bytes.fromhex(played["proof"]["heads"][1]["link"])))
    assert judge(page, unsigned)[0] == "unproven", "anybody can write these links into a record"
    page.locator("#kept").fill("")

    bare = unchained(played)
    assert judge(page, bare)[0] == "unproven", "nobody signed it"
    assert states(page)["rules"] == states(page)["chance"] == "proven"
    ply = next(n for n, entry in enumerate(bare["plies"]) if entry[0] >= 0)
    bare["plies"][ply][0] = 1 - bare["plies"][ply][0]
    verdict, text = judge(page, bare)
    assert verdict == "altered"
    assert "The rules do not allow" in text
    assert f"at ply {ply}." in text
    theirs = verify(parse_record(json.dumps(bare)), Kept(key=played["proof"]["key"])).deviation
    assert theirs
    assert theirs.ply == ply

    for change in (change_roll, change_card):
        forged = unchained(played)
        at = change(forged)
        for entry in forged["plies"]:
            del entry[3:]  # without shares only the rules know which outcome a number brings
        verdict, text = judge(page, forged)
        assert verdict == "altered", text
        assert f"ply {at}" in text or "do not allow" in text
        # the last outcome of an unfinished game: no later ply contradicts it
        forged |= {"plies": forged["plies"][: at + 1], "result": None, "finished": None}
        verdict, text = judge(page, forged)
        assert (verdict, states(page)["chance"]) == ("altered", "contradicted"), text
        assert f"ply {at}" in text
        honest = unchained(played) | {"plies": played["plies"][: at + 1], "result": None, "finished": None}
        assert judge(page, honest)[0] == "unproven"
        assert states(page)["chance"] == states(page)["rules"] == "proven"
    older = unchained(played) | {"rules": 99}
    verdict, text = judge(page, older)
    assert states(page)["rules"] == "not proven"
    assert "the game was played with version 99" in text
    context.close()


def finished(name: str) -> dict[str, Any]:
    """Return the record of a game that was played to its end by the rules."""
    game, seed = find_game(name), bytes(range(32))
    match, plies = Match(game), []
    chance = Verifiable(seed, "table9", ("", ""))
    while not match.over:
        if match.chance:
            ply = match.apply_chance(decide(match, chance))
        else:
            seat = match.actors[0]
            legal = match.legal(seat)
            ply = match.act(seat, legal[len(plies) * 7 % len(legal)])
        plies.append([ply.seat, ply.text, 10 * len(plies)])
    assert match.outcome
    return {
        "format": "spelunke-record-1",
        "game": name,
        "rules": game.version,
        "table": "table9",
        "created": "2026-11-21T14:00:00Z",
        "seats": [{"name": "Anna", "kind": "person"}, {"name": "Bert", "kind": "person"}],
        "options": {},
        "fairness": {"commitment": commitment(seed), "nonces": ["", ""], "seed": seed.hex()},
        "result": {
            "reason": "played",
            "ranks": list(match.outcome.ranks),
            "scores": list(match.outcome.scores),
            "ply": len(plies),
        },
        "plies": plies,
    }


def test_the_result_of_a_record_must_follow_from_the_rules(browser: Browser, server: Server) -> None:
    record = finished(GAME)
    assert verify(parse_record(json.dumps(record))).verdict == "unproven"
    context = browser.new_context()
    page = context.new_page()
    page.goto(server.url + "/verify")
    verdict, text = judge(page, record)
    assert (verdict, states(page)["rules"]) == ("unproven", "proven"), text
    assert "and the result follow the rules" in text
    other = copy.deepcopy(record)
    other["result"]["scores"][0] += 1
    verdict, text = judge(page, other)
    assert verdict == "altered"
    assert "The rules give the scores" in text
    short = copy.deepcopy(record)
    short["plies"] = short["plies"][:-2]
    assert judge(page, short)[0] == "altered"
    assert "the game is not over" in page.locator("#verdict").inner_text()
    context.close()


@pytest.mark.deep
def test_without_webassembly_the_house_judges_as_before(
    browser: Browser, server: Server, played: dict[str, Any]
) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script("delete globalThis.WebAssembly")
    page.goto(server.url + "/verify")
    assert judge(page, played)[0] == "fair"
    assert states(page)["rules"] == "not proven"
    page.locator("#ask").check()
    page.locator("dt[data-claim='rules'][data-state='proven']").wait_for()
    context.close()


@pytest.mark.parametrize("game", shelf())
def test_the_vocabulary_gives_the_numbers_of_golden_games(game: str) -> None:
    """The vocabulary gives the number of each action in golden games if no other action has the same text."""
    card = find_game(game)
    words: Any = vocabulary_of(card)
    for file in golden_files(card):
        seats, options, moves = read(file.read_text(encoding="utf-8"))
        match = Match(card, seats, options)
        given = [seats]
        for option in card.options:
            values, text = words["options"][option.name], options.get(option.name)
            if "/" in values and text is not None:
                given += map(int, text.split("/"))
            elif text is not None:
                given += values[text]
            else:
                at = len(given) - 1
                given += words["usual"][str(seats)][at : at + option.width]
        assert given == card.setup(seats, match.options).tolist()
        for line in moves:
            seat, _, text = line.partition(" ")
            if match.chance:
                outcome = card.notation.parse_chance(text)
                assert words["outcomes"][text] == card.moves.encode_chance(outcome)
                match.apply_chance(outcome)
            else:
                action = match.parse(text)
                numbers = card.moves.encode(action, match.state)
                assert words["actions"].get(text) == (numbers[0] if len(numbers) == 1 else None)
                match.act(int(seat), action)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"digest": "0" * 64}, "the rules were compiled from other sources"),
        ({"files": ["core/gone.py"]}, "the rules were compiled from files that are not in this installation"),
        ({"sha256": "0" * 64}, "the module is damaged"),
        ({"format": 0}, "the rules were compiled by another version"),
        ({"weights": ""}, "the module is damaged"),
        ({"files": 7}, "their description is damaged"),
    ],
)
def test_damaged_and_outdated_modules_are_not_sent(
    module: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    change: dict[str, object],
    why: str,
) -> None:
    names = [f"{GAME}.wasm", f"{GAME}.words.json", f"{GAME}.weights"]
    for name in names:
        (tmp_path / name).write_bytes((module / name).read_bytes())
    monkeypatch.setenv("SPELUNKE_MODULES", str(tmp_path))
    assert [name for name, _, _ in read_modules()] == names
    file = tmp_path / f"{GAME}.words.json"
    file.write_text(json.dumps(json.loads(file.read_text(encoding="utf-8")) | change), encoding="utf-8")
    assert list(read_modules()) == []
    said = capsys.readouterr().err
    assert said.startswith(f"Browsers get no rules of {GAME}: ")
    assert why in said
    assert len(said.splitlines()) == 1
