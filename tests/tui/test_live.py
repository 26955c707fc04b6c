"""Tables of a server in the terminal, over its HTTP API: logins, whole games, and a lost connection."""

import asyncio
import re
import stat
from pathlib import Path

import httpx2
import pytest

from house_server import Server, serve
from spelunke.games import find_game
from spelunke.games.sanghai.sentences import name_rank
from spelunke.tui.client import Client, read_house
from spelunke.tui.desk import Refused
from spelunke.tui.house_screen import HouseScreen
from spelunke.tui.plan_screen import PlanScreen
from spelunke.tui.settings import Setting
from spelunke.tui.settings_screen import SettingsScreen
from spelunke.tui.table_screen import TableScreen
from spelunke.tui.tokens import file_of_tokens, keep_token, load_token
from spelunke.tui.words import game_words
from terminal import Pilot, open_terminal, table_of, text_of, until

pytestmark = pytest.mark.usefixtures("own_config")


def house_of(pilot: Pilot[None]) -> HouseScreen:
    assert isinstance(pilot.app.screen, HouseScreen), pilot.app.screen
    return pilot.app.screen


async def come_as_guest(pilot: Pilot[None]) -> HouseScreen:
    screen = house_of(pilot)
    await pilot.press("g")
    await until(pilot, lambda: screen.client.token and screen.name_there)
    return screen


async def plan(pilot: Pilot[None]) -> PlanScreen:
    """Open the screen for a new table."""
    await pilot.press("n")
    await until(pilot, lambda: isinstance(pilot.app.screen, PlanScreen))
    screen = pilot.app.screen
    assert isinstance(screen, PlanScreen)
    return screen


async def sit_down(pilot: Pilot[None], key: str) -> TableScreen:
    """Make a table of the first game, against bots (p) or for friends (l)."""
    await plan(pilot)
    await pilot.press("right", "right", "right", *["up"] * 5, key)
    await until(pilot, lambda: isinstance(pilot.app.screen, TableScreen))
    return table_of(pilot)


async def press_one(pilot: Pilot[None], screen: TableScreen) -> None:
    before = screen.desk.moment
    await pilot.press(next(iter(screen._keys.values())))
    await until(pilot, lambda: screen.desk.moment is not before)


async def play_on(pilot: Pilot[None], screen: TableScreen, most: int) -> None:
    """Play moves by their keys, at most ``most`` of them, until the game is over."""
    for _ in range(most):
        await until(pilot, lambda: screen._choices or screen.desk.moment.status == "over")
        if screen.desk.moment.status == "over":
            break
        await press_one(pilot, screen)


async def give_up(pilot: Pilot[None], screen: TableScreen) -> None:
    await until(pilot, lambda: screen._choices)
    await pilot.press("O")
    await until(pilot, lambda: "Resign" in text_of(pilot))
    await pilot.press("end", "enter")
    await until(pilot, lambda: screen.desk.moment.status == "over")


async def see_the_end(pilot: Pilot[None], screen: TableScreen) -> None:
    assert screen.desk.moment.status == "over"
    await until(pilot, lambda: screen.desk.moment.turn in " ".join(text_of(pilot).split()))
    assert await screen.desk.record()


def test_a_game_against_a_bot_of_the_server_ends_by_resigning(server: Server) -> None:
    async def play() -> None:
        async with open_terminal(house=server.url) as pilot:
            await come_as_guest(pilot)
            screen = await sit_down(pilot, "p")
            await play_on(pilot, screen, 8)
            await give_up(pilot, screen)
            await see_the_end(pilot, screen)

    asyncio.run(play())


@pytest.mark.deep
def test_a_whole_game_is_played_against_a_bot_of_the_server(server: Server) -> None:
    """Play to the end. Only deep runs do this. Other runs play a whole game in the line mode."""

    async def play() -> None:
        async with open_terminal(house=server.url) as pilot:
            await come_as_guest(pilot)
            screen = await sit_down(pilot, "p")
            await play_on(pilot, screen, 2000)
            await see_the_end(pilot, screen)

    asyncio.run(play())


