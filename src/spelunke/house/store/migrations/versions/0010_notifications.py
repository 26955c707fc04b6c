"""Add notifications, channels, deliveries, people's settings for notifications, and queues of messages and e-mails.

A worker of the previous version can still run, because the database only gets new tables. Such a worker notifies
nobody.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "notifications",
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("table_id", sa.String(16), nullable=False, index=True),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("by_name", sa.String(64)),
        sa.Column("live", sa.Boolean, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("read_ms", sa.BigInteger),
        sa.PrimaryKeyConstraint("person", "kind", "table_id"),
    )
    op.create_table(
        "channels",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("person", sa.String(32), nullable=False, index=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("address_key", sa.String(64), nullable=False, index=True),
        sa.Column("details", sa.Text, nullable=False),
        sa.Column("label", sa.String(64), nullable=False),
        sa.Column("stop", sa.String(64), nullable=False, unique=True),
        sa.Column("created_ms", sa.BigInteger, nullable=False),
        sa.Column("confirmed_ms", sa.BigInteger),
        sa.Column("stopped_ms", sa.BigInteger),
        sa.Column("sent_ms", sa.BigInteger),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("next_ms", sa.BigInteger),
        sa.Column("problem", sa.Text),
        sa.Column("ended_ms", sa.BigInteger),
    )
    op.create_table(
        "deliveries",
        sa.Column("channel", sa.String(16), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("table_id", sa.String(16), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("sent_ms", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("channel", "kind", "table_id"),
    )
    op.create_table(
        "notification_choices",
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("off", sa.Text, nullable=False),
        sa.Column("zone", sa.String(64), nullable=False),
        sa.Column("quiet_from", sa.Integer),
        sa.Column("quiet_to", sa.Integer),
        sa.Column("language", sa.String(16), nullable=False),
    )
    op.create_table(
        "outbox",
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False, index=True),
        sa.Column("claimed_ms", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "letters",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("channel", sa.String(16)),
        sa.Column("language", sa.String(16), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False, index=True),
        sa.Column("ends_ms", sa.BigInteger, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("claimed_ms", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    for table in ("letters", "outbox", "notification_choices", "deliveries", "channels", "notifications"):
        op.drop_table(table)
