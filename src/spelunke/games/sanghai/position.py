"""Write positions of Sanghai as text.

:mod:`.position_text` defines the text, and :mod:`.reading` parses it.
"""

from __future__ import annotations

import msgspec

from spelunke.games.positions import none_if_negative, write_options
from spelunke.games.sanghai import GAME, state
from spelunke.games.sanghai.cards import Card, card_of, meld_at, spread, write_meld
from spelunke.games.sanghai.position_text import LayingText, MeldText, PositionText, RoundText, SeatText
from spelunke.games.sanghai.state import State
from spelunke.games.sanghai.view import ANSWERS, PHASES


def write_position(s: State) -> dict[str, object]:
    """Return the position as a JSON object."""
    n = int(s.seats)
    building = s.phase in (state.LAYING, state.SETTING, state.RUNNING)
    buried = s.pile.copy()
    last: list[Card] = []
    for kind in (int(s.under), int(s.top)):
        if kind >= 0:
            buried[kind] -= 1
            last.append(card_of(kind))
    melds = []
    for m in range(int(s.melds) + int(s.phase in (state.SETTING, state.RUNNING))):
        meld = meld_at(s, m)
        if meld is not None:
            melds.append(MeldText(int(s.owner[m]), write_meld(meld)))
    done = int(s.lap) + int(s.phase == state.FINISHED)
    text = PositionText(
        seats=[_write_seat(s, seat) for seat in range(n)],
        options=write_options(GAME, n, s.options.tolist()),
        round=int(s.lap) + 1,
        phase=PHASES[int(s.phase)],
        dealer=none_if_negative(s.dealer),
        turn=none_if_negative(s.turn),
        pile=" ".join((*spread(buried), *last)),
        top_taken=bool(s.under < 0 and s.piled > 1),
        melds=melds,
        finished=[_write_round(s, lap) for lap in range(done)],
        discarder=none_if_negative(s.giver),
        calls=[int(c) for c in s.caller[: int(s.callers)]],
        tied=int(s.tied) if s.callers else None,
        waits=bool(s.waits),
        turns=int(s.turns),
        reshuffles=int(s.shuffled),
        laid_this_turn=bool(s.fresh),
        wild_this_turn=int(s.wilds),
        owed=int(s.owed),
        owed_to=none_if_negative(s.owing),
        laying=_write_laying(s) if building else None,
    )
    built: dict[str, object] = msgspec.to_builtins(text)
    return built


def _write_seat(s: State, seat: int) -> SeatText:
    return SeatText(
        hand=" ".join(spread(s.hand[seat])),
        taken=" ".join(spread(s.taken[seat])),
        thrown=" ".join(spread(s.thrown[seat])),
        let_go=" ".join(spread(s.let_go[seat])),
        heps=int(s.heps[seat]),
        laid=bool(s.laid[seat]),
        answer=ANSWERS[int(s.answer[seat])],
        vote=none_if_negative(s.ballot[seat]),
    )


def _write_round(s: State, lap: int) -> RoundText:
    n = int(s.seats)
    laid = [seat for seat in range(n) if s.down[lap, seat]]
    return RoundText([int(p) for p in s.sheet[lap, :n]], none_if_negative(s.won[lap]), laid)


def _write_laying(s: State) -> LayingText:
    last = ""
    if s.phase in (state.SETTING, state.RUNNING):
        m = int(s.melds)
        if meld_at(s, m) is not None:
            last = "last meld"
        elif s.phase == state.SETTING:
            last = f"set {card_of(int(s.what[m]))[:-1]}"
        else:
            last = f"run {card_of(13 * int(s.what[m]) + int(s.low[m]) - 1)}"
    return LayingText(int(s.sets_left), int(s.runs_left), int(s.least_rank), int(s.least_run), last)
