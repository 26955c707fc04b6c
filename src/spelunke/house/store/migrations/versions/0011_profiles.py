"""Add profiles, bans, the log of hosts' actions, and reports to members about changes of their logins.

A worker of the previous version can still run, because the database only gets new tables. Such a worker ignores the
new tables. So it admits banned people, until a worker of this version replaces it.
"""

from __future__ import annotations

import secrets

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    profiles = op.create_table(
        "profiles",
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("address", sa.String(16), nullable=False, unique=True),
        sa.Column("shown", sa.String(10)),
    )
    # Pages of existing members are visible to their opponents, so they need an address now. Guests get theirs on first
    # use, and so do people who sign up at a worker of the previous version.
    known = op.get_bind().execute(sa.text("select person from members")).scalars().all()
    op.bulk_insert(profiles, [{"person": one, "address": secrets.token_urlsafe(12)} for one in known])
    op.create_table(
        "bans",
        sa.Column("person", sa.String(32), primary_key=True),
        sa.Column("since_ms", sa.BigInteger, nullable=False),
        sa.Column("until_ms", sa.BigInteger),
    )
    op.create_table(
        "house_log",
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("host", sa.String(32), nullable=False),
        sa.Column("what", sa.String(16), nullable=False),
        sa.Column("whom", sa.String(32)),
        sa.Column("about", sa.Text, nullable=False),
    )
    op.create_table(
        "key_changes",
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("person", sa.String(32), nullable=False, index=True),
        sa.Column("what", sa.String(16), nullable=False),
        sa.Column("label", sa.String(64), nullable=False),
        sa.Column("device", sa.String(32)),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.Boolean, nullable=False),
    )


def downgrade() -> None:
    for table in ("key_changes", "house_log", "bans", "profiles"):
        op.drop_table(table)
