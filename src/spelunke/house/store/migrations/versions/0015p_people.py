"""Add friends and blocks, reports, ratings, seeks, club evenings, vacations, and new settings of game tables.

A worker of the previous version can still run: the database gets only new tables, and new columns that may be null.
The game tables that such a worker makes are unrated, and spectators see them without a delay. Such a worker shows
each chat to everybody.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015p"
down_revision = "0015"
branch_labels = None
depends_on = None

TABLE_COLUMNS = {
    "rated": sa.Boolean,
    "counted_ms": sa.BigInteger,
    "friends": sa.Boolean,
    "delay": sa.Integer,
    "chat_closed": sa.Boolean,
}
SEAT_COLUMNS = {"eyes": sa.Boolean, "program": sa.Boolean}


def upgrade() -> None:
    for name, kind in TABLE_COLUMNS.items():
        op.add_column("tables", sa.Column(name, kind, nullable=True))
    for name, kind in SEAT_COLUMNS.items():
        op.add_column("seats", sa.Column(name, kind, nullable=True))
    _add_people()
    _add_ratings()
    op.create_table(
        "seeks",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("person", sa.String(32), nullable=False, index=True),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("pace", sa.String(8), nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("seen_ms", sa.BigInteger, nullable=False),
        sa.Column("table_id", sa.String(16)),
        sa.Column("found_ms", sa.BigInteger),
        sa.Index("seeks_by_kind", "game", "seats", "pace", "rated"),
    )
    op.create_table(
        "evenings",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("title", sa.String(64), nullable=False),
        sa.Column("about", sa.Text, nullable=False),
        sa.Column("begins_ms", sa.BigInteger, nullable=False, index=True),
        sa.Column("minutes", sa.Integer, nullable=False),
        sa.Column("zone", sa.String(64), nullable=False),
        sa.Column("every", sa.String(8), nullable=False),
        sa.Column("ends_ms", sa.BigInteger),
        sa.Column("changed_ms", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "vacations",
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("from_ms", sa.BigInteger, nullable=False),
        sa.Column("to_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("person", "from_ms"),
    )


def _add_people() -> None:
    op.create_table(
        "ties",
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("other", sa.String(32), nullable=False, index=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("person", "other", "kind"),
    )
    op.create_table(
        "reports",
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("reporter", sa.String(32), nullable=False),
        sa.Column("about", sa.String(32), nullable=False, index=True),
        sa.Column("table_id", sa.String(16)),
        sa.Column("lines", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("host", sa.String(32)),
        sa.Column("decided_ms", sa.BigInteger),
        sa.Column("decision", sa.String(8)),
    )


def _add_ratings() -> None:
    op.create_table(
        "ratings",
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("person", "game", "seats"),
        sa.Index("ratings_by_game", "game", "seats", "mu"),
    )
    op.create_table(
        "results",
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("ended_ms", sa.BigInteger, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("gone", sa.Boolean, nullable=False),
        sa.Column("counts", sa.Boolean, nullable=False),
        sa.Column("mu", sa.Double),
        sa.Column("sigma", sa.Double),
        sa.PrimaryKeyConstraint("table_id", "person"),
        sa.Index("results_by_pool", "game", "seats", "ended_ms", "table_id"),
        sa.Index("results_by_person", "person", "game", "seats", "ended_ms"),
    )


def downgrade() -> None:
    for table in ("vacations", "evenings", "seeks", "results", "ratings", "reports", "ties"):
        op.drop_table(table)
    for name in SEAT_COLUMNS:
        op.drop_column("seats", name)
    for name in TABLE_COLUMNS:
        op.drop_column("tables", name)
