"""Play a tournament between bots, on all cores. A tournament can be interrupted and resumed.

A pairing is a group of players in one order round the table, with one seed. Its players play one game for each rotation
of the seats. All games of a pairing have the same luck: an outcome of chance depends on its occasion (for example, the
third throw of a round), not on earlier moves. So luck and seats have little influence on the results.

In each round of the tournament, each possible group of players has one pairing. From round to round, a group changes
the order in which it sits. After all possible orders, the group begins again with its first order.

If no player is an external program or has a time limit, the result of a pairing depends only on the pairing and on the
parameters of the tournament (:class:`Job`). So other machines, or a resumed run, give the same results.
"""

from __future__ import annotations

import functools
import itertools
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from pathlib import Path

import msgspec

from spelunke.arena.shared import SharedChance
from spelunke.bots.chance import ChanceBot
from spelunke.bots.levels import seat_player
from spelunke.bots.process import ProcessBot, split_command
from spelunke.core.bot import AnyBot
from spelunke.core.chance import seed_stream
from spelunke.core.errors import BadInput, SpelunkeError
from spelunke.games import find_game
from spelunke.games.match import Match


class Job(msgspec.Struct, frozen=True):
    """The parameters of a tournament, except the number of its rounds.

    A player is a level, a kind of bot with its settings (``greedy:depth=4``), or ``process:COMMAND``.
    """

    game: str
    players: tuple[str, ...]
    seats: int
    options: tuple[tuple[str, object], ...] = ()
    seed: int = 1
    budget: float = 1.0
    """The time in seconds that a ``process:COMMAND`` player has for each move."""


class Pairing(msgspec.Struct, frozen=True):
    """A group of players in one order round the table.

    ``group`` has indices into ``Job.players``. ``number`` counts the pairings of a tournament from 0. It is a part of
    the seed of the pairing's games.
    """

    number: int
    group: tuple[int, ...]


class Result(msgspec.Struct, frozen=True):
    """The result of one game.

    ``seating``, ``ranks`` and ``scores`` have an entry for each seat; ``seating`` has indices into ``Job.players``.
    ``fault`` is the first error of a bot, or empty. After an error, a random move replaces the bot's move.
    """

    pairing: int
    rotation: int
    seating: tuple[int, ...]
    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    plies: int
    fault: str = ""


def check_job(job: Job) -> None:
    """Raise BadInput or BadOption if a job can't be played."""
    game = find_game(job.game)
    game.settle(job.seats, dict(job.options))
    if len(job.players) < 2:
        raise BadInput("a tournament needs at least two players", "players")
    for player in job.players:
        if player.startswith("process:"):
            split_command(player.removeprefix("process:"))
        else:
            seat_player(game, player)


