"""Tests that ``test_playing.py`` runs without compiled kernels: searches of secret choices compared with exact play."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest

import toast
from spelunke.bots.greedy import GreedyBot
from spelunke.bots.levels import seat_player
from spelunke.bots.search import AnswerBot, SearchBot, ask
from spelunke.core.chance import seed_stream
from spelunke.core.errors import BadInput
from spelunke.core.kernel import bind, pool
from spelunke.core.values import State
from spelunke.games import find_game
from spelunke.games.game import Game
from spelunke.games.halunken.state import CHOOSING
from spelunke.games.match import Match
from spelunke.records.position import parse_position
from spelunke.solvers.exploit import Ending, SearchPolicy
from spelunke.solvers.lookers import Lookers
from spelunke.solvers.matrix import solve
from spelunke.solvers.search import Budget, Finding, Mixture, agreeing, best_answer, reopen, search

if TYPE_CHECKING:
    from spelunke.solvers.learners import Learners

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "docs" / "examples" / "halunken-last-hours.json"
ROBBERY = ROOT / "src" / "spelunke" / "games" / "halunken" / "tests" / "robbery.json"
LOOKS = 300


@pytest.fixture(scope="module")
def halunken() -> Game:
    return find_game("halunken")


def position(used: tuple[list[object], list[object]]) -> Match:
    """Return the position of an example in the docs, but with these used cards, so that fewer hours are left."""
    file = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    for seat, cards in zip(file["seats"], used, strict=True):
        seat["used"] = cards
    return parse_position(json.dumps(file).encode())


@pytest.fixture(scope="module")
def ending(halunken: Game) -> Ending:
    """Return an ending with two hours left and two cards each."""
    return Ending(halunken, position(([1, 2, 3, 5, 7, "rum"], [1, 3, 4, 5, 7, "rum"])).state)


def uniform(ending: Ending, s: State, seat: int) -> Mixture:
    plans = ending.plans(s, seat)
    return dict.fromkeys(plans, 1 / len(plans))


@pytest.mark.parametrize(
    ("table", "value", "mine", "theirs"),
    [
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0.0, [1 / 3] * 3, [1 / 3] * 3),
        ([[3, -1], [-2, 1]], 1 / 7, [3 / 7, 4 / 7], [2 / 7, 5 / 7]),
        ([[1, 2, 3]], 1.0, [1], [1, 0, 0]),
        ([[-4], [-2]], -2.0, [0, 1], [1]),
    ],
)
def test_matrix_games_are_solved(
    table: list[list[float]], value: float, mine: list[float], theirs: list[float]
) -> None:
    found, rows, columns = solve(np.array(table, float))
    assert found == pytest.approx(value)
    assert rows == pytest.approx(mine)
    assert columns == pytest.approx(theirs)


def test_neither_side_gains_by_deviating_from_a_solution() -> None:
    rng = np.random.default_rng(5)
    for shape in ((2, 5), (7, 7), (8, 3)):
        table = rng.integers(-9, 9, shape) / 9.0  # with ties
        value, mine, theirs = solve(table)
        assert (mine @ table).min() == pytest.approx(value)
        assert (table @ theirs).max() == pytest.approx(value)


def test_exact_play_cannot_be_exploited_but_random_play_can(ending: Ending) -> None:
    value = ending.value(ending.root)
    assert ending.best_response(0, ending.best) == pytest.approx(value)
    assert ending.best_response(1, ending.best) == pytest.approx(-value)
    assert ending.exploitability(ending.best) == pytest.approx(0.0, abs=1e-9)
    assert ending.exploitability(lambda s, seat: uniform(ending, s, seat)) > 0.2


def test_the_search_comes_near_exact_play(halunken: Game, ending: Ending) -> None:
    found = search(halunken, ending.root, 0, Budget(LOOKS, ahead=9), seed_stream(1))
    exact = ending.best(ending.root, 0)
    assert {choice.actions for choice in found.choices} == set(exact)
    assert ending.exploitability(SearchPolicy(halunken, LOOKS)) < 0.06


def test_a_search_on_several_cores_is_as_exact_and_reproducible(halunken: Game, ending: Ending) -> None:
    alone, three = (Budget(LOOKS, ahead=9, cores=cores) for cores in (1, 3))
    found = search(halunken, ending.root, 0, three, seed_stream(1))
    assert LOOKS <= found.played < LOOKS + 3 * len(found.choices) * 4
    assert found == search(halunken, ending.root, 0, three, seed_stream(1))
    assert found != search(halunken, ending.root, 0, alone, seed_stream(1))
    assert sum(choice.share for choice in found.choices) == pytest.approx(1.0)
    assert found.value == pytest.approx(ending.value(ending.root), abs=0.2)
    assert ending.exploitability(SearchPolicy(halunken, LOOKS, cores=3)) < 0.06


@pytest.fixture
def short_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let searches check more often for the time limit and for a cancellation, because plain playouts take long."""
    monkeypatch.setattr("spelunke.solvers.search.CHUNK", 128)


