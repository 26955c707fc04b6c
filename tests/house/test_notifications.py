"""Notifications are stored in one commit with their cause, and sent when due, here to servers on this machine."""

from __future__ import annotations

import random
import re
import ssl
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from py_vapid import Vapid02
from sqlalchemy import insert, select, update

from empty_house import lay_tables
from outposts import Browser, Post, Receiver, dead_port, make_certificate, text_of
from spelunke.core.errors import BadInput, SpelunkeError
from spelunke.games import find_game
from spelunke.house.house import House
from spelunke.house.messages import Person
from spelunke.house.notifications.addresses import read_allowed
from spelunke.house.notifications.carriers import Undelivered
from spelunke.house.notifications.channels import Choices
from spelunke.house.notifications.dispatch import IDLE_S
from spelunke.house.notifications.mail import Mailer
from spelunke.house.notifications.outside import MailServer, Outside
from spelunke.house.notifications.quiet import quiet_until
from spelunke.house.plan import Clock, Plan
from spelunke.house.refusals import NotAllowed, NotNow, SpentCode, TooFast
from spelunke.house.store import schema
from spelunke.house.store.schema import outbox
from spelunke.house.store.writer import Write

from .conftest import Clockwork, Open, Table

PASSWORD = "lantern mussel quarry tin"
MINUTE, HOUR = 60, 3600
DAYS = Plan(
    game="shanghaien",
    seats=("me", "open"),
    options={"first_starter": 0},
    clock=Clock(kind="days", days=3),
)
LIVE = Plan(game="shanghaien", seats=("me", "open"), options={"first_starter": 0}, clock=Clock(kind="live"))


@pytest.fixture
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if getattr(request, "param", "sqlite") == "sqlite":
        return lay_tables(tmp_path / "house.sqlite3")
    return str(request.getfixturevalue("postgres_house"))


both = pytest.mark.parametrize("database", ["sqlite", "postgres"], indirect=True)


pytestmark = pytest.mark.usefixtures("quick_passwords")


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.close()


@pytest.fixture(scope="module")
def post_office() -> Iterator[Post]:
    made = Post()
    yield made
    made.close()


@pytest.fixture
def post(post_office: Post) -> Post:
    post_office.letters.clear()
    return post_office


def outside(post: Post | None = None, **given: Any) -> Outside:
    server = None
    if post is not None:
        server = MailServer(
            host="127.0.0.1", port=post.port, security="none", sender="Spelunke <house@example.org>"
        )
    settings: dict[str, Any] = {
        "base": "https://house.example",
        "mail": server,
        "webhooks": frozenset({"*"}),
        "allowed": read_allowed("127.0.0.1"),
        "contact": "mailto:host@example.org",
        "seconds": 5.0,
    }
    return Outside(**{**settings, **given})


@pytest.fixture
def open_with(opener: Open) -> Callable[..., House]:
    return lambda post=None, **given: opener(outside=outside(post, **given), push_key=b"k" * 32)


def told(house: House, person: Person) -> list[tuple[str, bool]]:
    return [(one.kind, one.unread) for one in house.notifications.inbox.of(person.id)]


def member(house: House, person: Person) -> Person:
    house.members.become(person.id, person.name, label="Test", password=PASSWORD)
    return house.people.find(person.id)


def subscribe(house: House, person: Person, receiver: Receiver, path: str = "/push") -> Browser:
    browser = Browser()
    house.notifications.channels.add_push(
        person.id, receiver.url + path, browser.p256dh, browser.auth, label="Firefox, Linux"
    )
    return browser


def play_to_turn(table: Table, seat: int) -> None:
    """Play until a turn of this seat begins. If its turn is now, play on to its next one."""
    while table.look().actors[0] == seat:
        table.play(1)
    while table.look().actors[0] != seat:
        table.play(1)


# --- contents ----------------------------------------------------------------------------------------------------


@both
def test_a_players_move_marks_their_turn_notification_as_read(opener: Open) -> None:
    house = opener()
    table = Table(house, DAYS)
    anna, ben = table.people
    assert told(house, anna) == [("turn", True)]
    assert told(house, ben) == []
    assert house.notifications.inbox.unread(anna.id) == 1
    while table.look().actors == (0,):
        table.play(1)
    assert told(house, anna) == [("turn", False)]
    assert told(house, ben) == [("turn", True)]
    assert [house.notifications.inbox.unread(one.id) for one in (anna, ben)] == [0, 1]
    line = house.notifications.inbox.of(ben.id)[0]
    assert (line.table, line.title, line.others) == (table.id, "Shanghaien", ("Anna",))


def test_live_tables_tell_no_turn(house: House) -> None:
    table = Table(house, LIVE)
    table.play(6)
    assert [told(house, one) for one in table.people] == [[], []]


def test_several_moves_in_a_row_send_one_turn_notification(house: House) -> None:
    table = Table(house, DAYS)
    anna = table.people[0]
    house.notifications.inbox.saw(anna.id, table.id)
    table.play(1)
    assert table.look().actors == (0,), "rolled, and is still asked"
    assert told(house, anna) == [("turn", False)]


