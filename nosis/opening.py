"""Settings to a workspace: the one place that decides which store and embedder serve."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from nosis.errors import UnreachableError, UsageError
from nosis.settings import Settings

if TYPE_CHECKING:
    from nosis.memory import Memory
    from nosis.memory.embedding import Embedder
    from nosis.memory.pages import Pages
    from nosis.memory.store import Progress, Store

_EMBEDDING_SECONDS = 30.0


def open_memory(settings: Settings, progress: Progress | None = None) -> Memory:
    """The workspace that the settings name, and the one that it inherits from.

    Raises:
        NosisError: its name is not valid, or its files cannot be read; a workspace that is only
            to be read does not exist.
    """
    from nosis.memory import Memory, home

    name = home.check_name(settings.workspace)
    read_only = settings.read_only == "on"
    if settings.inherit == name:
        raise UsageError(f"{name!r} cannot inherit from itself", "Name another one with --inherit.")
    if read_only and name not in list_workspaces(settings):
        raise home.unknown_workspace(name)
    base = _base(settings, progress) if settings.inherit else None
    pages = _bucket(settings, settings.log_url, name) if settings.log_url else None
    store = None
    try:
        if settings.database_url:
            store = _hosted(settings.database_url, name, progress, read_only)
        memory = Memory(
            settings.home,
            settings.workspace,
            agent=settings.agent,
            embedder=_embedder(settings),
            scoring=settings.scoring,
            vector_index=settings.vector_index,
            progress=progress,
            store=store,
            pages=pages,
            read_only=read_only,
            base=base,
        )
        if store and not read_only:
            with suppress(UnreachableError):  # said by the first call that needs it
                memory.deliver()
    except BaseException:
        if store:
            store.close()
        if base:
            base.close()
        raise
    return memory


def _base(settings: Settings, progress: Progress | None) -> Memory:
    """The workspace that ``--inherit`` names, to be read only."""
    from nosis.memory import home

    name = home.check_name(settings.inherit or "")
    if name not in list_workspaces(settings):
        raise home.unknown_workspace(name)
    alone = replace(settings, workspace=name, inherit=None, read_only="on", log_url=None)
    return open_memory(alone, progress)


def list_workspaces(settings: Settings) -> list[str]:
    """Names of the workspaces of the database, or else of the home, sorted."""
    from nosis.memory import home

    if settings.database_url is None:
        return home.list_workspaces(home.find_home(settings.home))
    with _extra("postgres", "NOSIS_DATABASE_URL"):
        from nosis.memory.store.postgres import workspaces

    return workspaces.names(settings.database_url)


def _hosted(url: str, name: str, progress: Progress | None, read_only: bool) -> Store:
    with _extra("postgres", "NOSIS_DATABASE_URL"):
        from nosis.memory.store.postgres import PostgresStore

    return PostgresStore(url, name, progress=progress, read_only=read_only)


def _bucket(settings: Settings, url: str, name: str) -> Pages:
    from nosis.memory import home

    place = home.hosted_folder if settings.database_url else home.workspace_folder
    with _extra("s3", "NOSIS_LOG_URL"):
        import obstore  # noqa: F401

        from nosis.memory.bucket import BucketPages

    return BucketPages(url, name, place(home.find_home(settings.home), name))


@contextmanager
def _extra(name: str, variable: str) -> Iterator[None]:
    """Say which extra is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise UsageError(
            f"{variable} is set, but the package {error.name} is not installed",
            f"Install it with: pip install 'nosis-agent[{name}]'",
        ) from None


def _embedder(settings: Settings) -> Embedder | str:
    if settings.embedding_model is None:
        return "default"
    from nosis.models.embeddings import ServerEmbedder

    model, url, key = settings.embedding_model, settings.base_url, settings.api_key
    return ServerEmbedder(model, url, key, min(settings.timeout, _EMBEDDING_SECONDS))
