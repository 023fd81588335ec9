"""Steps from one schema of the history to the next, run by Alembic."""
