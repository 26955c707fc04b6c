"""Add a column that marks game tables which only their own players may see.

Such a table has the same cards or dice as other tables at which people still play.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("players_only", sa.Boolean))
    tables = sa.table("tables", sa.column("id"), sa.column("players_only", sa.Boolean))
    events = sa.table("events", *map(sa.column, ("id", "status", "round", "plan")))
    event_tables = sa.table("event_tables", *map(sa.column, ("event", "round", "table_id")))
    # The rounds that are being played. An event opens the tables of a round that is over at its next check.
    shared = (
        sa.select(event_tables.c.table_id)
        .join(events, sa.and_(events.c.id == event_tables.c.event, events.c.round == event_tables.c.round))
        .where(events.c.status == "running", events.c.plan.like('%"duplicate":true%'))
        .where(event_tables.c.table_id.is_not(None))
    )
    op.execute(sa.update(tables).where(tables.c.id.in_(shared)).values(players_only=True))


def downgrade() -> None:
    op.drop_column("tables", "players_only")
