"""Pages in S3-compatible storage: daily logs as objects that are created and never changed.

Lines are gathered in a private file first (``outgoing/DAY.md``), so that a turn waits for no
bucket and nothing is lost where one cannot be reached. A flush renames that file to a segment
with a name of its own and uploads it under that name, only if no such object exists: a segment
that is uploaded again after a crash is there once. MEMORY.md, which is made anew each time, is
the one object that is replaced.
"""

from __future__ import annotations

import os
import re
import secrets
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nosis.errors import StorageError, UsageError
from nosis.memory import digest
from nosis.memory.home import make_private
from nosis.memory.store.lock import WorkspaceLock
from nosis.memory.text import neutralise
from nosis.memory.times import day as day_of

if TYPE_CHECKING:
    from obstore.store import ObjectStore

FULL = 64_000  # bytes of gathered lines that are a segment's worth
_TIMEOUT = "10s"
_RETRIES: Any = {
    "max_retries": 3,
    "retry_timeout": timedelta(seconds=10),
    "backoff": {
        "init_backoff": timedelta(milliseconds=100),
        "max_backoff": timedelta(seconds=2),
        "base": 2,
    },
}
_PASSWORD = re.compile(r"(?<=://)[^/@\s]+@")


class BucketPages:
    """The pages of one workspace in a bucket.

    Args:
        url: ``s3://BUCKET/PREFIX``; credentials and endpoint come from the environment's
            ``AWS_…`` variables, a web identity, or the machine's or container's role.
        workspace: its name, the folder below the prefix.
        folder: a private folder for lines that are not uploaded yet.

    Raises:
        UsageError: the address cannot work.
    """

    def __init__(self, url: str, workspace: str, folder: Path) -> None:
        self.notices: list[str] = []
        self.place = _PASSWORD.sub("…@", url).rstrip("/")
        self._prefix = workspace
        self._outgoing = folder / "outgoing"
        make_private(self._outgoing)
        self._lock = WorkspaceLock(self._outgoing / ".lock")
        self._bucket = _opened(url)
        with suppress(StorageError):  # what another process had to leave
            self._upload()

    def append(self, now: float, agent: str, session: str | None, lines: Iterable[str]) -> None:
        """Add lines to the log of the day; uploaded when they are many, on the next day, or when
        the workspace is closed."""
        text = digest.log_lines(now, agent, session, lines)
        if not text:
            return
        path = self._outgoing / f"{day_of(now)}.md"
        with self._lock.held():
            handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            due = [p for p in self._gathered() if p != path or p.stat().st_size >= FULL]
        if due:
            self._deliver(due)

    def log(self, day: str) -> str:
        """The log of a day: what is in the bucket, and what is still here."""
        digest.check_day(day)
        parts = [text for _, text in self._segments(day)]
        with self._lock.held():
            waiting = [*sorted(self._outgoing.glob(f"{day}_*.segment")), *self._gathered()]
            parts += [p.read_text("utf-8") for p in waiting if p.name.startswith(day)]
        # Segments of several processes overlap in time; every line begins with its own.
        lines = sorted("".join(parts).splitlines(keepends=True), key=lambda line: line[:10])
        return f"# {day}\n\n{''.join(lines)}" if lines else ""

    def write_page(self, text: str) -> None:
        """Replace MEMORY.md."""
        try:
            self._put(f"{self._prefix}/{digest.PAGE_NAME}", text.encode(), replace=True)
        except StorageError as error:
            self.notices.append(f"MEMORY.md is not up to date: {error.message}")

    def remove(self, texts: Collection[str]) -> None:
        """Write segments that hold purged texts anew without their lines, and delete the old."""
        self._deliver(self._gathered())
        needles = [neutralise(text) for text in texts]
        for key, content in self._segments(None):
            lines = content.splitlines(keepends=True)
            kept = "".join(line for line in lines if not any(n in line for n in needles))
            if kept != content:
                if kept:
                    self._put(f"{key.removesuffix('.md')}-{secrets.token_hex(3)}.md", kept.encode())
                self._delete(key)

    def close(self) -> None:
        """Upload everything; what cannot be uploaded now goes with the next process."""
        self._deliver(self._gathered())

    def check(self) -> str:
        """What doctor shows: whether the bucket can be read, and how fast.

        Raises:
            StorageError: it cannot.
        """
        begun = time.perf_counter()
        next(self._keys(f"{self._prefix}/"), None)
        waiting = len(self._gathered()) + len(list(self._outgoing.glob("*.segment")))
        spent = (time.perf_counter() - begun) * 1000
        return f"{self.place} answered in {spent:.0f} ms; {waiting} segments not uploaded yet"

    def _gathered(self) -> list[Path]:
        return sorted(self._outgoing.glob("????-??-??.md"))

    def _deliver(self, gathered: Iterable[Path]) -> None:
        with self._lock.held():
            for path in gathered:
                stamp = f"{time.time():.3f}-{secrets.token_hex(4)}"
                with suppress(FileNotFoundError):  # another process was faster
                    path.rename(path.with_name(f"{path.stem}_{stamp}.segment"))
        try:
            self._upload()
        except StorageError as error:
            self.notices.append(f"{error.message}: the log is kept here and delivered later")

    def _upload(self) -> None:
        for path in sorted(self._outgoing.glob("*.segment")):
            day, _, stamp = path.stem.partition("_")
            with suppress(FileNotFoundError):
                self._put(f"{self._prefix}/logs/{day}/{stamp}.md", path.read_bytes())
                path.unlink()

    def _segments(self, day: str | None) -> Iterator[tuple[str, str]]:
        """(key, text) of the uploaded segments of a day, or of all, oldest first."""
        import obstore

        folder = f"{self._prefix}/logs/" + (f"{day}/" if day else "")
        for key in sorted(self._keys(folder)):
            with self._translated(), suppress(FileNotFoundError):
                yield key, bytes(obstore.get(self._bucket, key).bytes()).decode("utf-8", "replace")

    def _keys(self, folder: str) -> Iterator[str]:
        import obstore

        with self._translated():
            for page in obstore.list(self._bucket, folder):
                yield from (str(item["path"]) for item in page)

    def _put(self, key: str, data: bytes, *, replace: bool = False) -> None:
        import obstore
        from obstore.exceptions import AlreadyExistsError

        with self._translated(), suppress(AlreadyExistsError):
            obstore.put(self._bucket, key, data, mode="overwrite" if replace else "create")

    def _delete(self, key: str) -> None:
        import obstore

        with self._translated():
            obstore.delete(self._bucket, key)

    @contextmanager
    def _translated(self) -> Iterator[None]:
        from obstore.exceptions import BaseError, PermissionDeniedError, UnauthenticatedError

        try:
            yield
        except (PermissionDeniedError, UnauthenticatedError) as error:
            raise StorageError(
                f"the bucket {self.place} refuses these credentials",
                "Check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and the role's permissions.",
            ) from error
        except BaseError as error:
            reason = str(error).partition("\n")[0]
            if "NoSuchBucket" in str(error):
                reason = "there is no such bucket"
            raise StorageError(
                f"the bucket {self.place} does not answer: {reason}",
                "Check NOSIS_LOG_URL, AWS_ENDPOINT_URL and AWS_REGION. See: nosis doctor",
            ) from error


def _opened(url: str) -> ObjectStore:
    from obstore.exceptions import BaseError
    from obstore.store import from_url

    if not url.startswith("s3://"):
        raise UsageError(
            f"NOSIS_LOG_URL is not an S3 address: {_PASSWORD.sub('…@', url)!r}",
            "Write it as s3://BUCKET or s3://BUCKET/PREFIX.",
        )
    endpoint = os.environ.get("AWS_ENDPOINT_URL") or os.environ.get("AWS_ENDPOINT") or ""
    options: Any = {"timeout": _TIMEOUT, "connect_timeout": "4s"}
    if endpoint.startswith("http://"):
        options["allow_http"] = True
    try:
        return from_url(url.rstrip("/"), client_options=options, retry_config=_RETRIES)
    except BaseError as error:
        raise UsageError(
            f"NOSIS_LOG_URL cannot be used: {str(error).partition(chr(10))[0]}",
            "Write it as s3://BUCKET or s3://BUCKET/PREFIX.",
        ) from None
