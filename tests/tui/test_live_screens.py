"""The screens of a live table and its sheets (such as the chat), in a small and a large terminal and without colours.

``looks/`` has the state of a table of two people and a bot, as `GET /tables/{table}` answered.
"""

import asyncio
import json
from pathlib import Path

import httpx2
import pytest
from rich.markdown import Markdown
from textual.widgets import Static

from spelunke.boards.drafting import Fields
from spelunke.tui.client import Client
from spelunke.tui.desk import Refused
from spelunke.tui.live import LiveDesk
from spelunke.tui.offers import offer_locals
from spelunke.tui.plan_screen import PlanScreen
from spelunke.tui.table_screen import TableScreen
from studies import FILE
from terminal import LOOKS, Pilot, compare_screen, open_terminal, text_of, until

LOOK = json.loads((Path(__file__).parent / "looks" / "sanghai.json").read_text(encoding="utf-8"))


class Stored(LiveDesk):
    """A table without its server. Its clocks stand still."""

    def __init__(self, **changed: object) -> None:
        self.sent: list[tuple[str, dict[str, object]]] = []
        super().__init__(Client("https://spelunke.example", "token"), LOOK["table"], LOOK | changed)

    async def run(self) -> None:
        """Do nothing."""

    def age_ms(self) -> int:
        return 0

    async def preview(self, fields: Fields) -> object:
        return None

    async def do(self, operation: str, **fields: object) -> None:
        self.sent.append((operation, fields))


async def go_to(pilot: Pilot[None], name: str) -> Stored:
    """Open a table, and then the screen or the line that ``name`` names, such as the list of operations."""
    if name == "waiting":
        return await open_waiting(pilot)
    desk = Stored(may=[*LOOK["may"], "react", "resign"], standing={"text": "nines\nat most 1"})
    await pilot.app.push_screen(TableScreen(desk))
    await until(pilot, lambda: "And you: hep!" in text_of(pilot))
    if name == "acts":
        await pilot.press("O")
    elif name == "orders":
        await pilot.press("S")
    elif name == "chat":
        await pilot.press("T", *"Hello")
    await pilot.pause()
    return desk


async def open_waiting(pilot: Pilot[None]) -> Stored:
    """Open a table that waits for a friend with the link."""
    seats = [dict(seat) for seat in LOOK["seats"]]
    seats[1] |= {"kind": "link", "name": ""}
    begun = {"view": None, "legal": [], "revise": [], "log": [], "chat": [], "actors": []}
    desk = Stored(**begun, seats=seats, status="open", invite="abcdef", may=["start", "chat", "leave"])
    await pilot.app.push_screen(TableScreen(desk))
    await until(pilot, lambda: "/j/" in text_of(pilot))
    return desk


