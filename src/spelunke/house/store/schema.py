"""The tables of the database, except those in `company_schema`.

Times are whole milliseconds since 1970. JSON is stored as text, except in `analyses`, where it is compressed.

The rows of `moves` are the logs of all games: moves, outcomes of chance (seat -1), and notes of the house
such as `!resign`. Each game's rows are numbered from 1. The position of a running game is computed from its setup
(in `tables`) and its rows.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
)

NEWEST = "0021"
"""The newest migration in `migrations`. After it, the database has the tables of this module and `company_schema`."""

metadata = MetaData()

people = Table(
    "people",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(64), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    # the chosen portrait, and whether the coach advises without a request; null if not chosen
    Column("figure", String(16)),
    Column("colour", String(16)),
    Column("coached", Boolean),
    # true for a person to whom the games of a deleted account went
    Column("gone", Boolean),
)

tables = Table(
    "tables",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("game", String(64), nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("options", Text, nullable=False),
    Column("clock", Text, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("status", String(8), nullable=False),
    Column("host", String(32), nullable=False),
    Column("invite", String(32), nullable=False),
    Column("seed", String(64), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    # the time since which all seats are taken
    Column("ready_ms", BigInteger),
    # the time since which commitments are refused and nonces for them are accepted
    Column("closed_ms", BigInteger),
    Column("started_ms", BigInteger),
    Column("ended_ms", BigInteger),
    # The time of the last row that a spectator noticed, for lists; None before it. There is no index, so that
    # PostgreSQL updates it in place.
    Column("noticed_ms", BigInteger),
    # Counts all changes except moves, for the caches of the workers; `shown` counts only those that everybody
    # may notice.
    Column("rev", Integer, nullable=False),
    Column("shown", Integer, nullable=False),
    # {"seat": ply}: each seat that offers a draw, and the ply of its offer
    Column("offers", Text, nullable=False),
    Column("previous", String(16)),
    Column("rematch", String(16)),
    # the reason for which the game ended, for example `resigned`, or `closed` for a table that did not start
    Column("result", Text),
    # JSON: places, scores and reason of a finished game, for lists
    Column("outcome", Text),
    # JSON: the position that the game began from, and its source; None for the start
    Column("origin", Text),
    # whether the result changes ratings (in old rows None means no), and the time at which it changed them
    Column("rated", Boolean),
    Column("counted_ms", BigInteger),
    # If true, only the host's friends see the table in lists. Only they and people with the link may sit down.
    Column("friends", Boolean),
    # the number of plies by which spectators are behind, and whether they don't see the players' chat
    Column("delay", Integer),
    Column("chat_closed", Boolean),
    # JSON: the event whose chance the table uses, and the number of its deal; None if the table has its own chance
    Column("deal", Text),
    # whether only its own players may see the table, because other tables of a running round or day have the same
    # cards
    Column("players_only", Boolean),
    Index("tables_by_status", "status", "listed", "created_ms"),
)
# Few tables are marked, and the house often searches for marked tables of past days.
Index(
    "tables_for_players",
    tables.c.id,
    sqlite_where=tables.c.players_only.is_(True),
    postgresql_where=tables.c.players_only.is_(True),
)

seats = Table(
    "seats",
    metadata,
    Column("table_id", String(16), ForeignKey("tables.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("plan", String(64), nullable=False),
    Column("person", String(32), ForeignKey("people.id")),
    Column("nonce", String(64)),
    # SHA-256 of the nonce, if the seat committed to it first
    Column("nonce_commitment", String(64)),
    Column("standing", Text),
    # Counts the changes of the standing orders, which only their owner may notice.
    Column("standing_rev", Integer, nullable=False, server_default="0"),
    # The person for whom the seat is kept, until they sit down.
    Column("kept", String(32)),
    # The time at which the person's page was last opened or closed. `rev` does not count this, because presence is no
    # change of the table.
    Column("seen_ms", BigInteger),
    # The time at which the person was last reminded (nudged), and the seat that did it.
    Column("nudged_ms", BigInteger),
    Column("nudged_by", Integer),
    # The time at which the person last agreed to call the game off.
    Column("call_off_ms", BigInteger),
    # JSON: the summaries of rounds that the page has shown, and those that the person has dismissed
    Column("attention", Text),
    # the newest reaction of the seat's person, and its time
    Column("reaction", String(16)),
    Column("reaction_ms", BigInteger),
    # whether spectators may see what this seat sees
    Column("eyes", Boolean),
    # whether a program plays with the person's token
    Column("program", Boolean),
    PrimaryKeyConstraint("table_id", "seat"),
    Index("seats_by_person", "person"),
)

moves = Table(
    "moves",
    metadata,
    Column("table_id", String(16), nullable=False),
    Column("ply", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("move", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    # the client's identifier for the action; a second action with the same one is not played
    Column("key", String(64)),
    # the level of the bot that moved, if a bot did
    Column("hand", String(64)),
    # the row's entry in the hash chain of the log (records/chain.py); None in rows of an older version
    Column("link", String(64)),
    PrimaryKeyConstraint("table_id", "ply"),
    sqlite_with_rowid=False,
)

chat = Table(
    "chat",
    metadata,
    Column("table_id", String(16), nullable=False),
    Column("n", Integer, nullable=False),
    Column("person", String(32), nullable=False),
    Column("seat", Integer),
    Column("name", String(64), nullable=False),
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    # the client's identifier for the message; a second message with the same one is not posted
    Column("key", String(64)),
    PrimaryKeyConstraint("table_id", "n"),
)

due = Table(
    "due",
    metadata,
    Column("table_id", String(16), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    # the row at which the task's decision opened, or 0; for its effect, see `house.table.tasks.Task`
    Column("ply", Integer, nullable=False),
    # the end of a worker's lease
    Column("claimed_ms", BigInteger, nullable=False),
    PrimaryKeyConstraint("table_id", "kind", "seat"),
    Index("due_by_time", "at"),
)

analyses = Table(
    "analyses",
    metadata,
    Column("table_id", String(16), primary_key=True),
    # the end of a worker's lease
    Column("claimed_ms", BigInteger, nullable=False),
    # the number of finished plies
    Column("done", Integer, nullable=False),
    Column("plies", Integer, nullable=False),
    # the reason for a failure, as a sentence
    Column("problem", Text),
    Column("made_ms", BigInteger),
    # the analysis as JSON, compressed by zlib
    Column("body", LargeBinary),
)

answers = Table(
    "answers",
    metadata,
    Column("person", String(32), nullable=False),
    Column("game", String(64), nullable=False),
    Column("problem", String(16), nullable=False),
    # whether the first answer was right, and whether any answer was right
    Column("at_once", Boolean, nullable=False),
    Column("solved", Boolean, nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("person", "game", "problem"),
)

members = Table(
    "members",
    metadata,
    # The foreign key prevents the removal of a member's row in `people`, also by workers of an older version.
    Column("person", String(32), ForeignKey("people.id"), primary_key=True),
    # the name in the form in which names are compared: no two members have the same
    Column("name_key", String(128), nullable=False, unique=True),
    # the member's random user handle for passkeys; it gives no rights
    Column("handle", String(64), nullable=False, unique=True),
    # an argon2id hash with its settings and salt; None without a password
    Column("password", Text),
    # `host`, or None
    Column("role", String(8)),
    Column("since_ms", BigInteger, nullable=False),
)

passkeys = Table(
    "passkeys",
    metadata,
    # SHA-256 of the credential's id, which may be long
    Column("id", String(64), primary_key=True),
    Column("person", String(32), nullable=False, index=True),
    Column("credential", LargeBinary, nullable=False),
    Column("public_key", LargeBinary, nullable=False),
    Column("sign_count", BigInteger, nullable=False),
    Column("label", String(64), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("used_ms", BigInteger),
)

devices = Table(
    "devices",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("person", String(32), nullable=False, index=True),
    # `browser` (its token is replaced once a day), `program` or `terminal` (their tokens stay the same)
    Column("kind", String(8), nullable=False),
    Column("label", String(64), nullable=False),
    # SHA-256 of the valid secret, of its unused replacement, and of its predecessor. The replacement is made
    # from the valid secret and the salt, so that simultaneous requests get the same one.
    Column("token", String(64), nullable=False),
    Column("next_token", String(64)),
    Column("last_token", String(64)),
    Column("salt", String(64), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("rotated_ms", BigInteger, nullable=False),
    Column("seen_ms", BigInteger, nullable=False),
    # the time of the last proof of identity on this device; 0 after a login by a link from another device alone
    Column("proven_ms", BigInteger, nullable=False),
)

codes = Table(
    "codes",
    metadata,
    # SHA-256 of a code that can be used once
    Column("code", String(64), primary_key=True),
    # see `house.people.codes.Kind`
    Column("kind", String(16), nullable=False),
    Column("person", String(32), index=True),
    Column("created_ms", BigInteger, nullable=False),
    Column("ends_ms", BigInteger, nullable=False, index=True),
)

notifications = Table(
    "notifications",
    metadata,
    Column("person", String(32), nullable=False),
    # see `house.outbox.kinds`
    Column("kind", String(8), nullable=False),
    Column("table_id", String(16), nullable=False, index=True),
    Column("game", String(64), nullable=False),
    # the name of the person whose action caused the notification, or None
    Column("by_name", String(64)),
    # whether the table has a live clock: then no e-mail is sent
    Column("live", Boolean, nullable=False),
    Column("at", BigInteger, nullable=False),
    # the time at which the person read the notification, or at which it was no longer true
    Column("read_ms", BigInteger),
    PrimaryKeyConstraint("person", "kind", "table_id"),
)

channels = Table(
    "channels",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("person", String(32), nullable=False, index=True),
    # `push`, `mail`, `webhook`, `ntfy` or `service`
    Column("kind", String(8), nullable=False),
    Column("address", Text, nullable=False),
    # SHA-256 of the kind and the address; case does not matter in an e-mail address
    Column("address_key", String(64), nullable=False, index=True),
    # JSON: the keys of a push subscription
    Column("details", Text, nullable=False),
    Column("label", String(64), nullable=False),
    # the token of the unsubscribe link; it gives no other rights
    Column("stop", String(64), nullable=False, unique=True),
    Column("created_ms", BigInteger, nullable=False),
    # None: the person has not confirmed the address
    Column("confirmed_ms", BigInteger),
    # the time since which the person wants no notifications there; a mail address can still be used to log in
    Column("stopped_ms", BigInteger),
    Column("sent_ms", BigInteger),
    # the failed attempts to send the present message, the time of the next one, and the reason
    Column("tries", Integer, nullable=False),
    Column("next_ms", BigInteger),
    Column("problem", Text),
    # the time at which the server stopped sending there, after failures
    Column("ended_ms", BigInteger),
)

deliveries = Table(
    "deliveries",
    metadata,
    Column("channel", String(16), nullable=False),
    Column("kind", String(8), nullable=False),
    Column("table_id", String(16), nullable=False),
    # the notification's time, and the time when it was sent
    Column("at", BigInteger, nullable=False),
    Column("sent_ms", BigInteger, nullable=False),
    PrimaryKeyConstraint("channel", "kind", "table_id"),
)

notification_choices = Table(
    "notification_choices",
    metadata,
    Column("person", String(32), primary_key=True),
    # muted kinds by channel: `turn:mail nudged:push`
    Column("off", Text, nullable=False),
    Column("zone", String(64), nullable=False),
    # minutes of the day in that zone; None without quiet hours
    Column("quiet_from", Integer),
    Column("quiet_to", Integer),
    Column("language", String(16), nullable=False),
    # the letters on cards and of nations: notation, own or english; null if not chosen
    Column("letters", String(8)),
)

outbox = Table(
    "outbox",
    metadata,
    # the person with unsent notifications, and the time at which the next one is due
    Column("person", String(32), primary_key=True),
    Column("at", BigInteger, nullable=False, index=True),
    # the end of a worker's lease
    Column("claimed_ms", BigInteger, nullable=False),
)

letters = Table(
    "letters",
    metadata,
    Column("id", String(16), primary_key=True),
    # `confirm`: a link that confirms an address; `back`: a login link; or the kind of an alert
    Column("kind", String(8), nullable=False),
    Column("address", Text, nullable=False),
    Column("channel", String(16)),
    Column("language", String(16), nullable=False),
    Column("at", BigInteger, nullable=False, index=True),
    # the time after which the e-mail is useless
    Column("ends_ms", BigInteger, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("claimed_ms", BigInteger, nullable=False),
)

house_settings = Table(
    "house_settings",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("value", Text, nullable=False),
)

profiles = Table(
    "profiles",
    metadata,
    Column("person", String(32), primary_key=True),
    # the random address of the person's page; it gives no rights
    Column("address", String(16), nullable=False, unique=True),
    # the readers of the page, see `house.people.profiles.Shown`; None if the person has not chosen
    Column("shown", String(10)),
    # whether friends do not see when the person is online; None means no
    Column("offline", Boolean),
)

bans = Table(
    "bans",
    metadata,
    Column("person", String(32), primary_key=True),
    Column("since_ms", BigInteger, nullable=False),
    # None: a permanent ban
    Column("until_ms", BigInteger),
)

house_log = Table(
    "house_log",
    metadata,
    # Rows are added, and never changed or removed.
    Column("n", Integer, primary_key=True, autoincrement=True),
    Column("at", BigInteger, nullable=False),
    # the ids of the host and of the person concerned (`whom`); their accounts may have been deleted
    Column("host", String(32), nullable=False),
    # see `house.hosting.Deed`
    Column("what", String(16), nullable=False),
    Column("whom", String(32)),
    # details: a table, a date, a setting
    Column("about", Text, nullable=False),
)

key_changes = Table(
    "key_changes",
    metadata,
    Column("n", Integer, primary_key=True, autoincrement=True),
    Column("person", String(32), nullable=False, index=True),
    # see `house.people.key_changes.What`
    Column("what", String(16), nullable=False),
    # the passkey or device that was changed, or the new e-mail address
    Column("label", String(64), nullable=False),
    # the device that made the change; it does not show the report
    Column("device", String(32)),
    Column("at", BigInteger, nullable=False),
    # whether the person has confirmed the change as their own
    Column("seen", Boolean, nullable=False),
)

workers = Table(
    "workers",
    metadata,
    Column("id", String(16), primary_key=True),
    # the name in nginx's configuration, from which its tables are computed
    Column("name", String(255), nullable=False),
    # the socket for requests of other workers on the same machine
    Column("socket", String(255), nullable=False),
    # the start and the last heartbeat, by the clock of the database
    Column("since_ms", BigInteger, nullable=False),
    Column("beat_ms", BigInteger, nullable=False),
)
