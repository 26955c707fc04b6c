"""What people choose for all their tables (a figure, its colour, a coach), and the newest reaction of each seat."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("people", sa.Column("figure", sa.String(16), nullable=True))
    op.add_column("people", sa.Column("colour", sa.String(16), nullable=True))
    op.add_column("people", sa.Column("coached", sa.Boolean, nullable=True))
    op.add_column("seats", sa.Column("reaction", sa.String(16), nullable=True))
    op.add_column("seats", sa.Column("reaction_ms", sa.BigInteger, nullable=True))


def downgrade() -> None:
    for column in ("reaction_ms", "reaction"):
        op.drop_column("seats", column)
    for column in ("coached", "colour", "figure"):
        op.drop_column("people", column)
