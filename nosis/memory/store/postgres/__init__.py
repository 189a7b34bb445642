"""The hosted store: one contract with the local one, in a PostgreSQL database with pgvector."""

from __future__ import annotations

from nosis.memory.store.postgres.store import PostgresStore

__all__ = ["PostgresStore"]
