"""Writing what a person asked to have in a file, or on stdout."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from nosis.cli import output
from nosis.errors import UsageError


def write(lines: Iterable[str], target: str | None) -> None:
    """Write text to a new file that only its owner can read; None is stdout.

    Raises:
        UsageError: the file exists, or cannot be written.
    """
    if target is None:
        for line in lines:
            output.text(line)
        return
    path = Path(target)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.writelines(lines)
    except FileExistsError:
        raise UsageError(
            f"{target} exists already", "Choose another name, or remove it first."
        ) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(
            f"cannot write {target}: {reason}", "Choose a file in a folder you can write to."
        ) from None
    output.note(f"written: {target}")
