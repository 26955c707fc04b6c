"""Hide the tables of games of the day from all but their players until the day is over. Index all hidden tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    tables = sa.table("tables", sa.column("id"), sa.column("players_only", sa.Boolean))
    seeds = sa.table("seeds", *map(sa.column, ("event", "reveal_ms")))
    plays = sa.table("day_plays", *map(sa.column, ("game", "day", "table_id", "began_ms")))
    # Select the days that were not over when the newest game of a day began. If such a day is over by now, the server
    # lets everybody see its tables after the next start.
    newest = sa.select(sa.func.max(plays.c.began_ms)).scalar_subquery()
    running = (
        sa.select(plays.c.table_id)
        .join(seeds, seeds.c.event == "day:" + plays.c.game + ":" + plays.c.day)
        .where(seeds.c.reveal_ms > newest)
    )
    op.execute(sa.update(tables).where(tables.c.id.in_(running)).values(players_only=True))
    marked = tables.c.players_only.is_(True)
    op.create_index("tables_for_players", "tables", ["id"], sqlite_where=marked, postgresql_where=marked)


def downgrade() -> None:
    op.drop_index("tables_for_players", "tables")
