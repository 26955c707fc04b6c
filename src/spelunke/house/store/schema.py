"""The tables of the database. Times are whole milliseconds since 1970; JSON is text, so that both databases agree.

`moves` is the truth of every game: what was played, what chance brought (seat -1), and what the house noted (`!resign`,
`!time`, `!draw`, `!bot LEVEL`, `!person`, `!away`, `!left`, `!off`), one row per ply from 1. Everything else about a
running game is replayed.
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

NEWEST = "0013"
"""The migration that makes these tables, the last in `migrations`."""

metadata = MetaData()

people = Table(
    "people",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(64), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    # what was chosen of the portraits, and whether the coach speaks by itself; null where nothing was
    Column("figure", String(16)),
    Column("colour", String(16)),
    Column("coached", Boolean),
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
    # since when all seats are taken
    Column("ready_ms", BigInteger),
    # since when nonces are opened, and no commitment is taken any more
    Column("closed_ms", BigInteger),
    Column("started_ms", BigInteger),
    Column("ended_ms", BigInteger),
    # The time of the last row that a spectator noticed, for lists; None before it. Without an index, so that PostgreSQL
    # changes it in place.
    Column("noticed_ms", BigInteger),
    # Counts all changes but moves, for the caches of the workers; `shown` only those that everybody may notice.
    Column("rev", Integer, nullable=False),
    Column("shown", Integer, nullable=False),
    # {"seat": ply}: who offers a draw, and at which ply it was offered
    Column("offers", Text, nullable=False),
    Column("previous", String(16)),
    Column("rematch", String(16)),
    # one sentence for lists, in English; the table page tells it anew in the reader's language
    Column("result", Text),
    # JSON: places, scores and reason of a finished game, for lists
    Column("outcome", Text),
    # JSON: the position that the game was begun from, and where it comes from; None for the start
    Column("origin", Text),
    Index("tables_by_status", "status", "listed", "created_ms"),
)

seats = Table(
    "seats",
    metadata,
    Column("table_id", String(16), ForeignKey("tables.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("plan", String(64), nullable=False),
    Column("person", String(32), ForeignKey("people.id")),
    Column("nonce", String(64)),
    # SHA-256 of the nonce, where its seat gave that first
    Column("nonce_commitment", String(64)),
    Column("standing", Text),
    # Counts the changes of the standing orders, which their owner alone may notice.
    Column("standing_rev", Integer, nullable=False, server_default="0"),
    # Whom the seat is kept for, who has not sat down yet.
    Column("kept", String(32)),
    # When the person's last page came or went; beside `rev`, as presence is no change of the table.
    Column("seen_ms", BigInteger),
    # When the person was last nudged, and by which seat.
    Column("nudged_ms", BigInteger),
    Column("nudged_by", Integer),
    # When the person was last for calling the game off.
    Column("call_off_ms", BigInteger),
    # JSON: which summaries of rounds its page has shown, and from which its person went on
    Column("attention", Text),
    # the newest reaction of the seat's person, and when it came
    Column("reaction", String(16)),
    Column("reaction_ms", BigInteger),
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
    # what makes a repeated action known; chosen by the client
    Column("key", String(64)),
    # the level of the bot that moved, when one did
    Column("hand", String(64)),
    # binds the row to all before it (records/chain.py); None in rows of an older version
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
    # what makes a message known that is sent twice
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
    # the ply that the work is about: void when the table has moved on
    Column("ply", Integer, nullable=False),
    # a worker has taken it until then; past that moment anybody may
    Column("claimed_ms", BigInteger, nullable=False),
    PrimaryKeyConstraint("table_id", "kind", "seat"),
    Index("due_by_time", "at"),
)

analyses = Table(
    "analyses",
    metadata,
    Column("table_id", String(16), primary_key=True),
    # a worker is at it until then; past that moment anybody may begin it anew
    Column("claimed_ms", BigInteger, nullable=False),
    # how many plies are done
    Column("done", Integer, nullable=False),
    Column("plies", Integer, nullable=False),
    # why nothing came of it, as a sentence
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
    # whether the first answer was right, and whether any was
    Column("at_once", Boolean, nullable=False),
    Column("solved", Boolean, nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("person", "game", "problem"),
)

members = Table(
    "members",
    metadata,
    # No member's person can be removed as long as this row stands, by workers of an older version neither.
    Column("person", String(32), ForeignKey("people.id"), primary_key=True),
    # the name as it is compared: no two members have the same
    Column("name_key", String(128), nullable=False, unique=True),
    # what passkeys know the member by: random, and it opens nothing
    Column("handle", String(64), nullable=False, unique=True),
    # argon2id with its settings and salt; None: there is none
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
    # `browser`, whose token is exchanged now and then, or `program`, whose token stays
    Column("kind", String(8), nullable=False),
    Column("label", String(64), nullable=False),
    # SHA-256 of the secret that counts; of the one that was handed out in its place and was not shown yet; of the one
    # before. The next is made from the one that counts and the salt, so that all who ask at once are given the same.
    Column("token", String(64), nullable=False),
    Column("next_token", String(64)),
    Column("last_token", String(64)),
    Column("salt", String(64), nullable=False),
    Column("created_ms", BigInteger, nullable=False),
    Column("rotated_ms", BigInteger, nullable=False),
    Column("seen_ms", BigInteger, nullable=False),
    # when it was last shown there who it is, by password or key; 0: it came in by a link alone
    Column("proven_ms", BigInteger, nullable=False),
)

codes = Table(
    "codes",
    metadata,
    # SHA-256 of what works once
    Column("code", String(64), primary_key=True),
    # see `house.codes.Kind`
    Column("kind", String(16), nullable=False),
    Column("person", String(32), index=True),
    Column("created_ms", BigInteger, nullable=False),
    Column("ends_ms", BigInteger, nullable=False, index=True),
)

notifications = Table(
    "notifications",
    metadata,
    Column("person", String(32), nullable=False),
    # see `house.notifications.kinds`
    Column("kind", String(8), nullable=False),
    Column("table_id", String(16), nullable=False, index=True),
    Column("game", String(64), nullable=False),
    # who did what is told, where somebody did
    Column("by_name", String(64)),
    # whether the table is one of minutes: then nothing of it goes by mail
    Column("live", Boolean, nullable=False),
    Column("at", BigInteger, nullable=False),
    # since when it is known to its person, or no longer true
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
    # SHA-256 of the address
    Column("address_key", String(64), nullable=False, index=True),
    # JSON: the keys of a push subscription
    Column("details", Text, nullable=False),
    Column("label", String(64), nullable=False),
    # what the link holds that stops this way; it opens nothing else
    Column("stop", String(64), nullable=False, unique=True),
    Column("created_ms", BigInteger, nullable=False),
    # None: an address that is not known to be the person's
    Column("confirmed_ms", BigInteger),
    # since when its person wants nothing by it; a mail address still brings its member back in
    Column("stopped_ms", BigInteger),
    Column("sent_ms", BigInteger),
    # how often the present message was tried in vain, when it is tried again, and why it failed
    Column("tries", Integer, nullable=False),
    Column("next_ms", BigInteger),
    Column("problem", Text),
    # since when it is given up
    Column("ended_ms", BigInteger),
)

deliveries = Table(
    "deliveries",
    metadata,
    Column("channel", String(16), nullable=False),
    Column("kind", String(8), nullable=False),
    Column("table_id", String(16), nullable=False),
    # which notification it was, by its time, and when it was sent
    Column("at", BigInteger, nullable=False),
    Column("sent_ms", BigInteger, nullable=False),
    PrimaryKeyConstraint("channel", "kind", "table_id"),
)

notification_choices = Table(
    "notification_choices",
    metadata,
    Column("person", String(32), primary_key=True),
    # what is not told by which way: `turn:mail nudge:push`
    Column("off", Text, nullable=False),
    Column("zone", String(64), nullable=False),
    # minutes of the day in that zone; None: no quiet hours
    Column("quiet_from", Integer),
    Column("quiet_to", Integer),
    Column("language", String(16), nullable=False),
)

outbox = Table(
    "outbox",
    metadata,
    # whose channels are to be looked after, and when
    Column("person", String(32), primary_key=True),
    Column("at", BigInteger, nullable=False, index=True),
    # a worker is at it until then
    Column("claimed_ms", BigInteger, nullable=False),
)

letters = Table(
    "letters",
    metadata,
    Column("id", String(16), primary_key=True),
    # `confirm` an address, or come `back` in by it
    Column("kind", String(8), nullable=False),
    Column("address", Text, nullable=False),
    Column("channel", String(16)),
    Column("language", String(16), nullable=False),
    Column("at", BigInteger, nullable=False, index=True),
    # when it is of no use any more
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
    # the name of the person's page: random, and it opens nothing
    Column("address", String(16), nullable=False, unique=True),
    # who may see the page, see `house.profiles.Shown`; None: nothing was chosen
    Column("shown", String(10)),
)

bans = Table(
    "bans",
    metadata,
    Column("person", String(32), primary_key=True),
    Column("since_ms", BigInteger, nullable=False),
    # None: until it is lifted
    Column("until_ms", BigInteger),
)

house_log = Table(
    "house_log",
    metadata,
    # Rows are added, and never changed or removed.
    Column("n", Integer, primary_key=True, autoincrement=True),
    Column("at", BigInteger, nullable=False),
    # persons; who has left is somebody without a name
    Column("host", String(32), nullable=False),
    # see `house.hosting.Deed`
    Column("what", String(16), nullable=False),
    Column("whom", String(32)),
    # what more there is to say: a table, a date, a setting
    Column("about", Text, nullable=False),
)

key_changes = Table(
    "key_changes",
    metadata,
    Column("n", Integer, primary_key=True, autoincrement=True),
    Column("person", String(32), nullable=False, index=True),
    # see `house.key_changes.What`
    Column("what", String(16), nullable=False),
    # the key or device that it is about
    Column("label", String(64), nullable=False),
    # the device that did it, which need not be told
    Column("device", String(32)),
    Column("at", BigInteger, nullable=False),
    # whether its person has said that it was itself
    Column("seen", Boolean, nullable=False),
)

workers = Table(
    "workers",
    metadata,
    Column("id", String(16), primary_key=True),
    # as nginx names it: what its tables are computed from
    Column("name", String(255), nullable=False),
    # where it takes requests for its tables from other workers of its machine
    Column("socket", String(255), nullable=False),
    # by the clock of the database: since when it is there, and when it last told that it lives
    Column("since_ms", BigInteger, nullable=False),
    Column("beat_ms", BigInteger, nullable=False),
)