def pairings(job: Job, rounds: int) -> Iterator[Pairing]:
    """Yield the pairings of a tournament. Each round has one pairing for each possible group of players.

    From round to round, a group changes the order in which it sits. After all possible orders, the group begins again
    with its first order. If there are more seats than players, all seats are divided among the players as evenly as
    possible.
    """
    field = range(len(job.players))
    if len(field) >= job.seats:
        groups = list(itertools.combinations(field, job.seats))
    else:
        whole, rest = divmod(job.seats, len(field))
        groups = [tuple(sorted([*field] * whole + [*more])) for more in itertools.combinations(field, rest)]
    for number in range(rounds * len(groups)):
        orders = _orders(groups[number % len(groups)])
        yield Pairing(number, orders[number // len(groups) % len(orders)])


@functools.lru_cache(maxsize=64)
def _orders(group: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the orders in which a group can sit round a table. Orders that are rotations of each other count once."""
    ways = ((group[0], *rest) for rest in itertools.permutations(group[1:]))
    return tuple(
        dict.fromkeys(min(way[k:] + way[:k] for k in range(len(way)) if way[k] == group[0]) for way in ways)
    )


def play_pairing(job: Job, pairing: Pairing) -> tuple[Result, ...]:
    """Play the games of a pairing, one for each rotation of the seats, and return their results."""
    return tuple(_play(job, pairing, rotation) for rotation in range(job.seats))


def _play(job: Job, pairing: Pairing, rotation: int) -> Result:
    game = find_game(job.game)
    seating = tuple(pairing.group[(seat + rotation) % job.seats] for seat in range(job.seats))
    match = Match(game, job.seats, dict(job.options))
    luck = SharedChance(job.seed, pairing.number, 0)
    streams = [seed_stream(job.seed, pairing.number, 1, rotation, seat) for seat in range(job.seats)]
    bots: list[AnyBot] = []
    faults: list[str] = []
    try:
        bots.extend(_seat(job, player) for player in seating)
        while not match.over:
            if match.chance:
                match.apply_chance(luck.decide(match))
                continue
            seat = match.actors[0]
            legal = match.legal(seat)
            try:
                match.act(seat, bots[seat].choose(match.view(seat), legal, streams[seat]))
            except SpelunkeError as error:
                faults.append(f"{job.players[seating[seat]]} at ply {match.ply}: {error}")
                match.act(seat, ChanceBot(game).choose(match.view(seat), legal, streams[seat]))
    finally:
        for bot in bots:
            if isinstance(bot, ProcessBot):
                bot.close()
    outcome = match.outcome
    assert outcome is not None
    return Result(
        pairing.number,
        rotation,
        seating,
        outcome.ranks,
        outcome.scores,
        match.ply,
        faults[0] if faults else "",
    )


def _seat(job: Job, player: int) -> AnyBot:
    game = find_game(job.game)
    name = job.players[player]
    if name.startswith("process:"):
        return ProcessBot(game, name.removeprefix("process:"), budget=job.budget)
    return seat_player(game, name)


Spread = Callable[[Job, Iterable[Pairing]], Iterator[tuple[Result, ...]]]
"""A function that plays each pairing exactly once, in any order, and yields the results of each pairing."""


def play_here(job: Job, todo: Iterable[Pairing], workers: int | None = None) -> Iterator[tuple[Result, ...]]:
    """Play pairings on this machine. Yield the results of each pairing after its end, in any order.

    By default, use all cores that this process may use.
    """
    count = workers or _cores()
    if count == 1:
        for pairing in todo:
            yield play_pairing(job, pairing)
        return
    others = set(active_children())
    with ProcessPoolExecutor(count, get_context("spawn"), _begin_work) as machines:
        waiting: set[Future[tuple[Result, ...]]] = set()
        with _deaf():  # otherwise a worker that is just starting prints a traceback on Ctrl+C
            for _ in range(count):
                machines.submit(int)
        try:
            for pairing in todo:
                waiting.add(machines.submit(play_pairing, job, pairing))
                while len(waiting) >= 3 * count:
                    done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    yield from (future.result() for future in done)
            while waiting:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        except KeyboardInterrupt:  # don't wait for the running games
            # Shut down before the workers are terminated. Otherwise Python prints errors about dead workers.
            machines.shutdown(wait=False, cancel_futures=True)
            for process in set(active_children()) - others:
                process.terminate()
            raise
        finally:  # if the caller stops iterating, stop the remaining games
            machines.shutdown(wait=False, cancel_futures=True)


def _cores() -> int:
    """Return the number of cores that this process may use.

    If the system does not report this number, return the number of all cores.
    """
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def _deaf() -> Iterator[None]:
    """Ignore Ctrl+C in a ``with`` block, so that processes started there ignore Ctrl+C from their beginning.

    Only the main thread can do this. In another thread, change nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _begin_work() -> None:
    """Make this worker process ignore Ctrl+C, because its parent stops it. If the parent dies, end the worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def run(
    job: Job,
    rounds: int,
    file: Path | None = None,
    spread: Spread = play_here,
    stop: Callable[[Sequence[Result]], bool] | None = None,
    tell: Callable[[Sequence[Result]], None] | None = None,
) -> tuple[Result, ...]:
    """Play ``rounds`` rounds of a tournament, and return the results in the order of their pairings.

    Raise the errors of :func:`check_job`. If ``file`` is given, write the job and a line for each pairing into it.
    Pairings that are already in the file are not played again. Raise BadInput if the file belongs to another job, or if
    it has a line that is not a result of this job.

    Workers may finish pairings in any order, but ``stop`` is called once for each pairing in the order of the pairings.
    Its argument has the results up to this pairing. If ``stop`` returns true, end the run without the results of
    later pairings. ``tell`` is called at the start, and whenever a pairing has finished. The argument of ``tell`` has
    the results of all pairings before the first unfinished one.
    """
    check_job(job)
    done = _read(job, file) if file else {}
    todo = [pairing for pairing in pairings(job, rounds) if pairing.number not in done]
    last = sum(1 for _ in pairings(job, rounds))
    ordered: list[Result] = []
    following = 0

    def take() -> bool:
        nonlocal following
        while following in done and following < last:
            ordered.extend(done[following])
            following += 1
            if stop and stop(ordered):
                return True
        return False

    ended = take()
    if tell:
        tell(ordered)
    if not ended and todo:
        results = spread(job, todo)
        try:
            for found in results:
                done[found[0].pairing] = found
                if file:
                    with file.open("ab") as log:
                        log.write(msgspec.json.encode(found) + b"\n")
                ended = take()
                if tell:
                    tell(ordered)
                if ended:
                    break
        finally:
            if isinstance(results, Generator):
                results.close()
    return tuple(ordered)


def _read(job: Job, file: Path) -> dict[int, tuple[Result, ...]]:
    """Return the results in a file, by ``Pairing.number``.

    If there is no file, create it. If its last line is incomplete, remove this line. Raise BadInput if the file belongs
    to another job, or if a complete line is not a result of this job.
    """
    head = msgspec.json.encode(job)
    if not file.exists() or not file.stat().st_size:
        file.write_bytes(head + b"\n")
        return {}
    lines = file.read_bytes().split(b"\n")
    if lines == [head]:
        lines.append(b"")
        file.write_bytes(b"\n".join(lines))
    if lines[0] != head:
        raise BadInput(
            "the file holds another tournament; give the same players, options and seed, or another file",
            str(file),
        )
    found: dict[int, tuple[Result, ...]] = {}
    *whole, last = lines[1:]
    for number, line in enumerate(whole, 2):
        try:
            results = msgspec.json.decode(line, type=tuple[Result, ...])
        except msgspec.DecodeError:
            results = ()
        if not _fits(job, results):
            raise BadInput(
                f"line {number} is no result of this tournament; delete the line, and its games are played again",
                str(file),
            )
        found[results[0].pairing] = results
    if last:
        file.write_bytes(b"\n".join(lines[:-1]) + b"\n")
    return found


def _fits(job: Job, results: Sequence[Result]) -> bool:
    """Return whether these can be the results of this job: all results of one pairing, in the order of rotations."""
    return len(results) == job.seats and all(
        one.pairing == results[0].pairing
        and one.pairing >= 0
        and one.rotation == rotation
        and len(one.seating) == len(one.ranks) == len(one.scores) == job.seats
        and all(0 <= who < len(job.players) for who in one.seating)
        and all(1 <= rank <= job.seats for rank in one.ranks)
        for rotation, one in enumerate(results)
    )


def options_of(given: Mapping[str, object]) -> tuple[tuple[str, object], ...]:
    """Return options for a job, sorted by name, so that jobs with the same options are equal."""
    return tuple(sorted(given.items()))
