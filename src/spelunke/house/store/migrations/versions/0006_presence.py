"""Add columns for presence, reminders, rematches, agreements to call a game off, and repeated messages.

Each seat gets the time at which its person was last present, and the time and sender of the last reminder. It also
gets the person for whom it is reserved in a rematch, and the time at which its person agreed to call the game off.
Each chat message gets a key, so that a repeated message is not stored twice.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0004"
branch_labels = None
depends_on = None

NEW = (
    ("kept", sa.String(32)),
    ("seen_ms", sa.BigInteger),
    ("nudged_ms", sa.BigInteger),
    ("nudged_by", sa.Integer),
    ("call_off_ms", sa.BigInteger),
)


def upgrade() -> None:
    for name, kind in NEW:
        op.add_column("seats", sa.Column(name, kind))
    op.add_column("chat", sa.Column("key", sa.String(64)))


def downgrade() -> None:
    op.drop_column("chat", "key")
    for name, _kind in NEW:
        op.drop_column("seats", name)
