"""Position files: they round-trip, moves can be played from them, and wrong files are refused with a reason."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from spelunke.core.errors import BadInput, BadPosition, UnknownGame
from spelunke.games import find_game
from spelunke.records.position import apply, parse_position, write_position

sys.path.insert(0, str(Path(__file__).parent))
from random_games import EXAMPLE, GAMES, play_match


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("plies", [0, 3, 17, 40, 90])
def test_a_written_position_is_read_back_unchanged(game: str, plies: int) -> None:
    match, _, _ = play_match(game, 5, plies)
    again = parse_position(write_position(match))
    assert again.state.tobytes() == match.state.tobytes()
    assert write_position(again) == write_position(match)


@pytest.mark.parametrize("game", GAMES)
def test_moves_go_on_from_a_position(game: str) -> None:
    whole, _, _ = play_match(game, 5, 60)
    start, _, _ = play_match(game, 5, 20)
    match = parse_position(write_position(start))
    texts = [
        ply.text if ply.seat < 0 or not match.game.together else f"{ply.seat}: {ply.text}"
        for ply in whole.plies[20:]
    ]
    apply(match, "; ".join(texts))
    assert match.state.tobytes() == whole.state.tobytes()
    with pytest.raises(BadInput, match=r"^move 2: "):
        apply(match, "; gibberish")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "ends in the middle"),
        (b"[", "ends in the middle"),
        (b"[]", "a position is a JSON object"),
        (b"{}", "^game: the game is missing"),
        (b'{"game": 3}', "^game: it must be the name of a game"),
        (b'{"game": "shanghaien"', "ends in the middle"),
        (b'{"game": "shanghaien", "seats": -', "ends in the middle"),
        (b'{"game": "shanghaien", "seats": 3}', "^seats: "),
        (b" " * 300_000, "has at most"),
        (b"[" * 100_000, "ends in the middle|nested"),
    ],
)
def test_malformed_positions_are_refused_with_a_reason(data: bytes, message: str) -> None:
    with pytest.raises(BadPosition, match=message):
        parse_position(data)


def test_the_game_may_be_named_beside_the_file() -> None:
    match, _, _ = play_match(EXAMPLE, 5, 20)
    data = write_position(match)
    game = find_game(EXAMPLE)
    assert parse_position(data, game).state.tobytes() == match.state.tobytes()
    with pytest.raises(UnknownGame, match="there is no game 'chess'"):
        parse_position(data.replace(EXAMPLE.encode(), b"chess"))
    with pytest.raises(BadPosition, match=r"^game: the file is of 'other'"):
        parse_position(data.replace(EXAMPLE.encode(), b"other"), game)


@pytest.mark.parametrize("seat", ["²", "2\x1f\x00", "٣x", "9" * 5000, "-1", "1_0", "99"])
def test_a_seat_that_is_no_number_is_refused_in_a_sentence(seat: str) -> None:
    match, _, _ = play_match(EXAMPLE, 5, 20)
    before = match.state.tobytes()
    with pytest.raises(BadInput, match=r"^move 1: .* \w+ \w+") as refused:
        apply(match, f"{seat}: roll")
    assert len(str(refused.value)) <= 1100, "what is quoted has an end"
    assert match.state.tobytes() == before