def test_a_game_that_ended_is_told_to_the_others(house: House) -> None:
    table = Table(house, DAYS)
    anna, ben = table.people
    house.play.resign(table.id, anna.id, table.key())
    assert ("ended", True) in told(house, ben)
    assert told(house, anna) == [("turn", False)]


def test_a_nudge_is_told(house: House, clockwork: Clockwork) -> None:
    table = Table(house, DAYS)
    anna, ben = table.people
    clockwork.wait(60)
    house.going_on.nudge(table.id, ben.id, 0)
    line = next(one for one in house.notifications.inbox.of(anna.id) if one.kind == "nudged")
    assert (line.by, line.unread) == ("Ben", True)
    while table.look().actors == (0,):
        table.play(1)
    assert not any(unread for _, unread in told(house, anna))


def test_a_nudge_of_a_person_at_a_shared_device_is_told_to_its_owner(
    house: House, clockwork: Clockwork
) -> None:
    table = Table(house, Plan(game="halunken", seats=("me", "here:Bea", "open")))
    anna, ben = table.people
    hand = house.hands.hand(table.id, anna.id)
    assert hand is not None
    people = {**hand.people, 2: ben.id}
    for _ in range(50):
        seat = table.look().actors[0]
        if seat == 1:
            break
        look = house.looks.look(table.id, people[seat])
        house.play.act(table.id, people[seat], look.legal[0][1], look.ply, table.key())
    clockwork.wait(300)
    house.going_on.nudge(table.id, ben.id, 1)
    assert ("nudged", True) in told(house, anna)


def test_a_rematch_is_told_until_it_is_answered(house: House) -> None:
    table = Table(house, LIVE)
    anna, ben = table.people
    house.play.resign(table.id, anna.id, table.key())
    made = house.next_games.rematch(table.id, anna.id)
    assert told(house, anna) == []
    assert [(one.kind, one.by, one.table) for one in house.notifications.inbox.of(ben.id)] == [
        ("rematch", "Anna", made)
    ]
    house.next_games.decline_rematch(table.id, ben.id)
    assert told(house, ben) == [("rematch", False)]


def test_an_invitation_by_name(house: House) -> None:
    anna, ben = (member(house, house.people.create(name)) for name in ("Anna", "Ben"))
    plan = Plan(game="shanghaien", seats=("me", "link"), listed=False)
    table = house.lobby.create(anna.id, plan)
    for name, told_why in (("Nobody", "no member is called"), ("Anna", "sits at this table already")):
        with pytest.raises(NotNow, match=told_why):
            house.inviting.invite(table, anna.id, name)
    house.inviting.invite(table, anna.id, "ben")
    (line,) = house.notifications.inbox.of(ben.id)
    assert (line.kind, line.by, line.unread) == ("invited", "Anna", True)
    invite = house.looks.look(table, anna.id).invite
    assert line.path == f"/j/{table}/{invite}"
    house.lobby.join(table, ben.id, invite=invite or "")
    assert told(house, ben) == [("invited", False)]
    assert "invite" not in house.looks.look(table, anna.id).may
    with pytest.raises(NotNow, match="only the host"):
        house.inviting.invite(table, ben.id, "Anna")


def test_a_secret_choice_tells_nobody_else(house: House) -> None:
    plan = Plan(game="halunken", seats=("me", "open"), clock=Clock(kind="days", days=3))
    table = Table(house, plan)
    anna, ben = table.people
    while table.look().actors != (0, 1):
        table.play(1)
    assert told(house, anna) == told(house, ben) == [("turn", True)]
    house.notifications.inbox.saw(ben.id)
    look = table.look(0)
    house.play.act(table.id, anna.id, look.legal[0][1], look.ply, table.key())
    assert told(house, ben) == [("turn", False)], "that Anna has chosen is nobody's business"
    assert house.notifications.inbox.unread(ben.id) == 0


