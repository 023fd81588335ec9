"""Matches know whether they were practice."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this schema. Journals in which practice was said are derived anew."""
    op.add_column("matches", sa.Column("practice", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.execute(
        "update journals set dirty_from = 1 where id in (select journal from announcements where what = 19)"
    )


def downgrade() -> None:
    """Go back to the schema before."""
    op.drop_column("matches", "practice")
