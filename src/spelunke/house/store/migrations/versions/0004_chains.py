"""Add the hash chain of the log, and store commitments to nonces.

Existing rows get no hash. The hash of the next new row covers them.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("moves", sa.Column("link", sa.String(64)))
    op.add_column("seats", sa.Column("nonce_commitment", sa.String(64)))
    op.add_column("tables", sa.Column("closed_ms", sa.BigInteger))


def downgrade() -> None:
    op.drop_column("tables", "closed_ms")
    op.drop_column("seats", "nonce_commitment")
    op.drop_column("moves", "link")
