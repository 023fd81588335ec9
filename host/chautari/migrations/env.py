"""Run by Alembic; chautari.database hands over the connection and its transaction."""

from __future__ import annotations

from alembic import context

from chautari.models import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
    compare_type=True,
)
context.run_migrations()