@pytest.mark.deep
def test_a_new_table_has_the_chosen_kind_clock_and_rules(server: Server) -> None:
    async def make() -> None:
        async with open_terminal(house=server.url) as pilot:
            await come_as_guest(pilot)
            screen = await plan(pilot)
            await pilot.press("right", "down", "t", "t", "r", "enter")
            await until(pilot, lambda: pilot.app._notifications)
            assert "rated" in next(iter(pilot.app._notifications)).message
            assert pilot.app.screen is screen, "a refusal loses nothing"
            await pilot.press("r", "v")
            await until(pilot, lambda: isinstance(pilot.app.screen, SettingsScreen))
            await pilot.press("down", "enter")
            await pilot.pause()
            await pilot.press("ctrl+u", *"7,5", "enter")
            await pilot.pause()
            await pilot.press(*["down"] * 11, "right", "escape")
            await until(pilot, lambda: pilot.app.screen is screen)
            assert "7.5 min + 10 s" in text_of(pilot)
            assert screen.changed == {"crazy_captain": True}
            await pilot.press("l")
            await until(pilot, lambda: isinstance(pilot.app.screen, TableScreen))
            table = table_of(pilot).desk.table
            with server.house._tables.open(table) as slot:
                facts = slot.table.facts
            assert facts.clock.kind == "live"
            assert facts.clock.minutes == 7.5
            assert facts.options | screen.options == facts.options

    asyncio.run(make())


@pytest.mark.deep
def test_after_a_lost_connection_no_move_is_played_twice(tmp_path: Path) -> None:
    async def play() -> None:
        with serve(tmp_path) as server:
            async with open_terminal(house=server.url) as pilot:
                await come_as_guest(pilot)
                screen = await sit_down(pilot, "p")
                await until(pilot, lambda: screen._choices)
                desk = screen.desk
                move, ply = screen._choices[0][1], desk.look["ply"]
                await asyncio.to_thread(server.stop)
                await until(pilot, lambda: not desk.moment.connected)
                assert "The connection is lost" in text_of(pilot)
                await pilot.press(screen._keys[move], screen._keys[move])
                await asyncio.to_thread(server.start)
                await until(pilot, lambda: desk.moment.connected and desk.look["ply"] > ply)
                told = await desk.client.ask("GET", f"/tables/{desk.table}")
                mine = [line for line in told["log"] if line["seat"] == desk.look["seat"]]
                assert len({line["ply"] for line in mine if line["ply"] > ply}) == 1

    asyncio.run(play())


def test_a_terminal_logs_in_by_the_code_of_the_page(server: Server) -> None:
    async def come() -> None:
        first = Client(server.url)
        me = await first.ask("POST", "/guests", {"name": "Anna"})
        await first.close()
        anna = server.app.state.site.signer.loads(me["token"])
        code = await asyncio.to_thread(server.house.members.codes.make, "device", anna)
        async with open_terminal(house=server.url) as pilot:
            screen = house_of(pilot)
            await pilot.press("c")
            await pilot.pause()
            await pilot.press(*f"{server.url}/link/{code}", "enter")
            await until(pilot, lambda: screen.name_there == "Anna")
            table = await sit_down(pilot, "l")
            assert not table.desk.look["seats"][0]["program"]
            assert f"{server.url}/j/{table.desk.table}/" in text_of(pilot).replace("\n", "")

    asyncio.run(come())


@pytest.mark.deep
def test_the_code_comes_from_the_page_and_the_page_lists_the_terminal(server: Server) -> None:
    with httpx2.Client(base_url=server.url, headers={"origin": server.url}) as browser:
        browser.post("/tables", data={"game": "shanghaien", "quick": "link"})
        found = re.search(r'id="device-link" readonly value="([^"]*)"', browser.post("/me/link").text)
        assert found
        link = found[1]

        async def come() -> None:
            async with open_terminal(house=server.url) as pilot:
                screen = house_of(pilot)
                await pilot.press("c")
                await pilot.pause()
                await pilot.press(*link, "enter")
                await until(pilot, lambda: screen.name_there)

        asyncio.run(come())
        assert "A terminal" in browser.get("/me/account").text


