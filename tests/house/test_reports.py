"""Separate chat for players and for spectators, mutes, and reports that hosts decide."""

from __future__ import annotations

from typing import Any

import pytest

from spelunke.house.plan import Plan
from spelunke.house.refusals import BadMessage, NotNow, TooFast

from .test_ties import address, member


def texts(house: Any, table: str, person: str | None) -> list[str]:
    return [line.text for line in house.looks.look(table, person).chat]


def running(house: Any, clockwork: Any, **plan: Any) -> tuple[str, str, str, str]:
    """Return a running game of Anna and Ben that Cleo watches."""
    anna, ben, cleo = (member(house, name) for name in ("Anna", "Ben", "Cleo"))
    table = house.lobby.create(anna, Plan(game="shanghaien", seats=("me", "open"), **plan))
    house.chat.say(table, cleo, "may I watch?")
    house.lobby.join(table, ben)
    clockwork.wait(10)
    house.tick()
    return table, anna, ben, cleo


def test_players_dont_read_what_spectators_write_while_they_play(house: Any, clockwork: Any) -> None:
    table, anna, ben, cleo = running(house, clockwork)
    before = house.looks.look(table, anna)
    house.chat.say(table, cleo, "place the five")
    after = house.looks.look(table, anna)
    assert (after.chat, after.version) == (before.chat, before.version), "not even that somebody wrote"
    assert texts(house, table, cleo) == texts(house, table, None) == ["may I watch?", "place the five"]
    watching = house.looks.look(table, None).version
    clockwork.wait(1)
    house.chat.say(table, anna, "good luck")
    assert texts(house, table, ben) == ["may I watch?", "good luck"]
    assert texts(house, table, None) == ["may I watch?", "place the five", "good luck"]
    assert house.looks.look(table, None).version > watching
    house.play.resign(table, ben, "resign-001")
    assert texts(house, table, anna) == ["may I watch?", "place the five", "good luck"]


def test_the_players_chat_can_be_closed_to_spectators(house: Any, clockwork: Any) -> None:
    table, anna, ben, cleo = running(house, clockwork, chat_closed=True)
    before = house.looks.look(table, cleo)
    house.chat.say(table, anna, "between us")
    house.chat.say(table, ben, "yes")
    assert house.looks.look(table, cleo).version == before.version
    assert texts(house, table, cleo) == ["may I watch?"] or texts(house, table, cleo) == []
    assert texts(house, table, ben)[-2:] == ["between us", "yes"]
    house.play.resign(table, ben, "resign-001")
    assert "between us" not in texts(house, table, None)


def test_versions_never_go_back(house: Any, clockwork: Any) -> None:
    for closed in (False, True):
        table, anna, ben, cleo = running(house, clockwork, chat_closed=closed)
        seen: dict[str | None, int] = {}
        for step in range(6):
            clockwork.wait(11)
            for person in (cleo, anna, ben):
                house.chat.say(table, person, f"line {step}")
            if step == 4:
                house.play.resign(table, ben, "resign-001")
            for reader in (anna, ben, cleo, None):
                version = house.looks.look(table, reader).version
                assert version >= seen.get(reader, 0)
                seen[reader] = version
        for person in (anna, ben, cleo):
            house.leaving.leave(person)


def test_a_muted_person_is_not_read(house: Any, clockwork: Any) -> None:
    table, anna, ben, _cleo = running(house, clockwork)
    house.chat.say(table, ben, "rude words")
    before = house.looks.look(table, anna).version
    house.ties.change(anna, address(house, ben), "mute")
    assert "rude words" not in texts(house, table, anna)
    assert house.looks.look(table, anna).version > before
    house.chat.say(table, ben, "more of them")
    assert "more of them" not in texts(house, table, anna)
    assert "more of them" in texts(house, table, None)
    house.ties.change(anna, address(house, ben), "unmute")
    assert "more of them" in texts(house, table, anna)


