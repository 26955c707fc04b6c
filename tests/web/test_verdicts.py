"""Page and command say the same of a record: honest ones are fair, forgeries are named or not proven."""

from __future__ import annotations

import itertools
import json
import os
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

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
EACH = 100
"""The records of one deep case."""
DEEP = int(os.environ.get("SPELUNKE_RECORDS", "10000"))
"""The least number of honest records, and of forgeries, that ``make deep`` verifies."""
PARTS = -(-DEEP // (EACH * len(shelf())))
DONE = os.environ.get("SPELUNKE_VERDICTS", "")
"""A file of the deep cases that have passed, with what was counted: a run that names it leaves them out."""
COUNTS = [pytest.param(name, 0, 4, id=f"{name}-4") for name in shelf()] + [
    pytest.param(name, part, EACH, marks=pytest.mark.deep(minutes=1), id=f"{name}-deep{part}")
    for part in range(PARTS)
    for name in shelf()
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


@pytest.fixture
def passed(request: pytest.FixtureRequest) -> Iterator[Counter[str]]:
    """Yield the counts of a case, and note them with its name in ``DONE`` once it has passed."""
    name = request.node.name
    if DONE and "deep" in name:
        there = Path(DONE).read_text().splitlines() if Path(DONE).exists() else []
        if any(json.loads(line)["case"] == name for line in there):
            pytest.skip("it has passed before")
    counts: Counter[str] = Counter()
    yield counts
    if DONE and "deep" in name and counts:
        with Path(DONE).open("a") as out:
            out.write(json.dumps({"case": name, **counts}) + "\n")


SHOW = """async (texts) => {
  const [place, input] = ["verdict", "file"].map((id) => document.getElementById(id));
  const told = [];
  for (const text of texts) {
    place.replaceChildren();
    delete place.dataset.verdict;
    const carried = new DataTransfer();
    carried.items.add(new File([text], "record.json", { type: "application/json" }));
    input.files = carried.files;
    const shown = new Promise((done) => {
      const watch = new MutationObserver(() => {
        if (!place.dataset.verdict || !place.querySelector(".notice")) return;
        watch.disconnect();
        done();
      });
      watch.observe(place, { childList: true, attributes: true });
    });
    input.dispatchEvent(new Event("change"));
    await shown;
    told.push([place.dataset.verdict, place.querySelector(".notice").innerText]);
  }
  return told;
}"""
BATCH = 25
"""The records that the page is given in one call: a call for each takes longer than the page itself."""


def judge_all(page: Page, texts: list[str]) -> Iterator[tuple[str, str]]:
    """Yield for each record the verdict of the page, and its first sentences."""
    for start in range(0, len(texts), BATCH):
        yield from page.evaluate(SHOW, texts[start : start + BATCH])


def command(plain: dict[str, Any]) -> Verdict | None:
    """Return what the command says with the key of the house; None where it is no record."""
    try:
        return verify(parse_record(json.dumps(plain)), KNOWN)
    except SpelunkeError:
        return None


def beginning(verdict: str) -> str:
    return VERDICTS[verdict].partition("{")[0]


@pytest.mark.parametrize(("name", "part", "count"), COUNTS)
def test_honest_records_of_all_options_are_fair(
    passed: Counter[str], house_page: Page, name: str, part: int, count: int
) -> None:
    source = honest_records(find_game(name), random.Random(f"honest {name} {part}"), part, PARTS)
    records = list(itertools.islice(source, count))
    shown = judge_all(house_page, [json.dumps(json.loads(write_record(record))) for record in records])
    for record, (verdict, text) in zip(records, shown, strict=True):
        told = verify(record, KNOWN)
        assert (verdict, told.verdict) == ("fair", "fair"), (record.options, text, told.text)
        said = VERDICTS["fair"].format(chances=told.chances)
        assert text.startswith(said)
        assert told.text.startswith(said)
    passed["fair by both"] = count


@pytest.mark.parametrize(("name", "part", "count"), COUNTS)
def test_forgeries_are_named_or_not_proven(
    passed: Counter[str], house_page: Page, name: str, part: int, count: int
) -> None:
    """The page knows no rules: what only they contradict is not proven there, and never fair."""
    found: Counter[tuple[str, str]] = Counter()
    source = forgeries(find_game(name), random.Random(f"forged {name} {part}"))
    forged = list(itertools.islice(source, max(count, 24)))
    shown = judge_all(house_page, [json.dumps(plain) for _, plain in forged])
    for (what, plain), (verdict, text) in zip(forged, shown, strict=True):
        told = command(plain)
        due = {"altered"} if what.endswith("keep") else {"altered", "unproven"}
        if told is None:
            assert verdict in {"altered", "unproven", "unread"}, (what, text)
            found[verdict, "no record"] += 1
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
    passed.update({f"page {page}, command {told}": times for (page, told), times in found.items()})


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
    ((verdict, text),) = judge_all(house_page, [json.dumps(plain)])
    assert told is not None
    assert verdict == told.verdict == "unproven"
    said = VERDICTS[finish] if finish in VERDICTS else f"{VERDICTS['unproven']} {UNKNOWN}"
    assert text.startswith(said)
    assert told.text.startswith(said)
