"""Servers that tests share: started once a run, by the first test that asks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.hosted.servers import PostgresServer


@pytest.fixture(scope="session", autouse=True)
def _processes_as_they_are() -> None:
    """Coverage measures the test processes, not those that tests start: it would load libraries
    into them, and write where they may not."""
    os.environ.pop("COVERAGE_PROCESS_START", None)


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """PostgreSQL with pgvector on loopback: 16, or 18 with NOSIS_TEST_POSTGRES=pginstall18."""
    from tests.hosted.servers import PostgresServer

    server = PostgresServer(os.environ.get("NOSIS_TEST_POSTGRES", "pginstall"))
    yield server
    server.remove()


@pytest.fixture
def database_url(postgres: PostgresServer) -> str:
    """Address of a running server; workspaces in it are told apart by their names."""
    return postgres.url
