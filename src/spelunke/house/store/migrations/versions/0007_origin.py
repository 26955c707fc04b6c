"""A game may begin from a position: where it comes from is kept beside its table."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("origin", sa.Text))


def downgrade() -> None:
    op.drop_column("tables", "origin")
