"""The first schema."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from chautari.models import Utc

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go to this schema."""
    op.create_table(
        "boards",
        sa.Column("id", sa.String(length=64), nullable=False),
        sa.Column("hardware", sa.Text(), nullable=False),
        sa.Column("first_seen", Utc(), nullable=False),
        sa.Column("last_seen", Utc(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_boards")),
    )
    op.create_table(
        "players",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("folded", sa.Text(), nullable=False),
        sa.Column("added", Utc(), nullable=False),
        sa.CheckConstraint("id > 0 and id < 4294967296", name=op.f("ck_players_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_players")),
    )
    op.create_index(op.f("ix_players_folded"), "players", ["folded"])

    op.create_table(
        "profiles",
        sa.Column("folded", sa.String(length=200), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("values", sa.JSON(), nullable=False),
        sa.Column("saved", Utc(), nullable=False),
        sa.PrimaryKeyConstraint("folded", name=op.f("pk_profiles")),
    )
    op.create_table(
        "journals",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("board_id", sa.String(length=64), nullable=False),
        sa.Column("journal_id", sa.String(length=64), nullable=False),
        sa.Column("first_seen", Utc(), nullable=False),
        sa.Column("in_order", sa.BigInteger(), nullable=False),
        sa.Column("dirty_from", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["board_id"], ["boards.id"], name=op.f("fk_journals_board_id_boards")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_journals")),
        sa.UniqueConstraint("board_id", "journal_id", name=op.f("uq_journals_board_id")),
    )
    op.create_table(
        "seat_names",
        sa.Column("board_id", sa.String(length=64), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("player", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["board_id"], ["boards.id"], name=op.f("fk_seat_names_board_id_boards")),
        sa.PrimaryKeyConstraint("board_id", "seat", name=op.f("pk_seat_names")),
    )
    op.create_table(
        "announcements",
        sa.Column("journal", sa.Integer(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("ms", sa.BigInteger(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("what", sa.Integer(), nullable=False),
        sa.Column("arg", sa.BigInteger(), nullable=False),
        sa.Column("received", Utc(), nullable=False),
        sa.CheckConstraint("number > 0", name=op.f("ck_announcements_number")),
        sa.ForeignKeyConstraint(["journal"], ["journals.id"], name=op.f("fk_announcements_journal_journals")),
        sa.PrimaryKeyConstraint("journal", "number", name=op.f("pk_announcements")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "announcements_aside",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("journal", sa.Integer(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("ms", sa.BigInteger(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("what", sa.Integer(), nullable=False),
        sa.Column("arg", sa.BigInteger(), nullable=False),
        sa.Column("received", Utc(), nullable=False),
        sa.ForeignKeyConstraint(
            ["journal"], ["journals.id"], name=op.f("fk_announcements_aside_journal_journals")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_announcements_aside")),
        sa.UniqueConstraint(
            "journal", "number", "ms", "seat", "what", "arg", name=op.f("uq_announcements_aside_journal")
        ),
    )
    op.create_table(
        "boots",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("journal", sa.Integer(), nullable=False),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=True),
        sa.Column("started", Utc(), nullable=True),
        sa.Column("zone", sa.String(length=64), nullable=False),
        sa.Column("how", sa.String(length=8), nullable=False),
        sa.Column("first_received", Utc(), nullable=True),
        sa.Column("seen", Utc(), nullable=True),
        sa.CheckConstraint("how in ('', 'link', 'hand')", name=op.f("ck_boots_how")),
        sa.ForeignKeyConstraint(["journal"], ["journals.id"], name=op.f("fk_boots_journal_journals")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_boots")),
    )
    op.create_index(op.f("ix_boots_journal"), "boots", ["journal"])

    op.create_table(
        "differences",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("journal", sa.Integer(), nullable=False),
        sa.Column("match_number", sa.BigInteger(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("stored", sa.Text(), nullable=False),
        sa.Column("derived", sa.Text(), nullable=False),
        sa.Column("engine", sa.String(length=32), nullable=False),
        sa.Column("found", Utc(), nullable=False),
        sa.ForeignKeyConstraint(["journal"], ["journals.id"], name=op.f("fk_differences_journal_journals")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_differences")),
        sa.UniqueConstraint(
            "journal", "number", "kind", "stored", "derived", name=op.f("uq_differences_journal")
        ),
    )
    op.create_table(
        "house_rules",
        sa.Column("journal", sa.Integer(), nullable=False),
        sa.Column("match_number", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["journal"], ["journals.id"], name=op.f("fk_house_rules_journal_journals")),
        sa.PrimaryKeyConstraint("journal", "match_number", "name", name=op.f("pk_house_rules")),
    )
    op.create_table(
        "matches",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("journal", sa.Integer(), nullable=False),
        sa.Column("first_number", sa.BigInteger(), nullable=False),
        sa.Column("last_number", sa.BigInteger(), nullable=False),
        sa.Column("start_number", sa.BigInteger(), nullable=False),
        sa.Column("last_play", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("winner", sa.Integer(), nullable=False),
        sa.Column("refused", sa.Integer(), nullable=False),
        sa.Column("missing", sa.Boolean(), nullable=False),
        sa.Column("engine", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(["journal"], ["journals.id"], name=op.f("fk_matches_journal_journals")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_matches")),
        sa.UniqueConstraint("journal", "first_number", name=op.f("uq_matches_journal")),
    )
    op.create_table(
        "facts",
        sa.Column("journal", sa.Integer(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("match_number", sa.BigInteger(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("winner", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("standing", sa.Boolean(), nullable=False),
        sa.Column("engine", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(
            ["journal", "number"],
            ["announcements.journal", "announcements.number"],
            name=op.f("fk_facts_journal_announcements"),
        ),
        sa.PrimaryKeyConstraint("journal", "number", name=op.f("pk_facts")),
    )
    op.create_index(op.f("ix_facts_match_number"), "facts", ["match_number"])

    op.create_table(
        "match_seats",
        sa.Column("match", sa.Integer(), nullable=False),
        sa.Column("chair", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("score", sa.Integer(), nullable=False),
        sa.Column("clock_ms", sa.BigInteger(), nullable=False),
        sa.Column("present", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name=op.f("fk_match_seats_match_matches")),
        sa.PrimaryKeyConstraint("match", "chair", name=op.f("pk_match_seats")),
    )
    op.create_table(
        "fact_scores",
        sa.Column("journal", sa.Integer(), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("chair", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player", sa.BigInteger(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["journal", "number"],
            ["facts.journal", "facts.number"],
            name=op.f("fk_fact_scores_journal_facts"),
        ),
        sa.PrimaryKeyConstraint("journal", "number", "chair", name=op.f("pk_fact_scores")),
    )


def downgrade() -> None:
    """Go back to the schema before."""
    op.drop_table("fact_scores")
    op.drop_table("match_seats")
    op.drop_index(op.f("ix_facts_match_number"), "facts")

    op.drop_table("facts")
    op.drop_table("matches")
    op.drop_table("house_rules")
    op.drop_table("differences")
    op.drop_index(op.f("ix_boots_journal"), "boots")

    op.drop_table("boots")
    op.drop_table("announcements_aside")
    op.drop_table("announcements")
    op.drop_table("seat_names")
    op.drop_table("journals")
    op.drop_table("profiles")
    op.drop_index(op.f("ix_players_folded"), "players")

    op.drop_table("players")
    op.drop_table("boards")
