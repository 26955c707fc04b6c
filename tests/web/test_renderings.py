"""A cached drawing is shown only to viewers with the same knowledge, and does not change without a visible reason."""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterator
from pathlib import Path

import pytest

from spelunke.games import shelf
from spelunke.house.house import House, open_house
from spelunke.house.messages import LogLine
from spelunke.house.plan import Plan
from spelunke.web.parts.log import render_log_lines
from spelunke.web.parts.waiting import Invitation
from spelunke.web.patches import PageParts
from spelunke.web.renderings import Asker, Held, Kind, Renderings, Shown

OWN = '<b class="own" data-you="you">Anna</b>'


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    file = tmp_path / "house.sqlite3"
    house = open_house(f"sqlite:///{file}", timers=False, clock=lambda: 1_700_000_000.0)
    yield house
    house.close()


class Room:
    """A table for two, and its viewers."""

    def __init__(self, house: House, game: str, seats: int = 2) -> None:
        self.house = house
        self.drawn = Renderings(house, seconds=1000.0)
        self.people = [house.people.create(name).id for name in ("Anna", "Bert", "Carl", "Dora")]
        self.table = house.lobby.create(
            self.people[0], Plan(game=game, seats=("me", *["open"] * (seats - 1)))
        )
        self.seats = seats

    def start(self) -> None:
        for person in self.people[1 : self.seats]:
            self.house.lobby.join(self.table, person)
        for person in self.people[: self.seats]:
            self.house.lobby.add_nonce(self.table, person, "share")

    def draw(
        self, who: int | None, *, language: str = "en", kind: Kind = "page", host: str = "http://here"
    ) -> Shown:
        person = None if who is None else self.people[who]
        asker = Asker(person, language, Invitation(host))
        return self.drawn.draw(kind, self.table, asker, self.house.attendance.glance(self.table, person), 0)


@pytest.mark.parametrize("game", ["shanghaien", "halunken"])
def test_viewers_share_a_drawing_only_if_they_know_the_same_facts(house: House, game: str) -> None:
    room = Room(house, game)
    room.start()
    anna, bert, carl = (room.draw(who) for who in range(3))
    assert room.draw(3) is carl, "two who watch"
    assert room.draw(0) is anna
    others = [room.draw(None), room.draw(2, language="de"), room.draw(2, host="http://there")]
    shown = [anna, bert, carl, *others, room.draw(2, kind="look")]
    assert len({id(one) for one in shown}) == len(shown), "strangers can't talk, seats have hands, and so on"
    assert [one.look.seat for one in shown] == [0, 1, None, None, None, None, None]
    assert "chat" in carl.look.may
    assert "chat" not in others[0].look.may


def test_a_player_who_sits_down_sees_a_seat_and_spectators_see_none(house: House) -> None:
    room = Room(house, "halunken")
    before = room.draw(1)
    assert before.look.seat is None
    assert room.draw(2) is before
    room.start()
    assert room.draw(1).look.seat == 1
    assert room.draw(2).look.seat is None


def test_a_changed_sealed_card_changes_no_drawing_of_other_viewers(house: House) -> None:
    """If a sealed card changes, the drawings of other viewers stay valid, so not even response times reveal it."""
    room = Room(house, "halunken")
    room.start()
    while len(room.draw(2).look.actors) < 2:  # until both choose in secret
        seat = room.draw(2).look.actors[0]
        look = room.draw(seat).look
        house.play.act(room.table, room.people[seat], look.legal[0][1], look.ply, f"key-{look.ply:08}")
    look = room.draw(0).look
    house.play.act(room.table, room.people[0], look.legal[0][1], look.ply, "key-of-one-card")
    anna, bert, carl = (room.draw(who) for who in range(3))
    another = anna.look.revise[0][1]  # the last would take it back, and that is visible
    done = house.play.act(room.table, room.people[0], another, anna.look.ply, "key-of-another")
    assert done.status == "done"
    assert room.draw(1) is bert
    assert room.draw(2) is carl
    sealed = room.draw(0)
    assert sealed is not anna
    message, _held = sealed.write_parts(Held(anna.mark({})), anna.look.ply, whole=False)
    assert "<hx-partial" in read(PageParts(), message)


