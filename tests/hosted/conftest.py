from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import fresh
from tests.cli.driver import Nosis
from tests.hosted.servers import BucketServer, PostgresServer


@pytest.fixture(scope="session")
def bucket_server() -> Iterator[BucketServer]:
    server = BucketServer()
    yield server
    server.stop()


@pytest.fixture
def bucket(bucket_server: BucketServer, monkeypatch: pytest.MonkeyPatch) -> str:
    """Address of an empty place in the bucket; its credentials are in the environment."""
    for name, value in bucket_server.environment.items():
        monkeypatch.setenv(name, value)
    return f"s3://{bucket_server.bucket}/{uuid.uuid4().hex}"


@pytest.fixture
def workspace() -> str:
    """A name that no other test uses."""
    return f"w{uuid.uuid4().hex[:12]}"


@pytest.fixture
def running(postgres: PostgresServer) -> Iterator[PostgresServer]:
    """The server, for tests that stop it; it runs again afterwards."""
    yield postgres
    if not postgres.running:
        postgres.start()


@pytest.fixture
def nosis(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, database_url: str, workspace: str
) -> Nosis:
    """Command lines whose memory is in the database."""
    monkeypatch.setenv("NOSIS_DATABASE_URL", database_url)
    monkeypatch.setenv("NOSIS_WORKSPACE", workspace)
    return fresh(monkeypatch, tmp_path)
