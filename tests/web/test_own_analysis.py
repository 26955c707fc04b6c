"""The analysis of a finished game on the reader's own device, and the checks of the results by the server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest
from playwright.sync_api import expect
from starlette.testclient import TestClient

from appraising import FakeAnalyst, finish
from compiling import library_folder, make_wasm, smallest
from elsewhere import even_results
from spelunke.ahead.link import NoCompiler
from spelunke.house.house import open_house
from spelunke.solvers.analyst import AnalystGone
from spelunke.solvers.elsewhere import Plan
from spelunke.web.app import create_app
from spelunke.web.limits import VERDICTS_PER_MINUTE
from spelunke.web.settings import Settings

from .conftest import Server, make_settings
from .test_browser import person

if TYPE_CHECKING:
    from playwright.sync_api import Browser

OCTETS = {"content-type": "application/octet-stream"}


@pytest.fixture
def client(settings: Settings) -> Iterator[TestClient]:
    house = open_house(settings.database, bot_pause=0.0, analyst=FakeAnalyst)
    with TestClient(create_app(settings, house), follow_redirects=False) as client:
        yield client
    house.close()


def test_only_its_reader_sees_an_analysis_from_a_device(client: TestClient) -> None:
    site = client.app.state.site  # type: ignore[attr-defined]
    table, anna = finish(site.house, "halunken", acts=6)
    address = f"/t/{table}/playouts"
    client.cookies.set("guest", site.signer.dumps(anna))
    answer = client.get(address)
    assert answer.headers["content-encoding"] == "gzip"
    results = even_results(msgspec.json.decode(answer.content, type=Plan))
    plain = client.get(address, headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == answer.content
    half = len(results) // 2
    for at, part in ((0, results[:half]), (half, results[half:])):
        sent = client.post(f"{address}?at={at}&size={len(results)}", content=part, headers=OCTETS)
        assert sent.status_code == 204
    page = client.get(f"/t/{table}/replay").text
    assert "Your device computed this analysis, and only you see it." in page
    assert "The game in numbers" in page
    client.cookies.clear()
    client.cookies.set("guest", site.signer.dumps(site.house.people.create("Carla").id))
    page = client.get(f"/t/{table}/replay").text
    assert "The game in numbers" not in page
    assert site.house.analyses.look(table).status == "none", "it is not the server's"


def test_wrong_results_count_toward_the_rate_limit_of_a_network(client: TestClient) -> None:
    """The rate limit counts wrong results too: the server finds a fault only while it makes the analysis from them."""
    site = client.app.state.site  # type: ignore[attr-defined]
    table, anna = finish(site.house, "halunken", acts=6)
    client.cookies.set("guest", site.signer.dumps(anna))
    address, results = f"/t/{table}/playouts", bytes(64)
    answers = [
        client.post(f"{address}?at=0&size={len(results)}", content=results, headers=OCTETS)
        for _ in range(VERDICTS_PER_MINUTE + 1)
    ]
    assert {answer.status_code for answer in answers[:-1]} == {400}
    assert answers[-1].status_code == 429
    assert "Wait a minute" in answers[-1].text


def test_wrong_results_are_refused(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    site = client.app.state.site  # type: ignore[attr-defined]
    table, anna = finish(site.house, "halunken", acts=6)
    client.cookies.set("guest", site.signer.dumps(anna))
    address = f"/t/{table}/playouts"
    for query, body in (
        ("at=0&size=8", bytes(8)),
        ("at=0&size=0", b""),
        ("at=4&size=8", bytes(4)),
        ("at=0&size=4", bytes(8)),
        ("at=0&size=999999999", bytes(8)),
        ("at=-1&size=4", bytes(4)),
        ("size=4", bytes(4)),
    ):
        assert client.post(f"{address}?{query}", content=body, headers=OCTETS).status_code == 400, query
    assert client.post(f"{address}?at=0&size=4", data={"a": "b"}).status_code == 415
    monkeypatch.setattr("spelunke.solvers.elsewhere.can_play_elsewhere", lambda game: False)
    other = finish(site.house, "shanghaien")[0]
    assert client.get(f"/t/{other}/playouts").status_code == 409
    assert "data-plan" not in client.get(f"/t/{other}/replay").text


def test_if_the_analysis_process_dies_the_server_refuses_results_with_a_sentence(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the process for analyses dies, a device that asks for its plan or sends its results gets a refusal.

    The refusal is a sentence. The device may try again.
    """
    site = client.app.state.site  # type: ignore[attr-defined]
    table, anna = finish(site.house, "halunken", acts=6)
    client.cookies.set("guest", site.signer.dumps(anna))
    address = f"/t/{table}/playouts"
    results = even_results(msgspec.json.decode(client.get(address).content, type=Plan))

    def die(*_given: object) -> None:
        raise AnalystGone("the analysis stopped before it was complete; ask for it again")

    with monkeypatch.context() as patched:
        patched.setattr(FakeAnalyst, "plan", die)
        patched.setattr(FakeAnalyst, "finish", die)
        for answer in (
            client.get(address),
            client.post(f"{address}?at=0&size={len(results)}", content=results, headers=OCTETS),
        ):
            assert answer.status_code == 409
            assert "ask for it again" in answer.text
    sent = client.post(f"{address}?at=0&size={len(results)}", content=results, headers=OCTETS)
    assert sent.status_code == 204


