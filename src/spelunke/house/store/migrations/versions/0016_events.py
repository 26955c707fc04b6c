"""Add events (such as tournaments), and problems from people's own games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015p"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "events",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("host", sa.String(32), nullable=False),
        sa.Column("plan", sa.Text, nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("rounds", sa.Integer, nullable=False),
        sa.Column("begins_ms", sa.BigInteger),
        sa.Column("ends_ms", sa.BigInteger),
        sa.Column("paused_ms", sa.BigInteger),
        sa.Column("made_ms", sa.BigInteger, nullable=False),
        sa.Column("ended_ms", sa.BigInteger),
        sa.Column("season", sa.Integer, nullable=False),
        sa.Column("next_season", sa.String(16)),
        sa.Column("rev", sa.Integer, nullable=False, server_default="0"),
    )
    op.create_index("events_by_status", "events", ["status", "begins_ms"])
    op.create_table(
        "event_players",
        sa.Column("event", sa.String(16), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("person", sa.String(32)),
        sa.Column("level", sa.String(64)),
        sa.Column("since", sa.Integer, nullable=False),
        sa.Column("until", sa.Integer),
        sa.Column("division", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("event", "number"),
    )
    op.create_index("event_players_by_person", "event_players", ["person"])
    op.create_table(
        "event_tables",
        sa.Column("event", sa.String(16), nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("table_id", sa.String(16)),
        sa.Column("players", sa.Text, nullable=False),
        sa.Column("ranks", sa.Text),
        sa.Column("leads", sa.Text),
        sa.PrimaryKeyConstraint("event", "round", "number"),
    )
    op.create_index("event_tables_by_table", "event_tables", ["table_id"])
    op.create_table(
        "own_problems",
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("ply", sa.Integer, nullable=False),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("theme", sa.String(64), nullable=False),
        sa.Column("cost", sa.Float, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("box", sa.Integer, nullable=False),
        sa.Column("due_ms", sa.BigInteger, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("made_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("person", "table_id", "ply"),
    )
    op.create_index("own_problems_due", "own_problems", ["person", "due_ms"])


def downgrade() -> None:
    for table in ("own_problems", "event_tables", "event_players", "events"):
        op.drop_table(table)
