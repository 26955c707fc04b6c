"""Add analyses of games with their progress, and people's answers to problems."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "analyses",
        sa.Column("table_id", sa.String(16), primary_key=True),
        sa.Column("claimed_ms", sa.BigInteger, nullable=False),
        sa.Column("done", sa.Integer, nullable=False),
        sa.Column("plies", sa.Integer, nullable=False),
        sa.Column("problem", sa.Text),
        sa.Column("made_ms", sa.BigInteger),
        sa.Column("body", sa.LargeBinary),
    )
    op.create_table(
        "answers",
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("problem", sa.String(16), nullable=False),
        sa.Column("at_once", sa.Boolean, nullable=False),
        sa.Column("solved", sa.Boolean, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("person", "game", "problem"),
    )


def downgrade() -> None:
    op.drop_table("answers")
    op.drop_table("analyses")
