"""Mark the placeholders for deleted accounts, and call off the tournaments that nobody can begin any more.

In games, a placeholder stands for the person who had the account. Earlier versions recognised placeholders only by
the name "somebody who left", which anybody can choose. A person with this name is not marked if they have logged in,
written in a chat, or answered a problem.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("people", sa.Column("gone", sa.Boolean))
    people = sa.table("people", *map(sa.column, ("id", "name")), sa.column("gone", sa.Boolean))
    own = (sa.table(name, sa.column("person")) for name in ("answers", "chat", "devices", "members"))
    idle = (~sa.exists().where(table.c.person == people.c.id) for table in own)
    op.execute(sa.update(people).where(people.c.name == "somebody who left", *idle).values(gone=True))
    events = sa.table("events", *map(sa.column, ("host", "status", "begins_ms", "made_ms", "ended_ms")))
    # Some versions kept the id of a deleted account, which is not in `people`.
    hosts = sa.select(people.c.id).where(people.c.gone.is_(None))
    stuck = (events.c.status == "open", events.c.begins_ms.is_(None), events.c.host.not_in(hosts))
    op.execute(sa.update(events).where(*stuck).values(status="off", ended_ms=events.c.made_ms))


def downgrade() -> None:
    op.drop_column("people", "gone")
