"""Mine problems: let bots play, evaluate each decision, and keep decisions whose right moves are clearly the best.

In a secret choice, several moves may be right (:func:`spelunke.analysis.problems.is_right`).
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
from collections.abc import Callable, Iterator

import msgspec

from spelunke.analysis.analysis import Alternative, AnyAppraiser, Value
from spelunke.analysis.problems import EASY, HARD, MEDIUM, Collection, Problem, is_right
from spelunke.arena.shared import SharedChance
from spelunke.bots.levels import default_level, seat_bot
from spelunke.core.bot import AnyBot
from spelunke.core.chance import seed_stream
from spelunke.core.errors import BadInput
from spelunke.core.option import OptionsText as PositionText
from spelunke.core.values import Action, State
from spelunke.games import find_game
from spelunke.games.game import Game
from spelunke.games.match import Match
from spelunke.records.position import build_match
from spelunke.solvers.analysis import appraiser_of, rank
from spelunke.solvers.playing import PlayoutAppraiser

PLACES = 4
"""The number of decimal places of the values in problems."""
SURE = 3.0
"""A best move is clear only if its margin is at least this many times the error of the values."""


class Recipe(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of a collection of problems. The same parameters give the same problems."""

    game: str
    players: tuple[str, ...]
    games: int = 40
    seed: int = 1
    margin: float = 0.06
    most: int = 120

    def write(self) -> str:
        """Return the command that makes the same collection again."""
        return (
            f"spelunke mine {self.game} --players {','.join(self.players)} --games {self.games} --seed {self.seed} "
            f"--margin {self.margin:g} --most {self.most}"
        )


def mine(recipe: Recipe, made: str, tell: Callable[[int, int], object] = lambda done, of: None) -> Collection:
    """Return the collection of problems that a recipe gives.

    ``made`` is the date to write into the collection. ``tell`` is called after each game with two ints: the number of
    finished games, and the number of all games. Raise BadInput if the game or the level of a player is unknown, or if
    the number of players does not suit the game.
    """
    game = find_game(recipe.game)
    appraiser = appraiser_of(game)
    if len(recipe.players) not in game.seats:
        raise BadInput(f"{game.title} is not played by {len(recipe.players)} players", "players")
    usual = seat_bot(game, default_level(game))
    strong = _find_grader(game, recipe.players)
    players = [seat_bot(game, name) for name in recipe.players]
    found: dict[str, Problem] = {}
    for number in range(recipe.games):
        kept: set[tuple[str, int]] = set()  # one problem of each theme per round, because others are similar
        turned = players[number % len(players) :] + players[: number % len(players)]
        for one in _play(game, turned, appraiser, (usual, strong), recipe, number):
            if (one.theme, one.part) not in kept:
                kept.add((one.theme, one.part))
                found[one.id] = one
        tell(number + 1, recipe.games)
    return Collection(
        game=game.name,
        rules=game.version,
        recipe=recipe.write(),
        made=made,
        problems=_choose(list(found.values()), recipe.most),
    )


def _play(
    game: Game,
    players: list[AnyBot],
    appraiser: AnyAppraiser,
    graders: tuple[AnyBot, AnyBot | None],
    recipe: Recipe,
    number: int,
) -> Iterator[Problem]:
    """Play one game between the players, and yield the problems in it.

    ``graders`` are a bot of the default level and a strong bot. Their moves in a problem's position determine the
    problem's difficulty. The strong bot is None if all players are strong. Then the move that was played is used
    instead of the strong bot's move.
    """
    usual, strong = graders
    match, luck = Match(game), SharedChance(recipe.seed, number)
    while not match.over:
        if match.chance:
            match.apply_chance(luck.decide(match))
            continue
        seat, legal = match.actors[0], match.legal(match.actors[0])
        view, thoughts = match.view(seat), seed_stream(recipe.seed * 1_000_003 + number * 1009 + match.ply)
        action = players[seat].choose(view, legal, thoughts) if len(legal) > 1 else legal[0]
        if len(legal) > 1:
            ask = functools.partial(usual.choose, view, legal, thoughts)
            problem = _look(match, seat, action, appraiser, ask, recipe, number)
            if problem is not None and strong is not None:
                again = seed_stream(recipe.seed * 1_000_003 + number * 1009 + match.ply)
                write = game.notation.write
                problem = grade(
                    problem, write(usual.choose(view, legal, again)), write(strong.choose(view, legal, again))
                )
            if problem is not None:
                yield problem
        match.act(seat, action)


