"""Page and command say the same of a record: honest ones are fair, forgeries are named or not proven."""

from __future__ import annotations

import json
import os
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from spelunke.core.errors import SpelunkeError
from spelunke.games import find_game, shelf
from spelunke.records.claims import Kept
from spelunke.records.fairness import Verdict, verify
from spelunke.records.record import parse_record, write_record
from spelunke.records.sentences import UNKNOWN, VERDICTS

from .conftest import Server

sys.path.insert(0, str(Path(__file__).parents[1] / "records"))
from forging import forgeries, honest_records
from random_games import SIGNER

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

KNOWN = Kept(key=SIGNER.public)
PARTS = 4
DEEP = int(os.environ.get("SPELUNKE_RECORDS", "10000"))
"""The number of honest records, and of forgeries, that are verified is set by ``make deep``."""
COUNTS = [pytest.param(name, 0, 4, id=f"{name}-4") for name in shelf()] + [
    pytest.param(
        name,
        part,
        -(-DEEP // (PARTS * len(shelf()))),
        marks=pytest.mark.deep(minutes=5),
        id=f"{name}-deep{part}",
    )
    for name in shelf()
    for part in range(PARTS)
]


@pytest.fixture
def house_page(browser: Browser, server: Server) -> Iterator[Page]:
    """Open the page of the house whose key signs the records of these tests."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(server.url + "/verify")
    page.locator("#file").wait_for()
    page.locator("#verify").evaluate("(place, key) => { place.dataset.key = key; }", SIGNER.public)
    yield page
    context.close()


def judge(page: Page, plain: dict[str, Any]) -> tuple[str, str]:
    """Return the verdict of the page, and its first sentences."""
    page.locator("#verdict").evaluate("place => { place.replaceChildren(); delete place.dataset.verdict; }")
    page.locator("#file").set_input_files(
        {"name": "record.json", "mimeType": "application/json", "buffer": json.dumps(plain).encode()}
    )
    expect(page.locator("#verdict[data-verdict]")).not_to_be_empty()
    place = page.locator("#verdict")
    return place.get_attribute("data-verdict") or "", place.locator(".notice").inner_text()


def command(plain: dict[str, Any]) -> Verdict | None:
    """Return what the command says with the key of the house; None where it is no record."""
    try:
        return verify(parse_record(json.dumps(plain)), KNOWN)
    except SpelunkeError:
        return None


def beginning(verdict: str) -> str:
    return VERDICTS[verdict].partition("{")[0]


@pytest.mark.parametrize(("name", "part", "count"), COUNTS)
def test_honest_records_of_all_options_are_fair(house_page: Page, name: str, part: int, count: int) -> None:
    records = honest_records(find_game(name), random.Random(f"honest {name} {part}"), part, PARTS)
    for _ in range(count):
        record = next(records)
        told = verify(record, KNOWN)
        verdict, text = judge(house_page, json.loads(write_record(record)))
        assert (verdict, told.verdict) == ("fair", "fair"), (record.options, text, told.text)
        said = VERDICTS["fair"].format(chances=told.chances)
        assert text.startswith(said)
        assert told.text.startswith(said)


@pytest.mark.parametrize(("name", "part", "count"), COUNTS)
def test_forgeries_are_named_or_not_proven(house_page: Page, name: str, part: int, count: int) -> None:
    """The page knows no rules: what only they contradict is not proven there, and never fair."""
    found: Counter[tuple[str, str]] = Counter()
    forged = forgeries(find_game(name), random.Random(f"forged {name} {part}"))
    for _ in range(max(count, 24)):
        what, plain = next(forged)
        told = command(plain)
        verdict, text = judge(house_page, plain)
        due = {"altered"} if what.endswith("keep") else {"altered", "unproven"}
        if told is None:
            assert verdict in {"altered", "unproven", "unread"}, (what, text)
            continue
        assert told.verdict in due, (what, told.text)
        assert verdict in due, (what, text)
        if told.verdict == "unproven":
            assert verdict == "unproven", (what, text)
        assert told.text.startswith(beginning(told.verdict)), what
        assert text.startswith(beginning(verdict)), what
        if verdict == told.verdict == "unproven":
            assert UNKNOWN in text
            assert UNKNOWN in told.text
        found[verdict, told.verdict] += 1
    assert found["altered", "altered"]


@pytest.mark.parametrize("finish", ["unsigned", "old", "unseeded", "undecided"])
def test_what_nothing_stands_behind_is_said_in_the_same_words(house_page: Page, finish: str) -> None:
    plain = json.loads(write_record(next(honest_records(find_game("shanghaien"), random.Random(finish)))))
    if finish == "unsigned":
        plain["proof"] |= {"signature": None, "key": None}
    else:
        plain |= {"format": "spelunke-record-1", "proof": None}
    if finish == "unseeded":
        plain["fairness"]["seed"] = None
    if finish == "undecided":
        plain["fairness"] = None
    told = command(plain)
    verdict, text = judge(house_page, plain)
    assert told is not None
    assert verdict == told.verdict == "unproven"
    said = VERDICTS[finish] if finish in VERDICTS else f"{VERDICTS['unproven']} {UNKNOWN}"
    assert text.startswith(said)
    assert told.text.startswith(said)