@pytest.mark.usefixtures("short_looks")
def test_every_core_obeys_the_time_limit_and_a_cancellation(halunken: Game, ending: Ending) -> None:
    heard: list[tuple[int, int]] = []
    found = search(
        halunken,
        ending.root,
        0,
        Budget(milliseconds=0.001, ahead=9, cores=2),
        seed_stream(1),
        tell=lambda done, of: heard.append((done, of)),
    )
    assert len(heard) == 1, "one look of each core takes longer than that"
    assert found.played >= 2 * 128
    assert (
        search(halunken, ending.root, 0, Budget(cores=2), seed_stream(1), cancelled=lambda: True).played == 0
    )


def test_open_spiel_finds_the_same_exploitability(halunken: Game, tmp_path: Path) -> None:
    pytest.importorskip("pyspiel", reason="OpenSpiel is an extra, and not installed here")
    import pyspiel
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability

    from spelunke.adapters import open_spiel as adapter
    from spelunke.records.position import write_position

    match = position(([1, 2, 3, 5, 7, "rum"], [1, 3, 4, 5, 7, "rum"]))
    file = tmp_path / "ending.json"
    file.write_bytes(write_position(match))
    spiel = pyspiel.load_game(adapter.PREFIX + "halunken", {"position": str(file)})
    ending = Ending(halunken, match.state)

    class Ours(policy.Policy):  # type: ignore[misc]
        def __init__(self, choose: object) -> None:
            super().__init__(spiel, [0, 1])
            self.choose = choose

        def action_probabilities(self, state: object, player_id: int | None = None) -> dict[int, float]:
            s, seat = state.desk.state, state.current_player()  # type: ignore[attr-defined]
            found: Mapping[tuple[int, ...], float] = self.choose(reopen(halunken, s, (0, 1)), seat)  # type: ignore[operator]
            return {plan[0]: share for plan, share in found.items()}

    for choose in (ending.best, lambda s, seat: uniform(ending, s, seat), SearchPolicy(halunken, 60)):
        theirs = exploitability.nash_conv(spiel, Ours(choose)) / 2
        assert theirs == pytest.approx(ending.exploitability(choose), abs=1e-9)


def told(found: Finding) -> list[tuple[tuple[int, ...], float]]:
    return [(choice.actions, choice.share) for choice in found.choices]


def test_the_same_seed_gives_the_same_answer_whatever_others_have_sealed(halunken: Game) -> None:
    match = position(([1, 2, "rum"], [1, 4, "rum"]))
    budget = Budget(200)
    before = told(search(halunken, match.state, 0, budget, seed_stream(4)))
    for card in ("card 2", "card 3"):
        match.act(1, match.parse(card))
        assert told(search(halunken, match.state, 0, budget, seed_stream(4))) == before
        match.act(1, match.parse("take back"))
    assert told(search(halunken, match.state, 0, budget, seed_stream(5))) != before


@pytest.mark.usefixtures("short_looks")
def test_a_search_ends_when_cancelled_and_when_the_answer_is_clear(halunken: Game) -> None:
    match = position(([1, 2, "rum"], [1, 4, "rum"]))
    heard: list[tuple[int, int]] = []
    found = search(
        halunken,
        match.state,
        0,
        Budget(10**9),
        seed_stream(4),
        tell=lambda done, of: heard.append((done, of)),
        cancelled=lambda: bool(heard),
    )
    assert not found.clear
    assert heard == [(found.played, 10**9)]
    short = search(halunken, match.state, 0, Budget(milliseconds=0.001), seed_stream(4))
    assert 0 < short.played <= 2 * found.played
    robbing = parse_position(ROBBERY.read_bytes())
    clear = search(halunken, robbing.state, 0, Budget(10**9, ahead=1), seed_stream(1))
    assert clear.clear
    best = max(clear.choices, key=lambda choice: choice.share)
    assert best.actions == halunken.moves.encode(robbing.parse("rob red 15"))


def test_a_seat_that_waits_for_the_secret_choice_of_others_learns_from_it() -> None:
    """Seat 0 chooses twice, then waits while the other seats choose in secret. It wins only if it chose 1 both times.

    The search finds that 1 is the better first choice of seat 0.
    """
    plain = bind("spelunke.solvers.unjudged", "toast").__name__
    kernels = cast("Learners", bind("spelunke.solvers.learners", "toast", plain))
    root = pool(toast.STATE, 1)[0]
    lookers = Lookers(kernels, root, 3, 0, [seed_stream(1)])
    lookers.until = 1
    with lookers.at_work() as look:
        look(200)
    found = lookers.sums(0)
    worse, better = found.total / found.weight
    assert worse == -1.0
    assert better > 0.8