@pytest.fixture(params=["halunken", "sanghai", "shanghaien"])
def game(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture
def with_rules(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[Server, FakeAnalyst]]:
    """Start a server that has the rules of a game as WebAssembly. Yield the server and its analyst (a stand-in)."""
    try:
        folder = make_wasm(game, library_folder()).parent
    except NoCompiler as error:
        pytest.skip(str(error))
    analyst = FakeAnalyst()
    monkeypatch.setenv("SPELUNKE_MODULES", str(folder))
    monkeypatch.setattr("spelunke.house.house._analyst", lambda: analyst)
    server = Server(make_settings(tmp_path, bot_pause=0.05))
    yield server, analyst
    server.stop()


@pytest.mark.deep
def test_a_browser_analyses_a_game(
    browser: Browser, with_rules: tuple[Server, FakeAnalyst], game: str
) -> None:
    """The server runs no playouts. The analysis can be stopped, and begun again."""
    server, analyst = with_rules
    table, _anna = finish(server.house, game, acts=20)
    with person(browser) as page:
        page.goto(f"{server.url}/t/{table}/replay")
        expect(
            page.get_by_text("Your device computes the analysis, and only you will see it.")
        ).to_be_visible()
        page.get_by_role("button", name="Analyse the game").click()
        expect(page.locator("#own-work progress")).to_be_visible()
        page.get_by_role("button", name="Stop the analysis").click()
        expect(page.locator("#own-work")).to_be_hidden()
        page.get_by_role("button", name="Analyse the game").click()
        expect(page.get_by_role("heading", name="The game in numbers")).to_be_visible(timeout=120_000)
        expect(page.locator("#own-analysis")).to_contain_text("Your device computed this analysis")
        expect(page.locator("#replay-chances svg.chances")).to_be_visible()
        assert (analyst.games, analyst.finished) == (0, 1)
        page.get_by_role("button", name="Analyse on the server").click()
        expect(page.locator("#own-analysis")).to_have_count(0)
        expect(page.get_by_role("heading", name="The game in numbers")).to_be_visible()
        assert analyst.games == 1


@pytest.mark.deep
@pytest.mark.parametrize("game", [smallest()])
def test_without_webassembly_a_sentence_says_that_the_server_analyses(
    browser: Browser, with_rules: tuple[Server, FakeAnalyst], game: str
) -> None:
    server, analyst = with_rules
    table, _anna = finish(server.house, game, acts=6)
    with person(browser) as page:
        page.add_init_script("delete globalThis.WebAssembly")
        page.goto(f"{server.url}/t/{table}/replay")
        said = "Your browser can't run WebAssembly, so the server computes the analysis."
        expect(page.get_by_text(said)).to_be_visible()
        expect(page.locator("#own-note")).to_be_hidden()
        page.get_by_role("button", name="Analyse the game").click()
        expect(page.get_by_role("heading", name="The game in numbers")).to_be_visible()
        assert (analyst.games, analyst.finished) == (1, 0)


@pytest.mark.deep
@pytest.mark.parametrize("fault", ["module", "weights", "plan", "finish"])
def test_if_the_device_cannot_analyse_a_game_the_server_does(
    browser: Browser,
    with_rules: tuple[Server, FakeAnalyst],
    game: str,
    fault: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If a file is damaged or the analyst dies, the page sends the form to the server, as it does without scripts."""
    if fault == "weights" and game != "shanghaien":
        pytest.skip("this game has no networks")
    server, analyst = with_rules
    table, _anna = finish(server.house, game, acts=6)

    def die(*_given: object) -> None:
        raise AnalystGone("the analysis stopped before it was complete; ask for it again")

    damaged = {"module": "wasm", "weights": "weights"}
    if fault not in damaged:
        monkeypatch.setattr(analyst, fault, die)
    with person(browser) as page:
        if fault in damaged:
            page.route(f"**/*.{damaged[fault]}*", lambda route: route.fulfill(body=b"damaged"))
        page.goto(f"{server.url}/t/{table}/replay")
        page.get_by_role("button", name="Analyse the game").click()
        expect(page.get_by_role("heading", name="The game in numbers")).to_be_visible()
        expect(page.locator("#own-analysis")).to_have_count(0)
        assert analyst.games == 1