@pytest.mark.sampled(2)
@LOOKS
@pytest.mark.parametrize("name", ["live", "waiting", "acts", "orders", "chat"])
def test_the_screen_of_a_live_table_equals_the_stored_text(
    name: str, size: tuple[int, int], colours: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each screen equals its text in ``screens/``. With UPDATE_SCREENS=1, write the texts again; then look at them."""
    if colours == "plain":
        monkeypatch.setenv("NO_COLOR", "1")

    async def through() -> str:
        async with open_terminal(*size) as pilot:
            await go_to(pilot, name)
            return text_of(pilot) + "\n"

    seen = asyncio.run(through())
    compare_screen(seen, name, size)


@pytest.mark.deep
def test_a_dialog_sends_the_chosen_values() -> None:
    async def through() -> None:
        async with open_terminal() as pilot:
            desk = await go_to(pilot, "acts")
            await pilot.press("end", "up", "enter")
            await until(pilot, lambda: desk.sent)
            for keys in ([*", hearts"], ["ctrl+u"]):
                await until(pilot, lambda: isinstance(pilot.app.screen, TableScreen))
                sent = len(desk.sent)
                await pilot.press("S", *keys, "enter")
                await until(pilot, lambda sent=sent: len(desk.sent) > sent)
            assert desk.sent == [
                ("react", {"word": "thanks"}),
                ("standing", {"orders": {"text": "nines, at most 1, hearts"}}),
                ("standing", {"orders": None}),
            ]

    asyncio.run(through())


def test_a_reaction_of_another_person_is_shown_once() -> None:
    async def through() -> None:
        async with open_terminal() as pilot:
            desk = await go_to(pilot, "live")
            seats = [dict(seat) for seat in LOOK["seats"]]
            seats[1] |= {"reaction": "bravo", "reaction_ms": LOOK["now_ms"]}
            for _ in range(2):
                desk._take(LOOK | {"seats": seats})
            await until(pilot, lambda: pilot.app._notifications)
            assert [note.message for note in pilot.app._notifications] == ["Bert: Bravo!"]

    asyncio.run(through())


@pytest.mark.sampled
@pytest.mark.parametrize("change", [{"rules": 99}, {"game": "bingo"}, {"plies": [{"seat": 0, "do": "fly"}]}])
def test_a_record_that_this_machine_cannot_replay_is_refused_in_one_sentence(
    change: dict[str, object],
) -> None:
    class Finished(Stored):
        async def record(self) -> bytes:
            return json.dumps(json.loads(FILE.read_bytes()) | change).encode()

    async def through() -> None:
        async with open_terminal() as pilot:
            screen = TableScreen(Finished(status="over"))
            await pilot.app.push_screen(screen)
            await pilot.press("R")
            await until(pilot, lambda: pilot.app._notifications)
            assert len(pilot.app._notifications) == 1
            assert pilot.app.screen is screen

    asyncio.run(through())


def test_the_short_rules_are_those_of_the_tables_options() -> None:
    """The sentence about rounds with too few cards depends on the option ``schedule``."""

    async def through() -> None:
        async with open_terminal(120, 60) as pilot:
            desk = Stored(options=LOOK["options"] | {"schedule": "short"})
            await pilot.app.push_screen(TableScreen(desk))

            def rules_in(name: str) -> str:
                found = [one.content for one in pilot.app.screen.query(name).results(Static)]
                return "".join(one.markup for one in found if isinstance(one, Markdown))

            sentence = "In round 4 you have enough cards"
            await until(pilot, lambda: sentence in rules_in("#rules"))
            await pilot.press("question_mark")
            await until(pilot, lambda: sentence in rules_in("#card"))

    asyncio.run(through())


def test_the_next_game_of_the_same_people_is_offered() -> None:
    desk = Stored(rematch="another")
    assert desk.list_acts()[0][:2] == ("Go to the next game", "follow")
    assert "press O" in desk.moment.notice


def test_an_offer_of_another_game_must_be_answered_first() -> None:
    desk = Stored(rematch="another", rematch_by=1, may=["accept_rematch", "decline_rematch", "chat"])
    assert desk.moment.notice == f"{LOOK['names'][1]} offers another game: press O to answer."
    operations = [operation for _text, operation, *_rest in desk.list_acts()]
    assert operations[:2] == ["rematch", "decline-rematch"]
    assert "follow" not in operations


def test_a_next_game_that_was_closed_meanwhile_is_refused() -> None:
    desk = Stored(rematch=None)
    with pytest.raises(Refused, match="The table of the next game was closed"):
        asyncio.run(LiveDesk.do(desk, "follow"))


def follow_answers(*answers: httpx2.Response) -> tuple[LiveDesk, list[httpx2.Request]]:
    """Return a client's table, and the list of requests that the client sends for it.

    The server gives these answers, one after another.
    """
    left, asked = list(answers), []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(request)
        return left.pop(0)

    client = Client("https://spelunke.example", "token", httpx2.MockTransport(answer))
    return LiveDesk(client, LOOK["table"], LOOK), asked


CLOSED = {"error": "house_closed", "message": "The server is closed."}


def test_a_table_is_followed_again_after_a_restart_behind_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spelunke.tui.live.WAITS", (0.0,) * 5)
    later = json.dumps(LOOK | {"may": ["resign"]})
    desk, asked = follow_answers(
        httpx2.Response(502, text="<h1>Bad Gateway</h1>"),
        httpx2.Response(503, json=CLOSED),
        httpx2.Response(429, json={"error": "too_fast", "message": "Wait."}, headers={"retry-after": "0"}),
        httpx2.Response(200, text=f"id: 7\ndata: {later}\n\n"),
        httpx2.Response(401, json={"error": "unknown_person", "message": "Log in."}),
    )
    asyncio.run(desk.run())
    assert desk.moment.may == {"resign"}
    assert asked[-1].headers["last-event-id"] == "7"
    assert "log in again" in desk.moment.notice


def test_a_server_that_stays_closed_says_so_in_its_own_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spelunke.tui.live.WAITS", (0.0,) * 2)
    closed = [httpx2.Response(503, json=CLOSED) for _ in range(3)]
    desk, _asked = follow_answers(*closed, httpx2.Response(404, json={"message": "No such table."}))
    told = []
    desk.changed = lambda: told.append(desk.moment.notice)
    asyncio.run(desk.run())
    lost = "The connection is lost. Trying again …"
    assert told == [lost, lost, "The server is closed.", "No such table."]


def test_a_move_is_sent_again_if_the_server_is_not_ready_and_other_actions_are_not() -> None:
    desk, asked = follow_answers(httpx2.Response(503, json=CLOSED), httpx2.Response(200, json={}))
    asyncio.run(desk.play("pass"))
    assert len({request.content for request in asked}) == 1
    assert len(asked) == 2
    desk, asked = follow_answers(httpx2.Response(503, json=CLOSED))
    with pytest.raises(Refused, match="The server is closed"):
        asyncio.run(desk.do("start"))
    assert len(asked) == 1


def test_a_key_that_is_pressed_twice_makes_one_table() -> None:
    answered, asked = asyncio.Event(), []

    async def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(request.url.path)
        await answered.wait()
        return httpx2.Response(200, json={"table": "made"})

    async def through() -> None:
        async with open_terminal() as pilot:
            made: list[str | None] = []
            client = Client("https://spelunke.example", "token", httpx2.MockTransport(answer))
            pilot.app.push_screen(PlanScreen(client, offer_locals()), made.append)
            await pilot.pause()
            await pilot.press("o", "o")
            answered.set()
            await until(pilot, lambda: made)
            assert (made, asked) == (["made"], ["/api/v1/tables"])

    asyncio.run(through())