HIRED = {
    "phase": "choosing",
    "hirer": 0,
    "opener": 0,
    "seats": [
        {"captain": 2, "crew": ["violet 4", "violet 9"], "used": [1, 2, 3, 4, "rum"]},
        {"captain": 6, "crew": ["grey 3", "grey 9"], "used": [1, 4, 5, 7, "rum"]},
    ],
    "jack": {"field": 9, "used": [1, 2, 3, 4, 5]},
}


def test_a_captains_card_and_black_jacks_card_form_one_choice(halunken: Game) -> None:
    match = Match(halunken, 2, state=halunken.notation.parse_position(HIRED))
    found = search(halunken, match.state, 0, Budget(200), seed_stream(1))
    assert sorted({len(choice.actions) for choice in found.choices}) == [2]
    assert len(found.choices) == 9
    assert sum(choice.share for choice in found.choices) == pytest.approx(1.0)
    assert sum(choice.share for choice in found.others[1]) == pytest.approx(1.0)
    for text in ("card 5", "jack 7"):  # whichever is sealed first, the other is left
        match.act(0, match.parse(text))
        left = agreeing(halunken, match.state, 0, found.choices)
        assert len(left) == 3
        (sealed,) = halunken.moves.encode(match.parse(text))
        assert all(sealed in choice.actions and sealed not in rest for choice, rest in left)
        match.act(0, match.parse("take back" if text == "card 5" else "take back jack"))


def test_the_best_answer_to_a_known_program_is_one_certain_choice(halunken: Game) -> None:
    match = position(([1, 2, 3, 5, 7, "rum"], [1, 3, 4, 5, 7, "rum"]))
    found = best_answer(halunken, match.state, 0, Budget(400, ahead=9), seed_stream(1))
    assert max(choice.share for choice in found.choices) == 1.0
    best = max(found.choices, key=lambda choice: choice.share)
    assert best.value == max(choice.value for choice in found.choices)


def test_a_half_sealed_choice_is_completed_in_the_best_way(halunken: Game) -> None:
    for text in ("card 5", "card 6", "card 7"):
        match = Match(halunken, 2, state=halunken.notation.parse_position(HIRED))
        match.act(0, match.parse(text))
        found = best_answer(halunken, match.state, 0, Budget(150), seed_stream(1))
        left = [choice for choice, _ in agreeing(halunken, match.state, 0, found.choices)]
        assert sum(choice.share for choice in left) == 1.0
        best = max(left, key=lambda choice: choice.share)
        assert best.value == max(choice.value for choice in left)


def test_an_answer_bot_answers_the_choice_that_the_opponent_would_make(halunken: Game) -> None:
    """The bot computes the card that its opponent, the bot Watchman, would lay. It is 5, so the bot lays 5 too."""
    start = {
        "options": {"mode": "beginner", "two_player_beginner": True},
        "phase": "choosing",
        "seats": [
            {"captain": 0, "crew": ["red 9", "red 10"], "used": [1, 2, 3, 4, 6, 7]},
            {"captain": 7, "crew": ["violet 9", "violet 10"], "used": [1, 2, 3, 4, 7, "rum"]},
        ],
        "taverns": {"12": "red 15", "5": "yellow 3", "13": "yellow 4"},
    }
    match = Match(halunken, 2, start["options"], state=halunken.notation.parse_position(start))
    bot = seat_player(halunken, "answer:looks=200,ahead=1,asks=3,to=watchman:looks=20")
    assert bot.choose(match.view(0), match.legal(0), seed_stream(1)) == match.parse("card 5")
    assert ask(halunken, seat_player(halunken, "watchman:looks=20"), match.state, 1, 3, seed_stream(1)) == {
        halunken.moves.encode(match.parse("card 5"), match.state): 1.0
    }
    with pytest.raises(BadInput, match="no level 'nobody'"):
        seat_player(halunken, "answer:to=nobody")


