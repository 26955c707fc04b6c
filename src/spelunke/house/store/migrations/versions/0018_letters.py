"""Add each person's choice of the letters on playing cards, for example English letters (K, Q, J)."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("notification_choices", sa.Column("letters", sa.String(8)))


def downgrade() -> None:
    op.drop_column("notification_choices", "letters")
