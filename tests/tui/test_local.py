"""Games against bots on the whole screen of a terminal, without a server."""

import asyncio
import threading
from collections.abc import Callable, Sequence

import pytest
from textual.widgets import OptionList

from spelunke.bots.local import LocalGame
from spelunke.cli.words import say_refusal
from spelunke.core.errors import IllegalMove
from spelunke.core.values import Action, Stream, View
from spelunke.core.words import plain
from spelunke.games import find_game
from spelunke.tui.desk import Line, Refused
from spelunke.tui.help_screen import HelpScreen
from spelunke.tui.local import LocalDesk
from spelunke.tui.start_screen import StartScreen
from terminal import SEED, open_terminal, reach_curtain, table_of, text_of, until


@pytest.mark.deep
def test_a_whole_game_is_played_with_keys() -> None:
    async def play() -> None:
        async with open_terminal() as pilot:
            await pilot.press("right", "right", "right", *["up"] * 5, "p")
            screen = table_of(pilot)
            for number in range(2000):
                await until(pilot, lambda: screen._choices or screen.desk.moment.status == "over")
                if screen.desk.moment.status == "over":
                    break
                before = screen.desk.moment
                keys = list(screen._keys.values())
                await pilot.press(keys[number % len(keys)] if keys else "enter")
                await until(pilot, lambda before=before: screen.desk.moment is not before)
            assert screen.desk.moment.status == "over"
            assert "wins" in text_of(pilot) or "Shared" in text_of(pilot)
            assert await screen.desk.record() is not None

    asyncio.run(play())


@pytest.mark.deep
def test_every_choice_can_be_pressed_with_the_mouse() -> None:
    async def play() -> None:
        async with open_terminal() as pilot:
            await pilot.click("#keys", offset=(2, 0))
            screen = table_of(pilot)
            await until(pilot, lambda: screen._choices)
            moment = screen.desk.moment
            await pilot.click("#choices", offset=(6, 0))
            await until(pilot, lambda: screen.desk.moment is not moment)
            assert len(screen.desk.moment.log) > len(moment.log)

    asyncio.run(play())


def test_a_click_on_the_board_plays_a_move() -> None:
    async def play() -> None:
        async with open_terminal() as pilot:
            await pilot.press("enter")
            screen = table_of(pilot)
            while True:
                await until(pilot, lambda: screen._choices)
                moves = [text for _action, text in screen._choices]
                direct = [move for move in moves if move.startswith("place") and len(move.split()) == 2]
                if direct:
                    break
                await pilot.press(screen._keys[moves[0]])
                await until(pilot, lambda moves=moves: [text for _a, text in screen._choices] != moves)
            board = screen.query_one("#board")
            places = [
                (x, y)
                for y in range(board.size.height)
                for x in range(board.size.width)
                if screen.get_style_at(board.region.x + x, board.region.y + y).meta.get("move") == direct[0]
            ]
            assert places
            await pilot.click("#board", offset=places[0])
            await until(pilot, lambda: [text for _a, text in screen._choices] != moves)

    asyncio.run(play())


def test_a_typed_move_is_played_and_a_wrong_one_is_refused_in_one_sentence() -> None:
    async def play() -> None:
        async with open_terminal() as pilot:
            await pilot.press("enter")
            screen = table_of(pilot)
            await until(pilot, lambda: screen._choices)
            before = screen.desk.moment
            await pilot.press(*":fly", "enter")
            await until(pilot, lambda: pilot.app._notifications)
            told = [note.message for note in pilot.app._notifications]
            assert len(told) == 1
            assert "fly" in told[0]
            assert screen.desk.moment is before
            await pilot.press(":", *screen._choices[0][1], "enter")
            await until(pilot, lambda: screen.desk.moment is not before)

    asyncio.run(play())


