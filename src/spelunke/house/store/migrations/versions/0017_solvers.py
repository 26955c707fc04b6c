"""Add ratings of problems and of people who solve problems, and a person's choice not to be shown as online."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "problem_ratings",
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("problem", sa.String(16), nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("solved", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("game", "problem"),
    )
    op.create_table(
        "solvers",
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("streak", sa.Integer, nullable=False),
        sa.Column("longest", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("person", "game"),
    )
    op.add_column("profiles", sa.Column("offline", sa.Boolean))


def downgrade() -> None:
    op.drop_column("profiles", "offline")
    for table in ("solvers", "problem_ratings"):
        op.drop_table(table)