def test_the_opponent_of_an_answer_bot_has_separate_settings(halunken: Game) -> None:
    found = seat_player(halunken, "answer:ahead=2,to=search:looks=5,ahead=1")
    assert isinstance(found, AnswerBot)
    assert isinstance(found.to, SearchBot)
    assert (found.budget.ahead, found.to.budget.ahead, found.to.budget.simulations) == (2, 1, 5)
    nested = seat_player(halunken, "answer:looks=9,to=answer:looks=8,to=greedy:depth=2")
    assert isinstance(nested, AnswerBot)
    assert isinstance(nested.to, AnswerBot)
    assert isinstance(nested.to.to, GreedyBot)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("answer:looks=5,looks=6", "names looks twice"),
        ("answer:to=greedy,asks=3", "no level 'greedy,asks=3'.*'to' must come last"),
        ("answer:to=nobody", "no level 'nobody'.*'to' must come last"),
        ("answer:asks=0,to=greedy", "asks must be a whole number from 1, not 0"),
        ("answer:asks=x,to=greedy", "asks must be a whole number, not 'x'"),
        ("answer:asks=1.5,to=greedy", "asks must be a whole number, not 1.5"),
        ("greedy:depth=0", "depth and worlds must be whole numbers from 1, not 0 and 1"),
        ("greedy:worlds=-1", "depth and worlds must be whole numbers from 1, not 2 and -1"),
        ("greedy:noise=nan", "noise must be a number, not 'nan'"),
        ("search:noise=1e999", "noise must be a number, not '1e999'"),
        ("search:looks=x", "looks must be a whole number, not 'x'"),
        ("search:milliseconds=soon", "milliseconds must be a number, not 'soon'"),
        ("answer:to=process:python bot.py", "a program can't"),
        ("answer:noise=0.5", "can't be played: .*noise"),
        ("search:to=greedy", "can't be played: .*to"),
    ],
)
def test_invalid_settings_of_a_player_are_refused(halunken: Game, name: str, told: str) -> None:
    with pytest.raises(BadInput, match=told) as refused:
        seat_player(halunken, name)
    assert "process:COMMAND" not in str(refused.value)


def test_a_searching_bot_plays_hours_with_a_hired_jack(halunken: Game) -> None:
    match = Match(halunken, 2)
    bot, stream = seat_player(halunken, "search:looks=20"), seed_stream(2)
    laid_by_hirer = 0
    while match.state.hour < 1:
        if match.chance:
            match.apply_chance(match.chances()[0][0])
            continue
        seat = match.actors[0]
        action = bot.choose(match.view(seat), match.legal(seat), stream)
        laid_by_hirer += match.state.phase == CHOOSING and match.state.hirer == seat
        match.act(seat, action)
    assert laid_by_hirer in {0, 2}


def test_the_search_makes_a_clear_choice_where_one_card_wins(halunken: Game) -> None:
    """The search prefers card 5, which leads to the red 15. The other captain has no card 5 to cancel it."""
    start = {
        "options": {"mode": "beginner", "two_player_beginner": True},
        "phase": "choosing",
        "seats": [
            {"captain": 0, "crew": ["red 9", "red 10"], "used": [2, 3, 4, 6, 7, "rum"]},
            {"captain": 7, "crew": ["violet 9", "violet 10"], "used": [2, 4, 5, 6, 7, "rum"]},
        ],
        "taverns": {"5": "red 15", "1": "yellow 1", "12": "yellow 2", "8": "yellow 3", "6": "yellow 4"},
    }
    match = Match(halunken, 2, start["options"], state=halunken.notation.parse_position(start))
    found = search(halunken, match.state, 0, Budget(400, ahead=1), seed_stream(1))
    best = max(found.choices, key=lambda choice: choice.share)
    assert best.actions == halunken.moves.encode(match.parse("card 5"), match.state)


def test_a_captain_has_a_lower_value_if_all_others_play_against_them(halunken: Game) -> None:
    """If the search assumes that both opponents only harm the first captain, this captain's value is lower."""
    start = {
        "options": {"mode": "beginner"},
        "phase": "choosing",
        "seats": [
            {"captain": 0, "crew": ["red 9", "red 10"], "used": [1, 3, 4, 6, 7, "rum"]},
            {"captain": 7, "crew": ["violet 9", "violet 10"], "used": [2, 4, 5, 6, 7, "rum"]},
            {"captain": 2, "crew": ["grey 9"], "used": [1, 2, 5, 6, 7, "rum"]},
        ],
        "taverns": {"5": "red 15", "2": "red 4", "12": "yellow 2", "8": "yellow 3", "6": "yellow 4"},
    }
    match = Match(halunken, 3, start["options"], state=halunken.notation.parse_position(start))
    own, harmed = (
        search(halunken, match.state, 0, Budget(200, ahead=9, paranoid=paranoid), seed_stream(1))
        for paranoid in (False, True)
    )
    assert harmed.value < own.value
    two = position(([1, 2, 3, 5, 7, "rum"], [1, 3, 4, 5, 7, "rum"]))
    alike = [
        search(halunken, two.state, 0, Budget(100, ahead=9, paranoid=paranoid), seed_stream(1)).value
        for paranoid in (False, True)
    ]
    assert alike[0] == pytest.approx(alike[1], abs=0.1), "of two each is against the other anyway"