def _look(
    match: Match,
    seat: int,
    action: Action,
    appraiser: AnyAppraiser,
    ask_usual: Callable[[], Action],
    recipe: Recipe,
    number: int,
) -> Problem | None:
    """Return the problem for the seat's decision in the current position.

    Return None if the decision is unsuitable, for example because the second best move is almost as good as the best.
    """
    s = match.state_at(match.ply)
    if appraiser.honest:
        return _look_as_seat(match, seat, action, appraiser, ask_usual, recipe, number)
    ranked = rank(appraiser.choices(s, seat))
    best, second = ranked[0][1], ranked[1][1]
    margin = best.chance - second.chance
    if margin < max(recipe.margin, SURE * best.chance_error):
        return None
    write, values = match.game.notation.write, appraiser.values(s)
    right = ranked[0][0]
    difficulty = HARD if action != right else EASY if ask_usual() == right else MEDIUM
    position = match.game.notation.write_position(s)
    alternatives = tuple(Alternative(write(one), _round(value)) for one, value in ranked)
    found = _pose(
        match, seat, action, appraiser, number, position, position, alternatives, tuple(map(_round, values))
    )
    return msgspec.structs.replace(found, difficulty=difficulty)


def _find_grader(game: Game, players: tuple[str, ...]) -> AnyBot | None:
    """Return a bot of the strongest level. If all players are above the default level, return None.

    A problem is hard if a strong bot misses the best move. Strong players show this by their own moves, so they need
    no such bot. The moves of a weak player can't show it, because a weak player also misses the best move of easy
    problems.
    """
    names = list(game.levels)
    above = set(names[names.index(default_level(game)) + 1 :])
    return None if above.issuperset(players) else seat_bot(game, names[-1])


def grade(problem: Problem, usual: str, strong: str) -> Problem:
    """Return the problem with a new difficulty, which depends on the moves of two bots.

    ``usual`` is the move of a bot of the default level, and ``strong`` is the move of a strong bot. The field
    ``played`` of the returned problem is ``strong``.
    """
    moves = {one.move for one in problem.alternatives}
    found = [move in moves and problem.solves(move) for move in (usual, strong)]
    difficulty = HARD if not found[1] else EASY if found[0] else MEDIUM
    return msgspec.structs.replace(problem, difficulty=difficulty, played=strong)


def _pose(
    match: Match,
    seat: int,
    action: Action,
    appraiser: AnyAppraiser,
    number: int,
    position: PositionText,
    key: object,
    alternatives: tuple[Alternative, ...],
    values: tuple[Value, ...],
) -> Problem:
    """Return the problem for a decision. Its id is a hash of ``key``.

    Its difficulty is always medium. The caller must correct it if necessary.
    """
    s = match.state_at(match.ply)
    return Problem(
        id=hashlib.sha256(msgspec.json.encode(key)).hexdigest()[:8],
        theme=alternatives[0].move.split()[0],
        difficulty=MEDIUM,  # type: ignore[arg-type]
        part=appraiser.part(s),
        seat=seat,
        position=position,
        alternatives=alternatives,
        values=values,
        played=match.game.notation.write(action),
        source=f"game {number + 1}, ply {match.ply}",
        secret=appraiser.sealed(s),
    )


