"""Add the newest reaction of each seat."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("seats", sa.Column("reaction", sa.String(16), nullable=True))
    op.add_column("seats", sa.Column("reaction_ms", sa.BigInteger, nullable=True))


def downgrade() -> None:
    for column in ("reaction_ms", "reaction"):
        op.drop_column("seats", column)
