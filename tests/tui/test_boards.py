"""The boards of Halunken and Sanghai on the whole screen: whole games, picked cards, the steps of an hour."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from rich.text import Text
from textual.pilot import Pilot

from spelunke.boards.scene import Scene
from spelunke.boards.screen import Screen
from spelunke.bots.local import LocalGame
from spelunke.core.words import plain
from spelunke.games import find_game
from spelunke.games.game import Game
from spelunke.games.match import Match
from spelunke.records.viewer import MatchViewer
from spelunke.tui.desk import Desk, Moment
from spelunke.tui.local import LocalDesk
from spelunke.tui.table_screen import TableScreen
from spelunke.tui.themes import colours_of
from terminal import SEED, compare_screen, open_terminal, table_of, text_of, until

PLACE = {"shanghaien": 0, "halunken": 1, "sanghai": 2}
FOR_TWO = ("right", "down")
"""The keys that choose the way to play “For two” in Halunken."""


@asynccontextmanager
async def open_game(
    name: str, width: int = 80, height: int = 24, way: tuple[str, ...] = ()
) -> AsyncIterator[tuple[Pilot[None], TableScreen]]:
    """Begin a local game against bots, as a person does it on the first screen."""
    async with open_terminal(width, height) as pilot:
        for _ in range(PLACE[name]):
            await pilot.press("down")
        await pilot.press(*way, "enter")
        screen = table_of(pilot)
        assert screen.desk.moment.game.name == name
        await until(pilot, lambda: screen._choices)
        yield pilot, screen


async def play(pilot: Pilot[None], screen: TableScreen, move: str) -> None:
    """Press the key of a move, or type the move if it has no key, and wait for its consequences."""
    before = screen.desk.moment
    key = screen._keys.get(move)
    await pilot.press(*([key] if key else [":", *move, "enter"]))
    await until(pilot, lambda: screen.desk.moment is not before)
    await until(pilot, lambda: screen._choices or screen.desk.moment.status == "over")


async def play_until(pilot: Pilot[None], screen: TableScreen, wanted: str) -> list[str]:
    """Play the first choice (or hep, if it is allowed) until a possible choice begins with ``wanted``.

    Return the choices that are then possible.
    """
    for _ in range(400):
        moves = [text for _action, text in screen._choices]
        if any(move.startswith(wanted) for move in moves):
            return moves
        await play(pilot, screen, "hep" if "hep" in moves else moves[0])
    raise AssertionError(f"no choice began with {wanted}")


def scene_of(screen: TableScreen) -> Scene:
    scene = screen.desk.moment.scene
    assert scene is not None
    return scene


def is_over(screen: TableScreen) -> bool:
    return screen.desk.moment.status == "over"


def picked(screen: TableScreen) -> int:
    return len(screen._fields.get("card", ()))


def board_of(screen: TableScreen, width: int = 80, height: int = 15) -> Text:
    """Return the current board as the game draws it."""
    game = screen.desk.moment.game
    return draw(game, screen.drafted(scene_of(screen), game), width, height)


def draw(game: Game, scene: Scene, width: int = 80, height: int = 15) -> Text:
    drawn = game.hooks.render_screen(scene, Screen(width, height, colours_of()))
    assert isinstance(drawn, Text)
    return drawn


def scenes(name: str, moves: int) -> Iterator[Scene]:
    """Play a local game against bots without a terminal; yield what the person sees before each move."""
    game = find_game(name)
    seats = game.seats[0]

    def make() -> LocalGame:
        return LocalGame(
            game, seats, {}, people={0: "Player"}, level=None, secret=SEED, nonce="terminal", words=plain
        )

    async def through() -> list[Scene]:
        desk = LocalDesk(make, pace=0)
        found = []
        for number in range(moves):
            while desk.game.step():
                pass
            desk._refresh()
            assert desk.moment.scene is not None
            found.append(desk.moment.scene)
            legal = desk.moment.scene.legal
            if desk.moment.status == "over":
                break
            await desk.play(legal[number % len(legal)][1])
        return found

    yield from asyncio.run(through())


@pytest.mark.deep
def test_a_whole_game_of_halunken_is_played_with_keys() -> None:
    async def through() -> None:
        async with open_game("halunken") as (pilot, screen):
            for number in range(500):
                if is_over(screen):
                    break
                moves = [text for _action, text in screen._choices]
                await play(pilot, screen, moves[number % len(moves)])
            assert is_over(screen)
            assert "wins" in text_of(pilot) or "Shared" in text_of(pilot)

    asyncio.run(through())


@pytest.mark.deep
def test_a_whole_game_of_sanghai_is_played_with_keys() -> None:
    async def through() -> None:
        async with open_game("sanghai") as (pilot, screen):
            for number in range(2500):
                if is_over(screen):
                    break
                moves = [text for _action, text in screen._choices]
                if "plus" in screen._steps:
                    before = screen.desk.moment
                    await pilot.press("plus")
                    await until(pilot, lambda before=before: screen.desk.moment is not before)
                    await until(pilot, lambda: screen._choices or screen.desk.moment.status == "over")
                    continue
                added = [move for move in moves if move.startswith("add")]
                await play(pilot, screen, added[0] if added else moves[number % len(moves)])
            assert is_over(screen)
            assert "wins" in text_of(pilot) or "Shared" in text_of(pilot)

    asyncio.run(through())


def test_cards_of_the_hand_are_picked_with_keys_and_with_the_mouse_and_laid_together() -> None:
    async def through() -> None:
        async with open_hand("7s 7h 7c 9s 9d 9h 3d", 1) as (pilot, screen, desk):
            await pilot.press("right")
            assert screen._fields["at"]
            marked = screen._considered
            assert marked is not None
            assert marked.startswith("discard")
            await pilot.press("space")
            assert picked(screen) == 1
            await pilot.press("space")
            assert picked(screen) == 0
            spots = find_steps(screen, "toggle")
            assert len(spots) == len(scene_of(screen).view.hand)
            await pilot.click("#board", offset=spots[0])
            assert picked(screen) == 1
            await pilot.click("#board", offset=spots[1])
            assert picked(screen) == 2
            assert "Set" in board_of(screen).plain
            await pilot.click("#board", offset=spots[1])
            await pilot.click("#board", offset=spots[0])
            await pilot.press("plus")
            await until(pilot, lambda: desk.played)
            assert desk.played == ["lay 7s 7h 7c | 9s 9h 9d"]

    asyncio.run(through())


def find_steps(screen: TableScreen, what: str) -> list[tuple[int, int]]:
    """Return, for each step of this kind that a click on the board can do, a point to click. Keep the reading order."""
    board = screen.query_one("#board")
    found: dict[object, tuple[int, int]] = {}
    for y in range(board.size.height):
        for x in range(board.size.width):
            step = screen.get_style_at(board.region.x + x, board.region.y + y).meta.get("draft")
            if step is not None and step[0] == what:
                found.setdefault(tuple(step), (x, y))
    return list(found.values())


@pytest.mark.deep
def test_an_hour_is_shown_step_by_step() -> None:
    async def through() -> None:
        async with open_game("halunken", way=FOR_TWO) as (pilot, screen):
            await play_until(pilot, screen, "card")
            for _ in range(40):
                if "right" in screen._steps:
                    break
                await play(pilot, screen, screen._choices[-1][1])
            now = board_of(screen).plain
            await pilot.press("right")
            first = board_of(screen).plain
            assert " 1/" in first
            await pilot.press("right")
            assert " 2/" in board_of(screen).plain
            await pilot.press("left")
            assert board_of(screen).plain == first
            spots = find_steps(screen, "set")
            await pilot.click("#board", offset=spots[0])
            for _ in range(60):
                await pilot.press("right")
                if board_of(screen).plain == now:
                    break
            assert board_of(screen).plain == now  # after the last step comes the moment itself

    asyncio.run(through())


@pytest.mark.deep
def test_a_card_under_the_cursor_shows_the_target_field_in_the_harbour() -> None:
    async def through() -> None:
        async with open_game("halunken") as (pilot, screen):
            moves = await play_until(pilot, screen, "card")
            seen = scene_of(screen).view
            for step in range(1, 4):
                await pilot.press("home", *["down"] * moves.index(f"card {step}"))
                field = (seen.captains[0].field + step) % 14
                await until(pilot, lambda field=field: f"»{field:>2}" in text_of(pilot))

    asyncio.run(through())


def test_a_call_shows_the_seconds_that_are_left() -> None:
    async def through() -> None:
        async with open_game("sanghai") as (pilot, screen):
            await play_until(pilot, screen, "hep")
            scene = replace(scene_of(screen), pause_ms=5000, pause_left_ms=2400)
            for height in (12, 15, 38):
                drawn = screen.desk.moment.game.hooks.render_screen(scene, Screen(80, height))
                assert isinstance(drawn, Text)
                assert "◑ ▰▰▰▰▰▱▱▱▱▱ 3 seconds left" in drawn.plain
            assert "seconds left" not in text_of(pilot)

    asyncio.run(through())


@pytest.mark.parametrize("name", ["shanghaien", "halunken", "sanghai"])
def test_a_board_always_fits_the_given_space(name: str) -> None:
    drawn = 0
    for scene in scenes(name, 14):
        for width, height in ((80, 13), (80, 15), (80, 38), (160, 60)):
            lines = draw(find_game(name), scene, width, height).split("\n", allow_blank=True)
            assert len(lines) <= height
            assert all(line.cell_len <= width for line in lines)
            drawn += 1
    assert drawn > 40


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["shanghaien", "halunken", "sanghai"])
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_the_screen_of_each_game_equals_the_stored_text(name: str, size: tuple[int, int]) -> None:
    """Each screen equals its text in ``screens/``. With UPDATE_SCREENS=1, write the texts again; then look at them."""

    async def through() -> None:
        async with open_game(name, *size) as (pilot, screen):
            for number in range(14):
                moves = [text for _action, text in screen._choices]
                await play(pilot, screen, moves[number % len(moves)])
            await pilot.press("right", "right")
            await pilot.pause()
            seen = text_of(pilot) + "\n"
        compare_screen(seen, name, size)

    asyncio.run(through())


@pytest.mark.parametrize("name", ["shanghaien", "halunken", "sanghai"])
def test_a_board_without_colours_has_the_same_text(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, seen = find_game(name), list(scenes(name, 6))
    coloured = [draw(game, scene) for scene in seen]
    monkeypatch.setenv("NO_COLOR", "1")
    for scene, before in zip(seen, coloured, strict=True):
        now = draw(game, scene)
        assert now.plain == before.plain
        for span in now.spans:
            style = span.style
            assert isinstance(style, str) or (style.color is None and style.bgcolor is None), style


class Still(Desk):
    """A stand-in for a table: it never changes, and only records the moves that are played."""

    def __init__(self, match: Match) -> None:
        super().__init__()
        self.match, self.played, self.title = match, list[str](), match.game.title

    @property
    def moment(self) -> Moment:
        viewer = MatchViewer(self.match, 0)
        names = ("Anna", "Bert", "Cleo", "Dora")
        scene = Scene(view=viewer.view, seat=0, names=names, legal=viewer.legal, actors=self.match.actors)
        return Moment(game=self.match.game, scene=scene, turn="Your turn")

    async def run(self) -> None:
        """Do nothing."""

    async def play(self, move: str) -> None:
        self.played.append(move)

    async def do(self, operation: str, **fields: object) -> None:
        raise AssertionError(operation)


@asynccontextmanager
async def open_hand(hand: str, lap: int) -> AsyncIterator[tuple[Pilot[None], TableScreen, Still]]:
    """Open the table of a seat that is to act in a round of Sanghai with this hand."""
    position = {
        "round": lap,
        "finished": [{"points": [0, 0, 0, 0]}] * (lap - 1),
        "turn": 0,
        "seats": [{"hand": hand, "heps": 2}, {"hand": "2c"}, {"hand": "2d"}, {"hand": "2h"}],
    }
    game = find_game("sanghai")
    desk = Still(Match(game, 4, {}, state=game.notation.parse_position(position)))
    async with open_terminal() as pilot:
        await pilot.app.push_screen(TableScreen(desk))
        screen = table_of(pilot)
        await until(pilot, lambda: "left" in screen._steps)
        yield pilot, screen, desk


async def pick(pilot: Pilot[None], screen: TableScreen, *cards: str) -> None:
    """Pick cards of the hand by the keys."""
    for card in cards:
        while screen._fields.get("at", ("",))[-1] != f"{card}.1":
            await pilot.press("right")
        await pilot.press("space")


@pytest.mark.deep
def test_a_contract_is_put_together_meld_by_meld() -> None:
    async def through() -> None:
        hand = "7s 7h 7c 9s 9d 4d 5d 6d 7d kh * 2s"
        async with open_hand(hand, 2) as (pilot, screen, desk):
            await pick(pilot, screen, "4d", "5d", "6d")
            assert "minus" not in screen._steps  # a run has four cards
            await pick(pilot, screen, "7d")
            assert "Put aside as a meld" in text_of(pilot)
            await pilot.press("minus")
            assert "1. Run 4♦ 5♦ 6♦ 7♦  ⌫ take back" in text_of(pilot)
            await pick(pilot, screen, "7s", "7h", "7c")
            await pilot.press("minus")
            assert "2. Set 7♠ 7♥ 7♣" in text_of(pilot)
            await pilot.press("backspace")
            assert "2. Set" not in text_of(pilot)
            await pilot.press("minus")
            assert "Lay these melds" in text_of(pilot)
            await pilot.click("#board", offset=find_steps(screen, "set")[0])  # takes the run back
            assert "1. Set 7♠ 7♥ 7♣" in text_of(pilot)
            await pilot.press("minus", "plus")
            await until(pilot, lambda: desk.played)
            assert desk.played == ["lay 7s 7h 7c | 4d 5d 6d 7d"]
            assert not screen._fields.get("aside")

    asyncio.run(through())


def hand_of(pilot: Pilot[None]) -> str:
    """Return the line of the hand, without its colours."""
    return next(" ".join(line.split()) for line in text_of(pilot).splitlines() if line.count("K♥") == 1)


@pytest.mark.deep
def test_the_sorted_hand_keeps_the_chosen_order_after_a_move() -> None:
    async def through() -> None:
        async with open_hand("7s 3h 7c kh 3d *", 1) as (pilot, _screen, desk):
            assert hand_of(pilot) == "7♠ 3♥ K♥ 3♦ 7♣ ★"
            await pilot.press("full_stop")
            assert hand_of(pilot) == "3♥ 3♦ 7♠ 7♣ K♥ ★"
            await pilot.press("left", "less_than_sign", "less_than_sign")
            assert hand_of(pilot) == "3♥ 3♦ 7♠ ★ 7♣ K♥"
            await pilot.press("left", "enter")
            await until(pilot, lambda: desk.played)
            assert hand_of(pilot) == "3♥ 3♦ 7♠ ★ 7♣ K♥"
            await pilot.press("full_stop")
            assert hand_of(pilot) == "7♠ 3♥ K♥ 3♦ 7♣ ★"
            await pilot.press("question_mark")
            await pilot.pause()
            assert "put the picked cards aside as a meld" in text_of(pilot)

    asyncio.run(through())


@pytest.mark.deep
def test_picked_cards_are_forgotten_in_the_next_round() -> None:
    async def through() -> None:
        async with open_hand("7s 3h 7c kh 3d *", 1) as (pilot, screen, desk):
            await pilot.press("full_stop")
            await pick(pilot, screen, "7s", "3h")
            second = {
                "round": 2,
                "finished": [{"points": [0, 0, 0, 0]}],
                "turn": 0,
                "seats": [{"hand": "7s 3h 7c kh"}, {"hand": "2c"}, {"hand": "2d"}, {"hand": "2h"}],
            }
            game = desk.match.game
            desk.match = Match(game, 4, {}, state=game.notation.parse_position(second))
            desk.changed()
            assert picked(screen) == 0
            assert hand_of(pilot) == "3♥ 7♠ 7♣ K♥"

    asyncio.run(through())
