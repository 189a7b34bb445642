"""What a person sees of an answer while lines are taken out of it."""

from __future__ import annotations


class Visible:
    """Collects visible text; keeps blank lines back until text follows, so that none pile up
    where lines were taken out and none remain at either end."""

    def __init__(self) -> None:
        self._shown: list[str] = []
        self._fresh: list[str] = []
        self._started = False
        self._gap: list[str] = []
        self._ends = 0  # line ends in the gap
        self._before: tuple[int, list[str]] = (0, [])  # the gap before the lines taken out

    @property
    def text(self) -> str:
        """All that ``take`` has returned."""
        return "".join(self._shown)

    def show(self, text: str) -> None:
        """Text of a line that is not blank, or a piece of it."""
        if not text:
            return
        if self._started:
            ends, before = self._before
            self._fresh += before if ends >= self._ends else self._gap
        self._gap, self._ends, self._before = [], 0, (0, [])
        self._fresh.append(text)
        self._started = True

    def end_line(self, end: str, blank: str = "") -> None:
        """The line is over; ``blank`` is the white space of a line that held nothing else."""
        self._gap += blank, end
        self._ends += 1

    def hole(self, end: str) -> None:
        """A line was taken out: of the gaps before and after it only the larger remains."""
        if self._ends > self._before[0]:
            self._before = self._ends, self._gap
        self._gap, self._ends = [end], 1

    def take(self) -> str:
        """What became visible since the last call."""
        fresh = "".join(self._fresh)
        self._fresh.clear()
        self._shown.append(fresh)
        return fresh
