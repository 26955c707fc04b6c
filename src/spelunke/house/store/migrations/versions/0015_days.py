"""Add seeds that several game tables share, and the game of the day."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("deal", sa.Text, nullable=True))
    op.create_table(
        "seeds",
        sa.Column("event", sa.String(64), primary_key=True),
        sa.Column("seed", sa.String(64), nullable=False),
        sa.Column("commitment", sa.String(64), nullable=False),
        sa.Column("made_ms", sa.BigInteger, nullable=False),
        sa.Column("begins_ms", sa.BigInteger, nullable=False),
        sa.Column("reveal_ms", sa.BigInteger),
    )
    op.create_table(
        "days",
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("level", sa.String(64), nullable=False),
        sa.Column("deals", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("game", "day"),
    )
    op.create_table(
        "day_plays",
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("person", sa.String(32), nullable=False),
        sa.Column("table_id", sa.String(16), nullable=False, unique=True),
        sa.Column("deal", sa.Integer, nullable=False),
        sa.Column("began_ms", sa.BigInteger, nullable=False),
        sa.Column("ended_ms", sa.BigInteger),
        sa.Column("place", sa.Integer),
        sa.Column("lead", sa.Float),
        sa.Column("without", sa.String(16)),
        sa.PrimaryKeyConstraint("game", "day", "person"),
    )
    op.create_index("day_plays_by_person", "day_plays", ["person", "day"])
    op.create_index("day_plays_by_result", "day_plays", ["game", "day", "deal", "lead"])
    op.create_index("day_plays_open", "day_plays", ["ended_ms"])
    op.create_table(
        "day_choices",
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("deal", sa.Integer, nullable=False),
        sa.Column("spot", sa.String(24), nullable=False),
        sa.Column("move", sa.String(200), nullable=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("game", "day", "deal", "spot", "move"),
    )


def downgrade() -> None:
    for table in ("day_choices", "day_plays", "days", "seeds"):
        op.drop_table(table)
    op.drop_column("tables", "deal")
