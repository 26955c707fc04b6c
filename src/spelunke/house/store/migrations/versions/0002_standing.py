"""Add a column that counts the changes of a seat's standing orders.

With this counter, all open pages of the seat's person notice new orders.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("seats", sa.Column("standing_rev", sa.Integer, nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("seats", "standing_rev")
