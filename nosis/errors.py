"""Every error nosis raises on purpose, and the exit code each one maps to.

::

    NosisError
    ├── UsageError        2    a flag, setting, name or value that cannot work
    ├── StorageError      2    files that cannot be read, written or understood
    │   ├── ReadOnlyError 2    memory can be read but not written
    │   └── UnreachableError 3 the server that holds the memory cannot serve now
    └── ModelError        1    the model answered with something unusable
        ├── NetworkError  3    no answer at all
        └── ModelTimeout  4    no complete answer in time

Foreign exceptions are translated where they enter (the SDK in ``models``, SQLite and
Chroma in ``memory.store``), so callers catch these and nothing else.
"""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """Process exit codes of every command."""

    OK = 0
    MODEL = 1
    USAGE = 2
    NETWORK = 3
    TIMEOUT = 4
    INTERRUPTED = 130


class NosisError(Exception):
    """A failure with one clear message and one hint that names the fix."""

    exit_code = ExitCode.MODEL

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(NosisError):
    """A flag, setting, name or value that cannot work as given."""

    exit_code = ExitCode.USAGE


class StorageError(NosisError):
    """Files of a workspace that cannot be read, written or understood."""

    exit_code = ExitCode.USAGE


class ReadOnlyError(StorageError):
    """Memory that can be read but not written; a chat goes on without learning."""


def opened_read_only(workspace: str) -> ReadOnlyError:
    """The refusal of a write in a workspace that was opened to be read."""
    return ReadOnlyError(
        f"the workspace {workspace!r} is read-only here",
        "Leave out --read-only (NOSIS_READ_ONLY) to change it.",
    )


class UnreachableError(StorageError):
    """The server that holds the memory does not answer, or has no room, for now; a chat goes on
    and learns later."""

    exit_code = ExitCode.NETWORK


class ModelError(NosisError):
    """The model, or the server in front of it, answered with something unusable."""

    exit_code = ExitCode.MODEL


class NetworkError(ModelError):
    """The server could not be reached or dropped the connection."""

    exit_code = ExitCode.NETWORK


class ModelTimeout(ModelError):
    """The model did not finish within the allowed seconds."""

    exit_code = ExitCode.TIMEOUT