def test_a_report_has_the_lines_in_question_and_is_decided(house: Any, clockwork: Any) -> None:
    table, anna, ben, cleo = running(house, clockwork)
    house.chat.say(table, ben, "rude words")
    number = house.looks.look(table, anna).chat[-1].n
    house.reports.report_lines(table, anna, lines=(number,), text="He is rude.")
    (report,), count = house.reports.list(decided=False)
    assert (count, report.reporter, report.about, report.table) == (1, "Anna", "Ben", table)
    assert [line.text for line in report.lines] == ["rude words"]
    assert report.address == address(house, ben)
    assert house.reports.count_open() == 1
    house.reports.decide(cleo, report.n, "removed")
    assert "rude words" not in texts(house, table, None)
    with pytest.raises(NotNow, match="decided already"):
        house.reports.decide(cleo, report.n, "nothing")
    (decided,), _ = house.reports.list(decided=True)
    assert (decided.host, decided.decision) == ("Cleo", "removed")
    assert [line.text for line in decided.lines] == ["rude words"], "the report keeps them"
    assert house.hosting.log()[0][0].what == "report"
    assert house.reports.about(address(house, ben)) == (decided,)


def test_a_second_report_of_a_removed_message_removes_no_later_one(house: Any, clockwork: Any) -> None:
    table, anna, ben, cleo = running(house, clockwork)
    house.chat.say(table, ben, "rude words")
    number = house.looks.look(table, anna).chat[-1].n
    for reader in (anna, cleo):
        house.reports.report_lines(table, reader, lines=(number,))
    first, second = house.reports.list(decided=False)[0]
    house.reports.decide(cleo, first.n, "removed")
    clockwork.wait(1)
    house.chat.say(table, ben, "I am sorry")
    assert house.looks.look(table, anna).chat[-1].n == number
    house.reports.decide(cleo, second.n, "removed")
    assert "I am sorry" in texts(house, table, anna)


def test_an_invalid_report_is_refused_with_a_reason(house: Any, clockwork: Any) -> None:
    table, anna, ben, cleo = running(house, clockwork)
    house.chat.say(table, ben, "one")
    house.chat.say(table, anna, "two")
    one, two = (line.n for line in house.looks.look(table, anna).chat[-2:])
    house.chat.say(table, cleo, "what players may not read")
    hidden = house.looks.look(table, cleo).chat[-1].n
    for lines in ((), (9999,), (hidden,)):
        with pytest.raises(BadMessage, match="that you can read"):
            house.reports.report_lines(table, anna, lines=lines)
    with pytest.raises(BadMessage, match="one person"):
        house.reports.report_lines(table, cleo, lines=(one, two))
    with pytest.raises(NotNow, match="only other people"):
        house.reports.report_lines(table, anna, lines=(two,))
    with pytest.raises(BadMessage, match="what happened"):
        house.reports.report_person(anna, address(house, ben), " ")
    for text in ("\u200d", "a\x00"):
        with pytest.raises(BadMessage, match="at most"):
            house.reports.report_person(anna, address(house, ben), text)
    for _ in range(10):
        house.reports.report_person(anna, address(house, ben), "\N{WAVING BLACK FLAG}\u200d\N{SKULL}")
    with pytest.raises(TooFast):
        house.reports.report_person(anna, address(house, ben), "again")


def test_chat_is_kept_for_as_long_as_the_host_says(opener: Any, clockwork: Any) -> None:
    from spelunke.house.work import Keeping

    house = opener(keeping=Keeping(chat=30))
    table, _anna, ben, _cleo = running(house, clockwork)
    house.chat.say(table, ben, "soon forgotten")
    clockwork.wait(40 * 86400)
    house.tick()
    assert "soon forgotten" in texts(house, table, None), "its game is still played"
    house.play.resign(table, ben, "resign-001")
    clockwork.wait(40 * 86400)
    house.tick()
    assert texts(opener(), table, None) == []
