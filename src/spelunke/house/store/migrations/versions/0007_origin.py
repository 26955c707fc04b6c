"""A game may begin from a position, which is kept beside its table; and how a game ended is stored for lists of games.

Games that ended before get their ending when they are first listed.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("outcome", sa.Text))
    op.add_column("tables", sa.Column("origin", sa.Text))


def downgrade() -> None:
    op.drop_column("tables", "origin")
    op.drop_column("tables", "outcome")