@pytest.mark.deep
@pytest.mark.parametrize(("of_the_terminal", "queen"), [("", "D"), ("notation", "Q")])
def test_cards_have_the_letters_that_the_person_chose_on_the_page(
    server: Server, monkeypatch: pytest.MonkeyPatch, of_the_terminal: str, queen: str
) -> None:
    monkeypatch.setenv("SPELUNKE_LANGUAGE", "de")
    monkeypatch.setenv("SPELUNKE_LETTERS", of_the_terminal)
    with httpx2.Client(base_url=server.url, headers={"origin": server.url}) as browser:
        browser.post("/me", data={"name": "Anna"})
        browser.post("/me/letters", data={"letters": "own"})
        code = re.search(r'id="device-link" readonly value="([^"]*)"', browser.post("/me/link").text)
        assert code

        async def come() -> str:
            async with open_terminal(house=server.url) as pilot:
                screen = house_of(pilot)
                await pilot.press("c")
                await pilot.pause()
                await pilot.press(*code[1], "enter")
                await until(pilot, lambda: screen.name_there)
                return name_rank("q", game_words(find_game("sanghai")))

        assert asyncio.run(come()) == queen


def test_an_ended_token_gets_one_sentence(server: Server) -> None:
    async def come() -> None:
        keep_token(server.url, "d1.0123456789abcdef0123456789abcdef.wrong")
        async with open_terminal(house=server.url) as pilot:
            await until(
                pilot, lambda: "your login has ended: log in again" in " ".join(text_of(pilot).split())
            )
            assert load_token(server.url) is None

    asyncio.run(come())


def test_an_unreachable_server_gets_one_sentence() -> None:
    async def come() -> None:
        async with open_terminal(house="http://127.0.0.1:9") as pilot:
            await until(pilot, lambda: "http://127.0.0.1:9 can't be reached." in text_of(pilot))

    asyncio.run(come())


@pytest.mark.parametrize("text", ["", "[", "http://[::1", "host:port", "https://[v1.a]", "ftp://a.example"])
def test_a_text_that_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="An address looks like"):
        read_house(text)


def test_only_the_owner_can_read_the_file_of_tokens() -> None:
    keep_token("https://one.example", "secret")
    assert load_token("https://one.example") == "secret"
    assert stat.S_IMODE(file_of_tokens().stat().st_mode) == 0o600
    keep_token("https://one.example", None)
    assert load_token("https://one.example") is None


@pytest.mark.deep(minutes=5)
def test_two_people_play_to_the_end_in_two_terminals(server: Server) -> None:
    async def play() -> None:
        async with open_terminal(house=server.url) as anna:
            await come_as_guest(anna)
            hers = await sit_down(anna, "l")
            invite = hers.desk.look["invite"]
            keep_token(server.url, None)
            async with open_terminal(house=server.url) as bert:
                await come_as_guest(bert)
                await bert.press("j")
                await bert.pause()
                await bert.press(*f"{server.url}/j/{hers.desk.table}/{invite}", "enter")
                await until(bert, lambda: isinstance(bert.app.screen, TableScreen))
                his = table_of(bert)
                for _ in range(2000):
                    await until(
                        bert, lambda: hers._choices or his._choices or his.desk.moment.status == "over"
                    )
                    if his.desk.moment.status == "over":
                        break
                    one, screen = (anna, hers) if hers._choices else (bert, his)
                    await press_one(one, screen)
                await until(anna, lambda: hers.desk.moment.status == "over")
                assert hers.desk.look["result"]["scores"] == his.desk.look["result"]["scores"]

    asyncio.run(play())


def test_a_large_number_is_written_in_digits() -> None:
    assert Setting("minutes", "", "", 1e6).text == "1000000"
    assert Setting("minutes", "", "", 0.5).text == "0.5"


@pytest.mark.parametrize("text", ["inf", "-inf", "nan", "1e999", "²"])
def test_a_setting_in_minutes_takes_only_finite_numbers(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        Setting("minutes", "", "", 15.0).read(text)


@pytest.mark.parametrize("usual", [2, 15.0])
def test_a_setting_takes_no_endless_numbers(usual: float) -> None:
    with pytest.raises(ValueError, match=r".*"):
        Setting("delay", "", "", usual).read("9" * 400)