def test_a_move_and_its_notification_are_in_the_same_commit(
    opener: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = opener()
    table = Table(house, DAYS)
    from spelunke.house.outbox import noting

    def die(*args: Any) -> None:
        raise NotNow("the house died")

    before = table.look().ply
    monkeypatch.setattr(noting, "wake", die)
    with pytest.raises(SpelunkeError):
        table.play(20)
    monkeypatch.undo()
    after = opener()
    assert after.looks.look(table.id).actors == (0,), "the move that would have told went with what it tells"
    assert after.looks.look(table.id).ply >= before


# --- sending ------------------------------------------------------------------------------------------------------


@both
def test_only_the_browser_can_read_a_push_message(
    open_with: Callable[..., House], receiver: Receiver, clockwork: Clockwork
) -> None:
    house = open_with()
    table = Table(house, DAYS)
    anna = table.people[0]
    browser = subscribe(house, anna, receiver)
    house.tick()
    assert receiver.got == [], "a minute to notice it by oneself"
    clockwork.wait(61)
    house.tick()
    (got,) = receiver.got
    assert browser.read(got.body) == {
        "title": "It is your turn: Shanghaien with Ben",
        "body": "",
        "url": f"/t/{table.id}",
        "tag": f"/t/{table.id}",
    }
    assert got.headers["content-encoding"] == "aes128gcm"
    assert got.headers["authorization"].startswith("vapid t=")
    assert house.notifications.push_key in got.headers["authorization"]
    assert Vapid02.verify(got.headers["authorization"])
    assert int(got.headers["ttl"]) > 0
    clockwork.wait(10 * HOUR)
    house.tick()
    assert len(receiver.got) == 1, "the same is sent once"


def test_a_table_sends_at_most_one_push_an_hour(
    open_with: Callable[..., House], receiver: Receiver, clockwork: Clockwork
) -> None:
    house = open_with()
    table = Table(house, DAYS)
    subscribe(house, table.people[0], receiver)
    clockwork.wait(2 * MINUTE)
    house.tick()
    play_to_turn(table, 0)
    clockwork.wait(10 * MINUTE)
    house.tick()
    assert len(receiver.got) == 1
    clockwork.wait(50 * MINUTE)
    house.tick()
    assert len(receiver.got) == 2, "it is still true after the hour"


def test_a_notification_that_is_no_longer_true_is_not_sent(
    open_with: Callable[..., House], receiver: Receiver, clockwork: Clockwork
) -> None:
    house = open_with()
    table = Table(house, DAYS)
    subscribe(house, table.people[0], receiver)
    while table.look().actors == (0,):
        table.play(1)
    clockwork.wait(HOUR)
    house.tick()
    assert receiver.got == []


def test_a_player_at_the_table_is_notified_only_after_leaving(
    open_with: Callable[..., House], receiver: Receiver, clockwork: Clockwork
) -> None:
    house = open_with()
    table = Table(house, DAYS)
    anna = table.people[0]
    subscribe(house, anna, receiver)
    stay = house.attendance.stay(table.id, lasting=True)
    for _ in range(4):
        house.attendance.glance(table.id, anna.id, stay)
        clockwork.wait(50)
        house.tick()
    assert receiver.got == []
    house.attendance.leave(stay)
    clockwork.wait(5 * MINUTE)
    house.tick()
    assert len(receiver.got) == 1


def test_several_notifications_are_sent_as_one_message(
    open_with: Callable[..., House], receiver: Receiver, clockwork: Clockwork, post: Post
) -> None:
    house = open_with(post)
    anna = member(house, house.people.create("Anna"))
    browser = subscribe(house, anna, receiver)
    confirmed(house, anna, post)
    for _ in range(3):
        table = house.lobby.create(anna.id, DAYS)
        house.lobby.join(table, house.people.create("Ben").id)
        house.lobby.start(table, anna.id)
    clockwork.wait(2 * MINUTE)
    house.tick()
    (got,) = receiver.got
    told = browser.read(got.body)
    assert told["title"] == "3 new notifications"
    assert told["url"] == "/me/notifications"
    assert told["body"].count("Shanghaien with Ben") == 3
    (letter,) = post.letters
    assert text_of(letter).count("https://house.example/t/") == 3


def confirmed(house: House, person: Person, post: Post, address: str = "anna@example.org") -> str:
    channel = house.notifications.channels.add_mail(person.id, address, "en")
    house.tick()
    link = re.search(r"/mail/confirm/(\w+)/(\w+)", text_of(post.letters.pop()))
    assert link is not None
    house.notifications.channels.confirm_mail(link[1], link[2])
    return channel


@both
def test_a_notification_mail_has_a_link_that_stops_further_mail(
    open_with: Callable[..., House], clockwork: Clockwork, post: Post
) -> None:
    house = open_with(post)
    table = Table(house, DAYS)
    anna = member(house, table.people[0])
    confirmed(house, anna, post)
    clockwork.wait(2 * MINUTE)
    house.tick()
    (letter,) = post.letters
    assert (letter["to"], letter["subject"]) == ("anna@example.org", "It is your turn: Shanghaien with Ben")
    assert f"https://house.example/t/{table.id}" in text_of(letter)
    assert letter["list-unsubscribe-post"] == "List-Unsubscribe=One-Click"
    stop = re.fullmatch(r"<https://house\.example/mail/stop/([\w-]+)>", letter["list-unsubscribe"])
    assert stop is not None
    assert stop[1] in text_of(letter)
    house.notifications.channels.stop(stop[1])
    play_to_turn(table, 0)
    clockwork.wait(3 * HOUR)
    house.tick()
    assert len(post.letters) == 1
    (line,) = house.notifications.channels.of(anna.id)
    assert line.stopped
    house.notifications.channels.resume(anna.id, line.id, "en")
    house.tick()
    assert len(post.letters) == 2


@pytest.mark.deep
@pytest.mark.parametrize("game", ["shanghaien", "halunken", "sanghai"])
def test_letters_and_pushes_of_a_whole_game_name_only_game_and_players(
    open_with: Callable[..., House], clockwork: Clockwork, post: Post, receiver: Receiver, game: str
) -> None:
    """Each line of e-mails and pushes is one of the listed sentences or links. None says anything about the board."""
    house = open_with(post)
    bots = tuple(f"bot:{next(iter(find_game(game).levels))}" for _ in range(game == "sanghai"))
    seats = ("me", "open", *bots)
    table = Table(house, Plan(game=game, seats=seats, clock=Clock(kind="days", days=3)))
    people = [member(house, person) for person in table.people]
    browsers = [subscribe(house, person, receiver, f"/push/{person.name}") for person in people]
    confirmed(house, people[0], post)
    post.letters.clear()
    for _ in range(60):
        look = table.look()
        if look.status == "over":
            break
        for seat, person in enumerate(people):
            look = table.look(seat)
            if look.legal:
                move = random.Random(look.ply).choice(look.legal)[1]
                house.play.act(table.id, person.id, move, look.ply, table.key())
        clockwork.wait(3 * HOUR)
        while house.tick():
            pass
    if table.look().status != "over":
        house.play.resign(table.id, people[0].id, "resign-a")
        house.play.resign(table.id, people[1].id, "resign-b")
        clockwork.wait(3 * HOUR)
        house.tick()
    title = table.look().title
    names = "|".join(re.escape(name) for name in table.look().names)
    sentence = re.compile(rf"(It is your turn|The game is over): {title} with ({names})(, ({names}))*")
    said = [str(letter["subject"]) for letter in post.letters]
    lines = [line for letter in post.letters for line in text_of(letter).splitlines()]
    said += [line for line in lines if title in line]
    rest = re.compile(
        rf"(-- )?|https://house\.example/t/{table.id}|You receive this e-mail because you turned on notifications by"
        r" e-mail\. To stop all of them, open this link: https://house\.example/mail/stop/[\w-]+"
    )
    assert [line for line in lines if title not in line and not rest.fullmatch(line)] == []
    by_name = {person.name: browser for person, browser in zip(people, browsers, strict=True)}
    for got in receiver.got:
        payload = by_name[got.path.rpartition("/")[2]].read(got.body)
        assert set(payload) == {"title", "body", "url", "tag"}
        said += [payload["title"], *payload["body"].splitlines()]
    assert len(said) > 20
    assert [one for one in said if not sentence.fullmatch(one.strip())] == []


def test_mail_goes_over_tls(tmp_path: Path) -> None:
    certificate = make_certificate(tmp_path)
    post = Post(certificate)
    try:
        given = {"host": "127.0.0.1", "port": post.port, "sender": "house@example.org"}
        trusts = ssl.create_default_context(cafile=str(certificate))
        Mailer(MailServer(security="starttls", **given), tls=trusts).send("a@example.org", "Title", "Text")
        assert [letter["subject"] for letter in post.letters] == ["Title"]
        for security in ("starttls", "tls"):
            with pytest.raises(Undelivered, match="could not be reached"):
                Mailer(MailServer(security=security, **given), seconds=2).send("a@example.org", "T", "T")
        with pytest.raises(Undelivered):
            Mailer(MailServer(security="none", **given)).send("a@example.org", "Title", "Text")
        assert len(post.letters) == 1
    finally:
        post.close()


def test_live_tables_never_mail(
    open_with: Callable[..., House], clockwork: Clockwork, post: Post, receiver: Receiver
) -> None:
    house = open_with(post)
    table = Table(house, LIVE)
    anna, ben = table.people
    member(house, anna)
    confirmed(house, anna, post)
    browser = subscribe(house, anna, receiver)
    clockwork.wait(60)
    house.going_on.nudge(table.id, ben.id, 0)
    house.tick()
    assert browser.read(receiver.got[0].body)["title"] == "Ben is waiting for you: Shanghaien"
    clockwork.wait(20 * HOUR)
    house.tick()
    assert post.letters == []


def test_a_person_can_switch_off_mail_for_turns(
    open_with: Callable[..., House], clockwork: Clockwork, post: Post, receiver: Receiver
) -> None:
    house = open_with(post)
    table = Table(house, DAYS)
    anna = member(house, table.people[0])
    confirmed(house, anna, post)
    subscribe(house, anna, receiver)
    house.notifications.channels.choose(anna.id, Choices(off=frozenset({("turn", "mail")})))
    clockwork.wait(2 * MINUTE)
    house.tick()
    assert (len(receiver.got), len(post.letters)) == (1, 0)
    assert house.notifications.inbox.unread(anna.id) == 1, "the bell is never off"


def test_nothing_is_sent_during_quiet_hours(
    open_with: Callable[..., House], clockwork: Clockwork, receiver: Receiver
) -> None:
    house = open_with()
    table = Table(house, DAYS)
    anna = table.people[0]
    subscribe(house, anna, receiver)
    # 2023-11-14 22:13 UTC is 23:13 in Vienna
    quiet = Choices(zone="Europe/Vienna", quiet_from=22 * 60, quiet_to=7 * 60 + 30)
    house.notifications.channels.choose(anna.id, quiet)
    clockwork.wait(HOUR)
    house.tick()
    assert receiver.got == []
    clockwork.wait(7 * HOUR)  # 7:13
    house.tick()
    assert receiver.got == []
    clockwork.wait(18 * MINUTE)
    house.tick()
    assert len(receiver.got) == 1
    for wrong in ({"zone": "Europe/Nowhere"}, {"zone": "../../etc/passwd"}, {"quiet_from": 60}):
        with pytest.raises(BadInput):
            house.notifications.channels.choose(anna.id, Choices(**wrong))


def test_quiet_hours_follow_daylight_saving_time() -> None:
    def ms(*when: int) -> int:
        return int(datetime(*when, tzinfo=UTC).timestamp() * 1000)  # type: ignore[arg-type]

    # The night of 2023-03-26 has an hour less: 7:00 in Vienna is 5:00 UTC, the morning before it was 6:00 UTC.
    assert quiet_until(ms(2023, 3, 25, 22, 0), "Europe/Vienna", 22 * 60, 7 * 60) == ms(2023, 3, 26, 5, 0)
    assert quiet_until(ms(2023, 3, 24, 22, 0), "Europe/Vienna", 22 * 60, 7 * 60) == ms(2023, 3, 25, 6, 0)
    assert quiet_until(ms(2023, 3, 25, 12, 0), "Europe/Vienna", 22 * 60, 7 * 60) is None
    assert quiet_until(ms(2023, 3, 25, 12, 0), "UTC", 11 * 60, 13 * 60) == ms(2023, 3, 25, 13, 0)
    assert quiet_until(ms(2023, 3, 25, 13, 0), "UTC", 11 * 60, 13 * 60) is None
    assert quiet_until(ms(2023, 3, 25, 12, 0), "UTC", None, None) is None


# --- undeliverable messages --------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [404, 410])
def test_a_push_subscription_that_is_gone_ends_its_channel(
    open_with: Callable[..., House], clockwork: Clockwork, receiver: Receiver, status: int
) -> None:
    house = open_with()
    table = Table(house, DAYS)
    anna = table.people[0]
    subscribe(house, anna, receiver)
    receiver.status = status
    clockwork.wait(2 * MINUTE)
    house.tick()
    (line,) = house.notifications.channels.of(anna.id)
    assert line.ended
    assert "turn notifications on again in the browser of that device" in (line.problem or "")
    clockwork.wait(10 * HOUR)
    house.tick()
    assert len(receiver.got) == 1


def test_a_failing_channel_is_retried_with_growing_pauses_and_then_ended(
    open_with: Callable[..., House], clockwork: Clockwork, receiver: Receiver
) -> None:
    house = open_with()
    table = Table(house, DAYS)
    anna = table.people[0]
    subscribe(house, anna, receiver)
    receiver.status = 503
    clockwork.wait(61)
    house.tick()
    pauses = []
    (line,) = house.notifications.channels.of(anna.id)
    while line.next_ms is not None:
        pauses.append(round(line.next_ms / 1000 - clockwork.now) / 60)
        clockwork.wait(line.next_ms / 1000 - clockwork.now - 2)
        house.notifications.tick()
        assert len(receiver.got) == len(pauses), "not before its time"
        clockwork.wait(3)
        house.notifications.tick()
        (line,) = house.notifications.channels.of(anna.id)
    assert pauses == [1, 5, 30, 120, 360, 720, 1440]
    assert line.ended
    assert line.problem == "127.0.0.1 can't take the message now (status 503)"
    receiver.status = 201
    house.notifications.channels.resume(anna.id, line.id, "en")
    house.notifications.tick()
    (line,) = house.notifications.channels.of(anna.id)
    assert (line.ended, line.problem) == (False, None)


def test_a_dead_channel_does_not_delay_the_others(
    open_with: Callable[..., House], clockwork: Clockwork, receiver: Receiver
) -> None:
    house = open_with(seconds=1.0)
    table = Table(house, DAYS)
    anna = member(house, table.people[0])
    house.notifications.channels.add_hook(anna.id, "webhook", f"http://127.0.0.1:{dead_port()}/")
    house.notifications.channels.add_hook(anna.id, "ntfy", receiver.url + "/topic")
    clockwork.wait(2 * MINUTE)
    house.tick()
    assert receiver.got[0].body.decode() == "It is your turn: Shanghaien with Ben"
    dead, alive = house.notifications.channels.of(anna.id)
    assert "can't be reached" in (dead.problem or "")
    assert not dead.ended
    assert alive.problem is None
    assert alive.sent_ms is not None


@pytest.mark.parametrize(("address", "ended"), [("nobody@example.org", True), ("busy@example.org", False)])
def test_a_mail_address_that_bounces_shows_the_reason(
    open_with: Callable[..., House], post: Post, address: str, ended: bool
) -> None:
    house = open_with(post)
    anna = member(house, house.people.create("Anna"))
    house.notifications.channels.add_mail(anna.id, address, "en")
    house.tick()
    (line,) = house.notifications.channels.of(anna.id)
    assert line.ended is ended
    assert ("no such mailbox" if ended else "come again later") in (line.problem or "")
    assert not line.confirmed


def test_a_dead_mail_server_is_reported_and_the_mail_kept(
    open_with: Callable[..., House], clockwork: Clockwork, post: Post
) -> None:
    broken = MailServer(host="127.0.0.1", port=dead_port(), security="none", sender="house@example.org")
    house = open_with(mail=broken, seconds=1.0)
    anna = member(house, house.people.create("Anna"))
    house.notifications.channels.add_mail(anna.id, "anna@example.org", "en")
    house.tick()
    (line,) = house.notifications.channels.of(anna.id)
    assert "could not be reached" in (line.problem or "")
    with house.store.read() as connection:
        assert connection.execute(select(schema.letters.c.tries)).scalar() == 1


def test_a_crash_loses_nothing(opener: Open, clockwork: Clockwork, receiver: Receiver) -> None:
    house = opener(outside=outside(), push_key=b"k" * 32)
    table = Table(house, DAYS)
    browser = subscribe(house, table.people[0], receiver)
    clockwork.wait(2 * MINUTE)
    assert len(house.notifications._dispatcher._claim()) == 1  # and the worker dies
    other = opener(outside=outside(), push_key=b"k" * 32)
    other.tick()
    assert receiver.got == []
    clockwork.wait(5 * MINUTE)
    other.tick()
    assert browser.read(receiver.got[0].body)["url"] == f"/t/{table.id}"


def test_a_browser_that_was_logged_out_is_told_no_more(
    open_with: Callable[..., House], clockwork: Clockwork, receiver: Receiver
) -> None:
    house = open_with()
    table = Table(house, DAYS)
    anna = table.people[0]
    token = house.members.become(anna.id, "Anna", label="Test", password=PASSWORD)
    visit = house.devices.find(token)
    assert visit is not None
    browser = Browser()
    house.notifications.channels.add_push(
        anna.id, receiver.url, browser.p256dh, browser.auth, label="Firefox", device=visit.device
    )
    house.devices.end(anna.id, visit.device)
    clockwork.wait(2 * MINUTE)
    house.tick()
    assert receiver.got == []
    assert "logged out" in (house.notifications.channels.of(anna.id)[0].problem or "")


def test_a_person_who_is_shut_out_receives_nothing_until_the_end(
    open_with: Callable[..., House], clockwork: Clockwork, receiver: Receiver
) -> None:
    house = open_with()
    table = Table(house, DAYS)
    anna, ben = table.people
    house.members.become(
        ben.id, "Ben", label="Test", password=PASSWORD, host_code=house.members.codes.make("host")
    )
    subscribe(house, anna, receiver)
    (line,) = (one for one in house.registry.people("guests", "Anna", 1)[0] if one.name == "Anna")
    house.hosting.shut_out(ben.id, line.address, house.store.now() + 24 * HOUR * 1000)
    clockwork.wait(2 * HOUR)
    house.tick()
    assert receiver.got == []
    clockwork.wait(23 * HOUR)
    play_to_turn(table, 1)
    play_to_turn(table, 0)
    clockwork.wait(HOUR)
    house.tick()
    assert len(receiver.got) == 1


# --- channels and addresses --------------------------------------------------------------------------------------


def test_a_browser_subscribes_for_only_one_person(
    open_with: Callable[..., House], receiver: Receiver
) -> None:
    house = open_with()
    anna, ben = house.people.create("Anna"), house.people.create("Ben")
    subscribe(house, anna, receiver)
    subscribe(house, ben, receiver)
    assert house.notifications.channels.of(anna.id) == ()
    assert len(house.notifications.channels.of(ben.id)) == 1
    house.notifications.channels.remove_push(ben.id, receiver.url + "/push")
    assert house.notifications.channels.of(ben.id) == ()


@pytest.mark.parametrize(
    ("endpoint", "key", "auth"),
    [
        ("", "x", "y"),
        ("https://push.example/x", "", ""),
        ("https://push.example/x", "A" * 87, "A" * 22),
        ("javascript:alert(1)", "A" * 87, "A" * 22),
        ("https://[", "A" * 87, "A" * 22),
        ("https://a\u2100b/", "A" * 87, "A" * 22),
    ],
)
def test_a_malformed_push_subscription_is_refused(house: House, endpoint: str, key: str, auth: str) -> None:
    anna = house.people.create("Anna")
    with pytest.raises(BadInput):
        house.notifications.channels.add_push(anna.id, endpoint, key, auth, label="x")


def test_webhooks_are_the_hosts_to_switch_on(open_with: Callable[..., House], receiver: Receiver) -> None:
    house = open_with(webhooks=frozenset({"hooks.example", "*.ntfy.example"}))
    anna = member(house, house.people.create("Anna"))
    for address in (receiver.url, "https://example.org/", "https://ntfy.example/"):
        with pytest.raises(NotAllowed, match="may not send notifications to"):
            house.notifications.channels.add_hook(anna.id, "webhook", address)
    with pytest.raises(BadInput, match="was not found"):
        house.notifications.channels.add_hook(anna.id, "ntfy", "https://no.ntfy.example/x")
    with pytest.raises(NotAllowed, match="no services of this kind"):
        house.notifications.channels.add_hook(anna.id, "service", "tgram://x/y")
    guest = house.people.create("Gast")
    with pytest.raises(NotAllowed, match="only members can do that"):
        house.notifications.channels.add_hook(guest.id, "webhook", "https://hooks.example/")
    with pytest.raises(NotAllowed, match="only members can do that"):
        house.notifications.channels.add_hook(guest.id, "service", "tgram://x/y")


@pytest.mark.parametrize(
    "address", ["", "anna", "anna@", "anna@host", "a b@example.org", "anna@example.org\nBcc: x@y.org"]
)
def test_an_invalid_mail_address_is_refused(
    open_with: Callable[..., House], post: Post, address: str
) -> None:
    house = open_with(post)
    anna = member(house, house.people.create("Anna"))
    with pytest.raises(BadInput, match="e-mail address"):
        house.notifications.channels.add_mail(anna.id, address, "en")


def test_a_confirmation_link_works_once_and_for_its_own_address(
    open_with: Callable[..., House], post: Post, clockwork: Clockwork
) -> None:
    house = open_with(post)
    anna = member(house, house.people.create("Anna"))
    channels = house.notifications.channels
    channels.add_mail(anna.id, "anna@example.org", "en")
    house.tick()
    first = re.search(r"/mail/confirm/(\w+)/(\w+)", text_of(post.letters.pop()))
    channels.add_mail(anna.id, "other@example.org", "en")
    assert first is not None
    with pytest.raises(SpentCode):
        channels.confirm_mail(first[1], first[2])
    house.tick()
    second = re.search(r"/mail/confirm/(\w+)/(\w+)", text_of(post.letters.pop()))
    assert second is not None
    with pytest.raises(SpentCode):
        channels.confirm_mail(second[1], first[2])
    clockwork.wait(25 * HOUR)
    with pytest.raises(SpentCode):
        channels.confirm_mail(second[1], second[2])
    (line,) = channels.of(anna.id)
    channels.resume(anna.id, line.id, "en")
    house.tick()
    third = re.search(r"/mail/confirm/(\w+)/(\w+)", text_of(post.letters.pop()))
    assert third is not None
    channels.confirm_mail(third[1], third[2])
    (line,) = channels.of(anna.id)
    assert line.confirmed
    with pytest.raises(SpentCode):
        channels.confirm_mail(third[1], third[2])


def test_a_confirmed_address_is_not_added_again(open_with: Callable[..., House], post: Post) -> None:
    house = open_with(post)
    anna = member(house, house.people.create("Anna"))
    channel = confirmed(house, anna, post)
    channels = house.notifications.channels
    house.tick()
    post.letters.clear()
    with pytest.raises(NotNow, match="you have this address already, and it is confirmed"):
        channels.add_mail(anna.id, "Anna@example.org", "en")
    stop = "stop" * 8
    with house.store.engine.begin() as connection:
        connection.execute(update(schema.channels).values(stop=stop))
    channels.stop(stop)
    with pytest.raises(NotNow, match="you have this address already, but it is switched off"):
        channels.add_mail(anna.id, "anna@example.org", "en")
    house.tick()
    assert post.letters == []
    (line,) = channels.of(anna.id)
    assert (line.id, line.confirmed) == (channel, True)
    channels.resume(anna.id, channel, "en")
    assert not channels.of(anna.id)[0].stopped


def test_nobody_is_flooded_with_letters(open_with: Callable[..., House], post: Post) -> None:
    house = open_with(post)
    anna = member(house, house.people.create("Anna"))
    for number in range(6):
        house.notifications.channels.add_mail(anna.id, f"victim{number}@example.org", "en")
        house.tick()
    with pytest.raises(TooFast, match="try again in 24 hours"):
        house.notifications.channels.add_mail(anna.id, "victim@example.org", "en")
    assert len(post.letters) == 6


def test_a_member_can_log_in_with_a_mailed_link(
    open_with: Callable[..., House], post: Post, clockwork: Clockwork
) -> None:
    house = open_with(post)
    anna = member(house, house.people.create("Anna"))
    channels = house.notifications.channels
    channels.add_mail(anna.id, "anna@example.org", "en")
    house.tick()
    post.letters.clear()
    channels.ask_back("anna@example.org", "en")
    channels.ask_back("stranger@example.org", "en")
    house.tick()
    assert post.letters == [], "an address that is not confirmed opens nothing"
    channels.remove(anna.id, channels.of(anna.id)[0].id)
    confirmed(house, anna, post)
    channels.ask_back("ANNA@example.org", "en")
    channels.ask_back("anna@example.org", "en")
    house.tick()
    (letter,) = post.letters
    code = re.search(r"https://house\.example/back/(\w+)", text_of(letter))
    assert code is not None
    token = house.devices.come_by_mail(code[1], "Phone")
    visit = house.devices.find(token)
    assert visit is not None
    assert visit.person == anna.id
    house.devices.require_proof(visit)  # so another password can be set
    with pytest.raises(SpentCode):
        house.devices.come_by_mail(code[1], "Phone")


@pytest.mark.parametrize("way", ["password", "others"])
@pytest.mark.parametrize("sent", [True, False])
def test_ending_the_other_devices_invalidates_a_mailed_login_link(
    open_with: Callable[..., House], post: Post, way: str, sent: bool
) -> None:
    house = open_with(post)
    anna = member(house, house.people.create("Anna"))
    confirmed(house, anna, post)
    (mine,) = house.devices.of(anna.id)
    house.notifications.channels.ask_back("Anna@example.org", "en")
    if sent:
        house.tick()
    if way == "password":
        house.members.set_password(anna.id, mine.id, "harbour velvet onion nine")
    else:
        house.devices.end_others(anna.id, mine.id)
    house.tick()
    codes = [re.search(r"/back/(\w+)", text_of(letter)) for letter in post.letters]
    found = [code[1] for code in codes if code is not None]
    assert len(found) == sent
    for code in found:
        with pytest.raises(SpentCode):
            house.devices.come_by_mail(code, "Thief")


@pytest.mark.sampled(2)
@pytest.mark.parametrize("way", ["password", "others", "device"])
@pytest.mark.parametrize("sent", [True, False])
def test_ending_the_other_devices_removes_an_unconfirmed_address(
    open_with: Callable[..., House], post: Post, way: str, sent: bool
) -> None:
    house = open_with(post)
    anna = member(house, house.people.create("Anna"))
    channels = house.notifications.channels
    channels.add_mail(anna.id, "thief@example.org", "en")
    if sent:
        house.tick()
    (mine,) = house.devices.of(anna.id)
    if way == "password":
        house.members.set_password(anna.id, mine.id, "harbour velvet onion nine")
    elif way == "others":
        house.devices.end_others(anna.id, mine.id)
    else:
        house.devices.end(anna.id, mine.id)
    house.tick()
    assert len(post.letters) == sent
    for letter in post.letters:
        link = re.search(r"/mail/confirm/(\w+)/(\w+)", text_of(letter))
        assert link is not None
        with pytest.raises(SpentCode):
            channels.confirm_mail(link[1], link[2])
    assert channels.of(anna.id) == ()


def test_a_member_who_logged_out_can_still_confirm_an_address(
    open_with: Callable[..., House], post: Post
) -> None:
    house = open_with(post)
    anna = member(house, house.people.create("Anna"))
    channels = house.notifications.channels
    channels.add_mail(anna.id, "anna@example.org", "en")
    house.tick()
    (mine,) = house.devices.of(anna.id)
    house.devices.end(anna.id, mine.id, by=mine.id)
    link = re.search(r"/mail/confirm/(\w+)/(\w+)", text_of(post.letters[0]))
    assert link is not None
    channels.confirm_mail(link[1], link[2])


def test_an_address_that_was_confirmed_is_told_on_the_pages(
    open_with: Callable[..., House], post: Post, clockwork: Clockwork
) -> None:
    house = open_with(post)
    anna = member(house, house.people.create("Anna"))
    (mine,) = house.devices.of(anna.id)
    confirmed(house, anna, post)
    (change,) = house.members.changes.of(anna.id, mine.id)
    assert (change.what, change.label, change.new) == ("address", "anna@example.org", True)
    house.members.changes.dismiss(anna.id, mine.id)
    (change,) = house.members.changes.of(anna.id, mine.id)
    assert not change.new


def test_a_change_of_login_methods_is_announced_by_mail(open_with: Callable[..., House], post: Post) -> None:
    house = open_with(post)
    anna = member(house, house.people.create("Anna"))
    confirmed(house, anna, post)
    codes = house.members.codes.make_recovery(anna.id)
    token = house.devices.come_by_recovery(codes[0], "Phone")
    visit = house.devices.find(token)
    assert visit is not None
    house.members.set_password(anna.id, visit.device, "harbour velvet onion nine")
    house.tick()
    told = " ".join(map(text_of, post.letters))
    for sentence in (
        "New recovery codes were made",
        "logged in with one of your recovery codes",
        "password was changed",
    ):
        assert sentence in told
    post.letters.clear()
    house.notifications.channels.add_mail(anna.id, "other@example.org", "en")
    house.tick()
    assert [letter["to"] for letter in post.letters] == ["anna@example.org", "other@example.org"]


def test_deleting_an_account_deletes_its_notifications_and_channels(
    open_with: Callable[..., House], receiver: Receiver, post: Post
) -> None:
    house = open_with(post)
    table = Table(house, DAYS)
    anna = member(house, table.people[0])
    subscribe(house, anna, receiver)
    confirmed(house, anna, post)
    house.notifications.channels.choose(anna.id, Choices(zone="Europe/Vienna"))
    about = house.leaving.about(anna)
    assert [row["kind"] for row in about["told"]] == ["turn"]  # type: ignore[attr-defined]
    assert [row["kind"] for row in about["told_by"]] == ["push", "mail"]  # type: ignore[attr-defined]
    house.leaving.leave(anna.id)
    with house.store.read() as connection:
        for name in ("notifications", "channels", "notification_choices", "outbox"):
            kept = schema.metadata.tables[name]
            people = set(connection.execute(select(kept.c.person)).scalars())
            assert anna.id not in people, name


def test_the_dispatcher_sleeps_until_the_next_notification_is_due(opener: Open, clockwork: Clockwork) -> None:
    house = opener(alone=True)
    assert house.notifications._dispatcher._idle() == IDLE_S
    now = house.store.now()
    house.store.writer.write(
        Write(call=lambda c: c.execute(insert(outbox), {"person": "a", "at": now + 7000, "claimed_ms": 0}))
    )
    assert house.notifications._dispatcher._idle() == 7.0


def test_background_threads_send_notifications_without_a_tick(opener: Open, receiver: Receiver) -> None:
    from waiting import wait_until

    house = opener(outside=outside(), push_key=b"k" * 32, timers=True, alone=True, clock=None)
    table = Table(house, DAYS)
    subscribe(house, table.people[0], receiver)
    with house.store.engine.begin() as connection:  # as if it had come a minute ago
        connection.execute(schema.notifications.update().values(at=1))
        connection.execute(schema.outbox.update().values(at=1))
    house.notifications.wake()
    wait_until(lambda: len(receiver.got) == 1)