def test_nobody_asks_the_coach_or_types_a_move_for_the_next_player_while_the_board_is_hidden(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    async def hint(desk: LocalDesk) -> tuple[Line, ...]:
        asked.append(desk.moment.curtain)
        return (Line(1, "the hand of the next player"),)

    monkeypatch.setattr(LocalDesk, "hint", hint)

    async def play() -> None:
        async with open_terminal() as pilot:
            screen = await reach_curtain(pilot)
            await pilot.press("H", ":")
            await pilot.pause()
            assert pilot.app.screen is screen
            assert not screen.query_one("#typed").display
            await pilot.press("enter", "H")
            await until(pilot, lambda: pilot.app.screen is not screen)
            assert asked == [""]

    asyncio.run(play())


class SlowBot:
    """A bot that waits for permission before each choice, and plays the first legal action."""

    def __init__(self) -> None:
        self.begun = self.allowed = 0
        self._may_go = threading.Semaphore(0)

    @property
    def thinks(self) -> bool:
        return self.begun > self.allowed

    def allow(self, number: int = 1) -> None:
        self.allowed += number
        self._may_go.release(number)

    def choose(self, view: View, legal: Sequence[Action], stream: Stream) -> Action:
        self.begun += 1
        assert self._may_go.acquire(timeout=60)
        return legal[0]


def test_a_move_can_be_taken_back_while_a_bot_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    bot, game = SlowBot(), find_game("sanghai")
    monkeypatch.setattr("spelunke.bots.local.seat_bot", lambda *_given: bot)
    local = LocalGame(
        game, 3, {}, people={0: "Player"}, level=None, secret=SEED, nonce="terminal", words=plain
    )

    async def reach(true: Callable[[], object]) -> None:
        async with asyncio.timeout(20):
            while not true():  # noqa: ASYNC110 (a bot in a thread sets no event)
                await asyncio.sleep(0.005)

    async def play() -> None:
        desk = LocalDesk(lambda: local, pace=0)
        following = asyncio.create_task(desk.run())

        def asked() -> bool:
            return bool(desk.moment.scene and desk.moment.scene.legal)

        async def answer() -> None:
            assert desk.moment.scene
            await desk.play(desk.moment.scene.legal[0][1])

        await reach(lambda: asked() or bot.thinks)
        while not (bot.thinks and "undo" in desk.moment.may):
            if bot.thinks:
                bot.allow()
            else:
                await answer()
            await reach(lambda: asked() or bot.thinks)
        await desk.do("undo")
        taken = local.match.ply
        bot.allow()
        await answer()
        await reach(lambda: bot.thinks or following.done())
        assert not following.done()
        assert local.match.ply == len(local._times) == taken + 1
        bot.allow(100)
        await reach(lambda: local.match.ply > taken + 1)
        following.cancel()

    asyncio.run(play())


def test_a_refused_move_is_explained_in_one_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPELUNKE_LANGUAGE", "de")
    game = find_game("shanghaien")
    local = LocalGame(
        game, 2, {}, people={0: "Player", 1: "Friend"}, level=None, secret=SEED, nonce="terminal", words=plain
    )
    while local.step():
        pass
    desk = LocalDesk(lambda: local, pace=0)
    desk._seat = local.match.actors[0]
    with pytest.raises(Refused) as refused:
        asyncio.run(desk.play("place 4"))
    with pytest.raises(IllegalMove) as illegal:
        local.act(local.match.actors[0], "place 4")
    assert str(illegal.value).startswith("'place 4' is not allowed now: you have")
    for told in (str(refused.value), say_refusal(illegal.value)):
        assert told.startswith("'place 4' "), told
        assert "not allowed" not in told
        assert "you have" not in told


def test_a_small_terminal_gets_one_sentence_and_the_game_goes_on() -> None:
    async def play() -> None:
        async with open_terminal() as pilot:
            await pilot.press("enter")
            screen = table_of(pilot)
            await until(pilot, lambda: screen._choices)
            moment = screen.desk.moment
            await pilot.resize_terminal(60, 20)
            await pilot.pause()
            assert " ".join(text_of(pilot).split()) == (
                "Make the terminal larger: 80 columns and 24 lines are needed; it has 60 and 20."
            )
            await pilot.press("r")
            sheet = HelpScreen("")
            await pilot.app.push_screen(sheet)  # as if a server had answered meanwhile
            await until(pilot, lambda: pilot.app.screen is not sheet)
            await pilot.resize_terminal(100, 30)
            await until(pilot, lambda: pilot.app.screen is sheet)
            await pilot.press("q")
            await until(pilot, lambda: pilot.app.screen is screen)
            assert screen.desk.moment is moment
            await pilot.press(next(iter(screen._keys.values())))
            await until(pilot, lambda: screen.desk.moment is not moment)

    asyncio.run(play())


def test_help_names_the_keys_and_the_rules() -> None:
    async def play() -> None:
        async with open_terminal(120, 40) as pilot:
            await pilot.press("question_mark")
            await pilot.pause()
            assert "take your newest move back" in text_of(pilot)
            await pilot.press("escape")
            await pilot.pause()
            assert "Players" in text_of(pilot)

    asyncio.run(play())


def test_a_late_event_of_the_previous_game_changes_nothing() -> None:
    async def play() -> None:
        async with open_terminal() as pilot:
            screen = pilot.app.screen
            assert isinstance(screen, StartScreen)
            for name, gone in (("#level", "novice"), ("#seats", "8")):
                listed = screen.query_one(name, OptionList)
                late = OptionList.OptionHighlighted(listed, listed.get_option_at_index(0), 0)
                late.option_id = gone
                screen.on_option_list_option_highlighted(late)
            assert screen.level in screen.game.levels
            assert screen.seats in screen.game.seats
            await pilot.press("enter")
            assert table_of(pilot).desk.moment.game is screen.game

    asyncio.run(play())
