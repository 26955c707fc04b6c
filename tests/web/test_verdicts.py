"""The page and the command give the same verdict on a record, byte for byte.

Honest records are fair. For a forgery, the verdict names the change or says "not proven".

The findings that the browser makes without the server are compared as well. The browser knows no rules, and calls no
forgery fair.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from spelunke.core.errors import SpelunkeError
from spelunke.games import find_game, shelf
from spelunke.records.claims import Kept
from spelunke.records.fairness import verify
from spelunke.records.record import parse_record, write_record
from spelunke.records.sentences import UNKNOWN, VERDICTS
from spelunke.web.refusal import write_sentence

from .conftest import Server, serve

sys.path.insert(0, str(Path(__file__).parents[1] / "records"))
from forging import forgeries, honest_records
from random_games import SIGNER

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

KNOWN = Kept(key=SIGNER.public)
EACH = 100
"""The records of one deep case."""
DEEP = int(os.environ.get("SPELUNKE_RECORDS", "1500"))
"""The least number of honest records, and of forgeries, that ``make deep`` verifies."""
PARTS = -(-DEEP // (EACH * len(shelf())))
DONE = os.environ.get("SPELUNKE_VERDICTS", "")
"""A file with the passed deep cases and their counts. If a run names this file, it skips these cases."""
COUNTS = [pytest.param(name, 0, 4, id=f"{name}-4") for name in shelf()] + [
    pytest.param(name, part, EACH, marks=pytest.mark.deep(minutes=1), id=f"{name}-deep{part}")
    for part in range(PARTS)
    for name in shelf()
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Open a house that has the key of these tests' records, and that verifies any number of records."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("spelunke.web.limits.VERDICTS_PER_MINUTE", 1_000_000)
        with serve(tmp_path_factory.mktemp("house"), signing_key=bytes(range(32)).hex()) as server:
            assert server.house.store.key == SIGNER.public
            yield server


@pytest.fixture
def house_page(browser: Browser, server: Server) -> Iterator[Page]:
    """Open the verification page of the house."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(server.url + "/verify")
    page.locator("#file").wait_for()
    yield page
    context.close()


@pytest.fixture
def passed(request: pytest.FixtureRequest) -> Iterator[Counter[str]]:
    """Yield counters for a test case. If a case of a deep (long) test passes, note it in the file ``DONE``.

    Skip a case that this file already has.
    """
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
    const own = place.querySelector(".own-verdict");
    told.push({
      verdict: place.dataset.verdict,
      text: [...place.querySelectorAll(":scope > .notice")].map((one) => one.textContent).join("\\n"),
      claims: [...place.querySelectorAll(":scope > .claims dt")].map((title) => [
        title.dataset.claim, title.dataset.state, title.nextElementSibling.textContent,
      ]),
      own: own ? [own.dataset.verdict, own.querySelector("p").textContent] : ["unread", ""],
    });
  }
  return told;
}"""
BATCH = 25
"""The records that the page is given in one call: a call for each takes longer than the page itself."""


class Shown(msgspec.Struct, frozen=True):
    """The page's output: its verdict with the claims, and the findings of the browser alone."""

    verdict: str
    text: str
    claims: list[tuple[str, str, str]]
    own: tuple[str, str]


def judge_all(page: Page, texts: list[str]) -> Iterator[Shown]:
    """Yield the page's output for each record."""
    for start in range(0, len(texts), BATCH):
        yield from msgspec.convert(page.evaluate(SHOW, texts[start : start + BATCH]), list[Shown])


def due_of(text: str) -> Shown:
    """Return the output that the page should show: the verdict of ``spelunke verify`` if it knows the house's key."""
    try:
        told = verify(parse_record(text), KNOWN)
    except SpelunkeError as error:
        return Shown("unread", write_sentence(str(error)), [], ("unread", ""))
    claims = [(str(claim.claim), str(claim.state), claim.text) for claim in told.claims]
    return Shown(told.verdict, told.text, claims, ("", ""))


