"""Hunts for errors: a seed gives inputs for all faces (entry points). Failing inputs are minimized and can be kept."""

from __future__ import annotations

import contextlib
import hashlib
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from compiling import compile_counts
from spelunke.bots.warming import warm
from spelunke.core.kernel import JIT
from spelunke.games import shelf

from .find import Find
from .games import CORPUS, Face, Moves, Positions, Records, strict
from .programs import BotLines, CommandLines
from .web import Calls, Forms, Site


@dataclass
class Hunt:
    """The statistics of a hunt: the number of inputs and the seconds for each face (entry point), and the errors.

    For each error, ``finds`` has the smallest input that causes it.
    """

    inputs: Counter[str] = field(default_factory=Counter)
    seconds: Counter[str] = field(default_factory=Counter)
    finds: dict[tuple[str, str], tuple[bytes, Find]] = field(default_factory=dict)

    def tell(self) -> str:
        """Return a report: the number of inputs and the seconds for each face (entry point), and all errors.

        For each error, the report shows the input that got an improper answer.
        """
        lines = [f"{'face':<14}{'inputs':>9}{'seconds':>9}{'a second':>10}"]
        for name, count in self.inputs.items():
            spent = max(self.seconds[name], 1e-9)
            lines.append(f"{name:<14}{count:>9,}{spent:>9.1f}{count / spent:>10,.0f}")
        lines.append(f"{'all':<14}{self.inputs.total():>9,}{sum(self.seconds.values()):>9.1f}")
        for (name, kind), (data, found) in self.finds.items():
            lines.append(f"\n{name}: {kind}\n  {data[:1500]!r}\n  " + str(found).replace("\n", "\n  ")[:3000])
        return "\n".join(lines)


@contextlib.contextmanager
def faces(only: Sequence[str] = ()) -> Iterator[list[Face]]:
    """Yield all faces (entry points), or the named ones. The house opens when a face first needs it."""
    strict()
    sites: list[Site] = []

    def site() -> Site:
        if sites and sites[0].laid > 6:  # a full house is slow
            sites.pop().close()
        if not sites:
            sites.append(Site())
        return sites[0]

    makers: dict[str, Callable[[], Face]] = {
        "moves": Moves,
        "positions": Positions,
        "records": Records,
        "api": partial(Calls, site),
        "forms": partial(Forms, site),
        "command-line": CommandLines,
        "bot-lines": BotLines,
    }
    unknown = set(only) - set(makers)
    if unknown:
        raise SystemExit(f"there is no face {', '.join(unknown)}; there are {', '.join(makers)}")
    opened = [make() for name, make in makers.items() if not only or name in only]
    for game in shelf().values() if JIT else ():  # compile now, so that no input seems slow because of it
        warm(game)
        compile_counts(game.name)
    try:
        yield opened
    finally:
        for face in opened:
            face.close()
        for one in sites:
            one.close()


def hunt(
    opened: Sequence[Face],
    count: int,
    seed: int,
    *,
    seconds: float | None = None,
    shrink: bool = True,
    tick: Callable[[str, int, int], None] = lambda name, done, finds: None,
    found: Hunt | None = None,
) -> Hunt:
    """Feed about ``count`` inputs to these entry points, shared out by their weights. Share out ``seconds`` likewise.

    The same seed gives the same inputs. Finds are added to ``found`` immediately.
    """
    found = found or Hunt()
    whole = sum(face.weight for face in opened)
    done = 0
    for face in opened:
        rng = random.Random(f"{seed} {face.name}")
        share = max(1, round(count * face.weight / whole))
        until = None if seconds is None else time.perf_counter() + seconds * face.weight / whole
        start = time.perf_counter()
        for _ in range(share):
            data = face.take(rng)
            found.inputs[face.name] += 1
            found.seconds[face.name] = time.perf_counter() - start
            done += 1
            if fallen := fell(face, data):
                _note(found, face, data, fallen, shrink)
            if done % 50 == 0:
                tick(face.name, done, len(found.finds))
            if until is not None and time.perf_counter() > until:
                break
        found.seconds[face.name] = time.perf_counter() - start
    return found


def fell(face: Face, data: bytes) -> Find | None:
    """Feed an input to a face (an entry point). If the answer is improper, return a `Find` for the input, else None."""
    try:
        face.feed(data)
    except Find as find:
        return find
    return None


def _note(found: Hunt, face: Face, data: bytes, fallen: Find, shrink: bool) -> None:
    known = (face.name, fallen.kind)
    if known in found.finds and len(found.finds[known][0]) <= len(data):
        return
    if known not in found.finds and shrink and face.name in ("moves", "positions", "records", "bot-lines"):
        data = make_small(face, data, fallen.kind)
    found.finds[known] = (data, fallen)


def make_small(face: Face, data: bytes, kind: str, tries: int = 400) -> bytes:
    """Return a shorter input that fails by the same mistake. Leave out parts of it, larger parts first."""
    size = max(1, len(data) // 2)
    while size and tries > 0:
        at = 0
        while at < len(data) and tries > 0:
            shorter = data[:at] + data[at + size :]
            tries -= 1
            try:
                again = fell(face, shorter)
            except Exception:  # no longer an input of this face
                again = None
            if again is not None and again.kind == kind:
                data = shorter
            else:
                at += size
        size //= 2
    return data


def keep(found: Hunt) -> None:
    """Store in the corpus the inputs that had improper answers, each under the digest of its kind of failure."""
    for (name, kind), (data, _find) in found.finds.items():
        folder = CORPUS / name
        folder.mkdir(parents=True, exist_ok=True)
        if name == "moves":
            data = data.partition(b" ")[2]
        (folder / f"{hashlib.sha256(kind.encode()).hexdigest()[:12]}.txt").write_bytes(data)
