"""Store how each game ended, and which summaries of rounds each player has seen.

If a game begins from a position of another game, this position is stored too. If a game ended before this
migration, its ending is stored when a list first shows the game.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("seats", sa.Column("attention", sa.Text))
    op.add_column("tables", sa.Column("outcome", sa.Text))
    op.add_column("tables", sa.Column("origin", sa.Text))


def downgrade() -> None:
    op.drop_column("tables", "origin")
    op.drop_column("tables", "outcome")
    op.drop_column("seats", "attention")
