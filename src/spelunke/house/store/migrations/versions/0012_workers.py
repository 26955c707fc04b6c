"""Add a list of the workers with their heartbeats.

From this list, each worker computes the game tables that it owns.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "workers",
        sa.Column("id", sa.String(16), primary_key=True),
        sa.Column("name", sa.String(255), nullable=False),
        sa.Column("socket", sa.String(255), nullable=False),
        sa.Column("since_ms", sa.BigInteger, nullable=False),
        sa.Column("beat_ms", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("workers")