def _look_as_seat(
    match: Match,
    seat: int,
    action: Action,
    appraiser: AnyAppraiser,
    ask_usual: Callable[[], Action],
    recipe: Recipe,
    number: int,
) -> Problem | None:
    """Return the problem for a decision in which the seat can't know everything.

    Return None if the decision is unsuitable. It is suitable only if two appraisers find the same best move, and both
    find it clearly better than the wrong moves. The second appraiser uses more playouts and other random numbers, and
    gets the position from the problem's text. Without the second appraiser, most problems would be decisions that the
    first appraiser misjudged.
    """
    game, s = match.game, match.state_at(match.ply)
    write, position = game.notation.write, game.notation.write_position(s)
    first = _judge(game, s, seat, appraiser, recipe.margin)
    if first is None or not {one.move for one in first[0]} <= set(match.texts(seat)):
        return None
    again = build_match(game, dict(position))
    if again.actors != match.actors or again.texts(seat) != match.texts(seat):
        return None
    sure = _judge(game, again.state, seat, _closer(game.name), recipe.margin)
    if sure is None or sure[0][0].move != first[0][0].move:
        return None
    alternatives, values = sure
    found = _pose(match, seat, action, appraiser, number, position, (position, seat), alternatives, values)
    moves = {one.move for one in alternatives}
    if found.played not in moves or not found.solves(found.played):
        return msgspec.structs.replace(found, difficulty=HARD)
    usual = write(ask_usual())
    return (
        msgspec.structs.replace(found, difficulty=EASY) if usual in moves and found.solves(usual) else found
    )


def _judge(
    game: Game, s: State, seat: int, appraiser: AnyAppraiser, margin: float
) -> tuple[tuple[Alternative, ...], tuple[Value, ...]] | None:
    """Return the seat's alternatives, and the value of the position for each seat.

    Return None if all alternatives are right, or if a wrong one is not clearly worse than the best one. An alternative
    is right or wrong according to :func:`spelunke.analysis.problems.is_right`.
    """
    found = appraiser.weigh(s, seat)
    choices, secret = found.choices, appraiser.sealed(s)
    if len(choices) < 2:
        return None
    alternatives = tuple(
        Alternative(
            game.notation.write(one.action),
            _round(one.value),
            None if one.share is None else round(one.share, PLACES),
        )
        for one in choices
    )
    best = alternatives[0].value.chance
    wrong = 0
    for one, choice in zip(alternatives, choices, strict=True):
        if is_right(alternatives, one, secret=secret):
            continue
        wrong += 1
        if best - one.value.chance < max(margin, SURE * choice.gap):
            return None
    return (alternatives, tuple(map(_round, found.values))) if wrong else None


@functools.cache
def _closer(name: str) -> PlayoutAppraiser:
    """Return a game's appraiser that uses more playouts (four times the usual number) and other random numbers."""
    game = find_game(name)
    usual = game.hooks.playouts().budget
    more = {
        name: 4 * getattr(usual, name) for name in ("worlds", "first", "last", "here", "chance", "secret")
    }
    return PlayoutAppraiser(game, dataclasses.replace(usual, **more), seed=2)


def _round(value: Value) -> Value:
    return Value(
        round(value.points, PLACES),
        min(1.0, max(0.0, round(value.chance, PLACES))),
        value.exact,
        round(value.points_error, PLACES),
        round(value.chance_error, PLACES),
    )


def _choose(found: list[Problem], most: int) -> tuple[Problem, ...]:
    """Choose no more than ``most`` problems, and return them in the order of their ids.

    Problems with the same theme and the same difficulty form a group. The groups take turns: each time, a group gives
    its problem with the largest margin.
    """
    piles: dict[tuple[str, int], list[Problem]] = {}
    for one in sorted(found, key=lambda one: (-one.margin, one.id)):
        piles.setdefault((one.theme, one.difficulty), []).append(one)
    chosen: list[Problem] = []
    while len(chosen) < most and any(piles.values()):
        for key in sorted(piles):
            if piles[key] and len(chosen) < most:
                chosen.append(piles[key].pop(0))
    # Pages show one problem each day in this order, so neighbours should differ. Ids are random.
    return tuple(sorted(chosen, key=lambda one: one.id))
