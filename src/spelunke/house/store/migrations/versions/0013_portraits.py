"""Add a person's choices for all their game tables: a portrait, and whether the coach advises without a request."""

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


def downgrade() -> None:
    for column in ("coached", "colour", "figure"):
        op.drop_column("people", column)
