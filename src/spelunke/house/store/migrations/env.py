"""The module that Alembic runs to migrate the database.

`spelunke.house.store.engine.migrate` opens the connection.
"""

from __future__ import annotations

from alembic import context

from spelunke.house.store.schema import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