def test_a_message_contains_only_changes_since_the_state_of_the_page(house: House) -> None:
    room = Room(house, "shanghaien")
    room.start()
    first = room.draw(2)
    seat = first.look.actors[0]
    look = room.draw(seat).look
    house.play.act(room.table, room.people[seat], look.legal[0][1], look.ply, "key-of-one")
    second = room.draw(2)
    message, held = second.write_parts(Held(first.mark({})), first.look.ply, whole=False)
    known, unknown = (
        read(PageParts(), one) for one in (message, second.write_parts(Held(), 0, whole=False)[0])
    )
    for name, part in second.parts.items():
        assert (f'hx-target="#{name}"' in known) == (first.parts[name] != part)
        assert f'hx-target="#{name}"' in unknown
    assert second.write_parts(Held(first.mark({})), first.look.ply, whole=False)[0] is message
    assert held == Held(
        second.mark({}), frozenset(n for n in second.parts if first.parts[n] != second.parts[n])
    )
    size = second.size
    whole, _held = second.write_parts(Held(first.mark({})), first.look.ply, whole=True)
    assert second.write_parts(Held(first.mark({})), first.look.ply, whole=True)[0] is whole
    assert second.size == size + len(whole)  # cached drawings are counted
    log = room.drawn.write_log(second, Asker(None, "en", Invitation("http://here")))
    assert log == room.drawn.write_log(second, Asker(None, "en", Invitation("http://here")))
    assert log.count("<li") == len(second.look.log)
    assert [line.ply for line in second.lines_after(first.look.ply)] == [
        line.ply for line in house.looks.look(room.table, since=first.look.ply).log
    ]


def read(page: PageParts, message: bytes) -> str:
    """Return the parts that a page swaps in for this message."""
    (data,) = (line[6:] for line in message.splitlines() if line.startswith(b"data: "))
    return page.take(data)


@pytest.mark.sampled
@pytest.mark.parametrize("game", sorted(shelf()))
def test_a_patched_page_equals_a_new_drawing_through_a_game(house: House, game: str) -> None:
    """At each ply, the patched page of each viewer equals a new drawing, byte for byte. The messages are small."""
    room = Room(house, game, min(shelf()[game].seats))
    room.start()
    chooser = random.Random(11)
    viewers = range(room.seats + 1)  # the last one watches
    held, pages, sizes = [Held() for _ in viewers], [PageParts() for _ in viewers], list[int]()
    plies = [0 for _ in viewers]
    for number in range(120):
        for viewer in viewers:
            shown = room.draw(viewer)
            message, held[viewer] = shown.write_parts(held[viewer], plies[viewer], whole=False)
            plies[viewer] = shown.since_after(plies[viewer]).ply
            read(pages[viewer], message)
            assert {name: pages[viewer].part(name) for name in shown.parts} == shown.parts
            if number and viewer < room.seats:
                sizes.append(len(message))
        look = next((look for who in range(room.seats) if (look := room.draw(who).look).legal), None)
        if look is None:
            break
        move = chooser.choice(look.legal)[1]
        house.play.act(room.table, room.people[look.seat or 0], move, look.ply, f"key-{look.ply:08}")
    assert number > 40
    assert statistics.median(sizes) < 4500


def test_after_a_rename_the_old_name_is_forgotten(house: House) -> None:
    anna = house.people.create("Anna").id
    assert house.people.find(anna).name == "Anna"
    house.people.rename(anna, "Annika")
    assert house.people.find(anna).name == "Annika"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Anna moves by 2 to field 5.", f"{OWN} moves by 2 to field 5."),
        ("Mate robs Anna of red 9.", f"Mate robs {OWN} of red 9."),
        ("Anna 2 passes, and Hannah too.", "Anna 2 passes, and Hannah too."),
        ("Annabel <b> & Anna.", f"Annabel &lt;b&gt; &amp; {OWN}."),
    ],
)
def test_ones_own_name_is_marked_in_the_log(text: str, told: str) -> None:
    line = LogLine(ply=3, seat=1, text=text, at_ms=0)
    assert render_log_lines((line,), "Anna") == f'<li id="log-3-0" data-seat="1">{told}</li>'
    assert OWN not in render_log_lines((line,), "")
