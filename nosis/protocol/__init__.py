"""The directive grammar and its streaming splitter. Pure: text in, values out."""

from __future__ import annotations

from dataclasses import dataclass

from nosis.memory.types import Directive
from nosis.protocol.reading import FACT_LIMIT, LEVELS
from nosis.protocol.splitter import Splitter

__all__ = ["FACT_LIMIT", "GOT_IT", "LEVELS", "Parsed", "Splitter", "parse"]

GOT_IT = "Got it. I'll remember that."
"""Shown in place of a reply that holds nothing but directives."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A whole answer, taken apart."""

    visible: str
    directives: tuple[Directive, ...]
    refused: tuple[str, ...]  # one message for people each


def parse(text: str, *, terminated: bool = True) -> Parsed:
    """Take a whole answer apart; ``terminated`` is False for a reply that was cut."""
    splitter = Splitter()
    splitter.feed(text)
    splitter.close(terminated)
    return Parsed(splitter.visible, splitter.directives, splitter.refused)
