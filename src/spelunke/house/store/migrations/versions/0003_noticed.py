"""Store the time at which spectators last noticed something at a table.

Lists are sorted by this time, so secret actions don't change their order. If a game runs during the
migration, the time is stored when spectators next notice something. Until then, lists use the start of the game.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("noticed_ms", sa.BigInteger))


def downgrade() -> None:
    op.drop_column("tables", "noticed_ms")
