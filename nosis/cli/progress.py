"""Progress of long work on stderr: a bar on a terminal, a line each tenth elsewhere."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Self

WIDTH = 30
STEPS = 10  # lines from begin to end where stderr is no terminal


class Bar:
    """Shows nothing until there is something to show; safe to call from any thread."""

    def __init__(self) -> None:
        self._terminal = sys.stderr is not None and sys.stderr.isatty()
        self._what = ""
        self._step = -1
        self._open = False

    def update(self, what: str, done: int, total: int) -> None:
        """``done`` of ``total`` is reached."""
        if sys.stderr is None or total < 2:  # too short to be worth a line
            return
        if what != self._what:
            self.close()
            self._what, self._step = what, -1
        share = min(done / total, 1.0)
        step = int(share * (100 if self._terminal else STEPS))
        if step == self._step:
            return
        self._step = step
        if self._terminal:
            bar = "#" * int(share * WIDTH)
            sys.stderr.write(f"\r{what}: [{bar:<{WIDTH}}] {share:4.0%} ({done}/{total})")
            self._open = True
        else:
            sys.stderr.write(f"{what}: {share:.0%} ({done}/{total})\n")
        sys.stderr.flush()

    def close(self) -> None:
        """End the bar's line."""
        if self._open:
            sys.stderr.write("\n")
            self._open = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