def beginning(verdict: str) -> str:
    return VERDICTS[verdict].partition("{")[0]


@pytest.mark.parametrize(("name", "part", "count"), COUNTS)
def test_honest_records_of_all_options_are_fair(
    passed: Counter[str], house_page: Page, name: str, part: int, count: int
) -> None:
    source = honest_records(find_game(name), random.Random(f"honest {name} {part}"), part, PARTS)
    records = list(itertools.islice(source, count))
    texts = [write_record(record).decode() for record in records]
    for text, shown in zip(texts, judge_all(house_page, texts), strict=True):
        due = due_of(text)
        assert due.verdict == "fair", due.text
        assert (shown.verdict, shown.text, shown.claims) == (due.verdict, due.text, due.claims)
        assert shown.own[0] == "fair", shown.own
        assert shown.own[1].startswith(due.text.partition(".")[0])
    passed["fair by all"] = count


@pytest.mark.deep
@pytest.mark.parametrize(("name", "part", "count"), COUNTS)
def test_forgeries_are_named_or_not_proven(
    passed: Counter[str], house_page: Page, name: str, part: int, count: int
) -> None:
    """The page and the command both name the change in a forged record, or they both say "not proven".

    Without the server, the browser has no rules, and never says "fair". If the command says "not proven",
    so does the browser.
    """
    found: Counter[str] = Counter()
    source = forgeries(find_game(name), random.Random(f"forged {name} {part}"))
    forged = list(itertools.islice(source, max(count, 24)))
    texts = [json.dumps(plain) for _, plain in forged]
    for (what, _), text, shown in zip(forged, texts, judge_all(house_page, texts), strict=True):
        due = due_of(text)
        assert (shown.verdict, shown.text, shown.claims) == (due.verdict, due.text, due.claims), what
        own, said = shown.own
        if ("chance", "proven") in {(claim, state) for claim, state, _ in due.claims}:
            fairness = json.loads(text)["fairness"]
            seed = hashlib.sha256(bytes.fromhex(fairness["seed"]))
            assert seed.hexdigest() == fairness["commitment"], what
        if due.verdict != "unread":
            named = {"altered"} if what.endswith("keep") else {"altered", "unproven"}
            assert due.verdict in named, (what, due.text)
            assert own in named, (what, said)
            assert due.text.startswith(beginning(due.verdict)), what
            assert said.startswith(beginning(own)), what
            if due.verdict == "unproven":
                assert own == "unproven", (what, said)
                assert UNKNOWN in said
                assert UNKNOWN in due.text
        assert own != "fair"
        found[f"{due.verdict} by command and page, {own} by the browser alone"] += 1
    assert found["altered by command and page, altered by the browser alone"]
    passed.update(found)


@pytest.mark.parametrize("finish", ["unsigned", "old", "unseeded", "undecided"])
def test_the_page_and_the_command_report_missing_proofs_in_the_same_words(
    house_page: Page, finish: str
) -> None:
    plain = json.loads(write_record(next(honest_records(find_game("shanghaien"), random.Random(finish)))))
    if finish == "unsigned":
        plain["proof"] |= {"signature": None, "key": None}
    else:
        plain |= {"format": "spelunke-record-1", "proof": None}
    if finish == "unseeded":
        plain["fairness"]["seed"] = None
    if finish == "undecided":
        plain["fairness"] = None
    text = json.dumps(plain)
    due = due_of(text)
    (shown,) = judge_all(house_page, [text])
    assert (shown.verdict, shown.text, shown.claims) == ("unproven", due.text, due.claims)
    said = VERDICTS[finish] if finish in VERDICTS else f"{VERDICTS['unproven']} {UNKNOWN}"
    assert due.text.startswith(said)
    assert shown.own[0] == "unproven"
    assert shown.own[1].startswith(said)
